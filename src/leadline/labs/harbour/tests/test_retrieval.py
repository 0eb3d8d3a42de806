"""The handbook's retrieval: strict files, the filter, exact scores, whole passages."""

import json
import math
import shutil
import tempfile
import unittest
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from leadline.documents import Snapshot
from leadline.errors import InputError, LeadlineError
from leadline.retrieval.tfidf import explain
from leadline.text import STOP_WORDS, ascii_words
from records import DATA, Handbook, load
from retrieval import (
    MAY_SEE,
    TERMS,
    evaluate,
    packet,
    search,
    select_context,
)

HIDDEN = ("help-desk-hours@2023-10", "desk-opening@2025-04")
RANKINGS: Mapping[str, Mapping[str, float]] = {
    "desk-open": {
        "help-desk-hours@2025-04": 0.44404651112743193,
        "open-flames@2025-02": 0.0970230963373624,
    },
    "reserve-berth": {
        "visitor-berths@2025-04": 0.3562785409998006,
    },
    "radio-days": {
        "lending@2025-04": 0.5293370073800459,
        "late-returns@2025-04": 0.07405107407203586,
        "help-desk-hours@2025-04": 0.07283231754228174,
    },
    "tardiness": {},
    "crane-operator": {
        "boat-crane@2024-11": 0.5692366698353352,
    },
    "no-crane-licence": {
        "boat-crane@2024-11": 0.4913321895504932,
        "slipway@2024-11": 0.21729623390671912,
    },
    "gas-stove": {
        "open-flames@2025-02": 0.39993420004733393,
    },
    "radio-and-late-cost": {
        "lending@2025-04": 0.282803884268849,
        "late-returns@2025-04": 0.2753194264852164,
    },
    "spare-key": {},
    "laptop-loan": {
        "lending@2025-04": 0.44745908240253,
        "late-returns@2025-04": 0.08760124776572852,
        "help-desk-hours@2025-04": 0.08615947809436318,
    },
}
"""Every ranking, and every score."""


def by_hand(texts: Mapping[str, str], question: str) -> dict[str, float]:
    """The scoring rule written out, with nothing of Leadline in it but the lists."""

    def terms(text: str) -> list[str]:
        return [one for one in ascii_words(text) if one not in STOP_WORDS["english"]]

    words = {name: terms(text) for name, text in texts.items()}
    df = {
        term: sum(term in other for other in words.values())
        for every in words.values()
        for term in every
    }

    def vector(found: list[str]) -> dict[str, float]:
        weights = {
            term: found.count(term) * (math.log((len(texts) + 1) / (df[term] + 1)) + 1)
            for term in set(found)
            if term in df
        }
        length = math.sqrt(math.fsum(one * one for one in weights.values()))
        return {term: weight / length for term, weight in weights.items()}

    asked = vector(terms(question))
    scores = {
        name: math.fsum(
            asked[term] * vector(found)[term] for term in asked if term in found
        )
        for name, found in words.items()
    }
    return {
        name: score
        for name, score in sorted(scores.items(), key=lambda one: (-one[1], one[0]))
        if score > 0
    }


