"""An experiment file is understood in full, or refused before anything is computed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import msgspec
import pytest

from leadline import plugins
from leadline.errors import ExperimentError, InputError
from leadline.experiment import Judging
from leadline.files.experiment import DEFAULT_MEASURES, read_experiment
from leadline.plugins import Plugin
from leadline.policies import Policy

Put = Callable[[str, Any], Path]


@dataclass(frozen=True, slots=True)
class Words:
    """Parameters of a retriever."""

    k1: Annotated[float, msgspec.Meta(ge=0)] = 1.2
    recording: Path | None = None
    embedder: Any = field(default=None, metadata={"kind": "embedder"})


@dataclass(frozen=True, slots=True)
class Ranks:
    """Parameters of a fusion."""

    rank_constant: int = 60
    weights: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class Nothing:
    """No parameters."""


WORDS = Plugin("retriever", Words, Words)
RANKS = Plugin("fusion", Ranks, Ranks)
COVERAGE = Plugin("reranker", Nothing, Nothing)
SMALL = Plugin("embedder", Nothing, Nothing)


@pytest.fixture(autouse=True)
def _plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four plug-ins of this module, and no other."""
    here: Mapping[str, Mapping[str, str]] = {
        "retriever": {"words": f"{__name__}:WORDS"},
        "fusion": {"ranks": f"{__name__}:RANKS"},
        "reranker": {"coverage": f"{__name__}:COVERAGE"},
        "embedder": {"small": f"{__name__}:SMALL"},
    }
    monkeypatch.setattr(plugins, "BUILT_IN", here)


SMALLEST = """\
name = "Ours"

[corpus]
path = "docs"

[questions]
path = "questions.jsonl"

[configurations.lexical]
retriever = "words"
"""
WHOLE = """\
name = "Our docs, four ways"
scope = "40 questions from support mail"

[corpus]
path = "docs"
index = ["title", "text"]

[questions]
path = "questions.jsonl"
split = "test"
ids = "ids.txt"
policy = { status = "current" }

[labels]
path = "labels.jsonl"

[retrieval]
budget = 50
statistics = "snapshot"

[comparison]
configurations = ["hybrid", "lexical"]
measures = ["nDCG@10", "R@20", "AP"]
baseline = "lexical"
alpha = 0.01
resamples = 500

[configurations."hybrid+coverage"]
rerank = "hybrid"
method = "coverage"

[configurations.hybrid]
fuse = ["lexical", "other"]
method = "ranks"
rank_constant = 30
weights = [1, 0.5]

[configurations.lexical]
retriever = "words"

[configurations.other]
retriever = "words"
budget = 20
k1 = 0.9
recording = "vectors.json"
embedder = "small"
"""


def refusal(put: Put, text: str) -> str:
    path = put("e.toml", text)
    with pytest.raises(ExperimentError) as refused:
        read_experiment(path)
    return str(refused.value).replace(str(path), "e.toml")


def test_everything_in_it_is_read(put: Put, tmp_path: Path) -> None:
    experiment, sources = read_experiment(put("e.toml", WHOLE))
    assert experiment.name == "Our docs, four ways"
    assert experiment.scope == "40 questions from support mail"
    assert experiment.index == ("title", "text")
    assert experiment.statistics == "snapshot"
    assert experiment.compared == ("hybrid", "lexical")
    assert experiment.judging == Judging(
        ("nDCG@10", "R@20", "AP"), "lexical", alpha=0.01, resamples=500
    )
    assert sources.base == tmp_path
    assert sources.corpus == tmp_path / "docs"
    assert sources.questions == tmp_path / "questions.jsonl"
    assert sources.ids == tmp_path / "ids.txt"
    assert sources.labels == tmp_path / "labels.jsonl"
    assert sources.split == "test"
    assert sources.policy == Policy({"status": "current"})


def test_configurations_stand_after_those_they_build_on(
    put: Put, tmp_path: Path
) -> None:
    experiment, _ = read_experiment(put("e.toml", WHOLE))
    lexical, other, hybrid, reranked = experiment.configurations
    assert (lexical.name, lexical.inputs, lexical.budget) == ("lexical", (), 50)
    assert (other.name, other.inputs, other.budget) == ("other", (), 20)
    assert (hybrid.name, hybrid.inputs) == ("hybrid", ("lexical", "other"))
    assert (reranked.name, reranked.inputs) == ("hybrid+coverage", ("hybrid",))
    assert hybrid.part.parameters == Ranks(30, (1.0, 0.5))
    assert other.part.parameters.recording == tmp_path / "vectors.json"
    assert other.part.parameters.embedder.name == "small"


