"""Packets of a record: what each configuration would quote, judged.

They are made from the record alone, so that whoever has one can make them again.
"""

from leadline.documents import Document, Passages, Span
from leadline.evidence import Packet, pack
from leadline.files.record import PassageRow, Record
from leadline.judging.packets import PacketResult, Quoted, judge_packets
from leadline.ranking import Ranking

TEXT_DEPTH = 10
"""A record keeps the text of passages down to this rank, or to the largest cut-off;
packets are made of these."""


def depth(cutoffs: tuple[int, ...]) -> int:
    """Down to which rank texts are kept."""
    return max(TEXT_DEPTH, *cutoffs, 0)


def judged_packets(record: Record) -> dict[str, dict[str, PacketResult]] | None:
    """Judge each compared configuration's packets under each budget.

    Returns:
        Configuration -> budget (as text) -> result; None where the experiment asks
        for no packets, or has no labels.
    """
    budgets, comparison = record.freeze.judging.packets, record.comparison
    if comparison is None or not budgets:
        return None
    passages = _passages(record.passages)
    deepest = depth(comparison.cutoffs)
    return {
        name: {
            str(budget): judge_packets(
                {
                    one.question_id: _quoted(
                        pack(
                            one.text,
                            _ranking(record, name, one.question_id, deepest),
                            passages,
                            budget_chars=budget,
                        )
                    )
                    for one in record.questions
                },
                comparison.questions,
            )
            for budget in budgets
        }
        for name in record.freeze.compared
    }


def _ranking(record: Record, name: str, question_id: str, deepest: int) -> Ranking:
    row = record.runs[name].rankings[question_id]
    return Ranking(question_id, row.passages[:deepest], row.scores[:deepest])


def _passages(rows: dict[str, PassageRow]) -> Passages:
    """Those whose text the record keeps."""
    kept = {key: row for key, row in sorted(rows.items()) if row.text is not None}
    return Passages(
        tuple(kept),
        tuple(row.text or "" for row in kept.values()),
        tuple(
            Document(row.source_id, "", version=row.version) for row in kept.values()
        ),
        tuple(Span(row.start, row.end) for row in kept.values()),
    )


def _quoted(packet: Packet) -> Quoted:
    distinct = {one.text for one in packet.quotes}
    return Quoted(
        tuple(one.passage_id for one in packet.quotes),
        packet.used_chars,
        packet.used_chars - sum(map(len, distinct)),
        bool(packet.conflicts),
    )
