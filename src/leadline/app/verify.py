"""Verify: recompute every hash and number of a record, and name what does not hold."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass
from pathlib import Path

from leadline.app.compare import hash_unopened, limits, seed
from leadline.app.load import load
from leadline.app.packets import judged_packets
from leadline.disk import parse_json
from leadline.errors import LeadlineError
from leadline.experiment import Experiment, Freeze, thaw
from leadline.files.record import Record, sealed
from leadline.hashing import text_sha256
from leadline.judging.binding import rebind
from leadline.judging.compare import compare as judge
from leadline.policies import Policy
from leadline.questions import Question, questions_sha256
from leadline.ranking import Run


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was recomputed; ``faults`` is empty where it holds."""

    name: str
    count: int
    """How many values were compared."""
    faults: tuple[str, ...]


def verify(record: Record, *, experiment: Path | None = None) -> tuple[Check, ...]:
    """Recompute a record from itself, and its inputs from an experiment file.

    Args:
        record: as it was read.
        experiment: also hash what this file names, and compare with the freeze.
    """
    checks = [
        Check("record seal", 1, tuple(_seal(record))),
        Check("freeze id", 1, tuple(_freeze(record))),
        Check("questions", len(record.questions), tuple(_questions(record))),
        Check("passage texts", len(record.passages), tuple(_passages(record))),
        Check("runs", len(record.runs), tuple(_runs(record))),
        Check("receipts", len(record.receipts), tuple(_receipts(record))),
    ]
    if record.comparison is not None or record.freeze.labels_sha256 is not None:
        checks.append(_numbers(record))
    if experiment is not None:
        checks.append(Check("inputs", 4, tuple(_inputs(record, experiment))))
    return tuple(checks)


def _seal(record: Record) -> Iterator[str]:
    computed = sealed(record).seal
    if computed != record.seal:
        yield f"sealed as {record.seal}, its parts give {computed}"


def _freeze(record: Record) -> Iterator[str]:
    values = asdict(record.freeze)
    found = values.pop("id")
    computed = thaw(values).id
    if found != computed:
        yield f"the freeze says {found}, its contents give {computed}"
    names = tuple(one["name"] for one in record.freeze.configurations)
    if set(names) != set(record.runs):
        yield f"frozen configurations {sorted(names)}, runs {sorted(record.runs)}"


def _questions(record: Record) -> Iterator[str]:
    asked = [
        Question(
            one.question_id,
            one.text,
            Policy.parse(parse_json(one.policy, file="record")),
            one.split,
        )
        for one in record.questions
    ]
    computed = questions_sha256(asked)
    if computed != record.freeze.questions_sha256:
        yield f"frozen as {record.freeze.questions_sha256}, they give {computed}"
    if len(asked) != record.freeze.question_count:
        yield f"frozen were {record.freeze.question_count}, there are {len(asked)}"


def _passages(record: Record) -> Iterator[str]:
    for passage_id, row in record.passages.items():
        if row.text is not None and text_sha256(row.text) != row.text_sha256:
            yield f"{passage_id}: its text does not give its hash"


def _runs(record: Record) -> Iterator[str]:
    question_ids = tuple(one.question_id for one in record.questions)
    for name, row in record.runs.items():
        if set(row.rankings) != set(question_ids):
            yield f"{name}: its rankings are not those of the questions asked"
            continue
        try:
            run = rebuilt(record, name).check(source=name)
        except (LeadlineError, ValueError) as error:
            yield f"{name}: {error}"
            continue
        if run.seal != row.seal:
            yield f"{name}: sealed as {row.seal}, its rankings give {run.seal}"
        missing = sorted(run.returned() - set(record.passages))
        if missing:
            yield f"{name}: passage {missing[0]} is returned and not described"


def rebuilt(record: Record, name: str) -> Run:
    """The sealed run, as columns again, in the order of the questions."""
    rankings = record.runs[name].rankings
    rows = {one.question_id: rankings[one.question_id] for one in record.questions}
    return Run.from_rankings(
        {key: (row.passages, row.scores) for key, row in rows.items()}
    )


def _receipts(record: Record) -> Iterator[str]:
    for one in record.receipts:
        row = record.passages.get(one.passage_id)
        where = f"question {one.question_id}, passage {one.passage_id}"
        if row is None:
            yield f"{where}: no such passage in the record"
        elif (row.source_id, row.version, row.source_text_sha256, row.text_sha256) != (
            one.source_id,
            one.version,
            one.source_text_sha256,
            one.passage_text_sha256,
        ):
            yield f"{where}: the receipt and the passage do not say the same"


