"""Numbers are shown with the digits they have, and what is absent is never a zero."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.report import figures

NUMBERS = st.floats(-1e6, 1e6)


@pytest.mark.parametrize(
    "form",
    [
        figures.value,
        figures.difference,
        figures.interval,
        figures.p_value,
        figures.score,
    ],
)
def test_what_does_not_exist_is_not_a_number(form: object) -> None:
    assert form(None) == "n/a"  # type: ignore[operator]


@given(NUMBERS)
def test_no_hyphen_passes_for_a_minus(number: float) -> None:
    shown = figures.value(number) + figures.difference(number) + figures.score(number)
    assert "-" not in shown


@given(NUMBERS.filter(bool))
def test_a_difference_shows_its_sign(number: float) -> None:
    assert figures.difference(number)[0] == ("+" if number > 0 else figures.MINUS)


@given(NUMBERS.filter(bool))
def test_a_difference_is_never_rounded_to_nothing(number: float) -> None:
    assert any(digit in figures.difference(number) for digit in "123456789")


@given(st.floats(0, 1))
def test_a_p_value_is_never_nought(p: float) -> None:
    assert any(digit in figures.p_value(p) for digit in "123456789")


@given(st.integers(0, 5_000), st.integers(1, 5_000))
def test_a_part_is_not_nothing_and_not_the_whole(part: int, rest: int) -> None:
    shown = figures.share(part, part + rest)
    assert (shown == "0%") == (part == 0)
    assert shown != "100%"


@given(st.lists(st.floats(-1, 1), min_size=1))
def test_an_axis_encloses_what_is_drawn_on_it(numbers: list[float]) -> None:
    ticks = figures.axis(numbers)
    assert ticks[0] <= min(numbers) + 1e-9
    assert ticks[-1] >= max(numbers) - 1e-9
    assert ticks[0] < ticks[-1]
    assert len(ticks) <= 8
