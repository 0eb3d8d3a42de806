"""Paired tests, intervals and correction, the same to the last bit on every machine.

Values are counted in *quanta* of 2**-40 (coarser from 8,192 questions on), so that
every sum is a whole number below 2**53. Such sums are exact in float64 whatever the
order of addition: the matrix products below may be split over threads as the machine
likes, and which of two sums is the larger never depends on a rounding.

Random numbers are raw words of PCG64, a stream that numpy promises to keep. What is
drawn is questions (bootstrap) or the signs of questions (randomisation), and every
configuration and measure shares the draws: no result depends on what else is compared.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from leadline.errors import InputError

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

EXACT = 16
"""Up to this many questions that differ, every sign pattern is tried."""
POWER = 0.8
"""How often the number of questions that `needed` names would show the difference."""
_FINEST, _SIGNIFICAND = 40, 53
_BLOCK = 1 << 20
"""Numbers in a block of draws: 8 MB of float64. No result depends on it."""


@dataclass(frozen=True, slots=True)
class Quanta:
    """Values as whole numbers of ``2**-bits``: questions down, columns across."""

    counts: Ints
    bits: int

    @classmethod
    def of(cls, values: Floats) -> "Quanta":
        """Round values between -1 and 1, of shape ``(questions, columns)``.

        Raises:
            InputError: no question.
        """
        if not len(values):
            message = "found no question, expected at least one: nothing can be tested"
            raise InputError(message)
        bits = min(_FINEST, _SIGNIFICAND - len(values).bit_length())
        return cls(np.rint(np.ldexp(values, bits)).astype(np.int64), bits)

    @property
    def slack(self) -> int:
        """By how much two sums of differences can be apart and still be a tie.

        Each value is rounded by half a quantum at most, so a difference by one, and
        each of two sums by one a question.
        """
        return 2 * len(self.counts)

    def mean(self, total: int) -> float:
        """A sum over the questions, as a mean."""
        return math.ldexp(total / len(self.counts), -self.bits)


@dataclass(frozen=True, slots=True)
class Finding:
    """A paired randomisation test of ``b`` against ``a``."""

    wins: int
    """Questions where ``b`` is better."""
    draws: int
    """Questions where the two are equal, rounding apart: within one quantum."""
    losses: int
    p: float
    """Two-sided: how often random signs give a difference at least this large."""
    test: str
    """Its name, and how the signs were chosen."""


def paired(
    quanta: Quanta, pairs: Sequence[tuple[int, int]], *, resamples: int, seed: int
) -> list[Finding]:
    """Test pairs of columns, ``(a, b)``, by paired randomisation.

    Under the hypothesis that the two do not differ, each question's difference could
    as well have the other sign. Every pattern of signs is tried where at most 16
    questions differ; else ``resamples`` are drawn, and p is ``(b + 1) / (m + 1)``, so
    that it is never 0. Two equal sums are a tie (see `Quanta.slack`) and count.

    Source: Fisher, The Design of Experiments (1935); for retrieval, Smucker, Allan &
    Carterette, CIKM (2007). The estimate: Phipson & Smyth, Stat. Appl. Genet. Mol.
    Biol. 9 (2010).
    """
    drawn: Ints | None = None
    results = []
    for a, b in pairs:
        differences = quanta.counts[:, b] - quanta.counts[:, a]
        differing = differences[np.abs(differences) > 1]
        least = abs(int(differences.sum())) - quanta.slack
        if len(differing) <= EXACT:
            sums = _every_sum(differing)
            p = int(np.count_nonzero(np.abs(sums) >= least)) / len(sums)
            how = f"exact ({_counted(len(sums), 'sign pattern')})"
        else:
            if drawn is None:
                drawn = flipped(quanta, resamples=resamples, seed=seed)
            sums = drawn[:, b] - drawn[:, a]
            extreme = int(np.count_nonzero(np.abs(sums) >= least))
            p = (extreme + 1) / (resamples + 1)
            how = f"Monte Carlo ({_counted(resamples, 'draw')})"
        wins = int(np.count_nonzero(differing > 0))
        losses = len(differing) - wins
        draws = len(differences) - len(differing)
        test = f"paired randomisation, {how}"
        results.append(Finding(wins, draws, losses, p, test))
    return results


def flipped(quanta: Quanta, *, resamples: int, seed: int) -> Ints:
    """Sums of each column under random signs of the questions: a row a draw."""
    questions = len(quanta.counts)
    values = quanta.counts.astype(np.float64)
    blocks = []
    for words in _words(questions, 64, resamples=resamples, seed=(seed, 0)):
        bits = np.unpackbits(
            words.view(np.uint8), axis=1, count=questions, bitorder="little"
        )
        blocks.append((bits.astype(np.float64) @ values).astype(np.int64))
    kept: Ints = np.concatenate(blocks)
    total: Ints = quanta.counts.sum(axis=0)
    return kept - (total - kept)


def bootstrapped(quanta: Quanta, *, resamples: int, seed: int) -> Ints:
    """Sums of each column over questions drawn with replacement: a row a draw.

    A question is 32 random bits times the number of questions, over 2**32; none is
    likelier than another by more than that number over 2**32.

    Source: Efron, Annals of Statistics 7 (1979).
    """
    questions = len(quanta.counts)
    values = quanta.counts.astype(np.float64)
    blocks = []
    for words in _words(questions, 2, resamples=resamples, seed=(seed, 1)):
        chosen = words.view("<u4")[:, :questions].astype(np.int64)
        chosen *= questions
        chosen >>= 32
        chosen += (np.arange(len(words)) * questions)[:, np.newaxis]
        times = np.bincount(chosen.ravel(), minlength=chosen.size)
        drawn = times.reshape(chosen.shape).astype(np.float64)
        blocks.append((drawn @ values).astype(np.int64))
    return np.concatenate(blocks)


def interval(
    quanta: Quanta, sums: Ints, *, observed: int, mean: float, alpha: float
) -> tuple[float, float]:
    """Percentile interval of a mean, at ``1 - alpha``.

    Args:
        quanta: what was resampled.
        sums: of the resamples; of two configurations, their difference.
        observed: the sum itself.
        mean: the mean itself. An end that ties with it is it, unrounded.
        alpha: half of it lies beyond each end.
    """
    last = len(sums) - 1
    low = int(len(sums) * alpha / 2)

    def end(total: int) -> float:
        if abs(total - observed) <= quanta.slack:
            return mean
        return 0.0 if abs(total) <= quanta.slack else quanta.mean(total)

    ends = np.partition(sums, [low, last - low])
    return end(int(ends[low])), end(int(ends[last - low]))


def holm(ps: Sequence[float]) -> list[float]:
    """Adjust p values so that all verdicts together err with at most alpha.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]

    Source: Holm, Scandinavian Journal of Statistics 6 (1979).
    """
    adjusted = [1.0] * len(ps)
    largest = 0.0
    ascending = sorted(range(len(ps)), key=lambda place: ps[place])
    for before, place in enumerate(ascending):
        largest = max(largest, min(1.0, ps[place] * (len(ps) - before)))
        adjusted[place] = largest
    return adjusted


def needed(differences: Floats, *, level: float) -> int | None:
    """About how many questions such as these would show this mean difference.

    Two-sided, by the normal approximation, at power 0.8, to two digits, upwards. At
    least one more than there are, and as many as a sign test of that level takes.

    Args:
        differences: one a question.
        level: the p that must be reached: alpha over the number of comparisons.

    Returns:
        None where there is no difference, or fewer than two questions.
    """
    count = len(differences)
    mean = math.fsum(differences.tolist()) / count
    if count < 2 or abs(mean) < 2**-_FINEST:  # noqa: PLR2004 -- a spread takes two
        return None
    squares = ((differences - mean) ** 2).tolist()
    spread = math.sqrt(math.fsum(squares) / (count - 1))
    normal = NormalDist()
    reach = normal.inv_cdf(1 - level / 2) + normal.inv_cdf(POWER)
    least = max(
        math.ceil((reach * spread / abs(mean)) ** 2),
        1 + math.ceil(-math.log2(level)),
        count + 1,
    )
    step: int = 10 ** max(0, len(str(least)) - 2)
    return -(-least // step) * step


def _every_sum(differences: Ints) -> Ints:
    """The sums under every pattern of signs."""
    sums = np.zeros(1, np.int64)
    for one in differences.tolist():
        sums = np.concatenate([sums - one, sums + one])
    return sums


def _words(
    questions: int, a_word: int, *, resamples: int, seed: tuple[int, int]
) -> Iterator[NDArray[np.uint64]]:
    """Random words for all draws, in blocks: a row a draw.

    Args:
        questions: each takes its share of a word.
        a_word: how many questions one word serves.
        resamples: rows in all.
        seed: and which of its streams.
    """
    stream = np.random.PCG64(np.random.SeedSequence(seed[0], spawn_key=(seed[1],)))
    width = -(-questions // a_word)
    rows = max(1, _BLOCK // questions)
    for start in range(0, resamples, rows):
        count = min(rows, resamples - start)
        yield stream.random_raw(count * width).astype("<u8").reshape(count, width)


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
