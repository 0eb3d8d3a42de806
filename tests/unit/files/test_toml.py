"""A field is found on its line, whatever way it is written."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from leadline.files.toml import read_toml

Put = Callable[[str, Any], Path]

TEXT = """\
# [a] = 1
top = 1

[a]
'k=v' = 1
list = [
  "x = 1",
]
inline = { one = 1,
  two = 2 } # and more
dotted.name = "b = 2"

[ a . "b.c" ] # a comment
x = 1
[z]
"""


@pytest.mark.parametrize(
    ("field", "line"),
    [
        ("top", 2),
        ("a", 4),
        ("a.k=v", 5),
        ("a.list", 6),
        ("a.list[0]", 4),
        ("a.dotted.name", 11),
        ("a.b.c", 13),
        ("a.b.c.x", 14),
        ("a.b.c.unknown", 13),
        ("z", 15),
        ("nowhere", None),
    ],
)
def test_a_field_has_a_line(put: Put, field: str, line: int | None) -> None:
    text = TEXT.replace("{ one = 1,\n  two = 2 }", "{ one = 1 }\n")
    assert read_toml(put("e.toml", text)).line(field) == line


def test_windows_line_ends_change_no_line(put: Put) -> None:
    path = put("e.toml", b"\xef\xbb\xbfa = 1\r\nb = 2\r\n")
    toml = read_toml(path)
    assert toml.values == {"a": 1, "b": 2}
    assert toml.line("b") == 2
