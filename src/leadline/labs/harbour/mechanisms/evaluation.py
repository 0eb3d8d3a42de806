"""Evaluation: claims and the labels that a person gave them, added up."""

from dataclasses import dataclass
from typing import Any, Literal

from leadline.errors import InputError, describe, shown
from leadline.rows import take
from records import DATA, Handbook, take_file

MECHANISM = (
    "sums of labels that a person wrote for each claim and passage: 1 supports it, 0 "
    "does not; no support is inferred from words or scores"
)


@dataclass(frozen=True, slots=True)
class Claims:
    """A file of claims."""

    format: Literal["harbour.claims/1"]
    about: str
    claims: list[Any]


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim, and passage id -> 1 or 0."""

    claim: str
    labels: dict[str, Any]


def supported(claims: list[Claim]) -> dict[str, Any]:
    """How many claims have a passage that supports them, of those with a label.

    A claim without a label is neither: it stands apart, and in no share.
    """
    labelled = [one for one in claims if one.labels]
    count = sum(any(one.labels.values()) for one in labelled)
    return {
        "claims": len(claims),
        "labelled": len(labelled),
        "supported": count,
        "share_supported": count / len(labelled) if labelled else None,
        "without_a_label": [one.claim for one in claims if not one.labels],
    }


def run(handbook: Handbook, _question_id: str | None) -> dict[str, Any]:
    """Add the labels up, claim by claim."""
    path = DATA / "claims.json"
    rows: Claims = take_file(Claims, path)
    known = handbook.view.passages.codes
    claims = []
    for place, value in enumerate(rows.claims):
        within = f"claims[{place}]"
        claim = take(Claim, value, file=path, within=within)
        for passage_id, label in claim.labels.items():
            if passage_id not in known or label not in (0, 1):
                message = describe(
                    f"{shown(passage_id)}: {shown(label)}",
                    file=path,
                    field=f"{within}.labels",
                    expected="the id of a passage that may be seen, and 1 or 0",
                    remedy="Correct the label.",
                )
                raise InputError(message)
        claims.append(claim)
    return {
        "mechanism": MECHANISM,
        "claims": [
            {
                "claim": one.claim,
                "labels": one.labels,
                "supporting_passages": sum(one.labels.values()) if one.labels else None,
            }
            for one in claims
        ],
        "sum": supported(claims),
        "look_at": "The evaluator reads labels and nothing else. A claim that nobody "
        "has labelled is not unsupported; it is unknown.",
    }
