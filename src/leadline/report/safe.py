"""Text that is not ours, made harmless before anybody looks at it.

A document, a question, an id or a name may hold anything: escape sequences that
repaint a terminal, characters that turn the direction of what follows, characters
that cannot be seen at all. They are shown by their code point, ``<U+202E>``, so that
what is there is seen, and does nothing.

Escaping for HTML is not done here: the template engine escapes everything.
"""

import re
import unicodedata

_CONTROL = r"\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff"
_TURNING = r"\u202a-\u202e\u2066-\u2069"
_UNSEEN = (
    r"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u2065"
    r"\u206a-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff"
)
_HARMFUL = re.compile(f"[{_CONTROL}{_TURNING}]")
_INVISIBLE = re.compile(f"[{_CONTROL}{_TURNING}{_UNSEEN}]")
_ADDRESS = re.compile(r"(?i:https?)://[^\s/?#\\<>\"'`{|}^]+[^\s\\<>\"`{|}^]*")
_BREAKS = re.compile(r"\r\n?")
_PLAINER = str.maketrans("─━│·−–—…‘’“”×→✓", "-=|--~~~''\"\"x>v")  # noqa: RUF001 -- meant


def harmless(text: str) -> str:
    r"""Text for a page: controls, lone surrogates and direction overrides shown.

    Line feeds and tabs stay; a carriage return is a line feed. Joiners and marks of
    direction stay too, for some scripts are written with them.

    >>> harmless("a\x1b[31mb\r\nc\u202ed")
    'a<U+001B>[31mb\nc<U+202E>d'
    """
    return _HARMFUL.sub(_code_point, _BREAKS.sub("\n", text))


def visible(text: str) -> str:
    r"""Text for a terminal, or a name anywhere: whatever cannot be seen is shown.

    On one line: line feeds and tabs are shown as well.

    >>> visible("lex\u200bical\x1b]0;title\x07")
    'lex<U+200B>ical<U+001B>]0;title<U+0007>'
    >>> visible("two\nlines")
    'two<U+000A>lines'
    """
    return _shown(text).replace("\n", "<U+000A>").replace("\t", "<U+0009>")


def lines(text: str) -> str:
    r"""Like `visible`, for text of several lines: they stay, and tabs are blanks.

    >>> lines("a\tb\r\nc\u2028d")
    'a    b\nc<U+2028>d'
    """
    return _shown(_BREAKS.sub("\n", text)).replace("\t", "    ")


def link(url: str) -> str | None:
    """The address if a page may link to it: http or https, with a host, and plain.

    >>> link("https://example.org/a?b#c"), link("javascript:alert(1)"), link("//x/y")
    ('https://example.org/a?b#c', None, None)
    """
    return url if _ADDRESS.fullmatch(url) and not _INVISIBLE.search(url) else None


def quote(text: str, *, width: int = 80, prefix: str = "  | ") -> str:
    r"""A passage for a terminal: harmless, wrapped by display width, each line marked.

    Wide characters take two columns, and a word that is longer than a line is cut.
    No line is wider than ``width``.

    >>> print(quote("one two three\n\x1b[2J", width=12))
      | one two
      | three
      | <U+001B>
      | [2J
    """
    room = max(2, width - len(prefix))
    wrapped = [
        piece for line in lines(text).split("\n") for piece in wrap(line, width=room)
    ]
    return "\n".join((prefix + piece).rstrip() for piece in wrapped)


def wrap(line: str, *, width: int) -> list[str]:
    """Break one harmless line at blanks into lines of at most ``width`` columns."""
    from rich.cells import cell_len, chop_cells  # noqa: PLC0415 -- start-up

    done: list[str] = []
    current = line[: len(line) - len(line.lstrip(" "))]
    for word in line.split():
        joined = f"{current} {word}" if current.strip() else current + word
        if cell_len(joined) <= width:
            current = joined
            continue
        if current.strip():
            done.append(current)
        *full, current = chop_cells(word, width)
        done.extend(full)
    return [*done, current.rstrip() if current.strip() else ""]


def ascii_only(text: str) -> str:
    """For an output that takes nothing else: our own signs replaced, the rest shown.

    >>> ascii_only("── −0.5 → é")
    '-- -0.5 > <U+00E9>'
    """
    plain = text.translate(_PLAINER)
    return "".join(c if c.isascii() else _code(c) for c in plain)


def _shown(text: str) -> str:
    text = _INVISIBLE.sub(_code_point, text)
    # A mark at the very start would sit on whatever was printed before.
    if text and unicodedata.category(text[0]) in {"Mn", "Me"}:
        text = _code(text[0]) + text[1:]
    return text


def _code_point(match: re.Match[str]) -> str:
    return _code(match.group())


def _code(character: str) -> str:
    return f"<U+{ord(character):04X}>"
