"""An evidence packet and an explanation, as text for a terminal."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from leadline.evidence import Packet, Quote
from leadline.report.explanation import Explained, Explanation, Row, Step
from leadline.report.safe import quote as quoted
from leadline.report.safe import visible, wrap
from leadline.retrieval.tfidf import Term


def packet_text(
    packet: Packet,
    *,
    configuration: str,
    width: int,
    terms: Mapping[str, Mapping[str, Sequence[Term]]] | None = None,
) -> str:
    """Quotes with their sources, what was skipped, and what is in conflict.

    ``terms`` are what each word adds to a score: configuration -> passage id -> terms.
    """
    lines = [
        *_wrapped(f"Question: {packet.question}", width),
        (
            f"{packet.used_chars} of {packet.budget_chars} characters quoted, "
            f"found by {visible(configuration)}"
        ),
    ]
    if not packet.quotes and not packet.skipped:
        lines += ["", "Nothing was found."]
    for quote in packet.quotes:
        lines += ["", *_quote(quote, width)]
        for name, passages in (terms or {}).items():
            lines += _terms(name, passages.get(quote.passage_id, ()), width)
    if packet.skipped or packet.conflicts:
        lines.append("")
    for one in packet.skipped:
        lines += _wrapped(
            f"Skipped: {one.passage_id} at rank {one.rank} has {one.chars} characters; "
            f"{one.left} were left.",
            width,
        )
    for source_id, versions in packet.conflicts.items():
        lines += _wrapped(
            f"In conflict: {source_id} was found in versions {', '.join(versions)}.",
            width,
        )
    return "\n".join([*lines, "", *_wrapped(packet.notice, width)])


def _quote(quote: Quote, width: int) -> Iterator[str]:
    source = " ".join(filter(None, (quote.source_id, quote.version, quote.title)))
    yield from _wrapped(f"{quote.rank}. {source}  (score {_score(quote.score)})", width)
    if quote.url:
        yield visible(f"   {quote.url}")
    if quote.matched:
        words = f"words of the question in it: {', '.join(quote.matched)}"
        yield from _wrapped(words, width, indent=3)
    yield quoted(quote.text, width=width)


def _terms(name: str, terms: Sequence[Term], width: int) -> Iterator[str]:
    """What each word adds to one score, the largest part first."""
    if not terms:
        yield from _wrapped(f"{name}: no word in common", width, indent=3)
        return
    yield from _wrapped(f"{name} adds up, question x passage:", width, indent=3)
    for one in sorted(terms, key=lambda one: (-one.contribution, one.term)):
        yield from _wrapped(
            f"{one.contribution:.4f} = {one.question_weight:.4f} x "
            f"{one.passage_weight:.4f}  {one.term}: {one.passage_tf} here, in "
            f"{one.df} of {one.passages} passages, idf {one.idf:.4f}",
            width,
            indent=5,
        )


def explanation_text(explanation: Explanation, *, width: int) -> str:
    """Each configuration's ranking, stage by stage, and where targets were lost."""
    lines = [
        *_wrapped(f"Question {explanation.question_id}: {explanation.text}", width),
        *_wrapped(
            f"May see {explanation.eligible} passages ({_policy(explanation)}); "
            f"{_STATUS.get(explanation.status or '', 'not judged')}.",
            width,
        ),
    ]
    for one in explanation.configurations:
        lines += ["", *_configuration(one, explanation.cutoff, width)]
    notice = "Scores order passages within one ranking; they are no probabilities."
    return "\n".join([*lines, "", *_wrapped(notice, width)])


_STATUS = {
    "supported": "answerable",
    "unsupported-excluded": "unanswerable",
    "nothing-relevant": "judged, with nothing relevant",
    "unjudged": "without a label",
}


_TINY = 1e-9
"""What a reranker takes off a score, to keep an order, is below this."""


def _score(score: float | None) -> str:
    return f"{score:.6g}" if score is not None and abs(score) >= _TINY else "0"


def _policy(explanation: Explanation) -> str:
    return "no policy" if explanation.policy == "{}" else explanation.policy


def _configuration(one: Explained, cutoff: int, width: int) -> Iterator[str]:
    name = visible(one.configuration)
    yield name
    yield "-" * len(name)
    if not one.rows:
        yield "nothing was returned"
    for row in one.rows:
        yield from _row(row, width)
    for target in one.targets:
        if target.fate == "found":
            text = f"Target {target.passage_id}: found at rank {target.rank}."
        else:
            rank = "" if target.rank is None else f" (rank {target.rank})"
            text = (
                f"Target {target.passage_id}: {target.fate} {cutoff}{rank}"
                if target.fate == "outside the cut-off"
                else f"Target {target.passage_id}: not returned"
            )
            text += f". {target.reason}" if target.reason else "."
        yield from _wrapped(text, width)


def _row(row: Row, width: int) -> Iterator[str]:
    last = row.steps[-1]
    mark = " <- target" if row.target else ""
    title = f"  {row.title}" if row.title and row.title != row.passage_id else ""
    yield from _wrapped(f"{last.rank}. {row.passage_id}{mark}{title}", width)
    for step in row.steps:
        yield from _wrapped("; ".join(_step(step)), width, indent=4)


def _step(step: Step) -> Iterable[str]:
    if step.rank is None:
        yield f"{step.configuration}: {step.note or 'not returned'}"
        return
    place = f"rank {step.rank} of {step.returned}"
    yield f"{step.configuration}: {place}, score {_score(step.score)}"
    if step.contributions:
        parts = (f"{one} {value:.6f}" for one, value in step.contributions.items())
        yield " + ".join(parts)
    if step.words:
        matched, asked = step.words["matched_tokens"], step.words["query_tokens"]
        yield f"{len(matched)} of {len(asked)} words: {', '.join(matched)}"  # type: ignore[arg-type]  # lists of words
    if step.note:
        yield step.note


def _wrapped(text: str, width: int, *, indent: int = 0) -> Iterator[str]:
    for line in wrap(visible(text), width=width - indent):
        yield " " * indent + line
