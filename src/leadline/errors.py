"""Every error this package raises on purpose.

LeadlineError                exit code
├── InputError               2   you can fix it: a file, a value, a name
│   ├── ExperimentError      2   an experiment file says something impossible
│   └── BindingError         2   labels that bind to no place, or to several
├── SnapshotMismatchError    2   two artefacts carry different content hashes
├── EngineError              3   a server or plug-in failed or broke its promise
└── UndefinedMeasureError    2   the measure has no value here

A message says where, what was found, what was expected, and what to do next.
"""

import difflib
from collections.abc import Iterable
from os import PathLike, fspath


class LeadlineError(Exception):
    """Base class; the command line prints it without a traceback."""


class InputError(LeadlineError):
    """The caller can fix it: a file, a value or a name is wrong."""


class ExperimentError(InputError):
    """An experiment file says something impossible."""


class BindingError(InputError):
    """Labels that bind to no place in the snapshot, or to several."""


class SnapshotMismatchError(LeadlineError):
    """Two artefacts that must belong together carry different content hashes."""


class EngineError(LeadlineError):
    """A server or plug-in failed, or broke the promise its protocol makes."""


class UndefinedMeasureError(LeadlineError):
    """The measure has no value here; zero would be a lie."""


def describe(  # noqa: PLR0913 -- the five parts of a refusal, and its cause
    found: str,
    *,
    file: str | PathLike[str] | None = None,
    line: int | None = None,
    field: str | None = None,
    expected: str,
    remedy: str,
) -> str:
    """Word a refusal the way every refusal is worded.

    >>> print(describe("null", file="docs.jsonl", line=3, field="text",
    ...                expected="a string", remedy="Give every document a text."))
    docs.jsonl, line 3, field "text": found null, expected a string. Give every \
document a text.
    """
    places = [
        *([fspath(file)] if file is not None else []),
        *([f"line {line}"] if line is not None else []),
        *([f'field "{field}"'] if field is not None else []),
    ]
    where = ", ".join(places) + ": " if places else ""
    return f"{where}found {found}, expected {expected}. {remedy}"


def shown(value: object, *, limit: int = 60) -> str:
    """Quote a value for a message: printable, on one line, and short.

    >>> shown("a" * 100, limit=8)
    "'aaaaaa…"
    """
    text = ascii(value) if isinstance(value, (bytes, float)) else repr(value)
    text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The nearest known name as a sentence, or all of them.

    >>> did_you_mean("budjet", ["budget", "cutoffs"])
    'Did you mean "budget"?'
    >>> did_you_mean("zzz", ["budget", "cutoffs"])
    'Known: budget, cutoffs.'
    """
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1)
    if near:
        return f'Did you mean "{near[0]}"?'
    return f"Known: {', '.join(names)}." if names else "None is known here."
