"""Run one of eight small mechanisms: python3 -B methods.py NAME."""

import argparse
import sys
from collections.abc import Callable, Mapping
from typing import Any

from leadline.errors import InputError
from mechanisms import (
    chunking,
    context,
    decoding,
    evaluation,
    failures,
    generation,
    hybrid,
    lexical,
)
from output import main as answer
from output import with_format
from records import Handbook, load

METHODS: Mapping[str, Callable[[Handbook, str | None], dict[str, Any]]] = {
    "decoding": decoding.run,
    "chunking": chunking.run,
    "lexical": lexical.run,
    "hybrid": hybrid.run,
    "context": context.run,
    "generation": generation.run,
    "evaluation": evaluation.run,
    "failures": failures.run,
}
ASKING = frozenset({"lexical", "hybrid", "context", "generation"})
"""Those that take a question."""


def method(name: str, question_id: str | None = None) -> dict[str, Any]:
    """Run a mechanism; its result names exactly what ran.

    Raises:
        InputError: no such question, or a mechanism that takes none.
    """
    if question_id is not None and name not in ASKING:
        message = f"{name} takes no question; {', '.join(sorted(ASKING))} do"
        raise InputError(message)
    return {"method": name, **METHODS[name](load(), question_id)}


def main() -> int:
    """Run one mechanism and print its result."""
    parser = with_format(argparse.ArgumentParser(description=__doc__))
    parser.add_argument(
        "name", choices=tuple(METHODS), metavar="NAME", help=", ".join(METHODS)
    )
    parser.add_argument("--question", metavar="ID", help="as in data/questions.json")
    options = parser.parse_args()
    return answer(lambda: method(options.name, options.question), options.format)


if __name__ == "__main__":
    sys.exit(main())