def test_what_is_not_said_has_its_default(put: Put) -> None:
    experiment, sources = read_experiment(put("e.toml", SMALLEST))
    assert experiment.scope == ""
    assert experiment.index == ("text",)
    assert experiment.statistics == "eligible"
    assert experiment.compared == ("lexical",)
    assert experiment.judging == Judging(DEFAULT_MEASURES)
    assert experiment.configurations[0].budget == 100
    assert (sources.ids, sources.labels) == (None, None)
    assert (sources.split, sources.policy) == ("development", Policy())


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "statistics",
            "statistic",
            'e.toml, line 19, field "retrieval.statistic": found an unknown field, exp',
        ),
        ("[retrieval]", "[retreival]", 'line 17, field "retreival": found an unknown'),
        ("k1 = 0.9", "kl = 0.9", 'e.toml, line 44, field "configurations.other.kl": f'),
        (
            "recording =",
            "recordings =",
            'a parameter of the retriever "words". Did you mean "recording"?',
        ),
        ("k1 = 0.9", "k1 = -1", 'line 44, field "configurations.other.k1": found -1, '),
        ("k1 = 0.9", "k1 = nan", 'line 44, field "configurations.other.k1": found nan'),
        (
            'embedder = "small"',
            'embedder = "smal"',
            'line 46: configurations.other.embedder: no embedder is called "smal". Did',
        ),
        (
            'embedder = "small"',
            'embedder = { name = "small", size = 3 }',
            'e.toml, line 46, field "configurations.other.embedder.size": found a key',
        ),
        (
            'retriever = "words"\nbudget',
            'retriever = "word"\nbudget',
            'e.toml, line 42: configurations.other: no retriever is called "word". Did',
        ),
        ("budget = 50", "budget = 0", 'field "retrieval.budget": found 0, expected 1 '),
        ("budget = 50", 'budget = "x"', "field \"retrieval.budget\": found 'x', expec"),
        ("budget = 50", "budget = true", "found true, expected a whole number."),
        (
            "budget = 50",
            "budget = 19",
            'line 18, field "retrieval.budget": found 19, expected 20 or more, the la',
        ),
        (
            "budget = 20",
            "budget = 19",
            'line 43, field "configurations.other.budget": found 19, expected 20 or mo',
        ),
        ("budget = 20", "budget = 0", "found 0, expected a whole number, 1 or more."),
        ('"snapshot"', '"all"', 'found \'all\', expected "eligible" or "snapshot".'),
        ('"nDCG@10"', '"nDCG@0"', "found 'nDCG@0', expected cut-offs of 1 or more."),
        ('"nDCG@10"', '"R@20"', "found 'R@20' twice, expected each name once."),
        ('"nDCG@10", "R@20", "AP"', "", 'field "comparison.measures": found an empty'),
        ('"nDCG@10"', "10", "found 10, expected a name, in quotes."),
        ("alpha = 0.01", "alpha = 1", "found 1, expected more than 0 and less than 1"),
        ("alpha = 0.01", "alpha = 0.0", "found 0.0, expected more than 0 and less "),
        ("resamples = 500", "resamples = 0", "found 0, expected 1 or more."),
        (
            'baseline = "lexical"',
            'baseline = "other"',
            "field \"comparison.baseline\": found 'other', expected one of the configu",
        ),
        (
            '["hybrid", "lexical"]',
            '["hybird"]',
            "field \"comparison.configurations\": found 'hybird', expected a name that",
        ),
        ('["hybrid", "lexical"]', "[]", "found an empty list, expected at least one n"),
        ('["title", "text"]', '["titel"]', "found 'titel', expected a name that exist"),
        ('["title", "text"]', "[]", 'field "corpus.index": found an empty list'),
        (
            'path = "docs"',
            'path = ""',
            "field \"corpus.path\": found '', expected a pa",
        ),
        ('path = "docs"', "", 'field "corpus.path": found nothing, expected a string'),
        ('name = "Our docs, four ways"', "name = ' '", "field \"name\": found ' ', ex"),
        ('name = "Our docs, four ways"', "", 'field "name": found nothing, expected a'),
        (
            'policy = { status = "current" }',
            'policy = { status = { "$is" = "current" } }',
            'e.toml, line 12: policy field "status": "$is" is no operator. Did you me',
        ),
        (
            'split = "test"',
            "split = 2024-05-01",
            'field "questions.split": found a date or time, 2024-05-01, expected a str',
        ),
        (
            'fuse = ["lexical", "other"]',
            'fuse = ["lexical", "vector"]',
            'e.toml: configuration "hybrid" builds on "vector", which does not exist.',
        ),
        (
            'fuse = ["lexical", "other"]',
            'fuse = ["lexical", "hybrid+coverage"]',
            "e.toml: configurations build on each other in a circle: hybrid+coverage",
        ),
        (
            'fuse = ["lexical", "other"]',
            'fuse = ["lexical"]',
            "field \"configurations.hybrid.fuse\": found ['lexical'], expected a list",
        ),
        (
            'fuse = ["lexical", "other"]',
            'fuse = ["lexical", "lexical"]',
            "expected a list of two or more configurations, each once.",
        ),
        ('fuse = ["lexical", "other"]', 'fuse = "lexical"', "found 'lexical', expecte"),
        ('fuse = ["lexical", "other"]', "fuse = [1, 2]", "found [1, 2], expected a li"),
        (
            'rerank = "hybrid"',
            'rerank = ["hybrid", "lexical"]',
            "expected the name of one configuration. To rerank several, fuse them firs",
        ),
        (
            'rerank = "hybrid"',
            'rerank = "hybrid"\nretriever = "words"',
            'field "configurations.hybrid+coverage": found retriever and rerank, expec',
        ),
        (
            'rerank = "hybrid"',
            "",
            "found neither retriever nor fuse nor rerank, expected exactly one of retr",
        ),
        (
            'method = "ranks"',
            "",
            'field "configurations.hybrid.method": found nothing, expected the name of',
        ),
        ('method = "ranks"', "", "the name of a fusion. Installed: ranks."),
        (
            "weights = [1, 0.5]",
            "weights = [1, 0.5, 1]",
            'line 36, field "configurations.hybrid.weights": found 3 weights, expected',
        ),
        (
            "rank_constant = 30",
            "budget = 30",
            'line 35, field "configurations.hybrid.budget": found a budget, expected',
        ),
        ("[configurations.other]", "[configurations.Lexical]", "found the names 'lexi"),
        (
            "[configurations.other]",
            '[configurations."\\uFF4Cexical"]',
            "expected names that differ in more than case or form. Rename one of them.",
        ),
        (
            "[configurations.other]",
            '[configurations."other\\u0007"]',
            "expected a name without control characters or outer blanks.",
        ),
        (
            "[configurations.other]",
            '[configurations." other"]',
            "found ' other', expected a name without control characters or outer blan",
        ),
    ],
)
def test_refuses(put: Put, old: str, new: str, message: str) -> None:
    assert old in WHOLE
    assert message in refusal(put, WHOLE.replace(old, new, 1))


