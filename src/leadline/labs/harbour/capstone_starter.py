"""Your part of the capstone: write `learner_select`, then run this file again.

python3 -B capstone_starter.py
python3 -B capstone_check.py
"""

import argparse
import sys
from collections.abc import Mapping, Sequence

from capstone_reference import run_capstone
from output import main as answer
from output import show, with_format
from retrieval import Candidate, Ranked

K, MAX_QUOTE_CHARS = 2, 400

GUIDANCE = """
Open capstone_starter.py and write learner_select; the rest is written.
Go through the ranked passages, best first; each has passage_id, source_id, version,
score and text.
Quote a passage whole or not at all: quote it if len(text) fits in the characters that
are left, and take them off.
Otherwise name its passage_id as skipped, and go on: a shorter one may still fit.
Where several versions of one source were ranked, quoted or skipped, name the source
and its versions, ascending.
Then leadline lab harbour --check . says which cases pass, and why one does not.
"""


def learner_select(
    ranked: Ranked, max_quote_chars: int
) -> tuple[Sequence[Candidate], Sequence[str], Mapping[str, Sequence[str]]]:
    """Choose what to quote.

    Args:
        ranked: iterate over it: the candidates, best first.
        max_quote_chars: the most characters of quoted text.

    Returns:
        The packet: the candidates that are quoted, best first.
        The passage ids of those that did not fit, best first.
        Source id -> its versions, of every source that was ranked in several.
    """
    raise NotImplementedError


def main() -> int:
    """Run the capstone with `learner_select`; 2 while it is not written."""
    parser = with_format(
        argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    )
    options = parser.parse_args()
    try:
        return answer(
            lambda: run_capstone(K, MAX_QUOTE_CHARS, selector=learner_select),
            options.format,
        )
    except NotImplementedError:
        guidance = GUIDANCE.strip().split("\n")
        show(
            {"learner_select": "not written yet", "guidance": guidance}, options.format
        )
        return 2


if __name__ == "__main__":
    sys.exit(main())
