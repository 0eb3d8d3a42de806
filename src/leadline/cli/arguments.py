"""The arguments of every command, as a table."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from leadline import __version__
from leadline.cli import commands

FILE = "leadline.toml"


class Option:
    """One argument: what `argparse` is told of it."""

    __slots__ = ("flags", "settings")

    def __init__(self, *flags: str, **settings: Any) -> None:  # noqa: ANN401 -- argparse's
        self.flags = flags
        self.settings = settings


@dataclass(frozen=True, slots=True)
class Command:
    """One command; ``example`` is a line that a user could type."""

    name: str
    run: Callable[[argparse.Namespace], int]
    summary: str
    example: str
    options: tuple[Option, ...]


_EXPERIMENT = f"the experiment file (default: {FILE})"
_FILE = Option("file", nargs="?", default=FILE, metavar="FILE", help=_EXPERIMENT)
_NAMED_FILE = Option("--file", default=FILE, help=_EXPERIMENT)
_RECORD = Option("record", metavar="RECORD", help="as compare wrote it")
_FORMAT = Option(
    "--format", choices=("text", "json"), default="text", help="of the result"
)

COMMANDS = (
    Command(
        "demo",
        commands.demo,
        "run the recorded lab and report it",
        "leadline demo",
        (
            Option(
                "--output",
                default="leadline-demo",
                metavar="DIR",
                help="where record and report go (default: %(default)s)",
            ),
        ),
    ),
    Command(
        "init",
        commands.init,
        "write a working project for a set of documents",
        "leadline init project --from docs/",
        (
            Option("folder", metavar="DIR", help="where the project goes"),
            Option(
                "--from",
                dest="source",
                required=True,
                metavar="DOCUMENTS",
                help="a folder of .md or .txt files, a .jsonl or .csv file, or a BEIR "
                "folder",
            ),
            Option(
                "--split",
                default="test",
                help="of a BEIR folder (default: %(default)s)",
            ),
        ),
    ),
    Command(
        "label",
        commands.label,
        "say where a question is answered, or that it is not",
        'leadline label q1 --ask "When is the desk open?" --source hours.md',
        (
            Option("question", metavar="QUESTION_ID", help="a new id with --ask"),
            Option("--ask", metavar="TEXT", help="also add the question"),
            Option("--source", metavar="SOURCE_ID", help="the document that answers"),
            Option("--source-version", metavar="VERSION", help="if it has several"),
            Option("--quote", metavar="TEXT", help="exact text of the passage"),
            Option("--grade", type=float, default=1.0, help="default: 1"),
            Option(
                "--unanswerable",
                action="store_true",
                help="these documents do not answer it",
            ),
            Option(
                "--replace",
                action="store_true",
                help="forget what the labels say of the question so far",
            ),
            _NAMED_FILE,
        ),
    ),
    Command(
        "check",
        commands.check,
        "find what is wrong before anything is computed",
        "leadline check",
        (_FILE, _FORMAT),
    ),
    Command(
        "snapshot",
        commands.snapshot,
        "show the corpus's id and what it holds",
        "leadline snapshot --format json",
        (_FILE, _FORMAT),
    ),
    Command(
        "compare",
        commands.compare,
        "freeze, retrieve blind, seal, judge and report",
        'leadline compare --require "fused >= lexical"',
        (
            _FILE,
            Option(
                "--output",
                metavar="RECORD",
                help="default: results/record.json beside FILE",
            ),
            Option(
                "--report",
                metavar="HTML",
                help="default: report.html beside the record",
            ),
            Option(
                "--require",
                action="append",
                default=[],
                metavar="CHECK",
                help='exit 1 unless it holds: "NAME MEASURE >= VALUE", or "B >= A", '
                "which fails if A is shown to be better; may be given several times",
            ),
            _FORMAT,
        ),
    ),
    Command(
        "search",
        commands.search,
        "quote what the corpus says about a question",
        'leadline search "When is the help desk open?" --where status=current',
        (
            Option("question", metavar="QUESTION", help="its text"),
            Option(
                "--configuration",
                metavar="NAME",
                help="default: the baseline, or the first one",
            ),
            Option("-k", type=int, metavar="K", help="consider the K best passages"),
            Option(
                "--max-quote-chars",
                type=int,
                default=2000,
                metavar="N",
                help="characters of quoted text (default: %(default)s)",
            ),
            Option(
                "--where",
                action="append",
                default=[],
                metavar="FIELD=VALUE",
                help="only documents with this value; may be given several times",
            ),
            Option(
                "--explain",
                action="store_true",
                help="take tfidf scores apart, word by word",
            ),
            _NAMED_FILE,
            _FORMAT,
        ),
    ),
    Command(
        "explain",
        commands.explain,
        "show why each passage stands where it does",
        "leadline explain results/record.json q1",
        (
            _RECORD,
            Option("question", metavar="QUESTION_ID", help="as in the question file"),
            Option("--configuration", metavar="NAME", help="just this one"),
            Option(
                "--depth", type=int, default=10, metavar="N", help="rows (default: 10)"
            ),
            _FORMAT,
        ),
    ),
    Command(
        "verify",
        commands.verify,
        "recompute every hash and number of a record",
        "leadline verify results/record.json",
        (
            _RECORD,
            Option(
                "--experiment", metavar="FILE", help="also hash the files that it names"
            ),
            _FORMAT,
        ),
    ),
    Command(
        "lab",
        commands.lab,
        "list the labs, copy one out, check what you wrote in it",
        "leadline lab harbour handbook",
        (
            Option("name", nargs="?", metavar="NAME", help="default: list them"),
            Option("folder", nargs="?", metavar="DIR", help="where the copy goes"),
            Option(
                "--check",
                metavar="DIR",
                help="a copy: which cases of its capstone pass, and why one does not",
            ),
            _FORMAT,
        ),
    ),
)


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    whole = argparse.ArgumentParser(
        prog="leadline",
        description="Is this retrieval change really better, on our documents and our "
        "questions? A blind, frozen comparison.",
        epilog="Start with: leadline demo",
    )
    whole.add_argument("--version", action="version", version=__version__)
    parsers = whole.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        one = parsers.add_parser(
            command.name,
            help=command.summary,
            description=command.summary[0].upper() + command.summary[1:] + ".",
            epilog=f"example:\n  {command.example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        one.set_defaults(run=command.run)
        for option in command.options:
            one.add_argument(*option.flags, **option.settings)
    return whole
