"""What was frozen is shown as it was built: each configuration above its inputs."""

from leadline.report.frozen import Node, flat, frozen
from tests.unit.report.handbook import synthetic
from tests.unit.report.records import golden


def walk(node: Node) -> list[Node]:
    return [node, *(below for one in node.inputs for below in walk(one))]


def test_a_pipeline_is_one_tree() -> None:
    (root,) = frozen(golden()).trees
    names = [(one.name, one.kind, one.plugin) for one in walk(root)]
    assert names == [
        ("rrf+coverage", "reranker", "coverage"),
        ("rrf", "fusion", "rrf"),
        ("lexical", "retriever", "fts5"),
        ("vector", "retriever", "vector"),
    ]


def test_each_configuration_is_described_once() -> None:
    record = synthetic(20, 8)
    nodes = [one for root in frozen(record).trees for one in walk(root)]
    described = [one.name for one in nodes if one.described]
    assert sorted(described) == sorted(record.freeze.compared)
    assert {one.name for one in nodes if not one.described} == {"lexical", "vector"}


def test_every_run_shows_its_seal() -> None:
    record = golden()
    for node in walk(frozen(record).trees[0]):
        assert node.seal == record.runs[node.name].seal


def test_parameters_and_preparations_are_dotted_names() -> None:
    nodes = {one.name: one for one in walk(frozen(golden()).trees[0])}
    assert nodes["vector"].parameters == (("embedder.name", "recording"),)
    assert nodes["lexical"].prepared == (
        ("sqlite", "3.40.1"),
        ("tokenizer", "unicode61"),
    )
    assert flat({"a": None, "b": [1, {"c": True}]}) == (
        ("a", "null"),
        ("b", '[1,{"c":true}]'),
    )
