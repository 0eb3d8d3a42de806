"""Vectors that were computed once are kept, by the embedder and the text's hash.

A folder for each embedder and role holds segments. A segment is one file with the
sha256 of some texts and their vectors; its name is the hash of what is in it, so a
file that was cut short or changed is known at sight, thrown away, and computed again.
Files are put in place whole, and none is changed afterwards: several processes may
read and write one cache.

Another model, another dimension or another text has another key, so nothing stale can
be found. The cache saves time and decides nothing.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from leadline.disk import write_atomically
from leadline.errors import EngineError
from leadline.hashing import digest, digest_columns, text_sha256
from leadline.retrieval.base import Embedder, Progress, Role, blaming, silent

_BATCH = 2048
"""Texts that are embedded, and then kept, at a time."""
_SEGMENTS = 8
"""More files than this are made into one."""
_KEY_BYTES = 32
_HEAD_BYTES = 8

Keys = NDArray[np.uint8]
"""Shape ``(count, 32)``: the sha256 of each text."""
Components = NDArray[np.float32]


def embed(
    embedder: Embedder,
    texts: Sequence[str],
    *,
    role: Role,
    cache: Path | None = None,
    progress: Progress = silent,
) -> Components:
    """Embed texts, each distinct one once, and only those that are not in the cache.

    Args:
        embedder: what turns texts into vectors.
        texts: in any order, with repeats.
        role: what the texts are.
        cache: the folder of all caches; None keeps nothing.
        progress: told how many texts are done.

    Returns:
        Shape ``(len(texts), dimension)``.

    Raises:
        EngineError: the embedder failed, or broke its promise.
        InputError: the cache cannot be written.
    """
    with blaming("the embedder"):
        identity = dict(embedder.identity())
    model, dimension = str(identity.get("model")), identity.get("dimension")
    if not isinstance(dimension, int) or dimension < 1:
        message = f'the embedder "{model}" does not say its dimension'
        raise EngineError(message)
    hashes = [text_sha256(text) for text in texts]
    places: dict[str, int] = {}
    for one in hashes:
        places.setdefault(one, len(places))
    first = dict(zip(hashes, texts, strict=True))
    found = np.zeros((len(places), dimension), dtype=np.float32)
    folder = None if cache is None else cache / digest("cache/1", [identity, role])[:32]
    kept = _load(folder, places, found) if folder is not None else set()
    missing = [one for one in places if one not in kept]
    for start in range(0, len(missing), _BATCH):
        progress(f"embedding each {role} with {model}", start, len(missing))
        batch = missing[start : start + _BATCH]
        vectors = _embedded(embedder, [first[one] for one in batch], role, identity)
        found[[places[one] for one in batch]] = vectors
        if folder is not None:
            _write(folder, _keys(batch), vectors)
    if missing:
        progress(f"embedding each {role} with {model}", len(missing), len(missing))
    if folder is not None:
        _merge(folder, dimension)
    return found[[places[one] for one in hashes]]


def _embedded(
    embedder: Embedder, texts: list[str], role: Role, identity: Mapping[str, object]
) -> Components:
    name = f'the embedder "{identity["model"]}"'
    with blaming(name):
        vectors = np.asarray(embedder.embed(texts, role=role))
    expected = (len(texts), identity["dimension"])
    if vectors.shape != expected:
        message = f"{name} answered with shape {vectors.shape}, expected {expected}"
        raise EngineError(message)
    if vectors.dtype != np.float32:
        message = f"{name} answered with {vectors.dtype}, expected float32"
        raise EngineError(message)
    if not np.isfinite(vectors).all():
        row = int(np.flatnonzero(~np.isfinite(vectors).all(axis=1))[0])
        message = (
            f"{name} answered with NaN or infinity for the text {texts[row]!r:.60}"
        )
        raise EngineError(message)
    return vectors


def _keys(hashes: Sequence[str]) -> Keys:
    raw = bytes.fromhex("".join(hashes))
    return np.frombuffer(raw, np.uint8).reshape(-1, _KEY_BYTES)


def _load(folder: Path, places: Mapping[str, int], found: Components) -> set[str]:
    """Put what the cache has into ``found``; return the hashes that it had."""
    kept: set[str] = set()
    for path in _segments(folder):
        segment = _read(path, found.shape[1])
        if segment is None:
            continue
        keys, vectors = segment
        names = keys.tobytes().hex()
        width = 2 * _KEY_BYTES
        rows = {
            name: row
            for row in range(len(keys))
            if (name := names[row * width : (row + 1) * width]) in places
        }
        found[[places[name] for name in rows]] = vectors[list(rows.values())]
        kept.update(rows)
    return kept


def _segments(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.vectors"))


def _read(path: Path, dimension: int) -> tuple[Keys, Components] | None:
    """What a segment holds; None, and the file is gone, where it is damaged."""
    try:
        raw = path.read_bytes()
    except OSError:  # another process made it a part of a larger one, perhaps
        return None
    count = int.from_bytes(raw[:_HEAD_BYTES], "little")
    middle = _HEAD_BYTES + count * _KEY_BYTES
    if len(raw) == middle + count * dimension * 4:
        keys = np.frombuffer(raw, np.uint8, count * _KEY_BYTES, _HEAD_BYTES)
        keys = keys.reshape(count, _KEY_BYTES)
        vectors = np.frombuffer(raw, "<f4", count * dimension, middle)
        vectors = vectors.reshape(count, dimension).astype(np.float32, copy=False)
        if path.stem == _name(keys, vectors):
            return keys, vectors
    path.unlink(missing_ok=True)
    return None


def _write(folder: Path, keys: Keys, vectors: Components) -> Path:
    path = folder / f"{_name(keys, vectors)}.vectors"
    head = len(keys).to_bytes(_HEAD_BYTES, "little")
    write_atomically(path, head + keys.tobytes() + vectors.astype("<f4").tobytes())
    return path


def _name(keys: Keys, vectors: Components) -> str:
    return digest_columns("segment/1", (), keys, vectors)


def _merge(folder: Path, dimension: int) -> None:
    """Make many segments one; a process that reads meanwhile misses nothing it needs.

    It may find a file gone, and then it embeds that file's texts again.
    """
    paths = _segments(folder)
    if len(paths) <= _SEGMENTS:
        return
    segments = [one for path in paths if (one := _read(path, dimension)) is not None]
    if not segments:
        return
    keys, first = np.unique(
        np.concatenate([keys for keys, _ in segments]), axis=0, return_index=True
    )
    vectors = np.concatenate([vectors for _, vectors in segments])[first]
    merged = _write(folder, keys, vectors)
    for path in paths:
        if path != merged:
            path.unlink(missing_ok=True)
