"""Collections that are too large for the suite, where they are at hand."""

from pathlib import Path

import pytest

_FOLDER = Path(__file__).parents[2] / "shared"


def shared(path: str) -> Path:
    """A file or folder of the shared data; the test is skipped where there is none."""
    found = _FOLDER / path
    if not found.exists():
        pytest.skip(f"the shared collection {path} is not here")
    return found
