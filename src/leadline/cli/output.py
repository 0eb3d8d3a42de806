"""What a command prints: results to standard output, words to standard error."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from leadline.app.talk import Talk
    from leadline.files.record import Record

WIDEST = 100
"""Columns; on a wider terminal lines of words would be hard to read."""


def print_text(text: str) -> None:
    """A result, in words."""
    print(text)


def words(text: str) -> None:
    """A remark that is no result; a terminal gets it wrapped, a log as it is."""
    from leadline.report.safe import lines, wrap

    if not sys.stderr.isatty():
        print(lines(text), file=sys.stderr)
        return
    for line in lines(text).split("\n"):
        before = "note: " if line.startswith("note: ") else ""
        first, *rest = wrap(line.removeprefix(before), width=_columns() - len(before))
        print(before + first, file=sys.stderr)
        for one in rest:
            print(" " * len(before) + one, file=sys.stderr)


def harmless(text: str) -> str:
    """Text that is not ours, safe for a terminal."""
    from leadline.report.safe import lines

    return lines(text)


def width() -> int:
    """Columns to lay out for; 80 where the output is no terminal."""
    return _columns() if sys.stdout.isatty() else 80


def _columns() -> int:
    from shutil import get_terminal_size

    return min(get_terminal_size((80, 24)).columns, WIDEST)


def talk() -> "Talk":
    """Words and progress of a long step."""
    from leadline.app.talk import Talk
    from leadline.report.progress import progress

    return Talk(say=words, progress=progress(sys.stderr))


def print_json(value: object) -> None:
    """A result, for a machine."""
    import msgspec

    print(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def print_rows(rows: Mapping[str, object], form: str) -> None:
    """A result of named values, as JSON or a line each."""
    if form == "json":
        print_json({name.replace(" ", "_"): value for name, value in rows.items()})
        return
    for name, value in rows.items():
        text = _plain(value)
        if text:
            print(_hanging(f"{name + ':':<26}", text))


def print_sentence(text: str, *, before: str = "") -> None:
    """A result in words, wrapped; lines after the first are set in."""
    print(_hanging(before, text))


def _hanging(before: str, text: str) -> str:
    from leadline.report.safe import visible, wrap

    if " " not in text and len(before) + len(text) > width():
        return f"{before.rstrip()}\n  {visible(text)}"
    first, *rest = wrap(visible(text), width=width() - len(before)) or [""]
    return "\n".join([before + first, *(" " * len(before) + line for line in rest)])


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key or '(none)'} ({n})" for key, n in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value)


def print_summary(record: "Record", output: Path, report: Path) -> None:
    """A comparison: its table, its sentences, and where record and report are."""
    from leadline.report.text import summary

    print(summary(record, width=width()))
    print(f"Record: {output}\nReport: {report}")
