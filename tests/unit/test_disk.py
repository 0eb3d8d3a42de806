"""Reading takes text as it is or says what is wrong; writing leaves old or new."""

import errno
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline import disk
from leadline.disk import (
    locked,
    read_json,
    read_jsonl,
    read_lines,
    read_text,
    write_atomically,
    write_json,
)
from leadline.errors import InputError

SEPARATORS = "\u2028\u2029\x85\x0b\x0c\x1c\x1d\x1e"


def file(folder: Path, data: bytes, name: str = "in.jsonl") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


# --- text ------------------------------------------------------------------------


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    assert read_text(file(tmp_path, b'\xef\xbb\xbf{"a": 1}')) == '{"a": 1}'
    path = file(tmp_path, b'\xef\xbb\xbf{"_id": "1"}\n{"_id": "2"}\n')
    assert [row["_id"] for _, row in read_jsonl(path)] == ["1", "2"]


def test_line_ends_stay_in_a_text(tmp_path: Path) -> None:
    assert read_text(file(tmp_path, b"a\r\nb\rc\n")) == "a\r\nb\rc\n"


@pytest.mark.parametrize(
    ("data", "where", "found"),
    [
        (
            "id,text\nq1,caf\xe9 menu\n".encode("cp1252"),
            "line 2",
            "byte 0xe9 at offset 14, which is not UTF-8, expected UTF-8 text",
        ),
        (
            b"\xff\xfe" + "id,text\n".encode("utf-16-le"),
            "line 1",
            "byte 0xff at offset 0, which is not UTF-8 but UTF-16, expected",
        ),
        (
            b"\xfe\xff" + "id,text\n".encode("utf-16-be"),
            "line 1",
            "byte 0xfe at offset 0, which is not UTF-8 but UTF-16, expected",
        ),
        (b"\xed\xa0\x80", "line 1", "byte 0xed at offset 0, which is not UTF-8,"),
        (b"ok\n\n\xc3", "line 3", "byte 0xc3 at offset 4, which is not UTF-8,"),
        (b"\xef\xbb\xbf\xff", "line 1", "byte 0xff at offset 3, which is not UTF-8,"),
    ],
)
def test_what_is_not_utf8_is_refused_by_its_offset(
    tmp_path: Path, data: bytes, where: str, found: str
) -> None:
    path = file(tmp_path, data)
    with pytest.raises(InputError) as refused:
        read_text(path)
    assert str(refused.value).startswith(f"{path}, {where}: found {found}")
    assert str(refused.value).endswith("Save the file as UTF-8.")


def test_the_locale_is_never_asked(tmp_path: Path) -> None:
    text = "café “special” menu"
    path = file(tmp_path, text.encode(), "in.txt")
    code = (
        "import sys; from pathlib import Path; from leadline.disk import *; "
        "text = read_text(Path(sys.argv[1])); print(ascii(text)); "
        "write_json(Path(sys.argv[2]), text)"
    )
    source = str(Path(disk.__file__).parents[1])
    run = subprocess.run(
        [sys.executable, "-c", code, str(path), str(tmp_path / "out.json")],
        env={
            "LC_ALL": "C",
            "PYTHONUTF8": "0",
            "PYTHONCOERCECLOCALE": "0",
            "PYTHONIOENCODING": "ascii",
            "PYTHONPATH": source,
        },
        capture_output=True,
        check=True,
    )
    assert run.stdout.decode("ascii").strip() == ascii(text)
    assert read_json(tmp_path / "out.json") == text


def test_what_cannot_be_read_is_said_in_words(tmp_path: Path) -> None:
    path = tmp_path / "nowhere.jsonl"
    with pytest.raises(InputError, match=r"nowhere\.jsonl: does not exist\. Check"):
        read_text(path)
    with pytest.raises(InputError, match=r": is a folder\. Expected a file\.$"):
        read_text(tmp_path)
    below = file(tmp_path, b"x", "plain") / "in.jsonl"
    with pytest.raises(InputError, match="does not exist: a part of its path is no"):
        read_text(below)
    with pytest.raises(InputError, match="is no path"):
        read_text(Path("nul\0byte"))


def test_a_file_without_permission_is_said_to_be_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> bytes:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(InputError, match=r"^in: may not be read\. Check its permiss"):
        read_text(Path("in"))


