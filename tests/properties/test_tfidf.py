"""TF-IDF scores are scikit-learn's, whatever the texts and the order of the words."""

from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from leadline.documents import Document, Snapshot
from leadline.policies import Policy
from leadline.questions import Question
from leadline.ranking import Run
from leadline.retrieval.tfidf import Tfidf, TfidfParameters, explain

PARAMETERS = st.sampled_from(
    [
        TfidfParameters(),
        TfidfParameters("unicode", "english"),
        TfidfParameters("ascii", "english"),
    ]
)
WORDS = st.sampled_from(
    ["desk", "Crane", "opens", "the", "not", "Straße", "STRASSE", "İ", "7", "退款", "."]
)
TEXTS = st.lists(WORDS, max_size=12).map(" ".join)


def search(
    parameters: TfidfParameters, texts: Sequence[str], asked: Sequence[str]
) -> Run:
    questions = [Question(f"q{place}", text) for place, text in enumerate(asked)]
    return Tfidf(parameters).search(view(texts), questions, budget=100)


def view(texts: Sequence[str]):  # type: ignore[no-untyped-def]  # noqa: ANN201
    documents = [Document(f"d{place:03}", text) for place, text in enumerate(texts)]
    return Snapshot.of(documents).view(Policy())


@settings(max_examples=200)
@given(
    PARAMETERS,
    st.lists(TEXTS, min_size=1, max_size=12),
    st.lists(TEXTS, min_size=1, max_size=4),
)
def test_scores_are_those_of_scikit_learn(
    parameters: TfidfParameters, texts: list[str], asked: list[str]
) -> None:
    found = search(parameters, texts, asked)
    ours = np.zeros((len(asked), len(texts)))
    for place in range(len(asked)):
        codes, scores = found.rows(place)
        ours[place, codes] = scores
    if not any(map(parameters.terms, texts)):  # which scikit-learn refuses
        assert not ours.any()
        return
    theirs = TfidfVectorizer(analyzer=parameters.terms, smooth_idf=True, norm="l2")
    passages = theirs.fit_transform(texts)
    expected = (theirs.transform(asked) @ passages.T).toarray()
    assert np.abs(ours - expected).max() < 1e-12
    assert ((ours > 0) == (expected > 0)).all()


@settings(max_examples=100)
@given(
    PARAMETERS,
    st.lists(TEXTS, min_size=1, max_size=8),
    st.lists(WORDS, max_size=8),
    st.randoms(use_true_random=False),
)
def test_the_order_of_words_changes_no_bit(
    parameters: TfidfParameters,
    texts: list[str],
    words: list[str],
    chance: object,
) -> None:
    turned = list(words)
    chance.shuffle(turned)  # type: ignore[attr-defined]  # Hypothesis's Random
    shuffled = []
    for text in texts:
        parts = text.split()
        chance.shuffle(parts)  # type: ignore[attr-defined]  # likewise
        shuffled.append(" ".join(parts))
    first = search(parameters, texts, [" ".join(words)])
    assert search(parameters, shuffled, [" ".join(turned)]).seal == first.seal


@settings(max_examples=100)
@given(PARAMETERS, st.lists(TEXTS, min_size=1, max_size=8), TEXTS)
def test_contributions_add_up_to_the_score_to_the_last_bit(
    parameters: TfidfParameters, texts: list[str], asked: str
) -> None:
    ranking = search(parameters, texts, [asked])["q0"]
    parts = explain(view(texts), asked, ranking.passage_ids, parameters)
    assert list(parts) == list(ranking.passage_ids)
    for passage_id, score in zip(ranking.passage_ids, ranking.scores, strict=True):
        total = 0.0
        for one in parts[passage_id]:
            total += one.contribution
        assert total == score > 0