def test_the_nearest_name_is_offered(put: Put) -> None:
    found = refusal(put, WHOLE.replace("statistics =", "statistic ="))
    expected = 'expected a field that is known here. Did you mean "statistics"?'
    assert found.endswith(expected)


def test_a_configuration_is_a_table(put: Put) -> None:
    text = SMALLEST.replace(
        '[configurations.lexical]\nretriever = "words"', "[configurations]\nlexical = 1"
    )
    found = 'e.toml, line 10, field "configurations.lexical": found 1, expected a table'
    assert found in refusal(put, text)


def test_at_least_one_configuration_is_needed(put: Put) -> None:
    text = SMALLEST.partition("[configurations")[0] + "[configurations]\n"
    assert "found no configuration, expected at least one." in refusal(put, text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            'name = "a"\nscope = b\n',
            "e.toml, line 2: found no TOML (Invalid value at co",
        ),
        ('name = "a"\nname = "b"\n', "line 2: found no TOML (Cannot overwrite a value"),
        ('name = "a"\n\n[corpus\n', "line 3: found no TOML ("),
        ('name = "a\n', "line 1: found no TOML ("),
        ("[a]\n[a]\n", "line 2: found no TOML (Cannot declare ('a',) twice"),
        ("a = " + "[" * 5000, "e.toml"),
    ],
)
def test_what_is_no_toml_is_refused_by_its_line(
    put: Put, text: str, message: str
) -> None:
    assert message in refusal(put, text)


def test_a_file_that_cannot_be_read_is_said_to_be_one(put: Put, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"e\.toml: does not exist\."):
        read_experiment(tmp_path / "e.toml")
    with pytest.raises(InputError, match=r"e\.toml: is empty\."):
        read_experiment(put("e.toml", ""))
    with pytest.raises(InputError, match=r"line 1: found byte 0xff at offset 8, which"):
        read_experiment(put("e.toml", b'name = "\xff"'))


def test_no_other_file_is_opened(put: Put, tmp_path: Path) -> None:
    """Neither documents nor labels need to be there to check the file."""
    read_experiment(put("e.toml", WHOLE))
    assert [one.name for one in tmp_path.iterdir()] == ["e.toml"]
