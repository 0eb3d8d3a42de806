"""A question in which nothing is a word is said, once, for all whom it concerns."""

from pathlib import Path

import pytest

from leadline.cli import main
from leadline.questions import Question
from leadline.report.wordless import wordless
from tests.projects import project

QUESTIONS = [
    Question("desk", "When does the desk open?"),
    Question("signs", "???"),
    Question("stopped", "Is it?"),
    Question("chinese", "退款"),
]


def configuration(name: str, **plugin: str) -> dict[str, object]:
    return {"name": name, "kind": "retriever", "plugin": {"name": "x", **plugin}}


def test_each_rule_and_list_has_its_own() -> None:
    found = wordless(
        [
            configuration("unicode", words="unicode"),
            configuration("ascii", words="ascii"),
            configuration("stopped", words="ascii", stop_words="english"),
            configuration("again", words="unicode", stop_words="none"),
        ],  # type: ignore[list-item]  # a freeze's
        QUESTIONS,
    )
    assert found == (
        "1 question has no searchable word for unicode and again: signs.",
        "2 questions have no searchable word for ascii: signs, chinese.",
        "3 questions have no searchable word for stopped: signs, stopped, chinese.",
    )


def test_what_does_not_look_at_words_is_not_asked() -> None:
    parts = [
        {"name": "v", "kind": "retriever", "plugin": {"name": "vector"}},
        {"name": "theirs", "kind": "retriever", "plugin": {"words": "their own"}},
        {"name": "other", "kind": "retriever", "plugin": {"words": 7}},
        {"name": "cov", "kind": "reranker", "plugin": {"words": "ascii"}},
    ]
    assert wordless(parts, QUESTIONS) == ()  # type: ignore[arg-type]  # a freeze's


def test_many_are_counted() -> None:
    asked = [Question(f"q{place}", "?") for place in range(8)]
    (sentence,) = wordless([configuration("a", words="ascii")], asked)  # type: ignore[list-item]
    assert sentence == (
        "8 questions have no searchable word for a: q0, q1, q2, q3, q4 and 3 more."
    )


def test_check_compare_and_the_report_say_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = project(
        tmp_path,
        configurations='[configurations.plain]\nretriever = "fts5"\nwords = "ascii"\n',
    )
    questions = tmp_path / "questions.jsonl"
    text = questions.read_text("utf-8")
    questions.write_text(text.replace("Who may operate the crane?", "退款"), "utf-8")
    sentence = "1 question has no searchable word for plain: crane."
    assert main(["check", str(path)]) == 0
    assert sentence in capsys.readouterr().out
    assert main(["compare", str(path)]) == 0
    out, err = capsys.readouterr()
    assert f"note: {sentence}" in err
    assert sentence in out
    assert sentence in (tmp_path / "results" / "report.html").read_text("utf-8")
