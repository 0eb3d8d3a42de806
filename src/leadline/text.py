"""Splitting text into words: one rule a name, the same for index and question.

- ``ascii``: lower-case, then runs of ``a-z0-9``. The rule of both labs.
- ``unicode``: compatibility-normalised (NFKC) and case-folded, then runs of
  letters, marks and digits of any script.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping

_ASCII_WORD = re.compile(r"[a-z0-9]+")
_UNICODE_WORD = re.compile(r"[^\W_]+(?:[\u0300-\u036f][^\W_]*)*")


def ascii_words(text: str) -> list[str]:
    """Runs of ``[a-z0-9]`` in the lower-cased text, in order, repeats kept.

    >>> ascii_words("json.dumps(obj) → UTF-8")
    ['json', 'dumps', 'obj', 'utf', '8']
    """
    return _ASCII_WORD.findall(text.lower())


def unicode_words(text: str) -> list[str]:
    """Runs of letters and digits of any script, folded, in order, repeats kept.

    >>> unicode_words("CAFÉ, Straße: İstanbul")
    ['café', 'strasse', 'istanbul']
    """
    folded = unicodedata.normalize("NFKC", text).casefold().replace("i\u0307", "i")
    return _UNICODE_WORD.findall(unicodedata.normalize("NFKC", folded))


WORD_RULES: Mapping[str, Callable[[str], list[str]]] = {
    "ascii": ascii_words,
    "unicode": unicode_words,
}
"""Every named rule; a parameter that splits text takes one of these names."""


def distinct(words: list[str]) -> list[str]:
    """Each word once, at its first place.

    >>> distinct(["b", "a", "b"])
    ['b', 'a']
    """
    return list(dict.fromkeys(words))
