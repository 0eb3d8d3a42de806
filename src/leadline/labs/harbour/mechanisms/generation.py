"""Generation: a sentence that a person wrote for one question, and nothing else."""

from dataclasses import dataclass
from typing import Any, Literal

from leadline.errors import InputError
from leadline.hashing import text_sha256
from records import DATA, Handbook, take_file
from retrieval import packet, search

MECHANISM = (
    "a template written by a person for one question id, shown only while the passage "
    "that it cites is quoted, unchanged, in the packet; no model writes anything"
)
BUDGET_CHARS = 400


@dataclass(frozen=True, slots=True)
class Template:
    """What a person wrote, and the one passage that it rests on."""

    format: Literal["harbour.template/1"]
    question_id: str
    text: str
    cites: str
    cited_text_sha256: str


def run(handbook: Handbook, question_id: str | None) -> dict[str, Any]:
    """Show the template for its question, and refuse every other one."""
    template: Template = take_file(Template, DATA / "template.json")
    asked = handbook.question(question_id or template.question_id)
    if asked.question_id != template.question_id:
        message = (
            f"no answer was written for {asked.question_id!r}, and none is made up; "
            f"the one template is for {template.question_id!r}"
        )
        raise InputError(message)
    found = packet(search(handbook.snapshot, asked.text, k=1), BUDGET_CHARS)
    hashes = {one.passage_id: text_sha256(one.text) for one in found.quotes}
    if hashes.get(template.cites) != template.cited_text_sha256:
        message = (
            f"the template cites {template.cites}, which is not quoted as it was when "
            "the template was written; write the template again"
        )
        raise InputError(message)
    others = [one.question_id for one in handbook.questions if one != asked]
    return {
        "mechanism": MECHANISM,
        "question": asked.text,
        "answer": template.text,
        "written_by": "a person, for this question id alone",
        "cites": template.cites,
        "packet": found,
        "refused": others,
        "look_at": "The packet is retrieval's. The sentence is not: it was there "
        "before the question was asked.",
    }
