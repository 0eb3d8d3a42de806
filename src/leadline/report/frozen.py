"""What was fixed before the first search, for a reader."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from leadline.experiment import Freeze
from leadline.files.record import Record
from leadline.hashing import Json, canonical


@dataclass(frozen=True, slots=True)
class Node:
    """One configuration, with those that it builds on below it.

    Where several build on it, it is described once; elsewhere it is only named, and
    ``described`` is False.
    """

    name: str
    described: bool
    kind: str
    plugin: str
    budget: int
    parameters: tuple[tuple[str, str], ...]
    prepared: tuple[tuple[str, str], ...]
    """Versions and hashes that were fixed before the freeze."""
    inputs: tuple["Node", ...]
    seal: str
    """Hash of its run."""


@dataclass(frozen=True, slots=True)
class Frozen:
    """The freeze as it stands in the record, and its configurations as trees."""

    freeze: Freeze
    trees: tuple[Node, ...]


def frozen(record: Record) -> Frozen:
    """Lay out what was fixed; each root is a configuration that no other builds on."""
    tables = {str(one["name"]): one for one in record.freeze.configurations}
    built_on = {name for one in tables.values() for name in _names(one["inputs"])}
    done: set[str] = set()

    def node(name: str) -> Node:
        described = name not in done
        done.add(name)
        table = tables[name]
        plugin: Mapping[str, Any] = table["plugin"]
        rest = {key: value for key, value in plugin.items() if key != "name"}
        return Node(
            name=name,
            described=described,
            kind=str(table["kind"]),
            plugin=str(plugin["name"]),
            budget=int(str(table["budget"])),
            parameters=flat(rest) if described else (),
            prepared=flat(table.get("prepared")) if described else (),
            inputs=tuple(map(node, _names(table["inputs"]))) if described else (),
            seal=record.runs[name].seal,
        )

    return Frozen(
        record.freeze, tuple(node(name) for name in tables if name not in built_on)
    )


def flat(value: Json, name: str = "") -> tuple[tuple[str, str], ...]:
    """A table of tables as dotted names and their values as text.

    >>> flat({"k1": 1.2, "embedder": {"name": "hash", "sizes": [2, 3]}})
    (('k1', '1.2'), ('embedder.name', 'hash'), ('embedder.sizes', '[2,3]'))
    """
    if isinstance(value, Mapping):
        return tuple(
            row
            for key, one in value.items()
            for row in flat(one, f"{name}.{key}" if name else key)
        )
    if value is None and not name:
        return ()
    return ((name, value if isinstance(value, str) else canonical(value).decode()),)


def _names(inputs: Json) -> list[str]:
    return [str(one) for one in inputs] if isinstance(inputs, (list, tuple)) else []
