"""The commands: each calls one use case, prints its result, and returns an exit code.

Rooms are imported where a command runs, so that ``leadline --help`` stays quick.
"""

import argparse
from typing import TYPE_CHECKING

from leadline.cli.output import (
    harmless,
    print_json,
    print_rows,
    print_sentence,
    print_summary,
    print_text,
    talk,
    width,
    words,
)
from leadline.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leadline.app.lab import CaseCheck

DONE, FAILED = 0, 1


def demo(options: argparse.Namespace) -> int:
    """Run the recorded lab, publish it, and print what came out."""
    from pathlib import Path

    from leadline.app.demo import demo as demo_case
    from leadline.app.publish import publish

    folder = Path(options.output)
    record = demo_case(folder / ".leadline", talk=talk())
    output, report = folder / "record.json", folder / "report.html"
    publish(record, output, report, work=folder / ".leadline")
    print_summary(record, output, report)
    return DONE


def init(options: argparse.Namespace) -> int:
    """Write a project and say what to do next."""
    from pathlib import Path

    from leadline.app.init import init as init_case

    files = init_case(
        Path(options.folder), Path(options.source), split=options.split, talk=talk()
    )
    for path in files:
        print_text(str(path))
    if Path(options.folder) / "questions.jsonl" in files:
        words("The starter questions are titles of your documents: put real ones in.")
    words(f"Next: cd {options.folder} && leadline check && leadline compare")
    return DONE


def label(options: argparse.Namespace) -> int:
    """Add a target, or declare that there is none."""
    from pathlib import Path

    from leadline.app.label import Answer
    from leadline.app.label import label as label_case

    if options.unanswerable is (options.source is not None):
        message = "give either --source SOURCE_ID or --unanswerable"
        raise InputError(message)
    answer = (
        None
        if options.unanswerable
        else Answer(
            options.source, options.source_version, options.quote, options.grade
        )
    )
    case = label_case(
        Path(options.file),
        options.question,
        answer,
        ask=options.ask,
        replaced=options.replace,
    )
    count = len(case.targets)
    what = f"{count} target{'s' * (count != 1)}" if count else "no answer here"
    print_text(f"{case.question_id}: {case.case_class}, {what}")
    return DONE


def check(options: argparse.Namespace) -> int:
    """Print what an experiment holds, if nothing in it is wrong."""
    from pathlib import Path

    from leadline.app.check import check as check_case

    found = check_case(Path(options.file), talk=talk())
    loaded = found.loaded
    rows: dict[str, object] = {
        "experiment": loaded.experiment.name,
        "documents": len(loaded.snapshot.documents),
        "passages": len(loaded.snapshot.passages),
        "questions": len(loaded.questions),
        "split": loaded.sources.split,
        "policies": found.policies,
        "fewest eligible passages": found.fewest_eligible,
        **found.statuses,
        "configurations": [one.name for one in loaded.experiment.configurations],
    }
    if options.format == "json":
        rows["notes"] = list(found.notes)
    print_rows(rows, options.format)
    if options.format == "text":
        for note in found.notes:
            print_sentence(note, before="note: ")
    words("Nothing wrong was found.")
    return DONE


def snapshot(options: argparse.Namespace) -> int:
    """Print the corpus's id and what it holds."""
    from collections import Counter
    from pathlib import Path

    from leadline.app.load import load

    snapshot = load(Path(options.file)).snapshot
    documents = snapshot.documents
    rows: dict[str, object] = {
        "snapshot": snapshot.id,
        "documents": len(documents),
        "passages": len(snapshot.passages),
        "characters": sum(len(one.text) for one in documents),
        "sources": len({one.source_id for one in documents}),
        **{
            name: dict(
                sorted(Counter(str(one.value(name)) for one in documents).items())
            )
            for name in ("version", "status", "scope")
        },
    }
    print_rows(rows, options.format)
    return DONE


