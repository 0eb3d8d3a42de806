"""Recordings: bound to their texts to the letter, or refused with the ids."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from leadline.documents import Document, Snapshot
from leadline.errors import InputError
from leadline.hashing import text_sha256
from leadline.policies import Policy
from leadline.questions import Question
from leadline.retrieval.base import Job
from leadline.retrieval.recording import (
    bind,
    listed,
    read_recording,
    record,
    write_recording,
)
from leadline.testing import job
from tests.hashed import Hashed
from tests.retrievals import documents, questions

TEXTS = {"a": "alpha", "b": "beta"}
VECTORS = {"a": [1, 0, 0], "b": [0, 1, 0.5]}


def value() -> dict[str, Any]:
    return {
        "format": "leadline.vectors/1",
        "model": "by hand",
        "dimension": 3,
        "passages": [
            {
                "passage_id": one,
                "text_sha256": text_sha256(text),
                "vector": VECTORS[one],
            }
            for one, text in TEXTS.items()
        ],
        "questions": [
            {
                "question_id": "q",
                "text_sha256": text_sha256("which?"),
                "vector": [1, 1, 1],
            }
        ],
    }


def work(**texts: str) -> Job:
    return job(documents({**TEXTS, **texts}), questions({"q": "which?"}))


def written(path: Path, content: object) -> Path:
    path = path / "vectors.json"
    path.write_text(json.dumps(content), "utf-8")
    return path


def test_a_recording_that_fits_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, value())
    recording = read_recording(path)
    bind(recording, work(), file=path)
    assert (recording.model, recording.dimension) == ("by hand", 3)
    assert recording.passages.ids == ("a", "b")
    assert recording.passages.components.tolist() == [[1, 0, 0], [0, 1, 0.5]]


WRONG: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "another format": (
        lambda v: v.update(format="leadline.vectors/2"),
        'field "format": found \'leadline.vectors/2\', expected "leadline.vectors/1"',
    ),
    "no model": (
        lambda v: v.pop("model"),
        'field "model": found nothing, expected a string',
    ),
    "no dimension": (
        lambda v: v.update(dimension=0),
        'field "dimension": found 0, expected 1 or more',
    ),
    "an unknown key": (
        lambda v: v.update(modell="x"),
        'field "modell": found an unknown field',
    ),
    "a shorter vector": (
        lambda v: v["passages"][1].update(vector=[0, 1]),
        'field "passages[1].vector": found 2 numbers, expected 3',
    ),
    "an empty vector": (
        lambda v: v["passages"][1].update(vector=[]),
        'field "passages[1].vector": found 0 numbers, expected 3',
    ),
    "a longer question": (
        lambda v: v["questions"][0].update(vector=[1, 0, 0, 0]),
        'field "questions[0].vector": found 4 numbers, expected 3',
    ),
    "null": (
        lambda v: v["passages"][0].update(vector=[1.0, None, 0]),
        'field "passages[0].vector[1]": found None, expected a finite float32 number',
    ),
    "a string": (
        lambda v: v["passages"][1].update(vector=["0.5", 1.0, 0]),
        "field \"passages[1].vector[0]\": found '0.5', expected a finite float32",
    ),
    "a boolean": (
        lambda v: v["passages"][1].update(vector=[True, 1.0, 0]),
        'field "passages[1].vector[0]": found True, expected a finite float32 number',
    ),
    "too large for float32": (
        lambda v: v["passages"][1].update(vector=[0, 0, 1e39]),
        'field "passages[1].vector[2]": found 1e+39, expected a finite float32 number',
    ),
    "a huge whole number": (
        lambda v: v["passages"][1].update(vector=[0, 0, 10**400]),
        'field "passages[1].vector[2]": found 1000',
    ),
    "NaN": (
        lambda v: v["passages"][1].update(vector=[float("nan"), 1, 0]),
        "found NaN, which is not JSON",
    ),
    "infinity": (
        lambda v: v["passages"][1].update(vector=[float("inf"), 1, 0]),
        "found Infinity, which is not JSON",
    ),
    "zeros": (
        lambda v: v["passages"][0].update(vector=[0, -0.0, 1e-60]),
        "field \"passages[0].vector\": found zeros only, for 'a', expected a vector",
    ),
    "an id twice": (
        lambda v: v["passages"][1].update(passage_id="a"),
        "field \"passages[1]\": found the id 'a' a second time, expected each id once",
    ),
    "no object": (
        lambda v: v.update(passages=[7]),
        'field "passages[0]": found 7, expected an object',
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_number_or_field_is_refused_with_its_place(
    tmp_path: Path, case: str
) -> None:
    change, message = WRONG[case]
    content = value()
    change(content)
    with pytest.raises(InputError) as refused:
        read_recording(written(tmp_path, content))
    assert str(refused.value).startswith(str(tmp_path / "vectors.json"))
    assert message in str(refused.value)


def test_a_list_is_no_recording(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r'found \[\], expected an object with "format"'
    ):
        read_recording(written(tmp_path, []))


UNFIT: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "unknown passage": (
        lambda v: v["passages"].append({**v["passages"][0], "passage_id": "ghost"}),
        "vectors of passages that are not in the snapshot 'ghost'",
    ),
    "missing passage": (
        lambda v: v["passages"].pop(0),
        "no vector for the passages 'a'",
    ),
    "missing question": (
        lambda v: v["questions"].clear(),
        "no vector for the questions 'q'",
    ),
    "stale passage": (
        lambda v: v["passages"][1].update(text_sha256=text_sha256("older")),
        "vectors of other texts for the passages 'b'",
    ),
    "stale question": (
        lambda v: v["questions"][0].update(text_sha256=text_sha256("older?")),
        "vectors of other texts for the questions 'q'",
    ),
}


@pytest.mark.parametrize("case", UNFIT)
def test_a_recording_of_other_texts_is_refused_with_the_ids(
    tmp_path: Path, case: str
) -> None:
    change, message = UNFIT[case]
    content = value()
    change(content)
    path = written(tmp_path, content)
    with pytest.raises(InputError) as refused:
        bind(read_recording(path), work(), file=path)
    assert str(refused.value) == (
        f"{path}: found {message}, expected the vectors of this snapshot and of these "
        "questions. Record the vectors again."
    )


def test_an_edited_passage_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, value())
    with pytest.raises(InputError, match="other texts for the passages 'a'"):
        bind(read_recording(path), work(a="alpha, edited"), file=path)


def test_vectors_of_other_questions_are_allowed(tmp_path: Path) -> None:
    content = value()
    content["questions"].append({**content["questions"][0], "question_id": "held-out"})
    path = written(tmp_path, content)
    bind(read_recording(path), work(), file=path)


def hidden(text: str) -> Job:
    corpus = [*documents(TEXTS), Document("c", text, status="archived")]
    return job(corpus, questions({"q": "which?"}, {"status": "current"}))


def test_a_passage_that_nobody_may_see_needs_no_vector(tmp_path: Path) -> None:
    path = written(tmp_path, value())
    bind(read_recording(path), hidden("gamma"), file=path)


def test_a_stale_vector_is_refused_even_of_a_passage_that_nobody_may_see(
    tmp_path: Path,
) -> None:
    content = value()
    gamma = {
        "passage_id": "c",
        "text_sha256": text_sha256("gamma"),
        "vector": [1, 1, 0],
    }
    content["passages"].append(gamma)
    path = written(tmp_path, content)
    bind(read_recording(path), hidden("gamma"), file=path)
    with pytest.raises(InputError, match="other texts for the passages 'c'"):
        bind(read_recording(path), hidden("delta"), file=path)


def test_what_is_hashed_is_what_is_searched(tmp_path: Path) -> None:
    snapshot = Snapshot.of(
        [
            Document("a", "text", title="Title"),
            Document("b", "old", title="Old", status="archived"),
        ]
    )
    index = ("title", "text")
    view = snapshot.view(Policy.parse({"status": "current"}), index=index)
    work = Job(snapshot.passages, ((view, (Question("q", "x"),)),), index=index)
    recording = record(Hashed(), work)
    assert recording.passages.text_sha256s == (text_sha256("Title\ntext"),)
    bind(recording, work, file=tmp_path)


def test_what_is_written_reads_the_same(tmp_path: Path) -> None:
    recording = record(Hashed(), work())
    components = recording.passages.components
    components[:] = np.random.default_rng(0).standard_normal(components.shape)
    components[0, 0] = np.nextafter(np.float32(0.1), np.float32(1))
    write_recording(tmp_path / "v.json", recording)
    again = read_recording(tmp_path / "v.json")
    assert again.passages.components.tobytes() == components.tobytes()
    assert again.passages.ids == recording.passages.ids
    assert again.questions.text_sha256s == recording.questions.text_sha256s
    first = (tmp_path / "v.json").read_bytes()
    write_recording(tmp_path / "v.json", again)
    assert (tmp_path / "v.json").read_bytes() == first


def test_a_text_without_words_cannot_be_recorded() -> None:
    with pytest.raises(InputError) as refused:
        record(Hashed(), work(z="", y="?"))
    assert str(refused.value) == (
        "passage without words, of which no vector can be recorded: 'y', 'z'. "
        "Give it a text, or leave it out"
    )


def test_long_lists_of_ids_are_cut() -> None:
    assert (
        listed(f"p{n}" for n in range(8)) == "'p0', 'p1', 'p2', 'p3', 'p4' and 3 more"
    )
