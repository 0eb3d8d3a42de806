"""Which questions a split judges is read off its qrels."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from leadline.errors import InputError
from leadline.files.beir import question_ids, read_qrels

Put = Callable[[str, Any], Path]


def test_each_judged_question_is_named_once_in_order(put: Put, tmp_path: Path) -> None:
    put("qrels/test.tsv", "query-id\tcorpus-id\tscore\nb\t1\t0\na\t1\t1\nb\t2\t1\n")
    assert question_ids(tmp_path, "test") == ["b", "a"]


def test_a_split_that_is_not_there_is_refused_with_those_that_are(
    put: Put, tmp_path: Path
) -> None:
    put("qrels/test.tsv", "a\t1\t1\n")
    put("qrels/train.tsv", "a\t1\t1\n")
    with pytest.raises(InputError, match=r'has no split "dev". Known: test, train\.'):
        question_ids(tmp_path, "dev")


def test_a_judgment_keeps_its_place(put: Put) -> None:
    path = put("q.tsv", "query-id\tcorpus-id\tscore\n\na\t1\t+2\n")
    (judgment,) = read_qrels(path)
    assert str(judgment.place) == f"{path}, line 3"
    assert (judgment.question_id, judgment.source_id, judgment.grade) == ("a", "1", 2)
