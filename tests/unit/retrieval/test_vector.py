"""Vector retrieval: cosines of whole questions, and every text's vector frozen."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from leadline.documents import Document, Statistics
from leadline.errors import EngineError, ExperimentError
from leadline.hashing import text_sha256
from leadline.plugins import resolve
from leadline.questions import Question
from leadline.retrieval.base import Job
from leadline.retrieval.recording import Recorded, Recording, write_recording
from leadline.retrieval.vector import PLUGIN, Vector, VectorParameters
from leadline.testing import job
from tests.hashed import Hashed, HashedParameters
from tests.retrievals import asking, questions, searched


def recorded(
    path: Path,
    passages: Mapping[str, Sequence[float]],
    asked: Mapping[str, Sequence[float]],
    texts: Mapping[str, str],
) -> Vector:
    def side(vectors: Mapping[str, Sequence[float]]) -> Recorded:
        hashes = tuple(text_sha256(texts[one]) for one in vectors)
        array = np.array(list(vectors.values()), dtype=np.float32)
        return Recorded(tuple(vectors), hashes, array)

    recording = Recording("by hand", 2, side(passages), side(asked))
    write_recording(path, recording)
    built: Vector = PLUGIN.build(VectorParameters(recording=path))
    return built


def angle(radians: float) -> tuple[float, float]:
    return math.cos(radians), math.sin(radians)


@pytest.mark.parametrize("statistics", ["eligible", "snapshot"])
def test_a_filter_leaves_the_budget_full(
    tmp_path: Path, statistics: Statistics
) -> None:
    """The five eligible passages are the farthest of forty."""
    texts = {f"p{n:02}": f"shared word item p{n:02}" for n in range(40)}
    corpus = [
        Document(one, text, metadata={"lang": "de" if one >= "p35" else "en"})
        for one, text in texts.items()
    ]
    work = job(
        corpus, questions({"q": "shared word"}, {"lang": "de"}), statistics=statistics
    )
    vectors = {one: angle(0.05 * n) for n, one in enumerate(texts)}
    retriever = recorded(
        tmp_path / "v.json", vectors, {"q": (1, 0)}, {**texts, "q": "shared word"}
    )
    found = searched(retriever, work, budget=3)["q"]
    assert found.passage_ids == ("p35", "p36", "p37")


@pytest.mark.parametrize("budget", [10, 1000])
def test_a_budget_above_the_corpus_returns_all_of_it(
    tmp_path: Path, budget: int
) -> None:
    texts = {"c0": "a cat purrs", "c1": "a dog barks", "c2": "a bird", "c3": "a fish"}
    vectors = {one: angle(float(n)) for n, one in enumerate(texts)}
    retriever = recorded(
        tmp_path / "v.json", vectors, {"q": (1, 0)}, {**texts, "q": "cat"}
    )
    found = searched(retriever, asking(texts, {"q": "cat"}), budget=budget)["q"]
    assert found.passage_ids == ("c0", "c1", "c2", "c3")
    assert found.scores == pytest.approx([math.cos(n) for n in range(4)], abs=1e-7)


def test_a_text_without_words_is_never_found_and_finds_nothing() -> None:
    texts = {"a": "desk", "b": "desk opens", "z": ""}
    retriever = Vector(Hashed(), None)
    work = asking(texts, {"q1": "desk", "q0": "?"})
    found = searched(retriever, work, budget=3)
    assert found["q1"].passage_ids == ("a", "b")
    assert found["q1"].scores[0] == pytest.approx(1, abs=2e-16)
    assert len(found["q0"]) == 0
    answer = retriever.prepare(work)
    assert answer["passages_without_words"] == 1
    assert answer["questions_without_words"] == 1
    assert (answer["passages"], answer["questions"]) == (3, 2)


def test_equal_vectors_rank_by_id() -> None:
    texts = {"c": "desk", "a": "desk", "b": "desk"}
    found = searched(Vector(Hashed(), None), asking(texts, {"q": "desk"}), budget=2)[
        "q"
    ]
    assert found.passage_ids == ("a", "b")
    assert found.scores[0] == found.scores[1] == pytest.approx(1, abs=2e-16)


def archive(*, text: str = "old desk") -> Job:
    return job(
        [
            Document("a", "desk"),
            Document("b", "desk"),
            Document("c", "berth"),
            Document("d", text, status="archived"),
        ],
        questions({"q": "desk", "r": "desk"}, {"status": "current"}),
        statistics="snapshot",
    )


def test_each_text_that_may_be_shown_is_embedded_once() -> None:
    embedder = Hashed()
    Vector(embedder, None).prepare(archive())
    assert sorted(embedder.embedded) == ["berth", "desk", "desk"]


def test_the_answer_depends_on_the_vectors_and_on_nothing_hidden() -> None:
    one = Vector(Hashed(), None).prepare(archive())
    assert one == Vector(Hashed(), None).prepare(archive(text="other"))
    other = Vector(Hashed(HashedParameters("other")), None).prepare(archive())
    assert one["passage_vectors_sha256"] != other["passage_vectors_sha256"]
    assert one["question_vectors_sha256"] != other["question_vectors_sha256"]
    assert (one["model"], one["dimension"]) == ("hashed", 8)


def test_a_recording_and_its_embedder_rank_alike(tmp_path: Path) -> None:
    from leadline.retrieval.recording import record  # noqa: PLC0415 -- only here

    work = archive()
    write_recording(tmp_path / "v.json", record(Hashed(), work))
    replayed = PLUGIN.build(VectorParameters(recording=tmp_path / "v.json"))
    assert searched(replayed, work).seal == searched(Vector(Hashed(), None), work).seal
    hashes = ("passage_vectors_sha256", "question_vectors_sha256")
    live, again = Vector(Hashed(), None).prepare(work), replayed.prepare(work)
    assert [live[one] for one in hashes] == [again[one] for one in hashes]


def test_a_search_before_prepare_is_refused() -> None:
    view, _ = archive().groups[0]
    with pytest.raises(EngineError, match="'a' was not prepared; call prepare first"):
        Vector(Hashed(), None).search(view, [Question("q", "desk")], budget=1)


@pytest.mark.parametrize(
    ("table", "found"),
    [
        ({}, "found neither"),
        ({"recording": "v.json", "embedder": "wordllama"}, "found both of them"),
    ],
)
def test_vectors_come_from_exactly_one_place(
    table: dict[str, str], found: str, tmp_path: Path
) -> None:
    pytest.importorskip("wordllama")
    with pytest.raises(ExperimentError) as refused:
        resolve("retriever", "vector", table, base=tmp_path, where="configurations.v")
    assert str(refused.value) == (
        f'configurations.v: {found}, expected either the key "embedder" or the key '
        '"recording". For example embedder = "wordllama".'
    )
