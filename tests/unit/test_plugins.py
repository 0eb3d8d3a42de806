"""A plug-in is found by its name, and its parameters are checked by their types."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, Literal

import msgspec
import pytest

from leadline import plugins
from leadline.errors import EngineError, ExperimentError
from leadline.plugins import BUILT_IN, Part, Plugin, find, names, resolve

BASE = Path("folder")


@dataclass(frozen=True, slots=True)
class Words:
    """One parameter of every sort."""

    stemmer: Literal["none", "english"]
    k1: Annotated[float, msgspec.Meta(ge=0)] = 1.2
    depth: int = 10
    fields: tuple[str, ...] = ("text",)
    recording: Path | None = None
    embedder: Part | None = field(default=None, metadata={"kind": "embedder"})

    def __post_init__(self) -> None:
        """Refuse what no single type can."""
        if self.depth == 13:
            raise ExperimentError("depth 13 brings no luck")


@dataclass(frozen=True, slots=True)
class Model:
    """Parameters of an embedder."""

    dimension: int = 256


WORDS = Plugin("retriever", Words, lambda parameters: ("built", parameters))
MODEL = Plugin("embedder", Model, Model)
NO_PLUGIN = "something else"


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two built-in plug-ins, and a package that brings more."""
    module = ModuleType("a_package")
    vars(module).update(THEIRS=WORDS, WRONG=NO_PLUGIN, KIND=MODEL)
    monkeypatch.setitem(sys.modules, "a_package", module)
    built_in: Mapping[str, Mapping[str, str]] = {
        "retriever": {"words": f"{__name__}:WORDS"},
        "embedder": {"model": f"{__name__}:MODEL"},
        "fusion": {},
        "reranker": {},
    }
    points = [
        EntryPoint(name, f"a_package{target}", "leadline.retrievers")
        for name, target in {
            "theirs": ":THEIRS",
            "wrong": ":WRONG",
            "kind": ":KIND",
            "gone": ".gone:THING",
        }.items()
    ]

    def entry_points(*, group: str) -> list[EntryPoint]:
        return [one for one in points if one.group == group]

    monkeypatch.setattr(plugins, "BUILT_IN", built_in)
    monkeypatch.setattr("importlib.metadata.entry_points", entry_points)


def words(table: Mapping[str, Any]) -> Part:
    table = {"stemmer": "none", **table}
    return resolve("retriever", "words", table, base=BASE, where="configurations.a")


# --- finding ---------------------------------------------------------------------


def test_plug_ins_of_ours_and_of_others_have_one_list() -> None:
    assert names("retriever") == ["gone", "kind", "theirs", "words", "wrong"]
    assert names("fusion") == []
    assert find("retriever", "words") is WORDS
    assert find("retriever", "theirs") is WORDS


def test_a_name_that_is_not_installed_is_refused_with_the_nearest() -> None:
    with pytest.raises(ExperimentError) as refused:
        find("retriever", "wrods")
    assert str(refused.value) == 'no retriever is called "wrods". Did you mean "words"?'


def test_a_plug_in_of_another_kind_is_not_found() -> None:
    with pytest.raises(ExperimentError, match='no embedder is called "words"'):
        find("embedder", "words")


@pytest.mark.parametrize("name", ["wrong", "kind"])
def test_what_is_no_such_plug_in_is_the_packages_fault(name: str) -> None:
    expected = f'"{name}" is no leadline.plugins.Plugin of kind "retriever"'
    with pytest.raises(EngineError, match=expected):
        find("retriever", name)


def test_a_package_that_cannot_be_imported_is_named() -> None:
    with pytest.raises(EngineError, match=r'"gone" could not be imported from a_packa'):
        find("retriever", "gone")


# --- parameters ------------------------------------------------------------------


def test_what_is_not_given_has_its_default() -> None:
    assert words({}) == Part("retriever", "words", Words("none"))


def test_values_become_what_the_types_say() -> None:
    part = words({"k1": 2, "fields": ["title", "text"], "recording": "v.json"})
    assert part.parameters == Words(
        "none", 2.0, fields=("title", "text"), recording=BASE / "v.json"
    )


@pytest.mark.parametrize("value", ["model", {"name": "model"}])
def test_a_parameter_may_be_a_plug_in(value: object) -> None:
    part = words({"embedder": value}).parameters.embedder
    assert part == Part("embedder", "model", Model())


def test_the_inner_plug_in_has_parameters_of_its_own() -> None:
    part = words({"embedder": {"name": "model", "dimension": 128}})
    assert part.parameters.embedder.parameters == Model(128)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            {"dpeth": 1},
            'field "configurations.a.dpeth": found a key that this plug-in does not ',
        ),
        ({"dpeth": 1}, 'a parameter of the retriever "words". Did you mean "depth"?'),
        ({"depth": "1"}, "field \"configurations.a.depth\": found '1', expected int"),
        ({"depth": True}, "found True, expected int"),
        ({"depth": 1.5}, "found 1.5, expected int"),
        ({"k1": -1}, "found -1, expected "),
        ({"stemmer": "french"}, "field \"configurations.a.stemmer\": found 'french'"),
        ({"fields": "text"}, "found 'text', expected array"),
        ({"recording": ""}, "found '', expected the path of a file"),
        ({"recording": 3}, "found 3, expected the path of a file"),
        ({"depth": 13}, "configurations.a: depth 13 brings no luck"),
        ({"embedder": 3}, 'field "configurations.a.embedder": found 3, expected the '),
        ({"embedder": {}}, "found {}, expected the name of an embedder, or a table"),
        ({"embedder": {}}, "Installed: model."),
        ({"embedder": "modle"}, 'configurations.a.embedder: no embedder is called "m'),
        (
            {"embedder": {"name": "model", "size": 1}},
            'field "configurations.a.embedder.size": found a key that',
        ),
    ],
)
def test_a_wrong_parameter_is_refused(table: dict[str, Any], message: str) -> None:
    with pytest.raises(ExperimentError) as refused:
        words(table)
    assert message in str(refused.value)


def test_a_parameter_without_default_must_be_given() -> None:
    with pytest.raises(ExperimentError) as refused:
        resolve("retriever", "words", {}, base=BASE, where="configurations.a")
    assert str(refused.value) == (
        'field "configurations.a.stemmer": found nothing, expected a value: the '
        'retriever "words" needs it. Add the key.'
    )


# --- parts -----------------------------------------------------------------------


def test_a_part_builds_what_its_plug_in_makes() -> None:
    assert words({"depth": 3}).build() == ("built", Words("none", depth=3))


def test_a_freeze_names_every_parameter_and_no_path() -> None:
    frozen = words({"embedder": "model", "recording": "v.json"}).frozen()
    assert frozen == {
        "name": "words",
        "stemmer": "none",
        "k1": 1.2,
        "depth": 10,
        "fields": ["text"],
        "embedder": {"name": "model", "dimension": 256},
    }


def test_every_plug_in_of_ours_is_what_it_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(plugins, "BUILT_IN", BUILT_IN)
    for kind, ours in BUILT_IN.items():
        for name in ours:
            assert find(kind, name).kind == kind
