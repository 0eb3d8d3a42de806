"""Tests and corrections keep their laws on any data."""

from itertools import product
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from leadline.judging.statistics import Finding, Quanta, holm, paired

HUNDREDTHS = st.integers(0, 100)
ROWS = st.lists(st.tuples(HUNDREDTHS, HUNDREDTHS), min_size=1, max_size=9)
MANY = st.lists(st.tuples(HUNDREDTHS, HUNDREDTHS), min_size=30, max_size=60)
PS = st.lists(st.floats(0, 1), max_size=12)


def compared(values: NDArray[np.float64], a: int = 0, b: int = 1) -> Finding:
    (found,) = paired(Quanta.of(values), [(a, b)], resamples=200, seed=1)
    return found


@given(ROWS)
def test_few_questions_have_the_p_of_whole_numbers(rows: list[tuple[int, int]]) -> None:
    """Counting hundredths needs no rounding, and gives the same p to the last bit."""
    differences = [b - a for a, b in rows]
    observed = abs(sum(differences))
    patterns = list(product([-1, 1], repeat=len(rows)))
    extreme = sum(
        abs(sum(sign * one for sign, one in zip(signs, differences, strict=True)))
        >= observed
        for signs in patterns
    )
    found = compared(np.array(rows) / 100)
    assert found.p == extreme / len(patterns)
    assert found.wins == sum(one > 0 for one in differences)
    assert found.losses == sum(one < 0 for one in differences)
    assert found.draws == sum(one == 0 for one in differences)


@given(st.one_of(ROWS, MANY))
def test_p_is_a_probability_above_0_and_has_no_side(
    rows: list[tuple[int, int]],
) -> None:
    values = np.array(rows) / 100
    found, other = compared(values), compared(values, 1, 0)
    assert 0 < found.p <= 1
    assert (other.p, other.wins, other.losses) == (found.p, found.losses, found.wins)


@given(st.one_of(ROWS, MANY))
def test_a_system_draws_with_itself(rows: list[tuple[int, int]]) -> None:
    found = compared(np.array(rows) / 100, 0, 0)
    assert (found.wins, found.losses, found.p) == (0, 0, 1.0)


@given(PS, st.randoms())
def test_correction_only_raises_and_keeps_the_order(
    ps: list[float], random: Random
) -> None:
    adjusted = holm(ps)
    assert all(p <= one <= 1 for p, one in zip(ps, adjusted, strict=True))
    places = sorted(range(len(ps)), key=lambda place: ps[place])
    assert [adjusted[place] for place in places] == sorted(adjusted)
    shuffled = list(range(len(ps)))
    random.shuffle(shuffled)
    again = holm([ps[place] for place in shuffled])
    assert again == [adjusted[place] for place in shuffled]
