"""Search: one question, one configuration, an evidence packet."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from leadline.app.load import Loaded
from leadline.documents import View
from leadline.errors import InputError, did_you_mean, shown
from leadline.evidence import Packet, pack
from leadline.experiment import Configuration
from leadline.plugins import Part
from leadline.policies import Policy, Value
from leadline.questions import Question
from leadline.retrieval import tfidf
from leadline.retrieval.pipeline import Context, prepare, run
from leadline.text import STOP_WORDS, WORD_RULES, splitter

if TYPE_CHECKING:
    from leadline.hashing import Json

QUESTION_ID = "asked"
"""What the run calls a question that was typed in."""


def asked(
    loaded: Loaded, text: str, *, where: Mapping[str, str] | None = None
) -> Question:
    """A question that was typed in, with the policy that it is asked under.

    ``where`` says which values fields must have, as they are typed; it is joined with
    the policy that the experiment gives every question.

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
        configuration: by default the baseline, or the first one compared.
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
    stages = needed(loaded.experiment.configurations, chosen.name)
    prepared = prepare(stages, job)
    context = Context(
        snapshot_id=loaded.snapshot.id,
        questions_sha256="",
        statistics=loaded.experiment.statistics,
        index=loaded.experiment.index,
    )
    runs = run(prepared, job, context, (question,), store=None)
    found = runs[chosen.name]
    ranking = (
        found if keep is None else found.cut(min(keep, len(found.passages) + 1))
    )[question.question_id]
    packet = pack(
        question.text,
        ranking,
        loaded.snapshot.passages,
        budget_chars=budget_chars,
        matched=matched(
            job.groups[0][0],
            question.text,
            ranking.passage_ids,
            [one.part for one in stages],
        ),
    )
    return chosen, packet


def matched(
    view: View, question_text: str, passage_ids: Iterable[str], parts: Iterable[Part]
) -> dict[str, tuple[str, ...]]:
    """The words of a question that each passage has, as they stand, ascending.

    What is a word is for the parts to say; of those that do not look at words, such
    as vectors, nothing is asked.
    """
    rules = [rule for one in parts if (rule := _words(one)) is not None]

    def words(text: str) -> set[str]:
        return {word for rule in rules for word in rule(text)}

    asked, codes = words(question_text), view.passages.codes
    return {
        one: tuple(sorted(asked & words(view.searchable[codes[one]])))
        for one in passage_ids
    }


def term_by_term(
    loaded: Loaded,
    question: Question,
    passage_ids: Sequence[str],
    *,
    configuration: str,
) -> dict[str, dict[str, tuple[tfidf.Term, ...]]]:
    """Take apart the TF-IDF scores that a configuration builds on.

    Returns:
        The name of each configuration whose retriever is ``tfidf``, among those that
        the named one builds on -> passage id -> what each word adds.

    Raises:
        InputError: there is none. Other scores are not taken apart word by word.
    """
    view = loaded.view(question.policy)
    stages = needed(loaded.experiment.configurations, configuration)
    found = {
        one.name: tfidf.explain(view, question.text, passage_ids, one.part.parameters)
        for one in stages
        if isinstance(one.part.parameters, tfidf.TfidfParameters)
    }
    if not found:
        message = (
            f'configuration "{configuration}" does not build on a retriever "tfidf", '
            "and other scores cannot be taken apart word by word. Name one that does "
            "with --configuration"
        )
        raise InputError(message)
    return found


def _words(part: Part) -> Callable[[str], list[str]] | None:
    """How a part splits texts; None where it does not look at words."""
    rule = getattr(part.parameters, "words", None)
    stopped = getattr(part.parameters, "stop_words", "none")
    known = rule in WORD_RULES and stopped in STOP_WORDS
    return splitter(str(rule), stopped) if known else None


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
        return by_name[
            loaded.experiment.judging.baseline or loaded.experiment.compared[0]
        ]
    if name not in by_name:
        message = f'no configuration is called "{name}". {did_you_mean(name, by_name)}'
        raise InputError(message)
    return by_name[name]


def _policy(loaded: Loaded, where: Mapping[str, str]) -> Policy:
    known = loaded.snapshot.field_names
    rule: dict[str, Json] = {}
    for name, wanted in where.items():
        if name not in known:
            message = f'no document has a field "{name}". '
            raise InputError(message + did_you_mean(name, known))
        found = {
            value
            for document in loaded.snapshot.documents
            if loaded.sources.policy.admits(document)
            and (value := document.value(name)) is not None
        }
        # As it is written there: a number or a truth value, or a string like them.
        meant = sorted((one for one in found if _typed(one) == wanted), key=repr)
        if not meant:
            some = ", ".join(sorted({_typed(one) for one in found})[:5])
            message = f"no document has {name} = {shown(wanted)}; found: {some}"
            raise InputError(message)
        rule[name] = {"$in": list(meant)}
    return loaded.sources.policy.also(Policy.parse(rule))


def _typed(value: Value) -> str:
    """A value as a person types it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
