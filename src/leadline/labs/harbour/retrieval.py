"""The handbook's retrieval: filter, rank, choose whole passages, and judge.

The files are read by `records`. Everything that is computed here is computed by
Leadline's public API; this module says which parts of it, with which parameters.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from leadline import evidence
from leadline.documents import Snapshot, View
from leadline.errors import InputError
from leadline.experiment import Configuration, Judging
from leadline.judging.binding import bind
from leadline.judging.compare import compare
from leadline.plugins import Part
from leadline.questions import DEVELOPMENT, Question
from leadline.ranking import Ranking, Run
from leadline.retrieval.base import Job
from leadline.retrieval.pipeline import Context, prepare
from leadline.retrieval.pipeline import run as run_all
from leadline.retrieval.tfidf import TfidfParameters
from records import MAY_SEE, Handbook, load

__all__ = [
    "LEXICAL",
    "MAY_SEE",
    "MECHANISM",
    "NOTICE",
    "TERMS",
    "Candidate",
    "Handbook",
    "Ranked",
    "Selection",
    "evaluate",
    "load",
    "packet",
    "run",
    "search",
    "select_context",
]

TERMS = TfidfParameters(words="ascii", stop_words="english")
LEXICAL = Configuration("lexical", Part("retriever", "tfidf", TERMS), (), 100)
MECHANISM = (
    "TF-IDF over current public passages: words [a-z0-9]+ without English stop words, "
    "count x (ln((N + 1) / (df + 1)) + 1), both vectors of length 1, dot product, "
    "scores above 0 only, ties by id"
)
NOTICE = (
    "A score orders passages. It is neither a probability nor calibrated confidence."
)

# --- ranking -------------------------------------------------------------------------


def run(
    snapshot: Snapshot,
    questions: Sequence[Question],
    configurations: Sequence[Configuration] = (LEXICAL,),
) -> dict[str, Run]:
    """Rank what may be seen for each question, one run a configuration."""
    view = snapshot.view(MAY_SEE)
    job = Job(snapshot.passages, ((view, tuple(questions)),))
    context = Context(snapshot.id, "", "eligible", ("text",))
    return run_all(prepare(configurations, job), job, context, questions)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One ranked passage."""

    rank: int
    passage_id: str
    source_id: str
    version: str
    title: str
    url: str
    score: float
    text: str


@dataclass(frozen=True, slots=True)
class Ranked:
    """The best passages for a question, best first."""

    question: str
    ranking: Ranking
    view: View

    def __iter__(self) -> Iterator[Candidate]:
        """Each candidate, best first."""
        passages = self.view.passages
        rows = zip(self.ranking.passage_ids, self.ranking.scores, strict=True)
        for rank, (passage_id, score) in enumerate(rows, 1):
            code = passages.codes[passage_id]
            source = passages.documents[code]
            yield Candidate(
                rank=rank,
                passage_id=passage_id,
                source_id=source.source_id,
                version=source.version,
                title=source.title,
                url=source.url,
                score=score,
                text=passages.texts[code],
            )


def search(snapshot: Snapshot, text: str, *, k: int) -> Ranked:
    """The ``k`` best passages for a question that was typed in.

    Raises:
        InputError: an empty question, or a ``k`` below 1.
    """
    if not text.strip():
        message = "the question is empty; ask something"
        raise InputError(message)
    question = Question("asked", text, MAY_SEE)
    found = run(snapshot, (question,))["lexical"].cut(at_least_one("k", k))
    return Ranked(text, found["asked"], snapshot.view(MAY_SEE))


def at_least_one(name: str, value: int) -> int:
    """The value.

    Raises:
        InputError: it is below 1.
    """
    if value < 1:
        message = f"{name} is {value}, expected at least 1"
        raise InputError(message)
    return value


# --- choosing ------------------------------------------------------------------------


class Selection(NamedTuple):
    """What a selector answers."""

    packet: Sequence[Any]
    """What is quoted, in ranked order; each has a ``passage_id`` and a ``text``."""
    skipped: Sequence[str]
    """Ids of the passages that did not fit."""
    conflicts: Mapping[str, Sequence[str]]
    """Source id -> its versions, where several were found."""


def packet(ranked: Ranked, max_quote_chars: int) -> evidence.Packet:
    """Quote whole passages while they fit."""
    texts = dict(zip(ranked.view.passages.ids, ranked.view.searchable, strict=True))
    asked = set(TERMS.terms(ranked.question))
    return evidence.pack(
        ranked.question,
        ranked.ranking,
        ranked.view.passages,
        budget_chars=max_quote_chars,
        matched={
            one: sorted(asked.intersection(TERMS.terms(texts[one])))
            for one in ranked.ranking.passage_ids
        },
    )


def select_context(ranked: Ranked, max_quote_chars: int) -> Selection:
    """The selector that Leadline's own packets are made by."""
    found = packet(ranked, max_quote_chars)
    return Selection(
        found.quotes, [one.passage_id for one in found.skipped], found.conflicts
    )


# --- judging -------------------------------------------------------------------------


def evaluate(
    handbook: Handbook, *, k: int, configuration: Configuration = LEXICAL
) -> dict[str, Any]:
    """Recall@k and reciprocal rank@k, and apart from them what should be nothing.

    Ids are compared, no generated text is graded, and no quote budget counts. Each
    answerable question has the same weight. Without one the means are None.
    """
    name = configuration.name
    runs = run(handbook.snapshot, handbook.questions, (configuration,))
    return judge(handbook, runs[name].cut(at_least_one("k", k)), k=k)


def judge(handbook: Handbook, ranked: Run, *, k: int) -> dict[str, Any]:
    """Bind the labels to the passages, and judge one run by them."""
    recall, reciprocal = f"R@{k}", f"RR@{k}"
    binding = bind(
        handbook.cases,
        handbook.questions,
        handbook.snapshot.passages,
        split=DEVELOPMENT,
    )
    judged = compare(
        {"run": ranked},
        binding,
        Judging((recall, reciprocal), resamples=1),
        seed=0,
    )
    result = judged.configurations["run"]
    false = [one.question_id for one in judged.unanswerable if one.returned["run"]]
    rows = []
    for question_id, outcome in result.questions.items():
        values, label = outcome.values or {}, judged.questions[question_id]
        rows.append(
            {
                "question_id": question_id,
                "class": "answerable"
                if label.status == "supported"
                else "unanswerable",
                "targets": list(label.targets),
                "returned": list(ranked[question_id].passage_ids),
                "target_ranks": list(outcome.target_ranks),
                "recall_at_k": values.get(recall),
                "reciprocal_rank_at_k": values.get(reciprocal),
            }
        )
    return {
        "k": k,
        "answerable": {
            "count": judged.supported_count,
            "mean_recall_at_k": result.means[recall],
            "mean_reciprocal_rank_at_k": result.means[reciprocal],
            "missed": list(result.misses[str(k)]),
        },
        "unanswerable": {
            "count": len(judged.unanswerable),
            "returned_nothing": len(judged.unanswerable) - len(false),
            "false_evidence_return": len(false),
            "false_evidence_for": false,
        },
        "questions": rows,
    }
