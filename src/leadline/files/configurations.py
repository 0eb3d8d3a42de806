"""The configurations of an experiment file: three forms, each resolved to a part."""

import difflib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from leadline.errors import ExperimentError, shown
from leadline.experiment import Configuration
from leadline.files.places import is_one_line
from leadline.files.toml import Toml
from leadline.plugins import Kind, Part, names, resolve
from leadline.rows import spelled

_FORMS: Mapping[str, Kind] = {
    "retriever": "retriever",
    "fuse": "fusion",
    "rerank": "reranker",
}
"""The key that says what a configuration is -> the kind of its plug-in."""


def read_configurations(
    toml: Toml, tables: Mapping[str, Any], *, budget: int
) -> list[Configuration]:
    """Every configuration of the file, in its order.

    ``retriever = NAME``; ``fuse = [CONFIGURATION, ...]`` with ``method = NAME``; or
    ``rerank = CONFIGURATION`` with ``method = NAME``. All other keys are parameters
    of the plug-in, but for a retriever's own ``budget``.

    Raises:
        ExperimentError: a name that could be taken for another; none or several of
            the three forms; whatever `leadline.plugins.resolve` refuses; a fusion of
            fewer than two, or with another number of weights.
    """
    if not tables:
        raise toml.refusal(
            "no configuration",
            field="configurations",
            expected="at least one",
            remedy='For example [configurations.lexical] with retriever = "fts5".',
        )
    _check_names(toml, list(tables))
    return [_configuration(toml, name, tables[name], budget) for name in tables]


def _check_names(toml: Toml, every: Sequence[str]) -> None:
    seen: dict[str, str] = {}
    for name in every:
        if not is_one_line(name) or name != name.strip():
            raise toml.refusal(
                shown(name),
                field=f"configurations.{name}",
                expected="a name without control characters or outer blanks",
                remedy="Rename the configuration.",
            )
        folded = unicodedata.normalize("NFKC", name).casefold()
        if folded in seen:
            raise toml.refusal(
                f"the names {shown(seen[folded])} and {shown(name)}",
                field=f"configurations.{name}",
                expected="names that differ in more than case or form",
                remedy="Rename one of them.",
            )
        seen[folded] = name


@dataclass(frozen=True, slots=True)
class _Table:
    """One configuration's table; its refusals know the line of a key."""

    toml: Toml
    where: str
    values: Mapping[str, Any]

    def refusal(
        self, found: str, *, key: str = "", expected: str, remedy: str
    ) -> ExperimentError:
        field = f"{self.where}.{key}" if key else self.where
        return self.toml.refusal(found, field=field, expected=expected, remedy=remedy)


def _configuration(toml: Toml, name: str, values: object, budget: int) -> Configuration:
    where = f"configurations.{name}"
    if not isinstance(values, dict):
        raise toml.refusal(
            spelled(values),
            field=where,
            expected="a table",
            remedy=f'For example [configurations.{name}] with retriever = "fts5".',
        )
    table = _Table(toml, where, values)
    forms = [form for form in _FORMS if form in values]
    if len(forms) != 1:
        near = {
            key: match[0]
            for key in values
            if (match := difflib.get_close_matches(str(key), _FORMS, n=1))
        }
        meant = next(iter(near), "")
        raise table.refusal(
            " and ".join(forms) or "neither retriever nor fuse nor rerank",
            key=meant if not forms else "",
            expected="exactly one of retriever, fuse and rerank",
            remedy=f'Did you mean "{near[meant]}"?'
            if meant and not forms
            else "A configuration searches, fuses others, or reranks one.",
        )
    (form,) = forms
    if form == "retriever":
        own = _budget(table, budget)
        part = _part(table, "retriever", chosen=form, other=("retriever", "budget"))
        return Configuration(name, part, (), own)
    if "budget" in values:
        raise table.refusal(
            "a budget",
            key="budget",
            expected="none: it keeps whatever its inputs return",
            remedy="Give the retrievers that it builds on a budget.",
        )
    inputs = _one_input(table) if form == "rerank" else _several_inputs(table)
    part = _part(table, _FORMS[form], chosen="method", other=("method", form))
    _check_weights(table, part, inputs)
    return Configuration(name, part, inputs, budget)


def _one_input(table: _Table) -> tuple[str, ...]:
    value = table.values["rerank"]
    if not isinstance(value, str):
        raise table.refusal(
            spelled(value),
            key="rerank",
            expected="the name of one configuration",
            remedy="To rerank several, fuse them first.",
        )
    return (value,)


def _several_inputs(table: _Table) -> tuple[str, ...]:
    value = table.values["fuse"]
    listed = value if isinstance(value, list) else []
    names_only = [one for one in listed if isinstance(one, str)]
    if len(names_only) < len(listed) or len(set(names_only)) < max(2, len(listed)):
        raise table.refusal(
            spelled(value),
            key="fuse",
            expected="a list of two or more configurations, each once",
            remedy='For example fuse = ["lexical", "vector"].',
        )
    return tuple(names_only)


def _budget(table: _Table, default: int) -> int:
    value = table.values.get("budget", default)
    if type(value) is not int or value < 1:
        raise table.refusal(
            spelled(value),
            key="budget",
            expected="a whole number, 1 or more",
            remedy="It is the most candidates that may come back for a question.",
        )
    return value


def _part(table: _Table, kind: Kind, *, chosen: str, other: Sequence[str]) -> Part:
    """The plug-in that the key ``chosen`` names; ``other`` are no parameters of it."""
    plugin = table.values.get(chosen)
    if not isinstance(plugin, str):
        raise table.refusal(
            "nothing" if plugin is None else spelled(plugin),
            key=chosen,
            expected=f"the name of a {kind}",
            remedy=f"Installed: {', '.join(names(kind))}.",
        )
    where = table.where
    rest = {key: one for key, one in table.values.items() if key not in other}
    try:
        return resolve(kind, plugin, rest, base=table.toml.file.parent, where=where)
    except ExperimentError as error:
        message = str(error)
        key = next((key for key in rest if f"{where}.{key}" in message), chosen)
        line = table.toml.line(f"{where}.{key}")
        joint = ", " if message.startswith("field ") else ": "
        place = f"{table.toml.file}, line {line}" if line else str(table.toml.file)
        raise ExperimentError(f"{place}{joint}{message}") from None


def _check_weights(table: _Table, part: Part, inputs: Sequence[str]) -> None:
    weights = getattr(part.parameters, "weights", None)
    if weights is not None and len(weights) != len(inputs):
        raise table.refusal(
            f"{len(weights)} weight{'s' if len(weights) != 1 else ''}",
            key="weights",
            expected=f"{len(inputs)}, one for each of fuse",
            remedy="Give each input its weight, in the same order.",
        )
