"""Pairing configurations: each measure's differences, question by question."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Literal, TypeAlias

import numpy as np

from leadline.experiment import Judging
from leadline.judging.comparison import Pair
from leadline.judging.evaluate import Evaluation, mean
from leadline.judging.landing import Floats, Ints
from leadline.judging.measures import Measure
from leadline.judging.statistics import (
    Finding,
    Quanta,
    bootstrapped,
    holm,
    interval,
    needed,
    paired,
)


@dataclass(frozen=True)
class Sample:
    """The supported questions' values: one column a configuration and measure."""

    columns: Mapping[tuple[str, Measure], int]
    values: Floats
    judging: Judging
    seed: int

    @classmethod
    def of(
        cls, evaluations: Mapping[str, Evaluation], judging: Judging, *, seed: int
    ) -> "Sample":
        """Put the values of every evaluation side by side."""
        found = {
            (name, measure): values
            for name, one in evaluations.items()
            for measure, values in one.values.items()
        }
        columns = {key: column for column, key in enumerate(found)}
        return cls(columns, np.column_stack(list(found.values())), judging, seed)

    @cached_property
    def quanta(self) -> Quanta:
        """The values as whole numbers."""
        return Quanta.of(self.values)

    @cached_property
    def totals(self) -> list[int]:
        """The sum of each column, in quanta."""
        totals: list[int] = self.quanta.counts.sum(axis=0).tolist()
        return totals

    @cached_property
    def resampled(self) -> Ints:
        """The sums of each column in each bootstrap resample."""
        return bootstrapped(
            self.quanta, resamples=self.judging.resamples, seed=self.seed
        )

    def interval(self, name: str, measure: Measure) -> tuple[float, float] | None:
        """Of a configuration's mean; None where no question is supported."""
        column = self.columns[name, measure]
        average = mean(self.values[:, column])
        if average is None:
            return None
        return interval(
            self.quanta,
            self.resampled[:, column],
            observed=self.totals[column],
            mean=average,
            alpha=self.judging.alpha,
        )


def pair_up(sample: Sample) -> tuple[Pair, ...]:
    """Test every pair on every measure, and correct over all of them.

    The pairs are in the order of the configurations; with a baseline, it is ``a`` in
    each.
    """
    planned = list(_planned(sample))
    if not planned or not len(sample.values):
        return tuple(_untested(*one) for one in planned)
    tests = paired(
        sample.quanta,
        [
            (sample.columns[a, measure], sample.columns[b, measure])
            for a, b, measure in planned
        ],
        resamples=sample.judging.resamples,
        seed=sample.seed,
    )
    adjusted = holm([one.p for one in tests])
    level = sample.judging.alpha / len(tests)
    return tuple(
        _pair(sample, one, tested, p_adjusted, level)
        for one, tested, p_adjusted in zip(planned, tests, adjusted, strict=True)
    )


_Planned: TypeAlias = tuple[str, str, Measure]
"""Configurations a and b, and what they are compared on."""


def _planned(sample: Sample) -> Iterator[_Planned]:
    names = list(dict.fromkeys(name for name, _ in sample.columns))
    measures = list(dict.fromkeys(measure for _, measure in sample.columns))
    baseline = sample.judging.baseline
    for a, b in combinations(sorted(names, key=lambda name: name != baseline), 2):
        if baseline in {None, a}:
            yield from ((a, b, measure) for measure in measures)


def _pair(
    sample: Sample, planned: _Planned, tested: Finding, p_adjusted: float, level: float
) -> Pair:
    a, b, measure = planned
    first, second = sample.columns[a, measure], sample.columns[b, measure]
    total = sample.totals[second] - sample.totals[first]
    differences = sample.values[:, second] - sample.values[:, first]
    tie = abs(total) <= sample.quanta.slack
    difference = 0.0 if tie else math.fsum(differences.tolist()) / len(differences)
    verdict: Literal["b is better", "a is better", "draw"] = "draw"
    if p_adjusted <= sample.judging.alpha and not tie:
        verdict = "b is better" if difference > 0 else "a is better"
    return Pair(
        a,
        b,
        str(measure),
        count=len(differences),
        wins=tested.wins,
        draws=tested.draws,
        losses=tested.losses,
        mean_difference=difference,
        interval=interval(
            sample.quanta,
            sample.resampled[:, second] - sample.resampled[:, first],
            observed=total,
            mean=difference,
            alpha=sample.judging.alpha,
        ),
        test=tested.test,
        p=tested.p,
        p_adjusted=p_adjusted,
        verdict=verdict,
        needed=None if tie or verdict != "draw" else needed(differences, level=level),
    )


def _untested(a: str, b: str, measure: Measure) -> Pair:
    return Pair(
        a,
        b,
        str(measure),
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
