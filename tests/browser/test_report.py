"""The report in a real browser: it runs nothing but its own, and it can be used."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from leadline.files.record import Record
from leadline.report.html import render
from tests.unit.report.handbook import synthetic
from tests.unit.report.records import HOSTILE, golden, hostile, nothing_supported
from tests.unit.report.sketch import without_labels

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

RECORDS: dict[str, Callable[[], Record]] = {
    "golden": golden,
    "hostile": hostile,
    "nothing supported": nothing_supported,
    "without labels": lambda: without_labels(golden()),
    "handbook": lambda: synthetic(60, 8),
}
MANY = "ten thousand questions"
OVERFLOW = "document.documentElement.scrollWidth - innerWidth"
CONTROLS = """
[...document.querySelectorAll(
  'a[href], summary, input, select, button, [tabindex="0"]')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true })
    && !(one.type === "radio" && !one.checked)).length
"""
FOCUSED = """
(() => {
  const at = document.activeElement;
  if (at === document.body) return null;
  const seen = at.matches("input[type=radio]") ? at.nextElementSibling : at;
  return [[...document.querySelectorAll("*")].indexOf(at),
    getComputedStyle(seen).outlineStyle];
})()
"""
OPEN_ALL = "document.querySelectorAll('details').forEach((one) => { one.open = true })"


def many() -> Record:
    """A record of a size at which a careless page is no page any more."""
    return synthetic(10_000, 8, measures=("nDCG@10",), depth=10)


@dataclass
class Opened:
    """A page, with what it asked for and what it complained of."""

    page: "Page"
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def run(self, script: str) -> Any:  # noqa: ANN401 -- whatever the script answers
        return self.page.evaluate(script)


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Writes each report once."""
    folder = tmp_path_factory.mktemp("reports")

    def written(name: str) -> Path:
        path = folder / f"{name}.html"
        if not path.exists():
            record = RECORDS[name]() if name in RECORDS else many()
            path.write_text(render(record), "utf-8")
        return path

    return written


@pytest.fixture
def opened(
    browser: "Browser", reports: Callable[[str], Path]
) -> Iterator[Callable[..., Opened]]:
    """Opens a report by name; options are those of a browser context."""
    contexts = []

    def by_name(name: str, *, width: int = 1280, **options: Any) -> Opened:  # noqa: ANN401
        size = {"width": width, "height": 800}
        context = browser.new_context(viewport=size, **options)  # type: ignore[arg-type]
        contexts.append(context)
        found = Opened(context.new_page())
        found.page.on("request", lambda request: found.requests.append(request.url))
        found.page.on("console", lambda said: found.complaints.append(said.text))
        found.page.on("pageerror", lambda error: found.complaints.append(str(error)))
        found.page.on("dialog", lambda _: found.complaints.append("a dialog opened"))
        found.page.goto(reports(name).as_uri())
        return found

    yield by_name
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", RECORDS)
def test_it_asks_for_nothing_and_complains_of_nothing(
    opened: Callable[..., Opened], name: str
) -> None:
    report = opened(name)
    report.run(OPEN_ALL)
    assert [url.partition(":")[0] for url in report.requests] == ["file"]
    assert report.complaints == []


def test_hostile_text_does_not_run(opened: Callable[..., Opened]) -> None:
    report = opened("hostile")
    report.run(OPEN_ALL)
    report.page.mouse.move(200, 200)
    assert report.page.title() == f"{HOSTILE[0]} · Leadline"
    assert report.run("document.scripts.length") == 1
    assert report.run("document.querySelectorAll('img, b:not(.figure b)').length") == 0
    assert report.complaints == []


def test_hostile_text_is_shown_as_it_stands(opened: Callable[..., Opened]) -> None:
    report = opened("hostile")
    report.run(OPEN_ALL)
    seen = " ".join(report.page.inner_text("body").split())
    for text in HOSTILE[:5]:
        assert " ".join(text.split()) in seen
    assert report.page.inner_text("h1") == HOSTILE[0]


def test_a_script_that_got_in_would_not_run(opened: Callable[..., Opened]) -> None:
    report = opened("golden")
    report.run(
        "const one = document.createElement('script');"
        "one.textContent = 'document.title = \"pwned\"';"
        "document.body.append(one)"
    )
    assert report.page.title() == "Python notes, four ways · Leadline"
    assert any("Content Security Policy" in said for said in report.complaints)


@pytest.mark.parametrize("width", [320, 375, 768, 1280])
@pytest.mark.parametrize("name", RECORDS)
def test_the_page_never_scrolls_sideways(
    opened: Callable[..., Opened], name: str, width: int
) -> None:
    report = opened(name, width=width)
    assert report.run(OVERFLOW) <= 0
    report.run(OPEN_ALL)
    assert report.run(OVERFLOW) <= 0


