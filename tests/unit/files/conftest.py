"""What every test of a door needs: a file with just these bytes."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

import pytest

Content: TypeAlias = str | bytes | Sequence[object]
Put: TypeAlias = Callable[[str, Content], Path]


@pytest.fixture
def put(tmp_path: Path) -> Put:
    """Write a file in a fresh folder: bytes, a text, or the rows of a JSONL file."""

    def write(name: str, content: Content) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not isinstance(content, (str, bytes)):
            content = "".join(json.dumps(row) + "\n" for row in content)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write
