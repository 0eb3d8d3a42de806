"""Plain JSON values to dataclasses, all the way down, with nothing left over."""

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import cache
from pathlib import Path
from types import UnionType
from typing import (
    Any,
    TypeAlias,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from leadline.errors import InputError, did_you_mean

T = TypeVar("T")

_Check: TypeAlias = Callable[[Any, str], None]


def built(kind: type[T], plain: object, *, file: Path) -> T:
    """Build a dataclass, and those in it, from what a JSON file held.

    Raises:
        InputError: an unknown or missing key, or a value of another type; the
            message has its path in the JSON, ``$`` being the whole.
    """
    import msgspec  # noqa: PLC0415 -- start-up

    try:
        if check := _check(kind):  # type: ignore[arg-type]  # a type can be hashed
            check(plain, "$")
        return msgspec.convert(plain, kind)
    except _UnknownKeyError as error:
        raise InputError(f"{file}: {error}") from None
    except msgspec.ValidationError as error:
        message = str(error).replace("`", "")
        raise InputError(
            f"{file}: {message[:1].lower()}{message[1:]}. Write the file again."
        ) from None


def schema_of(kind: type[Any], *, title: str) -> dict[str, Any]:
    """The JSON Schema of a dataclass; no object may have a key beyond it."""
    import msgspec  # noqa: PLC0415 -- start-up

    made = msgspec.json.schema(kind)
    for part in made["$defs"].values():
        if "properties" in part:
            part["additionalProperties"] = False
    dialect = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": dialect, "title": title, **made}


class _UnknownKeyError(Exception):
    """A key that the type does not have, by its path."""


@cache
def _check(hint: Any) -> _Check | None:  # noqa: ANN401 -- a type
    """What looks for unknown keys in values of a type; None: there can be none."""
    arguments = get_args(hint)
    if isinstance(hint, UnionType):
        checks = [one for one in map(_check, arguments) if one]
        return checks[0] if checks else None
    if is_dataclass(hint):
        return _check_fields(get_type_hints(hint))
    inner = _check(arguments[0]) if get_origin(hint) is tuple else None
    if inner is not None:
        return _check_items(inner)
    value = _check(arguments[1]) if get_origin(hint) is dict else None
    return None if value is None else _check_values(value)


def _check_fields(hints: Mapping[str, Any]) -> _Check:
    checks = {name: one for name, hint in hints.items() if (one := _check(hint))}

    def check(value: Any, path: str) -> None:  # noqa: ANN401 -- JSON
        if not isinstance(value, dict):
            return
        for name in sorted(value.keys() - hints.keys()):
            nearest = did_you_mean(name, hints)
            raise _UnknownKeyError(f"found an unknown key, {path}.{name}. {nearest}")
        for name, one in checks.items():
            if name in value:
                one(value[name], f"{path}.{name}")

    return check


def _check_items(inner: _Check) -> _Check:
    def check(value: Any, path: str) -> None:  # noqa: ANN401 -- JSON
        if isinstance(value, list):
            for position, one in enumerate(value):
                inner(one, f"{path}[{position}]")

    return check


def _check_values(inner: _Check) -> _Check:
    def check(value: Any, path: str) -> None:  # noqa: ANN401 -- JSON
        if isinstance(value, dict):
            for name, one in value.items():
                inner(one, f"{path}.{name}")

    return check
