"""A record is written the same every time, reads back equal, and is read strictly."""

import json
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.errors import InputError
from leadline.experiment import Judging, thaw
from leadline.files.record import (
    PassageRow,
    QuestionRow,
    RankingRow,
    Record,
    RunRow,
    encode,
    read_record,
    schema,
    write_record,
)
from leadline.judging.binding import Receipt
from leadline.judging.compare import (
    Comparison,
    ConfigurationResult,
    Judged,
    Outcome,
    Pair,
    Unanswerable,
)

Put = Callable[[str, Any], Path]

FREEZE = thaw(
    {
        "snapshot_id": "5" * 64,
        "document_count": 2,
        "passage_count": 2,
        "questions_sha256": "6" * 64,
        "question_count": 2,
        "split": "development",
        "statistics": "eligible",
        "index": ["text"],
        "scope": "two questions",
        "configurations": [
            {
                "name": "lexical",
                "kind": "retriever",
                "plugin": {"name": "words", "k1": 1.2, "weights": [1, None]},
                "inputs": [],
                "budget": 10,
                "prepared": {"engine": "1"},
            }
        ],
        "compared": ["lexical"],
        "judging": {
            "measures": ["R@1"],
            "baseline": None,
            "alpha": 0.05,
            "resamples": 100,
        },
        "labels_sha256": None,
    }
)
PASSAGE = PassageRow("a", "1", "", "Title", 0, 4, "7" * 64, "8" * 64, "text")
RESULT = ConfigurationResult(
    means={"R@1": 1.0},
    intervals={"R@1": (0.5, 1.0)},
    questions={
        "q1": Outcome((1, None), {"R@1": 1.0}, 2),
        "q2": Outcome((), None, 0),
    },
    misses={"1": ()},
    empty=(),
)
PAIR = Pair(
    "a", "b", "R@1", 1, 0, 1, 0, 0.0, (-0.5, 0.5), "exact", 1.0, 1.0, "draw", None
)
COMPARISON = Comparison(
    measures=("R@1",),
    cutoffs=(1,),
    baseline=None,
    alpha=0.05,
    resamples=100,
    seed=7,
    questions={
        "q1": Judged("supported", ("a@1", "b"), (2.0, 1.0)),
        "q2": Judged("unsupported-excluded", (), ()),
    },
    supported_count=1,
    configurations={"lexical": RESULT},
    pairs=(PAIR,),
    correction="none",
    unanswerable=(Unanswerable("q2", {"lexical": 0}, {"lexical": None}),),
    verdicts=("a draw",),
)
RECORD = Record(
    format="leadline.record/1",
    name="Ours é",
    freeze=FREEZE,
    questions=(
        QuestionRow("q1", "one?\u2028", '{"version":"1"}', "development", 2),
        QuestionRow("q2", "two?", "{}", "development", 2),
    ),
    passages={"b": replace(PASSAGE, text=None), "a@1": PASSAGE},
    runs={
        "lexical": RunRow(
            "9" * 64,
            {
                "q1": RankingRow(("a@1", "b"), (0.1 + 0.2, 1e-300)),
                "q2": RankingRow((), ()),
            },
        )
    },
    receipts=(Receipt("q1", "a@1", 2.0, ("source_id",), "a", "1", "8", "7", None),),
    comparison=COMPARISON,
    limits="Only two questions.",
)


@pytest.mark.parametrize("record", [RECORD, replace(RECORD, comparison=None)])
def test_a_record_reads_back_equal(tmp_path: Path, record: Record) -> None:
    path = tmp_path / "results" / "record.json"
    write_record(path, record)
    assert read_record(path) == record
    assert encode(read_record(path)) == path.read_bytes() == encode(record)


def test_equal_records_give_equal_bytes() -> None:
    turned = replace(RECORD, passages=dict(reversed(RECORD.passages.items())))
    assert turned == RECORD
    assert encode(turned) == encode(RECORD)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_score_reads_back_to_the_bit(score: float) -> None:
    run = RunRow("9" * 64, {"q1": RankingRow(("a",), (score,))})
    plain = json.loads(encode(replace(RECORD, runs={"x": run})))
    (found,) = plain["runs"]["x"]["rankings"]["q1"]["scores"]
    assert found.hex() == score.hex()


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_no_record_has_a_number_that_is_none(tmp_path: Path, value: float) -> None:
    run = RunRow("9" * 64, {"q1": RankingRow(("a",), (value,))})
    with pytest.raises(ValueError, match="NaN or an infinity"):
        write_record(tmp_path / "r.json", replace(RECORD, runs={"x": run}))
    assert list(tmp_path.iterdir()) == []


