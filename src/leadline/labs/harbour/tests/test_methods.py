"""The eight mechanisms: each runs, says exactly what ran, and shows what it is for."""

import json
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

from leadline.errors import InputError
from leadline.hashing import text_sha256
from leadline.retrieval.recording import read_recording
from leadline.text import ascii_words
from mechanisms import chunking, decoding, evaluation, hybrid
from mechanisms.evaluation import Claim
from methods import METHODS, method
from output import outline, plain
from records import DATA, load

LAB = Path(__file__).parents[1]
HIDDEN = ("2023-10", "desk-opening", "from nine to four", "hook seven")
"""What only a record that may not be seen has: versions, ids, words."""


def script(
    name: str, *arguments: str, cwd: Path = LAB
) -> subprocess.CompletedProcess[str]:
    """Run one of the lab's scripts as a learner does."""
    return subprocess.run(
        [sys.executable, "-B", str(LAB / name), *arguments],
        check=False,
        cwd=cwd,
        capture_output=True,
        encoding="utf-8",
    )


class Every(unittest.TestCase):
    """What holds of all eight."""

    def test_there_are_eight(self) -> None:
        """In the order of the lessons."""
        self.assertEqual(
            list(METHODS),
            [
                *("decoding", "chunking", "lexical", "hybrid"),
                *("context", "generation", "evaluation", "failures"),
            ],
        )

    def test_each_names_its_mechanism(self) -> None:
        """In words that say what was computed, and from what."""
        words = {
            "decoding": "toy language model",
            "chunking": "windows of 80 characters",
            "lexical": "TF-IDF",
            "hybrid": "manual vectors",
            "context": "whole passages",
            "generation": "template written by a person",
            "evaluation": "sums of labels",
            "failures": "withhold",
        }
        for name in METHODS:
            found = method(name)
            self.assertEqual(found["method"], name)
            self.assertIn(words[name], found["mechanism"])

    def test_each_says_the_same_twice(self) -> None:
        """As JSON and as text, under other hash seeds."""
        for name in METHODS:
            first, second = plain(method(name)), plain(method(name))
            self.assertEqual(json.dumps(first), json.dumps(second))
            self.assertTrue(list(outline(method(name))))

    def test_none_shows_what_may_not_be_seen(self) -> None:
        """No text, id or version of a hidden record, in either form."""
        for name in METHODS:
            found = method(name)
            for text in (json.dumps(plain(found)), "\n".join(outline(found))):
                for hidden in HIDDEN:
                    self.assertNotIn(hidden, text, msg=name)

    def test_scores_come_with_what_they_are_not(self) -> None:
        """Neither probabilities nor confidence, wherever there is one."""
        for name in METHODS:
            text = json.dumps(plain(method(name)))
            if '"score": 0.' in text:
                self.assertRegex(text, "neither a probability nor", msg=name)

    def test_a_question_is_refused_where_none_is_taken(self) -> None:
        """And an unknown one is answered with the nearest."""
        with self.assertRaisesRegex(InputError, "takes no question"):
            method("decoding", "desk-open")
        with self.assertRaisesRegex(InputError, 'Did you mean "tardiness"'):
            method("lexical", "tardines")


class Decoding(unittest.TestCase):
    """Counts, greedily and by chance."""

    def test_every_pair_of_words_was_counted(self) -> None:
        """Also in what was sampled: the model cannot say anything else."""
        pairs = decoding.counted(load())
        found = method("decoding")
        for text in (found["greedy"], *found["sampled"].values()):
            words = [decoding.START, *text.split()]
            for word, following in pairwise(words):
                self.assertIn(following, pairs[word])

    def test_greedy_takes_the_likeliest(self) -> None:
        """Each word is one that no other beats."""
        pairs = decoding.counted(load())
        words = [decoding.START, *decoding.greedy(pairs).split()]
        for word, following in pairwise(words):
            self.assertEqual(pairs[word][following], max(pairs[word].values()))

    def test_a_seed_decides(self) -> None:
        """The same seed says the same; another one need not."""
        pairs = decoding.counted(load())
        texts = {decoding.sampled(pairs, temperature=1.0, seed=one) for one in range(9)}
        again = {decoding.sampled(pairs, temperature=1.0, seed=one) for one in range(9)}
        self.assertEqual(texts, again)
        self.assertGreater(len(texts), 3)

    def test_a_low_temperature_comes_near_to_greedy(self) -> None:
        """At a hundredth, the likelier of two words is always taken."""
        pairs = {
            decoding.START: Counter({"a": 3, "b": 2}),
            "a": Counter({decoding.END: 1}),
            "b": Counter({decoding.END: 1}),
        }
        cold = {decoding.sampled(pairs, temperature=0.01, seed=n) for n in range(50)}
        warm = {decoding.sampled(pairs, temperature=2.0, seed=n) for n in range(50)}
        self.assertEqual((cold, warm), ({"a"}, {"a", "b"}))


