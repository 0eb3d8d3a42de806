"""Splitting text into words: one rule a name, the same for index and question.

- ``ascii``: lower-case, then runs of ``a-z0-9``. The rule of both labs.
- ``unicode``: compatibility-normalised (NFKC) and case-folded, then runs of
  letters, marks and digits of any script. Chinese, Japanese and Korean are written
  with few blanks or none: there, each two characters that stand side by side are a
  word, and a single one where it stands alone.

Stop words are lists by name too: words that a rule gives and a retriever leaves out.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

_ASCII_WORD = re.compile(r"[a-z0-9]+")
_PLAIN_WORD = re.compile(r"[^\W_]+")
_IGNORED = re.compile(
    "[\u00ad\u200c\u200d\u2060\ufeff\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
"""Soft hyphens, joiners and variants of a glyph: they change no word."""
_MAYBE_MARK = re.compile(r"[^\w\x00-\x7f]")

_PAIRED = (
    r"[\u1100-\u11ff\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff"
    r"\u3131-\u318e\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7a3"
    r"\ud7b0-\ud7fb\uf900-\ufaff\U00020000-\U0003ffff]"
)
"""Han, kana and hangul."""
_ANY_PAIRED = re.compile(_PAIRED)
_UNIT = re.compile(rf"{_PAIRED}\W*")  # inside a run, what is no \w is a mark
_PART = re.compile(rf"(?:{_UNIT.pattern})+|[^{_PAIRED[1:]}+")


def ascii_words(text: str) -> list[str]:
    """Runs of ``[a-z0-9]`` in the lower-cased text, in order, repeats kept.

    >>> ascii_words("json.dumps(obj) → UTF-8")
    ['json', 'dumps', 'obj', 'utf', '8']
    """
    return _ASCII_WORD.findall(text.lower())


def unicode_words(text: str) -> list[str]:
    """Words of any script, folded, in order, repeats kept.

    A capital I with a dot folds like a plain one, whatever language the computer
    speaks; the small one without a dot stays a letter of its own.

    >>> unicode_words("CAFÉ, Straße: İstanbul")
    ['café', 'strasse', 'istanbul']
    >>> unicode_words("退款需 3天 GPU版")
    ['退款', '款需', '3', '天', 'gpu', '版']
    """
    folded = fold(text)
    runs = _runs(folded)
    if folded.isascii() or not _ANY_PAIRED.search(folded):
        return runs
    return [word for run in runs for word in _words(run)]


def unicode_runs(text: str) -> list[str]:
    """As `unicode_words`, with runs of Han, kana and hangul left whole.

    >>> unicode_runs("退款需 3天")
    ['退款需', '3天']
    """
    return _runs(fold(text))


def fold(text: str) -> str:
    """The form in which texts that read the same are the same.

    >>> fold("ﬁne STRASSE") == fold("FINE Straße")
    True
    """
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKC", _IGNORED.sub("", text))
    # Folding can part what was composed, and a dot that a capital had is dropped.
    folded = text.casefold().replace("i\u0307", "i")
    return unicodedata.normalize("NFKC", folded)


def _runs(folded: str) -> list[str]:
    if folded.isascii():
        return _ASCII_WORD.findall(folded)  # the same runs, found sooner
    unusual = set(_MAYBE_MARK.findall(folded))
    marks = (one for one in unusual if unicodedata.category(one).startswith("M"))
    return _word("".join(sorted(marks))).findall(folded)


@lru_cache(maxsize=256)
def _word(marks: str) -> re.Pattern[str]:
    """A letter or a digit, then letters, digits and these marks."""
    return re.compile(rf"[^\W_](?:[^\W_]|[{marks}])*") if marks else _PLAIN_WORD


def _words(run: str) -> Iterator[str]:
    for part in _PART.findall(run):
        units = _UNIT.findall(part)
        if len(units) > 1:
            yield from map("".join, pairwise(units))
        else:
            yield part


WORD_RULES: Mapping[str, Callable[[str], list[str]]] = {
    "ascii": ascii_words,
    "unicode": unicode_words,
}
"""Every named rule; a parameter that splits text takes one of these names."""

STOP_WORDS: Mapping[str, frozenset[str]] = {
    "none": frozenset(),
    "english": frozenset(
        """
        a about after again all also am an and any are as at be because been before
        being both but by can could did do does doing done down during each either for
        from further had has have having he her here hers him his how i if in into is
        it its itself just may me might mine more most must my neither no nor not of
        off on once only or other our ours out over own same shall she should so some
        such than that the their theirs them then there these they this those through
        to too under until up upon us very was we were what when where which while who
        whom whose why will with would you your yours
        """.split()  # noqa: SIM905 -- a list to be read
    ),
}
"""Every named list. A question loses the words that it hardly asks with, and "not"
and "no" with them: what is left says what a question is about, not what it denies."""


def splitter(words: str, stop_words: str = "none") -> Callable[[str], list[str]]:
    """What splits a text by a rule and leaves a list out, both by name.

    >>> splitter("ascii", "english")("When is the desk open?")
    ['desk', 'open']
    """
    rule, stopped = WORD_RULES[words], STOP_WORDS[stop_words]
    if not stopped:
        return rule
    return lambda text: [one for one in rule(text) if one not in stopped]


def distinct(words: list[str]) -> list[str]:
    """Each word once, at its first place.

    >>> distinct(["b", "a", "b"])
    ['b', 'a']
    """
    return list(dict.fromkeys(words))
