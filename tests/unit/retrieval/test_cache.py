"""The cache: nothing is embedded twice, and nothing stale or damaged is believed."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from leadline.errors import EngineError, LeadlineError
from leadline.retrieval import cache
from leadline.retrieval.base import Role
from leadline.retrieval.cache import embed
from tests.hashed import Hashed, HashedParameters

TEXTS = ["one", "two", "three", "one", ""]


def files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.vectors"))


def test_a_second_run_embeds_nothing(tmp_path: Path) -> None:
    first, second = Hashed(), Hashed()
    vectors = embed(first, TEXTS, role="passage", cache=tmp_path)
    again = embed(second, TEXTS, role="passage", cache=tmp_path)
    assert first.embedded == ["one", "two", "three", ""]
    assert second.embedded == []
    assert vectors.tobytes() == again.tobytes()


def test_the_cache_decides_nothing(tmp_path: Path) -> None:
    kept = embed(Hashed(), TEXTS, role="passage", cache=tmp_path)
    assert kept.tobytes() == embed(Hashed(), TEXTS, role="passage").tobytes()


def test_only_new_texts_are_embedded(tmp_path: Path) -> None:
    embed(Hashed(), TEXTS, role="passage", cache=tmp_path)
    later = Hashed()
    vectors = embed(later, ["four", "two"], role="passage", cache=tmp_path)
    assert later.embedded == ["four"]
    assert (
        vectors.tobytes() == Hashed().embed(["four", "two"], role="passage").tobytes()
    )


@pytest.mark.parametrize(
    "parameters", [HashedParameters(model="other"), HashedParameters(dimension=4)]
)
def test_another_model_finds_nothing_stale(
    tmp_path: Path, parameters: HashedParameters
) -> None:
    embed(Hashed(), TEXTS, role="passage", cache=tmp_path)
    fresh = embed(Hashed(parameters), TEXTS, role="passage")
    kept = embed(Hashed(parameters), TEXTS, role="passage", cache=tmp_path)
    assert kept.tobytes() == fresh.tobytes()


def test_a_question_is_no_passage(tmp_path: Path) -> None:
    embed(Hashed(), TEXTS, role="passage", cache=tmp_path)
    asked = Hashed()
    embed(asked, ["one"], role="question", cache=tmp_path)
    assert asked.embedded == ["one"]


def damage_end(raw: bytes) -> bytes:
    return raw[:-3]


def damage_number(raw: bytes) -> bytes:
    return raw[:-1] + bytes([raw[-1] ^ 1])


def damage_key(raw: bytes) -> bytes:
    return raw[:9] + bytes([raw[9] ^ 1]) + raw[10:]


def damage_count(raw: bytes) -> bytes:
    return b"\xff" * 8 + raw[8:]


def damage_all(_: bytes) -> bytes:
    return b""


@pytest.mark.parametrize(
    "damage", [damage_end, damage_number, damage_key, damage_count, damage_all]
)
def test_a_damaged_file_is_computed_again(tmp_path: Path, damage: object) -> None:
    vectors = embed(Hashed(), TEXTS, role="passage", cache=tmp_path)
    (path,) = files(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(damage(whole))  # type: ignore[operator]  # one of the above
    again = Hashed()
    found = embed(again, TEXTS, role="passage", cache=tmp_path)
    assert again.embedded == ["one", "two", "three", ""]
    assert found.tobytes() == vectors.tobytes()
    assert [one.read_bytes() for one in files(tmp_path)] == [whole]


def test_many_small_files_become_one(tmp_path: Path) -> None:
    texts = [f"text {number}" for number in range(12)]
    for text in texts:
        embed(Hashed(), [text], role="passage", cache=tmp_path)
    assert len(files(tmp_path)) <= 8
    again = Hashed()
    found = embed(again, texts, role="passage", cache=tmp_path)
    assert again.embedded == []
    assert found.tobytes() == Hashed().embed(texts, role="passage").tobytes()


def test_a_file_that_another_process_removed_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    embed(Hashed(), TEXTS, role="passage", cache=tmp_path)
    paths = files(tmp_path)
    monkeypatch.setattr(cache, "_segments", lambda _: paths)
    paths[0].unlink()
    again = Hashed()
    embed(again, ["one"], role="passage", cache=tmp_path)
    assert again.embedded == ["one"]


def test_an_interrupted_run_keeps_its_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "_BATCH", 2)

    class Interrupted(Hashed):
        def embed(self, texts: Sequence[str], *, role: Role) -> NDArray[np.float32]:
            if "three" in texts:
                raise KeyboardInterrupt
            return super().embed(texts, role=role)

    with pytest.raises(KeyboardInterrupt):
        embed(Interrupted(), TEXTS, role="passage", cache=tmp_path)
    rest = Hashed()
    embed(rest, TEXTS, role="passage", cache=tmp_path)
    assert rest.embedded == ["three", ""]


PROGRAM = """
import sys
from pathlib import Path
from leadline.retrieval.cache import embed
from tests.hashed import Hashed
for start in range(0, 200, 10):
    texts = [f"text {n}" for n in range(start, start + 10)]
    embed(Hashed(), texts, role="passage", cache=Path(sys.argv[1]))
