"""The record: one JSON document that holds a whole comparison.

It can be judged again from itself: ``leadline verify`` recomputes every hash and
number. Nothing in it depends on time, machine or path, so two runs of one freeze
write the same bytes. Its JSON Schema is ``record.schema.json`` beside this module.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from leadline.disk import read_json, write_atomically
from leadline.errors import InputError
from leadline.experiment import Freeze
from leadline.files.typed import built, schema_of
from leadline.hashing import bytes_sha256
from leadline.judging.binding import Receipt
from leadline.judging.compare import Comparison
from leadline.judging.packets import PacketResult
from leadline.rows import spelled

Format: TypeAlias = Literal["leadline.record/1"]


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """One question, as it was asked."""

    question_id: str
    text: str
    policy: str
    """Canonical JSON of the policy."""
    split: str
    eligible: int
    """How many passages it may see."""


@dataclass(frozen=True, slots=True)
class PassageRow:
    """One passage that a run returned or a target names."""

    source_id: str
    version: str
    url: str
    title: str
    start: int
    end: int
    text_sha256: str
    source_text_sha256: str
    text: str | None
    """Kept for targets, and for what stands within the largest cut-off (at least 10)
    of some configuration; None for the rest."""


@dataclass(frozen=True, slots=True)
class RankingRow:
    """What one configuration returned for one question, best first."""

    passages: tuple[str, ...]
    scores: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class RunRow:
    """One sealed run: question id -> ranking."""

    seal: str
    rankings: dict[str, RankingRow]


@dataclass(frozen=True, slots=True)
class Record:
    """One comparison, whole."""

    format: Format
    name: str
    freeze: Freeze
    questions: tuple[QuestionRow, ...]
    passages: dict[str, PassageRow]
    runs: dict[str, RunRow]
    """Every configuration's run, those that are only built upon too."""
    receipts: tuple[Receipt, ...]
    comparison: Comparison | None
    """None where there are no labels: runs were sealed and nothing was judged."""
    limits: str
    """What these figures do not say."""
    packets: dict[str, dict[str, PacketResult]] | None = None
    """Configuration -> budget of characters (as text) -> what its packets hold; None
    where the experiment asks for none."""
    seal: str = ""
    """Hash of all the rest, so that no part of a record changes unseen."""


FORMAT: Format = "leadline.record/1"

_DEPTH = {"freeze": 2, "questions": 1, "passages": 1, "runs": 3, "receipts": 1}
_DEPTH |= {"comparison": 4, "packets": 3}
"""How many levels of a part have lines of their own: to one question or passage."""

_SHORT = 80
"""Bytes; what is shorter stands on one line."""


def encode(record: Record) -> bytes:
    """The bytes of a record: JSON in UTF-8, about one line a question or passage.

    Fields come in the order of the types, names in dicts ascending, and floats are
    the shortest that read back the same, so equal records give equal bytes.

    Raises:
        ValueError: NaN or an infinity, which JSON does not have.
    """
    import msgspec  # noqa: PLC0415 -- start-up

    write = msgspec.json.Encoder().encode
    plain = msgspec.to_builtins(record, order="deterministic")
    if not _finite(plain):
        message = "a record cannot hold NaN or an infinity"
        raise ValueError(message)
    parts = (
        b' "%b": %b' % (name.encode(), _laid_out(value, _DEPTH.get(name, 0), write))
        for name, value in plain.items()
    )
    return b"{\n%b\n}\n" % b",\n".join(parts)


def sealed(record: Record) -> Record:
    """The record with the hash of all its parts in it."""
    import msgspec  # noqa: PLC0415 -- start-up

    open_record = replace(record, seal="")
    written = msgspec.json.encode(open_record, order="deterministic")
    return replace(record, seal=bytes_sha256(written))


def write_record(path: Path, record: Record) -> None:
    """Write a record atomically.

    Raises:
        InputError: the file cannot be written.
    """
    write_atomically(path, encode(record))


def read_record(path: Path) -> Record:
    """Read a record; every key and type must be as the schema has them.

    That its hashes and figures are right is for verification to say.

    Raises:
        InputError: like `read_json`; another format; an unknown or missing key or a
            value of another type, by its path in the JSON.
    """
    plain = read_json(path)
    found = plain.get("format") if isinstance(plain, dict) else None
    if found != FORMAT:
        raise InputError(
            f'{path}: found the format {spelled(found)}, expected "{FORMAT}". '
            "Read it with the version that wrote it, or compare again."
        )
    record = built(Record, plain, file=path)
    for one in record.freeze.configurations:
        if not _whole(one):
            raise InputError(
                f"{path}: found a frozen configuration without its name, kind, plugin, "
                "inputs and budget. Compare again."
            )
    return record


def _whole(configuration: Mapping[str, Any]) -> bool:
    kinds = {"name": str, "kind": str, "plugin": dict, "inputs": list, "budget": int}
    return all(isinstance(configuration.get(key), one) for key, one in kinds.items())


def schema() -> dict[str, Any]:
    """The JSON Schema of a record, made from the types."""
    return schema_of(Record, title=FORMAT)


def _laid_out(
    value: object, depth: int, write: Callable[[object], bytes], indent: bytes = b" "
) -> bytes:
    """JSON with a line for each item, ``depth`` levels down; what is short stays."""
    if depth == 0 or not value or not isinstance(value, (dict, list, tuple)):
        return write(value)
    inner = indent + b" "
    if isinstance(value, dict):
        brackets = b"{}"
        items = [
            b"%b: %b" % (write(name), _laid_out(one, depth - 1, write, inner))
            for name, one in value.items()
        ]
    else:
        brackets = b"[]"
        items = [_laid_out(one, depth - 1, write, inner) for one in value]
    line = b", ".join(items) if len(items) <= _SHORT else b""
    if not line or len(line) > _SHORT or b"\n" in line:
        line = b"\n" + inner + (b",\n" + inner).join(items) + b"\n" + indent
    return brackets[:1] + line + brackets[1:]


def _finite(value: object) -> bool:
    """Whether every number in plain data is one that JSON has."""
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, dict):
        return all(map(_finite, value.values()))
    if not isinstance(value, (list, tuple)):
        return True
    kinds = set(map(type, value))  # most are long lists of one kind
    if kinds == {float}:
        return all(map(math.isfinite, value))
    return kinds <= {str, int} or all(map(_finite, value))
