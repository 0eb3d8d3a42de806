"""The command line: help, exit codes, errors in words, JSON on standard output."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from leadline.cli import main
from leadline.cli.arguments import COMMANDS
from tests.projects import ANSWERS, QUESTIONS, TEXTS, project, rows

SLOW_ROOMS = ("numpy", "msgspec", "jinja2", "rich", "leadline.app", "leadline.files")


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working project, and a process that stands in its folder."""
    project(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command."""
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize("command", COMMANDS, ids=lambda one: one.name)
def test_every_command_has_help_with_an_example(
    command: object, capsys: pytest.CaptureFixture[str]
) -> None:
    name = command.name  # type: ignore[attr-defined]
    with pytest.raises(SystemExit) as end:
        main([name, "--help"])
    out = capsys.readouterr().out
    assert end.value.code == 0
    assert f"example:\n  leadline {name}" in out
    assert max(map(len, out.splitlines())) <= 80


def test_help_imports_nothing_slow() -> None:
    code = (
        "import sys; from leadline.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert not set(SLOW_ROOMS) & set(done.stderr.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["compare", "nowhere.toml"], "nowhere.toml: does not exist"),
        (["check", "docs"], "docs: is a folder"),
        (["verify", "leadline.toml"], "leadline.toml"),
        (["search", " "], "the question is empty"),
        (["search", "desk", "--where", "status"], "expected FIELD=VALUE"),
        (["search", "desk", "--where", "statsu=current"], 'Did you mean "status"?'),
        (["search", "desk", "--configuration", "lexcal"], 'Did you mean "lexical"?'),
        (["search", "desk", "-k", "0"], "k is 0, expected at least 1"),
        (["search", "desk", "--max-quote-chars", "0"], "expected at least 1"),
        (["init", "new", "--from", "nowhere"], "nowhere: does not exist"),
        (["init", ".", "--from", "docs"], "already exists"),
        (["label", "hours", "--source", "dsk.md"], 'Did you mean "desk.md"?'),
        (["label", "hours"], "either --source SOURCE_ID or --unanswerable"),
        (["label", "huors", "--source", "desk.md"], 'Did you mean "hours"?'),
        (["label", "hours", "--unanswerable"], "contradicts"),
        (["label", "hours", "--source", "desk.md"], "already has this target"),
        (["label", "x", "--ask", " ", "--source", "desk.md"], "text is empty"),
        (["label", "hours", "--ask", "?", "--source", "room.md"], "already there"),
        (["label", "hours", "--source", "room.md", "--quote", "Open"], "exactly"),
        (["compare", "--require", "fused"], "NAME MEASURE >= VALUE"),
        (["compare", "--require", "fused RR@3 >= nan"], "a finite number"),
        (["compare", "--require", "fused RR@9 >= 0.1"], 'Did you mean "RR@3"?'),
    ],
)
def test_a_wrong_input_is_answered_in_words(
    library: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    before = {path for path in library.rglob("*") if path.suffix != ".npz"}
    code, _, err = said(capsys, *arguments)
    assert code == 2
    assert err.splitlines()[-1].startswith("leadline: ") or "leadline: " in err
    assert message in err
    assert "Traceback" not in err
    if arguments[0] not in ("compare", "search"):
        assert {path for path in library.rglob("*") if path.suffix != ".npz"} == before


def test_results_are_json_and_words_go_elsewhere(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = said(capsys, "compare", "--format", "json")
    assert code == 0
    found = json.loads(out)
    assert found["freeze_id"] in err
    assert found["comparison"]["supported_count"] == 3
    record = found["record"]
    for arguments in (
        ["check"],
        ["snapshot"],
        ["search", "help desk"],
        ["explain", record, "fine"],
        ["verify", record, "--experiment", "leadline.toml"],
    ):
        code, out, _ = said(capsys, *arguments, "--format", "json")
        assert code == 0
        json.loads(out)


def test_the_table_fits_eighty_columns(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = said(capsys, "compare")
    assert "fused+coverage" in out
    assert max(map(len, out.splitlines())) <= 80
    for arguments in (["search", "the help desk"], ["check"], ["snapshot"]):
        _, out, _ = said(capsys, *arguments)
        assert max(map(len, out.splitlines())) <= 80


def test_a_search_quotes_whole_passages_within_the_budget(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    budget = str(len(TEXTS["laptop.md"]))
    arguments = ("search", "borrow a laptop", "--max-quote-chars", budget)
    _, out, _ = said(capsys, *arguments, "--format", "json")
    packet = json.loads(out)["packet"]
    assert [quote["text"] for quote in packet["quotes"]] == [TEXTS["laptop.md"]]
    assert packet["used_chars"] <= packet["budget_chars"]
    assert "neither a probability nor a calibrated confidence" in packet["notice"]


def test_a_search_sees_only_what_the_policy_admits(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ("--where", "source_id=room.md")
    _, out, _ = said(capsys, "search", "help desk", *where, "--format", "json")
    quotes = json.loads(out)["packet"]["quotes"]
    assert [quote["source_id"] for quote in quotes] == ["room.md"]


def test_a_label_is_added_with_its_question(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ask = ("--ask", "Where is a berth reserved?", "--source", "berth.md")
    assert said(capsys, "label", "berth", *ask)[0] == 0
    assert said(capsys, "label", "berth", "--source", "room.md")[0] == 0
    code, out, _ = said(capsys, "check", "--format", "json")
    assert code == 0
    assert json.loads(out)["questions"] == len(QUESTIONS) + 1
    labels = (library / "labels.jsonl").read_text().splitlines()
    assert len(labels) == len(ANSWERS) + 1
    assert len(json.loads(labels[-1])["targets"]) == 2


def test_verification_names_what_was_changed(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, "compare")
    path = library / "results" / "record.json"
    whole = path.read_text()
    assert said(capsys, "verify", str(path))[0] == 0
    changes = {
        '"budget":4': '"budget":5',
        TEXTS["desk.md"]: TEXTS["desk.md"].replace("nine", "ten"),
        QUESTIONS["fine"]: "What does it cost?",
        '"R@1":1.0': '"R@1":0.5',
        '"wins": 0': '"wins": 1',
    }
    for old, new in changes.items():
        assert old in whole
        path.write_text(whole.replace(old, new, 1))
        code, out, _ = said(capsys, "verify", str(path))
        assert (code, "fault" in out) == (1, True), old


def test_verification_names_an_input_that_is_no_longer_the_same(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, "compare")
    (library / "docs" / "berth.md").write_text("Berths are gone.")
    record = "results/record.json"
    code, out, _ = said(capsys, "verify", record, "--experiment", "leadline.toml")
    assert code == 1
    assert "corpus: frozen as" in out
    assert "questions: frozen as" not in out


def test_hostile_text_stays_text_on_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hostile = "desk \x1b[31mred\x1b]0;title\x07 \u202eevil </script><script>alert(1)"
    project(tmp_path, texts={**TEXTS, "desk.md": hostile})
    monkeypatch.chdir(tmp_path)
    said(capsys, "compare")
    for arguments in (
        ["search", "desk red \x1b[2J"],
        ["explain", "results/record.json", "hours"],
        ["compare", "--require", "\x1b[31m >= lexical"],
    ):
        _, out, err = said(capsys, *arguments)
        assert "\x1b" not in out + err
        assert "\u202e" not in out + err
    assert "<script>alert(1)" not in (tmp_path / "results" / "report.html").read_text()


def test_an_experiment_may_be_run_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project(tmp_path / "there")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert said(capsys, "compare", "../there/leadline.toml")[0] == 0
    assert (tmp_path / "there" / "results" / "record.json").exists()
    assert list((tmp_path / "here").iterdir()) == []


def test_init_makes_a_project_that_compares(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows(
        tmp_path / "pages.jsonl",
        [{"source_id": k, "title": k[:-3], "text": t} for k, t in TEXTS.items()],
    )
    monkeypatch.chdir(tmp_path)
    assert said(capsys, "init", "new", "--from", "pages.jsonl")[0] == 0
    assert said(capsys, "check", "new/leadline.toml")[0] == 0
    assert said(capsys, "compare", "new/leadline.toml")[0] == 0
    assert said(capsys, "verify", "new/results/record.json")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--output", "labels.jsonl"], "is an input of this comparison"),
        (["--report", "leadline.toml"], "is an input of this comparison"),
        (["--output", "docs/desk.md"], "is an input of this comparison"),
        (["--output", "questions.bak"], "was not written by a comparison"),
        (["--output", "x.json", "--report", "x.json"], "cannot be one file"),
    ],
)
def test_nothing_of_the_users_is_written_over(
    library: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    (library / "questions.bak").write_text("an old list")
    before = {path: path.read_bytes() for path in library.rglob("*") if path.is_file()}
    code, _, err = said(capsys, "compare", *arguments)
    assert code == 2
    assert message in err
    after = {path: path.read_bytes() for path in library.rglob("*") if path.is_file()}
    assert after == before


def test_a_changed_text_is_labelled_anew(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (library / "docs" / "desk.md").write_text("The help desk opens at ten.")
    code, _, err = said(capsys, "check")
    assert code == 2
    command = "leadline label hours --source desk.md --replace"
    assert command in err
    assert said(capsys, *command.split()[1:])[0] == 0
    assert said(capsys, "check")[0] == 0


@pytest.mark.parametrize("grade", ["nan", "inf", "-1", "0"])
def test_a_grade_that_is_none_is_never_written(
    library: Path, capsys: pytest.CaptureFixture[str], grade: str
) -> None:
    before = (library / "labels.jsonl").read_bytes()
    new = ("label", "hours", "--source", "room.md", "--grade", grade)
    code, _, err = said(capsys, *new)
    assert (code, "expected a finite number above 0" in err) == (2, True)
    assert (library / "labels.jsonl").read_bytes() == before


def test_a_filter_takes_values_as_they_are_typed(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows(
        library / "pages.jsonl",
        [
            {"source_id": "old", "text": "desk", "metadata": {"year": 2024, "x": True}},
            {
                "source_id": "new",
                "text": "desk",
                "metadata": {"year": 2025, "x": False},
            },
        ],
    )
    path = library / "leadline.toml"
    path.write_text(path.read_text().replace('path = "docs"', 'path = "pages.jsonl"'))
    for where, expected in (("year=2024", "old"), ("x=false", "new")):
        arguments = ("search", "desk", "--where", where, "--format", "json")
        quotes = json.loads(said(capsys, *arguments)[1])["packet"]["quotes"]
        assert [quote["source_id"] for quote in quotes] == [expected]
    code, _, err = said(capsys, "search", "desk", "--where", "year=1999")
    assert (code, "found: 2024, 2025" in err) == (2, True)


def test_what_is_required_is_checked_before_anything_is_computed(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = said(capsys, "compare", "--require", "stemed >= lexical")
    assert (code, "frozen" in err) == (2, False)
    code, out, err = said(
        capsys, "compare", "--format", "json", "--require", "stemmed R@3 >= 0.1"
    )
    assert code == 0
    assert "required, and so: stemmed R@3 >= 0.1" in err
    assert json.loads(out)["requirements"] == [
        {"required": "stemmed R@3 >= 0.1", "fault": ""}
    ]


def test_every_part_of_a_record_is_sealed(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, "compare")
    path = library / "results" / "record.json"
    whole = json.loads(path.read_text())
    changes: list[tuple[str, ...]] = [
        ("questions", "0", "eligible"),
        ("passages", "desk.md", "title"),
        ("receipts", "0", "bound_by"),
        ("comparison",),
        ("limits",),
        ("name",),
    ]
    for keys in changes:
        changed = json.loads(json.dumps(whole))
        place = changed
        for key in keys[:-1]:
            place = place[int(key) if key.isdigit() else key]
        old = place[keys[-1]]
        place[keys[-1]] = {int: 99, str: "x", list: ["x"], dict: None}[type(old)]
        path.write_text(json.dumps(changed))
        code, out, _ = said(capsys, "verify", str(path))
        assert (code, "record seal" in out) == (1, True), keys


def test_a_changed_experiment_file_is_named(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, "compare")
    path = library / "leadline.toml"
    path.write_text(path.read_text().replace("budget = 4", "budget = 3"))
    record = "results/record.json"
    code, out, _ = said(capsys, "verify", record, "--experiment", "leadline.toml")
    assert code == 1
    assert 'configuration "lexical" was frozen as' in " ".join(out.split())


def test_a_misspelt_kind_of_configuration_is_named(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = library / "leadline.toml"
    whole = path.read_text()
    for old, new, message in (
        ('retriever = "fts5"', 'retreiver = "fts5"', 'Did you mean "retriever"?'),
        ('"porter unicode61"', '"portr unicode61"', "one of unicode61, porter"),
        ('"RR@3"', '"MRR@3"', 'field "comparison.measures"'),
    ):
        path.write_text(whole.replace(old, new, 1))
        code, _, err = said(capsys, "check")
        assert (code, message in err) == (2, True), err


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"RR@3"', f'"R@{"9" * 5000}"', "comparison.measures"),
        ("resamples = 200", "resamples = 200\nalpha = 1e-320", "comparison.alpha"),
        ("budget = 4", f"budget = {'9' * 5000}", "too long"),
        ('path = "docs"', f'path = "{"a" * 5000}"', "too long"),
    ],
)
def test_no_value_of_a_file_ends_in_a_traceback(
    library: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, message: str
) -> None:
    path = library / "leadline.toml"
    path.write_text(path.read_text().replace(old, new, 1))
    code, _, err = said(capsys, "check")
    assert (code, message in err) == (2, True), err[-300:]


@pytest.mark.parametrize("output", [".", "x" * 300, "loop"])
def test_a_place_that_is_no_file_is_refused(
    library: Path, capsys: pytest.CaptureFixture[str], output: str
) -> None:
    (library / "loop").symlink_to(library / "loop")
    code, _, err = said(capsys, "compare", "--output", output)
    assert (code, err.startswith("leadline: ")) == (2, True), err


def test_questions_that_ask_the_same_are_noted(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = QUESTIONS["hours"]
    said(capsys, "label", "twin", "--ask", text.upper(), "--source", "desk.md")
    _, out, _ = said(capsys, "check")
    assert "Questions that ask the same count as if they were independent" in out


def test_a_filter_never_tells_what_the_policy_hides(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows(
        library / "pages.jsonl",
        [
            {"source_id": "open", "text": "desk", "title": "Desk"},
            {"source_id": "shut", "text": "x", "title": "SECRET", "scope": "staff"},
        ],
    )
    path = library / "leadline.toml"
    text = path.read_text().replace('path = "docs"', 'path = "pages.jsonl"')
    policy = '[questions]\npolicy = { scope = "public" }'
    path.write_text(text.replace("[questions]", policy))
    for where in ("title=zz", "source_id=zz", "scope=zz"):
        code, out, err = said(capsys, "search", "desk", "--where", where)
        assert code == 2
        assert "SECRET" not in out + err
        assert "shut" not in out + err


def test_a_measure_by_another_name_is_held_to_the_budget_too(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = library / "leadline.toml"
    path.write_text(path.read_text().replace('"RR@3"', '"recall_10"'))
    code, _, err = said(capsys, "compare")
    assert (code, '"R@10" looks at 10 passages' in err) == (2, True)
