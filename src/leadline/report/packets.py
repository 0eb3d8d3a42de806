"""What packets hold, configuration by configuration and budget by budget."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from leadline.files.record import Record
from leadline.report import figures
from leadline.report.safe import visible

TITLE = "Packets: share of the targets that is quoted, under a budget of characters"
HEADINGS = ("configuration", "budget", "quoted", "repeated", "conflicts", "false")
"""Of the text's table: characters; mean share; characters; questions; questions."""
_FEWEST = 3


@dataclass(frozen=True, slots=True)
class PacketRow:
    """One configuration under one budget."""

    configuration: str
    budget_chars: int
    targets_quoted: float | None
    """Mean share over the supported questions."""
    used_chars: int
    repeated_chars: int
    conflicts: int
    """Questions."""
    false_evidence: int
    """Unanswerable questions for which something is quoted."""


def packet_rows(record: Record) -> tuple[PacketRow, ...]:
    """A row for each budget and configuration; none where packets are not judged."""
    return tuple(_rows(record))


def _rows(record: Record) -> Iterator[PacketRow]:
    for budget in record.freeze.judging.packets:
        for name in record.freeze.compared if record.packets else ():
            one = (record.packets or {})[name][str(budget)]
            yield PacketRow(
                name,
                budget,
                one.targets_quoted,
                one.used_chars,
                one.repeated_chars,
                len(one.conflicts),
                len(one.false_evidence),
            )


def packet_table(
    rows: Sequence[PacketRow], *, room: int, gap: int
) -> tuple[Sequence[str], list[tuple[str, ...]]]:
    """Headings and cells as text; what does not fit is left out from the right.

    Args:
        rows: at least one.
        room: columns of the terminal, beside the names.
        gap: columns between two cells.
    """
    cells = [
        (
            visible(one.configuration),
            figures.count(one.budget_chars),
            figures.value(one.targets_quoted),
            figures.count(one.repeated_chars),
            figures.count(one.conflicts),
            figures.count(one.false_evidence),
        )
        for one in rows
    ]
    widths = [max(map(len, column)) for column in zip(HEADINGS, *cells, strict=True)]
    shown = len(HEADINGS)
    while shown > _FEWEST and sum(gap + one for one in widths[1:shown]) > room:
        shown -= 1
    return HEADINGS[:shown], [row[:shown] for row in cells]
