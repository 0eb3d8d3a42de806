"""The store of sealed runs: work that was finished is not done again.

One file a run, named by a key that the caller makes of everything the run depends on.
A file is believed only if the seal that it carries is the seal of what is in it.
"""

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from leadline.disk import read_bytes, write_atomically
from leadline.ranking import Run

_KEY = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class RunStore:
    """Runs in the files of a folder, which is made with the first of them."""

    folder: Path

    def get(self, key: str) -> Run | None:
        """The run of this key; None where there is none that can be believed.

        A file that is cut short or changed counts as absent, so the run is computed
        again.
        """
        path = self._path(key)
        try:
            with np.load(io.BytesIO(read_bytes(path)), allow_pickle=False) as columns:
                run = Run(
                    _unpacked(columns["questions"], columns["question_ends"]),
                    _unpacked(columns["passages"], columns["passage_ends"]),
                    columns["offsets"],
                    columns["codes"],
                    columns["scores"],
                )
                marks = columns["seal"].tobytes().decode("ascii")
                believed = marks == f"{run.seal} {key}"
            return run.check(source="a kept run") if believed else None
        except Exception:  # noqa: BLE001 -- whatever damage does, the run is made again
            return None

    def put(self, key: str, run: Run) -> None:
        """Keep a run; the same run gives the same bytes.

        Raises:
            InputError: the file cannot be written.
        """
        questions, question_ends = _packed(run.question_ids)
        passages, passage_ends = _packed(run.passage_ids)
        stream = io.BytesIO()
        np.savez(
            stream,
            seal=np.frombuffer(f"{run.seal} {key}".encode("ascii"), np.uint8),
            questions=questions,
            question_ends=question_ends,
            passages=passages,
            passage_ends=passage_ends,
            offsets=run.offsets.astype("<i8"),
            codes=run.passages.astype("<i8"),
            scores=run.scores.astype("<f8"),
        )
        write_atomically(self._path(key), stream.getvalue())

    def _path(self, key: str) -> Path:
        if not _KEY.fullmatch(key):
            raise ValueError(f"{key!r} is no key: letters, digits, - and _ only")
        return self.folder / f"{key}.npz"


def _packed(strings: Sequence[str]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Strings as one column of UTF-8, and where each of them ends."""
    raw = [one.encode("utf-8") for one in strings]
    ends = np.cumsum([len(one) for one in raw], dtype="<i8")
    return np.frombuffer(b"".join(raw), np.uint8), ends


def _unpacked(raw: NDArray[np.uint8], ends: NDArray[np.int64]) -> tuple[str, ...]:
    data = raw.tobytes()
    found = []
    start = 0
    for end in ends.tolist():
        found.append(data[start:end].decode("utf-8"))
        start = end
    return tuple(found)
