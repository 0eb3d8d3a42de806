"""TOML, read strictly, with the lines on which things stand."""

import math
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from leadline.disk import read_text
from leadline.errors import ExperimentError, InputError, describe
from leadline.rows import take

T = TypeVar("T")

_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


@dataclass(frozen=True, slots=True)
class Toml:
    """The values of a file; its refusals know their lines."""

    file: Path
    text: str
    values: dict[str, Any]

    def line(self, field: str) -> int | None:
        """Where a field stands, by its dotted path; None where that is not clear.

        Of an inline table or a list, the line where it begins.
        """
        lines = _lines(self.text)
        while field not in lines and "." in field:
            field = field.rpartition(".")[0]
        return lines.get(field)

    def refusal(
        self, found: str, *, field: str, expected: str, remedy: str
    ) -> ExperimentError:
        """The error to raise for a value that stands here."""
        message = describe(
            found,
            file=self.file,
            line=self.line(field),
            field=field,
            expected=expected,
            remedy=remedy,
        )
        return ExperimentError(message)

    def take(self, kind: type[T], values: Mapping[str, Any], *, within: str = "") -> T:
        """Check a table against a dataclass; see `leadline.rows.take`.

        Raises:
            ExperimentError: an unknown key, a missing one, or a value of another type.
        """
        try:
            return take(kind, values, file=self.file, line=self.line, within=within)
        except InputError as error:
            raise ExperimentError(str(error)) from None


def read_toml(path: Path) -> Toml:
    """Read a TOML file of tables, lists, strings, finite numbers and booleans.

    Raises:
        InputError: like `read_text`.
        ExperimentError: it is not TOML; a number is not finite; a value is a date.
    """
    text = read_text(path, may_be_empty=False)
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ExperimentError(_syntax(str(error), path, text)) from None
    except ValueError as error:
        raise ExperimentError(
            f"{path}: found a value that is too long: {error}"
        ) from None
    except RecursionError:
        raise ExperimentError(f"{path}: found nesting that is too deep.") from None
    toml = Toml(path, text, values)
    for field, value in _leaves(values, ""):
        if isinstance(value, float) and not math.isfinite(value):
            raise toml.refusal(
                str(value),
                field=field,
                expected="a finite number",
                remedy="Correct the value.",
            )
        if not isinstance(value, (str, int, float)):
            raise toml.refusal(
                f"a date or time, {value}",
                field=field,
                expected="a string, number or boolean",
                remedy=f'Put it in quotes: "{value}".',
            )
    return toml


def _syntax(message: str, path: Path, text: str) -> str:
    place = _AT.search(message)
    line = int(place[1]) if place and place[1] else text.rstrip().count("\n") + 1
    column = f" at column {place[2]}" if place and place[2] else ""
    return describe(
        f"no TOML ({_AT.sub('', message)}{column})",
        file=path,
        line=line,
        expected="keys and values, once each",
        remedy="Strings stand in quotes, lists in brackets.",
    )


def _leaves(value: object, path: str) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for name, one in value.items():
            yield from _leaves(one, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        for one in value:
            yield from _leaves(one, path)
    else:
        yield path, value


def _lines(text: str) -> dict[str, int]:
    """Dotted path -> the first line that gives it, as far as lines alone can tell."""
    table = ""
    found: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("["):
            if path := _path(line):
                table = path
                found.setdefault(path, number)
        elif "=" in line and (path := _key(line)):
            found.setdefault(f"{table}.{path}" if table else path, number)
    return found


def _key(line: str) -> str:
    """The key of ``key = value``; a quoted key may have a ``=`` of its own."""
    end = line.find("=")
    while end >= 0:
        if path := _path(f"{line[:end]}= 0"):
            return path
        end = line.find("=", end + 1)
    return ""


def _path(line: str) -> str:
    """The dotted path that one line gives, or nothing where it is no TOML."""
    try:
        value: object = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return ""
    names = []
    while isinstance(value, dict) and value:
        name, value = next(iter(value.items()))
        names.append(name)
    return ".".join(names)
