"""Search: a packet that says why each passage was chosen."""

import json
from pathlib import Path

import pytest

from leadline.app.load import load
from leadline.app.search import asked, search, term_by_term
from leadline.cli import main
from leadline.errors import InputError
from tests.projects import CONFIGURATIONS, project

TFIDF = """
[configurations.tfidf]
retriever = "tfidf"
stop_words = "english"

[configurations.both]
fuse = ["tfidf", "lexical"]
method = "rrf"
"""


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return project(tmp_path, configurations=CONFIGURATIONS + TFIDF)


ASKED = "When does the help desk open?"


def test_quotes_name_the_words_that_they_share_with_the_question(
    library: Path,
) -> None:
    """By the rules of the stages that a configuration builds on."""
    loaded = load(library)
    question = asked(loaded, ASKED)
    words = {}
    for name in ("lexical", "tfidf", "both"):
        _, packet = search(loaded, question, configuration=name)
        words[name] = {one.passage_id: one.matched for one in packet.quotes}
    assert words["tfidf"]["room.md"] == ("desk", "help", "open")
    assert words["lexical"]["room.md"] == ("desk", "help", "open", "the")
    assert words["both"]["room.md"] == ("desk", "help", "open", "the")
    assert "late.md" not in words["tfidf"]


def test_scores_are_taken_apart(library: Path) -> None:
    loaded = load(library)
    question = asked(loaded, ASKED)
    _, packet = search(loaded, question, configuration="tfidf")
    ids = [one.passage_id for one in packet.quotes]
    parts = term_by_term(loaded, question, ids, configuration="both")["tfidf"]
    for quote in packet.quotes:
        total = 0.0
        for one in parts[quote.passage_id]:
            total += one.contribution
        assert total == quote.score


def test_other_scores_are_not_taken_apart(library: Path) -> None:
    loaded = load(library)
    with pytest.raises(InputError, match=r'"fused" does not build on .* "tfidf"'):
        term_by_term(loaded, asked(loaded, ASKED), [], configuration="fused")


def test_an_explained_packet_is_printed(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["search", ASKED, "--file", str(library), "--explain"]
    assert main([*command, "--configuration", "both", "-k", "1"]) == 0
    out = capsys.readouterr().out
    assert "words of the question in it: desk, help, open" in out
    assert "tfidf adds up, question x passage:" in out
    assert "idf" in out
    arguments = [*command, "--configuration", "tfidf", "--format", "json"]
    assert main(arguments) == 0
    found = json.loads(capsys.readouterr().out)
    first = found["packet"]["quotes"][0]
    terms = found["terms"]["tfidf"][first["passage_id"]]
    assert [one["term"] for one in terms] == first["matched"]
    assert main([*command, "--configuration", "fused"]) == 2
    assert "cannot be taken apart" in capsys.readouterr().err


def test_a_conflict_and_a_skip_are_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = project(tmp_path)
    rows = [
        {"source_id": "rule", "version": version, "text": f"The desk opens at {hour}."}
        for version, hour in (("1", "nine"), ("2", "ten in the morning"))
    ]
    lines = "".join(json.dumps(one) + "\n" for one in rows)
    (tmp_path / "corpus.jsonl").write_text(lines, "utf-8")
    text = path.read_text("utf-8").replace('path = "docs"', 'path = "corpus.jsonl"')
    path.write_text(text, "utf-8")
    command = ["search", "When does the desk open?", "--file", str(path)]
    assert main([*command, "--max-quote-chars", "30"]) == 0
    out = capsys.readouterr().out
    assert "Skipped: rule@2 at rank 2 has 37 characters; 7 were left." in out
    assert "In conflict: rule was found in versions 1, 2." in out
