"""Documents, their passages, and the snapshot that fixes them.

A `Snapshot` is immutable and has one id: equal documents in any order give the
same id, and any other text, field or passage gives another. Several versions of
a source live side by side in it.

A policy says which documents a question may see. It is applied to the snapshot
*before* anything is computed; the result is a `View`, and a retriever is given a
view and nothing else.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from typing import Literal, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from leadline.errors import InputError, shown
from leadline.hashing import Json, digest, text_sha256
from leadline.policies import Policy, Value

Statistics: TypeAlias = Literal["eligible", "snapshot"]
"""Whose words are counted: those a question may see, or all of the snapshot's."""

OWN_FIELDS = ("source_id", "version", "status", "scope", "url", "title")
"""What every document has and a policy can name, besides its metadata."""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a document's text: characters ``start`` to ``end``, exclusive."""

    start: int
    end: int


@dataclass(frozen=True)
class Document:
    """One source record.

    ``spans`` are its passages, in order; None says that the document is already
    a passage and can only be returned whole.
    """

    source_id: str
    text: str
    version: str = ""
    status: str = "current"
    scope: str = "public"
    url: str = ""
    title: str = ""
    metadata: Mapping[str, Value] = field(default_factory=dict)
    spans: tuple[Span, ...] | None = None

    @cached_property
    def text_sha256(self) -> str:
        """Plain sha256 of the exact text."""
        return text_sha256(self.text)

    @property
    def key(self) -> str:
        """``source_id@version``, or the source id alone where there is no version."""
        return f"{self.source_id}@{self.version}" if self.version else self.source_id

    def value(self, name: str) -> Value | None:
        """What a policy sees under this field name; None where there is nothing."""
        if name in OWN_FIELDS:
            own: str = getattr(self, name)
            return own
        return self.metadata.get(name)

    def passages(self) -> list[tuple[str, Span]]:
        """``(passage_id, span)`` of each passage.

        An id depends on its own document alone, so that other documents can come
        and go without renaming it: the document's key, and the span where the
        passage is not the whole document.
        """
        if self.spans is None:
            return [(self.key, Span(0, len(self.text)))]
        return [(f"{self.key}#{span.start}-{span.end}", span) for span in self.spans]

    def canonical(self) -> Json:
        """What the snapshot id is made of."""
        return {
            **{name: getattr(self, name) for name in OWN_FIELDS},
            "text_sha256": self.text_sha256,
            "metadata": dict(self.metadata),
            "spans": None
            if self.spans is None
            else [[span.start, span.end] for span in self.spans],
        }


def joined(fields: Sequence[str], *, title: str, text: str) -> str:
    r"""The named fields of a passage, ``"title"`` and ``"text"``, a line feed between.

    An empty one adds nothing.

    >>> joined(("title", "text"), title="Desk", text="Opens at nine.")
    'Desk\nOpens at nine.'
    """
    parts = {"title": title, "text": text}
    return "\n".join(parts[name] for name in fields if parts[name])


@dataclass(frozen=True)
class Passages:
    """Passages as columns, ascending by id; a passage's code is its position.

    Because of that order, comparing codes is comparing ids.
    """

    ids: tuple[str, ...]
    texts: tuple[str, ...]
    documents: tuple[Document, ...]
    """``documents[i]`` is where passage ``i`` comes from."""
    spans: tuple[Span, ...]

    def __len__(self) -> int:
        """How many passages."""
        return len(self.ids)

    @cached_property
    def codes(self) -> Mapping[str, int]:
        """Passage id -> code."""
        return {passage_id: code for code, passage_id in enumerate(self.ids)}

    @cached_property
    def text_sha256s(self) -> tuple[str, ...]:
        """Plain sha256 of each passage's text."""
        return tuple(
            document.text_sha256 if document.text is text else text_sha256(text)
            for document, text in zip(self.documents, self.texts, strict=True)
        )

    def searchable(self, fields: Sequence[str]) -> tuple[str, ...]:
        """What is indexed of each passage: see `joined`."""
        if tuple(fields) == ("text",):
            return self.texts
        return tuple(
            joined(fields, title=document.title, text=text)
            for text, document in zip(self.texts, self.documents, strict=True)
        )

    def only(self, keep: NDArray[np.bool_]) -> "Passages":
        """The passages where ``keep`` is true, in the same order."""
        chosen = keep.tolist()
        return Passages(
            tuple(compress(self.ids, chosen)),
            tuple(compress(self.texts, chosen)),
            tuple(compress(self.documents, chosen)),
            tuple(compress(self.spans, chosen)),
        )


