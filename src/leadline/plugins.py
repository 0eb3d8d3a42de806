"""Plug-ins: a name in an experiment file -> checked parameters -> a working part.

A plug-in is a `Plugin` value: its parameters are a frozen dataclass, and ``build``
turns one of those into a retriever, a fusion, a reranker or an embedder. Leadline's
own are in `BUILT_IN`; a package adds more by an entry point in the group
``leadline.retrievers``, ``leadline.fusions``, ``leadline.rerankers`` or
``leadline.embedders``. Nothing is imported before it is named.

Parameters are checked by their types (``Annotated[int, msgspec.Meta(ge=1)]``,
``Literal[...]``). A field of type ``Path`` is a file beside the experiment file, and
one whose metadata has ``{"kind": "embedder"}`` is another plug-in: a name, or a table
with the key ``name`` and its parameters.
"""

import dataclasses
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from leadline.errors import EngineError, ExperimentError, describe, did_you_mean, shown
from leadline.hashing import Json

Kind: TypeAlias = Literal["retriever", "fusion", "reranker", "embedder"]


@dataclass(frozen=True, slots=True)
class Plugin:
    """What an entry point must be."""

    kind: Kind
    parameters: type[Any]
    """A frozen dataclass; the experiment file's keys are its fields."""
    build: Callable[[Any], Any]
    """Parameters in, the working part out."""


BUILT_IN: Mapping[Kind, Mapping[str, str]] = {
    "retriever": {
        "fts5": "leadline.retrieval.fts5:PLUGIN",
        "tfidf": "leadline.retrieval.tfidf:PLUGIN",
        "vector": "leadline.retrieval.vector:PLUGIN",
    },
    "fusion": {"rrf": "leadline.retrieval.fusion:PLUGIN"},
    "reranker": {"coverage": "leadline.retrieval.rerank:PLUGIN"},
    "embedder": {"wordllama": "leadline.retrieval.embedders:WORDLLAMA"},
}


@dataclass(frozen=True, slots=True)
class Part:
    """A plug-in chosen by name, with parameters that have been checked."""

    kind: Kind
    name: str
    parameters: Any

    def build(self) -> Any:  # noqa: ANN401 -- what it is depends on the kind
        """The working part."""
        return find(self.kind, self.name).build(self.parameters)

    def files(self) -> list[Path]:
        """Every file that its parameters name."""
        found: list[Path] = []
        for field in dataclasses.fields(self.parameters):
            value = getattr(self.parameters, field.name)
            if isinstance(value, Part):
                found += value.files()
            elif isinstance(value, Path):
                found.append(value)
        return found

    def frozen(self) -> dict[str, Json]:
        """What the freeze says of it: the name and every parameter, defaults too.

        Files are not named, for a path is not what was in them; the part's own
        ``prepare`` answers with the hash of what it read.
        """
        values: dict[str, Json] = {"name": self.name}
        for field in dataclasses.fields(self.parameters):
            value = getattr(self.parameters, field.name)
            if isinstance(value, Part):
                values[field.name] = value.frozen()
            elif not isinstance(value, Path):
                values[field.name] = list(value) if isinstance(value, tuple) else value
        return values


def names(kind: Kind) -> list[str]:
    """Every plug-in of a kind that is installed here."""
    return sorted({*BUILT_IN[kind], *(one.name for one in _entry_points(kind))})


def find(kind: Kind, name: str) -> Plugin:
    """Import a plug-in by its name.

    Raises:
        ExperimentError: nothing of that name is installed.
        EngineError: the plug-in cannot be imported, or is no such plug-in.
    """
    if target := BUILT_IN[kind].get(name):
        from importlib import import_module  # noqa: PLC0415 -- only where it is named

        module, _, attribute = target.partition(":")
        found = getattr(import_module(module), attribute)
    else:
        point = next((one for one in _entry_points(kind) if one.name == name), None)
        if point is None:
            message = f'no {kind} is called "{name}". {did_you_mean(name, names(kind))}'
            raise ExperimentError(message)
        try:
            found = point.load()
        except Exception as error:
            message = (
                f'the {kind} "{name}" could not be imported from {point.value}: {error}'
            )
            raise EngineError(message) from error
    if not isinstance(found, Plugin) or found.kind != kind:
        message = f'"{name}" is no leadline.plugins.Plugin of kind "{kind}"'
        raise EngineError(message)
    return found


