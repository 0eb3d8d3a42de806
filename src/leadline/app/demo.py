"""The demo: the recorded lab, from inside the package."""

from importlib.resources import as_file, files
from pathlib import Path

from leadline.app.compare import compare_file
from leadline.app.talk import Talk
from leadline.files.record import Record


def demo(work: Path, *, talk: Talk | None = None) -> Record:
    """Run the recorded lab; ``work`` is a folder for its sealed runs."""
    with as_file(files("leadline") / "labs" / "pydocs") as folder:
        return compare_file(folder / "leadline.toml", work=work, talk=talk)
