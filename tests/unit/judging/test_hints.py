"""A target that binds to nothing is told what the snapshot has that is almost it."""

import pytest

from leadline.documents import Document, Snapshot, Span
from leadline.hashing import text_sha256
from leadline.judging.cases import ContentTarget, IdTarget
from leadline.judging.hints import reasons

TEXT = "Warranty lasts two years."


def reason(target: ContentTarget | IdTarget, *documents: Document) -> str:
    return reasons([target], Snapshot.of(documents).passages)[target]


def label(
    source_id: str,
    text: str,
    *,
    version: str = "",
    source: str | None = None,
    legacy_id: str | None = None,
) -> ContentTarget:
    return ContentTarget(
        source_id,
        version,
        text_sha256(text if source is None else source),
        text_sha256(text),
        legacy_id,
    )


def test_an_id_that_now_holds_other_text_is_named() -> None:
    """Documents were cut anew: the ids are the same, and mean something else."""
    now = (
        Document("m#0", "Open the lid."),
        Document("m#1", "Press reset for five seconds. The lamp turns green."),
    )
    first = label("m#0", "Open the lid. Press reset for five seconds.")
    second = label("m#1", "The lamp turns green.")
    assert reason(first, *now) == "id m#0 exists, text differs"
    assert reason(second, *now) == "id m#1 exists, text differs"
    old = label("moved", "The lamp turns green.", legacy_id="m#1")
    assert reason(old, *now) == "id m#1 exists, text differs"


def test_near_misses_are_counted_by_what_differs() -> None:
    variants = (
        f"{TEXT}\n",
        "Warranty  lasts  two  years.",
        f" {TEXT}",
        "Warranty lasts TWO years.",
        f"{TEXT}\r\n",
    )
    documents = [Document(f"v{n}", text) for n, text in enumerate(variants)]
    assert reason(label("w", TEXT), *documents) == (
        "no source here has that id; 4 passages differ only in white space, 1 in case: "
        "'v0', 'v1', 'v2', 'v3', 'v4'"
    )


@pytest.mark.parametrize(
    ("labelled", "here", "kind"),
    [
        (f"{TEXT}\n", TEXT, "white space"),
        ("one\r\ntwo", "one\ntwo", "white space"),
        ("one\ntwo", "one\r\ntwo", "white space"),
        ("cafe\u0301", "caf\u00e9", "Unicode form"),
        ("caf\u00e9", "cafe\u0301", "Unicode form"),
        ("warranty", "Warranty", "case"),
    ],
)
def test_a_damaged_text_is_recognised_from_either_side(
    labelled: str, here: str, kind: str
) -> None:
    found = reason(label("x", labelled), Document("x", here))
    assert found.endswith(f"1 passage differs only in {kind}: 'x'")


def test_the_same_text_elsewhere_is_named() -> None:
    other = Document("terms", TEXT)
    assert reason(label("faq", TEXT), other) == (
        "another source has the same text: terms"
    )
    newer = Document("faq", TEXT, version="2")
    assert reason(label("faq", TEXT, version="1"), newer) == (
        "another version of that source has the same text: faq@2"
    )
    grown = Document("faq", f"{TEXT} Keep the bill.", spans=(Span(0, len(TEXT)),))
    assert reason(label("faq", TEXT), grown) == (
        f"faq#0-{len(TEXT)} has this text, but the whole source's text is not the one "
        "that the label was made on"
    )


def test_a_source_that_is_known_and_does_not_fit_is_described() -> None:
    cut = Document("faq", "ab cd", version="2", spans=(Span(0, 2), Span(3, 5)))
    assert reason(label("faq", TEXT, version="2"), cut) == (
        "none of the 2 passages of that source has this text"
    )
    assert reason(label("faq", TEXT, version="1"), cut) == (
        "that source is here in version '2' only"
    )


def test_an_id_that_differs_in_form_alone_is_named() -> None:
    here = Document("Caf\u00e9", TEXT)
    assert reason(IdTarget("cafe\u0301 ", 1.0), here) == (
        "source 'Caf\u00e9' differs from it only in case, white space or Unicode form"
    )
    assert reason(IdTarget("bar", 1.0), here) == "no source here has that id"
