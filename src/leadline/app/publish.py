"""Publish: write a record and its report, each whole or not at all."""

from collections.abc import Iterable
from pathlib import Path

from leadline import __version__
from leadline.disk import read_bytes, read_text, write_atomically
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
        InputError: a file cannot be written.
    """
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


def check_places(output: Path, report: Path, inputs: Iterable[Path]) -> None:
    """Refuse to write over an input, or over a file that no comparison wrote.

    Raises:
        InputError: names the file; nothing has been computed or written.
    """
    for path in (output, report):
        try:
            path.resolve()
            path.is_file()
        except (OSError, RuntimeError) as error:
            message = f"{path} cannot be written: {error}"
            raise InputError(message) from None
        if not path.name or path.is_dir():
            message = f"{path} is a folder, expected a file"
            raise InputError(message)
    if output.resolve() == report.resolve():
        message = f"{output}: the record and the report cannot be one file"
        raise InputError(message)
    kept = {one.resolve() for one in inputs}
    for path, start in (
        (output, b'{\n "format": "leadline.'),
        (report, b"<!DOCTYPE html>"),
    ):
        if kept & {path.resolve(), *path.resolve().parents}:
            message = f"{path} is an input of this comparison; write elsewhere"
            raise InputError(message)
        if path.is_file() and path.stat().st_size and not _starts(path, start):
            message = (
                f"{path} was not written by a comparison, and is not written over: "
                "choose another place, or remove it first"
            )
            raise InputError(message)


def _starts(path: Path, start: bytes) -> bool:
    return read_bytes(path)[: len(start)] == start


def _hash(path: Path) -> str | None:
    return file_sha256(path) if path.is_file() else None


def _remembered(known: Path | None) -> str:
    """The hash that a record's page had; no file has the empty one."""
    try:
        return "" if known is None else read_text(known)
    except InputError:  # absent or damaged: the page is made again
        return ""
