"""Plain values become dataclasses with nothing left over."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from leadline.errors import InputError
from leadline.files.typed import built, schema_of


@dataclass(frozen=True, slots=True)
class Leaf:
    """The smallest."""

    x: int


@dataclass(frozen=True, slots=True)
class Tree:
    """Leaves in every place that a type can have them."""

    one: Leaf | None
    many: tuple[Leaf, ...]
    named: dict[str, tuple[Leaf, ...]]
    free: dict[str, Any]


PLAIN = {"one": None, "many": [], "named": {}, "free": {"any": {"thing": [1]}}}


def test_values_are_built_all_the_way_down() -> None:
    plain = {**PLAIN, "one": {"x": 1}, "many": [{"x": 2}], "named": {"a": [{"x": 3}]}}
    assert built(Tree, plain, file=Path("t")) == Tree(
        Leaf(1), (Leaf(2),), {"a": (Leaf(3),)}, {"any": {"thing": [1]}}
    )


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"two": 1}, r"\$\.two"),
        ({"one": {"x": 1, "y": 2}}, r"\$\.one\.y"),
        ({"many": [{"x": 1}, {"x": 1, "y": 2}]}, r"\$\.many\[1\]\.y"),
        ({"named": {"a": [{"x": 1, "y": 2}]}}, r"\$\.named\.a\[0\]\.y"),
    ],
)
def test_an_unknown_key_is_found_at_any_depth(
    change: dict[str, object], path: str
) -> None:
    with pytest.raises(InputError, match=rf"^t: found an unknown key, {path}\. "):
        built(Tree, {**PLAIN, **change}, file=Path("t"))


def test_what_is_no_table_is_left_to_the_types() -> None:
    for change in ({"one": 1}, {"many": {}}, {"named": []}, {"many": [1]}):
        with pytest.raises(InputError, match=r"^t: expected .*, got .* - at \$\."):
            built(Tree, {**PLAIN, **change}, file=Path("t"))


def test_a_schema_is_closed() -> None:
    parts = schema_of(Tree, title="tree")["$defs"]
    assert {part["additionalProperties"] for part in parts.values()} == {False}
