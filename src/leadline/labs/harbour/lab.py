"""Ask the handbook, or judge how it is asked.

python3 -B lab.py search "When is the help desk open?"
python3 -B lab.py evaluate --k 2
python3 -B lab.py export DIR
"""

import argparse
import sys
from pathlib import Path
from typing import Any

import export
from leadline.report.packet import packet_text
from leadline.report.safe import visible
from leadline.retrieval import tfidf
from output import WIDTH, with_format
from output import main as answer
from retrieval import (
    MAY_SEE,
    MECHANISM,
    NOTICE,
    TERMS,
    evaluate,
    load,
    packet,
    search,
)


def asked(text: str, *, k: int, max_quote_chars: int) -> dict[str, Any]:
    """What the handbook says about a question, and why it was chosen."""
    handbook = load()
    ranked = search(handbook.snapshot, text, k=k)
    known = {word for one in ranked.view.searchable for word in TERMS.terms(one)}
    words = list(dict.fromkeys(TERMS.terms(text)))
    found = packet(ranked, max_quote_chars)
    return {
        "mechanism": MECHANISM,
        "may_see": MAY_SEE.rule,
        "eligible_passages": len(ranked.view.passages),
        "words": [one for one in words if one in known],
        "words_no_passage_has": [one for one in words if one not in known],
        "packet": found,
        "terms": tfidf.explain(
            ranked.view, text, [one.passage_id for one in found.quotes], TERMS
        ),
        "score": NOTICE,
    }


def judged(*, k: int) -> dict[str, Any]:
    """How the handbook's questions fare."""
    return {
        "mechanism": MECHANISM,
        "judged": "ids of ranked passages against ids of labelled ones; no answer and "
        "no quote budget is graded",
        **evaluate(load(), k=k),
        "score": NOTICE,
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    one = with_format(commands.add_parser("search", help="quote what is said about"))
    one.add_argument("question")
    one.add_argument("--k", type=int, default=3, help="passages (default: 3)")
    one.add_argument(
        "--max-quote-chars", type=int, default=400, metavar="N", help="default: 400"
    )
    one = with_format(commands.add_parser("evaluate", help="judge the ten questions"))
    one.add_argument("--k", type=int, default=2, help="passages (default: 2)")
    one = with_format(commands.add_parser("export", help="the lab as an experiment"))
    one.add_argument("folder", type=Path, metavar="DIR")
    return parser


def main() -> int:
    """Run one command and return its exit code."""
    options = _parser().parse_args()
    if options.command == "export":
        return answer(lambda: export.experiment(load(), options.folder), options.format)
    if options.command == "evaluate":
        return answer(lambda: judged(k=options.k), options.format)

    def found() -> object:
        value = asked(
            options.question, k=options.k, max_quote_chars=options.max_quote_chars
        )
        if options.format == "json":
            return value
        text = packet_text(
            value["packet"],
            configuration="lexical",
            width=WIDTH,
            terms={"lexical": value["terms"]},
        )
        unknown = ", ".join(map(visible, value["words_no_passage_has"]))
        return f"{text}\n\nIn no passage: {unknown}" if unknown else text

    return answer(found, options.format)


if __name__ == "__main__":
    sys.exit(main())
