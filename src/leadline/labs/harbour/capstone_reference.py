"""The capstone: ranking and choosing compared, over the handbook and two more records.

python3 -B capstone_reference.py --k 2 --max-quote-chars 400

One of the records brings a second version of a source, so that a conflict arises.
Change one argument at a time: then what changes in the result is what it does.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from leadline.documents import Snapshot
from leadline.errors import InputError, shown
from output import main as answer
from output import with_format
from records import DATA, Handbook, cases, documents, load, take_file
from retrieval import (
    MECHANISM,
    NOTICE,
    Ranked,
    at_least_one,
    evaluate,
    search,
    select_context,
)

Selector: TypeAlias = Callable[[Ranked, int], Any]
"""Ranked passages and a budget in; packet, skipped ids and conflicts out."""


@dataclass(frozen=True, slots=True)
class _Capstone:
    format: Literal["harbour.capstone/1"]
    about: str
    records: list[Any]
    cases: list[Any]


def extended() -> Handbook:
    """The handbook with the two more records, and the capstone's six questions.

    Raises:
        InputError: something in the files is wrong.
    """
    path = DATA / "capstone.json"
    more: _Capstone = take_file(_Capstone, path)
    records = (*load().snapshot.documents, *documents(more.records, path))
    return Handbook(Snapshot.of(records), *cases(more.cases, path))


def run_capstone(
    k: int, max_quote_chars: int, selector: Selector = select_context
) -> dict[str, Any]:
    """Rank, judge the ranking, choose, and judge what was chosen.

    Args:
        k: how many passages are ranked and may be chosen.
        max_quote_chars: the most characters of quoted text.
        selector: what chooses; it answers with the packet (in ranked order, each with
            a ``passage_id`` and a ``text``), the ids that were skipped because they
            did not fit, and a mapping of source id -> conflicting versions.

    Raises:
        InputError: a number below 1, or a selector that answers with something else.
    """
    at_least_one("max_quote_chars", max_quote_chars)
    handbook = extended()
    ranking = evaluate(handbook, k=k)
    rows = []
    for question, judged in zip(handbook.questions, ranking["questions"], strict=True):
        ranked = search(handbook.snapshot, question.text, k=k)
        chosen = chosen_by(selector, ranked, max_quote_chars)
        targets = judged["targets"]
        quoted = [one for one in targets if one in chosen["quoted"]]
        rows.append(
            {
                "question_id": question.question_id,
                "question": question.text,
                "class": judged["class"],
                "targets": targets,
                "lexical": {
                    name: judged[name]
                    for name in (
                        "returned",
                        "target_ranks",
                        "recall_at_k",
                        "reciprocal_rank_at_k",
                    )
                },
                "context": {
                    **chosen,
                    "targets_quoted": len(quoted) / len(targets) if targets else None,
                },
            }
        )
    return {
        "mechanism": MECHANISM + "; then whole passages under a budget of characters",
        "k": k,
        "max_quote_chars": max_quote_chars,
        "selector": getattr(selector, "__name__", "selector"),
        "eligible_passages": len(handbook.view.passages),
        "lexical": {name: ranking[name] for name in ("answerable", "unanswerable")},
        "context": _summary(rows),
        "questions": rows,
        "score": NOTICE,
    }


def _summary(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    shares = [
        one["context"]["targets_quoted"]
        for one in rows
        if one["context"]["targets_quoted"] is not None
    ]
    return {
        "mean_targets_quoted": sum(shares) / len(shares) if shares else None,
        "false_evidence_quoted": [
            one["question_id"]
            for one in rows
            if one["class"] == "unanswerable" and one["context"]["quoted"]
        ],
        "skipped": {
            one["question_id"]: one["context"]["skipped"]
            for one in rows
            if one["context"]["skipped"]
        },
        "conflicts": {
            one["question_id"]: one["context"]["conflicts"]
            for one in rows
            if one["context"]["conflicts"]
        },
    }


def chosen_by(
    selector: Selector, ranked: Ranked, max_quote_chars: int
) -> dict[str, Any]:
    """What a selector chose, as plain data.

    Raises:
        InputError: it answered with something else than the three things, quoted what
            was not ranked or only a part of it, or more than the budget allows.
    """
    answered = selector(ranked, max_quote_chars)
    try:
        packet, skipped, conflicts = answered
        quoted = [(str(one.passage_id), str(one.text)) for one in packet]
        chosen: dict[str, Any] = {
            "quoted": [passage_id for passage_id, _ in quoted],
            "used_chars": sum(len(text) for _, text in quoted),
            "skipped": [str(one) for one in skipped],
            "conflicts": {
                str(source_id): sorted(map(str, versions))
                for source_id, versions in dict(conflicts).items()
            },
        }
    except (TypeError, ValueError, AttributeError) as error:
        message = (
            f"the selector answered {shown(answered)}, expected three things: the "
            "packet (of what was ranked), the ids that were skipped, and a dict of "
            f"source id -> versions ({error})"
        )
        raise InputError(message) from None
    texts = {one.passage_id: one.text for one in ranked}
    for passage_id, text in quoted:
        if texts.get(passage_id) != text:
            message = (
                f"the selector quotes {passage_id} otherwise than it was ranked; a "
                "passage is quoted whole or not at all"
            )
            raise InputError(message)
    if chosen["used_chars"] > max_quote_chars:
        message = (
            f"the selector quotes {chosen['used_chars']} characters, and the budget is "
            f"{max_quote_chars}; a passage that does not fit in what is left is skipped"
        )
        raise InputError(message)
    return chosen


def main() -> int:
    """Run the capstone with the selector that Leadline has."""
    parser = with_format(
        argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    )
    parser.add_argument("--k", type=int, default=2, help="passages (default: 2)")
    parser.add_argument(
        "--max-quote-chars", type=int, default=400, metavar="N", help="default: 400"
    )
    options = parser.parse_args()
    return answer(
        lambda: run_capstone(options.k, options.max_quote_chars), options.format
    )


if __name__ == "__main__":
    sys.exit(main())
