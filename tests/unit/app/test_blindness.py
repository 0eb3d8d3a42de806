"""No label is opened before the last run is sealed, and none changes a run."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from leadline.app.compare import compare_file
from tests.projects import ANSWERS, QUESTIONS, TEXTS, project, write_labels

HOOKED = """
import sys
from pathlib import Path
opened = []
def hook(event, arguments):
    if event == "open":
        opened.append((str(arguments[0]), len(sealed)))
sealed = []
sys.addaudithook(hook)
from leadline.app.compare import judged, sealed as seal
from leadline.app.load import load
done = seal(load(Path(sys.argv[1])))
print("before", sum("labels.jsonl" in path for path, _ in opened))
assert all(run.seal for run in done.runs.values())
judged(done)
print("after", sum("labels.jsonl" in path for path, _ in opened))
"""


def test_an_audit_hook_sees_no_label_file_opened_before_the_runs_are_sealed(
    tmp_path: Path,
) -> None:
    """It does see the label file afterwards, so it would have seen it before."""
    path = project(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", HOOKED, str(path)],
        capture_output=True,
        text=True,
        check=True,
    )
    before, after = done.stdout.split("\n")[:2]
    assert before == "before 0"
    assert int(after.removeprefix("after ")) >= 1


@pytest.fixture(scope="module")
def scrambled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A project and the seals of its runs under the right labels."""
    path = project(tmp_path_factory.mktemp("scrambled"))
    return path, seals(path)


def seals(path: Path) -> dict[str, str]:
    """Configuration -> seal, computed afresh: sealed runs are not reused."""
    work = path.parent / "work"
    for old in work.rglob("*"):
        if old.is_file():
            old.unlink()
    record = compare_file(path, work=work)
    return {name: run.seal for name, run in record.runs.items()}


@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.fixed_dictionaries(
        {
            key: st.lists(st.sampled_from(sorted(TEXTS)), unique=True)
            for key in QUESTIONS
        }
    )
)
def test_scrambling_all_labels_changes_no_byte_of_a_run(
    scrambled: tuple[Path, dict[str, str]], answers: dict[str, list[str]]
) -> None:
    """Whatever the labels say, even that nothing is answerable."""
    path, expected = scrambled
    write_labels(path.parent, answers)
    try:
        assert seals(path) == expected
    finally:
        write_labels(path.parent, ANSWERS)