class Files(unittest.TestCase):
    """Every field is known and has its type, or the file is refused by name."""

    def changed(
        self, name: str, change: Callable[[dict[str, Any]], object]
    ) -> Handbook:
        """Load the handbook with a change in one of its files."""
        with tempfile.TemporaryDirectory() as folder:
            for file in ("corpus.json", "questions.json"):
                shutil.copy(DATA / file, folder)
            path = Path(folder) / name
            value = json.loads(path.read_text("utf-8"))
            change(value)
            path.write_text(json.dumps(value), "utf-8")
            return load(Path(folder))

    def test_the_handbook_is_what_it_is_said_to_be(self) -> None:
        """Nine records: seven that may be seen, an archived one, one for staff."""
        handbook = load()
        self.assertEqual(len(handbook.snapshot.documents), 9)
        self.assertEqual(len(handbook.view.passages), 7)
        archived = [
            one for one in handbook.snapshot.documents if one.status == "archived"
        ]
        staff = [one for one in handbook.snapshot.documents if one.scope == "staff"]
        self.assertEqual([one.key for one in (*archived, *staff)], list(HIDDEN))
        self.assertTrue(
            all(
                one.url.startswith("synthetic://")
                for one in handbook.snapshot.documents
            )
        )

    def test_there_are_ten_questions(self) -> None:
        """Eight answerable, one of them by two sources; two that are not."""
        cases = load().cases
        targets = {one.question_id: len(one.targets) for one in cases}
        self.assertEqual(len(targets), 10)
        self.assertEqual(sum(one.case_class == "answerable" for one in cases), 8)
        self.assertEqual(
            [name for name, n in targets.items() if n == 2], ["radio-and-late-cost"]
        )

    def test_a_newer_version_stands_beside_the_archived_one(self) -> None:
        """The archived hours are of a source that has a current version."""
        versions = {
            one.version: one.status
            for one in load().snapshot.documents
            if one.source_id == "help-desk-hours"
        }
        self.assertEqual(versions, {"2023-10": "archived", "2025-04": "current"})

    def test_an_unknown_field_is_refused(self) -> None:
        """With its place and the nearest name."""
        with self.assertRaisesRegex(InputError, r"records\[3\]\.titel.*Did you mean"):
            self.changed("corpus.json", lambda one: one["records"][3].update(titel="x"))

    def test_a_missing_field_is_refused(self) -> None:
        """A record without a status would be seen by nobody, or by all."""
        with self.assertRaisesRegex(InputError, r"records\[0\]\.status.*found nothing"):
            self.changed("corpus.json", lambda one: one["records"][0].pop("status"))

    def test_an_unknown_status_is_refused(self) -> None:
        """Only the two that the filter knows."""
        with self.assertRaisesRegex(InputError, "expected .*current.* or .*archived"):
            self.changed(
                "corpus.json", lambda one: one["records"][0].update(status="old")
            )

    def test_a_real_address_is_refused(self) -> None:
        """Nothing here was fetched from anywhere."""
        with self.assertRaisesRegex(InputError, r"records\[1\]\.url.*synthetic://"):
            self.changed(
                "corpus.json",
                lambda one: one["records"][1].update(url="https://example.org"),
            )

    def test_an_empty_text_is_refused(self) -> None:
        """A record that says nothing."""
        with self.assertRaisesRegex(InputError, r"records\[1\]\.text"):
            self.changed("corpus.json", lambda one: one["records"][1].update(text=" "))

    def test_a_record_that_comes_twice_is_refused(self) -> None:
        """The same source in the same version."""
        with self.assertRaisesRegex(InputError, "boat-crane@2024-11"):
            self.changed(
                "corpus.json", lambda one: one["records"].append(one["records"][5])
            )

    def test_a_label_of_an_older_text_is_refused(self) -> None:
        """Labels bind by content; when a text changes, its labels are void."""
        handbook = self.changed(
            "corpus.json", lambda one: one["records"][5].update(text="No crane.")
        )
        with self.assertRaisesRegex(LeadlineError, "binds to no passage"):
            evaluate(handbook, k=2)

    def test_an_answerable_case_needs_a_target(self) -> None:
        """Unanswerable is declared, and never inferred."""
        handbook = self.changed(
            "questions.json", lambda one: one["cases"][0].update(targets=[])
        )
        with self.assertRaisesRegex(LeadlineError, "answerable case without targets"):
            evaluate(handbook, k=2)


