"""A comparison says what the data say, what they cannot say, and nothing else."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

import pytest

from leadline.errors import InputError
from leadline.experiment import Judging
from leadline.judging.binding import Binding, Receipt, rebind
from leadline.judging.compare import (
    Comparison,
    Judged,
    Outcome,
    Pair,
    Status,
    Unanswerable,
    compare,
)
from leadline.ranking import Run

JUDGING = Judging(("RR@2", "R@2"))


def binding(
    grades: Mapping[str, Mapping[str, float]], *, unanswerable: Sequence[str] = ()
) -> Binding:
    """Labels bound already: question -> passage -> grade."""
    statuses: dict[str, Status] = {
        question_id: "supported"
        if any(grade > 0 for grade in row.values())
        else "unsupported-excluded"
        if question_id in unanswerable
        else "nothing-relevant"
        for question_id, row in grades.items()
    }
    receipts = [
        Receipt(question_id, passage_id, grade, ("source_id",), "", "", "", "", None)
        for question_id, row in grades.items()
        for passage_id, grade in row.items()
    ]
    return rebind(statuses, receipts)


def run(rankings: Mapping[str, str]) -> Run:
    """Question -> passage ids, best first."""
    return Run.from_scores(
        {
            question_id: {one: 2.0 - n for n, one in enumerate(passage_ids.split())}
            for question_id, passage_ids in rankings.items()
        }
    )


def judged(
    runs: Mapping[str, Mapping[str, str]],
    labels: Binding,
    judging: Judging = JUDGING,
    *,
    seed: int = 5,
) -> Comparison:
    ranked = {name: run(rankings) for name, rankings in runs.items()}
    return compare(ranked, labels, judging, seed=seed)


def ranks(wanted: Sequence[int]) -> dict[str, str]:
    """Rankings of two with the one target at each rank; 0: not returned."""
    forms = ("x y", "t x", "x t")
    return {f"q{number:03}": forms[rank] for number, rank in enumerate(wanted)}


def targets(count: int) -> Binding:
    return binding({f"q{number:03}": {"t": 1.0} for number in range(count)})


def two(a: Sequence[int], b: Sequence[int], judging: Judging = JUDGING) -> Comparison:
    return judged({"a": ranks(a), "b": ranks(b)}, targets(len(a)), judging)


def test_unanswerable_questions_stand_in_their_own_table_and_in_no_mean() -> None:
    labels = binding({"q1": {"d1": 1}, "q2": {}, "q3": {"d2": 1}}, unanswerable=["q2"])
    runs = {
        "s": Run.from_scores(
            {"q1": {"d1": 2.0}, "q2": {"d9": 1.9}, "q3": {"x": 2.0, "d2": 1.0}}
        ),
        "none": Run.from_scores({"q1": {}, "q2": {}, "q3": {}}),
    }
    found = compare(runs, labels, Judging(("RR", "R@10")), seed=1)
    assert found.supported_count == 2
    assert found.configurations["s"].means == {"RR": 0.75, "R@10": 1.0}
    assert found.configurations["none"].means == {"RR": 0.0, "R@10": 0.0}
    assert found.configurations["none"].empty == ("q1", "q3")
    assert found.unanswerable == (
        Unanswerable("q2", {"s": 1, "none": 0}, {"s": 1.9, "none": None}),
    )
    assert found.questions["q2"] == Judged("unsupported-excluded", (), ())
    assert found.configurations["s"].questions["q2"] == Outcome((), None, 1)


def test_each_question_says_where_its_targets_are() -> None:
    labels = binding({"q": {"a": 1, "b": 2, "c": 1, "d": 0}})
    found = judged({"s": {"q": "x c d b"}}, labels, Judging(("R@2", "R@4")))
    assert found.questions["q"] == Judged("supported", ("b", "a", "c"), (2, 1, 1))
    assert found.configurations["s"].questions["q"] == Outcome(
        (4, None, 2), {"R@2": 1 / 3, "R@4": 2 / 3}, 4
    )


def test_the_recorded_comparison_comes_out() -> None:
    """Three supported questions and one that is not: misses, means and counts."""
    labels = binding(
        {"utf8": {"w": 1}, "replace": {"r": 1}, "json": {"j": 1}, "backup": {}},
        unanswerable=["backup"],
    )
    rankings = {"utf8": "x w", "replace": "r x", "json": "j x"}
    found = judged(
        {
            "lexical": {**rankings, "backup": "x"},
            "vector": {**rankings, "backup": "x y z"},
        },
        labels,
        Judging(("R@1", "RR@1", "R@2", "RR@2")),
    )
    assert found.cutoffs == (1, 2)
    for one in found.configurations.values():
        assert one.means == {
            "R@1": 2 / 3,
            "RR@1": 2 / 3,
            "R@2": 1.0,
            "RR@2": 0.8333333333333334,
        }
        assert one.misses == {"1": ("utf8",), "2": ()}
    assert found.unanswerable[0].returned == {"lexical": 1, "vector": 3}
    assert all(pair.verdict == "draw" and pair.p == 1 for pair in found.pairs)
    assert found.verdicts == (
        (
            "No difference was seen between vector and lexical on R@1: all 3 questions "
            "are draws."
        ),
    )


def test_a_pair_is_tested_question_by_question() -> None:
    found = two([2, 1, 0, 1, 2, 1], [1, 1, 1, 1, 1, 2])
    assert found.pairs[0] == Pair(
        a="a",
        b="b",
        measure="RR@2",
        count=6,
        wins=3,
        draws=2,
        losses=1,
        mean_difference=0.25,
        interval=found.pairs[0].interval,
        test="paired randomisation, exact (16 sign patterns)",
        p=0.5,
        p_adjusted=1.0,
        verdict="draw",
        needed=42,
    )
    low, high = found.pairs[0].interval or (1, 0)
    assert -0.5 <= low < 0.25 < high <= 1
    assert [(one.measure, one.p_adjusted) for one in found.pairs] == [
        ("RR@2", 1.0),
        ("R@2", 1.0),
    ]
    assert found.correction == "Holm over 2 comparisons"


def test_a_draw_says_that_the_data_cannot_separate_and_what_would() -> None:
    found = two([2, 1, 0, 1, 2, 1], [1, 1, 1, 1, 1, 2])
    low, high = found.pairs[0].interval or (1, 0)
    assert found.verdicts == (
        "The data cannot separate b from a on RR@2: of 6 questions b wins 3, draws 2 "
        f"and loses 1. Mean difference +0.250, 95% interval {low:+.3f} to {high:+.3f}; "
        "paired randomisation, exact (16 sign patterns), p = 1 after Holm over 2 "
        "comparisons. About 42 questions such as these would be needed to show a "
        "difference of this size.".replace("-", "\N{MINUS SIGN}"),
    )


def test_the_better_one_is_named_first_and_its_difference_is_above_0() -> None:
    better, worse = [1] * 20, [2] * 18 + [1] * 2
    sentences = {
        two(better, worse).verdicts[0].replace("a is", "b is"): "a",
        two(worse, better).verdicts[0]: "b",
    }
    assert [one.split(" on ")[0] for one in sentences] == [
        "b is better than b",
        "b is better than a",
    ]
    for sentence in sentences:
        assert "wins 18, draws 2 and loses 0. Mean difference +0.450, " in sentence
        assert "95% interval +0.375 to +0.500; " in sentence
        assert "Monte Carlo (10,000 draws), p < 0.001 after Holm over 2 " in sentence
    pair = two(better, worse).pairs[0]
    assert (pair.verdict, pair.mean_difference, pair.needed) == (
        "a is better",
        -0.45,
        None,
    )


def test_wins_and_losses_that_cancel_out_leave_nothing_to_show() -> None:
    found = two([1, 2], [2, 1])
    assert (found.pairs[0].wins, found.pairs[0].losses) == (1, 1)
    assert found.pairs[0].needed is None
    assert found.pairs[0].mean_difference == 0.0
    assert found.verdicts[0].endswith(
        "Wins and losses cancel out: there is no difference to show."
    )


def test_one_question_decides_nothing() -> None:
    found = two([0], [1])
    assert found.pairs[0].p == 1.0
    assert found.verdicts[0].startswith(
        "The data cannot separate b from a on RR@2: of 1 question b wins 1, draws 0 "
        "and loses 0. Mean difference +1.000, 95% interval +1.000 to +1.000; "
    )
    assert found.verdicts[0].endswith(
        "p = 1 after Holm over 2 comparisons. From one question nobody can say how "
        "many would be needed."
    )
    assert two([1], [1]).verdicts[0].endswith("on RR@2: the one question is a draw.")


def test_no_answerable_question_leaves_everything_undefined() -> None:
    labels = binding({"x": {}, "y": {}}, unanswerable=["x", "y"])
    rankings = {"x": "p", "y": ""}
    found = judged({"a": rankings, "b": rankings}, labels)
    assert found.supported_count == 0
    assert found.configurations["a"].means == {"RR@2": None, "R@2": None}
    assert found.configurations["a"].intervals == {"RR@2": None, "R@2": None}
    assert found.configurations["a"].misses == {"2": ()}
    assert found.pairs[0] == Pair(
        a="a",
        b="b",
        measure="RR@2",
        count=0,
        wins=0,
        draws=0,
        losses=0,
        mean_difference=None,
        interval=None,
        test="paired randomisation, not run",
        p=None,
        p_adjusted=None,
        verdict="draw",
        needed=None,
    )
    assert found.correction == "Holm over 0 comparisons"
    assert found.verdicts == (
        "b and a: no answerable question, so nothing was judged.",
    )
    assert [one.returned for one in found.unanswerable] == [
        {"a": 1, "b": 1},
        {"a": 0, "b": 0},
    ]


def test_all_pairs_are_compared_in_the_order_of_the_configurations() -> None:
    rankings = ranks([1])
    runs = {"z": rankings, "m": rankings, "a": rankings}
    found = judged(runs, targets(1))
    assert [(one.a, one.b, one.measure) for one in found.pairs] == [
        ("z", "m", "RR@2"),
        ("z", "m", "R@2"),
        ("z", "a", "RR@2"),
        ("z", "a", "R@2"),
        ("m", "a", "RR@2"),
        ("m", "a", "R@2"),
    ]
    assert len(found.verdicts) == 3


def test_with_a_baseline_each_is_compared_with_it() -> None:
    rankings = ranks([1])
    runs = {"z": rankings, "m": rankings, "a": rankings}
    found = judged(runs, targets(1), replace(JUDGING, baseline="m"))
    assert [(one.a, one.b) for one in found.pairs[::2]] == [("m", "z"), ("m", "a")]
    assert found.correction == "Holm over 4 comparisons"


def test_a_baseline_that_is_not_compared_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        judged({"lexical": {}}, targets(0), replace(JUDGING, baseline="lexica"))
    assert str(caught.value) == (
        'baseline: found "lexica", expected one of the compared configurations. Did '
        'you mean "lexical"?'
    )


def test_one_configuration_has_means_and_no_pairs() -> None:
    found = judged({"a": ranks([1, 2])}, targets(2))
    assert found.configurations["a"].means["RR@2"] == 0.75
    assert found.configurations["a"].intervals["RR@2"] == (0.5, 1.0)
    assert found.pairs == found.verdicts == ()


def test_no_value_depends_on_the_order_or_on_what_else_is_compared() -> None:
    wanted = {"a": [1, 2, 0] * 10, "b": [2, 2, 1] * 10, "c": [1, 0, 1] * 10}
    runs = {name: ranks(row) for name, row in wanted.items()}
    forward = judged(runs, targets(30))
    backward = judged(dict(reversed(runs.items())), targets(30))
    alone = judged({name: runs[name] for name in "ab"}, targets(30))
    assert backward.configurations == forward.configurations
    assert alone.configurations["a"] == forward.configurations["a"]
    mirrored = {(one.b, one.a, one.measure): one for one in backward.pairs}
    for pair in forward.pairs:
        other = mirrored[pair.a, pair.b, pair.measure]
        assert (other.p, other.wins, other.losses) == (pair.p, pair.losses, pair.wins)
        assert other.mean_difference == -(pair.mean_difference or 0.0)
        low, high = pair.interval or (1, 0)
        assert other.interval == (-high, -low)
    assert alone.pairs[0].p == forward.pairs[0].p
    assert alone.pairs[0].interval == forward.pairs[0].interval


def test_equal_seeds_give_equal_comparisons() -> None:
    runs = {"a": ranks([1, 2, 0] * 20), "b": ranks([2, 2, 1] * 20)}
    assert judged(runs, targets(60)) == judged(runs, targets(60))
    other = judged(runs, targets(60), seed=6)
    assert other.pairs[0].p != judged(runs, targets(60)).pairs[0].p


SCRIPT = """
import dataclasses, json
from leadline.experiment import Judging
from leadline.judging.binding import Receipt, rebind
from leadline.judging.compare import compare
from leadline.ranking import Run