def compare(options: argparse.Namespace) -> int:
    """Compare, publish, print, and see whether what was required holds."""
    from pathlib import Path

    from leadline.app import require
    from leadline.app.compare import judged, sealed
    from leadline.app.load import load
    from leadline.app.publish import check_places, publish
    from leadline.disk import locked

    path = Path(options.file)
    output = Path(options.output or path.parent / "results" / "record.json")
    report = Path(options.report or output.parent / "report.html")
    asked = [require.parse(one) for one in options.require]
    loaded = load(path, talk=talk())
    require.check(asked, loaded.experiment)
    check_places(output, report, (path, *loaded.files))
    with locked(output):
        record = judged(sealed(loaded))
        publish(record, output, report, work=loaded.work)
    answers = require.answer(record, asked)
    if options.format == "json":
        print_json(
            {
                "record": str(output),
                "report": str(report),
                "freeze_id": record.freeze.id,
                "comparison": record.comparison,
                "requirements": answers,
            }
        )
    else:
        print_summary(record, output, report)
    for one in answers:
        words(
            f"required, and not so: {one.fault}"
            if one.fault
            else f"required, and so: {one.required}"
        )
    return FAILED if any(one.fault for one in answers) else DONE


def search(options: argparse.Namespace) -> int:
    """Print an evidence packet."""
    from pathlib import Path

    from leadline.app.load import load
    from leadline.app.search import asked, term_by_term
    from leadline.app.search import search as quote
    from leadline.report.packet import packet_text

    where = dict(_pair(one) for one in options.where)
    loaded = load(Path(options.file), talk=talk())
    question = asked(loaded, options.question, where=where)
    configuration, packet = quote(
        loaded,
        question,
        configuration=options.configuration,
        budget_chars=options.max_quote_chars,
        keep=options.k,
    )
    name = configuration.name
    terms = None
    if options.explain:
        quoted = [one.passage_id for one in packet.quotes]
        terms = term_by_term(loaded, question, quoted, configuration=name)
    if options.format == "json":
        explained = {} if terms is None else {"terms": terms}
        print_json({"configuration": name, "packet": packet, **explained})
    else:
        print_text(packet_text(packet, configuration=name, width=width(), terms=terms))
        if question.policy.rule:
            words(f"Searched under the policy {question.policy.key}")
    return DONE


def explain(options: argparse.Namespace) -> int:
    """Print why each passage stands where it does."""
    from pathlib import Path

    from leadline.files.record import read_record
    from leadline.report.explanation import explain as explain_case
    from leadline.report.packet import explanation_text

    explanation = explain_case(
        read_record(Path(options.record)),
        options.question,
        configuration=options.configuration,
        depth=options.depth,
    )
    if options.format == "json":
        print_json(explanation)
    else:
        print_text(explanation_text(explanation, width=width()))
    return DONE


def verify(options: argparse.Namespace) -> int:
    """Print what holds of a record; exit code 1 if something does not."""
    from pathlib import Path

    from leadline.app.verify import verify as verify_case
    from leadline.files.record import read_record

    experiment = None if options.experiment is None else Path(options.experiment)
    checks = verify_case(read_record(Path(options.record)), experiment=experiment)
    if options.format == "json":
        print_json(checks)
    else:
        for one in checks:
            count = len(one.faults)
            state = f"{count} fault{'s' * (count > 1)}" if count else "holds"
            print_text(f"{one.name:<16}{one.count:>8}  {state}")
            for fault in one.faults[:10]:
                print_sentence(fault, before="  ")
    return FAILED if any(one.faults for one in checks) else DONE


def lab(options: argparse.Namespace) -> int:
    """List the labs, copy one out, or check what a learner wrote in a copy."""
    from pathlib import Path

    from leadline.app.lab import LABS, copy
    from leadline.app.lab import check as check_case
    from leadline.app.lab import lab as find

    if options.name is None:
        rows = {one.name: one.summary for one in LABS}
        print_rows(rows, options.format)
        words("Copy one out: leadline lab NAME DIR")
        return DONE
    if (options.folder is None) is (options.check is None):
        message = f"say where: leadline lab {options.name} DIR, or --check DIR"
        raise InputError(message)
    if options.check is not None:
        return _print_cases(
            check_case(options.name, Path(options.check)), options.format
        )
    chosen = find(options.name)
    for path in copy(options.name, Path(options.folder)):
        print_text(str(path))
    words(f"Next: cd {options.folder} && {chosen.start}")
    return DONE


def _print_cases(cases: "Sequence[CaseCheck]", form: str) -> int:
    if form == "json":
        print_json(cases)
    else:
        for one in cases:
            print_text(f"{'pass' if one.passes else 'FAIL'}  {harmless(one.case)}")
            if one.why is not None:
                print_text(f"      {harmless(one.why)}")
        print_text(f"{sum(one.passes for one in cases)} of {len(cases)} cases pass")
    return DONE if all(one.passes for one in cases) else FAILED


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        message = f'--where "{text}": expected FIELD=VALUE, for example status=current'
        raise InputError(message)
    return name, value
