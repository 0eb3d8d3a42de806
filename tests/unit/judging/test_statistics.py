"""The tests are exact where they can be, and say what they cannot know."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats

from leadline.errors import InputError
from leadline.judging import statistics
from leadline.judging.statistics import (
    Finding,
    Quanta,
    bootstrapped,
    flipped,
    holm,
    interval,
    needed,
    paired,
)

A = [0.2, 0.5, 0.7, 0.4, 0.9, 0.1, 0.6, 0.3]
B = [0.3, 0.5, 0.9, 0.5, 0.9, 0.4, 0.5, 0.6]


def found(
    a: Sequence[float], b: Sequence[float], *, resamples: int = 2000, seed: int = 7
) -> Finding:
    quanta = Quanta.of(np.array([a, b], np.float64).T)
    (one,) = paired(quanta, [(0, 1)], resamples=resamples, seed=seed)
    return one


def test_few_questions_are_tested_by_every_pattern_of_signs() -> None:
    assert found(A, B) == Finding(
        wins=5,
        draws=2,
        losses=1,
        p=0.125,
        test="paired randomisation, exact (64 sign patterns)",
    )


def test_sums_that_tie_are_a_tie_whatever_their_rounding() -> None:
    """0.1 + 0.2 is not 0.3 in binary, and a third is no fraction of 2**40."""
    thirds = [1 / 3, 1 / 3, 1 / 3, -1.0]
    zeros = [0.0] * 4
    assert found(zeros, thirds).p == 1.0
    exact = stats.permutation_test(
        (np.array([0.1, 0.2, 0.3, 0.6]), np.zeros(4)),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=np.inf,
    )
    assert found(zeros[:4], [0.1, 0.2, 0.3, 0.6]).p == exact.pvalue == 0.125
    # Of 16 patterns, +0.1 +0.2 -0.3 ... reach 0.6 in ten, by whole numbers.
    assert found(zeros, [0.1, 0.2, -0.3, 0.6]).p == 10 / 16


def test_identical_systems_have_no_difference_and_p_1() -> None:
    assert found([0.2, 0.5, 1.0], [0.2, 0.5, 1.0]) == Finding(
        0, 3, 0, 1.0, "paired randomisation, exact (1 sign pattern)"
    )


def test_a_constant_difference_divides_by_nothing() -> None:
    assert found([0.0] * 3, [0.1] * 3).p == 0.25


def test_one_question_shows_nothing() -> None:
    assert found([0.0], [1.0]).p == 1.0


def test_no_question_is_refused() -> None:
    with pytest.raises(InputError, match="found no question, expected at least one"):
        Quanta.of(np.empty((0, 2)))


def test_values_a_rounding_apart_are_a_draw() -> None:
    assert found([0.1 + 0.2], [0.3]).draws == 1


def test_many_questions_are_tested_by_draws_and_p_is_never_0() -> None:
    n = 40
    won = found([0.0] * n, [1.0] * n, resamples=999)
    assert won.p == 1 / 1000
    assert won.test == "paired randomisation, Monte Carlo (999 draws)"


def test_draws_agree_with_every_pattern() -> None:
    """At the border between the two, both can be had."""
    rng = np.random.default_rng(3)
    b = rng.random(16)
    b[:6] *= -1
    exact = found([0.0] * 16, b.tolist()).p
    quanta = Quanta.of(np.column_stack([np.zeros(16), b]))
    drawn = flipped(quanta, resamples=20_000, seed=1)
    total = abs(int(quanta.counts[:, 1].sum()))
    estimate = (np.abs(drawn[:, 1]) >= total).mean()
    error = math.sqrt(exact * (1 - exact) / 20_000)
    assert estimate == pytest.approx(exact, abs=4 * error)


def test_draws_agree_with_scipy() -> None:
    rng = np.random.default_rng(5)
    a, b = rng.random(60), rng.random(60) + 0.08
    b = np.clip(b, 0, 1)
    theirs = stats.permutation_test(
        (a, b),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=20_000,
        rng=np.random.default_rng(1),
    ).pvalue
    ours = found(a.tolist(), b.tolist(), resamples=20_000).p
    error = math.sqrt(2 * theirs * (1 - theirs) / 20_000)
    assert ours == pytest.approx(theirs, abs=4 * error)


def test_equal_seeds_draw_alike_and_the_draws_are_these() -> None:
    """The stream is part of a result: no release of numpy may change it."""
    quanta = Quanta.of(np.eye(3))
    signs = flipped(quanta, resamples=4, seed=2026) >> quanta.bits
    times = bootstrapped(quanta, resamples=4, seed=2026) >> quanta.bits
    assert signs.tolist() == SIGNS
    assert times.tolist() == TIMES
    assert (flipped(quanta, resamples=4, seed=2027) >> quanta.bits).tolist() != SIGNS


SIGNS = [[1, -1, 1], [1, 1, -1], [-1, 1, 1], [-1, -1, -1]]
TIMES = [[0, 1, 2], [2, 0, 1], [0, 1, 2], [3, 0, 0]]


def test_draws_do_not_depend_on_blocks_or_on_other_columns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    values = np.random.default_rng(0).random((70, 3))
    whole, one = Quanta.of(values), Quanta.of(values[:, :1])
    for draw in (flipped, bootstrapped):
        expected = draw(whole, resamples=50, seed=4)
        assert (draw(one, resamples=50, seed=4) == expected[:, :1]).all()
        assert (draw(whole, resamples=30, seed=4) == expected[:30]).all()
        with monkeypatch.context() as patch:
            patch.setattr(statistics, "_BLOCK", 7 * 70)
            assert (draw(whole, resamples=50, seed=4) == expected).all()


@pytest.mark.parametrize("questions", [1, 8191, 8192, 100_000])
def test_no_sum_can_pass_what_a_float_holds_exactly(questions: int) -> None:
    quanta = Quanta.of(np.ones((questions, 1)))
    assert int(quanta.counts.sum()) <= 2**53
    assert quanta.mean(int(quanta.counts.sum())) == 1.0
    assert quanta.bits == 40 or questions > 8191


def test_a_bootstrap_interval_agrees_with_scipy() -> None:
    values = np.random.default_rng(8).beta(0.4, 0.6, 80)
    theirs = stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=9999,
        method="percentile",
        rng=np.random.default_rng(1),
    ).confidence_interval
    quanta = Quanta.of(values[:, np.newaxis])
    ours = interval(
        quanta,
        bootstrapped(quanta, resamples=9999, seed=1)[:, 0],
        observed=int(quanta.counts.sum()),
        mean=float(values.mean()),
        alpha=0.05,
    )
    assert ours == pytest.approx((theirs.low, theirs.high), abs=0.006)


def test_an_interval_around_a_constant_is_the_constant() -> None:
    quanta = Quanta.of(np.full((9, 1), 1 / 3))
    sums = bootstrapped(quanta, resamples=100, seed=1)[:, 0]
    observed = int(quanta.counts.sum())
    ends = interval(quanta, sums, observed=observed, mean=1 / 3, alpha=0.05)
    assert ends == (1 / 3, 1 / 3)


def test_an_interval_is_mirrored_when_the_two_change_places() -> None:
    quanta = Quanta.of(np.column_stack([A, B]))
    sums = bootstrapped(quanta, resamples=1000, seed=1)
    sums = sums[:, 1] - sums[:, 0]
    total = int((quanta.counts[:, 1] - quanta.counts[:, 0]).sum())
    low, high = interval(quanta, sums, observed=total, mean=0.1125, alpha=0.1)
    other = interval(quanta, -sums, observed=-total, mean=-0.1125, alpha=0.1)
    assert other == (-high, -low)
    assert low < 0.1125 < high


@pytest.mark.parametrize(
    ("ps", "adjusted"),
    [
        ([], []),
        ([0.5], [0.5]),
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        ([0.6, 0.6, 0.6], [1.0, 1.0, 1.0]),
        ([0.02, 0.02], [0.04, 0.04]),
    ],
)
def test_holm(ps: list[float], adjusted: list[float]) -> None:
    assert holm(ps) == pytest.approx(adjusted)


def test_how_many_questions_would_show_a_difference() -> None:
    """((1.960 + 0.842) * 0.2052 / 0.1) squared is 33.05; at 0.005, 56.06."""
    differences = np.tile([0.3, -0.1], 10)  # mean 0.1, standard deviation 0.2052
    assert needed(differences, level=0.05) == 34
    assert needed(-differences, level=0.05) == 34
    assert needed(differences, level=0.005) == 57


def test_it_is_rounded_up_to_two_digits() -> None:
    differences = np.tile([0.11, -0.1], 10)
    assert needed(differences, level=0.05) == 3700


def test_it_is_more_than_there_are_and_enough_for_any_test() -> None:
    assert needed(np.full(3, 0.1), level=0.05) == 6  # 2 of 2**6 patterns
    assert needed(np.full(30, 0.1), level=0.05) == 31


def test_no_number_would_show_what_is_not_there() -> None:
    assert needed(np.zeros(5), level=0.05) is None
    assert needed(np.array([0.1, -0.1]), level=0.05) is None
    assert needed(np.array([0.1]), level=0.05) is None
