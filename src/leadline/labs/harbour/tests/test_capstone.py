"""The capstone: its comparison, what a selector may answer, and the check."""

import json
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

from capstone_check import BUDGETS, STARTER, check, learners
from capstone_reference import extended, run_capstone
from leadline.errors import InputError
from retrieval import Ranked, search, select_context

LAB = Path(__file__).parents[1]
CASES = [
    "saturday-desk",
    "radio-loan",
    "gale-lines",
    "licence-and-launch",
    "ferry",
    "caravan",
]


def written(ranked: Ranked, max_quote_chars: int) -> Any:  # noqa: ANN401 -- as a learner
    """A selector as a learner might write it."""
    packet, skipped = [], []
    versions: dict[str, set[str]] = {}
    left = max_quote_chars
    for one in ranked:
        versions.setdefault(one.source_id, set()).add(one.version)
        if len(one.text) <= left:
            packet.append(one)
            left -= len(one.text)
        else:
            skipped.append(one.passage_id)
    return packet, skipped, {k: sorted(v) for k, v in versions.items() if len(v) > 1}


def failing(selector: Callable[[Ranked, int], Any]) -> dict[str, str]:
    """Case -> why it does not pass."""
    rows = check(selector, file=__file__)
    return {one["case"]: one["why"] for one in rows if not one["passes"]}


class Comparison(unittest.TestCase):
    """Ranking and choosing over eleven records and six questions."""

    def rows(self, k: int, max_quote_chars: int) -> dict[str, dict[str, Any]]:
        """Question id -> its row."""
        found = run_capstone(k, max_quote_chars)
        return {one["question_id"]: one for one in found["questions"]}

    def test_the_extension_is_two_records_and_six_questions(self) -> None:
        """Both records may be seen; the hidden ones still may not."""
        handbook = extended()
        self.assertEqual(len(handbook.snapshot.documents), 11)
        self.assertEqual(len(handbook.view.passages), 9)
        self.assertEqual([one.question_id for one in handbook.questions], CASES)

    def test_the_means(self) -> None:
        """Ranking finds everything; the budget leaves a quarter of it out."""
        found = run_capstone(2, 400)
        self.assertEqual(found["lexical"]["answerable"]["mean_recall_at_k"], 1.0)
        self.assertEqual(found["context"]["mean_targets_quoted"], 0.75)

    def test_two_current_versions_are_a_conflict(self) -> None:
        """Both are quoted, and the packet says so."""
        context = self.rows(2, 400)["radio-loan"]["context"]
        self.assertEqual(context["quoted"], ["lending@2025-09", "lending@2025-04"])
        self.assertEqual(context["conflicts"], {"lending": ["2025-04", "2025-09"]})

    def test_a_version_that_was_skipped_is_a_conflict_too(self) -> None:
        """At 150 characters only one is quoted, and the other is named."""
        context = self.rows(2, 150)["radio-loan"]["context"]
        self.assertEqual(context["quoted"], ["lending@2025-09"])
        self.assertEqual(context["skipped"], ["lending@2025-04"])
        self.assertEqual(context["conflicts"], {"lending": ["2025-04", "2025-09"]})

    def test_a_passage_longer_than_the_budget_is_skipped(self) -> None:
        """It ranks first; what is quoted does not answer."""
        row = self.rows(2, 400)["gale-lines"]
        self.assertEqual(row["lexical"]["target_ranks"], [1])
        self.assertEqual(row["context"]["skipped"], ["gale-plan@2025-09"])
        self.assertEqual(row["context"]["targets_quoted"], 0.0)

    def test_one_argument_changes_one_thing(self) -> None:
        """The budget changes no ranking, and k changes no budget."""
        small, large = run_capstone(2, 150), run_capstone(2, 1000)
        self.assertEqual(small["lexical"], large["lexical"])
        self.assertNotEqual(small["context"], large["context"])
        other = run_capstone(2, 150, selector=written)
        self.assertEqual(other["lexical"], small["lexical"])

    def test_one_of_two_unanswerable_questions_returns_nothing(self) -> None:
        """And has nothing to be skipped."""
        rows = self.rows(2, 400)
        self.assertEqual(rows["ferry"]["lexical"]["returned"], [])
        self.assertIsNone(rows["ferry"]["context"]["targets_quoted"])
        self.assertTrue(rows["caravan"]["context"]["quoted"])

    def test_two_runs_say_the_same(self) -> None:
        """To the byte."""
        first, second = (json.dumps(run_capstone(3, 400)) for _ in range(2))
        self.assertEqual(first, second)

    def test_a_number_below_one_is_refused(self) -> None:
        """Of either argument."""
        for k, budget, name in ((0, 400, "k is 0"), (2, 0, "max_quote_chars is 0")):
            with self.assertRaisesRegex(InputError, name):
                run_capstone(k, budget)