class Chunking(unittest.TestCase):
    """Cuts, and what they cut off."""

    def test_rules_lose_no_character(self) -> None:
        """Each character but blanks between sentences is in some passage."""
        for text in load().view.searchable:
            for name, rule in chunking.RULES.items():
                covered = {
                    place
                    for span in rule(text)
                    for place in range(span.start, span.end)
                }
                missing = {one for one in range(len(text)) if one not in covered}
                self.assertTrue(all(text[one].isspace() for one in missing), msg=name)

    def test_an_exception_stays_only_in_the_whole_record(self) -> None:
        """Every other rule cuts it off."""
        rules = method("chunking")["rules"]
        kept = [name for name, one in rules.items() if one["exception_quoted"]]
        self.assertEqual(kept, ["whole record"])
        self.assertTrue(
            all(one["first"].startswith("open-flames@") for one in rules.values())
        )

    def test_windows_overlap_as_they_say(self) -> None:
        """And the last one ends with the text."""
        spans = chunking.windows(80, 40)("x" * 165)
        self.assertEqual(
            [(one.start, one.end) for one in spans],
            [(0, 80), (40, 120), (80, 160), (120, 165)],
        )


class Hybrid(unittest.TestCase):
    """Fusion with vectors that a person wrote down."""

    def test_vectors_are_bound_to_the_texts(self) -> None:
        """Seven numbers for each passage that may be seen, and for each question."""
        recording = read_recording(DATA / "manual-vectors.json")
        handbook = load()
        passages = handbook.view.passages
        self.assertEqual(recording.dimension, 7)
        self.assertIn("no text encoder", recording.model)
        self.assertEqual(
            dict(
                zip(
                    recording.passages.ids, recording.passages.text_sha256s, strict=True
                )
            ),
            dict(zip(passages.ids, passages.text_sha256s, strict=True)),
        )
        self.assertEqual(
            dict(
                zip(
                    recording.questions.ids,
                    recording.questions.text_sha256s,
                    strict=True,
                )
            ),
            {one.question_id: text_sha256(one.text) for one in handbook.questions},
        )

    def test_the_missed_question_is_found_and_one_that_passed_is_not(self) -> None:
        """More recall, and more false evidence."""
        found = method("hybrid")
        self.assertEqual(found["lists"]["lexical"], [])
        self.assertEqual(found["fused"][0]["passage_id"], "late-returns@2025-04")
        judged = found["over_all_questions"]
        self.assertEqual(judged["lexical"]["mean_recall_at_k"], 0.875)
        self.assertEqual(judged["fused"]["mean_recall_at_k"], 1.0)
        self.assertEqual(judged["lexical"]["false_evidence_return"], 1)
        self.assertEqual(judged["fused"]["false_evidence_return"], 2)

    def test_a_fused_score_is_the_sum_of_its_contributions(self) -> None:
        """1 / (60 + rank) from each list that has the passage."""
        for row in hybrid.run(load(), "no-crane-licence")["fused"]:
            expected = sum(1 / (60 + one) for one in row["ranks"].values() if one)
            self.assertAlmostEqual(row["score"], expected, delta=1e-15)
            self.assertAlmostEqual(
                row["score"], sum(row["contributions"].values()), delta=1e-15
            )


class Context(unittest.TestCase):
    """One question under several budgets."""

    def test_each_budget_holds_what_fits(self) -> None:
        """Nothing, one source, the other, both."""
        budgets = method("context")["budgets"]
        self.assertEqual(
            [[quote.source_id for quote in one.quotes] for one in budgets.values()],
            [[], ["late-returns"], ["lending"], ["lending", "late-returns"]],
        )


class Generation(unittest.TestCase):
    """One sentence for one question, and a refusal for all others."""

    def test_the_template_cites_a_passage_that_is_quoted(self) -> None:
        """As it was when the template was written."""
        found = method("generation")
        self.assertIn(
            found["cites"], [one.passage_id for one in found["packet"].quotes]
        )
        self.assertEqual(len(found["refused"]), 9)

    def test_every_other_question_is_refused(self) -> None:
        """Also the answerable ones."""
        for question_id in method("generation")["refused"]:
            with self.assertRaisesRegex(InputError, "none is made up"):
                method("generation", question_id)


class Evaluation(unittest.TestCase):
    """Labels by a person, added up."""

    def test_labels_are_summed_and_nothing_is_inferred(self) -> None:
        """A claim in the very words of a passage is supported by no label."""
        text = load().view.searchable[0]
        found = evaluation.supported(
            [Claim(text, {"a": 0, "b": 0}), Claim("No word of it.", {"a": 1, "b": 1})]
        )
        self.assertEqual((found["supported"], found["share_supported"]), (1, 0.5))

    def test_a_claim_without_a_label_stands_apart(self) -> None:
        """And the share of nothing is none."""
        found = method("evaluation")["sum"]
        self.assertEqual((found["claims"], found["labelled"]), (5, 4))
        self.assertEqual(found["share_supported"], 0.75)
        self.assertIsNone(evaluation.supported([Claim("?", {})])["share_supported"])


