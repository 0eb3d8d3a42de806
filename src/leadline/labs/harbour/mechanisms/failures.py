"""Failures: six ways in which retrieval goes wrong, each run, each with its cause.

Two of them show what a missing filter would let through. What may not be seen is not
printed here either: it is counted, and its text and id are withheld.
"""

from collections.abc import Mapping
from typing import Any

from capstone_reference import extended
from leadline.documents import Snapshot
from leadline.hashing import Json
from leadline.policies import Policy
from leadline.questions import Question
from leadline.retrieval.tfidf import Tfidf
from records import MAY_SEE, Handbook
from retrieval import TERMS, packet, search

MECHANISM = (
    "the lexical search and the whole-passage selection of this lab, run on a question "
    "each; two of the runs leave out a filter, and withhold what it hides"
)
BUDGET_CHARS = 400


def run(handbook: Handbook, _question_id: str | None) -> dict[str, Any]:
    """Run all of them."""
    return {
        "mechanism": MECHANISM,
        "vocabulary_mismatch": _mismatch(handbook),
        "negated_word": _negation(handbook),
        "archived_policy": _unfiltered(
            handbook,
            "desk-open",
            {"scope": "public"},
            "Without status = current the old hours come first: their text is shorter "
            "and has the same words. No score says that a text is out of date.",
        ),
        "scope_leak": _unfiltered(
            handbook,
            "spare-key",
            {"status": "current"},
            "Without scope = public a record for staff comes back. It is found because "
            "it has the words; only a filter knows who is asking.",
        ),
        "false_evidence": _false(handbook),
        "conflict": _extended(
            "radio-loan",
            "Two versions of one source are current and say different things. Ranking "
            "cannot choose between them; the packet can say that there are two.",
        ),
        "budget_skip": _extended(
            "gale-lines",
            "The passage that answers is longer than the budget. It is skipped and "
            "named, and a shorter one that does not answer takes the room.",
        ),
    }


def _mismatch(handbook: Handbook) -> dict[str, Any]:
    question = handbook.question("tardiness")
    ranked = search(handbook.snapshot, question.text, k=2)
    return {
        "question": question.text,
        "words": TERMS.terms(question.text),
        "returned": list(ranked.ranking.passage_ids),
        "should_return": "late-returns@2025-04",
        "cause": "The handbook says it in other words, and words are all that is "
        "compared. An empty result is no sign that there is no answer.",
    }


def _negation(handbook: Handbook) -> dict[str, Any]:
    question = handbook.question("no-crane-licence")
    ranked = search(handbook.snapshot, question.text, k=2)
    return {
        "question": question.text,
        "words": TERMS.terms(question.text),
        "returned": list(ranked.ranking.passage_ids),
        "should_come_first": "slipway@2024-11",
        "cause": '"No" is a stop word, and would change nothing if it were not: the '
        "words that the question denies count as if it asked for them.",
    }


def _false(handbook: Handbook) -> dict[str, Any]:
    question = handbook.question("laptop-loan")
    ranked = search(handbook.snapshot, question.text, k=1)
    return {
        "question": question.text,
        "packet": packet(ranked, BUDGET_CHARS),
        "cause": "The handbook lends no laptops. The words around the one that matters "
        "are borrowed from another rule, and they score.",
    }


def _extended(question_id: str, cause: str) -> dict[str, Any]:
    handbook = extended()
    question = handbook.question(question_id)
    ranked = search(handbook.snapshot, question.text, k=2)
    return {
        "question": question.text,
        "corpus": "with the capstone's two records",
        "packet": packet(ranked, BUDGET_CHARS),
        "cause": cause,
    }


def _unfiltered(
    handbook: Handbook, question_id: str, rule: Mapping[str, Json], cause: str
) -> dict[str, Any]:
    question = handbook.question(question_id)
    return {
        "question": question.text,
        "filtered": list(
            search(handbook.snapshot, question.text, k=1).ranking.passage_ids
        ),
        "filter_left_out": sorted(set(MAY_SEE.rule) - set(rule)),
        "first_without_it": _first(handbook.snapshot, question, Policy(rule)),
        "cause": cause,
    }


def _first(snapshot: Snapshot, question: Question, policy: Policy) -> str:
    """What would come first under another policy, without saying what it is."""
    view = snapshot.view(policy)
    found = Tfidf(TERMS).search(view, (question,), budget=1)[question.question_id]
    passages = view.passages
    document = passages.documents[passages.codes[found.passage_ids[0]]]
    hidden = not MAY_SEE.admits(document)
    return "withheld: a record that may not be seen" if hidden else "a public record"
