"""Questions one by one: what each configuration returned, and what it should have.

A passage that several configurations returned is shown once, under a letter, and
every list refers to it by that letter.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from string import ascii_uppercase

from leadline.files.record import PassageRow, QuestionRow, RankingRow, Record
from leadline.judging.compare import Status
from leadline.report import ranks, safe
from leadline.report.ranks import Rank
from leadline.report.words import Piece, marked
from leadline.text import unicode_words


@dataclass(frozen=True, slots=True)
class Hit:
    """One returned passage in one configuration's list."""

    rank: int
    tag: str
    label: str
    score: float
    is_target: bool


@dataclass(frozen=True, slots=True)
class RankedList:
    """The top of what one configuration returned."""

    configuration: str
    returned: int
    hits: tuple[Hit, ...]
    best: Rank
    """Of a target, at any depth."""
    values: tuple[float | None, ...]
    """One a measure; None where the question is not supported."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One passage, whole where it is not long, with the question's words marked."""

    tag: str
    passage_id: str
    source_id: str
    version: str
    title: str
    url: str
    link: str | None
    """The address again if it is safe to follow."""
    text_sha256: str
    grade: float | None
    """What the labels say of a target; None for all other passages."""
    places: tuple[tuple[str, int], ...]
    """Each configuration that returned it, with its rank."""
    pieces: tuple[Piece, ...] | None
    """None where the record does not keep the text."""
    left_out: int
    """Characters that are not shown."""


@dataclass(frozen=True, slots=True)
class Detail:
    """Everything about one question. ``number`` is its place in the experiment."""

    number: int
    question: QuestionRow
    policy: str
    """Empty where the question may see everything."""
    status: Status | None
    """None where nothing was judged."""
    lists: tuple[RankedList, ...]
    passages: tuple[Passage, ...]
    """Targets first, then as a reader meets them in the lists."""

    @property
    def targets(self) -> tuple[Passage, ...]:
        """The passages that the labels name."""
        return tuple(one for one in self.passages if one.grade is not None)

    @property
    def bands(self) -> tuple[int, ...]:
        """The band of the first target under each configuration."""
        return tuple(ranks.band(one.best) for one in self.lists)

    @property
    def rows(self) -> tuple[tuple[Hit | None, ...], ...]:
        """The lists side by side: for each rank, each configuration's hit."""
        return tuple(zip_longest(*(one.hits for one in self.lists)))


@dataclass(frozen=True, slots=True)
class Group:
    """Questions of one kind; ``total`` counts those that are not shown too."""

    title: str
    total: int
    details: tuple[Detail, ...]


@dataclass(frozen=True, slots=True)
class Depth:
    """How much of a question is shown."""

    hits: int = 10
    """The most passages of one configuration's list."""
    passage_chars: int = 1_500


def by_need(record: Record, *, limit: int, depth: Depth) -> tuple[Group, ...]:
    """The supported questions, those that need a look first: misses, disagreements."""
    comparison = record.comparison
    if comparison is None:
        return ()
    cutoff = comparison.cutoffs[-1] if comparison.cutoffs else None
    within = f"within {cutoff}" if cutoff else "anywhere"
    titles = (
        f"Not found {within} by any configuration",
        f"Not found {within} by some configurations",
        "Found by all, at different ranks",
        "Found by all at the same rank, but not first",
        "First in every configuration",
    )
    found: dict[int, list[tuple[tuple[float, float], int]]] = {}
    for number, row in enumerate(record.questions):
        if comparison.questions[row.question_id].status == "supported":
            best = [
                ranks.best_rank(
                    comparison.configurations[name].questions[row.question_id]
                )
                for name in record.freeze.compared
            ]
            place = (ranks.disagreement(best), number)
            found.setdefault(_need(best, cutoff), []).append(place)
    left, groups = limit, []
    for need in sorted(found):
        chosen = sorted(found[need])[:left]
        left -= len(chosen)
        shown = tuple(detail(record, number, depth=depth) for _, number in chosen)
        groups.append(Group(titles[need], len(found[need]), shown))
    return tuple(groups)


def of_status(
    record: Record, status: Status | None, *, title: str, limit: int, depth: Depth
) -> Group:
    """The questions of one status in their order; None takes every question."""
    judged = record.comparison.questions if record.comparison else {}
    numbers = [
        number
        for number, row in enumerate(record.questions)
        if status is None or (judged and judged[row.question_id].status == status)
    ]
    shown = tuple(detail(record, number, depth=depth) for number in numbers[:limit])
    return Group(title, len(numbers), shown)


