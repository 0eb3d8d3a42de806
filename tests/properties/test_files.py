"""Whatever can be said in a file is read as it was said, in any of its forms."""

import csv
import io
import itertools
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from leadline.documents import Document, Snapshot, Span
from leadline.files.corpus import read_corpus
from leadline.files.labels import read_labels, write_labels
from leadline.files.questions import read_questions
from leadline.judging.cases import Case, ContentTarget
from leadline.questions import Question

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
IDS = st.text(
    st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1, max_size=8
).filter(str.strip)
SCALARS = TEXTS | st.integers(-(2**53), 2**53) | st.booleans()
HASHES = st.text("0123456789abcdef", min_size=64, max_size=64)


@st.composite
def documents(draw: st.DrawFn, *, metadata: bool = True) -> list[Document]:
    found = []
    for source_id in draw(
        st.lists(IDS.map(lambda one: one + "."), unique=True, max_size=4)
    ):
        text = draw(TEXTS)
        cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=4)))
        spans = tuple(Span(a, b) for a, b in itertools.pairwise(cuts))
        fields = draw(
            st.dictionaries(IDS.map(lambda one: f"m-{one}"), SCALARS, max_size=3)
        )
        found.append(
            Document(
                source_id,
                text,
                status=draw(TEXTS),
                url=draw(TEXTS),
                title=draw(TEXTS),
                metadata=fields if metadata else {},
                spans=spans if spans and metadata else None,
            )
        )
    return found


def row(document: Document) -> dict[str, object]:
    values: dict[str, object] = {
        "source_id": document.source_id,
        "text": document.text,
        "status": document.status,
        "url": document.url,
        "title": document.title,
        "metadata": dict(document.metadata),
    }
    if document.spans is not None:
        values["passages"] = [{"start": s.start, "end": s.end} for s in document.spans]
    return values


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("files")


@given(documents().filter(bool), st.booleans(), st.sampled_from(["\n", "\r\n", "\n\n"]))
def test_documents_survive_jsonl(
    folder: Path,
    some: list[Document],
    ascii_only: bool,  # noqa: FBT001 -- drawn
    end: str,
) -> None:
    path = folder / "c.jsonl"
    lines = [json.dumps(row(one), ensure_ascii=ascii_only) for one in some]
    path.write_bytes(end.join(lines).encode())
    assert read_corpus(path).snapshot == Snapshot.of(some)


@given(documents(metadata=False).filter(bool))
def test_documents_survive_csv(folder: Path, some: list[Document]) -> None:
    names = ["source_id", "text", "status", "url", "title"]
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerows([names, *([row(one)[name] for name in names] for one in some)])
    path = folder / "c.csv"
    path.write_bytes(stream.getvalue().encode())
    assert read_corpus(path).snapshot == Snapshot.of(some)


@given(st.dictionaries(IDS, TEXTS.filter(str.strip), min_size=1))
def test_questions_are_the_same_in_every_form(
    folder: Path, texts: dict[str, str]
) -> None:
    expected = tuple(Question(name, text) for name, text in texts.items())

    def lines(key: str) -> bytes:
        rows = [{key: name, "text": text} for name, text in texts.items()]
        return "\n".join(json.dumps(one) for one in rows).encode()

    def quoted(cells: Sequence[str]) -> str:
        return ",".join('"' + cell.replace('"', '""') + '"' for cell in cells)

    table = "\n".join(map(quoted, [("question_id", "text"), *texts.items()]))
    (folder / "queries.jsonl").write_bytes(lines("_id"))
    (folder / "q.jsonl").write_bytes(b"\xef\xbb\xbf" + lines("question_id"))
    (folder / "q.csv").write_bytes(table.encode())
    for path in (folder, folder / "q.jsonl", folder / "q.csv"):
        assert read_questions(path) == expected


CASES = st.lists(
    st.builds(
        Case,
        IDS,
        st.sampled_from(["answerable", "unanswerable"]),
        st.lists(
            st.builds(
                ContentTarget,
                IDS,
                TEXTS,
                HASHES,
                HASHES,
                st.none() | TEXTS,
                st.floats(0, 10),
            ),
            max_size=3,
        ).map(tuple),
    ),
    min_size=1,
    max_size=5,
)


@given(CASES)
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_cases_survive_their_file(folder: Path, cases: list[Case]) -> None:
    path = folder / "l.jsonl"
    write_labels(path, cases)
    found = read_labels(path)
    assert [(one.question_id, one.case_class, one.targets) for one in found] == [
        (one.question_id, one.case_class, one.targets) for one in cases
    ]
