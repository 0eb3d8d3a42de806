"""Exact cosines: the nearest vectors, equal to the last bit on every machine.

A float matrix product is not: its rounding depends on the processor, on the BLAS and
on the number of threads, and the last bit decides ties. So a ranking is made in two
steps.

1. A float32 product of unit vectors finds candidates. In any order of its additions,
   fused or not, it is off by less than ``(dimension + 8) * 2**-24``; whatever lies
   within twice that of the last place is a candidate.
2. Every candidate is scored again in whole numbers. A component ``x`` of a unit vector
   is split into two limbs, ``high = round(x * 2**26)`` and
   ``low = round((x - high * 2**-26) * 2**52)``. With ``hh`` the sum of ``high * high'``
   over all dimensions and ``hl`` that of ``high * low' + low * high'``, the cosine is
   ``hh * 2**-52 + hl * 2**-78``, kept within -1 and 1. To add them up, the question's
   limbs are split once more, so that no sum on the way reaches ``2**53``: below that
   a float64 holds every whole number, and a product is exact in any order.

A length is the root of a sum of squares that is folded in halves: one fixed order of
float64 additions. All the rest is one correctly rounded operation at a time. The
result is within a few units of 1e-16 of the true cosine, typically; what is dropped
can amount to ``dimension * 2**-54``.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from leadline.ranking import Codes, Scores, top

_BLOCK = 4096
"""Rows that are worked on at a time; they stay in the processor's cache."""
_PRODUCTS = 2**25
"""Float32 products that are held at a time: 128 MiB."""
_QUESTIONS = 256
_GROUPS = 1024
_HALF = 13
"""Bits of half a limb."""


@dataclass(frozen=True, slots=True)
class Vectors:
    """Rows of float32 components, and each row's Euclidean length in float64."""

    components: NDArray[np.float32]
    lengths: NDArray[np.float64]

    @classmethod
    def of(cls, components: NDArray[np.float32]) -> Self:
        """Measure the rows of an array of shape ``(count, dimension)``."""
        return cls(components, lengths(components))

    def __len__(self) -> int:
        """How many vectors."""
        return len(self.components)

    def take(self, rows: NDArray[np.integer]) -> "Vectors":
        """These rows; all of them in their own order cost no copy."""
        if len(rows) == len(self) and np.array_equal(rows, np.arange(len(self))):
            return self
        return Vectors(self.components[rows], self.lengths[rows])


def lengths(components: NDArray[np.float32]) -> NDArray[np.float64]:
    """Euclidean length of each row; 0 for a row of zeros and no other."""
    result = np.empty(len(components))
    for start in range(0, len(components), _BLOCK):
        squares = components[start : start + _BLOCK].astype(np.float64)
        squares *= squares
        while (width := squares.shape[1]) > 1:
            half = width // 2
            folded = squares[:, :half] + squares[:, half : 2 * half]
            if width % 2:
                folded[:, 0] += squares[:, -1]
            squares = folded
        result[start : start + _BLOCK] = np.sqrt(squares[:, 0])
    return result


def cosines(passages: Vectors, question: Vectors) -> Scores:
    """Exact cosine of the one question with each passage; no vector is zero."""
    high, low = (limb[0] for limb in _limbs(question))
    high_1, high_0 = _halves(high)
    low_1, low_0 = _halves(low)
    scores = np.empty(len(passages))
    for start in range(0, len(passages), _BLOCK):
        block = slice(start, start + _BLOCK)
        theirs = Vectors(passages.components[block], passages.lengths[block])
        highs, lows = _limbs(theirs)
        first = (highs @ low_1 + lows @ high_1).astype(np.int64)
        second = (highs @ low_0 + lows @ high_0).astype(np.int64)
        hl = (first << _HALF) + second
        scores[block] = (highs @ high) * 2.0**-52 + hl * 2.0**-78
    return np.clip(scores, -1.0, 1.0)


def nearest(
    passages: Vectors, questions: Vectors, *, budget: int
) -> Iterator[tuple[Codes, Scores]]:
    """For each question, the ``budget`` passages of the largest cosine, best first.

    No vector is zero. A passage is named by its position, and equal cosines are in
    the order of the positions.
    """
    unit, asked = _unit(passages), _unit(questions)
    slack = np.float32(2 * (unit.shape[1] + 8) * 2.0**-24)
    step = min(_QUESTIONS, max(1, _PRODUCTS // max(1, len(passages))))
    for start in range(0, len(questions), step):
        products = asked[start : start + step] @ unit.T
        floors = _floors(products, budget) - slack
        for place, (row, floor) in enumerate(zip(products, floors, strict=True), start):
            near = np.flatnonzero(row >= floor)
            if len(near) > budget:  # the floor was a low one: find the last place
                close = row[near]
                last = np.partition(close, len(near) - budget)[len(near) - budget]
                near = near[close >= last - slack]
            question = questions.take(np.array([place]))
            scores = cosines(passages.take(near), question)
            best = top(scores, near, budget)
            yield near[best], scores[best]


def _floors(products: NDArray[np.float32], budget: int) -> NDArray[np.float32]:
    """For each row, a number that at least ``budget`` of its products reach.

    The ``budget``-th best of the maxima of groups is one, and is quickly found.
    """
    count = products.shape[1]
    if count <= budget:
        return np.full(len(products), -np.inf, dtype=np.float32)
    groups = max(_GROUPS, 8 * budget)
    if count >= 2 * groups:
        rows = count // groups
        shape = (len(products), rows, groups)
        products = products[:, : rows * groups].reshape(shape).max(axis=1)
        count = groups
    return np.partition(products, count - budget, axis=1)[:, count - budget]


def _unit(vectors: Vectors) -> NDArray[np.float32]:
    result = np.empty_like(vectors.components)
    for start in range(0, len(vectors), _BLOCK):
        block = slice(start, start + _BLOCK)
        np.divide(
            vectors.components[block],
            vectors.lengths[block, None],
            out=result[block],
            casting="same_kind",
        )
    return result


def _limbs(vectors: Vectors) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Both limbs of each component: whole numbers up to 2**26 and 2**25."""
    rest = vectors.components / vectors.lengths[:, None]
    rest *= 2.0**26
    high = np.rint(rest)
    rest -= high
    rest *= 2.0**26
    return high, np.rint(rest, out=rest)


def _halves(
    limb: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Whole numbers of half the size: ``limb == first * 2**13 + second``."""
    first = np.rint(limb * 2.0**-_HALF)
    return first, limb - first * 2.0**_HALF
