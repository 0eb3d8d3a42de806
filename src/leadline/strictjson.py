"""JSON as the standard has it and no more.

A repeated key, NaN, a number beyond float64 and half of a surrogate pair are all
refused here, for each of them reads as something else, or nothing, further on.
"""

import json
import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from leadline.errors import InputError, describe, shown

if TYPE_CHECKING:
    from leadline.hashing import Json


class _RefusedError(ValueError):
    """What a hook of the JSON parser found; reworded by `parse_json`."""


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise _RefusedError(f"the key {shown(twice)} twice in one object")
    return found


def _no_constant(name: str) -> float:
    raise _RefusedError(f"{name}, which is not JSON")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise _RefusedError(f"the number {shown(digits)}, which is too large")
    return value


_DECODER = json.JSONDecoder(
    object_pairs_hook=_no_repeats, parse_constant=_no_constant, parse_float=_finite
)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)")


def parse_json(text: str, *, file: str | Path, line: int | None = None) -> "Json":
    """The value of one JSON text.

    ``line`` is where the text stands when it is one line of a file; without it the
    text is the whole file, and the line is found.

    Raises:
        InputError: not JSON, a repeated key, NaN or an infinity, half of a surrogate
            pair, or nesting that is too deep.
    """
    try:
        value: Json = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        found = f"{error.msg[:1].lower()}{error.msg[1:]}, character {error.colno}"
        found = f"no JSON ({found})"
        line = line or error.lineno
    except RecursionError:
        found = "nesting that is too deep"
    except _RefusedError as error:
        found = str(error)
    except ValueError:  # Python's own limit
        found = "a whole number of thousands of digits"
    else:
        half = _half_pair(text) if _SURROGATE.search(text) else None
        if half is None:
            return value
        offset, code = half
        line = line or text.count("\n", 0, offset) + 1
        offset -= text.rfind("\n", 0, offset) + 1
        found = f"half of a surrogate pair, U+{code:04X}, at offset {offset}"
    message = describe(
        found,
        file=file,
        line=line,
        expected="JSON with unique keys, finite numbers and whole characters",
        remedy="Write the file with a JSON library.",
    )
    raise InputError(message)


def _half_pair(text: str) -> tuple[int, int] | None:
    r"""Offset and code of the first ``\uD800`` to ``\uDFFF`` without its partner."""
    waiting: tuple[int, int] | None = None  # a high half
    end = -1
    for match in _ESCAPE.finditer(text):
        code = int(match[1], 16) if match[1] else 0
        low = 0xDC00 <= code <= 0xDFFF  # noqa: PLR2004 -- Unicode's low surrogates
        if waiting and low and match.start() == end:
            waiting = None
            continue
        if waiting or low:
            return waiting or (match.start(), code)
        if 0xD800 <= code <= 0xDBFF:  # noqa: PLR2004 -- Unicode's high surrogates
            waiting, end = (match.start(), code), match.end()
    return waiting


def is_cut_short(line: str) -> bool:
    """Whether the line is the beginning of an object and no more."""
    if not line.lstrip().startswith("{"):
        return False
    try:
        json.loads(line)
    except json.JSONDecodeError as error:
        cut = not line.rstrip().endswith("}") or error.msg.startswith("Unterminated")
        return cut or error.pos >= len(line.rstrip())
    except (ValueError, RecursionError):
        return False
    return False
