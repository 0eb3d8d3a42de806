"""Policies: what is not known to be allowed is not shown."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.documents import Document
from leadline.errors import InputError
from leadline.hashing import Json
from leadline.policies import Policy

DOCUMENT = Document(
    "a",
    "text",
    version="3.12",
    status="current",
    metadata={"lang": "de", "year": 2024, "draft": True, "size": 1.0},
)


@pytest.mark.parametrize(
    ("rule", "admitted"),
    [
        ({}, True),
        ({"version": "3.12"}, True),
        ({"version": "3.1"}, False),
        ({"source_id": "a"}, True),
        ({"version": "3.12", "status": "archived"}, False),
        ({"lang": {"$eq": "de"}}, True),
        ({"lang": {"$ne": "de"}}, False),
        ({"lang": {"$ne": "en"}}, True),
        ({"lang": {"$in": ["en", "de"]}}, True),
        ({"lang": {"$in": []}}, False),
        ({"lang": {"$nin": ["en", "fr"]}}, True),
        ({"lang": {"$nin": ["en", "de"]}}, False),
        ({"lang": {"$ne": "en", "$in": ["fr"]}}, False),
        ({"lang": {"$exists": True}}, True),
        ({"lang": {"$exists": False}}, False),
        ({"$or": [{"lang": "en"}, {"year": 2024}]}, True),
        ({"$or": [{"lang": "en"}, {"year": 2023}]}, False),
        ({"$and": [{"lang": "de"}, {"year": 2024}]}, True),
        ({"$and": [{"lang": "de"}, {"year": 2023}]}, False),
        ({"$and": [{"$or": [{"lang": "en"}, {"lang": "de"}]}], "year": 2024}, True),
    ],
)
def test_a_policy_admits(rule: Json, *, admitted: bool) -> None:
    assert Policy.parse(rule).admits(DOCUMENT) is admitted


@pytest.mark.parametrize(
    "test", ["x", {"$ne": "x"}, {"$nin": ["x"]}, {"$in": ["x"]}, {"$exists": True}]
)
def test_a_field_that_a_document_lacks_passes_no_test(test: Json) -> None:
    assert not Policy.parse({"tenant": test}).admits(DOCUMENT)


def test_that_a_field_is_lacking_can_be_asked_for() -> None:
    assert Policy.parse({"tenant": {"$exists": False}}).admits(DOCUMENT)


@pytest.mark.parametrize(
    ("rule", "admitted"),
    [
        ({"year": "2024"}, False),
        ({"year": 2024.0}, True),
        ({"draft": True}, True),
        ({"draft": 1}, False),
        ({"draft": {"$in": [1]}}, False),
        ({"size": 1}, True),
        ({"size": True}, False),
        ({"size": {"$ne": True}}, True),
    ],
)
def test_values_are_compared_with_their_kind(rule: Json, *, admitted: bool) -> None:
    assert Policy.parse(rule).admits(DOCUMENT) is admitted


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (
            [],
            'a policy is a table of fields, found []; for example {"version": "3.12"}',
        ),
        (
            {"lang": {"$equals": "de"}},
            'policy field "lang": "$equals" is no operator. Did you mean "$eq"?',
        ),
        (
            {"lang": {}},
            'policy field "lang": an empty table tests nothing; try {"$eq": ...}',
        ),
        (
            {"lang": ["de"]},
            (
                "policy field \"lang\": found ['de'], expected a value or an operator "
                'such as {"$in": [...]}'
            ),
        ),
        (
            {"lang": None},
            (
                'policy field "lang": found None, expected a value or an operator '
                'such as {"$in": [...]}'
            ),
        ),
        (
            {"lang": {"$in": "de"}},
            "policy field \"lang\": $in takes a list of values, found 'de'",
        ),
        (
            {"lang": {"$exists": 1}},
            'policy field "lang": $exists takes true or false, found 1',
        ),
        (
            {"lang": {"$eq": ["de"]}},
            (
                'policy field "lang": $eq takes a string, number or boolean, '
                "found ['de']"
            ),
        ),
        (
            {"$not": [{}]},
            'policy: "$not" is no way to join policies. Known: $and, $or.',
        ),
        ({"$or": []}, "policy: $or takes a list of policies, found []"),
        ({"$or": "x"}, "policy: $or takes a list of policies, found 'x'"),
        (
            {"$and": [{"lang": {"$in": 3}}]},
            'policy field "lang": $in takes a list of values, found 3',
        ),
    ],
)
def test_a_wrong_policy_is_refused_with_what_is_right(rule: Json, message: str) -> None:
    with pytest.raises(InputError) as refused:
        Policy.parse(rule)
    assert str(refused.value) == message


def test_policies_that_say_the_same_have_one_key() -> None:
    one = Policy.parse({"lang": "de", "version": "3"})
    other = Policy.parse({"version": "3", "lang": "de"})
    assert one.key == other.key
    assert one.key != Policy.parse({"lang": "de"}).key


def test_the_fields_it_names_are_known() -> None:
    policy = Policy.parse(
        {"a": 1, "$or": [{"b": {"$ne": 2}}, {"$and": [{"c": {"$exists": False}}]}]}
    )
    assert policy.fields == {"a", "b"}


VALUES = st.sampled_from(["en", "de", 1, 1.0, True, False])
RULES = st.dictionaries(st.sampled_from(["lang", "year", "draft"]), VALUES, max_size=3)


@given(RULES, RULES, RULES)
def test_also_admits_what_both_admit(
    one: dict[str, Any], other: dict[str, Any], metadata: dict[str, Any]
) -> None:
    document = Document("a", "", metadata=metadata)
    both = Policy.parse(one).also(Policy.parse(other))
    assert both.admits(document) is (
        Policy.parse(one).admits(document) and Policy.parse(other).admits(document)
    )
