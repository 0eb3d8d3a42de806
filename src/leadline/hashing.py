"""Canonical bytes and their sha256. Nothing else in the package hashes.

Two kinds of hash, never mixed up:

- ``text_sha256`` is the plain sha256 of a text's UTF-8 bytes, the one that labels
  carry and anybody can recompute with ``sha256sum``;
- ``digest`` hashes structured data and starts with its kind, so that equal bytes
  of two different kinds never share an id.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Json: TypeAlias = (
    "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
)


def canonical(value: Json) -> bytes:
    """The one byte form of a JSON value: sorted keys, no blanks, UTF-8.

    >>> canonical({"b": 1.0, "a": "é"}).decode()
    '{"a":"é","b":1.0}'

    Raises:
        ValueError: NaN or an infinity, which JSON does not have.
    """
    return json.dumps(
        value,
        ensure_ascii=False,
        allow_nan=False,
        sort_keys=True,
        separators=(",", ":"),
    ).encode("utf-8")


def text_sha256(text: str) -> str:
    """Plain sha256 of the exact text, in UTF-8, as 64 hex digits."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def bytes_sha256(data: bytes) -> str:
    """Plain sha256 of bytes, as 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def digest(kind: str, value: Json) -> str:
    """Id of structured data: 64 hex digits that depend on kind and content."""
    return hashlib.sha256(_prefix(kind) + canonical(value)).hexdigest()


def digest_columns(
    kind: str, strings: Iterable[str], *arrays: NDArray[np.number]
) -> str:
    """Id of columnar data: strings in order, then arrays with type and shape.

    Arrays are hashed in little-endian, C order, so the id is the same on every
    machine.
    """
    state = hashlib.sha256(_prefix(kind))
    for text in strings:
        raw = text.encode("utf-8")
        state.update(len(raw).to_bytes(8, "little"))
        state.update(raw)
    for array in arrays:
        fixed = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
        state.update(f"\n{fixed.dtype.str}{fixed.shape}\n".encode())
        state.update(fixed.tobytes())
    return state.hexdigest()


def file_sha256(path: Path) -> str:
    """Plain sha256 of a file's bytes."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _prefix(kind: str) -> bytes:
    return f"leadline:{kind}\n".encode()