class Ranking(unittest.TestCase):
    """The filter, then the rule, to the last digit."""

    handbook: Handbook

    @classmethod
    def setUpClass(cls) -> None:
        """Load once."""
        cls.handbook = load()

    def ranking(self, question_id: str) -> dict[str, float]:
        """The whole ranking of a question."""
        question = self.handbook.question(question_id)
        found = search(self.handbook.snapshot, question.text, k=100).ranking
        return dict(zip(found.passage_ids, found.scores, strict=True))

    def test_every_ranking_is_the_recorded_one(self) -> None:
        """The same passages in the same order, scores to 1e-12."""
        self.assertEqual(
            set(RANKINGS), {one.question_id for one in self.handbook.questions}
        )
        for question_id, expected in RANKINGS.items():
            found = self.ranking(question_id)
            self.assertEqual(list(found), list(expected), msg=question_id)
            for passage_id, score in expected.items():
                self.assertAlmostEqual(found[passage_id], score, delta=1e-12)

    def test_scores_are_the_rule_written_out(self) -> None:
        """Counted by hand over the seven passages that may be seen."""
        passages = self.handbook.view.passages
        texts = dict(zip(passages.ids, passages.texts, strict=True))
        for question in self.handbook.questions:
            found, expected = (
                self.ranking(question.question_id),
                by_hand(texts, question.text),
            )
            self.assertEqual(list(found), list(expected))
            for passage_id, score in expected.items():
                self.assertAlmostEqual(found[passage_id], score, delta=1e-12)

    def test_what_may_not_be_seen_changes_no_score(self) -> None:
        """With and without the hidden records: the same rankings, to the last bit."""
        seen = Snapshot.of(
            one for one in self.handbook.snapshot.documents if MAY_SEE.admits(one)
        )
        for question in self.handbook.questions:
            self.assertEqual(
                search(seen, question.text, k=9).ranking,
                search(self.handbook.snapshot, question.text, k=9).ranking,
            )

    def test_the_archived_hours_would_win_without_the_filter(self) -> None:
        """So a wrong filter gives a wrong answer, and not just a longer list."""
        opened = Snapshot.of(
            replace(one, status="current") for one in self.handbook.snapshot.documents
        )
        found = search(opened, "When is the help desk open?", k=2).ranking
        self.assertEqual(found.passage_ids[0], HIDDEN[0])

    def test_the_staff_record_would_be_found_without_the_filter(self) -> None:
        """The question about the key has its words."""
        opened = Snapshot.of(
            replace(one, scope="public") for one in self.handbook.snapshot.documents
        )
        found = search(opened, "Where is the spare key?", k=2).ranking
        self.assertEqual(found.passage_ids, (HIDDEN[1],))

    def test_titles_are_not_searched(self) -> None:
        """A word that stands only in a title scores nothing."""
        blank = Snapshot.of(
            replace(one, title="") for one in self.handbook.snapshot.documents
        )
        for question in self.handbook.questions:
            self.assertEqual(
                search(blank, question.text, k=9).ranking,
                search(self.handbook.snapshot, question.text, k=9).ranking,
            )

    def test_the_tardiness_question_finds_nothing(self) -> None:
        """It shares no word with the handbook, stop words apart."""
        self.assertEqual(self.ranking("tardiness"), {})
        known = {
            word for one in self.handbook.view.searchable for word in TERMS.terms(one)
        }
        self.assertFalse({"penalty", "tardiness"} & known)

    def test_a_negated_word_counts_like_any_other(self) -> None:
        """With "no" or without it: the same ranking, and the crane first."""
        found = self.ranking("no-crane-licence")
        self.assertEqual(list(found), ["boat-crane@2024-11", "slipway@2024-11"])
        plain = "I have a crane licence. How can I launch a boat?"
        other = search(self.handbook.snapshot, plain, k=9).ranking
        self.assertEqual(dict(zip(other.passage_ids, other.scores, strict=True)), found)

    def test_exact_ties_are_broken_by_id(self) -> None:
        """Two records with one text have one score."""
        first = self.handbook.snapshot.documents[0]
        twins = Snapshot.of(
            replace(first, source_id=name, status="current") for name in ("b", "c", "a")
        )
        found = search(twins, "crane licence", k=3).ranking
        self.assertEqual(
            [one.partition("@")[0] for one in found.passage_ids], ["a", "b", "c"]
        )
        self.assertEqual(len(set(found.scores)), 1)

    def test_only_scores_above_zero_come_back(self) -> None:
        """However many passages are asked for."""
        for question in self.handbook.questions:
            self.assertTrue(
                all(one > 0 for one in self.ranking(question.question_id).values())
            )

    def test_stop_words_alone_find_nothing(self) -> None:
        """A vector of zeros stays empty, and is no error."""
        for text in ("Is it not the same?", "???", "ÖÄÜ"):
            self.assertEqual(len(search(self.handbook.snapshot, text, k=9).ranking), 0)

    def test_an_empty_question_is_refused(self) -> None:
        """And so is a k below 1."""
        with self.assertRaisesRegex(InputError, "empty"):
            search(self.handbook.snapshot, "  ", k=1)
        with self.assertRaisesRegex(InputError, "k is 0"):
            search(self.handbook.snapshot, "desk", k=0)

    def test_the_parts_of_a_score_add_up(self) -> None:
        """Term by term, in their order, to the last bit."""
        for question in self.handbook.questions:
            ranking = self.ranking(question.question_id)
            parts = explain(self.handbook.view, question.text, list(ranking), TERMS)
            for passage_id, score in ranking.items():
                total = 0.0
                for one in parts[passage_id]:
                    total += one.contribution
                self.assertEqual(total, score)