"""


def test_several_processes_share_one_cache(tmp_path: Path) -> None:
    root = Path(__file__).parents[3]
    running = [
        subprocess.Popen([sys.executable, "-c", PROGRAM, str(tmp_path)], cwd=root)
        for _ in range(3)
    ]
    assert [one.wait() for one in running] == [0, 0, 0]
    texts = [f"text {n}" for n in range(200)]
    found = embed(Hashed(), texts, role="passage", cache=tmp_path)
    assert found.tobytes() == Hashed().embed(texts, role="passage").tobytes()


def test_progress_says_what_and_how_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "_BATCH", 3)
    told: list[tuple[str, int, int]] = []

    def progress(label: str, done: int, total: int) -> None:
        told.append((label, done, total))

    for _ in range(2):
        embed(Hashed(), TEXTS, role="passage", cache=tmp_path, progress=progress)
    label = "embedding each passage with hashed"
    assert told == [(label, 0, 4), (label, 3, 4), (label, 4, 4)]


def test_no_text_is_no_work() -> None:
    assert embed(Hashed(), [], role="question").shape == (0, 8)


class Wrong(Hashed):
    """Answers with whatever it was given."""

    def __init__(self, answer: object) -> None:
        super().__init__()
        object.__setattr__(self, "answer", answer)

    def embed(self, texts: Sequence[str], *, role: Role) -> NDArray[np.float32]:
        if isinstance(self.answer, Exception):  # type: ignore[attr-defined]
            raise self.answer  # type: ignore[attr-defined]
        return self.answer  # type: ignore[attr-defined,no-any-return]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (
            np.zeros((1, 7), np.float32),
            'the embedder "hashed" answered with shape (1, 7), expected (1, 8)',
        ),
        (
            np.zeros((1, 8)),
            'the embedder "hashed" answered with float64, expected float32',
        ),
        (
            np.full((1, 8), np.nan, np.float32),
            "the embedder \"hashed\" answered with NaN or infinity for the text 'one'",
        ),
        (
            ValueError("no such token"),
            'the embedder "hashed" failed: ValueError: no such token',
        ),
    ],
)
def test_an_embedder_that_breaks_its_promise_is_named(
    answer: object, message: str
) -> None:
    with pytest.raises(EngineError) as refused:
        embed(Wrong(answer), ["one"], role="passage")
    assert str(refused.value) == message


def test_an_embedder_must_say_its_dimension() -> None:
    with pytest.raises(LeadlineError, match='"hashed" does not say its dimension'):
        embed(Hashed(HashedParameters(dimension=0)), ["one"], role="passage")
