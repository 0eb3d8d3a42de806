"""Records of every format that was ever released load, and hold to the last bit.

They were written on another machine, by another SQLite: what is recomputed here, the
hashes, values, intervals and p values, must not depend on that.
"""

from pathlib import Path

import pytest

from leadline.app.verify import verify
from leadline.files.record import encode, read_record
from leadline.report.html import render

RECORDS = sorted(Path(__file__).parent.glob("record-*.json"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_it_loads_holds_and_is_written_as_it_was(path: Path) -> None:
    record = read_record(path)
    assert [one.name for one in verify(record) if one.faults] == []
    assert encode(record) == path.read_bytes()
    assert record.name in render(record)
