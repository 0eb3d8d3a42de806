"""The handbook as an experiment of Leadline: questions in one file, labels in another.

A comparison ranks before it opens a label, so the two may not stand in one file.
"""

import dataclasses
import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from leadline.disk import write_atomically
from leadline.documents import Document
from leadline.errors import InputError
from leadline.files.labels import write_labels
from records import Handbook

EXPERIMENT = """\
name = "The handbook of Skerrow Harbour"
scope = "ten development cases, all visible while the handbook was written"

[corpus]
path = "corpus.jsonl"

[questions]
path = "questions.jsonl"
policy = { status = "current", scope = "public" }

[labels]
path = "labels.jsonl"

[retrieval]
budget = 10

[comparison]
measures = ["R@2", "RR@2"]
baseline = "lexical"

[packets]
budget_chars = [150, 400]

[configurations.lexical]
retriever = "tfidf"
words = "ascii"
stop_words = "english"

[configurations.stemmed]
retriever = "fts5"
tokenizer = "porter unicode61"

[configurations.fused]
fuse = ["lexical", "stemmed"]
method = "rrf"
"""


def experiment(handbook: Handbook, folder: Path) -> dict[str, object]:
    """Write the handbook as an experiment, and nothing over what is there.

    Raises:
        InputError: there is something already.
    """
    path = folder / "leadline.toml"
    if path.exists():
        message = f"{path} already exists; choose another folder, or remove it first"
        raise InputError(message)
    _rows(folder / "corpus.jsonl", map(_record, handbook.snapshot.documents))
    _rows(
        folder / "questions.jsonl",
        (
            {"question_id": one.question_id, "text": one.text}
            for one in handbook.questions
        ),
    )
    write_labels(folder / "labels.jsonl", handbook.cases)
    write_atomically(path, EXPERIMENT.encode())
    return {
        "experiment": str(path),
        "next": f"cd {folder} && leadline check && leadline compare",
    }


def _record(document: Document) -> dict[str, object]:
    row = dataclasses.asdict(document)
    return {name: row[name] for name in _FIELDS}


_FIELDS = ("source_id", "version", "status", "scope", "url", "title", "text")


def _rows(path: Path, rows: Iterable[Mapping[str, object]]) -> None:
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows)
    write_atomically(path, text.encode())
