"""Records of any size: questions to a made-up handbook."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from leadline.files.record import Record
from leadline.hashing import text_sha256
from tests.unit.report.sketch import Sketch, passage, plugin, record_of

_TEXT = """
permit renewal harbour crane berth invoice deposit refund schedule licence tide
pilot mooring laptop loan penalty tardiness desk opening hours safety vest badge
visitor parking waste oil spill report radio channel storm warning customs form
container seal weight limit fuel price night shift contact address archive policy
"""
_WORDS = _TEXT.split()
EIGHT = (
    plugin("lexical", "bm25", k1=1.2, b=0.75, words="unicode", budget=100),
    plugin(
        "vector",
        "vector",
        embedder={"name": "wordllama", "dimension": 256},
        budget=100,
        prepared={"model": "wordllama-l2", "sha256": text_sha256("weights")},
    ),
    plugin("hybrid", "rrf", "lexical", "vector", kind="fusion", rank_constant=60),
    plugin("hybrid+coverage", "coverage", "hybrid", kind="reranker", words="unicode"),
    plugin("lexical-titles", "bm25", k1=0.9, b=0.4, words="unicode", budget=100),
    plugin("tfidf", "tfidf", words="ascii", budget=100),
    plugin(
        "hybrid-weighted", "rrf", "lexical", "vector", kind="fusion", weights=[2, 1]
    ),
    plugin("vector-long", "vector", embedder={"name": "wordllama"}, budget=100),
)
_SKILL = (0.55, 0.6, 0.7, 0.74, 0.5, 0.56, 0.69, 0.6)


def synthetic(
    question_count: int,
    configuration_count: int = 4,
    *,
    measures: Sequence[str] = ("nDCG@10", "RR@10", "R@10", "R@3"),
    baseline: str | None = None,
    depth: int = 20,
) -> Record:
    """A made-up handbook: as many questions as asked, ranks that look like life."""
    random = np.random.default_rng(20_24)
    passages = {}
    for i in range(min(3_000, question_count * 2 + 40)):
        words = [_WORDS[j] for j in random.integers(0, len(_WORDS), 70)]
        start = 0 if i % 3 else 400
        source_id = f"handbook/{words[0]}-{i:04}"
        text = " ".join(words[1:]).capitalize() + "."
        passages[f"{source_id}@2024#{start}-{start + len(text)}"] = replace(
            passage(
                source_id,
                text,
                title=f"{words[0].capitalize()} and {words[1]}",
                url=f"https://handbook.example/{words[0]}#{i}",
            ),
            version="2024",
            start=start,
            end=start + len(text),
        )
    ids = list(passages)
    names = [str(one["name"]) for one in EIGHT[:configuration_count]]
    questions, labels = [], {}
    rankings: dict[str, dict[str, list[tuple[str, float]]]] = {
        name: {} for name in names
    }
    for i in range(question_count):
        words = [_WORDS[j] for j in random.integers(0, len(_WORDS), 5)]
        question_id = f"q{i:05}"
        questions.append(
            (question_id, f"What is the {words[0]} {' '.join(words[1:])}?")
        )
        pool = [ids[j] for j in random.choice(len(ids), depth + 10, replace=False)]
        status = (
            "unsupported-excluded"
            if i % 10 == 9
            else ("unjudged" if i % 41 == 40 else "supported")
        )
        targets = pool[: 1 + (i % 7 == 0)]
        labels[question_id] = (
            status,
            dict.fromkeys(targets, 1.0) if status == "supported" else {},
        )
        hardness = random.random() ** 0.8
        for name, skill in zip(names, _SKILL, strict=False):
            others = [one for one in pool if one not in targets]
            random.shuffle(others)
            row = others[:depth]
            if status == "supported":
                for target in targets:
                    luck = hardness + random.normal(0, 0.15)
                    if luck < skill:
                        row.insert(0, target)
                    elif luck < skill + 0.22:
                        row.insert(int(random.integers(1, 9)), target)
                    elif luck < skill + 0.3:
                        row.insert(int(random.integers(10, 18)), target)
            if status != "supported" and random.random() < 0.3:
                row = []
            row = row[:depth]
            top = float(random.uniform(8, 22))
            rankings[name][question_id] = [
                (one, top / (1 + 0.12 * rank)) for rank, one in enumerate(row)
            ]
    return record_of(
        Sketch(
            name="The harbour handbook, before the move",
            scope="Questions from a year of the help desk's mail.",
            limits="These figures describe these questions on this snapshot. They "
            "are no estimate for other documents or other people's questions.",
            questions=questions,
            passages=passages,
            rankings=rankings,
            labels=labels,
            measures=measures,
            configurations=EIGHT[:configuration_count],
            baseline=baseline,
        )
    )
