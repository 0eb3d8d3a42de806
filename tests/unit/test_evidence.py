"""Packets: whole passages in ranked order, under a budget of characters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.documents import Document, Passages, Snapshot
from leadline.errors import InputError
from leadline.evidence import NOTICE, Packet, Quote, Skipped, pack
from leadline.ranking import Ranking

DOCUMENTS = (
    Document("rule", "x" * 50, version="1", url="synthetic://rule", title="The rule"),
    Document("rule", "y" * 30, version="2"),
    Document("note", "z" * 20),
)
PASSAGES = Snapshot.of(DOCUMENTS).passages
ORDER = ("rule@1", "rule@2", "note")


def packed(budget: int, order: tuple[str, ...] = ORDER) -> Packet:
    scores = tuple(float(len(order) - place) for place in range(len(order)))
    ranking = Ranking("q", order, scores)
    return pack("What?", ranking, PASSAGES, budget_chars=budget)


@pytest.mark.parametrize(
    ("budget", "quoted", "skipped", "used"),
    [
        (100, ORDER, (), 100),
        (99, ("rule@1", "rule@2"), ("note",), 80),
        (50, ("rule@1",), ("rule@2", "note"), 50),
        (49, ("rule@2",), ("rule@1", "note"), 30),
        (20, ("note",), ("rule@1", "rule@2"), 20),
        (19, (), ORDER, 0),
    ],
)
def test_passages_are_quoted_whole_while_they_fit(
    budget: int, quoted: tuple[str, ...], skipped: tuple[str, ...], used: int
) -> None:
    found = packed(budget)
    assert tuple(one.passage_id for one in found.quotes) == quoted
    assert tuple(one.passage_id for one in found.skipped) == skipped
    assert found.used_chars == used


def test_a_quote_says_where_it_comes_from() -> None:
    ranking = Ranking("q", ("rule@1",), (0.5,))
    matched = {"rule@1": ["desk", "open"], "note": ["other"]}
    found = pack("What?", ranking, PASSAGES, budget_chars=60, matched=matched)
    assert found.quotes == (
        Quote(
            1,
            "rule@1",
            "rule",
            "1",
            "synthetic://rule",
            "The rule",
            0.5,
            "x" * 50,
            ("desk", "open"),
        ),
    )
    assert found.notice == NOTICE


def test_what_was_skipped_says_what_was_left() -> None:
    found = packed(60)
    assert found.skipped == (
        Skipped(2, "rule@2", "rule", "2", 30, 10),
        Skipped(3, "note", "note", "", 20, 10),
    )


@pytest.mark.parametrize("budget", [100, 50, 30, 1])
def test_several_versions_of_a_source_are_named_whatever_the_budget(
    budget: int,
) -> None:
    """Whoever reads the one that fits must know that there is another."""
    assert packed(budget).conflicts == {"rule": ("1", "2")}
    assert packed(budget, ("rule@2", "note")).conflicts == {}


def test_nothing_found_is_an_empty_packet() -> None:
    found = packed(5, ())
    assert (found.quotes, found.skipped, found.conflicts) == ((), (), {})
    assert found.used_chars == 0


@pytest.mark.parametrize("budget", [0, -1])
def test_a_budget_below_one_is_refused(budget: int) -> None:
    with pytest.raises(InputError, match=f"budget_chars is {budget}, expected at"):
        packed(budget)


TEXTS = st.lists(st.text(min_size=1, max_size=30), max_size=8)


@given(TEXTS, st.integers(1, 120))
def test_a_packet_keeps_its_promises(texts: list[str], budget: int) -> None:
    passages: Passages = Snapshot.of(
        Document(f"d{place}", text) for place, text in enumerate(texts)
    ).passages
    ids = tuple(f"d{place}" for place in range(len(texts)))
    ranking = Ranking("q", ids, tuple(float(-place) for place in range(len(ids))))
    found = pack("What?", ranking, passages, budget_chars=budget)
    assert found.used_chars == sum(len(one.text) for one in found.quotes) <= budget
    ranks = [one.rank for one in (*found.quotes, *found.skipped)]
    assert sorted(ranks) == list(range(1, len(texts) + 1))
    assert [one.rank for one in found.quotes] == sorted(
        one.rank for one in found.quotes
    )
    for quote in found.quotes:
        assert quote.text == texts[int(quote.passage_id[1:])]
    for one in found.skipped:
        before = sum(len(other.text) for other in found.quotes if other.rank < one.rank)
        assert one.chars > one.left == budget - before
