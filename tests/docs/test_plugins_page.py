"""The plug-in that the page shows keeps every promise."""

import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from leadline import testing
from leadline.plugins import Plugin, resolve

PAGE = Path(__file__).parents[2] / "docs" / "plugins.md"


@pytest.fixture(scope="module")
def shown() -> ModuleType:
    """The page's first block, as a module."""
    found = re.search(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert found is not None
    module = ModuleType("shown")
    exec(found.group(1), module.__dict__)  # noqa: S102 -- our own page
    return module


@pytest.mark.parametrize("promise", testing.RETRIEVER)
def test_the_retriever_keeps_every_promise(
    shown: ModuleType, promise: Callable[[Callable[[], object]], None]
) -> None:
    promise(lambda: shown.Opening(shown.OpeningParameters()))


def test_it_is_found_by_its_entry_point(
    shown: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Point:
        name, value = "opening", "my_package:PLUGIN"

        def load(self) -> Plugin:
            plugin: Plugin = shown.PLUGIN
            return plugin

    monkeypatch.setattr("leadline.plugins._entry_points", lambda _kind: [Point()])
    part = resolve("retriever", "opening", {"first": 12}, base=tmp_path, where="x")
    assert part.frozen() == {"name": "opening", "first": 12}
