"""A record as plain data for a reader: everything a report shows, and no layout.

`Report` is the whole context of the HTML template. Its parts are documented where
they are built: `overview`, `ranks`, `details`, `frozen`.

A report of ten thousand questions must stay a page that a person can open, so each
long list ends at a number from `Limits`, and says so: what is left out is always
counted, and the record holds it all.
"""

from dataclasses import dataclass, field
from typing import Self

from leadline.files.record import Record
from leadline.judging.binding import Receipt
from leadline.judging.compare import Comparison, Status, Unanswerable
from leadline.report import details, overview, ranks
from leadline.report.details import Depth, Group
from leadline.report.frozen import Frozen, frozen
from leadline.report.overview import Overview
from leadline.report.packets import PacketRow, packet_rows
from leadline.report.ranks import Ranks
from leadline.report.wordless import wordless

_KINDS_APART: tuple[tuple[Status, str], ...] = (
    ("unsupported-excluded", "Unanswerable"),
    ("nothing-relevant", "Judged, and nothing is relevant"),
    ("unjudged", "Not judged"),
)

_SMALL = 400
"""Up to this many lists, one a question and configuration, each shows its top 10."""
_SHOWN = 2_000
"""Hits in all the lists of the questions shown in full."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Where the long lists of a report end."""

    details: int = 200
    """Supported questions shown in full."""
    apart: int = 50
    """Questions shown in full of each kind that is in no mean."""
    rank_rows: int = 1_000
    """Questions with a row of their own in the picture of ranks."""
    patterns: int = 12
    receipts: int = 500
    listed: int = 500
    """Rows of the table of unanswerable questions."""
    depth: Depth = field(default_factory=Depth)

    @classmethod
    def fitting(cls, record: Record) -> Self:
        """Limits that keep the page at a few megabytes, whatever the record's size."""
        configurations = len(record.freeze.compared)
        small = len(record.questions) * configurations <= _SMALL
        depth = Depth() if small else Depth(hits=5, passage_chars=1_000)
        return cls(
            details=max(100, _SHOWN // (configurations * depth.hits)), depth=depth
        )


@dataclass(frozen=True, slots=True)
class Silence:
    """What one configuration did with the unanswerable questions."""

    configuration: str
    nothing: int
    """Questions for which nothing was returned."""
    returned: int
    """Passages over all of them."""
    top_score: float | None
    """The highest that any of them got."""


@dataclass(frozen=True, slots=True)
class Apart:
    """Questions that are in no mean, of each kind."""

    silences: tuple[Silence, ...]
    unanswerable: tuple[Unanswerable, ...]
    """At most `Limits.listed` of them."""
    texts: dict[str, str]
    """Question id -> text, of those listed."""
    groups: tuple[Group, ...]
    """Unanswerable, nothing relevant, unjudged; kinds without a question left out."""


@dataclass(frozen=True, slots=True)
class Report:
    """The context of the HTML template."""

    overview: Overview
    ranks: Ranks | None
    """None where nothing was judged, or no question is supported."""
    groups: tuple[Group, ...]
    """Questions side by side. Where nothing was judged: all, in their order."""
    apart: Apart
    frozen: Frozen
    receipts: tuple[Receipt, ...]
    """At most `Limits.receipts` of them."""
    receipt_count: int
    bound_by: tuple[tuple[str, ...], ...]
    """Each way in which a target was bound."""
    limits: Limits
    packets: tuple[PacketRow, ...] = ()
    """None where packets are not judged."""
    wordless: tuple[str, ...] = ()
    """Sentences on questions in which some retriever finds no word."""

    @property
    def shown(self) -> frozenset[int]:
        """Numbers of the questions that are shown in full."""
        groups = (*self.groups, *self.apart.groups)
        return frozenset(one.number for group in groups for one in group.details)


def report(record: Record, limits: Limits | None = None) -> Report:
    """Everything that a report of this record shows."""
    limits = limits or Limits.fitting(record)
    comparison = record.comparison
    summary = overview.overview(record)
    texts = {one.question_id: one.text for one in record.questions}
    everything = details.of_status(
        record,
        None,
        title="What came back",
        limit=0 if comparison else limits.details,
        depth=limits.depth,
    )
    return Report(
        overview=summary,
        ranks=ranks.picture(
            comparison,
            record.freeze.compared,
            texts,
            rows=limits.rank_rows,
            patterns=limits.patterns,
        )
        if comparison and comparison.supported_count
        else None,
        groups=details.by_need(record, limit=limits.details, depth=limits.depth)
        if comparison
        else (everything,),
        apart=_apart(record, comparison, texts, limits),
        frozen=frozen(record),
        receipts=record.receipts[: limits.receipts],
        receipt_count=len(record.receipts),
        bound_by=tuple(sorted({one.bound_by for one in record.receipts})),
        limits=limits,
        packets=packet_rows(record),
        wordless=wordless(record.freeze.configurations, record.questions),
    )


def silences(comparison: Comparison, names: tuple[str, ...]) -> tuple[Silence, ...]:
    """What each configuration did with the unanswerable questions, all of them."""
    rows = comparison.unanswerable
    return tuple(
        Silence(
            name,
            sum(not row.returned[name] for row in rows),
            sum(row.returned[name] for row in rows),
            max(
                (top for row in rows if (top := row.top_score[name]) is not None),
                default=None,
            ),
        )
        for name in names
        if rows
    )


def _apart(
    record: Record, comparison: Comparison | None, texts: dict[str, str], limits: Limits
) -> Apart:
    if comparison is None:
        return Apart((), (), {}, ())
    listed = comparison.unanswerable[: limits.listed]
    groups = (
        details.of_status(
            record, status, title=title, limit=limits.apart, depth=limits.depth
        )
        for status, title in _KINDS_APART
    )
    return Apart(
        silences(comparison, record.freeze.compared),
        listed,
        {row.question_id: texts[row.question_id] for row in listed},
        tuple(group for group in groups if group.total),
    )
