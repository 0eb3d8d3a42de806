"""Every form of corpus gives the snapshot that is in it, or is refused."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from leadline.documents import Document, Snapshot, Span
from leadline.errors import InputError
from leadline.files.corpus import read_corpus
from leadline.hashing import text_sha256
from tests.shared import shared

Put = Callable[[str, Any], Path]

TEXT = "Berths are free in winter. Berths are dear in summer."


def ids(path: Path) -> list[str]:
    return [one.source_id for one in read_corpus(path).snapshot.documents]


# --- Leadline's own rows -------------------------------------------------------------


def test_every_field_of_a_row_is_the_documents(put: Put) -> None:
    metadata = {"product": "pier", "year": 2024, "depth": 3.5, "open": True}
    row = {
        "source_id": "guide",
        "text": TEXT,
        "version": "3.12",
        "status": "archived",
        "scope": "staff",
        "url": "https://example.org/guide",
        "title": "Guide",
        "metadata": metadata,
        "text_sha256": text_sha256(TEXT).upper(),
        "passages": [
            {"start": 27, "end": 53},
            {"text": "Berths are free in winter."},
        ],
    }
    (document,) = read_corpus(put("c.jsonl", [row])).snapshot.documents
    assert document == Document(
        "guide",
        TEXT,
        "3.12",
        "archived",
        "staff",
        "https://example.org/guide",
        "Guide",
        metadata,
        (Span(27, 53), Span(0, 26)),
    )


def test_a_row_needs_an_id_and_a_text_alone(put: Put) -> None:
    path = put("c.jsonl", [{"source_id": "a", "text": TEXT}])
    assert read_corpus(path).snapshot == Snapshot.of([Document("a", TEXT)])


def test_versions_of_a_source_live_side_by_side(put: Put) -> None:
    rows = [{"source_id": "a", "version": v, "text": v} for v in ("2", "1")]
    documents = read_corpus(put("c.jsonl", rows)).snapshot.documents
    assert [one.key for one in documents] == ["a@1", "a@2"]


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        (
            {"titel": "x"},
            "found an unknown field, expected a field that is known here. Did you mean",
        ),
        ({"source_id": ""}, "field \"source_id\": found '', expected an id: one line"),
        ({"source_id": "a\tb"}, r"found 'a\tb', expected an id: one line, not blank,"),
        ({"source_id": 7}, 'found 7, expected a string. Put it in quotes: "7".'),
        ({"text": None}, 'field "text": found null, expected a string.'),
        (
            {"metadata": {"tags": ["a"]}},
            "field \"metadata.tags\": found ['a'], expected a string, a number, true",
        ),
        (
            {"metadata": {"x": None}},
            'field "metadata.x": found null, expected a string',
        ),
        (
            {"metadata": {"status": "x"}},
            'field "metadata.status": found a name that the document itself has,',
        ),
        (
            {"text_sha256": "0" * 64},
            f"expected {text_sha256(TEXT)}, the sha256 of the text here. The text or",
        ),
        (
            {"text_sha256": ""},
            "field \"text_sha256\": found '', expected 64 hex digits",
        ),
        ({"text_sha256": None}, 'field "text_sha256": found null, expected a string.'),
        (
            {"passages": []},
            'field "passages": found an empty list, expected at least one passage.',
        ),
        ({"passages": ["x"]}, 'field "passages[0]": found \'x\', expected {"start"'),
        (
            {"passages": [{"start": 0, "end": 54}]},
            "found characters 0-54, expected 0 <= start < end <= 53, the text's length",
        ),
        ({"passages": [{"start": 3, "end": 3}]}, "found characters 3-3, expected 0 <="),
        ({"passages": [{"start": -1, "end": 3}]}, "found characters -1-3, expected 0"),
        ({"passages": [{"start": 0}]}, 'field "passages[0].end": found nothing, exp'),
        (
            {"passages": [{"start": 0, "end": 3}, {"start": 0, "end": 3}]},
            'field "passages[1]": found characters 0-3 again, expected every passage',
        ),
        (
            {"passages": [{"text": "Berths are"}]},
            "found text that is in the document more than once, 'Berths are', expected",
        ),
        (
            {"passages": [{"text": "berths"}]},
            'field "passages[0].text": found text that is not in the document,',
        ),
        (
            {"passages": [{"text": ""}]},
            "found empty text, '', expected text that is in",
        ),
        (
            {"passages": [{"text": "winter", "text_sha256": "1" * 64}]},
            f"expected {text_sha256('winter')}, the sha256 of the text here.",
        ),
        (
            {"passages": [{"text": "winter", "start": 19}]},
            'field "passages[0].start": found an unknown field',
        ),
    ],
)
def test_a_wrong_field_is_refused(
    put: Put, extra: dict[str, Any], message: str
) -> None:
    rows = [{"source_id": "ok", "text": ""}, {"source_id": "a", "text": TEXT, **extra}]
    path = put("c.jsonl", rows)
    with pytest.raises(InputError) as refused:
        read_corpus(path)
    assert str(refused.value).startswith(f"{path}, line 2, field ")
    assert message in str(refused.value)


def test_overlapping_repeats_of_a_quote_count(put: Put) -> None:
    row = {"source_id": "a", "text": "aXaXa", "passages": [{"text": "aXa"}]}
    with pytest.raises(InputError, match="more than once"):
        read_corpus(put("c.jsonl", [row]))


def test_a_passages_hash_may_be_given_and_is_checked(put: Put) -> None:
    passage = {"start": 19, "end": 25, "text_sha256": text_sha256("winter")}
    row = {"source_id": "a", "text": TEXT, "passages": [passage]}
    assert read_corpus(put("c.jsonl", [row])).snapshot.passages.texts == ("winter",)


def test_a_repeated_document_is_refused_by_both_lines(put: Put) -> None:
    rows = [{"_id": "d1", "text": "old wording"}, {"_id": "d2", "text": "other"}]
    path = put("c.jsonl", [*rows, {"_id": "d1", "text": "new wording"}])
    with pytest.raises(InputError) as refused:
        read_corpus(path)
    assert str(refused.value) == (
        f"{path}, line 3: found the document 'd1' again (first at line 1), expected "
        "every document once. Rename or delete one of the two."
    )


def test_repeated_keys_and_nan_are_refused(put: Put) -> None:
    path = put("c.jsonl", '{"_id": "a", "_id": "b", "text": "twice"}\n')
    with pytest.raises(InputError, match="line 1: found the key '_id' twice"):
        read_corpus(path)
    path = put("c.jsonl", '{"_id": "c", "text": "x", "score": NaN}\n')
    with pytest.raises(InputError, match="line 1: found NaN, which is not JSON"):
        read_corpus(path)


def test_half_a_pair_is_refused_and_a_whole_one_kept(put: Put) -> None:
    good = r'{"_id": "d2", "text": "good emoji \ud83c\udf78 end"}' + "\n"
    (document,) = read_corpus(put("c.jsonl", good)).snapshot.documents
    assert document.text == "good emoji \U0001f378 end"
    bad = r'{"_id": "d1", "text": "broken emoji \ud83d end"}' + "\n" + good
    with pytest.raises(
        InputError, match=r"line 1: found half .* U\+D83D, at offset 36"
    ):
        read_corpus(put("c.jsonl", bad))


def test_line_separators_are_text(put: Put) -> None:
    path = put(
        "c.jsonl",
        '{"_id": "d1", "text": "first line\u2028second line"}\n'
        '{"_id": "d2", "text": "next\x85page\u2029end"}\n'
        r'{"_id": "d3", "text": "tab\there\u000bvt\fff\u001cfs"}',
    )
    documents = read_corpus(path).snapshot.documents
    assert len(documents) == 3
    assert documents[0].text_sha256[:16] == "1b47e57caf2f76dc"


def test_documents_without_text_are_kept_and_told_of(put: Put) -> None:
    texts = ["The dog is barking", "", "   \n\t ", "!!! --- ???"]
    rows = [{"_id": f"d{i}", "text": text} for i, text in enumerate(texts)]
    corpus = read_corpus(put("c.jsonl", rows))
    assert len(corpus.snapshot.documents) == 4
    assert corpus.notes == ("2 documents have no text and can match nothing: d1, d2.",)
    rows = [{"_id": f"d{i}", "text": ""} for i in range(7)]
    (note,) = read_corpus(put("c.jsonl", rows)).notes
    assert note.endswith(" match nothing: d0, d1, d2, d3, d4 and 2 more.")
    assert read_corpus(put("c.jsonl", rows[:1])).notes == (
        "1 document has no text and can match nothing: d0.",
    )


# --- BEIR ----------------------------------------------------------------------------


def test_ids_that_look_like_numbers_stay_apart(put: Put) -> None:
    rows = [{"_id": one, "text": one} for one in ("007", "7", "7.0", "1e3")]
    assert ids(put("c.jsonl", rows)) == ["007", "1e3", "7", "7.0"]


def test_an_id_is_a_string(put: Put) -> None:
    path = put("c.jsonl", [{"_id": 1, "text": "x"}])
    with pytest.raises(InputError) as refused:
        read_corpus(path)
    assert str(refused.value) == (
        f'{path}, line 1, field "_id": found 1, expected a string. '
        'Put it in quotes: "1".'
    )


def test_a_folder_with_a_corpus_is_beir(put: Put) -> None:
    put("beir/README.md", "# Not a document")
    path = put("beir/corpus.jsonl", [{"_id": "a", "title": "T", "text": "x"}])
    assert read_corpus(path.parent).snapshot == Snapshot.of(
        [Document("a", "x", title="T")]
    )


def test_metadata_that_no_policy_can_test_is_left_out_and_told_of(put: Put) -> None:
    metadata = {"year": 1999, "url": "u", "status": "old", "authors": ["x"], "n": None}
    rows = [{"_id": "a", "text": "x", "metadata": metadata}]
    rows += [{"_id": "b", "text": "x", "metadata": {}}]
    corpus = read_corpus(put("c.jsonl", rows))
    first = corpus.snapshot.documents[0]
    assert (first.url, first.status, first.metadata) == ("u", "old", {"year": 1999})
    assert corpus.notes == (
        "1 document has metadata that no policy can test; it was left out.",
    )


# --- CSV -----------------------------------------------------------------------------


def test_cells_are_kept_exactly(put: Put) -> None:
    names = ["NA", "null", "None", "nan", "N/A", "#N/A", "TRUE", "-", "007", "7.0"]
    text = "source_id,text\n" + "".join(f"{name},{name}\n" for name in names)
    documents = read_corpus(put("c.csv", text)).snapshot.documents
    assert sorted(one.source_id for one in documents) == sorted(names)
    assert all(one.text == one.source_id for one in documents)


def test_columns_are_the_fields_and_metadata(put: Put) -> None:
    text = 'title,source_id,text,metadata.year,status\nT,a,"x, ""y""\r\nz",1999,\n'
    (document,) = read_corpus(put("c.csv", text)).snapshot.documents
    assert document == Document(
        "a", 'x, "y"\r\nz', title="T", status="", metadata={"year": "1999"}
    )


def test_a_csv_hash_is_checked_too(put: Put) -> None:
    path = put("c.csv", f"source_id,text,text_sha256\na,x,{'0' * 64}\n")
    with pytest.raises(InputError, match=r'c\.csv, line 2, field "text_sha256": found'):
        read_corpus(path)


# --- the form ------------------------------------------------------------------------


def test_a_path_of_no_known_form_is_refused(put: Put, tmp_path: Path) -> None:
    path = put("c.parquet", b"PAR1")
    with pytest.raises(InputError, match=r'found the ending "\.parquet", expected a f'):
        read_corpus(path)
    for name in ("nowhere", "nowhere.csv", "nowhere.jsonl"):
        with pytest.raises(InputError, match=rf"{name}: does not exist\. Check the"):
            read_corpus(tmp_path / name)
    with pytest.raises(InputError, match=r"c\.jsonl: is empty"):
        read_corpus(put("c.jsonl", "\n \n"))


@pytest.mark.parametrize(
    ("name", "documents", "notes"),
    [
        ("scifact", 5183, ()),
        (
            "cranfield",
            1400,
            ("2 documents have no text and can match nothing: 471, 995.",),
        ),
    ],
)
def test_known_collections_load(
    name: str, documents: int, notes: tuple[str, ...]
) -> None:
    corpus = read_corpus(shared(f"data/{name}/beir"))
    assert len(corpus.snapshot.documents) == documents
    assert corpus.notes == notes
