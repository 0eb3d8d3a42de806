"""Files: strict reading and atomic writing. Every room that opens a file opens it here.

Text is UTF-8, a byte-order mark at the start is dropped, and lines end at a line
feed and nowhere else. A file that is written holds the old bytes or the new ones,
whatever happens in between.

Whatever is wrong raises `InputError`, which names the file, the line and the field.
"""

import errno
import json
import os
import re
import secrets
import stat
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from leadline.errors import InputError, describe
from leadline.rows import spelled
from leadline.strictjson import is_cut_short, parse_json

if TYPE_CHECKING:
    from leadline.hashing import Json

__all__ = [
    "locked",
    "parse_json",
    "read_bytes",
    "read_json",
    "read_jsonl",
    "read_lines",
    "read_text",
    "write_atomically",
    "write_json",
]

# --- reading ---------------------------------------------------------------------


def read_bytes(path: Path) -> bytes:
    """Every byte of a file.

    Raises:
        InputError: it does not exist, is a folder, or cannot be read.
    """
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: {_why(error, 'read')}") from None


def read_text(path: Path, *, may_be_empty: bool = True) -> str:
    """The text of a UTF-8 file, without its byte-order mark; line ends untouched.

    Raises:
        InputError: the file cannot be read; it is not UTF-8 (the message gives the
            byte offset); or it holds nothing but blanks and must not be empty.
    """
    data = read_bytes(path)
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        found = f"byte 0x{data[error.start]:02x} at offset {error.start}"
        utf16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
        message = describe(
            f"{found}, which is not UTF-8" + (" but UTF-16" if utf16 else ""),
            file=path,
            line=data.count(b"\n", 0, error.start) + 1,
            expected="UTF-8 text",
            remedy="Save the file as UTF-8.",
        )
        raise InputError(message) from None
    if not may_be_empty and not text.strip():
        raise InputError(f"{path}: is empty. Expected at least one record.")
    return text


def read_lines(path: Path, *, may_be_empty: bool = True) -> Iterator[tuple[int, str]]:
    r"""``(number, line)`` of a text file, numbers from 1, without the line ends.

    Only ``\n`` ends a line; one ``\r`` before it is dropped.

    Raises:
        InputError: like `read_text`, at the call; while iterating, a carriage return
            inside a line.
    """
    return _numbered(read_text(path, may_be_empty=may_be_empty), path)


def _numbered(text: str, path: Path) -> Iterator[tuple[int, str]]:
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    for number, raw in enumerate(lines, 1):
        line = raw.removesuffix("\r")
        if "\r" in line:
            message = describe(
                "a carriage return inside a line",
                file=path,
                line=number,
                expected="lines that end in a line feed",
                remedy="Convert the line ends; old Mac files have carriage returns.",
            )
            raise InputError(message)
        yield number, line


def read_json(path: Path) -> "Json":
    """The one JSON value of a file; raises like `read_text` and `parse_json`."""
    return parse_json(read_text(path, may_be_empty=False), file=path)


def read_jsonl(
    path: Path, *, may_be_empty: bool = False
) -> Iterator[tuple[int, Mapping[str, "Json"]]]:
    """``(line, object)`` of each record of a JSON Lines file; blank lines are skipped.

    Raises:
        InputError: like `read_text`, at the call; while iterating, like `parse_json`,
            for a record that is no object, and for a last one that is unfinished.
    """
    return _records(list(read_lines(path, may_be_empty=may_be_empty)), path)


def _records(
    lines: Sequence[tuple[int, str]], path: Path
) -> Iterator[tuple[int, Mapping[str, "Json"]]]:
    last = max((number for number, line in lines if line.strip()), default=0)
    for number, line in lines:
        if not line.strip():
            continue
        if number == last and is_cut_short(line):
            message = describe(
                "an unfinished record",
                file=path,
                line=number,
                expected="a whole JSON object on each line",
                remedy="The file was cut short; write it again, or delete the line.",
            )
            raise InputError(message)
        value = parse_json(line, file=path, line=number)
        if not isinstance(value, dict):
            message = describe(
                spelled(value),
                file=path,
                line=number,
                expected="a JSON object on each line",
                remedy='For example {"question_id": "q1", "text": "..."}.',
            )
            raise InputError(message)
        yield number, value


