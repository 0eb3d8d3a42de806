"""Numbers as a reader sees them: enough digits to compare, never more than are known.

A value that does not exist is ``n/a``; it never looks like a zero. A true minus sign
is used, and a difference always carries its sign.
"""

import math
from collections.abc import Iterable, Sequence

ABSENT = "n/a"
"""What stands where a value does not exist."""
MINUS = "\N{MINUS SIGN}"


def value(number: float | None, *, digits: int = 3) -> str:
    """A mean or a measure's value.

    >>> value(2 / 3), value(None), value(-0.0)
    ('0.667', 'n/a', '0.000')
    """
    if number is None:
        return ABSENT
    return f"{number + 0.0:.{digits}f}".replace("-", MINUS)


def difference(number: float | None, *, digits: int = 3) -> str:
    """A signed difference; one that would round to nothing keeps a digit.

    >>> difference(0.02), difference(-1 / 3), difference(0.0), difference(0.0002)
    ('+0.020', '−0.333', '0.000', '+0.0002')
    """
    if number is None:
        return ABSENT
    if number == 0:
        return f"{0:.{digits}f}"
    small = abs(number) < 0.5 * 10**-digits
    text = f"{number:+.1g}" if small else f"{number:+.{digits}f}"
    return text.replace("-", MINUS)


def interval(bounds: tuple[float, float] | None, *, signed: bool = False) -> str:
    """The two ends of an interval.

    >>> interval((0.0, 1.0)), interval((-0.5, 0.25), signed=True), interval(None)
    ('0.000 to 1.000', '−0.500 to +0.250', 'n/a')
    """
    if bounds is None:
        return ABSENT
    form = difference if signed else value
    return f"{form(bounds[0])} to {form(bounds[1])}"


def p_value(number: float | None) -> str:
    """A p-value; below one in a thousand, its first digit.

    >>> p_value(0.0434), p_value(0.00012), p_value(1e-9), p_value(1.0), p_value(None)
    ('0.043', '0.0001', '< 0.0001', '1', 'n/a')
    """
    if number is None:
        return ABSENT
    if number >= 1:
        return "1"
    if number < 0.0001:  # noqa: PLR2004 -- as few draws as are usual cannot say less
        return "< 0.0001"
    return f"{number:.3f}" if number >= 0.001 else f"{number:.4f}"  # noqa: PLR2004


def score(number: float | None) -> str:
    """A retrieval score, to four significant digits.

    >>> score(12.3456), score(-4.904418516387322e-06), score(0.5), score(None)
    ('12.35', '−4.904e−06', '0.5', 'n/a')
    """
    if number is None:
        return ABSENT
    return f"{number + 0.0:.4g}".replace("-", MINUS)


def count(number: int) -> str:
    """A whole number, in groups of three.

    >>> count(10000)
    '10,000'
    """
    return f"{number:,}"


def number_of(number: int, noun: str, plural: str = "") -> str:
    """A count and its noun.

    >>> number_of(1, "question"), number_of(1200, "query", "queries")
    ('1 question', '1,200 queries')
    """
    return f"{count(number)} {noun if number == 1 else plural or noun + 's'}"


def share(part: int, whole: int) -> str:
    """A part of a whole, in percent; a little is never nothing, nor most of it all.

    >>> share(1, 3), share(0, 3), share(1, 1000), share(999, 1000), share(0, 0)
    ('33%', '0%', '< 1%', '> 99%', 'n/a')
    """
    if not whole:
        return ABSENT
    percent = 100 * part / whole
    if 0 < percent < 0.5:  # noqa: PLR2004 -- would round to 0
        return "< 1%"
    if 99.5 <= percent < 100:  # noqa: PLR2004 -- would round to 100
        return "> 99%"
    return f"{percent:.0f}%"


def listing(names: Sequence[str], *, limit: int = 5) -> str:
    """Names in a sentence, with the number of those left out.

    >>> listing(["a", "b", "c"]), listing(["a", "b", "c"], limit=1), listing([])
    ('a, b and c', 'a and 2 more', 'none')
    """
    if not names:
        return "none"
    if len(names) > limit:
        return f"{', '.join(names[:limit])} and {count(len(names) - limit)} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def axis(numbers: Iterable[float], *, steps: int = 4) -> tuple[float, ...]:
    """Evenly spaced round ticks; the first and last enclose every number.

    >>> axis([0.0, 1.0])
    (0.0, 0.25, 0.5, 0.75, 1.0)
    >>> axis([0.61, 0.66])
    (0.6, 0.62, 0.64, 0.66)
    >>> axis([1.0]), axis([])
    ((0.8, 0.85, 0.9, 0.95, 1.0), (0.0, 0.25, 0.5, 0.75, 1.0))
    """
    found = sorted(numbers) or [0.0, 1.0]
    low, high = found[0], found[-1]
    if high - low < 1e-9:  # noqa: PLR2004 -- beyond what is drawn
        low, high = low - 0.1, high + 0.1
        if 0 <= found[0] <= 1:
            low, high = max(0.0, low - 0.1), min(1.0, high)
    raw = (high - low) / steps
    magnitude = 10.0 ** math.floor(math.log10(raw))
    step = next(
        m * magnitude for m in (1, 2, 2.5, 5, 10) if m * magnitude >= raw * 0.999
    )
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return tuple(round(step * i, 12) + 0.0 for i in range(first, last + 1))
