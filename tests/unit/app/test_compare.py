"""The comparison as a whole: resumed, repeated, refused."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from leadline.app import compare as module
from leadline.app.compare import compare_file
from leadline.errors import BindingError, InputError, SnapshotMismatchError
from leadline.files.record import encode, read_record
from tests.projects import ANSWERS, TEXTS, project, rows, write_labels

LEADLINE = [sys.executable, "-m", "leadline"]


def run(
    *arguments: str, cwd: Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    """The command line, in a process of its own."""
    return subprocess.run(
        [*LEADLINE, *arguments],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_equal_freezes_give_equal_bytes_anywhere(tmp_path: Path) -> None:
    """Whatever the hash seed, the threads, the locale, the time zone or the folder."""
    written = []
    for index, environment in enumerate(
        [
            {"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "LC_ALL": "C"},
            {"PYTHONHASHSEED": "4", "OMP_NUM_THREADS": "2", "LC_ALL": "tr_TR.UTF-8"},
            {"PYTHONHASHSEED": "9", "TZ": "Asia/Tokyo", "PYTHONUTF8": "0"},
        ]
    ):
        folder = tmp_path / f"place {index}"
        project(folder)
        cwd = folder if index else tmp_path
        file = "leadline.toml" if index else str(folder / "leadline.toml")
        done = run(
            "compare", file, "--output", str(folder / "r.json"), cwd=cwd, **environment
        )
        assert done.returncode == 0, done.stderr
        written.append((folder / "r.json").read_bytes())
    assert len(set(written)) == 1


def test_the_order_of_documents_and_labels_does_not_matter(tmp_path: Path) -> None:
    """Nothing depends on which row came first."""
    path = project(tmp_path)
    first = compare_file(path, work=tmp_path / "a")
    write_labels(tmp_path, dict(reversed(ANSWERS.items())))
    second = compare_file(path, work=tmp_path / "b")
    assert first.comparison is not None
    assert second.comparison is not None
    assert first.runs == second.runs
    assert first.comparison.questions == second.comparison.questions
    for name, one in first.comparison.configurations.items():
        other = second.comparison.configurations[name]
        assert (one.means, one.questions) == (other.means, other.questions)


def test_a_repeat_searches_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sealed runs are reused, and the record is the same to the byte."""
    path = project(tmp_path)
    first = encode(compare_file(path))

    def refuse(*_: object, **__: object) -> None:
        message = "searched again"
        raise AssertionError(message)

    monkeypatch.setattr("leadline.retrieval.fts5.Fts5.search", refuse)
    assert encode(compare_file(path)) == first


def test_a_changed_document_is_searched_again(tmp_path: Path) -> None:
    """A sealed run belongs to one snapshot."""
    path = project(tmp_path)
    first = compare_file(path)
    (tmp_path / "docs" / "room.md").write_text("Help desk, help desk, open open.")
    second = compare_file(path)
    assert first.freeze.snapshot_id != second.freeze.snapshot_id
    assert first.runs["lexical"].seal != second.runs["lexical"].seal


def test_labels_that_change_after_the_freeze_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The labels that judge are the labels that were frozen."""
    path = project(tmp_path)
    done = module.sealed(module.load(path))
    write_labels(tmp_path, {**ANSWERS, "crane": ["berth.md"]})
    with pytest.raises(SnapshotMismatchError, match="has changed since the freeze"):
        module.judged(done)


def test_a_missing_label_file_is_refused_before_the_first_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error comes before the work."""
    path = project(tmp_path)
    (tmp_path / "labels.jsonl").unlink()
    monkeypatch.setattr(module, "retrieve", lambda *_, **__: pytest.fail("searched"))
    with pytest.raises(InputError, match="does not exist"):
        compare_file(path)


def test_stale_labels_write_no_record(tmp_path: Path) -> None:
    """A re-written document keeps its name, and its label dies loudly."""
    path = project(tmp_path)
    (tmp_path / "docs" / "desk.md").write_text("The help desk opens at ten.")
    with pytest.raises(BindingError, match=r"desk\.md"):
        compare_file(path)
    done = run("compare", cwd=tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "results" / "record.json").exists()


def test_without_labels_runs_are_sealed_and_nothing_is_judged(tmp_path: Path) -> None:
    """A comparison is None, and the record says so."""
    path = project(tmp_path)
    text = path.read_text().replace('[labels]\npath = "labels.jsonl"\n', "")
    path.write_text(text)
    record = compare_file(path)
    assert record.comparison is None
    assert "nothing was judged" in record.limits
    assert record.runs["lexical"].seal


