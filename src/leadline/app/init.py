"""Init: a working project from documents, ready to compare.

The starter questions are known-item ones: each is the title of a document, and that
document is its target. They show that everything works; they say nothing about what
people ask, and the file says so.
"""

import json
from collections.abc import Sequence
from importlib.util import find_spec
from os.path import relpath
from pathlib import Path

from leadline.app.talk import Talk
from leadline.disk import write_atomically
from leadline.documents import Snapshot
from leadline.errors import InputError
from leadline.files.beir import question_ids
from leadline.files.corpus import read_corpus
from leadline.files.labels import write_labels
from leadline.judging.cases import Case, ContentTarget

EXPERIMENT = "leadline.toml"
STARTERS = 5
"""How many known-item questions a new project gets."""

_HEAD = """\
# What is compared, on which documents and questions. Check it with `leadline check`,
# run it with `leadline compare`.

name = {name}

[corpus]
path = {corpus}
index = {index}          # what is searched of each passage

[questions]
path = {questions}
{ids}
[labels]
path = {labels}

[retrieval]
budget = {budget}                     # candidates a retriever may return
statistics = "eligible"         # count words only in what a question may see

[comparison]
measures = {measures}   # the first one decides the verdict
baseline = "lexical"            # what the others are compared with

[configurations.lexical]
retriever = "fts5"

[configurations.stemmed]
retriever = "fts5"
tokenizer = "porter unicode61"
"""

_WITHOUT_MODEL = """
[configurations.fused]
fuse = ["lexical", "stemmed"]
method = "rrf"

[configurations."fused+coverage"]    # counts every word alike: does it help here?
rerank = "fused"
method = "coverage"

# A vector branch needs an embedding model: pip install 'leadline[wordllama]', then
#
# [configurations.vector]
# retriever = "vector"
# embedder = "wordllama"
"""

_WITH_MODEL = """
[configurations.vector]
retriever = "vector"
embedder = "wordllama"

[configurations.fused]
fuse = ["lexical", "vector"]
method = "rrf"

[configurations."fused+coverage"]    # counts every word alike: does it help here?
rerank = "fused"
method = "coverage"
"""


def init(
    folder: Path, source: Path, *, split: str = "test", talk: Talk | None = None
) -> tuple[Path, ...]:
    """Write a project for these documents, and nothing over what is there.

    Args:
        folder: where the project goes; it is made.
        source: a folder of text or Markdown, a JSONL or CSV file, or a BEIR folder.
        split: of a BEIR folder, which judgments to use.
        talk: where words go.

    Returns:
        The files written, the experiment file first.

    Raises:
        InputError: the documents cannot be read, or the project is already there.
    """
    names = (EXPERIMENT, "questions.jsonl", "labels.jsonl", "question-ids.txt")
    for name in names:
        if (folder / name).exists():
            message = (
                f"{folder / name} already exists, and init writes over nothing: choose "
                "another folder, or remove it first"
            )
            raise InputError(message)
    corpus = read_corpus(source)
    snapshot = corpus.snapshot
    for note in corpus.notes:
        (talk or Talk()).say(f"note: {note}")
    if not snapshot.passages.ids:
        message = f"{source} holds no document; expected .md or .txt files, or rows"
        raise InputError(message)
    if (source / "corpus.jsonl").is_file():
        files = _from_collection(folder, source, split)
    else:
        files = _from_documents(folder, source, snapshot)
    for name, text in files.items():
        write_atomically(folder / name, text.encode())
    if "questions.jsonl" in files:
        write_labels(folder / "labels.jsonl", _cases(snapshot))
        return tuple(folder / name for name in (*files, "labels.jsonl"))
    return tuple(folder / name for name in files)


def _from_documents(folder: Path, source: Path, snapshot: Snapshot) -> dict[str, str]:
    rows = [
        {"question_id": f"starter-{number}", "text": title}
        for number, (_, title) in enumerate(_starters(snapshot), 1)
    ]
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return {
        EXPERIMENT: _toml(
            _HEAD + (_WITH_MODEL if _has_model() else _WITHOUT_MODEL),
            name=f"Comparison on {source.resolve().name}",
            corpus=_from(folder, source),
            index=["title", "text"],
            questions="questions.jsonl",
            ids=None,
            labels="labels.jsonl",
            budget=50,
            measures=["RR@10", "R@1", "R@5"],
        ),
        "questions.jsonl": text,
    }


def _from_collection(folder: Path, source: Path, split: str) -> dict[str, str]:
    judged = question_ids(source, split)
    return {
        EXPERIMENT: _toml(
            _HEAD + (_WITH_MODEL if _has_model() else _WITHOUT_MODEL),
            name=f"{source.resolve().name}, {split}",
            corpus=_from(folder, source),
            index=["title", "text"],
            questions=_from(folder, source / "queries.jsonl"),
            ids=(split, "question-ids.txt"),
            labels=_from(folder, source / "qrels" / f"{split}.tsv"),
            budget=100,
            measures=["nDCG@10", "R@10", "R@100", "RR@10"],
        ),
        "question-ids.txt": "".join(f"{one}\n" for one in judged),
    }


def _starters(snapshot: Snapshot) -> list[tuple[int, str]]:
    """``(passage code, title)`` of documents with a title and a text of their own."""
    passages = snapshot.passages
    titles = [document.title.strip() for document in passages.documents]
    return [
        (code, title)
        for code, title in enumerate(titles)
        if title and titles.count(title) == 1 and passages.texts[code].strip()
    ][:STARTERS] or [
        (code, " ".join(text.split()[:8]))
        for code, text in enumerate(passages.texts)
        if text.strip()
    ][:STARTERS]


def _cases(snapshot: Snapshot) -> list[Case]:
    passages = snapshot.passages
    return [
        Case(f"starter-{number}", "answerable", (content_target(snapshot, code),))
        for number, (code, _) in enumerate(_starters(snapshot), 1)
        if passages.ids
    ]


def content_target(
    snapshot: Snapshot, code: int, *, grade: float = 1.0
) -> ContentTarget:
    """The target that names a passage of this snapshot by its content."""
    passages = snapshot.passages
    document = passages.documents[code]
    return ContentTarget(
        document.source_id,
        document.version,
        document.text_sha256,
        passages.text_sha256s[code],
        grade=grade,
    )


def _has_model() -> bool:
    return find_spec("wordllama") is not None


def _from(folder: Path, target: Path) -> str:
    return Path(relpath(target.resolve(), folder.resolve())).as_posix()


def _toml(
    template: str, *, ids: tuple[str, str] | None, **values: str | int | Sequence[str]
) -> str:
    """Fill the template; a JSON string or list of strings is TOML as well."""
    quoted = {
        key: json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        for key, value in values.items()
    }
    lines = ""
    if ids is not None:
        lines = f"split = {json.dumps(ids[0])}\nids = {json.dumps(ids[1])}\n"
    return template.format(ids=lines, **quoted)