def resolve(
    kind: Kind, name: str, table: Mapping[str, Json], *, base: Path, where: str
) -> Part:
    """Check the parameters of a plug-in.

    Args:
        kind: what is wanted.
        name: the plug-in's name.
        table: its parameters as the file gives them.
        base: the folder that relative paths start from.
        where: what to call the table in a message.

    Raises:
        ExperimentError: an unknown name or parameter, or a value that is not of its
            type; the message names the place and the nearest name that exists.
    """
    try:
        plugin = find(kind, name)
    except ExperimentError as error:
        message = f"{where}: {error}"
        raise ExperimentError(message) from None
    hints = typing.get_type_hints(plugin.parameters, include_extras=True)
    fields = {field.name: field for field in dataclasses.fields(plugin.parameters)}
    if unknown := sorted(set(table) - set(fields)):
        message = describe(
            "a key that this plug-in does not have",
            field=f"{where}.{unknown[0]}",
            expected=f'a parameter of the {kind} "{name}"',
            remedy=did_you_mean(unknown[0], fields),
        )
        raise ExperimentError(message)
    values: dict[str, Any] = {}
    for key, field in fields.items():
        place = f"{where}.{key}"
        if key not in table:
            if field.default is dataclasses.MISSING and (
                field.default_factory is dataclasses.MISSING
            ):
                message = describe(
                    "nothing",
                    field=place,
                    expected=f'a value: the {kind} "{name}" needs it',
                    remedy="Add the key.",
                )
                raise ExperimentError(message)
            continue
        if inner := field.metadata.get("kind"):
            values[key] = _nested(inner, table[key], base=base, where=place)
        else:
            values[key] = _value(table[key], hints[key], base=base, where=place)
    try:
        return Part(kind, name, plugin.parameters(**values))
    except ExperimentError as error:
        message = f"{where}: {error}"
        raise ExperimentError(message) from None


def _nested(kind: Kind, value: Json, *, base: Path, where: str) -> Part:
    table: Mapping[str, Json] = (
        {"name": value}
        if isinstance(value, str)
        else (value if isinstance(value, Mapping) else {})
    )
    name = table.get("name")
    if not isinstance(name, str):
        message = describe(
            shown(value),
            field=where,
            expected=f'the name of an {kind}, or a table with the key "name"',
            remedy=f"Installed: {', '.join(names(kind))}.",
        )
        raise ExperimentError(message)
    rest = {key: one for key, one in table.items() if key != "name"}
    return resolve(kind, name, rest, base=base, where=where)


def _value(value: Json, hint: object, *, base: Path, where: str) -> object:
    import msgspec  # noqa: PLC0415 -- start-up

    if hint is Path or hint == Path | None:
        if isinstance(value, str) and value:
            return base / value
        expected = "the path of a file"
    else:
        try:
            return msgspec.convert(value, hint)
        except msgspec.ValidationError as error:
            expected = str(error).removeprefix("Expected ").partition(", got")[0]
            expected = expected.replace("`", "")
            if choices := typing.get_args(hint) if _chosen(hint) else ():
                expected = "one of " + ", ".join(map(str, choices))
    message = describe(
        shown(value), field=where, expected=expected, remedy="Correct the value."
    )
    raise ExperimentError(message)


def _chosen(hint: object) -> bool:
    return typing.get_origin(hint) is Literal


def _entry_points(kind: Kind) -> list[Any]:
    from importlib.metadata import entry_points  # noqa: PLC0415 -- start-up

    return list(entry_points(group=f"leadline.{kind}s"))
