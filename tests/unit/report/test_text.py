"""The summary reads well in a terminal, a pipe and a log."""

import pytest
from rich.cells import cell_len

from leadline.report.text import summary
from tests.unit.report.handbook import synthetic
from tests.unit.report.records import golden, hostile, nothing_supported
from tests.unit.report.sketch import without_labels

RECORDS = {
    "golden": golden(),
    "hostile": hostile(),
    "nothing supported": nothing_supported(),
    "without labels": without_labels(golden()),
    "many": synthetic(
        60, 8, measures=("nDCG@10", "RR@10", "R@10", "R@100", "AP", "P@5", "R@1")
    ),
}


@pytest.mark.parametrize("width", [40, 57, 80, 132])
@pytest.mark.parametrize("name", RECORDS)
def test_no_line_is_wider_than_asked(name: str, width: int) -> None:
    lines = summary(RECORDS[name], width=width).split("\n")
    assert max(map(cell_len, lines)) <= width
    assert all(line == line.rstrip() for line in lines)


@pytest.mark.parametrize("name", RECORDS)
def test_a_pipe_gets_no_escape_code(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "30")
    text = summary(RECORDS[name])
    assert "\x1b" not in text
    assert {c for c in text if ord(c) < 32} == {"\n"}


def test_colour_is_there_for_who_asks() -> None:
    plain, coloured = summary(golden()), summary(golden(), colour=True)
    assert "\x1b[1m" in coloured
    assert "\x1b" not in plain


def test_data_cannot_speak_to_the_terminal() -> None:
    for text in (summary(hostile()), summary(hostile(), colour=True)):
        assert "\x1b]0;" not in text
        assert "\x07" not in text
        assert "\u202e" not in text


def test_brackets_in_a_name_are_no_markup() -> None:
    text = summary(golden(name="[red]four[/red] :smile: [link=x]"))
    assert text.startswith("[red]four[/red] :smile: [link=x]\n")


def test_the_recorded_comparison_in_eighty_columns() -> None:
    assert (
        summary(golden()).split("Nothing is decided")[0]
        == """\
Python notes, four ways
Four original development cases; no held-out queries; no tuning.
4 questions · 4 configurations · 4 passages · split development
freeze c99474bca70d · snapshot cd2c644a3c59

Means over 3 answerable questions, with 95% intervals

configuration          R@1         RR@1          R@2         RR@2
lexical              0.667        0.667        1.000        0.833
               0.333–1.000  0.333–1.000  1.000–1.000  0.667–1.000
vector               0.667        0.667        1.000        0.833
               0.333–1.000  0.333–1.000  1.000–1.000  0.667–1.000
rrf                  0.667        0.667        1.000        0.833
               0.333–1.000  0.333–1.000  1.000–1.000  0.667–1.000
rrf+coverage         0.667        0.667        1.000        0.833
               0.333–1.000  0.333–1.000  1.000–1.000  0.667–1.000

configuration  missed at 1  missed at 2  nothing returned
lexical                  1            0                 0
vector                   1            0                 0
rrf                      1            0                 0
rrf+coverage             1            0                 0

Missed at 1 by every configuration: utf8-write.

"""
    )


def test_draws_unanswerable_questions_and_limits_are_told() -> None:
    text = summary(golden())
    assert "= No difference was seen on R@1, on any of 3 questions" in text
    assert "Unanswerable: 1 question, in no mean; what came back" in text
    assert "A score is not a probability." in text
    assert "Descriptive results on three supported development questions" in text
    assert 'statistics = "snapshot"' in text


def test_no_answerable_question_means_no_number() -> None:
    text = summary(RECORDS["nothing supported"])
    assert "No answerable question: there is no mean" in text
    assert "n/a" in text
    assert "0.000" not in text
    assert "draw" not in text


def test_without_labels_it_says_that_nothing_was_judged() -> None:
    text = summary(RECORDS["without labels"])
    assert "Nothing was judged: this experiment has no labels." in text
    assert "Sealed run" in text


def test_more_measures_than_fit_are_set_in_several_tables() -> None:
    text = summary(RECORDS["many"])
    headings = [line for line in text.split("\n") if line.startswith("configuration")]
    measures = [word for line in headings for word in line.split()[1:]]
    for measure in ("nDCG@10", "RR@10", "R@10", "R@100", "AP", "P@5", "R@1"):
        assert measures.count(measure) == 1


def test_many_verdicts_are_cut_and_counted() -> None:
    assert "18 more verdicts, " in summary(RECORDS["many"])


def test_a_baseline_is_marked() -> None:
    text = summary(synthetic(40, baseline="lexical"))
    assert "lexical *" in text
    assert "* baseline" in text


def test_a_width_that_holds_no_table_is_refused() -> None:
    with pytest.raises(ValueError, match="a summary needs 40 columns, found 39"):
        summary(golden(), width=39)
