"""Check: everything that can be wrong is found before anything is computed.

Only here are labels read before a run, for no run follows: the result of a check is
a list of findings, and a comparison starts from the files again.
"""

from dataclasses import dataclass, fields
from pathlib import Path

from leadline.app.compare import bind_labels
from leadline.app.load import Loaded, load
from leadline.app.talk import Talk
from leadline.disk import read_bytes
from leadline.plugins import Part
from leadline.report.wordless import wordless

STATUSES = {
    "supported": "answerable",
    "unsupported-excluded": "unanswerable",
    "nothing-relevant": "nothing relevant",
    "unjudged": "unjudged",
}
"""What a user calls the statuses of questions."""


@dataclass(frozen=True, slots=True)
class Checked:
    """An experiment in which nothing was found wrong."""

    loaded: Loaded
    policies: int
    """Distinct policies; each is searched by itself."""
    fewest_eligible: int
    """The smallest number of passages that a question may see."""
    statuses: dict[str, int]
    """How many questions of each status; empty without labels."""
    notes: tuple[str, ...]


def _check_part(part: Part) -> None:
    """Build a part, and see that the files its parameters name are there."""
    for field in fields(part.parameters):
        value = getattr(part.parameters, field.name)
        if isinstance(value, Path):
            read_bytes(value)
    part.build()


def check(path: Path, *, talk: Talk | None = None) -> Checked:
    """Read and check an experiment, its corpus, its questions and its labels.

    Raises:
        InputError: the first thing that is wrong.
        BindingError: all targets that do not bind.
    """
    loaded = load(path, talk=talk)
    for configuration in loaded.experiment.configurations:
        _check_part(configuration.part)
    groups = loaded.job(loaded.questions).groups
    statuses: dict[str, int] = {}
    notes = list(loaded.notes)
    if loaded.sources.labels is not None:
        binding = bind_labels(loaded)
        for one in binding.judged.values():
            name = STATUSES[one.status]
            statuses[name] = statuses.get(name, 0) + 1
        notes.extend(binding.notes)
    blind = sum(len(asked) for view, asked in groups if view.eligible_count == 0)
    if blind:
        notes.append(f"{blind} questions may see no passage at all")
    notes.extend(
        wordless(
            [
                {"name": one.name, "kind": one.part.kind, "plugin": one.part.frozen()}
                for one in loaded.experiment.configurations
            ],
            loaded.questions,
        )
    )
    return Checked(
        loaded,
        len(groups),
        min(view.eligible_count for view, _ in groups),
        statuses,
        tuple(notes),
    )
