"""Run the recorded comparison and write it in the recorded layout.

python run.py --output scratch-result.json
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path

from leadline.app.compare import compare_file
from leadline.disk import write_atomically
from leadline.errors import LeadlineError
from leadline.labs.pydocs.layout import recorded_layout, write

LAB = Path(__file__).parent


def result() -> dict[str, object]:
    """The comparison, run afresh, in the recorded layout."""
    with tempfile.TemporaryDirectory() as work:
        record = compare_file(LAB / "leadline.toml", work=Path(work))
    return recorded_layout(record)


def main() -> int:
    """Run, write, and print what was frozen and what came out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True, metavar="FILE")
    output: Path = parser.parse_args().output
    try:
        found = result()
        write_atomically(output, write(found))
    except LeadlineError as error:
        print(f"run.py: {error}", file=sys.stderr)
        return 2
    summary = {
        key: found[key]
        for key in ("frozen_configuration", "aggregate", "supported_misses")
    }
    print(json.dumps({**summary, "output": str(output)}, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
