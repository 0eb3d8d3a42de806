"""Measures: where the relevant passages landed in, one number a question out.

Grades: above 0 is relevant; 0, below 0 and unjudged are not, and gain nothing.
Unit:   none. Every value lies in [0, 1] and 1 is best.
Ties:   none to break here: a run is totally ordered.

A question without a relevant passage is not in a `Landing`, so it has no value,
never 0. A question for which nothing was returned is, and scores 0.

Values are the same on every machine: sums run in the order of the ranks (so equal
ranks give equal sums, whatever the passages are called), and logarithms do not come
from the machine's own library.

>>> from leadline.judging.binding import Qrels
>>> from leadline.judging.landing import land
>>> from leadline.ranking import Run
>>> run = Run.from_scores({"q": {"a": 3.0, "b": 2.0, "c": 1.0}})
>>> landing = land(run, Qrels.of({"q": {"b": 2, "c": 1}}))
>>> for name in ("R@2", "RR", "nDCG@3"):
...     print(name, Measure.parse(name).values(landing).round(4))
R@2 [0.5]
RR [0.5]
nDCG@3 [0.6697]
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Context, Decimal
from functools import lru_cache
from typing import Literal, Self, TypeAlias

import numpy as np

from leadline.errors import InputError, did_you_mean, shown
from leadline.judging.landing import Floats, Ints, Landing, ordinals

Formula: TypeAlias = Callable[[Landing, int | None], Floats]
"""A landing and a cut-off (None: no cut-off) in, one value a question out."""


def recall(landing: Landing, cutoff: int | None) -> Floats:
    """Share of the relevant passages that were found."""
    return landing.counts(cutoff) / landing.relevant


def success(landing: Landing, cutoff: int | None) -> Floats:
    """1 when a relevant passage was found, else 0."""
    return (landing.counts(cutoff) > 0).astype(np.float64)


def precision(landing: Landing, cutoff: int | None) -> Floats:
    """Share of the first ``cutoff`` ranks that hold a relevant passage.

    Divided by the cut-off also where fewer were returned, as in trec_eval.
    """
    return landing.counts(cutoff) / (cutoff or 1)


def reciprocal_rank(landing: Landing, cutoff: int | None) -> Floats:
    """1 / rank of the first relevant passage, 0 when none was found.

    Source: Kantor & Voorhees, Information Retrieval 2 (2000). Its mean over
    questions is what papers call MRR.
    """
    rows = landing.within(cutoff)
    first = rows[ordinals(landing.questions[rows]) == 1]
    return _sums(landing, first, 1 / landing.ranks[first])


def average_precision(landing: Landing, cutoff: int | None) -> Floats:
    """Precision at the rank of each relevant passage, over all that are relevant.

    One that was not found within the cut-off adds 0. The divisor is the number of
    relevant passages under a cut-off too, as in trec_eval's ``map_cut``.

    Source: Buckley & Voorhees, SIGIR (2000).
    """
    rows = landing.within(cutoff)
    precisions = ordinals(landing.questions[rows]) / landing.ranks[rows]
    return _sums(landing, rows, precisions) / landing.relevant


def ndcg(landing: Landing, cutoff: int | None) -> Floats:
    """Discounted gain, over the most that as many ranks could have gained.

    The gain is the grade and the discount is ``log2(rank + 1)``, as in trec_eval.

    Source: Järvelin & Kekäläinen, ACM TOIS 20 (2002).
    """
    return _ndcg(landing, cutoff, landing.grades)


def ndcg_exponential(landing: Landing, cutoff: int | None) -> Floats:
    """As `ndcg`, with the gain ``2**grade - 1``; gives other numbers.

    Source: Burges et al., ICML (2005).
    """
    gains, inverse = np.unique(landing.grades, return_inverse=True)
    powers = np.array([_power(grade) - 1 for grade in gains.tolist()], np.float64)
    return _ndcg(landing, cutoff, powers[inverse])


@dataclass(frozen=True, slots=True)
class _Kind:
    """What there is to know of a name."""

    formula: Formula
    cut: Literal["always", "either"]
    """Whether it must have a cut-off."""
    trec: tuple[str, ...]
    """What trec_eval calls it; a cut-off follows where it ends in ``_``."""
    also: tuple[str, ...] = ()
    """What others call it, in lower case: known so that a refusal can say the name."""
    options: Mapping[tuple[str, str], Formula | None] = field(default_factory=dict)
    """Option and value -> the formula that it chooses; None: the default."""


KINDS: Mapping[str, _Kind] = {
    "nDCG": _Kind(
        ndcg,
        "either",
        ("ndcg", "ndcg_cut_"),
        options={("dcg", "log2"): None, ("dcg", "exp-log2"): ndcg_exponential},
    ),
    "R": _Kind(recall, "always", ("recall_",), ("recall",)),
    "RR": _Kind(reciprocal_rank, "either", ("recip_rank",), ("mrr", "recip_rank")),
    "AP": _Kind(average_precision, "either", ("map", "map_cut_"), ("map",)),
    "P": _Kind(precision, "always", ("P_",), ("precision", "prec")),
    "Success": _Kind(success, "always", ("success_",), ("hit", "hits", "hitrate")),
}
"""Every measure there is, by name."""

_WRITTEN = re.compile(
    r"""(?P<name>\w+)
        (\((?P<option>\w+)=['"]?(?P<value>[\w-]+)['"]?\))?
        (@(?P<cutoff>[1-9][0-9]{0,8}))?""",
    re.ASCII | re.VERBOSE,
)
_TREC = re.compile(r"(?P<name>\w+?_?)(?P<cutoff>(?<=_)[1-9][0-9]{0,8})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Measure:
    """A formula at a cut-off: a value to compare, hash, print and parse.

    >>> Measure.parse("ndcg_cut_10")
    Measure(name='nDCG', cutoff=10, options=())
    >>> str(Measure.parse("nDCG(dcg='exp-log2')@5"))
    "nDCG(dcg='exp-log2')@5"
    """

    name: str
    cutoff: int | None
    """None looks at the whole ranking."""
    options: tuple[tuple[str, str], ...] = ()
    """Those that differ from their defaults."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a measure the way it prints, or by trec_eval's name for it.

        Raises:
            InputError: no such name, option or cut-off.
        """
        if trec := _TREC.fullmatch(text):
            for name, kind in KINDS.items():
                if trec["name"] in kind.trec and (
                    trec["name"].endswith("_") == (trec["cutoff"] is not None)
                ):
                    return cls(name, int(trec["cutoff"]) if trec["cutoff"] else None)
        written = _WRITTEN.fullmatch(text)
        if written is None or written["name"] not in KINDS:
            raise _refusal(
                text, "no measure", f"expected one such as nDCG@10. {_nearest(text)}"
            )
        name, kind = written["name"], KINDS[written["name"]]
        cutoff = int(written["cutoff"]) if written["cutoff"] else None
        if cutoff is None and kind.cut == "always":
            remedy = f"expected one, for example {name}@10"
            raise _refusal(text, "no cut-off", remedy)
        option = (written["option"], written["value"])
        if written["option"] is None or kind.options.get(option, False) is None:
            return cls(name, cutoff)
        if option not in kind.options:
            known = ", ".join(f"{key}='{value}'" for key, value in kind.options)
            raise _refusal(
                text,
                f"option {option[0]}='{option[1]}'",
                f"expected {known or 'none'}, for example nDCG(dcg='exp-log2')@10",
            )
        return cls(name, cutoff, (option,))

    def __str__(self) -> str:
        options = ", ".join(f"{key}='{value}'" for key, value in self.options)
        cutoff = "" if self.cutoff is None else f"@{self.cutoff}"
        return f"{self.name}{f'({options})' if options else ''}{cutoff}"

    def values(self, landing: Landing) -> Floats:
        """The value of each question of the landing, in its order."""
        kind = KINDS[self.name]
        chosen = kind.options[self.options[0]] if self.options else None
        return (chosen or kind.formula)(landing, self.cutoff)


def parse_all(texts: Iterable[str]) -> tuple[Measure, ...]:
    """Read several; one that is named twice is taken once, at its first place.

    Raises:
        InputError: as `Measure.parse`, and when there is none.
    """
    measures = tuple(dict.fromkeys(Measure.parse(text) for text in texts))
    if not measures:
        message = "found no measure, expected at least one, for example nDCG@10"
        raise InputError(message)
    return measures


def _refusal(text: str, found: str, expected: str) -> InputError:
    return InputError(f"measure {shown(text)}: found {found}, {expected}")


def _nearest(text: str) -> str:
    """The measure that was probably meant, under the name that it has here."""
    name, at, cutoff = text.partition("@")
    words = {other: own for own, kind in KINDS.items() for other in kind.also}
    words |= {own.casefold(): own for own in KINDS}
    own = words.get(name.casefold().strip())
    if own is None:
        return did_you_mean(name, KINDS)
    good = re.fullmatch("[1-9][0-9]*", cutoff, re.ASCII) is not None
    needed = at or KINDS[own].cut == "always"
    return f'Did you mean "{own}{f"@{cutoff if good else 10}" if needed else ""}"?'


def _sums(landing: Landing, rows: Ints, weights: Floats) -> Floats:
    """The sum of a question's weights, added one by one in the order of the rows."""
    owners = landing.questions[rows]
    sums = np.bincount(owners, weights=weights, minlength=len(landing.question_ids))
    return sums.astype(np.float64, copy=False)


def _ndcg(landing: Landing, cutoff: int | None, gains: Floats) -> Floats:
    found = landing.within(cutoff)
    best = np.flatnonzero(landing.ideal_ranks <= (cutoff or len(landing.ideal_ranks)))
    gained = _sums(landing, found, gains[found] / _discounts(landing.ranks[found]))
    most = _sums(landing, best, gains[best] / _discounts(landing.ideal_ranks[best]))
    # Grades that all but tie can round to a hair above the ideal.
    return np.minimum(gained / most, 1.0)


def _discounts(ranks: Ints) -> Floats:
    """``log2(rank + 1)`` of each."""
    distinct, inverse = np.unique(ranks, return_inverse=True)
    logarithms = [_log2(rank + 1) for rank in distinct.tolist()]
    return np.array(logarithms, np.float64)[inverse]


# Decimal arithmetic is specified to the digit; log2 of a C library or of a vector
# unit is not, and the last bit of a value would depend on the machine.
_DIGITS = Context(prec=20)
_LN2 = _DIGITS.ln(Decimal(2))
_GRADES = (0.001, 1000)
"""Between these, no power of two is rounded to 1 or overflows."""


@lru_cache(maxsize=1 << 17)
def _log2(number: int) -> float:
    return float(_DIGITS.divide(_DIGITS.ln(Decimal(number)), _LN2))


def _power(grade: float) -> float:
    """2 to the power of a grade."""
    if not _GRADES[0] <= grade <= _GRADES[1]:
        message = (
            f"found grade {grade:g}, expected {_GRADES[0]} to {_GRADES[1]} under "
            "dcg='exp-log2', which raises 2 to it. Use nDCG without the option."
        )
        raise InputError(message)
    return float(_DIGITS.power(Decimal(2), Decimal(grade)))
