"""Coverage: the share of the question's words; between equals, the incoming order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.ranking import Run
from leadline.retrieval.rerank import STEP, Coverage, CoverageParameters, features
from leadline.testing import job
from tests.recorded import FUSED, QUERIES, RERANKED, TEXTS
from tests.retrievals import asking, documents, questions, run


def reranked(
    texts: dict[str, str],
    question: str,
    incoming: dict[str, float],
    words: str = "unicode",
) -> Run:
    view, asked = asking(texts, {"q": question}).groups[0]
    reranker = Coverage(CoverageParameters(words))  # type: ignore[arg-type]
    return reranker.rerank(view, asked, run({"q": incoming}, list(texts)))


def test_the_recorded_rankings_come_out() -> None:
    work = job(documents(TEXTS), questions(QUERIES))
    view, asked = work.groups[0]
    incoming = run(
        {name: {row[0]: row[1] for row in rows} for name, rows in FUSED.items()}
    )
    found = Coverage(CoverageParameters("ascii")).rerank(view, asked, incoming)
    for question_id, rows in RERANKED.items():
        ranking = found[question_id]
        assert ranking.passage_ids == tuple(row[0] for row in rows)
        for (source, coverage, matched), score in zip(
            rows, ranking.scores, strict=True
        ):
            each = features(QUERIES[question_id], TEXTS[source], rule="ascii")
            assert each.coverage_score == pytest.approx(coverage, rel=0, abs=1e-15)
            assert each.matched_tokens == matched
            rank = incoming[question_id].ranks()[source]
            assert score == each.coverage_score - (rank - 1) * STEP


def test_a_passage_at_rank_15_can_be_rescued() -> None:
    """The reranker sees the whole pool of candidates, not the final ten."""
    texts = {f"d{n:02}": "other words" for n in range(1, 21)}
    texts["d15"] = "the crane licence"
    incoming = {one: float(-place) for place, one in enumerate(texts)}
    found = reranked(texts, "crane licence", incoming)["q"]
    assert found.passage_ids == (
        "d15",
        *(one for one in texts if one != "d15"),
    )
    assert found.scores[0] == pytest.approx(1)


def test_equal_coverage_keeps_the_incoming_order() -> None:
    texts = dict.fromkeys("abcde", "crane")
    incoming = {"c": 5.0, "a": 4.0, "e": 3.0, "b": 2.0, "d": 1.0}
    found = reranked(texts, "crane desk", incoming)["q"]
    assert found.passage_ids == ("c", "a", "e", "b", "d")
    assert found.scores[0] == 0.5


@given(
    st.lists(st.integers(0, 30), min_size=1, max_size=60),
    st.integers(1, 30),
)
def test_a_higher_share_comes_first_whatever_its_rank(
    shares: list[int], words: int
) -> None:
    asked = " ".join(f"w{number}" for number in range(words))
    texts = {
        f"p{place:02}": " ".join(f"w{number}" for number in range(min(share, words)))
        for place, share in enumerate(shares)
    }
    incoming = {one: float(-place) for place, one in enumerate(texts)}
    found = reranked(texts, asked, incoming)["q"]
    expected = sorted(
        range(len(shares)), key=lambda place: (-min(shares[place], words), place)
    )
    assert found.passage_ids == tuple(f"p{place:02}" for place in expected)


def test_a_question_without_words_changes_nothing() -> None:
    texts = {"a": "crane", "b": "desk"}
    found = reranked(texts, "?", {"b": 2.0, "a": 1.0})["q"]
    assert found.passage_ids == ("b", "a")
    assert features("?", "crane", rule="unicode").coverage_score == 0


def test_repeated_words_count_once() -> None:
    found = features("desk desk crane", "Desk, desk!", rule="unicode")
    assert found.query_tokens == ("desk", "crane")
    assert (found.matched_count, found.query_token_count) == (1, 2)
    assert found.coverage_score == 0.5


def test_the_rule_splits_question_and_passage_alike() -> None:
    assert features("STRASSE", "Straße", rule="unicode").coverage_score == 1
    assert features("STRASSE", "Straße", rule="ascii").coverage_score == 0
