"""CSV: a header, then one record a row; cells are kept exactly as they stand.

Nothing in a cell is ever converted: ``007``, ``NA`` and an empty cell are the texts
that they are.
"""

import csv
from collections.abc import Sequence
from pathlib import Path

from leadline.disk import read_text
from leadline.errors import InputError, did_you_mean, shown
from leadline.files.places import Place

_LARGEST_CELL = 2**31 - 1  # characters; the csv module's own limit is 128 KiB


def read_table(
    path: Path,
    *,
    required: Sequence[str],
    optional: Sequence[str] = (),
    prefix: str | None = None,
) -> list[tuple[Place, dict[str, str]]]:
    """Every record of a CSV file, column -> cell, with the line where it begins.

    A column is one of ``required`` or ``optional``, or starts with ``prefix``.
    Lines end at a line feed; a cell in quotes may hold line ends. Blank lines are
    skipped.

    Raises:
        InputError: like `read_text`; an unknown, repeated or missing column; a
            record with too few or too many cells; quotes that do not close.
    """
    rows = _rows(path, read_text(path, may_be_empty=False))
    if not rows:  # nothing but empty quotes
        raise InputError(f"{path}: is empty. Expected a header.")
    place, header = rows[0]
    _check_header(header, place, required=required, optional=optional, prefix=prefix)
    found = []
    for place, cells in rows[1:]:
        if len(cells) != len(header):
            raise place.refusal(
                f"{len(cells)} cell{'s' if len(cells) != 1 else ''}",
                expected=f"{len(header)}, as in the header",
                remedy="Put a cell that holds a comma or a quote in quotes.",
            )
        found.append((place, dict(zip(header, cells, strict=True))))
    return found


def _check_header(
    header: list[str],
    place: Place,
    *,
    required: Sequence[str],
    optional: Sequence[str],
    prefix: str | None,
) -> None:
    known = (*required, *optional)
    for position, name in enumerate(header):
        if name in header[:position]:
            raise place.refusal(
                f"the column {shown(name)} twice",
                expected="every column once",
                remedy="Delete one of them.",
            )
        free = prefix is not None and name.startswith(prefix) and name != prefix
        if name not in known and not free:
            more = f" A column {prefix}NAME may hold anything." if prefix else ""
            raise place.refusal(
                f"the column {shown(name)}",
                expected="a header with columns that are known here, between commas",
                remedy=did_you_mean(name, known) + more,
            )
    if missing := [name for name in required if name not in header]:
        raise place.refusal(
            f"no column {shown(missing[0])}",
            expected=f"a header with {', '.join(required)}",
            remedy="Add the column, or the header.",
        )


def _rows(path: Path, text: str) -> list[tuple[Place, list[str]]]:
    lines = (f"{line}\n" for line in text.removesuffix("\n").split("\n"))
    reader = csv.reader(lines, strict=True)
    place = Place(path, 1)
    found = []
    before = csv.field_size_limit(_LARGEST_CELL)
    try:
        for cells in reader:
            if len(cells) > 1 or any(cell.strip() for cell in cells):
                found.append((place, cells))
            place = Place(path, reader.line_num + 1)
    except csv.Error as error:
        cut = "unexpected end" in str(error)
        raise place.refusal(
            "an unfinished record" if cut else f"no CSV ({error})",
            expected="cells between commas, in quotes where they hold commas, quotes "
            "or line ends",
            remedy="Write the file with a CSV library or a spreadsheet.",
        ) from None
    finally:
        csv.field_size_limit(before)
    return found
