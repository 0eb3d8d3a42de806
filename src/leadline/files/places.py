"""Where a value stands in a file, and the checks that every format shares."""

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from leadline.errors import InputError, describe, shown

_UNSEEN = {"Cc", "Cs", "Zl", "Zp"}
"""Unicode's controls, halves of surrogate pairs, and line and paragraph separators."""

_SHA256 = re.compile(r"[0-9a-fA-F]{64}")


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file; prints as ``labels.jsonl, line 3``."""

    file: Path
    line: int | None = None

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}" if self.line else str(self.file)

    def refusal(
        self, found: str, *, field: str | None = None, expected: str, remedy: str
    ) -> InputError:
        """The error to raise for something that stands here."""
        message = describe(
            found,
            file=self.file,
            line=self.line,
            field=field,
            expected=expected,
            remedy=remedy,
        )
        return InputError(message)


def is_one_line(name: str) -> bool:
    """Whether a name is not blank and has no control character or line end."""
    plain = name.isprintable() or not any(
        unicodedata.category(character) in _UNSEEN for character in name
    )
    return plain and bool(name.strip())


def checked_id(value: str, place: Place, field: str) -> str:
    """The id, exactly as it is.

    Raises:
        InputError: it is blank, or has a control character or a line end.
    """
    if not is_one_line(value):
        raise place.refusal(
            shown(value),
            field=field,
            expected="an id: one line, not blank, without control characters",
            remedy="Give it a name that is unique in the file.",
        )
    return value


def checked_sha256(value: str, place: Place, field: str) -> str:
    """The hash in lower case.

    Raises:
        InputError: it is not 64 hex digits.
    """
    if not _SHA256.fullmatch(value):
        raise place.refusal(
            shown(value),
            field=field,
            expected="64 hex digits",
            remedy="It is the sha256 of the exact text in UTF-8.",
        )
    return value.lower()


def refuse_repeats(rows: list[tuple[str, Place]], what: str) -> None:
    """Hold every id to one place.

    Raises:
        InputError: names the id and both places.
    """
    first: dict[str, Place] = {}
    for name, place in rows:
        if name in first:
            before = first[name]
            again = f"line {before.line}" if before.file == place.file else str(before)
            raise place.refusal(
                f"the {what} {shown(name)} again (first at {again})",
                expected=f"every {what} once",
                remedy="Rename or delete one of the two.",
            )
        first[name] = place
