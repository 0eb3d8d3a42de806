"""Compare: freeze, retrieve blind, seal, then open the labels, bind and judge."""

import subprocess
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from leadline import __version__
from leadline.app.load import Loaded, load
from leadline.app.packets import depth, judged_packets
from leadline.app.talk import Talk
from leadline.errors import InputError, SnapshotMismatchError
from leadline.experiment import Freeze, freeze
from leadline.files.labels import read_labels
from leadline.files.record import PassageRow, QuestionRow, RankingRow, Record, RunRow
from leadline.files.record import sealed as seal_record
from leadline.files.runs import RunStore
from leadline.hashing import Json, digest
from leadline.judging.binding import Binding, Receipt, bind
from leadline.judging.compare import Comparison
from leadline.judging.compare import compare as judge
from leadline.questions import Question
from leadline.ranking import Run
from leadline.report.wordless import wordless
from leadline.retrieval.base import Job
from leadline.retrieval.pipeline import Context
from leadline.retrieval.pipeline import run as retrieve

_HASH = (
    "import hashlib,sys;"
    "print(hashlib.sha256(open(sys.argv[1],'rb').read()).hexdigest())"
)


def hash_unopened(path: Path) -> str:
    """The sha256 of the label file, computed by a process of its own.

    This process must not open labels before the last run is sealed, and the freeze
    must name them all the same: nothing but the hash comes back.

    Raises:
        InputError: the file cannot be read.
    """
    if not path.is_file():
        reason = "is a folder" if path.is_dir() else "does not exist"
        message = f"{path}: the label file {reason}. Correct labels.path."
        raise InputError(message)
    done = subprocess.run(  # noqa: S603 -- our own interpreter, a fixed program
        [sys.executable, "-I", "-S", "-c", _HASH, str(path)],
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        message = f"{path}: the label file cannot be read"
        raise InputError(message)
    return done.stdout.strip()


@dataclass(frozen=True, slots=True)
class Sealed:
    """A comparison whose runs are sealed and whose labels are still closed."""

    loaded: Loaded
    job: Job
    freeze: Freeze
    runs: Mapping[str, Run]


def compare_file(
    path: Path, *, work: Path | None = None, talk: Talk | None = None
) -> Record:
    """The whole comparison that an experiment file describes.

    Raises:
        LeadlineError: whatever is wrong with a file, a name, an engine or a binding.
    """
    return judged(sealed(load(path, work=work, talk=talk)))


def sealed(loaded: Loaded) -> Sealed:
    """Freeze, then retrieve for every question, and seal. No label is opened."""
    prepared, job = loaded.prepare()
    labels = loaded.sources.labels
    frozen = freeze(
        loaded.experiment,
        snapshot=(
            loaded.snapshot.id,
            len(loaded.snapshot.documents),
            len(loaded.snapshot.passages),
        ),
        questions=(
            loaded.questions_sha256,
            len(loaded.questions),
            loaded.sources.split,
        ),
        prepared={
            name: {
                **answer,
                "leadline": __version__,
                "unicode": unicodedata.unidata_version,
            }
            for name, answer in prepared.answers.items()
        },
        labels_sha256=None if labels is None else hash_unopened(labels),
    )
    loaded.talk.say(
        f"frozen {frozen.id}\n"
        f"{len(frozen.configurations)} configurations, {frozen.question_count} "
        f"questions, {frozen.passage_count} passages; searching"
    )
    for note in wordless(frozen.configurations, loaded.questions):
        loaded.talk.say(f"note: {note}")
    store = None if loaded.work is None else RunStore(loaded.work / "runs")
    context = Context(
        snapshot_id=frozen.snapshot_id,
        questions_sha256=frozen.questions_sha256,
        statistics=frozen.statistics,
        index=frozen.index,
    )
    runs = retrieve(prepared, job, context, loaded.questions, store=store)
    return Sealed(loaded, job, frozen, runs)


def judged(sealed: Sealed) -> Record:
    """Open the labels, bind them, judge every compared run, and make the record."""
    loaded, frozen = sealed.loaded, sealed.freeze
    binding: Binding | None = None
    comparison: Comparison | None = None
    if loaded.sources.labels is not None:
        binding = bind_labels(loaded, expected=frozen.labels_sha256)
        for note in (*loaded.notes, *binding.notes):
            loaded.talk.say(f"note: {note}")
        comparison = judge(
            {name: sealed.runs[name] for name in frozen.compared},
            binding,
            frozen.judging,
            seed=seed([run.seal for run in sealed.runs.values()], binding.receipts),
        )
    record = Record(
        format="leadline.record/1",
        name=loaded.experiment.name,
        freeze=frozen,
        questions=_question_rows(loaded.questions, sealed.job),
        passages=_passage_rows(sealed, binding, comparison),
        runs={name: _run_row(run) for name, run in sealed.runs.items()},
        receipts=() if binding is None else binding.receipts,
        comparison=comparison,
        limits=limits(comparison),
    )
    return seal_record(replace(record, packets=judged_packets(record)))


def bind_labels(loaded: Loaded, *, expected: str | None = None) -> Binding:
    """Open the label file and bind it to the snapshot.

    Raises:
        SnapshotMismatchError: the file is not the one that was frozen.
        BindingError: a target that binds to no passage, or to several.
    """
    labels = loaded.sources.labels
    if labels is None:
        message = "this experiment names no label file; add [labels] path = ..."
        raise InputError(message)
    cases = read_labels(labels)
    if expected is not None and hash_unopened(labels) != expected:
        message = (
            f"{labels} has changed since the freeze: compare again, so that the "
            "labels that are judged by are the ones that were frozen"
        )
        raise SnapshotMismatchError(message)
    return bind(
        cases, loaded.questions, loaded.snapshot.passages, split=loaded.sources.split
    )


def seed(seals: Iterable[str], receipts: Iterable[Receipt]) -> int:
    """The seed of every resampling: equal runs under equal labels resample alike.

    It is made of what is resampled and of nothing else, so that no wording and no
    document that nobody may see can choose it.
    """
    bound = sorted((one.question_id, one.passage_id, one.grade) for one in receipts)
    made_of: Json = {"runs": sorted(seals), "labels": [list(one) for one in bound]}
    return int(digest("seed/1", made_of)[:12], 16)


def limits(comparison: Comparison | None) -> str:
    """What the figures do not say, in a sentence or two."""
    if comparison is None:
        return "Runs were sealed and nothing was judged: no labels were given."
    count = comparison.supported_count
    noun = "question" if count == 1 else "questions"
    return (
        f"Descriptive results on {count} answerable {noun}, not a general estimate of "
        "search quality. Questions without a relevant passage have no target and are "
        "in no mean. Each interval is for one figure alone, while p is corrected over "
        "all comparisons, so an interval can leave out 0 where the verdict is a draw. "
        "Scores order passages within one ranking; they are neither probabilities nor "
        "calibrated confidence."
    )


def _question_rows(questions: Sequence[Question], job: Job) -> tuple[QuestionRow, ...]:
    eligible = {
        one.question_id: view.eligible_count
        for view, asked in job.groups
        for one in asked
    }
    return tuple(
        QuestionRow(
            one.question_id,
            one.text,
            one.policy.key,
            one.split,
            eligible[one.question_id],
        )
        for one in questions
    )


def _run_row(run: Run) -> RunRow:
    rankings = {one.question_id: RankingRow(one.passage_ids, one.scores) for one in run}
    return RunRow(run.seal, rankings)


def _passage_rows(
    sealed: Sealed, binding: Binding | None, comparison: Comparison | None
) -> dict[str, PassageRow]:
    passages = sealed.loaded.snapshot.passages
    cutoffs = () if comparison is None else comparison.cutoffs
    targets = set() if binding is None else {one.passage_id for one in binding.receipts}
    quoted = targets | {
        passage_id
        for run in sealed.runs.values()
        for passage_id in run.cut(depth(cutoffs)).returned()
    }
    every = quoted.union(*(run.returned() for run in sealed.runs.values()))
    rows = {}
    for passage_id in sorted(every):
        code = passages.codes[passage_id]
        document, span = passages.documents[code], passages.spans[code]
        rows[passage_id] = PassageRow(
            document.source_id,
            document.version,
            document.url,
            document.title,
            span.start,
            span.end,
            passages.text_sha256s[code],
            document.text_sha256,
            passages.texts[code] if passage_id in quoted else None,
        )
    return rows
