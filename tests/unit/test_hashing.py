"""Equal content has one hash, on any machine; any difference has another."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.hashing import (
    canonical,
    digest,
    digest_columns,
    file_sha256,
    text_sha256,
)

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner)
    ),
    max_leaves=20,
)


def test_the_canonical_form_is_fixed() -> None:
    value = {"b": [1, 1.0, True, None], "a": "é\u2028\U0001f378", "": {}}
    expected = '{"":{},"a":"é\u2028\U0001f378","b":[1,1.0,true,null]}'
    assert canonical(value) == expected.encode()


@given(VALUES)
def test_the_canonical_form_is_json_of_the_value(value: object) -> None:
    assert json.loads(canonical(value)) == value  # type: ignore[arg-type]


@given(st.dictionaries(st.text("abc"), st.integers()))
def test_no_order_of_keys_is_seen(table: dict[str, int]) -> None:
    turned = dict(reversed(table.items()))
    assert canonical(turned) == canonical(table)
    assert digest("x", turned) == digest("x", table)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), [-float("inf")]])
def test_what_json_has_not_has_no_hash(value: float | list[float]) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical(value)


@pytest.mark.parametrize(
    ("one", "other"),
    [(1, 1.0), (1, "1"), (1, True), ([], {}), ("", None), ("\u00e9", "e\u0301")],
)
def test_values_of_two_kinds_are_two(one: object, other: object) -> None:
    assert digest("x", one) != digest("x", other)  # type: ignore[arg-type]


def test_equal_bytes_of_two_kinds_share_no_id() -> None:
    assert digest("snapshot/1", []) != digest("run/1", [])
    known = hashlib.sha256(b'leadline:run/1\n{"a":1}').hexdigest()
    assert digest("run/1", {"a": 1}) == known


def test_a_text_has_the_hash_that_anybody_can_compute(tmp_path: Path) -> None:
    text = "café\r\n"
    path = tmp_path / "text.txt"
    path.write_bytes(text.encode())
    expected = hashlib.sha256(text.encode()).hexdigest()
    assert text_sha256(text) == file_sha256(path) == expected
    assert text_sha256("") == hashlib.sha256(b"").hexdigest()


# --- columns ---------------------------------------------------------------------


def test_the_hash_of_columns_is_the_same_on_every_machine() -> None:
    codes = np.array([[1, 2], [3, 4]], dtype=np.int64)
    scores = np.array([0.1, -0.0])
    expected = digest_columns("x", ["a"], codes, scores)
    for other in (
        digest_columns("x", ["a"], codes.astype(">i8"), scores.astype(">f8")),
        digest_columns("x", iter(["a"]), np.asfortranarray(codes), scores),
        digest_columns("x", ["a"], codes, np.array([0.1, 9, -0.0])[::2]),
    ):
        assert other == expected


def test_every_difference_of_columns_is_seen() -> None:
    codes = np.arange(4, dtype=np.int64)
    seen = [
        digest_columns("x", ["ab", "c"], codes),
        digest_columns("y", ["ab", "c"], codes),
        digest_columns("x", ["a", "bc"], codes),
        digest_columns("x", ["abc"], codes),
        digest_columns("x", ["ab", "c", ""], codes),
        digest_columns("x", ["ab", "c"], codes.astype(np.int32)),
        digest_columns("x", ["ab", "c"], codes.reshape(2, 2)),
        digest_columns("x", ["ab", "c"], codes[:2], codes[2:]),
        digest_columns("x", ["ab", "c"], codes.astype(np.float64)),
        digest_columns("x", ["ab", "c"], codes[::-1]),
    ]
    assert len(set(seen)) == len(seen)


def test_a_hash_leaves_its_input_alone() -> None:
    scores = np.array([3.0, 1.0], dtype=">f8")
    digest_columns("x", [], scores)
    assert scores.dtype == np.dtype(">f8")
    assert scores.tolist() == [3.0, 1.0]
