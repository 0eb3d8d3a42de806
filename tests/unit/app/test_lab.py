"""Labs are listed, copied over nothing, and a learner's part is checked apart."""

import json
from pathlib import Path

import pytest

from leadline.app import lab as module
from leadline.app.lab import check, copy
from leadline.cli import main
from leadline.errors import InputError

RIGHT = """
from retrieval import select_context

def learner_select(ranked, max_quote_chars):
    print("chosen")
    return select_context(ranked, max_quote_chars)
"""


def starter(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "capstone_starter.py").write_text(text, "utf-8")
    return folder


def test_labs_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("harbour:")
    assert "pydocs:" in out
    assert "leadline lab NAME DIR" in err
    assert main(["lab", "--format", "json"]) == 0
    assert set(json.loads(capsys.readouterr().out)) == {"harbour", "pydocs"}


def test_a_lab_is_copied_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new" / "handbook"
    assert main(["lab", "harbour", str(folder)]) == 0
    out, err = capsys.readouterr()
    assert str(folder / "lab.py") in out.splitlines()
    assert f"Next: cd {folder} && python3 -B lab.py search" in err
    names = {one.relative_to(folder).as_posix() for one in folder.rglob("*")}
    assert {"data/corpus.json", "tests/test_retrieval.py"} <= names
    assert "mechanisms/__init__.py" in names
    assert not {one for one in names if "__pycache__" in one or one == "__init__.py"}


def test_an_empty_folder_will_do_and_another_one_will_not(tmp_path: Path) -> None:
    assert copy("pydocs", tmp_path)
    (tmp_path / "run.py").write_text("mine", "utf-8")
    for place in (tmp_path, tmp_path / "run.py"):
        with pytest.raises(InputError, match="over nothing: choose another folder"):
            copy("pydocs", place)
    assert (tmp_path / "run.py").read_text("utf-8") == "mine"


def test_an_unknown_lab_is_answered_with_the_nearest(tmp_path: Path) -> None:
    for use in (copy, check):
        with pytest.raises(InputError, match=r'"harbor"\. Did you mean "harbour"'):
            use("harbor", tmp_path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["harbour"], "say where: leadline lab harbour DIR, or --check DIR"),
        (["harbour", "a", "--check", "b"], "say where"),
        (["pydocs", "--check", "."], 'the lab "pydocs" has nothing to be checked'),
        (
            ["harbour", "--check", "nowhere"],
            "nowhere/capstone_starter.py does not exist",
        ),
    ],
)
def test_what_cannot_be_done_is_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lab", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_a_starter_that_is_not_written_passes_no_case(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy("harbour", tmp_path / "copy")
    assert main(["lab", "harbour", "--check", str(tmp_path / "copy")]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "FAIL  saturday-desk"
    assert "not written yet" in lines[1]
    assert lines[-1] == "0 of 6 cases pass"


def test_a_starter_that_is_right_passes_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(starter(tmp_path, RIGHT))
    assert main(["lab", "harbour", "--check", folder]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "6 of 6 cases pass"
    assert main(["lab", "harbour", "--check", folder, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["passes"] for one in found] == [True] * 6


def test_the_reason_names_budget_and_line(tmp_path: Path) -> None:
    text = RIGHT.replace("    print", "    ranked.nothing\n    print")
    cases = check("harbour", starter(tmp_path, text))
    assert {one.passes for one in cases} == {False}
    assert cases[0].why is not None
    assert cases[0].why.startswith("with 150 characters: it raised AttributeError")
    assert cases[0].why.endswith("(capstone_starter.py, line 5)")


def test_a_copy_cannot_change_what_it_is_checked_by(tmp_path: Path) -> None:
    """The check is the installed one, and so is what it compares with."""
    copy("harbour", tmp_path / "copy")
    for name in ("capstone_check.py", "retrieval.py"):
        (tmp_path / "copy" / name).write_text("raise SystemExit(0)\n", "utf-8")
    assert {one.passes for one in check("harbour", tmp_path / "copy")} == {False}


def test_a_starter_that_cannot_be_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be run: SyntaxError"):
        check("harbour", starter(tmp_path, "def learner_select(:\n"))


def test_a_loop_without_an_end_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LONGEST_CHECK_S", 2)
    text = "def learner_select(ranked, budget):\n    while True: pass\n"
    with pytest.raises(InputError, match="did not end within 2 seconds"):
        check("harbour", starter(tmp_path, text))