def test_without_scripts_everything_is_there(opened: Callable[..., Opened]) -> None:
    report = opened("golden", java_script_enabled=False)
    assert report.page.locator("h2").all_inner_texts() == [
        "What was found",
        "The table",
        "Pair by pair",
        "Where the first target stands",
        "Question by question",
        "In no mean",
        "What was frozen",
        "How the labels were bound",
    ]
    assert report.page.locator(".tools").first.is_hidden()
    question = report.page.locator("details.question").first
    question.locator("summary").click()
    assert question.locator("blockquote").first.is_visible()
    report.page.locator("label", has_text="Dark").click()
    assert report.page.locator("#theme-dark").is_checked()


def test_every_control_is_reached_by_keyboard(opened: Callable[..., Opened]) -> None:
    report = opened("golden")
    controls = report.run(CONTROLS)
    assert controls > 20
    reached = set()
    for _ in range(controls + 3):
        report.page.keyboard.press("Tab")
        if found := report.run(FOCUSED):
            place, outline = found
            assert outline != "none", "the focus cannot be seen"
            reached.add(place)
    assert len(reached) == controls


def test_a_question_opens_and_closes_by_keyboard(opened: Callable[..., Opened]) -> None:
    report = opened("golden")
    question = report.page.locator("details.question").first
    question.locator("summary").focus()
    report.page.keyboard.press("Enter")
    assert question.locator("blockquote").first.is_visible()
    report.page.keyboard.press("Enter")
    assert not question.locator("blockquote").first.is_visible()


def test_the_first_stop_skips_to_the_result(opened: Callable[..., Opened]) -> None:
    report = opened("golden")
    report.page.keyboard.press("Tab")
    report.page.keyboard.press("Enter")
    assert report.run("document.activeElement.id") == "main"


def test_a_row_of_ranks_leads_to_its_question(opened: Callable[..., Opened]) -> None:
    report = opened("handbook")
    link = report.page.locator(".ranks tbody th a").first
    target = report.page.locator(str(link.get_attribute("href")))
    assert not target.is_visible()
    link.click()
    target.wait_for(state="visible")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_follows_the_reader_into_light_and_dark(
    opened: Callable[..., Opened], scheme: str
) -> None:
    report = opened("golden", color_scheme=scheme)
    ground = "getComputedStyle(document.body).backgroundColor"
    light, dark = "rgb(251, 250, 247)", "rgb(18, 23, 28)"
    assert report.run(ground) == (light if scheme == "light" else dark)
    report.page.locator("label", has_text="Dark").click()
    assert report.run(ground) == dark
    report.page.locator("label", has_text="Light").click()
    assert report.run(ground) == light


def test_questions_are_found_by_words(opened: Callable[..., Opened]) -> None:
    report = opened("handbook")
    tools = report.page.locator("[data-tools=questions]")
    tools.locator("input").fill("q00007")
    assert report.page.locator("[data-list=questions] details:visible").count() == 1
    assert tools.locator("output").inner_text() == "1 of 53"
    tools.locator("input").fill("")
    assert report.page.locator("[data-list=questions] details:visible").count() == 53


def test_rows_of_ranks_are_narrowed_and_sorted(opened: Callable[..., Opened]) -> None:
    report = opened("handbook")
    tools = report.page.locator("[data-tools=ranks]")
    rows = report.page.locator("[data-list=ranks] tbody tr:visible")
    first = rows.first.inner_text()
    tools.locator("[data-act=order]").select_option("n")
    numbers = report.run(
        "[...document.querySelectorAll('[data-list=ranks] tbody tr')]"
        ".map((row) => Number(row.dataset.n))"
    )
    assert numbers == sorted(numbers)
    tools.locator("[data-act=order]").select_option("0")
    assert "–" in rows.first.locator("td").first.inner_text()
    tools.locator("[data-act=order]").select_option("")
    assert rows.first.inner_text() == first
    tools.locator("[data-act=only]").select_option("missed")
    assert 0 < rows.count() < 53
    assert all("–" in text for text in rows.all_inner_texts())


def test_printed_it_has_pages_and_no_controls(opened: Callable[..., Opened]) -> None:
    report = opened("handbook")
    report.page.emulate_media(media="print")
    for part in ("nav", ".theme", ".tools"):
        assert report.page.locator(part).first.is_hidden()
    assert report.page.pdf(format="A4").startswith(b"%PDF")


@pytest.mark.slow
def test_ten_thousand_questions_can_be_used(opened: Callable[..., Opened]) -> None:
    report = opened(MANY)
    assert report.complaints == []
    assert report.run(OVERFLOW) <= 0
    rows = report.page.locator("[data-list=ranks] tbody tr:visible")
    assert rows.count() == 40
    tools = report.page.locator("[data-tools=ranks]")
    tools.locator("[data-act=only]").select_option("lost")
    tools.locator("[data-act=order]").select_option("3")
    assert tools.locator("output").inner_text().endswith(" of 1000")
    question = report.page.locator("details.question").first
    question.locator("summary").click()
    assert question.locator("blockquote").first.is_visible()
