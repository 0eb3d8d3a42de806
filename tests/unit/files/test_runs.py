"""A sealed run comes back as it was put, or not at all."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.errors import InputError
from leadline.files.runs import RunStore
from leadline.ranking import Run

NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
SCORES = st.dictionaries(
    NAMES, st.floats(allow_nan=False, allow_infinity=False), max_size=5
)
RUN = Run.from_scores({"q1": {"b": 1.0, "a": 2.5}, "q2": {}, "q é": {"é": 0.1}})


@given(st.dictionaries(NAMES, SCORES, max_size=5))
def test_a_run_comes_back(
    tmp_path_factory: pytest.TempPathFactory, scores: dict[str, dict[str, float]]
) -> None:
    store = RunStore(tmp_path_factory.getbasetemp() / "runs")
    run = Run.from_scores(scores)
    store.put("key", run)
    found = store.get("key")
    assert found is not None
    assert found.question_ids == run.question_ids
    assert found.passage_ids == run.passage_ids
    for name in ("offsets", "passages", "scores"):
        assert getattr(found, name).dtype == getattr(run, name).dtype
        assert np.array_equal(getattr(found, name), getattr(run, name))


def test_the_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        RunStore(tmp_path / name).put("key", RUN)
    first, second = (tmp_path / name / "key.npz" for name in ("a", "b"))
    assert first.read_bytes() == second.read_bytes()


def test_a_run_under_another_key_is_absent(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    store.put("key", RUN)
    (tmp_path / "key.npz").rename(tmp_path / "other.npz")
    assert store.get("other") is None


def test_what_was_never_put_is_absent(tmp_path: Path) -> None:
    assert RunStore(tmp_path / "nowhere").get("key") is None


def test_a_file_that_is_cut_short_is_absent(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    store.put("key", RUN)
    path = tmp_path / "key.npz"
    whole = path.read_bytes()
    for length in range(0, len(whole), 97):
        path.write_bytes(whole[:length])
        assert store.get("key") is None


def test_a_file_that_was_changed_is_absent(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    store.put("key", RUN)
    path = tmp_path / "key.npz"
    with np.load(path) as columns:
        kept = dict(columns)
    for name, other in [
        ("scores", kept["scores"] + 1e-12),
        ("codes", kept["codes"] + 1),
        ("codes", kept["codes"] + 100),
        ("offsets", kept["offsets"][:-1]),
        ("question_ends", kept["question_ends"] - 1),
        ("questions", kept["questions"][:-3]),
        ("seal", kept["seal"][:-1]),
        ("scores", np.array([{"a": 1}], dtype=object)),
    ]:
        np.savez(path, allow_pickle=True, **{**kept, name: other})
        assert store.get("key") is None, name
    np.savez(path, **kept)
    assert store.get("key") is not None


@pytest.mark.parametrize("key", ["", "../run", "a/b", "a.b"])
def test_a_key_is_a_file_name(tmp_path: Path, key: str) -> None:
    with pytest.raises(ValueError, match="is no key"):
        RunStore(tmp_path).get(key)


def test_a_store_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("a file")
    with pytest.raises(InputError, match="a part of its path is"):
        RunStore(tmp_path / "runs").put("key", RUN)
