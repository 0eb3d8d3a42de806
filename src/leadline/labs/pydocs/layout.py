"""The layout of the recorded result: one question's rows with all their ways.

A Leadline record keeps ranks and scores once a stage; the recorded result repeats
them in every row. This module derives the second from the first.
"""

import json
from typing import Any

from leadline.files.record import Record
from leadline.report.explanation import Row, Step, explain
from leadline.text import ascii_words, distinct

LIMIT = (
    "Descriptive results on {count} supported development questions, not a general "
    "search-quality estimate or model comparison. Unsupported questions have no "
    "retrieval target and are excluded from metric means."
)
NUMBERS = {1: "one", 2: "two", 3: "three", 4: "four"}


def recorded_layout(record: Record) -> dict[str, Any]:
    """A record of this lab with the keys and the nesting of the recorded result."""
    comparison = record.comparison
    if comparison is None:
        message = "the lab's record has no comparison"
        raise ValueError(message)
    supported = comparison.supported_count
    return {
        "execution_mode": "offline-frozen-development-comparison",
        "model_called": False,
        "snapshot_id": record.freeze.snapshot_id,
        "frozen_configuration": frozen_configuration(record),
        "label_binding_receipts": [
            {
                "case_id": one.question_id,
                "legacy_chunk_id": one.legacy_id,
                "current_chunk_id": one.passage_id,
                "binding": [_BOUND_BY[name] for name in one.bound_by],
            }
            for one in record.receipts
        ],
        "retrieval_runs": [
            _retrieval(record, one.question_id) for one in record.questions
        ],
        "supported_misses": {
            name: {cutoff: list(missed) for cutoff, missed in one.misses.items()}
            for name, one in comparison.configurations.items()
        },
        "per_query": [_per_query(record, one.question_id) for one in record.questions],
        "aggregate": {
            name: {
                str(cutoff): {
                    "supported_case_count": supported,
                    "mean_recall_at_k": one.means[f"R@{cutoff}"],
                    "mean_reciprocal_rank_at_k": one.means[f"RR@{cutoff}"],
                }
                for cutoff in comparison.cutoffs
            }
            for name, one in comparison.configurations.items()
        },
        "unsupported_candidate_behavior": [
            {
                "case_id": one.question_id,
                "returned_candidate_counts": one.returned,
            }
            for one in comparison.unanswerable
        ],
        "supported_case_count": supported,
        "unsupported_case_count": len(comparison.unanswerable),
        "limit": LIMIT.format(count=NUMBERS.get(supported, supported)),
    }


def frozen_configuration(record: Record) -> dict[str, Any]:
    """What was fixed before the first search, in the recorded words."""
    freeze = record.freeze
    fusion = next(one for one in freeze.configurations if one["kind"] == "fusion")
    cutoffs = {int(name.partition("@")[2]) for name in freeze.judging.measures}
    return {
        "names": list(freeze.compared),
        "candidate_budget_per_branch": freeze.configurations[0]["budget"],
        "rank_constant": _whole(fusion["plugin"]["rank_constant"]),
        "cutoffs": sorted(cutoffs),
        "scope": freeze.scope,
    }


def write(layout: dict[str, Any]) -> bytes:
    """The one byte form of a result."""
    return (json.dumps(layout, indent=2, ensure_ascii=False) + "\n").encode()


_BOUND_BY = {
    "source_id": "source_id",
    "version": "source_version",
    "source_text_sha256": "source_text_sha256",
    "passage_text_sha256": "chunk_text_sha256",
}


def _retrieval(record: Record, question_id: str) -> dict[str, Any]:
    explanation = explain(record, question_id, depth=len(record.passages))
    question = next(q for q in record.questions if q.question_id == question_id)
    return {
        "case_id": question_id,
        "query": question.text,
        "version": json.loads(question.policy)["version"],
        "lexical_query_terms": distinct(ascii_words(question.text)),
        "rankings": {
            one.configuration: [_row(row) for row in one.rows]
            for one in explanation.configurations
        },
    }


def _row(row: Row) -> dict[str, Any]:
    values: dict[str, Any] = {
        "chunk_id": row.passage_id,
        "source_id": row.source_id,
        "version": row.version,
        "url": row.url,
        "text": row.text,
    }
    steps = {step.configuration: step for step in row.steps}
    last = row.steps[-1]
    if last.plugin == "fts5":
        return {**values, "native_score": _native(last)}
    if last.plugin == "vector":
        return {**values, "score": last.score}
    fused = next(step for step in row.steps if step.plugin == "rrf")
    branches = {name: steps[name] for name in fused.contributions}
    values |= {f"{name}_score": _native(step) for name, step in branches.items()}
    values |= {f"{name}_rank": step.rank for name, step in branches.items()}
    values |= {
        f"{name}_contribution": value for name, value in fused.contributions.items()
    }
    values["fused_score"] = fused.score
    if last.plugin != "coverage":
        return values
    words = last.words
    return {
        **values,
        "incoming_rank": fused.rank,
        "rerank_features": {
            "query_tokens": words["query_tokens"],
            "matched_tokens": words["matched_tokens"],
            "matched_count": len(words["matched_tokens"]),  # type: ignore[arg-type]  # words
            "query_token_count": len(words["query_tokens"]),  # type: ignore[arg-type]  # words
        },
        "coverage_score": words["coverage"],
        "rerank_rank": last.rank,
    }


def _native(step: Step) -> float | None:
    """FTS5's own score, where smaller is better; a cosine stays as it is."""
    if step.score is None:
        return None
    return -step.score if step.plugin == "fts5" else step.score


def _per_query(record: Record, question_id: str) -> dict[str, Any]:
    comparison = record.comparison
    assert comparison is not None  # noqa: S101 -- checked by recorded_layout
    judged = comparison.questions[question_id]
    supported = judged.status == "supported"
    return {
        "case_id": question_id,
        "case_class": "answerable" if supported else "unsupported",
        "target_chunk_ids": list(judged.targets),
        "configurations": {
            name: {
                str(cutoff): {
                    "target_ranks": [
                        rank
                        for rank in one.questions[question_id].target_ranks
                        if rank is not None
                    ],
                    "recall_at_k": _value(
                        one.questions[question_id].values, f"R@{cutoff}"
                    ),
                    "reciprocal_rank_at_k": _value(
                        one.questions[question_id].values, f"RR@{cutoff}"
                    ),
                    "status": judged.status,
                }
                for cutoff in comparison.cutoffs
            }
            for name, one in comparison.configurations.items()
        },
    }


def _value(values: dict[str, float] | None, measure: str) -> float | None:
    return None if values is None else values[measure]


def _whole(number: float) -> float:
    """60 rather than 60.0, as it was recorded."""
    return int(number) if number == int(number) else number
