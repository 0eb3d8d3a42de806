"""Verdicts in words: what two configurations' results say, and what they cannot."""

from leadline.judging.comparison import Pair

MINUS = "\N{MINUS SIGN}"


def sentence(pair: Pair, *, alpha: float, correction: str) -> str:
    """Say what a pair's figures say. A draw is a result, and is said as one.

    Args:
        pair: both names, and what was found.
        alpha: the interval is at 1 - alpha.
        correction: what ``pair.p_adjusted`` was corrected by.
    """
    better, other = (
        (pair.a, pair.b) if pair.verdict == "a is better" else (pair.b, pair.a)
    )
    if not pair.count:
        return f"{better} and {other}: no answerable question, so nothing was judged."
    if not pair.wins and not pair.losses:
        draws = (
            "the one question is a draw"
            if pair.count == 1
            else f"all {pair.count:,} questions are draws"
        )
        return (
            f"No difference was seen between {better} and {other} on "
            f"{pair.measure}: {draws}."
        )
    if pair.verdict == "draw":
        opening = f"The data cannot separate {better} from {other} on {pair.measure}"
    else:
        opening = f"{better} is better than {other} on {pair.measure}"
    return (
        f"{opening}: {_record(pair, better)}. {_figures(pair, better, alpha)}; "
        f"{pair.test}, p {_p(pair.p_adjusted)} after {correction}."
        f"{_outlook(pair) if pair.verdict == 'draw' else ''}"
    )


def _record(pair: Pair, better: str) -> str:
    wins, losses = pair.wins, pair.losses
    if better == pair.a:
        wins, losses = losses, wins
    of = "of 1 question" if pair.count == 1 else f"of {pair.count:,} questions"
    return f"{of} {better} wins {wins:,}, draws {pair.draws:,} and loses {losses:,}"


def _figures(pair: Pair, better: str, alpha: float) -> str:
    """The mean difference and its interval, as seen from the better one."""
    ends = (pair.mean_difference or 0.0, *(pair.interval or ()))
    if better == pair.a:
        middle, *rest = (-end for end in ends)
        ends = (middle, *reversed(rest))
    middle, *rest = map(_signed, ends)
    return (
        f"Mean difference {middle}, {100 * (1 - alpha):g}% interval {' to '.join(rest)}"
    )


def _outlook(pair: Pair) -> str:
    if pair.needed:
        return (
            f" About {pair.needed:,} questions such as these would be needed to show "
            "a difference of this size."
        )
    if pair.count == 1:
        return " From one question nobody can say how many would be needed."
    return " Wins and losses cancel out: there is no difference to show."


def _signed(number: float) -> str:
    """Three digits, or the first one that is not 0, with the sign."""
    if number == 0:
        return "0.000"
    tiny = abs(number) < 0.0005  # noqa: PLR2004 -- it would round to 0.000
    return (f"{number:+.1g}" if tiny else f"{number:+.3f}").replace("-", MINUS)


def _p(number: float | None) -> str:
    if number is None or number >= 1:
        return "= 1"
    return f"= {number:.3g}" if number >= 0.001 else "< 0.001"  # noqa: PLR2004