def _numbers(record: Record) -> Check:
    recorded = record.comparison
    if recorded is None:
        return Check("judged values", 0, ("labels were frozen and nothing is judged",))
    try:
        statuses = {  # in the order asked, which resampling goes by
            one.question_id: recorded.questions[one.question_id].status
            for one in record.questions
        }
        again = judge(
            {name: rebuilt(record, name) for name in record.freeze.compared},
            rebind(statuses, record.receipts),
            record.freeze.judging,
            seed=seed((one.seal for one in record.runs.values()), record.receipts),
        )
        packets = judged_packets(record)
    except (LeadlineError, KeyError, ValueError) as error:
        return Check("judged values", 0, (f"it cannot be judged again: {error}",))
    faults = list(_differences("comparison", recorded, again))
    if record.limits != limits(recorded):
        faults.append("limits: not the sentence that these figures carry")
    faults += _differences("packets", record.packets, packets)
    size = _size(recorded) + (_size(packets) if packets else 0)
    return Check("judged values", size, tuple(faults))


def _inputs(record: Record, experiment: Path) -> Iterator[str]:
    loaded = load(experiment)
    frozen = record.freeze
    if loaded.snapshot.id != frozen.snapshot_id:
        yield f"corpus: frozen as {frozen.snapshot_id}, now {loaded.snapshot.id}"
    if loaded.questions_sha256 != frozen.questions_sha256:
        now = loaded.questions_sha256
        yield f"questions: frozen as {frozen.questions_sha256}, now {now}"
    stated, then = _stated(loaded.experiment), _frozen(frozen)
    for name, value in stated.items():
        if value != then[name]:
            yield f"{experiment.name}: {name} was frozen as {then[name]}, now {value}"
    labels = loaded.sources.labels
    found = None if labels is None else hash_unopened(labels)
    if found != frozen.labels_sha256:
        yield f"labels: frozen as {frozen.labels_sha256}, now {found}"


def _stated(experiment: Experiment) -> dict[str, object]:
    """What an experiment file says, configuration by configuration."""
    configurations = {
        f'configuration "{one.name}"': {
            "plugin": one.part.frozen(),
            "inputs": list(one.inputs),
            "budget": one.budget,
        }
        for one in experiment.configurations
    }
    return {**_settings(experiment), **configurations}


def _frozen(freeze: Freeze) -> dict[str, object]:
    """The same of a freeze; what it lacks is None."""
    configurations = {
        f'configuration "{one["name"]}"': {
            key: one[key] for key in ("plugin", "inputs", "budget")
        }
        for one in freeze.configurations
    }
    return defaultdict(lambda: None, {**_settings(freeze), **configurations})


def _settings(of: Experiment | Freeze) -> dict[str, object]:
    return {
        "statistics": of.statistics,
        "index": list(of.index),
        "scope": of.scope,
        "configurations compared": list(of.compared),
        "judging": of.judging,
    }


def _differences(path: str, one: object, other: object) -> Iterator[str]:
    """Where two pieces of plain data differ, by path; floats to the last bit."""
    if is_dataclass(one) and type(one) is type(other):
        for field in fields(one):
            name = field.name
            yield from _differences(
                f"{path}.{name}", getattr(one, name), getattr(other, name)
            )
    elif isinstance(one, Mapping) and isinstance(other, Mapping):
        for key in dict.fromkeys([*one, *other]):
            if key not in one or key not in other:
                side = "recorded" if key in one else "recomputed"
                yield f"{path}.{key}: only {side}"
            else:
                yield from _differences(f"{path}.{key}", one[key], other[key])
    elif _listed(one) and _listed(other):
        if len(one) != len(other):  # type: ignore[arg-type]  # both are lists
            yield f"{path}: {len(one)} recorded, {len(other)} recomputed"  # type: ignore[arg-type]  # likewise
            return
        for index, pair in enumerate(zip(one, other, strict=True)):  # type: ignore[call-overload]  # likewise
            yield from _differences(f"{path}[{index}]", *pair)
    elif one != other:
        yield f"{path}: recorded {one!r}, recomputed {other!r}"


def _listed(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _size(value: object) -> int:
    if is_dataclass(value) and not isinstance(value, type):
        return sum(_size(getattr(value, field.name)) for field in fields(value))
    if isinstance(value, Mapping):
        return sum(map(_size, value.values()))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return sum(map(_size, value))
    return 1
