"""Why a target binds to nothing: what the snapshot has that is almost it.

A label holds the hash of a text and not the text, so a near miss is found from the
other side: rewrite each passage the way texts get damaged, and see whether its hash
becomes the label's.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from leadline.documents import Passages
from leadline.errors import shown
from leadline.hashing import text_sha256
from leadline.judging.cases import ContentTarget, IdTarget
from leadline.policies import Policy

SHOWN = 10
"""The most names that one message lists."""


def listed(names: Iterable[str]) -> str:
    """Names for a message: the first ten, and how many more.

    >>> listed(["a", "b"])
    "'a', 'b'"
    """
    every = list(names)
    more = f" and {len(every) - SHOWN} more" if len(every) > SHOWN else ""
    return ", ".join(map(shown, every[:SHOWN])) + more


def collapsed(text: str) -> str:
    """Every run of white space as one blank, none at the ends."""
    return " ".join(text.split())


REWRITINGS: Mapping[str, tuple[Callable[[str], str], ...]] = {
    "white space": (
        collapsed,
        str.strip,
        lambda text: text.rstrip() + "\n",
        lambda text: text.rstrip() + "\r\n",
        lambda text: text.replace("\r\n", "\n"),
        lambda text: text.replace("\n", "\r\n"),
    ),
    "Unicode form": (
        lambda text: unicodedata.normalize("NFC", text),
        lambda text: unicodedata.normalize("NFD", text),
    ),
    "case": (str.lower, str.upper, str.capitalize),
}
"""What may have happened to a text, in the order in which it is looked for."""


def reasons(
    targets: Sequence[ContentTarget | IdTarget], passages: Passages
) -> dict[ContentTarget | IdTarget, str]:
    """For each target that bound to nothing, all that is known of why."""
    if not targets:
        return {}
    texts = _Texts.of(
        {one.passage_text_sha256 for one in targets if isinstance(one, ContentTarget)},
        passages,
    )
    ids = {_plain(one.source_id): one.source_id for one in passages.documents}
    return {
        one: "; ".join(
            _about_source(one, passages, texts, ids) + _about_text(one, texts)
        )
        for one in targets
    }


def twins(seen_by: Mapping[str, Policy], passages: Passages) -> list[str]:
    """A note where a passage that is no target has the very text of one.

    Args:
        seen_by: each target's passage id -> what its question may see.
        passages: the whole snapshot's.
    """
    texts = {passages.texts[passages.codes[one]]: one for one in seen_by}
    pairs = [
        f"{passages.ids[code]} (as {texts[text]})"
        for code, text in enumerate(passages.texts)
        if text in texts
        and passages.ids[code] not in seen_by
        and seen_by[texts[text]].admits(passages.documents[code])
    ]
    if not pairs:
        return []
    note = "These have the text of a target in another place, and count as not relevant"
    return [f"{note}: {listed(pairs)}."]


_Near: TypeAlias = dict[str, list[str]]
"""What differs -> ids of the passages that differ in just that."""


@dataclass(frozen=True, slots=True)
class _Texts:
    """Where the texts behind some hashes are, exactly or almost."""

    exact: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    near: dict[str, _Near] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(list))
    )

    @classmethod
    def of(cls, wanted: set[str], passages: Passages) -> "_Texts":
        """Look at every passage once, and again for what differs in case alone."""
        found = cls()
        folded: dict[str, str] = {}
        others = []
        for code, text in enumerate(passages.texts if wanted else ()):
            sha256 = passages.text_sha256s[code]
            kind = None
            if sha256 in wanted:
                found.exact[sha256].append(code)
            else:
                kind, sha256 = _rewritten(text, wanted)
                if kind is None:
                    others.append(code)
                    continue
                found.near[sha256][kind].append(passages.ids[code])
            folded[collapsed(text).casefold()] = sha256
        for code in others if folded else ():
            if sha256 := folded.get(collapsed(passages.texts[code]).casefold(), ""):
                found.near[sha256]["case"].append(passages.ids[code])
        return found


def _rewritten(text: str, wanted: set[str]) -> tuple[str | None, str]:
    """What must be rewritten so that a text has a wanted hash, and that hash."""
    for kind, rewritings in REWRITINGS.items():
        for rewrite in rewritings:
            new = rewrite(text)
            if new != text and (sha256 := text_sha256(new)) in wanted:
                return kind, sha256
    return None, ""


def _about_text(target: ContentTarget | IdTarget, texts: _Texts) -> list[str]:
    if isinstance(target, IdTarget) or target.passage_text_sha256 not in texts.near:
        return []
    near = texts.near[target.passage_text_sha256]
    words: list[str] = []
    for kind in REWRITINGS:
        count = len(near.get(kind, ()))
        if count and words:
            words.append(f"{count} in {kind}")
        elif count:
            verb = "passage differs" if count == 1 else "passages differ"
            words.append(f"{count} {verb} only in {kind}")
    ids = sorted(passage_id for row in near.values() for passage_id in row)
    return [f"{', '.join(words)}: {listed(ids)}"]


def _about_source(
    target: ContentTarget | IdTarget,
    passages: Passages,
    texts: _Texts,
    ids: Mapping[str, str],
) -> list[str]:
    content = target if isinstance(target, ContentTarget) else None
    if content and (exact := texts.exact.get(content.passage_text_sha256)):
        return [_elsewhere(content, passages, code) for code in exact[:SHOWN]]
    here = [
        (document.version, passage_id)
        for document, passage_id in zip(passages.documents, passages.ids, strict=True)
        if document.source_id == target.source_id
    ]
    own = [one for version, one in here if content and version == content.version]
    if content and content.legacy_id and content.legacy_id in passages.codes:
        own = [content.legacy_id]
    if len(own) == 1:
        reason = f"id {own[0]} exists, text differs"
    elif own:
        reason = f"none of the {len(own)} passages of that source has this text"
    elif here:
        versions = sorted({version for version, _ in here})
        reason = f"that source is here in version {listed(versions)} only"
    elif near := ids.get(_plain(target.source_id)):
        reason = (
            f"source {shown(near)} differs from it only in case, white space or "
            "Unicode form"
        )
    else:
        reason = "no source here has that id"
    return [reason]


def _elsewhere(target: ContentTarget, passages: Passages, code: int) -> str:
    """Where the very text of a target is instead, and what does not agree."""
    document, passage_id = passages.documents[code], passages.ids[code]
    if document.source_id != target.source_id:
        return f"another source has the same text: {passage_id}"
    if document.version != target.version:
        return f"another version of that source has the same text: {passage_id}"
    return (
        f"{passage_id} has this text, but the whole source's text is not the one "
        "that the label was made on"
    )


def _plain(source_id: str) -> str:
    """An id without case, outer white space and Unicode form."""
    return unicodedata.normalize("NFKC", source_id).casefold().strip()