class Failures(unittest.TestCase):
    """Each failure happens, and has its cause."""

    def test_all_are_there_with_a_cause(self) -> None:
        """The six, and the negated word."""
        found = method("failures")
        names = [name for name, one in found.items() if isinstance(one, dict)]
        self.assertEqual(
            names,
            [
                "vocabulary_mismatch",
                "negated_word",
                "archived_policy",
                "scope_leak",
                "false_evidence",
                "conflict",
                "budget_skip",
            ],
        )
        self.assertTrue(all(found[name]["cause"] for name in names))

    def test_a_missing_filter_lets_a_hidden_record_come_first(self) -> None:
        """Which is withheld; with the filter, the right one or none."""
        found = method("failures")
        for name, filtered in (
            ("archived_policy", ["help-desk-hours@2025-04"]),
            ("scope_leak", []),
        ):
            self.assertIn("withheld", found[name]["first_without_it"])
            self.assertEqual(found[name]["filtered"], filtered)

    def test_conflict_and_skip_are_in_the_packets(self) -> None:
        """Two versions of the lending rule; a gale plan that is too long."""
        found = method("failures")
        self.assertEqual(
            found["conflict"]["packet"].conflicts, {"lending": ("2025-04", "2025-09")}
        )
        (skipped,) = found["budget_skip"]["packet"].skipped
        self.assertEqual(skipped.passage_id, "gale-plan@2025-09")


class Scripts(unittest.TestCase):
    """The command lines, as the lessons type them."""

    def test_search_prints_json(self) -> None:
        """Found, missed, and false evidence."""
        for text, returned in (
            (
                "When is the help desk open?",
                ["help-desk-hours@2025-04", "open-flames@2025-02"],
            ),
            ("What is the penalty for tardiness?", []),
            (
                "May I borrow a laptop for fourteen days?",
                ["lending@2025-04", "late-returns@2025-04"],
            ),
            ("Where is the spare key?", []),
        ):
            done = script("lab.py", "search", text)
            self.assertEqual(done.returncode, 0, msg=done.stderr)
            found: dict[str, Any] = json.loads(done.stdout)
            quoted = [one["passage_id"] for one in found["packet"]["quotes"]]
            self.assertEqual(quoted, returned)
            self.assertIn("neither a probability", found["score"])
            self.assertFalse([one for one in HIDDEN if one in done.stdout])

    def test_the_text_view_says_why(self) -> None:
        """Source, version, matched words, and what each adds."""
        done = script(
            "lab.py", "search", "Who may operate the crane?", "--format", "text"
        )
        for words in ("boat-crane 2024-11", "crane, operate", "idf", "no", "quoted"):
            self.assertIn(words, done.stdout)

    def test_the_text_view_names_words_that_no_passage_has(self) -> None:
        """Nothing found, and why."""
        text = "What is the penalty for tardiness?"
        done = script("lab.py", "search", text, "--format", "text")
        self.assertIn("Nothing was found.", done.stdout)
        self.assertIn("In no passage: penalty, tardiness", done.stdout)

    def test_evaluate_prints_the_two_means(self) -> None:
        """From another folder, too."""
        with tempfile.TemporaryDirectory() as folder:
            done = script("lab.py", "evaluate", "--k", "2", cwd=Path(folder))
        found = json.loads(done.stdout)["answerable"]
        self.assertEqual(
            (found["mean_recall_at_k"], found["mean_reciprocal_rank_at_k"]),
            (0.875, 0.8125),
        )

    def test_methods_print_json(self) -> None:
        """One of them; the others by the same door."""
        done = script("methods.py", "hybrid", "--question", "gas-stove")
        self.assertEqual(json.loads(done.stdout)["method"], "hybrid")

    def test_wrong_input_is_exit_code_two(self) -> None:
        """In one line, without a traceback."""
        for name, arguments in (
            ("lab.py", ("search", " ")),
            ("lab.py", ("search", "desk", "--k", "0")),
            ("lab.py", ("search", "desk", "--max-quote-chars", "0")),
            ("lab.py", ("evaluate", "--k", "0")),
            ("methods.py", ("generation", "--question", "tardiness")),
        ):
            done = script(name, *arguments)
            self.assertEqual(done.returncode, 2, msg=arguments)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1, msg=done.stderr)

    def test_the_export_is_an_experiment(self) -> None:
        """Questions without labels, labels without questions; nothing written over."""
        with tempfile.TemporaryDirectory() as folder:
            done = script("lab.py", "export", folder)
            self.assertEqual(done.returncode, 0, msg=done.stderr)
            questions = (Path(folder) / "questions.jsonl").read_text("utf-8")
            labels = (Path(folder) / "labels.jsonl").read_text("utf-8")
            self.assertEqual(len(questions.splitlines()), 10)
            self.assertEqual(len(labels.splitlines()), 10)
            self.assertNotIn("sha256", questions)
            self.assertFalse(set(ascii_words(labels)) & {"penalty", "borrow"})
            self.assertEqual(script("lab.py", "export", folder).returncode, 2)


if __name__ == "__main__":
    unittest.main()
