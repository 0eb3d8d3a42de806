"""The comparison comes out as it was recorded.

python -m unittest discover -v
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

from leadline.labs.pydocs.layout import write
from leadline.labs.pydocs.run import LAB, result

RECORDED: dict[str, Any] = json.loads(
    (LAB / "data" / "recorded-result.json").read_text("utf-8")
)


def by_source(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Rows by source: ids were made by an older rule and are not compared."""
    return {row["source_id"]: row for row in rows}


class Recorded(unittest.TestCase):
    """Every figure that does not depend on the unpublished vectors."""

    found: dict[str, Any]

    @classmethod
    def setUpClass(cls) -> None:
        """Run once."""
        cls.found = result()

    def runs(self) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        """Found and recorded retrieval, question by question."""
        pairs = zip(
            self.found["retrieval_runs"], RECORDED["retrieval_runs"], strict=True
        )
        return list(pairs)

    def test_keys_are_the_recorded_ones_in_their_order(self) -> None:
        """Top level, questions and rows."""
        self.assertEqual(list(self.found), list(RECORDED))
        for found, recorded in self.runs():
            self.assertEqual(list(found), list(recorded))
            for name, rows in recorded["rankings"].items():
                self.assertEqual(
                    list(found["rankings"][name][0]), list(rows[0]), msg=name
                )

    def test_native_scores_are_exact(self) -> None:
        """All four lexical lists, in order, to 1e-12."""
        for found, recorded in self.runs():
            rows = found["rankings"]["lexical"]
            expected = recorded["rankings"]["lexical"]
            self.assertEqual(
                [row["source_id"] for row in rows],
                [row["source_id"] for row in expected],
            )
            for row, other in zip(rows, expected, strict=True):
                self.assertAlmostEqual(
                    row["native_score"], other["native_score"], delta=1e-12
                )

    def test_query_terms(self) -> None:
        """Lower-cased terms, first occurrence kept."""
        for found, recorded in self.runs():
            self.assertEqual(
                found["lexical_query_terms"], recorded["lexical_query_terms"]
            )

    def test_coverage_features(self) -> None:
        """The words that a rerank counted, for every passage and question."""
        for found, recorded in self.runs():
            rows = by_source(found["rankings"]["rrf+coverage"])
            for source_id, row in by_source(
                recorded["rankings"]["rrf+coverage"]
            ).items():
                for key in ("rerank_features", "coverage_score"):
                    self.assertEqual(rows[source_id][key], row[key])

    def test_aggregate(self) -> None:
        """2/3 and 2/3 at 1, 1 and 5/6 at 2, for all four."""
        self.assertEqual(self.found["aggregate"], RECORDED["aggregate"])

    def test_misses_and_unsupported_counts(self) -> None:
        """utf8-write is missed at 1; 1, 3, 3, 3 candidates for backup-schedule."""
        for key in (
            "supported_misses",
            "unsupported_candidate_behavior",
            "supported_case_count",
            "unsupported_case_count",
            "frozen_configuration",
            "execution_mode",
            "model_called",
            "limit",
        ):
            self.assertEqual(self.found[key], RECORDED[key], msg=key)

    def test_judgments_question_by_question(self) -> None:
        """Ranks, recall, reciprocal rank and status."""
        for found, recorded in zip(
            self.found["per_query"], RECORDED["per_query"], strict=True
        ):
            for key in ("case_id", "case_class", "configurations"):
                self.assertEqual(found[key], recorded[key])

    def test_receipts(self) -> None:
        """Case, legacy id, and what it was bound by; the current id is ours."""
        for found, recorded in zip(
            self.found["label_binding_receipts"],
            RECORDED["label_binding_receipts"],
            strict=True,
        ):
            for key in ("case_id", "legacy_chunk_id", "binding"):
                self.assertEqual(found[key], recorded[key])
            self.assertEqual(
                found["current_chunk_id"],
                {"path-write": "path-write@3.12", "json-text": "json-text@3.12"}[
                    recorded["legacy_chunk_id"].partition(":")[0]
                ],
            )

    def test_only_the_requested_version_comes_back(self) -> None:
        """The other version's page counts in the statistics and is never returned."""
        for found, _ in self.runs():
            for rows in found["rankings"].values():
                self.assertTrue(all(row["version"] == "3.12" for row in rows))

    def test_held_out_questions_are_never_asked(self) -> None:
        """Their vectors are in the recording; they are not in the result."""
        self.assertNotIn("-held-out", write(self.found).decode())


class CommandLine(unittest.TestCase):
    """``python run.py --output FILE``."""

    def test_two_runs_write_the_same_bytes(self) -> None:
        """Under another hash seed and from another folder."""
        with tempfile.TemporaryDirectory() as folder:
            written = []
            for seed in ("1", "2"):
                output = Path(folder) / f"result-{seed}.json"
                subprocess.run(
                    [sys.executable, str(LAB / "run.py"), "--output", str(output)],
                    check=True,
                    cwd=folder,
                    env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
                    capture_output=True,
                )
                written.append(output.read_bytes())
            self.assertEqual(*written)


if __name__ == "__main__":
    unittest.main()