# --- writing ---------------------------------------------------------------------


def write_atomically(path: Path, data: bytes) -> None:
    """Put a whole file in place: afterwards it holds the old bytes or all of these.

    The bytes go to a hidden file in the same folder, are flushed to the disk, and
    that file is then renamed. Missing folders are made; a link is written through.
    What a writer that was killed left beside it is removed.

    Raises:
        InputError: the file cannot be written; what was there is untouched.
    """
    try:
        target = Path(os.path.realpath(path))
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists() and not stat.S_ISREG(target.stat().st_mode):
            target.write_bytes(data)  # a device or a pipe; a folder refuses
            return
        _remove_abandoned(target)
        mark = f"{os.getpid()}-{secrets.token_hex(4)}"
        beside = target.with_name(f".{target.name}.{mark}.tmp")
        try:
            with beside.open("xb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            beside.replace(target)
        except BaseException:
            with suppress(OSError):
                beside.unlink()
            raise
        _flush_folder(target.parent)
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: {_why(error, 'written')}") from None


def _remove_abandoned(target: Path) -> None:
    """Remove the hidden files of writers of this target that are no longer alive."""
    named = re.compile(rf"\.{re.escape(target.name)}\.(\d+)-[0-9a-f]+\.tmp")
    for one in target.parent.iterdir():
        match = named.fullmatch(one.name)
        if match and not _is_alive(int(match[1])):
            with suppress(OSError):
                one.unlink()


def _is_alive(process: int) -> bool:
    if sys.platform == "win32":  # there, asking would end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def write_json(path: Path, value: "Json", *, indent: int | None = None) -> None:
    """Write one JSON value atomically, keys in the order they have, a line feed last.

    Raises:
        InputError: the file cannot be written.
        ValueError: NaN or an infinity, which JSON does not have.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    write_atomically(path, f"{text}\n".encode())


def _flush_folder(folder: Path) -> None:
    if sys.platform == "win32":  # folders cannot be opened there
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some network disks cannot, and the file is whole
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Be the only writer of a file or folder while the block runs.

    The lock is a hidden file beside it, and it ends with the process, however that
    ends. Windows has no such locks; there nothing is held.

    Raises:
        InputError: another writer is at work, at once and by its process id.
    """
    if sys.platform == "win32":
        yield
        return
    import fcntl  # noqa: PLC0415 -- not on every platform

    try:
        target = Path(os.path.realpath(path))
        lock = target.with_name(f".{target.name}.lock")
        lock.parent.mkdir(parents=True, exist_ok=True)
        while True:
            descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if _is_same(descriptor, lock):
                    break
            except BaseException:
                os.close(descriptor)
                raise
            os.close(descriptor)  # the last holder removed it in between
    except BlockingIOError:
        holder = ""
        with suppress(OSError):
            holder = lock.read_text("utf-8").strip()
        by = f"process {holder}" if holder else "another process"
        message = f"{path} is in use by {by}; wait for it or write elsewhere"
        raise InputError(message) from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: {_why(error, 'locked')}") from None
    try:
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        yield
    finally:
        with suppress(OSError):
            lock.unlink()
        os.close(descriptor)


def _is_same(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


_REASONS: Mapping[int, str] = {
    errno.ENOENT: "does not exist. Check the path.",
    errno.ENOTDIR: "does not exist: a part of its path is no folder. Check the path.",
    errno.EEXIST: "cannot be {done}: a part of its path is a file. Check the path.",
    errno.EISDIR: "is a folder. Expected a file.",
    errno.EACCES: "may not be {done}. Check its permissions.",
    errno.EPERM: "may not be {done}. Check its permissions.",
    errno.EROFS: "cannot be {done}: the disk is read-only. Choose another place.",
    errno.ENOSPC: "cannot be {done}: the disk is full. Free some space.",
}


def _why(error: OSError | ValueError, done: str) -> str:
    """What is wrong, as the end of a sentence that starts with the path."""
    if isinstance(error, ValueError):
        return f"is no path ({error})."
    reason = _REASONS.get(error.errno or 0)
    if reason is None:
        reason = f"cannot be {{done}}: {error.strerror or error}."
    return reason.format(done=done)
