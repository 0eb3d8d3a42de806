"""Questions without a word: what a retriever that looks at words cannot answer.

They are no error. But a question that finds nothing because nothing in it is a word
should not look like one whose words are in no passage.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from leadline.hashing import Json
from leadline.text import STOP_WORDS, WORD_RULES, splitter

_LISTED = 5


class Asked(Protocol):
    """A question, as it was asked or as a record keeps it."""

    @property
    def question_id(self) -> str:
        """Its id."""

    @property
    def text(self) -> str:
        """Its text."""


def wordless(
    configurations: Iterable[Mapping[str, Json]], questions: Sequence[Asked]
) -> tuple[str, ...]:
    """A sentence for each set of questions that some retrievers can do nothing with.

    Args:
        configurations: as a freeze has them.
        questions: those asked.

    >>> from leadline.questions import Question
    >>> lexical = {"name": "fts", "kind": "retriever", "plugin": {"words": "ascii"}}
    >>> wordless([lexical], [Question("q1", "desk"), Question("q2", "???")])
    ('1 question has no searchable word for fts: q2.',)
    """
    found: dict[tuple[str, ...], list[str]] = {}
    for configuration in configurations:
        split = _splitter(configuration)
        if split is not None:
            ids = tuple(one.question_id for one in questions if not split(one.text))
            found.setdefault(ids, []).append(str(configuration["name"]))
    return tuple(_sentence(ids, names) for ids, names in found.items() if ids)


def _splitter(
    configuration: Mapping[str, Json],
) -> Callable[[str], list[str]] | None:
    """How a retriever splits a question; None where it does not, as far as we know."""
    plugin = configuration["plugin"]
    if configuration["kind"] != "retriever" or not isinstance(plugin, Mapping):
        return None
    rule, stopped = plugin.get("words"), plugin.get("stop_words", "none")
    if rule not in WORD_RULES or stopped not in STOP_WORDS:
        return None
    return splitter(str(rule), str(stopped))


def _sentence(ids: tuple[str, ...], names: list[str]) -> str:
    more = len(ids) - _LISTED
    listed = ", ".join(ids[:_LISTED]) + (f" and {more} more" if more > 0 else "")
    have = "question has" if len(ids) == 1 else "questions have"
    return f"{len(ids)} {have} no searchable word for {' and '.join(names)}: {listed}."
