"""Links between pages, and from pages to code, lead somewhere."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"\]\((?!https?:|mailto:|#)(?P<target>[^)#\s]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_relative_link_exists(page: Path) -> None:
    """A file or a folder of this repository."""
    targets = [match["target"] for match in LINK.finditer(page.read_text("utf-8"))]
    missing = [one for one in targets if not (page.parent / one).exists()]
    assert not missing


def test_the_architecture_names_every_room() -> None:
    """Each module and package of the house has its line."""
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    rooms = [
        path.relative_to(ROOT).as_posix() + ("/" if path.is_dir() else "")
        for path in sorted((ROOT / "src" / "leadline").iterdir())
        if not path.name.startswith("_") and path.suffix in ("", ".py")
    ]
    assert [room for room in rooms if f"({room})" not in text] == []
