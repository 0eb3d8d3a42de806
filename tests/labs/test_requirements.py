"""What a lab needs is what Leadline's core needs, pinned and held to hashes."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_lab_has_the_cores_lock() -> None:
    lab = ROOT / "src" / "leadline" / "labs" / "pydocs" / "requirements.lock"
    core = (ROOT / "requirements" / "core.lock").read_text("utf-8")
    assert lab.read_text("utf-8") == core


def test_every_lock_pins_and_hashes_and_names_no_host() -> None:
    for lock in (ROOT / "requirements").glob("*.lock"):
        text = lock.read_text("utf-8")
        pins = re.findall(r"^[A-Za-z0-9_.-]+==\S+", text, re.MULTILINE)
        entries = re.findall(r"^[A-Za-z]\S*", text, re.MULTILINE)
        assert len(pins) == len(entries) > 0
        assert text.count("--hash=sha256:") >= len(pins)
        assert "://" not in text