@dataclass(frozen=True, slots=True)
class View:
    """What one policy leaves to search.

    Everything that is computed is computed over ``passages``. ``returnable`` is
    None where all of them may be returned, which is so under
    ``statistics = "eligible"``; under ``"snapshot"`` the passages are the whole
    snapshot's and ``returnable`` marks those that the question may see.
    """

    passages: Passages
    searchable: tuple[str, ...]
    """What is indexed of each passage; all that retrieval reads of it."""
    returnable: NDArray[np.bool_] | None = None

    @property
    def eligible_count(self) -> int:
        """How many passages may be returned."""
        if self.returnable is None:
            return len(self.passages)
        return int(np.count_nonzero(self.returnable))


@dataclass(frozen=True)
class Snapshot:
    """An immutable set of documents, ascending by key, with one id.

    >>> one = Snapshot.of([Document("b", "two"), Document("a", "one")])
    >>> one.passages.ids
    ('a', 'b')
    >>> one.id == Snapshot.of([Document("a", "one"), Document("b", "two")]).id
    True
    """

    documents: tuple[Document, ...]

    @classmethod
    def of(cls, documents: Iterable[Document]) -> Self:
        """Put documents in order and check them together.

        Raises:
            InputError: two documents with one source id and version, two passages
                with one id, or a span that is not in its text.
        """
        ordered = tuple(sorted(documents, key=lambda document: document.key))
        _refuse_repeats("document", (document.key for document in ordered))
        for document in ordered:
            for span in document.spans or ():
                if not 0 <= span.start < span.end <= len(document.text):
                    message = (
                        f"document {document.key!r}: passage {span.start}-{span.end} "
                        f"does not lie in its text of {len(document.text)} characters"
                    )
                    raise InputError(message)
        snapshot = cls(ordered)
        _refuse_repeats("passage", snapshot.passages.ids)
        return snapshot

    @cached_property
    def id(self) -> str:
        """Hash of the canonical form of every document and passage."""
        return digest("snapshot/1", [one.canonical() for one in self.documents])

    @cached_property
    def passages(self) -> Passages:
        """Every passage, eligible or not."""
        rows = sorted(
            (
                (passage_id, document, span)
                for document in self.documents
                for passage_id, span in document.passages()
            ),
            key=lambda row: row[0],
        )
        return Passages(
            tuple(passage_id for passage_id, _, _ in rows),
            tuple(
                document.text
                if document.spans is None
                else document.text[span.start : span.end]
                for _, document, span in rows
            ),
            tuple(document for _, document, _ in rows),
            tuple(span for _, _, span in rows),
        )

    @cached_property
    def field_names(self) -> frozenset[str]:
        """Every field that a policy can name here."""
        names = {name for document in self.documents for name in document.metadata}
        return frozenset(names | set(OWN_FIELDS))

    def view(
        self,
        policy: Policy,
        *,
        statistics: Statistics = "eligible",
        index: Sequence[str] = ("text",),
    ) -> View:
        """Apply a policy, before anything is computed.

        ``index`` names what is searched of a passage; see `Passages.searchable`.
        """
        admitted = {id(one): policy.admits(one) for one in self.documents}
        keep = np.fromiter(
            (admitted[id(document)] for document in self.passages.documents),
            dtype=np.bool_,
            count=len(self.passages),
        )
        if statistics == "snapshot":
            return View(self.passages, self.passages.searchable(index), keep)
        eligible = self.passages if keep.all() else self.passages.only(keep)
        return View(eligible, eligible.searchable(index))


def _refuse_repeats(kind: str, keys: Iterable[str]) -> None:
    repeated = sorted(key for key, count in Counter(keys).items() if count > 1)
    if repeated:
        more = f" and {len(repeated) - 1} more" if len(repeated) > 1 else ""
        message = (
            f"{kind} id {shown(repeated[0])}{more} stands for more than one {kind}: "
            "give each its own source_id, or its own version"
        )
        raise InputError(message)
