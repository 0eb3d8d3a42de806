"""Documents, passages, views: one id for one content, and nothing hidden in a view."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.documents import Document, Passages, Snapshot, Span
from leadline.errors import InputError
from leadline.hashing import text_sha256
from leadline.policies import Policy

GUIDE = Document(
    "guide",
    "First part. Second part.",
    version="2",
    title="Guide",
    spans=(Span(0, 11), Span(12, 24)),
)
NOTE = Document("note", "A note.")
CURRENT = Policy.parse({"status": "current"})


def test_a_passage_id_depends_on_its_own_document_alone() -> None:
    alone = Snapshot.of([GUIDE]).passages.ids
    together = Snapshot.of([NOTE, GUIDE, Document("a", "first")]).passages.ids
    assert alone == ("guide@2#0-11", "guide@2#12-24")
    assert set(alone) <= set(together)


def test_a_document_that_is_a_passage_has_its_own_key() -> None:
    assert NOTE.passages() == [("note", Span(0, 7))]
    assert Document("note", "", version="3").key == "note@3"
    assert Document("empty", "", spans=()).passages() == []


def test_passages_are_columns_ascending_by_id() -> None:
    passages = Snapshot.of([NOTE, GUIDE]).passages
    assert passages.ids == ("guide@2#0-11", "guide@2#12-24", "note")
    assert passages.texts == ("First part.", "Second part.", "A note.")
    assert passages.documents == (GUIDE, GUIDE, NOTE)
    assert passages.codes == {"guide@2#0-11": 0, "guide@2#12-24": 1, "note": 2}
    assert passages.text_sha256s == tuple(map(text_sha256, passages.texts))
    assert len(passages) == 3


def test_what_is_searched_are_the_fields_in_their_order() -> None:
    passages = Snapshot.of([NOTE, GUIDE]).passages
    assert passages.searchable(["text"]) == passages.texts
    assert passages.searchable(["title", "text"]) == (
        "Guide\nFirst part.",
        "Guide\nSecond part.",
        "A note.",
    )
    assert passages.searchable(["title"]) == ("Guide", "Guide", "")


def test_a_field_is_the_documents_own_or_its_metadata() -> None:
    document = Document("a", "", title="T", metadata={"lang": "de", "status": "x"})
    assert (document.value("title"), document.value("lang")) == ("T", "de")
    assert document.value("status") == "current"
    assert document.value("text") is None
    assert Snapshot.of([document]).field_names >= {"lang", "source_id", "scope"}


DOCUMENTS = st.lists(
    st.builds(
        Document,
        source_id=st.text("abc", min_size=1, max_size=2),
        text=st.text(max_size=5),
        status=st.sampled_from(["current", "archived"]),
        metadata=st.dictionaries(st.sampled_from("xy"), st.integers(0, 2), max_size=2),
    ),
    max_size=6,
    unique_by=lambda document: document.key,
)


@given(DOCUMENTS, st.randoms(use_true_random=False))
def test_documents_in_any_order_are_one_snapshot(
    documents: list[Document], chance: object
) -> None:
    turned = list(documents)
    chance.shuffle(turned)  # type: ignore[attr-defined]  # Hypothesis's Random
    assert Snapshot.of(turned).id == Snapshot.of(documents).id
    assert Snapshot.of(turned).passages.ids == Snapshot.of(documents).passages.ids


@pytest.mark.parametrize(
    "other",
    [
        replace(GUIDE, text="First part. Second Part."),
        replace(GUIDE, version="3"),
        replace(GUIDE, status="archived"),
        replace(GUIDE, scope="staff"),
        replace(GUIDE, url="https://example.org"),
        replace(GUIDE, title="Guides"),
        replace(GUIDE, source_id="guides"),
        replace(GUIDE, metadata={"lang": "de"}),
        replace(GUIDE, spans=None),
        replace(GUIDE, spans=(Span(0, 11),)),
    ],
)
def test_whatever_a_document_says_is_in_the_snapshots_id(other: Document) -> None:
    assert Snapshot.of([NOTE, other]).id != Snapshot.of([NOTE, GUIDE]).id


def test_metadata_in_any_order_is_one_snapshot() -> None:
    one = Document("a", "", metadata={"x": 1, "y": 2})
    other = Document("a", "", metadata={"y": 2, "x": 1})
    assert Snapshot.of([one]).id == Snapshot.of([other]).id


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        (
            [NOTE, Document("note", "another")],
            (
                "document id 'note' stands for more than one document: give each its "
                "own source_id, or its own version"
            ),
        ),
        (
            [NOTE, NOTE, GUIDE, GUIDE],
            (
                "document id 'guide@2' and 1 more stands for more than one document: "
                "give each its own source_id, or its own version"
            ),
        ),
        (
            [replace(GUIDE, spans=(Span(0, 11), Span(0, 11)))],
            (
                "passage id 'guide@2#0-11' stands for more than one passage: give "
                "each its own source_id, or its own version"
            ),
        ),
        (
            [replace(GUIDE, spans=(Span(0, 25),))],
            (
                "document 'guide@2': passage 0-25 does not lie in its text of 24 "
                "characters"
            ),
        ),
        (
            [replace(GUIDE, spans=(Span(3, 3),))],
            "document 'guide@2': passage 3-3 does not lie in its text of 24 characters",
        ),
    ],
)
def test_what_stands_for_two_things_is_refused(
    documents: list[Document], message: str
) -> None:
    with pytest.raises(InputError) as refused:
        Snapshot.of(documents)
    assert str(refused.value) == message


def hidden(*others: Document) -> Snapshot:
    old = Document("old", "An old note.", status="archived")
    return Snapshot.of([GUIDE, NOTE, old, *others])


def test_a_view_holds_what_may_be_seen_and_nothing_else() -> None:
    view = hidden().view(CURRENT)
    assert view.passages.ids == ("guide@2#0-11", "guide@2#12-24", "note")
    assert view.searchable == view.passages.texts
    assert (view.returnable, view.eligible_count) == (None, 3)


def test_a_view_with_the_snapshots_statistics_marks_what_may_be_returned() -> None:
    view = hidden().view(CURRENT, statistics="snapshot", index=("title", "text"))
    assert view.passages.ids == ("guide@2#0-11", "guide@2#12-24", "note", "old")
    assert view.searchable[0] == "Guide\nFirst part."
    assert view.returnable is not None
    assert view.returnable.tolist() == [True, True, True, False]
    assert view.eligible_count == 3


def columns(passages: Passages) -> tuple[object, ...]:
    return (passages.ids, passages.texts, passages.documents, passages.spans)


def test_a_view_is_the_same_whatever_is_hidden() -> None:
    one, other = hidden(), hidden(Document("z", "z", status="archived"))
    assert columns(one.view(CURRENT).passages) == columns(other.view(CURRENT).passages)


def test_a_policy_that_admits_nothing_leaves_nothing() -> None:
    view = hidden().view(Policy.parse({"status": "no such"}))
    assert (len(view.passages), view.searchable, view.eligible_count) == (0, (), 0)