def test_a_question_and_a_passage_have_a_line_each() -> None:
    lines = encode(RECORD).decode().split("\n")
    for start in (
        '  {"question_id":"q1","text":"one?',
        '  "a@1": {"source_id":"a"',
        '    "q1": {"passages":["a@1","b"],"scores":[0.30000000000000004,1e-300]}',
    ):
        assert sum(line.startswith(start) for line in lines) == 1


# --- the schema ------------------------------------------------------------------


def checked_in() -> str:
    return files("leadline.files").joinpath("record.schema.json").read_text("utf-8")


def test_the_schema_that_is_checked_in_is_that_of_the_types() -> None:
    """To renew it: ``json.dumps(schema(), indent=1)`` and a line feed."""
    assert checked_in() == json.dumps(schema(), indent=1) + "\n"


def test_a_record_fits_its_schema() -> None:
    validator = jsonschema.Draft202012Validator(json.loads(checked_in()))
    validator.check_schema(json.loads(checked_in()))
    validator.validate(json.loads(encode(RECORD)))
    validator.validate(json.loads(encode(replace(RECORD, comparison=None))))


@pytest.mark.parametrize("part", ["freeze", "comparison"])
def test_the_schema_lets_no_unknown_key_in(part: str) -> None:
    plain = json.loads(encode(RECORD))
    plain[part]["more"] = 1
    with pytest.raises(jsonschema.ValidationError, match="'more' was unexpected"):
        jsonschema.validate(plain, schema())


# --- strict reading --------------------------------------------------------------


def changed(put: Put, path: str, value: object) -> Path:
    """The record with the value at a dotted path replaced; ``...`` deletes it."""
    plain = json.loads(encode(RECORD))
    *parents, last = [int(key) if key.isdecimal() else key for key in path.split(".")]
    place = plain
    for key in parents:
        place = place[key]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return put("r.json", json.dumps(plain))


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("nmae", "x", 'found an unknown key, $.nmae. Did you mean "name"?'),
        (
            "freeze.judging.alhpa",
            1,
            "unknown key, $.freeze.judging.alhpa. Did you mean",
        ),
        ("questions.1.label", 1, "found an unknown key, $.questions[1].label. Known:"),
        ("passages.b.chunk", 1, "found an unknown key, $.passages.b.chunk."),
        ("runs.lexical.rankings.q1.x", 1, "key, $.runs.lexical.rankings.q1.x."),
        (
            "comparison.configurations.lexical.questions.q1.rank",
            1,
            ".questions.q1.rank",
        ),
        ("name", ..., "object missing required field name. Write the file again."),
        ("questions.0.eligible", "2", "expected int, got str - at $.questions[0].elig"),
        ("passages.b.start", None, "expected int, got null - at $.passages[...].start"),
        ("comparison.pairs.0.interval", [1.0], "at $.comparison.pairs[0].interval"),
        (
            "comparison.pairs.0.verdict",
            "b won",
            "invalid enum value 'b won' - at $.com",
        ),
        ("runs", [], "expected object, got array - at $.runs."),
        ("comparison", 3, "expected object | null, got int - at $.comparison."),
    ],
)
def test_a_record_that_is_not_one_is_refused_by_the_path(
    put: Put, path: str, value: object, message: str
) -> None:
    file = changed(put, path, value)
    with pytest.raises(InputError) as refused:
        read_record(file)
    assert str(refused.value).startswith(f"{file}: ")
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ('{"format": "leadline.record/2"}', "'leadline.record/2'"),
        ("{}", "null"),
        ("[]", "null"),
        ('{"format": 1}', "1"),
    ],
)
def test_another_format_is_said_to_be_one(put: Put, content: str, found: str) -> None:
    path = put("r.json", content)
    with pytest.raises(InputError) as refused:
        read_record(path)
    assert str(refused.value) == (
        f'{path}: found the format {found}, expected "leadline.record/1". Read it with '
        "the version that wrote it, or compare again."
    )


def test_a_record_is_strict_json(put: Put) -> None:
    text = encode(RECORD).decode()
    with pytest.raises(InputError, match="found the key 'name' twice"):
        read_record(put("r.json", text.replace("{", '{"name": "x",', 1)))
    with pytest.raises(InputError, match="found NaN, which is not JSON"):
        read_record(put("r.json", text.replace("1e-300", "NaN")))
    with pytest.raises(InputError, match="found no JSON"):
        read_record(put("r.json", text[: len(text) // 2]))
    with pytest.raises(InputError, match="does not exist"):
        read_record(Path("nowhere.json"))


def test_judging_is_what_was_frozen() -> None:
    assert RECORD.freeze.judging == Judging(("R@1",), resamples=100)
