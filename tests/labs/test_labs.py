"""Each lab's own tests pass where it lies, and in a folder that it was copied to."""

import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from leadline.app.lab import LABS, copy

INSTALLED = Path(str(files("leadline") / "labs"))
SUITES = {
    "harbour": (["discover", "-s", "tests", "-v"], 36),
    "pydocs": (["discover", "-v"], 10),
}
"""What runs a lab's tests, and the least number of them."""


@pytest.mark.parametrize("place", ["installed", "copied out"])
@pytest.mark.parametrize("name", SUITES)
def test_the_labs_own_tests_pass(name: str, place: str, tmp_path: Path) -> None:
    folder = INSTALLED / name
    if place == "copied out":
        folder = tmp_path / "copy"
        copy(name, folder)
    arguments, least = SUITES[name]
    done = subprocess.run(
        [sys.executable, "-B", "-m", "unittest", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    ran = re.search(r"Ran (\d+) tests", done.stderr)
    assert ran is not None
    assert int(ran[1]) >= least
    assert not list(folder.rglob("*.pyc")) or place == "installed"


def test_every_lab_is_tested_here() -> None:
    assert set(SUITES) == {one.name for one in LABS}
    assert {
        one.name for one in INSTALLED.iterdir() if (one / "README.md").exists()
    } == (set(SUITES))


def test_at_least_fifteen_of_the_harbours_tests_are_on_retrieval() -> None:
    text = (INSTALLED / "harbour" / "tests" / "test_retrieval.py").read_text("utf-8")
    assert text.count("    def test_") >= 15


def test_a_change_in_a_copy_changes_what_the_copy_does(tmp_path: Path) -> None:
    """A copy runs its own scripts, not those that are installed."""
    copy("harbour", tmp_path / "copy")
    script = tmp_path / "copy" / "retrieval.py"
    script.write_text(
        script.read_text("utf-8").replace('stop_words="english"', 'stop_words="none"'),
        "utf-8",
    )
    found = []
    for folder in (INSTALLED / "harbour", tmp_path / "copy"):
        done = subprocess.run(
            [sys.executable, "-B", "lab.py", "search", "What is the penalty?"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
        )
        found.append('"quotes": []' in done.stdout)
    assert found == [True, False]


def test_the_harbours_lessons_are_all_there() -> None:
    """An opening one, one for each mechanism, and the capstone."""
    root = Path(__file__).parents[2]
    names = [one.stem for one in sorted((root / "docs/labs/harbour").glob("*.md"))]
    assert names == [
        "0-start",
        "1-decoding",
        "2-chunking",
        "3-lexical",
        "4-hybrid",
        "5-context",
        "6-generation",
        "7-evaluation",
        "8-failures",
        "9-capstone",
    ]
