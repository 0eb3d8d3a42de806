"""Rows: what was read, checked against a table of fields.

The table is a dataclass, so a reader is a list of names, types and defaults, and
what comes out of it is typed.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    TypeAlias,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from leadline.errors import InputError, describe, did_you_mean, shown

if TYPE_CHECKING:
    from leadline.hashing import Json

T = TypeVar("T")
Line: TypeAlias = int | Callable[[str], int | None] | None
"""A line number, from 1; or a function that finds the line of a field."""


def spelled(value: object) -> str:
    """Quote a value the way JSON and TOML spell it, short and on one line.

    >>> spelled(None), spelled(True), spelled("a")
    ('null', 'true', "'a'")
    """
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return shown(value)


@dataclass(frozen=True, slots=True)
class _Field:
    attribute: str
    kinds: tuple[type, ...]
    choices: tuple[str, ...]
    expected: str
    required: bool


_KINDS: Mapping[type, tuple[tuple[type, ...], str]] = {
    str: ((str,), "a string"),
    int: ((int,), "a whole number"),
    float: ((float, int), "a number"),
    bool: ((bool,), "true or false"),
    dict: ((dict,), "a table of names and values"),
    list: ((list,), "a list"),
    NoneType: ((NoneType,), "null"),
}


def _field(attribute: str, hint: Any, *, required: bool) -> _Field:  # noqa: ANN401 -- a type
    kinds: list[type] = []
    choices: list[str] = []
    words: list[str] = []
    for one in get_args(hint) if isinstance(hint, UnionType) else (hint,):
        if get_origin(one) is Literal:
            kinds.append(str)
            choices += get_args(one)
            words += [f'"{choice}"' for choice in get_args(one)]
        else:
            accepted, expected = _KINDS[get_origin(one) or one]
            kinds += accepted
            words.append(expected)
    return _Field(attribute, tuple(kinds), tuple(choices), " or ".join(words), required)


@cache
def _table(kind: type) -> Mapping[str, _Field]:
    hints = get_type_hints(kind)
    return {
        one.metadata.get("name", one.name): _field(
            one.name,
            hints[one.name],
            required=one.default is MISSING and one.default_factory is MISSING,
        )
        for one in fields(kind)
    }


def take(
    kind: type[T],
    values: Mapping[str, "Json"],
    *,
    file: str | Path,
    line: Line = None,
    within: str = "",
) -> T:
    """Check a row against a dataclass, which is its table of fields, and build it.

    A field's type is ``str``, ``int``, ``float`` (a whole number will do), ``bool``,
    ``dict[...]`` or ``list[...]`` (whose insides are the caller's to check), a
    ``Literal`` of strings, or a union of those. A field whose metadata has
    ``{"name": "class"}`` is called that in the file. No value is converted: 7 is no
    string, "7" is no number and 1 is not true.

    Args:
        kind: the dataclass; fields without a default are required.
        values: the row.
        file: for messages.
        line: for messages.
        within: the row's own path in the file, before its fields' names.

    Raises:
        InputError: an unknown field (with the nearest name), a missing one, or a
            value of another type.
    """
    table = _table(kind)  # type: ignore[arg-type]  # a type can be hashed
    prefix = f"{within}." if within else ""
    arguments: dict[str, Any] = {}

    def refusal(name: str, what: str, expected: str, remedy: str) -> InputError:
        where = prefix + name
        number = line(where) if callable(line) else line
        return InputError(
            describe(
                what,
                file=file,
                line=number,
                field=where,
                expected=expected,
                remedy=remedy,
            )
        )

    for name, value in values.items():
        field = table.get(name)
        if field is None:
            known = "a field that is known here"
            raise refusal(name, "an unknown field", known, did_you_mean(name, table))
        if type(value) not in field.kinds:
            quote = type(value) in (int, float) and str in field.kinds
            remedy = f'Put it in quotes: "{value}".' if quote else "Correct the value."
            raise refusal(name, spelled(value), field.expected, remedy)
        if field.choices and isinstance(value, str) and value not in field.choices:
            nearest = did_you_mean(value, field.choices)
            raise refusal(name, spelled(value), field.expected, nearest)
        arguments[field.attribute] = value
    for name, field in table.items():
        if field.required and name not in values:
            raise refusal(name, "nothing", field.expected, "Add the field.")
    return kind(**arguments)
