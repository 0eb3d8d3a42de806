"""Lexical: where a score comes from, word by word."""

from typing import Any

from leadline.retrieval import tfidf
from records import Handbook
from retrieval import MECHANISM, NOTICE, TERMS
from retrieval import run as rank

QUESTION_ID = "desk-open"


def run(handbook: Handbook, question_id: str | None) -> dict[str, Any]:
    """Take each score of a question apart."""
    question = handbook.question(question_id or QUESTION_ID)
    view = handbook.view
    ranking = rank(handbook.snapshot, (question,))["lexical"][question.question_id]
    terms = tfidf.explain(view, question.text, ranking.passage_ids, TERMS)
    known = {word for text in view.searchable for word in TERMS.terms(text)}
    return {
        "mechanism": MECHANISM,
        "question": question.text,
        "words": TERMS.terms(question.text),
        "words_no_passage_has": sorted(set(TERMS.terms(question.text)) - known),
        "ranking": [
            {"passage_id": one, "score": score, "terms": terms[one]}
            for one, score in zip(ranking.passage_ids, ranking.scores, strict=True)
        ],
        "score": NOTICE,
        "look_at": "A contribution is the product of two weights, and a score is the "
        "sum of its contributions. A word that no passage has adds nothing anywhere.",
    }
