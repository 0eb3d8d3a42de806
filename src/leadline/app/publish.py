"""Publish: write a record and its report, each whole or not at all."""

from pathlib import Path

from leadline import __version__
from leadline.disk import read_text, write_atomically
from leadline.errors import InputError
from leadline.files.record import Record, encode
from leadline.hashing import bytes_sha256, digest, file_sha256
from leadline.report.html import render


def publish(
    record: Record, output: Path, report: Path, *, work: Path | None = None
) -> None:
    """Write both; both are complete before either file is touched.

    A page is a function of its record, so what is there already is not made again:
    ``work`` remembers which page each record had, by their hashes.

    Args:
        record: the comparison.
        output: where the record goes.
        report: where its page goes.
        work: the folder for caches; None remembers nothing.

    Raises:
        InputError: the two have one place, or a file cannot be written.
    """
    if output.resolve() == report.resolve():
        message = f"{output}: the record and the report cannot be one file"
        raise InputError(message)
    written = encode(record)
    key = digest("page/1", [bytes_sha256(written), __version__])
    known = None if work is None else work / "pages" / key
    if _hash(output) == bytes_sha256(written) and _hash(report) == _remembered(known):
        return
    page = render(record).encode()
    write_atomically(output, written)
    write_atomically(report, page)
    if known is not None:
        write_atomically(known, bytes_sha256(page).encode())


def _hash(path: Path) -> str | None:
    return file_sha256(path) if path.is_file() else None


def _remembered(known: Path | None) -> str:
    """The hash that a record's page had; no file has the empty one."""
    return "" if known is None or not known.is_file() else read_text(known)
