"""The page is whole, harmless, honest, and reads without its picture."""

import base64
import hashlib
import re
from functools import cache
from html.parser import HTMLParser

import pytest

from leadline.files.record import Record
from leadline.report.html import render
from leadline.report.view import Limits
from tests.unit.report.handbook import synthetic
from tests.unit.report.records import HOSTILE, golden, hostile, nothing_supported
from tests.unit.report.sketch import without_labels

RECORDS = {
    "golden": golden(),
    "hostile": hostile(),
    "nothing supported": nothing_supported(),
    "without labels": without_labels(golden()),
    "baseline": synthetic(40, baseline="lexical"),
    "many": synthetic(90, 8),
}
VOID = {"meta", "input", "br", "circle", "line", "rect", "path"}


class Page(HTMLParser):
    """A strict reader: every element closed, in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] not in {"style", "script"}:
            self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.texts).split())

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]


@cache
def page(name: str) -> Page:
    return Page(render(RECORDS[name]))


@pytest.fixture(params=RECORDS)
def any_page(request: pytest.FixtureRequest) -> Page:
    return page(request.param)


def test_every_element_is_closed(any_page: Page) -> None:
    assert any_page.open == []


def test_no_id_is_used_twice(any_page: Page) -> None:
    ids = [found["id"] for _, found in any_page.elements if "id" in found]
    assert len(ids) == len(set(ids))


def test_every_inner_link_leads_somewhere(any_page: Page) -> None:
    ids = {found.get("id") for _, found in any_page.elements}
    inner = [a["href"][1:] for a in any_page.all("a") if a["href"].startswith("#")]
    assert inner
    assert set(inner) <= ids


def test_nothing_is_loaded_from_anywhere(any_page: Page) -> None:
    tags = {tag for tag, _ in any_page.elements}
    assert not tags & {"img", "link", "iframe", "object", "embed", "base", "form"}
    for tag, found in any_page.elements:
        assert "src" not in found
        assert tag == "a" or "href" not in found
    style = re.search("<style>(.*?)</style>", render(RECORDS["golden"]), re.DOTALL)
    assert style
    assert "url(" not in style[1]
    assert "@import" not in style[1]


def test_only_its_own_style_and_script_may_run(any_page: Page) -> None:
    assert len(any_page.all("script")) == len(any_page.all("style")) == 1
    for _, found in any_page.elements:
        assert "style" not in found
        assert not [name for name in found if name.startswith("on")]


def test_the_policy_names_just_what_is_in_the_page() -> None:
    text = render(RECORDS["golden"])
    (policy,) = (
        found["content"]
        for found in Page(text).all("meta")
        if found.get("http-equiv") == "Content-Security-Policy"
    )
    rules = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert rules["default-src"] == "'none'"
    for tag in ("style", "script"):
        found = re.search(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        assert found
        digest = base64.b64encode(hashlib.sha256(found[1].encode()).digest()).decode()
        assert rules[f"{tag}-src"] == f"'sha256-{digest}'"


def test_hostile_text_is_only_text() -> None:
    found = page("hostile")
    for text in HOSTILE[:5]:
        assert " ".join(text.split()) in found.text
    assert "<U+001B>[2J<U+001B>]0;pwned<U+0007> <U+202E>txt.exe" in found.text


def test_controls_overrides_and_half_pairs_never_reach_the_page() -> None:
    text = render(RECORDS["hostile"]) + render(golden(name="half a pair: \ud83c"))
    text.encode("utf-8")
    assert not re.search(
        "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text
    )


def test_an_address_is_a_link_only_where_it_is_safe() -> None:
    outer = [a for a in page("hostile").all("a") if not a["href"].startswith("#")]
    assert outer == []
    outer = [a for a in page("golden").all("a") if not a["href"].startswith("#")]
    assert outer
    for a in outer:
        assert a["href"].startswith("https://docs.python.org/3.12/library/")
        assert "noreferrer" in a["rel"]


def test_every_table_has_a_caption_and_scopes(any_page: Page) -> None:
    assert len(any_page.all("table")) == len(any_page.all("caption"))
    assert all("scope" in found for found in any_page.all("th"))


def test_pictures_are_hidden_from_a_screen_reader_for_numbers_stand_beside_them(
    any_page: Page,
) -> None:
    assert all(found.get("aria-hidden") == "true" for found in any_page.all("svg"))


def test_a_place_that_scrolls_can_be_reached_and_is_named(any_page: Page) -> None:
    regions = [x for x in any_page.all("div") if x.get("class") == "scroll"]
    assert regions
    for found in regions:
        assert found["tabindex"] == "0"
        assert found["role"] == "region"
        assert found["aria-label"]


def test_equal_records_give_equal_pages() -> None:
    assert render(golden()) == render(golden())


def test_the_recorded_comparison_is_told_in_the_order_of_a_reader() -> None:
    text = page("golden").text
    order = [
        "Python notes, four ways",
        "Nothing is decided. All 6 pairs draw on R@1",
        "What these figures do not say",
        "Descriptive results on three supported development questions",
        "0.667",
        "Pair by pair",
        "0 won · 3 drawn · 0 lost",
        "Where the first target stands",
        "How do I explicitly select UTF-8",
        "a score, not a probability",
        "They are in no mean",
        "How frequently does our cloud provider",
        "What was frozen",
        "path-write:b71a2d18a53d86bf",
    ]
    places = [text.find(part) for part in order]
    assert -1 not in places
    assert places == sorted(places)


def test_whole_snapshot_statistics_are_announced() -> None:
    assert "also passages that a question may not see" in page("golden").text
    assert "also passages that a question may not see" not in page("many").text


def test_what_was_frozen_can_be_compared_by_its_hashes() -> None:
    frozen, text = RECORDS["golden"].freeze, page("golden").text
    for digest in (frozen.id, frozen.snapshot_id, frozen.questions_sha256):
        assert digest in text
    for run in RECORDS["golden"].runs.values():
        assert run.seal in text


def test_no_answerable_question_means_no_number() -> None:
    text = page("nothing supported").text
    assert "There is no answerable question here" in text
    table = text[text.index("The table") : text.index("Question by question")]
    assert "n/a" in table
    assert "0.000" not in table


def test_without_labels_the_page_says_that_nothing_was_judged() -> None:
    text = page("without labels").text
    assert "Nothing was judged: this experiment has no labels." in text
    assert "not which of them is better" in text
    assert "How frequently does our cloud provider" in text


def test_a_baseline_is_not_compared_with_itself() -> None:
    text = page("baseline").text
    assert "The dashed line is the baseline." in text
    row = text[text.index("lexical baseline") :]
    assert "better" not in row[: row.index("vector")]


def test_what_is_left_out_is_counted_and_can_be_found() -> None:
    record = synthetic(90)
    limits = Limits(details=10, apart=2, rank_rows=12, receipts=5, listed=3)
    text = Page(render(record, limits=limits)).text
    explain = "For any other: leadline explain RECORD QUESTION."
    assert "10 of 79 questions are shown in full, those that need a look first." in text
    assert "12 of 79 questions have a row here" in text
    assert "3 of 9 are listed; the record holds all." in text
    assert "2 of 9 are shown in full." in text
    assert "91 receipts, the first 5 of them here" in text
    assert text.count(explain) == 3


def test_a_single_configuration_has_nothing_to_be_compared_with() -> None:
    text = Page(render(synthetic(20, 1))).text
    assert "One configuration alone" in text
    assert "Pair by pair" not in text


def test_ten_thousand_questions_stay_a_page_of_a_few_megabytes(big: Record) -> None:
    text = render(big)
    assert len(text) < 12_000_000
    assert "100 of 8,781 questions are shown in full" in Page(text).text