names = [f"q{number}" for number in range(90)]
rows = {name: {f"p{(n * k) % 11}": 1.0 / k for k in (1, 2, 3)}
        for n, name in enumerate(names)}
labels = rebind(
    dict.fromkeys(names, "supported"),
    [Receipt(name, f"p{n % 7}", 1.0 + n % 2, (), "", "", "", "", None)
     for n, name in enumerate(names)],
)
runs = {"a": Run.from_scores(rows),
        "b": Run.from_scores({name: {"p1": 2.0, "p3": 1.0} for name in names})}
judging = Judging(("nDCG", "AP"), resamples=500)
found = compare(runs, labels, judging, seed=3)
print(json.dumps(dataclasses.asdict(found)))
"""


def test_hash_seed_and_threads_change_no_byte() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            check=True,
            capture_output=True,
            env={
                **os.environ,
                "PYTHONHASHSEED": hash_seed,
                "OPENBLAS_NUM_THREADS": threads,
            },
        ).stdout
        for hash_seed, threads in (("1", "1"), ("2", "4"))
    }
    assert len(outputs) == 1
    assert len(outputs.pop()) > 1000


def test_everything_is_plain_data() -> None:
    """A number of numpy's would print as one in a message, or not be written."""

    def kinds(value: object) -> set[type]:
        if isinstance(value, Mapping):
            return {one for item in value.items() for one in kinds(item)}
        if isinstance(value, (tuple, list)):
            return {one for item in value for one in kinds(item)}
        return {type(value)}

    for wanted in ([2, 0, 1], [2, 0, 1] * 10):
        found = two(wanted, [1] * len(wanted))
        assert kinds(asdict(found)) <= {str, int, float, type(None)}


def test_too_few_draws_to_pass_the_correction_are_said_to_be() -> None:
    few = replace(JUDGING, resamples=30)
    found = two([1] * 20, [2] * 20, few)
    assert found.pairs[0].verdict == "draw"
    assert found.correction == (
        "Holm over 2 comparisons (30 draws are too few for any of them to pass; at "
        "least 39 are needed)"
    )
    enough = two([1] * 20, [2] * 20, replace(JUDGING, resamples=39, measures=("RR",)))
    assert enough.pairs[0].verdict == "a is better"


def test_a_measure_by_another_name_is_printed_by_its_own() -> None:
    found = judged(
        {"a": ranks([1])}, targets(1), Judging(("recip_rank", "RR", "recall_5"))
    )
    assert found.measures == ("RR", "R@5")
    assert found.cutoffs == (5,)