@pytest.mark.parametrize("kind", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_comparison_leaves_the_old_record_and_resumes(
    tmp_path: Path, kind: signal.Signals
) -> None:
    """At any moment: the record is the old one, a whole new one, or not there."""
    project(tmp_path)
    undisturbed = tmp_path / "undisturbed"
    project(undisturbed)
    assert run("compare", cwd=undisturbed).returncode == 0
    whole = (undisturbed / "results" / "record.json").read_bytes()
    chance = random.Random(7)
    for attempt in range(6):
        if attempt % 2 == 0:  # the others find what was sealed before them
            shutil.rmtree(tmp_path / ".leadline", ignore_errors=True)
        shutil.rmtree(tmp_path / "results", ignore_errors=True)
        process = subprocess.Popen(
            [*LEADLINE, "compare"],
            cwd=tmp_path,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _interrupt(process, after_s=chance.uniform(0.1, 0.9), kind=kind)
        record = tmp_path / "results" / "record.json"
        assert not record.exists() or record.read_bytes() == whole
    done = run("compare", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert record.read_bytes() == whole
    left = {one.name for one in (tmp_path / "results").iterdir()}
    assert left - {".record.json.lock"} == {"record.json", "report.html"}


def _interrupt(
    process: "subprocess.Popen[bytes]", *, after_s: float, kind: signal.Signals
) -> None:
    try:
        process.wait(timeout=after_s)
    except subprocess.TimeoutExpired:
        process.send_signal(kind)
        process.wait()


def test_two_comparisons_at_once_never_mix(tmp_path: Path) -> None:
    """One of them writes; the other waits its turn or is refused; the file is whole."""
    project(tmp_path)
    processes = [
        subprocess.Popen(
            [*LEADLINE, "compare"],
            cwd=tmp_path,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    ends = [(process.communicate()[1], process.returncode) for process in processes]
    assert any(code == 0 for _, code in ends)
    for words, code in ends:
        assert code == 0 or (code == 2 and "in use" in words), words
    read_record(tmp_path / "results" / "record.json")


def test_every_input_is_named_in_the_freeze(tmp_path: Path) -> None:
    """Change one thing at a time: another freeze id each time; no path is in it."""
    path = project(tmp_path)
    ids = [compare_file(path).freeze.id]
    changes = {
        "leadline.toml": lambda text: text.replace("budget = 4", "budget = 3"),
        "questions.jsonl": lambda text: text.replace("help desk", "helpdesk"),
        "docs/room.md": lambda text: text + " Quiet, please.",
    }
    for name, change in changes.items():
        file = tmp_path / name
        file.write_text(change(file.read_text()))
        ids.append(compare_file(path).freeze.id)
    write_labels(tmp_path, {**ANSWERS, "fine": ["late.md", "berth.md"]})
    record = compare_file(path)
    ids.append(record.freeze.id)
    assert len(set(ids)) == len(ids)
    assert str(tmp_path) not in encode(record).decode()


def test_only_unanswerable_questions(tmp_path: Path) -> None:
    """Nothing to average: null, never zero, and a check on nothing fails."""
    project(tmp_path)
    write_labels(tmp_path, dict.fromkeys(ANSWERS, ()))
    done = run("compare", "--require", "fused RR@3 >= 0", cwd=tmp_path)
    assert done.returncode == 1
    assert "no answerable question" in done.stderr
    record = json.loads((tmp_path / "results" / "record.json").read_text())
    means = record["comparison"]["configurations"]["fused"]["means"]
    assert set(means.values()) == {None}
    assert len(record["comparison"]["unanswerable"]) == len(ANSWERS)


def test_a_gate_passes_on_a_draw_and_fails_below_a_floor(tmp_path: Path) -> None:
    """Exit code 1 is a check that failed; a draw fails nothing."""
    project(tmp_path)
    draw = run("compare", "--require", "stemmed >= lexical", cwd=tmp_path)
    assert draw.returncode == 0, draw.stderr
    floor = run("compare", "--require", "stemmed RR@3 >= 1.01", cwd=tmp_path)
    assert floor.returncode == 1
    assert "required >= 1.01" in floor.stderr
    unknown = run("compare", "--require", "stemed >= lexical", cwd=tmp_path)
    assert unknown.returncode == 2
    assert 'Did you mean "stemmed"?' in unknown.stderr


def test_policies_hide_documents_from_every_stage(tmp_path: Path) -> None:
    """An ineligible document is in no run, no passage table and no explanation."""
    project(tmp_path)
    rows(
        tmp_path / "corpus.jsonl",
        [
            *(
                {"source_id": k, "text": t, "metadata": {"team": "x"}}
                for k, t in TEXTS.items()
            ),
            {
                "source_id": "secret",
                "text": TEXTS["desk.md"] + " Secret.",
                "metadata": {"team": "y"},
            },
        ],
    )
    path = tmp_path / "leadline.toml"
    text = path.read_text().replace('path = "docs"', 'path = "corpus.jsonl"')
    path.write_text(text.replace("[questions]", '[questions]\npolicy = { team = "x" }'))
    record = compare_file(path)
    assert "secret" not in record.passages
    assert {one.eligible for one in record.questions} == {len(TEXTS)}


def test_a_kept_run_belongs_to_its_key(tmp_path: Path) -> None:
    """Swapped or damaged files of the store count as absent."""
    path = project(tmp_path)
    first = encode(compare_file(path))
    kept = sorted((tmp_path / ".leadline" / "runs").iterdir())
    bodies = [one.read_bytes() for one in kept]
    for file, body in zip(kept, bodies[1:] + bodies[:1], strict=True):
        file.write_bytes(body)
    assert encode(compare_file(path)) == first
    for file in kept:
        body = bytearray(file.read_bytes())
        body[body.rindex(b"PK\x01\x02") + 10] ^= 0xFF
        file.write_bytes(body)
    assert encode(compare_file(path)) == first


def test_no_wording_and_no_hidden_document_chooses_the_seed(tmp_path: Path) -> None:
    """Resampling is seeded by the runs and the labels, and by nothing else."""
    path = project(tmp_path)
    first = compare_file(path).comparison
    path.write_text('scope = "put otherwise"\n' + path.read_text())
    second = compare_file(path).comparison
    assert first is not None
    assert first == second
