"""Publish: write a record and its report, each whole or not at all."""

from pathlib import Path

from leadline.disk import write_atomically
from leadline.files.record import Record, encode
from leadline.report.html import render


def publish(record: Record, output: Path, report: Path) -> Path:
    """Write both; both are complete before either file is touched.

    Returns:
        Where the report is.
    """
    written, page = encode(record), render(record).encode()
    write_atomically(output, written)
    write_atomically(report, page)
    return report
