"""Small projects on disk, for tests that need files."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from leadline.hashing import text_sha256

TEXTS = {
    "desk.md": "The help desk opens at nine and closes at five on working days.",
    "laptop.md": "A laptop may be borrowed for fourteen days, and renewed once.",
    "late.md": "Whoever returns equipment after the due date pays two euros a day.",
    "room.md": "The reading room is open day and night; the help desk is not.",
    "berth.md": "A berth is reserved at the office, with the name of the vessel.",
}
QUESTIONS = {
    "hours": "When does the help desk open?",
    "borrow": "May I borrow a laptop for fourteen days?",
    "fine": "What does a late return cost per day?",
    "crane": "Who may operate the crane?",
}
ANSWERS = {
    "hours": ["desk.md"],
    "borrow": ["laptop.md"],
    "fine": ["late.md"],
    "crane": [],
}

CONFIGURATIONS = """
[configurations.lexical]
retriever = "fts5"

[configurations.stemmed]
retriever = "fts5"
tokenizer = "porter unicode61"

[configurations.fused]
fuse = ["lexical", "stemmed"]
method = "rrf"

[configurations."fused+coverage"]
rerank = "fused"
method = "coverage"
"""


def rows(path: Path, values: Sequence[Mapping[str, object]]) -> Path:
    """Write JSONL."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)
    path.write_text(text, "utf-8")
    return path


def target(source_id: str, text: str, *, grade: float = 1) -> dict[str, object]:
    """A target that names a whole document by its content."""
    return {
        "source_id": source_id,
        "source_text_sha256": text_sha256(text),
        "passage_text_sha256": text_sha256(text),
        "grade": grade,
    }


def project(
    folder: Path,
    *,
    texts: Mapping[str, str] = TEXTS,
    answers: Mapping[str, Sequence[str]] = ANSWERS,
    configurations: str = CONFIGURATIONS,
    comparison: str = 'measures = ["RR@3", "R@1", "R@3"]\nresamples = 200',
) -> Path:
    """A working project; returns its experiment file."""
    for name, text in texts.items():
        (folder / "docs").mkdir(parents=True, exist_ok=True)
        (folder / "docs" / name).write_text(text, "utf-8", newline="")
    rows(
        folder / "questions.jsonl",
        [{"question_id": key, "text": text} for key, text in QUESTIONS.items()],
    )
    write_labels(folder, answers, texts)
    path = folder / "leadline.toml"
    path.write_text(
        'name = "The harbour library"\n\n'
        '[corpus]\npath = "docs"\n\n'
        '[questions]\npath = "questions.jsonl"\n\n'
        '[labels]\npath = "labels.jsonl"\n\n'
        "[retrieval]\nbudget = 4\n\n"
        f"[comparison]\n{comparison}\n{configurations}",
        "utf-8",
    )
    return path


def write_labels(
    folder: Path,
    answers: Mapping[str, Sequence[str]],
    texts: Mapping[str, str] = TEXTS,
) -> None:
    """Label every question: with its sources, or as unanswerable."""
    rows(
        folder / "labels.jsonl",
        [
            {
                "question_id": key,
                "class": "answerable" if sources else "unanswerable",
                "targets": [target(one, texts[one]) for one in sources],
            }
            for key, sources in answers.items()
        ],
    )
