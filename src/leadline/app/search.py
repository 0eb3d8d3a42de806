"""Search: one question, one configuration, an evidence packet."""

from collections.abc import Mapping

from leadline.app.load import Loaded
from leadline.errors import InputError, did_you_mean
from leadline.evidence import Packet, pack
from leadline.experiment import Configuration
from leadline.hashing import Json
from leadline.policies import Policy
from leadline.questions import Question
from leadline.retrieval.pipeline import Context, prepare, run

QUESTION_ID = "asked"
"""What the run calls a question that was typed in."""


def asked(
    loaded: Loaded, text: str, *, where: Mapping[str, Json] | None = None
) -> Question:
    """A question that was typed in, with the policy that it is asked under.

    ``where`` is joined with the policy that the experiment gives every question.

    Raises:
        InputError: an empty question, or a policy that is wrong.
    """
    if not text.strip():
        message = "the question is empty; ask something"
        raise InputError(message)
    return Question(QUESTION_ID, text, _policy(loaded, where or {}))


def search(
    loaded: Loaded,
    question: Question,
    *,
    configuration: str | None = None,
    budget_chars: int = 2000,
    keep: int | None = None,
) -> tuple[Configuration, Packet]:
    """Quote what one configuration finds for a question.

    Args:
        loaded: the experiment; its corpus is searched.
        question: with its policy.
        configuration: by default the last one that the experiment compares.
        budget_chars: the most characters of quoted text.
        keep: consider just this many passages, best first.

    Raises:
        InputError: a name or a number that is wrong.
    """
    if keep is not None and keep < 1:
        message = f"k is {keep}, expected at least 1"
        raise InputError(message)
    chosen = _chosen(loaded, configuration)
    job = loaded.job([question])
    prepared = prepare(needed(loaded.experiment.configurations, chosen.name), job)
    context = Context(
        snapshot_id=loaded.snapshot.id,
        questions_sha256="",
        statistics=loaded.experiment.statistics,
        index=loaded.experiment.index,
    )
    runs = run(prepared, job, context, (question,), store=None)
    found = runs[chosen.name]
    ranking = (found if keep is None else found.cut(keep))[question.question_id]
    packet = pack(
        question.text, ranking, loaded.snapshot.passages, budget_chars=budget_chars
    )
    return chosen, packet


def needed(
    configurations: tuple[Configuration, ...], name: str
) -> tuple[Configuration, ...]:
    """A configuration and all that it builds on, in order."""
    wanted = {name}
    for one in reversed(configurations):
        if one.name in wanted:
            wanted.update(one.inputs)
    return tuple(one for one in configurations if one.name in wanted)


def _chosen(loaded: Loaded, name: str | None) -> Configuration:
    by_name = {one.name: one for one in loaded.experiment.configurations}
    if name is None:
        return by_name[loaded.experiment.compared[-1]]
    if name not in by_name:
        message = f'no configuration is called "{name}". {did_you_mean(name, by_name)}'
        raise InputError(message)
    return by_name[name]


def _policy(loaded: Loaded, where: Mapping[str, Json]) -> Policy:
    policy = Policy.parse(where)
    unknown = sorted(policy.fields - loaded.snapshot.field_names)
    if unknown:
        known = loaded.snapshot.field_names
        message = f'no document has a field "{unknown[0]}". '
        raise InputError(message + did_you_mean(unknown[0], known))
    return loaded.sources.policy.also(policy)
