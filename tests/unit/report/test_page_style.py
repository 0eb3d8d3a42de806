"""Colours can be told from their ground, in light and in dark."""

import re
from importlib.resources import files

import pytest

CSS = (files("leadline.report") / "page" / "page.css").read_text("utf-8")
COLOURS = dict(
    re.findall(r"--([\w-]+): light-dark\((#\w{6}, #\w{6})\)", CSS),
)
READ = [
    *(
        (ink, ground)
        for ink in ("ink", "soft", "link", "won", "lose", "target")
        for ground in ("paper", "raised")
    ),
    *((f"b{band}-ink", f"b{band}") for band in range(5)),
    ("target-ink", "target"),
    ("paper", "won"),
    ("ink", "mark"),
    ("ink", "warn"),
    ("ink", "target-tint"),
    ("soft", "target-tint"),
]


def luminance(colour: str) -> float:
    """Relative luminance, as WCAG 2 defines it."""
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("mode", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), READ)
def test_text_can_be_read_on_its_ground(ink: str, ground: str, mode: int) -> None:
    first, second = (
        luminance(COLOURS[name].split(", ")[mode]) for name in (ink, ground)
    )
    contrast = (max(first, second) + 0.05) / (min(first, second) + 0.05)
    assert contrast >= 4.5, f"{ink} on {ground}: {contrast:.2f}"


@pytest.mark.parametrize("mode", [0, 1], ids=["light", "dark"])
def test_bands_of_ranks_darken_or_lighten_in_one_direction(mode: int) -> None:
    shades = [luminance(COLOURS[f"b{band}"].split(", ")[mode]) for band in range(4)]
    assert shades in (sorted(shades), sorted(shades, reverse=True))


def test_every_colour_has_a_light_and_a_dark_side() -> None:
    used = set(re.findall(r"var\(--([\w-]+)\)", CSS)) - {"serif", "sans", "mono"}
    assert used <= set(COLOURS)
    assert not re.findall(r"#[0-9a-f]{3,8}\b", CSS.split("--serif")[1])
