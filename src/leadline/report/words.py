"""Where the words of a text stand, so that those of a question can be marked.

Splitting into words folds the text first (case, width, ligatures), and folding moves
characters. Here each word is led back to the characters that it came from.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from leadline.text import unicode_words

# A piece ends only before an ASCII character with a non-word on one side of the gap:
# no word and no normalisation reaches over such a place, so that the words of a text
# are the words of its pieces.
_PIECE = re.compile(
    r"(?P<plain>[0-9A-Za-z]++)(?![^\x00-\x7f])"
    r"|(?:[0-9A-Za-z]++|[\x00-\x7f])?[^\x00-\x7f](?:[0-9A-Za-z]|[^\x00-\x7f])*+"
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text, and whether it is one of the question's words."""

    text: str
    marked: bool


def word_spans(text: str) -> list[tuple[str, int, int]]:
    """Each word of the ``unicode`` rule with the characters it came from.

    Returns:
        ``(word, start, end)`` in order; the words are ``unicode_words(text)``. Where
        several words come from one character, as from a fraction, they share it.

    >>> word_spans("CAFÉ, ﬁne")
    [('café', 0, 4), ('fine', 6, 9)]
    """
    spans: list[tuple[str, int, int]] = []
    for match in _PIECE.finditer(text):
        if match["plain"]:
            spans.append((match.group().lower(), *match.span()))
        else:
            spans.extend(_mixed_spans(match.group(), match.start()))
    return spans


def marked(text: str, words: Collection[str]) -> tuple[Piece, ...]:
    """Cut a text where the given words begin and end; joined, it is the text again.

    >>> [piece.text for piece in marked("Write the file.", {"file"}) if piece.marked]
    ['file']
    """
    pieces: list[Piece] = []
    position = 0
    for start, end in _spans_of(text, words):
        if start >= position:
            if start > position:
                pieces.append(Piece(text[position:start], marked=False))
            pieces.append(Piece(text[start:end], marked=True))
            position = end
    if position < len(text):
        pieces.append(Piece(text[position:], marked=False))
    return tuple(pieces)


def _spans_of(text: str, words: Collection[str]) -> Iterator[tuple[int, int]]:
    """``(start, end)`` of each word that is one of these."""
    for match in _PIECE.finditer(text):
        if match["plain"]:
            if match.group().lower() in words:
                yield match.span()
        else:
            for word, start, end in _mixed_spans(match.group(), match.start()):
                if word in words:
                    yield start, end


def _mixed_spans(piece: str, offset: int) -> Iterator[tuple[str, int, int]]:
    """The words of one piece that is not plain ASCII.

    The piece is cut into clusters that fold on their own; a word is then made of
    the letters of consecutive clusters. Should that ever not come out, the words get
    the whole piece: a mark that is too wide, never one in the wrong place.
    """
    words = unicode_words(piece)
    clusters = list(_clusters(piece))
    spans = list(_walk(words, clusters))
    if len(spans) != len(words):
        spans = [(0, len(piece))] * len(words)
    for word, (start, end) in zip(words, spans, strict=True):
        yield word, offset + start, offset + end


def _walk(
    words: list[str], clusters: list[tuple[str, int, int]]
) -> Iterator[tuple[int, int]]:
    """Give each word its clusters; stop at one that does not fit."""
    position, left = 0, clusters[0][0] if clusters else ""
    for word in words:
        need, start, end = word, None, 0
        while need:
            if not left:
                position += 1
                if position == len(clusters):
                    return
                left = clusters[position][0]
                continue
            taken = len(left) if need.startswith(left) else len(need)
            if not left.startswith(need[:taken]):
                return
            need, left = need[taken:], left[taken:]
            start = clusters[position][1] if start is None else start
            end = clusters[position][2]
        yield start or 0, end


def _clusters(piece: str) -> Iterator[tuple[str, int, int]]:
    """``(letters, start, end)`` of stretches whose folding is their own affair."""
    start, before = 0, ""
    for position, character in enumerate(piece):
        if position == start:
            before = _letters(character)
            continue
        own = _letters(character)
        if unicodedata.combining(character) or (
            _letters(piece[start : position + 1]) != before + own
        ):
            before = _letters(piece[start : position + 1])
            continue
        yield before, start, position
        start, before = position, own
    if piece:
        yield before, start, len(piece)


def _letters(text: str) -> str:
    return "".join(unicode_words(text))