def detail(record: Record, number: int, *, depth: Depth) -> Detail:
    """Everything about the question at this place of the record."""
    question = record.questions[number]
    comparison, names = record.comparison, record.freeze.compared
    judged = comparison.questions[question.question_id] if comparison else None
    grades = dict(zip(judged.targets, judged.grades, strict=True)) if judged else {}
    rankings = {
        name: record.runs[name].rankings[question.question_id] for name in names
    }
    tags = _tags(list(rankings.values()), grades, depth.hits)
    words = frozenset(unicode_words(question.text))
    places: dict[str, list[tuple[str, int]]] = {one: [] for one in tags}
    for name, ranking in rankings.items():
        for rank, passage_id in enumerate(ranking.passages, 1):
            if passage_id in places:
                places[passage_id].append((name, rank))
    return Detail(
        number,
        question,
        "" if question.policy == "{}" else question.policy,
        judged.status if judged else None,
        tuple(
            RankedList(
                name,
                len(ranking.passages),
                tuple(_hits(record, ranking, tags, grades, depth.hits)),
                _best(record, name, question.question_id),
                _values(record, name, question.question_id),
            )
            for name, ranking in rankings.items()
        ),
        tuple(
            _passage(
                (passage_id, tag),
                record.passages[passage_id],
                grades.get(passage_id),
                tuple(places[passage_id]),
                words=words,
                chars=depth.passage_chars,
            )
            for passage_id, tag in sorted(
                tags.items(), key=lambda item: item[0] not in grades
            )
        ),
    )


def letters(position: int) -> str:
    """A, B ... Z, AA, AB ...

    >>> [letters(position) for position in (0, 25, 26, 27, 52)]
    ['A', 'Z', 'AA', 'AB', 'BA']
    """
    head, last = divmod(position, len(ascii_uppercase))
    return (letters(head - 1) if head else "") + ascii_uppercase[last]


def _need(best: Sequence[Rank], cutoff: int | None) -> int:
    """Position of the question's title: 0 needs a look most."""
    missed = [rank is None or (cutoff or rank) < rank for rank in best]
    if any(missed):
        return 0 if all(missed) else 1
    if len(set(best)) > 1:
        return 2
    return 3 if set(best) != {1} else 4


def _tags(
    rankings: Sequence[RankingRow], targets: Iterable[str], hits: int
) -> dict[str, str]:
    """Passage id -> letter, as a reader meets them: rank by rank, then targets."""
    met = (
        ranking.passages[rank]
        for rank in range(hits)
        for ranking in rankings
        if rank < len(ranking.passages)
    )
    distinct = dict.fromkeys([*met, *targets])
    return {one: letters(position) for position, one in enumerate(distinct)}


def _hits(
    record: Record,
    ranking: RankingRow,
    tags: Mapping[str, str],
    grades: Mapping[str, float],
    hits: int,
) -> Iterable[Hit]:
    for rank, passage_id in enumerate(ranking.passages[:hits], 1):
        label = record.passages[passage_id].title or passage_id
        score = ranking.scores[rank - 1]
        yield Hit(rank, tags[passage_id], label, score, passage_id in grades)


def _best(record: Record, name: str, question_id: str) -> Rank:
    if record.comparison is None:
        return None
    return ranks.best_rank(
        record.comparison.configurations[name].questions[question_id]
    )


def _values(record: Record, name: str, question_id: str) -> tuple[float | None, ...]:
    if record.comparison is None:
        return ()
    values = record.comparison.configurations[name].questions[question_id].values or {}
    return tuple(values.get(measure) for measure in record.comparison.measures)


def _passage(  # noqa: PLR0913 -- one call, and each is a column of the result
    named: tuple[str, str],
    row: PassageRow,
    grade: float | None,
    places: tuple[tuple[str, int], ...],
    *,
    words: frozenset[str],
    chars: int,
) -> Passage:
    text = row.text
    return Passage(
        tag=named[1],
        passage_id=named[0],
        source_id=row.source_id,
        version=row.version,
        title=row.title,
        url=row.url,
        link=safe.link(row.url),
        text_sha256=row.text_sha256,
        grade=grade,
        places=places,
        pieces=None if text is None else marked(text[:chars], words),
        left_out=max(0, len(text) - chars) if text else 0,
    )
