"""Comparing runs: everything that judging says of them, as plain data.

The values of `leadline.judging.comparison` are found here too.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from leadline.errors import InputError, did_you_mean
from leadline.experiment import Judging
from leadline.judging.binding import Binding
from leadline.judging.comparison import (
    Comparison,
    ConfigurationResult,
    Judged,
    Outcome,
    Pair,
    Status,
    Unanswerable,
)
from leadline.judging.evaluate import Evaluation, cutoffs, evaluate
from leadline.judging.measures import parse_all
from leadline.judging.pairing import Sample, pair_up
from leadline.judging.statistics import EXACT
from leadline.judging.verdicts import sentence
from leadline.ranking import Run

__all__ = [
    "Comparison",
    "ConfigurationResult",
    "Judged",
    "Outcome",
    "Pair",
    "Status",
    "Unanswerable",
    "compare",
]


def compare(
    runs: Mapping[str, Run], binding: Binding, judging: Judging, *, seed: int
) -> Comparison:
    """Judge every run, and each pair of them on each measure.

    Args:
        runs: configuration -> its run over the questions asked. Their order is that
            of the tables, and of the two in a pair; no value depends on it.
        binding: of the labels, for the same questions.
        judging: measures, baseline, alpha and resamples, as they were frozen.
        seed: of the resampling, from the freeze id.

    Raises:
        InputError: an unknown measure or baseline, or a run over other questions.
    """
    measures = parse_all(judging.measures)
    names = list(runs)
    baseline = judging.baseline
    if baseline is not None and baseline not in runs:
        raise InputError(
            f'baseline: found "{baseline}", expected one of the compared '
            f"configurations. {did_you_mean(baseline, names)}"
        )
    evaluations = {
        name: evaluate(run, binding.qrels, measures, source=f'configuration "{name}"')
        for name, run in runs.items()
    }
    sample = Sample.of(evaluations, judging, seed=seed)
    pairs = pair_up(sample)
    correction = _correction(pairs, judging)
    return Comparison(
        measures=tuple(map(str, measures)),
        cutoffs=cutoffs(measures),
        baseline=baseline,
        alpha=judging.alpha,
        resamples=judging.resamples,
        seed=seed,
        questions=dict(binding.judged),
        supported_count=len(sample.values),
        configurations={
            name: ConfigurationResult(
                means={str(key): mean for key, mean in one.means.items()},
                intervals={str(key): sample.interval(name, key) for key in measures},
                questions=dict(_outcomes(runs[name], one, binding)),
                misses={str(cutoff): ids for cutoff, ids in one.misses.items()},
                empty=one.empty,
            )
            for name, one in evaluations.items()
        },
        pairs=pairs,
        correction=correction,
        unanswerable=tuple(_unanswerable(runs, binding)),
        verdicts=tuple(
            sentence(pair, alpha=judging.alpha, correction=correction)
            for pair in pairs
            if pair.measure == str(measures[0])
        ),
    )


def _correction(pairs: Sequence[Pair], judging: Judging) -> str:
    """What was corrected for, and whether so few draws could ever pass it."""
    count = sum(pair.p is not None for pair in pairs)
    correction = f"Holm over {count} {'comparison' if count == 1 else 'comparisons'}"
    drawn = any(pair.wins + pair.losses > EXACT for pair in pairs)
    least = math.ceil(count / judging.alpha) - 1
    if not drawn or judging.resamples >= least:
        return correction
    return (
        f"{correction} ({judging.resamples:,} draws are too few for any of them to "
        f"pass; at least {least:,} are needed)"
    )


def _outcomes(
    run: Run, evaluation: Evaluation, binding: Binding
) -> Iterator[tuple[str, Outcome]]:
    """Each question's outcome, in the order asked."""
    # A landing's rows are the targets of one question after the other.
    ranks = iter(evaluation.landing.ranks.tolist())
    columns = {str(key): row.tolist() for key, row in evaluation.values.items()}
    supported = {one: row for row, one in enumerate(evaluation.landing.question_ids)}
    lengths = run.lengths.tolist()
    for question_id, judged in binding.judged.items():
        row = supported.get(question_id)
        yield (
            question_id,
            Outcome(
                tuple(rank or None for rank in islice(ranks, len(judged.targets))),
                None
                if row is None
                else {name: values[row] for name, values in columns.items()},
                lengths[run.positions[question_id]],
            ),
        )


def _unanswerable(runs: Mapping[str, Run], binding: Binding) -> Iterator[Unanswerable]:
    for question_id, judged in binding.judged.items():
        if judged.status == "unsupported-excluded":
            rankings = {name: run[question_id] for name, run in runs.items()}
            yield Unanswerable(
                question_id,
                {name: len(one) for name, one in rankings.items()},
                {name: next(iter(one.scores), None) for name, one in rankings.items()},
            )
