"""What the lab's scripts print: JSON, or the same as text for a person."""

import argparse
import dataclasses
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from leadline.errors import LeadlineError
from leadline.evidence import Packet
from leadline.report.packet import packet_text
from leadline.report.safe import visible, wrap

WIDTH = 80


def with_format(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Give a parser the option ``--format``."""
    parser.add_argument(
        "--format",
        choices=("json", "text"),
        default="json",
        help="of the result (default: %(default)s)",
    )
    return parser


def main(answer: Callable[[], object], form: str) -> int:
    """Print an answer; what is wrong with the input goes to standard error, code 2."""
    try:
        show(answer(), form)
    except LeadlineError as error:
        print(f"{Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # whoever read has seen enough
        sys.stderr.close()
    return 0


def show(value: object, form: str) -> None:
    """Print a value in one of the two forms."""
    if form == "json":
        print(json.dumps(plain(value), indent=2, ensure_ascii=False))
    else:
        print(value if isinstance(value, str) else "\n".join(outline(value)))


def plain(value: object) -> Any:  # noqa: ANN401 -- JSON
    """A value as JSON has it."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return plain(dataclasses.asdict(value))
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return value


def outline(value: object, *, indent: int = 0) -> Iterator[str]:
    """A value as indented lines: names, and below each what it holds."""
    if isinstance(value, Packet):
        text = packet_text(value, configuration="lexical", width=WIDTH - indent)
        yield from (" " * indent + line if line else "" for line in text.split("\n"))
    elif isinstance(value, Mapping):
        for name, one in value.items():
            yield from _named(str(name).replace("_", " "), one, indent)
    elif isinstance(value, (list, tuple)):
        for one in value:
            first, *rest = outline(one, indent=0)
            yield from _wrapped("- " + first, indent)
            yield from (" " * (indent + 2) + line if line else "" for line in rest)
    else:
        yield from _wrapped(_word(value), indent)


def _named(name: str, value: object, indent: int) -> Iterator[str]:
    if isinstance(value, (list, tuple)) and not any(
        isinstance(one, (Mapping, list, tuple)) or dataclasses.is_dataclass(one)
        for one in value
    ):
        value = ", ".join(map(_word, value)) or "none"
    if isinstance(value, Mapping) and not value:
        value = "none"
    if isinstance(value, (Mapping, list, tuple)) or dataclasses.is_dataclass(value):
        yield " " * indent + f"{visible(name)}:"
        inner = (
            value if isinstance(value, (Packet, Mapping, list, tuple)) else plain(value)
        )
        yield from outline(inner, indent=indent + 2)
    else:
        yield from _wrapped(f"{name}: {_word(value)}", indent)


def _word(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _wrapped(text: str, indent: int) -> Iterator[str]:
    first, *rest = wrap(visible(text), width=max(20, WIDTH - indent - 2))
    yield " " * indent + first
    yield from (" " * (indent + 2) + line for line in rest)
