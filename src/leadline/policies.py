"""Policies: which documents a question may see.

A policy is a table: a field and the value it must have, or a field and operators,
joined by *and*; ``$and`` and ``$or`` join whole policies.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, Self, TypeAlias

from leadline.errors import InputError, did_you_mean, shown
from leadline.hashing import Json, canonical

Value: TypeAlias = str | int | float | bool


class Fielded(Protocol):
    """What a policy can be asked about: a document."""

    def value(self, name: str) -> Value | None:
        """The value of a field; None where there is nothing."""


_Test: TypeAlias = Callable[[Value | None, Json], bool]


def _same(found: Value | None, wanted: Json) -> bool:
    """Equal in value and in kind: 1 is not true and "1" is not 1."""
    kinds = isinstance(found, bool) is isinstance(wanted, bool)
    return found is not None and kinds and found == wanted


def _among(found: Value | None, wanted: Json) -> bool:
    return isinstance(wanted, Sequence) and any(_same(found, one) for one in wanted)


OPERATORS: Mapping[str, _Test] = {
    "$eq": _same,
    "$ne": lambda found, wanted: found is not None and not _same(found, wanted),
    "$in": _among,
    "$nin": lambda found, wanted: found is not None and not _among(found, wanted),
    "$exists": lambda found, wanted: (found is not None) is wanted,
}
"""A field that a document lacks passes no test but ``{"$exists": false}``: what is
not known to be allowed is not shown."""

_JOINS: Mapping[str, Callable[[Iterable[bool]], bool]] = {"$and": all, "$or": any}


@dataclass(frozen=True, slots=True)
class Policy:
    """Which documents a question may see.

    >>> policy = Policy.parse({"version": "3.12", "scope": {"$in": ["public"]}})
    >>> policy.key
    '{"scope":{"$in":["public"]},"version":"3.12"}'
    """

    rule: Mapping[str, Json] = field(default_factory=dict)

    @classmethod
    def parse(cls, rule: Json) -> Self:
        """Check a policy: ``{field: value or {operator: value}}``, ``$and``, ``$or``.

        Raises:
            InputError: an unknown operator, or a value it cannot take.
        """
        if not isinstance(rule, Mapping):
            message = (
                f"a policy is a table of fields, found {shown(rule)}; "
                'for example {"version": "3.12"}'
            )
            raise InputError(message)
        for name, test in rule.items():
            if name in _JOINS:
                if not isinstance(test, Sequence) or isinstance(test, str) or not test:
                    message = f"policy: {name} takes a list of policies, found "
                    raise InputError(message + shown(test))
                for part in test:
                    cls.parse(part)
            elif name.startswith("$"):
                message = f'policy: "{name}" is no way to join policies. '
                raise InputError(message + did_you_mean(name, _JOINS))
            elif isinstance(test, Mapping):
                _check_tests(name, test)
            elif test is None or (
                isinstance(test, Sequence) and not isinstance(test, str)
            ):
                message = (
                    f'policy field "{name}": found {shown(test)}, expected a value or '
                    f'an operator such as {{"$in": [...]}}'
                )
                raise InputError(message)
        return cls(rule)

    @property
    def key(self) -> str:
        """Equal for policies that say the same; groups questions."""
        return canonical(self.rule).decode()

    @property
    def fields(self) -> frozenset[str]:
        """The fields it names, ``$exists`` tests apart."""
        return frozenset(_fields(self.rule))

    def also(self, other: "Policy") -> "Policy":
        """Both: what this policy and the other one admit."""
        rules = [one.rule for one in (self, other) if one.rule]
        return Policy({"$and": rules}) if len(rules) > 1 else Policy(*rules)

    def admits(self, document: Fielded) -> bool:
        """Whether a question with this policy may see the document."""
        return _admits(self.rule, document)


def _check_tests(name: str, tests: Mapping[str, Json]) -> None:
    where = f'policy field "{name}"'
    if not tests:
        message = f'{where}: an empty table tests nothing; try {{"$eq": ...}}'
        raise InputError(message)
    for operator, wanted in tests.items():
        if operator not in OPERATORS:
            message = f'{where}: "{operator}" is no operator. '
            raise InputError(message + did_you_mean(operator, OPERATORS))
        listed = isinstance(wanted, Sequence) and not isinstance(wanted, str)
        scalar = isinstance(wanted, (str, int, float))
        expected = {
            "$in": (listed, "a list of values"),
            "$nin": (listed, "a list of values"),
            "$exists": (isinstance(wanted, bool), "true or false"),
        }.get(operator, (scalar, "a string, number or boolean"))
        if not expected[0]:
            message = f"{where}: {operator} takes {expected[1]}, found {shown(wanted)}"
            raise InputError(message)


def _fields(rule: Mapping[str, Json]) -> Iterable[str]:
    for name, test in rule.items():
        if name in _JOINS:
            for part in test:  # type: ignore[union-attr]  # checked by parse
                yield from _fields(part)  # type: ignore[arg-type]  # likewise
        elif not (isinstance(test, Mapping) and set(test) == {"$exists"}):
            yield name


def _admits(rule: Mapping[str, Json], document: Fielded) -> bool:
    for name, test in rule.items():
        if name in _JOINS:
            parts = (_admits(part, document) for part in test)  # type: ignore[union-attr,arg-type]  # checked by parse
            passes = _JOINS[name](parts)
        else:
            found = document.value(name)
            tests = test if isinstance(test, Mapping) else {"$eq": test}
            passes = all(OPERATORS[op](found, wanted) for op, wanted in tests.items())
        if not passes:
            return False
    return True
