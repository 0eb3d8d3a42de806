"""A record as one HTML page that needs nothing else, now or in ten years.

The page loads nothing: its style and its script are in it, and its content security
policy allows just these two, by hash. All that comes from data is escaped by the
template engine and passes through `leadline.report.safe`; nothing from data is in the
script. Without the script everything is still there to read; it only filters, sorts
and opens.
"""

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from leadline.files.record import Record
from leadline.hashing import text_sha256
from leadline.report import figures, safe
from leadline.report.ranks import BAND_NAMES
from leadline.report.view import Limits, Report, report

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup


@dataclass(frozen=True, slots=True)
class Page:
    """The context of ``page/page.html``; ``report`` is all of it that is data."""

    report: Report
    bands: tuple[str, ...]
    """Names of the bands of ranks."""
    style: "Markup"
    script: "Markup"
    policy: str
    """The content security policy."""


def render(record: Record, *, limits: Limits | None = None) -> str:
    """The whole page. Equal records give equal pages."""
    from markupsafe import Markup  # noqa: PLC0415 -- start-up

    style, script = _part("page.css"), _part("page.js")
    page = Page(
        report=report(record, limits),
        bands=BAND_NAMES,
        style=Markup(style),  # noqa: S704 -- a file of ours
        script=Markup(script),  # noqa: S704 -- a file of ours
        policy=(
            f"default-src 'none'; style-src '{_source(style)}'; "
            f"script-src '{_source(script)}'; base-uri 'none'; form-action 'none'"
        ),
    )
    context = {name: getattr(page, name) for name in Page.__slots__}
    return _environment().get_template("page.html").render(context)


def place(number: float, ticks: Sequence[float]) -> str:
    """Where a number lies on an axis, for an SVG attribute.

    >>> place(0.25, (0.0, 0.5, 1.0))
    '25%'
    """
    low, high = ticks[0], ticks[-1]
    return percent(min(max(number, low), high) - low, high - low)


def percent(part: float, whole: float) -> str:
    """A length as a part of the whole, for an SVG attribute.

    >>> percent(1, 3), percent(2, 2)
    ('33.33%', '100%')
    """
    return f"{100 * part / whole:.2f}".rstrip("0").rstrip(".") + "%"


FILTERS: Mapping[str, Callable[..., str]] = {
    "count": figures.count,
    "difference": figures.difference,
    "interval": figures.interval,
    "listing": figures.listing,
    "number_of": figures.number_of,
    "p_value": figures.p_value,
    "percent": percent,
    "place": place,
    "score": figures.score,
    "share": figures.share,
    "value": figures.value,
    "visible": safe.visible,
}
"""What the templates may do with a value, besides the engine's own filters."""


def _finalize(value: Any) -> Any:  # noqa: ANN401 -- whatever a template prints
    """The last thing done to a value before it is escaped."""
    return safe.harmless(value) if type(value) is str else value


def _part(name: str) -> str:
    from importlib.resources import files  # noqa: PLC0415 -- start-up

    return (files("leadline.report") / "page" / name).read_text("utf-8")


def _source(text: str) -> str:
    digest = base64.b64encode(bytes.fromhex(text_sha256(text))).decode()
    return f"sha256-{digest}"


@cache
def _environment() -> "Environment":
    from jinja2 import (  # noqa: PLC0415 -- start-up
        Environment,
        FunctionLoader,
        StrictUndefined,
    )

    environment = Environment(
        loader=FunctionLoader(_part),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(FILTERS)
    return environment
