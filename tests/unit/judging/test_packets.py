"""Packets are judged by what they quote of the targets, and by what else is in them."""

import pytest

from leadline.judging.comparison import Judged, Status
from leadline.judging.packets import Quoted, judge_packets


def judged(status: Status, *targets: str) -> Judged:
    return Judged(status, targets, (1.0,) * len(targets))


JUDGED = {
    "both": judged("supported", "a", "b"),
    "one": judged("supported", "c"),
    "none": judged("unsupported-excluded"),
    "unknown": judged("unjudged"),
}


def quoted(*passage_ids: str, repeated: int = 0, conflict: bool = False) -> Quoted:
    return Quoted(passage_ids, 10 * len(passage_ids), repeated, conflict)


def test_the_share_of_the_targets_that_is_quoted() -> None:
    """Over the supported questions, whatever is quoted for the others."""
    found = judge_packets(
        {
            "both": quoted("b", "x"),
            "one": quoted("c"),
            "none": quoted("x"),
            "unknown": quoted("x"),
        },
        JUDGED,
    )
    assert found.questions == {"both": 0.5, "one": 1.0, "none": None, "unknown": None}
    assert found.targets_quoted == 0.75
    assert found.false_evidence == ("none",)
    assert found.used_chars == 50


def test_nothing_quoted_is_zero_and_no_target_is_none() -> None:
    found = judge_packets({"both": quoted(), "none": quoted()}, JUDGED)
    assert found.targets_quoted == 0.0
    assert found.false_evidence == ()
    assert judge_packets({"none": quoted()}, JUDGED).targets_quoted is None


def test_repeats_are_added_and_conflicts_named() -> None:
    found = judge_packets(
        {"both": quoted("a", repeated=7, conflict=True), "one": quoted(repeated=3)},
        JUDGED,
    )
    assert (found.repeated_chars, found.conflicts) == (10, ("both",))


def test_a_question_of_another_comparison_is_a_bug() -> None:
    with pytest.raises(KeyError):
        judge_packets({"other": quoted()}, JUDGED)
