"""Hybrid: the lexical list fused with a list from vectors that a person wrote down.

The vectors stand for what an encoder might say. None was run: each number was chosen by
hand along seven named axes, so that fusion can be seen at work, not so that it wins.
"""

from typing import Any

from leadline.experiment import Configuration
from leadline.plugins import Part
from leadline.retrieval.fusion import RrfParameters, contributions
from leadline.retrieval.vector import VectorParameters
from records import DATA, Handbook
from retrieval import LEXICAL, NOTICE, judge
from retrieval import run as rank

MECHANISM = (
    "reciprocal rank fusion, 1 / (60 + rank), of the TF-IDF list and of cosines "
    "between manual vectors: seven numbers a text, chosen by hand; no text encoder runs"
)
QUESTION_ID = "tardiness"
VECTORS = Configuration(
    "vectors by hand",
    Part(
        "retriever",
        "vector",
        VectorParameters(recording=DATA / "manual-vectors.json"),
    ),
    (),
    3,
)
FUSED = Configuration(
    "fused",
    Part("fusion", "rrf", RrfParameters(rank_constant=60)),
    ("lexical", "vectors by hand"),
    100,
)
CUTOFF = 2


def run(handbook: Handbook, question_id: str | None) -> dict[str, Any]:
    """Fuse for one question, and judge all three lists over every question."""
    question = handbook.question(question_id or QUESTION_ID)
    runs = rank(handbook.snapshot, handbook.questions, (LEXICAL, VECTORS, FUSED))
    lists = {name: one[question.question_id] for name, one in runs.items()}
    ranks = {name: lists[name].ranks() for name in FUSED.inputs}
    fused = lists["fused"]
    judged = {
        name: judge(handbook, one.cut(CUTOFF), k=CUTOFF) for name, one in runs.items()
    }
    return {
        "mechanism": MECHANISM,
        "question": question.text,
        "lists": {name: list(lists[name].passage_ids) for name in FUSED.inputs},
        "fused": [
            {
                "passage_id": one,
                "score": score,
                "ranks": (places := {name: ranks[name].get(one) for name in ranks}),
                "contributions": contributions(places, rank_constant=60),
            }
            for one, score in zip(fused.passage_ids, fused.scores, strict=True)
        ],
        "over_all_questions": {
            name: {
                "k": CUTOFF,
                "mean_recall_at_k": one["answerable"]["mean_recall_at_k"],
                "mean_reciprocal_rank_at_k": one["answerable"][
                    "mean_reciprocal_rank_at_k"
                ],
                "false_evidence_return": one["unanswerable"]["false_evidence_return"],
            }
            for name, one in judged.items()
        },
        "score": NOTICE,
        "look_at": "A list of vectors always returns something. The missed question is "
        "found, and the question that rightly found nothing now gets false evidence.",
    }
