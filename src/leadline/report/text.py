"""A record as text for a terminal, or for a file that a terminal wrote into.

Tables fit the width: where a row of measures is too wide it is set in two lines a
cell, and where that is too wide the table is cut into several. Nothing from data is
taken for markup, and nothing in it can move the cursor; without ``colour`` there is
not one escape code in the text.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from leadline.files.record import Record
from leadline.report import figures
from leadline.report.overview import Cell, Overview, Row, overview
from leadline.report.packets import TITLE, packet_rows, packet_table
from leadline.report.safe import visible, wrap
from leadline.report.view import Silence, silences
from leadline.report.wordless import wordless

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

NAME_WIDTH = 24
"""The widest that a column of names may be; longer names are broken."""
GAP = 2
VERDICTS = 10
"""The most verdicts to print; decided ones come first."""


def summary(record: Record, *, width: int = 80, colour: bool = False) -> str:
    """Everything that a reader needs first, no line wider than ``width``.

    Raises:
        ValueError: ``width`` is below 40.
    """
    if width < 40:  # noqa: PLR2004 -- a name, a gap and an interval
        raise ValueError(f"a summary needs 40 columns, found {width}")
    o = overview(record)
    paragraphs = [
        _head(o, width),
        *(_judged(record, o, width) if o.judged else _unjudged(o)),
        _labelled("What these figures do not say:", _limits(o, record), width),
    ]
    return _render(paragraphs, width=width, colour=colour)


def _head(o: Overview, width: int) -> "RenderableType":
    facts = " · ".join(
        (
            figures.number_of(o.counts.asked, "question"),
            figures.number_of(len(o.configurations), "configuration"),
            figures.number_of(o.passage_count, "passage"),
            f"split {visible(o.split)}",
        )
    )
    lines = [
        *((line, "bold") for line in wrap(visible(o.name), width=width)),
        *((line, "") for line in wrap(visible(o.scope), width=width) if line),
        *((line, "dim") for line in wrap(facts, width=width)),
        (f"freeze {o.freeze_id[:12]} · snapshot {o.snapshot_id[:12]}"[:width], "dim"),
    ]
    return _styled(lines)


def _judged(record: Record, o: Overview, width: int) -> "Iterable[RenderableType]":
    if o.counts.supported:
        count = figures.number_of(o.counts.supported, "answerable question")
        share = 100 * (1 - o.alpha)
        yield _styled([(f"Means over {count}, with {share:.4g}% intervals", "bold")])
    else:
        yield _styled([("No answerable question: there is no mean", "bold")])
    yield from _means(o, width)
    if o.counts.supported:
        yield from _misses(o, width)
    if o.verdicts:
        yield _verdicts(o, width)
    if o.counts.unanswerable and record.comparison:
        yield from _unanswerable(
            o, silences(record.comparison, o.configurations), width
        )
    others = [
        f"{figures.number_of(number, 'question')} {what}"
        for number, what in (
            (o.counts.nothing_relevant, "judged, with nothing relevant"),
            (o.counts.unjudged, "not judged"),
        )
        if number
    ]
    if others:
        sentence = f"In no mean: {'; '.join(others)}."
        yield _styled([(line, "") for line in wrap(sentence, width=width)])
    if rows := packet_rows(record):
        yield _styled([(line, "bold") for line in wrap(TITLE, width=width)])
        yield _table(*packet_table(rows, room=width - NAME_WIDTH, gap=GAP))


def _unjudged(o: Overview) -> "Iterable[RenderableType]":
    yield _styled([("Nothing was judged: this experiment has no labels.", "bold")])
    yield _table(
        ("Sealed run", "passages", "questions with none"),
        [
            (visible(run.name), figures.count(run.returned), figures.count(run.empty))
            for run in o.runs
        ],
    )


def _means(o: Overview, width: int) -> "Iterable[RenderableType]":
    """One table, or as many as the width asks for, of about equal size."""
    names = [_name(row) for row in o.rows]
    room = width - min(NAME_WIDTH, _widest([*names, "configuration"]))
    for between, digits in (("  ", 3), ("\n", 3), ("\n", 2), ("\n", 3)):
        columns = [
            [_cell(row.cells[place], between, digits) for row in o.rows]
            for place in range(len(o.measures))
        ]
        if _needed(o.measures, columns) <= room:
            break
    tables = 1
    while any(
        _needed(o.measures[part], columns[part]) > room
        for part in _parts(len(o.measures), tables)
    ) and tables < len(o.measures):
        tables += 1
    for part in _parts(len(o.measures), tables):
        yield _table(
            ("configuration", *o.measures[part]),
            list(zip(names, *columns[part], strict=True)),
        )
    if o.baseline is not None:
        yield _styled([("* baseline", "dim")])


def _parts(count: int, tables: int) -> list[slice]:
    size = -(-count // tables)
    return [slice(start, start + size) for start in range(0, count, size)]


def _needed(headings: Sequence[str], columns: Sequence[Sequence[str]]) -> int:
    """Columns that a table takes up beside its names."""
    return sum(
        GAP + _widest([heading, *cells])
        for heading, cells in zip(headings, columns, strict=True)
    )


def _widest(texts: Iterable[str]) -> int:
    from rich.cells import cell_len  # noqa: PLC0415 -- start-up

    return max(cell_len(line) for text in texts for line in text.split("\n"))


def _cell(cell: Cell, between: str, digits: int) -> str:
    mean = figures.value(cell.mean)
    if cell.interval is None:
        return mean
    low, high = (figures.value(end, digits=digits) for end in cell.interval)
    return f"{mean}{between}{low}\N{EN DASH}{high}"


def _name(row: Row) -> str:
    return visible(row.name) + (" *" if row.is_baseline else "")


def _misses(o: Overview, width: int) -> "Iterable[RenderableType]":
    headings = [f"missed at {cut}" for cut in o.cutoffs]
    room = max(
        1, (width - NAME_WIDTH - 20) // (GAP + max(map(len, headings), default=9))
    )
    kept = range(len(headings))[-room:]
    yield _table(
        ("configuration", *(headings[place] for place in kept), "nothing returned"),
        [
            (
                _name(row),
                *(figures.count(row.misses[place]) for place in kept),
                figures.count(row.empty),
            )
            for row in o.rows
        ],
    )
    if o.missed_by_all:
        cut, names = o.missed_by_all
        ids = figures.listing([visible(name) for name in names])
        lines = wrap(f"Missed at {cut} by every configuration: {ids}.", width=width)
        yield _styled([(line, "") for line in lines])


def _verdicts(o: Overview, width: int) -> "RenderableType":
    lines = (
        [(line, "bold") for line in wrap(o.headline, width=width)] if o.headline else []
    )
    for verdict in o.verdicts[:VERDICTS]:
        sign = "=" if verdict.draw else ">"
        first, *rest = wrap(visible(verdict.sentence), width=width - 4)
        style = "" if verdict.draw else "green"
        lines.append((f"  {sign} {first}", style))
        lines.extend((f"    {line}", style) for line in rest)
    if left := o.verdicts[VERDICTS:]:
        draws = figures.number_of(sum(one.draw for one in left), "draw")
        more = figures.number_of(len(left), "more verdict")
        lines.append((f"  {more}, {draws} among them, in the report.", "dim"))
    return _styled(lines)


def _unanswerable(
    o: Overview, rows: Sequence[Silence], width: int
) -> "Iterable[RenderableType]":
    title = f"Unanswerable: {figures.number_of(o.counts.unanswerable, 'question')}, "
    yield _styled([(title + "in no mean; what came back", "bold")])
    columns = {
        "nothing": [figures.count(row.nothing) for row in rows],
        "something": [
            figures.count(o.counts.unanswerable - row.nothing) for row in rows
        ],
        "passages": [figures.count(row.returned) for row in rows],
        "top score": [figures.score(row.top_score) for row in rows],
    }
    if _needed(list(columns), list(columns.values())) + NAME_WIDTH > width:
        del columns["something"]
    names = [visible(row.configuration) for row in rows]
    cells = list(zip(names, *columns.values(), strict=True))
    yield _table(("configuration", *columns), cells)
    yield _styled([("A score is not a probability.", "dim")])


def _limits(o: Overview, record: Record) -> list[str]:
    notes = [visible(o.limits)] if o.limits else []
    if o.whole_snapshot:
        notes.append(
            "Word statistics counted the whole snapshot, also passages that a question "
            'may not see (statistics = "snapshot").'
        )
    sentences = wordless(record.freeze.configurations, record.questions)
    return [*notes, *map(visible, sentences)]


def _labelled(label: str, notes: Sequence[str], width: int) -> "RenderableType":
    lines = [(label, "bold")] if notes else []
    for note in notes:
        lines.extend((f"  {line}", "") for line in wrap(note, width=width - 2))
    return _styled(lines)


def _styled(lines: Iterable[tuple[str, str]]) -> "RenderableType":
    from rich.text import Text  # noqa: PLC0415 -- start-up

    return Text("\n").join(Text(line, style=style) for line, style in lines)


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> "Table":
    from rich.table import Table  # noqa: PLC0415 -- start-up
    from rich.text import Text  # noqa: PLC0415 -- start-up

    table = Table(
        box=None,
        padding=(0, GAP, 0, 0),
        pad_edge=False,
        header_style="dim",
        expand=False,
    )
    for position, heading in enumerate(headings):
        table.add_column(
            Text(heading),
            justify="right" if position else "left",
            overflow="fold",
            max_width=None if position else NAME_WIDTH,
            no_wrap=bool(position),
        )
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    return table


def _render(paragraphs: Iterable["RenderableType"], *, width: int, colour: bool) -> str:
    from io import StringIO  # noqa: PLC0415 -- start-up

    from rich.console import Console  # noqa: PLC0415 -- start-up
    from rich.text import Text  # noqa: PLC0415 -- start-up

    console = Console(
        file=StringIO(),
        width=width,
        force_terminal=colour,
        color_system="standard" if colour else None,
        no_color=not colour,
        legacy_windows=False,
        _environ={},
    )
    with console.capture() as capture:
        for paragraph in paragraphs:
            if not isinstance(paragraph, Text) or paragraph.plain:
                console.print(paragraph, markup=False, highlight=False, emoji=False)
                console.print()
    return (
        "".join(f"{line.rstrip()}\n" for line in capture.get().split("\n")).rstrip()
        + "\n"
    )