@pytest.mark.parametrize("data", [b"", b"\n\n  \n", b"\xef\xbb\xbf", b"\r\n"])
def test_a_file_without_records_is_empty(tmp_path: Path, data: bytes) -> None:
    path = file(tmp_path, data)
    assert not read_text(path).strip()
    for read in (read_jsonl, read_json, lambda p: read_lines(p, may_be_empty=False)):
        with pytest.raises(InputError, match=r": is empty\. Expected at least one"):
            read(path)
    assert list(read_jsonl(path, may_be_empty=True)) == []


# --- lines -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"a", [(1, "a")]),
        (b"a\nb\n", [(1, "a"), (2, "b")]),
        (b"a\r\n\r\nb", [(1, "a"), (2, ""), (3, "b")]),
        (b"a\r\r\n", None),
        (b"a\rb\rc", None),
    ],
)
def test_lines_end_at_a_line_feed(
    tmp_path: Path, data: bytes, lines: list[tuple[int, str]] | None
) -> None:
    path = file(tmp_path, data)
    if lines is not None:
        assert list(read_lines(path)) == lines
        return
    with pytest.raises(InputError, match="line 1: found a carriage return inside"):
        list(read_lines(path))


@given(st.lists(st.text(st.characters(exclude_characters="\r\n"), min_size=1)))
def test_no_other_character_ends_a_line(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    folder = tmp_path_factory.getbasetemp()
    lines = [line for line in lines if not line.startswith("\ufeff")]
    path = file(folder, "\n".join(lines).encode("utf-8", "surrogatepass"))
    try:
        assert [line for _, line in read_lines(path)] == lines
    except InputError as error:
        assert "not UTF-8" in str(error)  # noqa: PT017 -- a drawn half pair


# --- JSON lines ------------------------------------------------------------------


def test_separators_inside_strings_split_nothing(tmp_path: Path) -> None:
    rows = [
        '{"_id": "d1", "text": "first line\u2028second line"}',
        '{"_id": "d2", "text": "next\x85page\u2029end"}',
        r'{"_id": "d3", "text": "tab\there\u000bvt\fff\u001cfs"}',
    ]
    path = file(tmp_path, "\n".join(rows).encode())
    assert [(line, row["text"]) for line, row in read_jsonl(path)] == [
        (1, "first line\u2028second line"),
        (2, "next\x85page\u2029end"),
        (3, "tab\there\x0bvt\x0cff\x1cfs"),
    ]
    bad = file(tmp_path, ("\n".join(rows) + "\nwrong\n").encode())
    with pytest.raises(InputError, match=r", line 4: found no JSON"):
        list(read_jsonl(bad))


def test_what_was_written_reads_back(tmp_path: Path) -> None:
    value = {"text": SEPARATORS + "\ufeff\x00é\U0001f378", "score": 0.1}
    write_json(tmp_path / "out.json", value)
    assert read_json(tmp_path / "out.json") == value
    assert (tmp_path / "out.json").read_bytes().endswith(b"}\n")


def test_windows_line_ends_and_blank_lines_are_no_records(tmp_path: Path) -> None:
    path = file(tmp_path, b'{"a": 1}\r\n\r\n  \n{"a": 2}')
    assert list(read_jsonl(path)) == [(1, {"a": 1}), (4, {"a": 2})]


@pytest.mark.parametrize("tail", [b'{"query_id": "q3", "doc_i', b"{", b'{"a": "}'])
def test_a_half_written_last_record_is_called_unfinished(
    tmp_path: Path, tail: bytes
) -> None:
    path = file(tmp_path, b'{"a": 1}\n{"a": 2}\n' + tail)
    with pytest.raises(InputError, match=r"line 3: found an unfinished record, exp"):
        list(read_jsonl(path))


@pytest.mark.parametrize("row", [b"[1]", b'"text"', b"7", b"null"])
def test_a_record_is_an_object(tmp_path: Path, row: bytes) -> None:
    path = file(tmp_path, b'{"a": 1}\n' + row + b"\n")
    with pytest.raises(InputError, match=r"line 2: found .*, expected a JSON object"):
        list(read_jsonl(path))


# --- writing ---------------------------------------------------------------------


def test_a_file_is_made_with_its_folders(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "out.json"
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert [one.name for one in path.parent.iterdir()] == ["out.json"]


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    plain = file(tmp_path, b"", "plain")
    write_atomically(tmp_path / "out", b"")
    modes = {stat.S_IMODE((tmp_path / n).stat().st_mode) for n in ("out", plain.name)}
    assert len(modes) == 1


@pytest.mark.parametrize("failing", ["replace", "fsync"])
def test_a_failure_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    def full(*_arguments: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = file(tmp_path, b"old", "out.json")
    with monkeypatch.context() as broken:
        broken.setattr(os, failing, full)
        with pytest.raises(InputError, match=r"out\.json: cannot be written: the disk"):
            write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["out.json"]


def test_an_interrupt_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_arguments: object) -> None:
        raise KeyboardInterrupt

    path = file(tmp_path, b"old", "out.json")
    with monkeypatch.context() as broken:
        broken.setattr(os, "replace", interrupt)
        with pytest.raises(KeyboardInterrupt):
            write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["out.json"]


def test_a_kill_before_the_rename_leaves_the_old_file(tmp_path: Path) -> None:
    path = file(tmp_path, b"old", "out.json")
    code = (
        "import os, signal, sys; from pathlib import Path; "
        "from leadline.disk import write_atomically; "
        "os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL); "
        "write_atomically(Path(sys.argv[1]), b'new')"
    )
    source = str(Path(disk.__file__).parents[1])
    run = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        env={"PYTHONPATH": source},
        check=False,
    )
    assert run.returncode == -signal.SIGKILL
    assert path.read_bytes() == b"old"
    assert len(list(tmp_path.iterdir())) == 2  # what it had begun to write
    write_atomically(path, b"new")
    assert [one.name for one in tmp_path.iterdir()] == ["out.json"]
    assert path.read_bytes() == b"new"


def test_a_link_is_written_through(tmp_path: Path) -> None:
    path = file(tmp_path, b"old", "out.json")
    link = tmp_path / "latest"
    link.symlink_to(path)
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"


def test_a_device_is_written_to_and_not_replaced() -> None:
    write_atomically(Path(os.devnull), b"new")
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


def test_what_cannot_be_written_is_said_in_words(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r": is a folder\. Expected a file\.$"):
        write_atomically(tmp_path, b"new")
    below = file(tmp_path, b"x", "plain") / "out.json"
    with pytest.raises(InputError, match=r"a part of its path is (a file|no folder)"):
        write_atomically(below, b"new")


def test_nan_is_never_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(tmp_path / "out.json", {"score": float("nan")})
    assert list(tmp_path.iterdir()) == []


# --- one writer ------------------------------------------------------------------


def test_a_second_writer_is_refused_by_the_first_ones_process(tmp_path: Path) -> None:
    path = tmp_path / "results" / "record.json"
    with locked(path):
        expected = f"{path} is in use by process {os.getpid()}; wait for it or write "
        with pytest.raises(InputError) as refused, locked(path):
            pass
        assert str(refused.value) == expected + "elsewhere"
    with locked(path):
        pass
    assert list(path.parent.iterdir()) == []


def test_two_spellings_of_a_path_are_one_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with (
        locked(tmp_path / "record.json"),
        pytest.raises(InputError, match=r"^record\.json is in use by process"),
        locked(Path("record.json")),
    ):
        pass


def test_a_folder_can_be_locked_too(tmp_path: Path) -> None:
    with locked(tmp_path), pytest.raises(InputError, match="in use"), locked(tmp_path):
        pass


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    code = (
        "import os, signal, sys; from pathlib import Path; "
        "from leadline.disk import locked; held = locked(Path(sys.argv[1])); "
        "held.__enter__(); os.kill(os.getpid(), signal.SIGKILL)"
    )
    source = str(Path(disk.__file__).parents[1])
    run = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        env={"PYTHONPATH": source},
        check=False,
    )
    assert run.returncode == -signal.SIGKILL
    with locked(path):
        pass


def test_a_lock_ends_with_an_error(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), locked(tmp_path / "out"):
        raise ZeroDivisionError
    with locked(tmp_path / "out"):
        pass