class Selectors(unittest.TestCase):
    """What a selector may answer, and what is said of one that answers otherwise."""

    def test_the_reference_passes_its_own_check(self) -> None:
        """And so does one that a learner might write."""
        self.assertEqual(failing(select_context), {})
        self.assertEqual(failing(written), {})

    def test_something_else_is_refused(self) -> None:
        """With what was expected."""
        answers: tuple[object, ...] = (None, [], (1, 2, 3), ([object()], [], {}))
        for answer in answers:
            with self.assertRaisesRegex(InputError, "expected three things"):
                run_capstone(2, 400, selector=lambda *_, found=answer: found)

    def test_a_cut_passage_is_refused(self) -> None:
        """Whole or not at all."""

        class Cut:
            passage_id = "lending@2025-04"
            text = "Members may borrow"

        with self.assertRaisesRegex(InputError, "whole or not at all"):
            run_capstone(2, 400, selector=lambda *_: ([Cut], [], {}))

    def test_more_than_the_budget_is_refused(self) -> None:
        """It counts the characters of what is quoted."""
        with self.assertRaisesRegex(InputError, "the budget is 400"):
            run_capstone(2, 400, selector=lambda ranked, _: (list(ranked), [], {}))

    def test_stopping_at_the_first_that_does_not_fit_is_seen(self) -> None:
        """A shorter one further down still may."""

        def stops(ranked: Ranked, budget: int) -> Any:  # noqa: ANN401 -- as a learner
            packet, skipped, conflicts = written(ranked, budget)
            if skipped:
                first = next(
                    n for n, one in enumerate(ranked) if one.passage_id == skipped[0]
                )
                packet = packet[:first]
            return packet, skipped, conflicts

        why = failing(stops)
        self.assertIn("a shorter one further down still may", why["gale-lines"])
        self.assertNotIn("ferry", why)

    def test_a_forgotten_skip_and_a_forgotten_conflict_are_seen(self) -> None:
        """Each by its name, with the budget."""
        silent = failing(lambda ranked, budget: (written(ranked, budget)[0], [], {}))
        self.assertIn("skipped is empty", silent["gale-lines"])
        alone = failing(lambda ranked, budget: (*written(ranked, budget)[:2], {}))
        self.assertEqual(list(alone), ["radio-loan"])
        self.assertIn("with 150 characters: conflicts is empty", alone["radio-loan"])

    def test_the_wrong_order_is_seen(self) -> None:
        """Best first."""

        def turned(ranked: Ranked, budget: int) -> Any:  # noqa: ANN401 -- as a learner
            packet, *rest = written(ranked, budget)
            return packet[::-1], *rest

        self.assertIn("order", failing(turned)["radio-loan"])

    def test_what_a_selector_raises_is_named_with_its_line(self) -> None:
        """And prints nothing into the result."""

        def broken(ranked: Ranked, _: int) -> Any:  # noqa: ANN401 -- as a learner
            raise KeyError(ranked.question)

        why = failing(broken)
        self.assertEqual(list(why), CASES)
        self.assertRegex(why["ferry"], r"raised KeyError.*test_capstone\.py, line \d+")

    def test_budgets_leave_something_out_and_leave_nothing_out(self) -> None:
        """So that no case passes by luck alone."""
        handbook = extended()
        fates = {
            bool(
                select_context(search(handbook.snapshot, one.text, k=3), budget).skipped
            )
            for one in handbook.questions
            for budget in BUDGETS
        }
        self.assertEqual(fates, {True, False})


class Scripts(unittest.TestCase):
    """The reference, the starter and the check, as a learner runs them."""

    def run_script(
        self, name: str, *arguments: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a script of the lab."""
        return subprocess.run(
            [sys.executable, "-B", str(LAB / name), *arguments],
            check=False,
            capture_output=True,
            encoding="utf-8",
        )

    def test_the_reference_prints_json(self) -> None:
        """With the arguments of the lesson."""
        done = self.run_script(
            "capstone_reference.py", "--k", "2", "--max-quote-chars", "400"
        )
        self.assertEqual(done.returncode, 0, msg=done.stderr)
        self.assertEqual(json.loads(done.stdout)["selector"], "select_context")

    def starter(self, body: str) -> Path:
        """A folder with a starter whose `learner_select` is this."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        (Path(folder.name) / STARTER).write_text(body, "utf-8")
        return Path(folder.name)

    def test_a_starter_that_is_not_written_says_what_to_do(self) -> None:
        """Exit code 2, guidance as JSON; the check fails every case."""
        folder = self.starter(
            "def learner_select(*_):\n    raise NotImplementedError\n"
        )
        done = self.run_script("capstone_check.py", str(folder))
        self.assertEqual(done.returncode, 1)
        found = json.loads(done.stdout)
        self.assertEqual((found["passed"], found["of"]), (0, 6))
        self.assertIn("not written yet", found["cases"][0]["why"])

    def test_a_starter_that_is_right_passes(self) -> None:
        """All six, whatever it prints on the way."""
        folder = self.starter(
            "from retrieval import select_context\n"
            "print('loaded')\n"
            "def learner_select(ranked, max_quote_chars):\n"
            "    print('choosing')\n"
            "    return select_context(ranked, max_quote_chars)\n"
        )
        done = self.run_script("capstone_check.py", str(folder))
        self.assertEqual(done.returncode, 0, msg=done.stderr)
        self.assertEqual(json.loads(done.stdout)["passed"], 6)

    def test_a_starter_that_cannot_be_run_is_named_with_its_line(self) -> None:
        """Also one without the function, and none at all."""
        for body, words in (
            ("def learner_select(:\n", "SyntaxError.*line 1"),
            ("import nothing_of_this_name\n", "ModuleNotFoundError.*line 1"),
            ("x = 1\n", "has no function learner_select"),
        ):
            with self.assertRaisesRegex(InputError, words):
                learners(self.starter(body))
        with self.assertRaisesRegex(InputError, "does not exist"):
            learners(Path("nowhere"))


if __name__ == "__main__":
    unittest.main()