class Choosing(unittest.TestCase):
    """Whole passages in ranked order, under a budget."""

    def quoted(self, budget: int) -> tuple[list[str], list[str]]:
        """What is quoted and what is skipped of a question's three passages."""
        ranked = search(load().snapshot, "How many days is the help desk open?", k=3)
        found = packet(ranked, budget)
        self.assertLessEqual(found.used_chars, budget)
        self.assertEqual(found.used_chars, sum(len(one.text) for one in found.quotes))
        return (
            [one.source_id for one in found.quotes],
            [one.source_id for one in found.skipped],
        )

    def test_a_passage_that_does_not_fit_is_skipped_and_a_shorter_one_fits(
        self,
    ) -> None:
        """The hours have 161 characters; the lending rule has 123."""
        self.assertEqual(
            self.quoted(160), (["lending"], ["help-desk-hours", "open-flames"])
        )
        self.assertEqual(self.quoted(10)[0], [])
        self.assertEqual(self.quoted(1000)[1], [])

    def test_a_passage_of_exactly_the_budget_fits(self) -> None:
        """161 of 161 characters."""
        self.assertEqual(self.quoted(161)[0], ["help-desk-hours"])

    def test_quotes_are_whole_and_say_where_they_come_from(self) -> None:
        """Text, source, version, address and the words that matched."""
        handbook = load()
        found = packet(
            search(handbook.snapshot, "Who may operate the crane?", k=1), 400
        )
        (quote,) = found.quotes
        document = next(
            one for one in handbook.snapshot.documents if one.source_id == "boat-crane"
        )
        self.assertEqual(quote.text, document.text)
        self.assertEqual((quote.version, quote.url), (document.version, document.url))
        self.assertEqual(quote.matched, ("crane", "operate"))
        self.assertIn("neither a probability", found.notice)

    def test_a_budget_below_one_is_refused(self) -> None:
        """Nothing fits into nothing."""
        with self.assertRaisesRegex(InputError, "budget_chars is 0"):
            select_context(search(load().snapshot, "desk", k=1), 0)


class Judging(unittest.TestCase):
    """Recall and reciprocal rank over eight; what should be nothing, apart."""

    def test_the_two_means_at_two(self) -> None:
        """7/8 and 6.5/8: one miss, and one target at rank 2."""
        found = evaluate(load(), k=2)["answerable"]
        self.assertEqual(found["count"], 8)
        self.assertEqual(found["mean_recall_at_k"], 7 / 8)
        self.assertEqual(found["mean_reciprocal_rank_at_k"], 6.5 / 8)
        self.assertEqual(found["missed"], ["tardiness"])

    def test_the_question_with_two_sources_needs_both(self) -> None:
        """One of two is half of its recall."""
        for k, recall in ((1, 0.5), (2, 1.0)):
            rows = {
                one["question_id"]: one for one in evaluate(load(), k=k)["questions"]
            }
            self.assertEqual(rows["radio-and-late-cost"]["recall_at_k"], recall)

    def test_one_of_two_unanswerable_questions_passes(self) -> None:
        """Nothing for the key; false evidence for the laptop; neither in a mean."""
        found = evaluate(load(), k=2)
        self.assertEqual(
            found["unanswerable"],
            {
                "count": 2,
                "returned_nothing": 1,
                "false_evidence_return": 1,
                "false_evidence_for": ["laptop-loan"],
            },
        )
        rows = {one["question_id"]: one for one in found["questions"]}
        self.assertEqual(rows["spare-key"]["returned"], [])
        self.assertIsNone(rows["spare-key"]["recall_at_k"])
        self.assertIsNone(rows["laptop-loan"]["reciprocal_rank_at_k"])

    def test_without_an_answerable_question_the_means_are_none(self) -> None:
        """Undefined, and not zero."""
        handbook = load()
        kept = ("spare-key", "laptop-loan")
        few = Handbook(
            handbook.snapshot,
            tuple(one for one in handbook.questions if one.question_id in kept),
            tuple(one for one in handbook.cases if one.question_id in kept),
        )
        found = evaluate(few, k=2)["answerable"]
        self.assertEqual(found["count"], 0)
        self.assertIsNone(found["mean_recall_at_k"])
        self.assertIsNone(found["mean_reciprocal_rank_at_k"])

    def test_labels_change_no_ranking(self) -> None:
        """Other labels, the same passages in the same order."""
        handbook = load()
        returned = [one["returned"] for one in evaluate(handbook, k=3)["questions"]]
        moved = Handbook(
            handbook.snapshot,
            handbook.questions,
            tuple(
                replace(one, targets=handbook.cases[0].targets)
                if one.case_class == "answerable"
                else one
                for one in handbook.cases
            ),
        )
        again = [one["returned"] for one in evaluate(moved, k=3)["questions"]]
        self.assertEqual(again, returned)


if __name__ == "__main__":
    unittest.main()
