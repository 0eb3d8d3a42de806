"""SciFact end to end: 300 questions, four configurations, cold processes.

    python benchmarks/scifact.py [PATH/TO/scifact/beir]

Makes a project for the BEIR folder in a temporary folder, embeds once (timed apart),
then measures ``leadline compare`` in new processes: with vectors cached and no sealed
run, and again with nothing changed. Wall time and peak memory, median of the repeats,
beside the start of a bare interpreter on the same machine.
"""

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COLLECTION = Path(__file__).parents[2] / "shared" / "data" / "scifact" / "beir"

EXPERIMENT = """
name = "SciFact, four ways"

[corpus]
path = {folder}
index = ["title", "text"]

[questions]
path = {queries}
split = "test"
ids = "question-ids.txt"

[labels]
path = {labels}

[retrieval]
budget = 100

[comparison]
measures = ["nDCG@10", "R@10", "R@100", "RR@10"]
baseline = "lexical"

[configurations.lexical]
retriever = "fts5"
tokenizer = "porter unicode61"

[configurations.vector]
retriever = "vector"
embedder = "wordllama"

[configurations.rrf]
fuse = ["lexical", "vector"]
method = "rrf"

[configurations."rrf+coverage"]
rerank = "rrf"
method = "coverage"
"""


def measured(command: list[str], cwd: Path) -> tuple[float, float]:
    """Wall seconds and peak MiB of a command in a process of its own."""
    start = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    if status:
        error = process.stderr.read().decode() if process.stderr else ""
        message = f"{' '.join(command)} failed:\n{error}"
        raise SystemExit(message)
    return wall, usage.ru_maxrss / 1024


def project(folder: Path, collection: Path) -> Path:
    """The experiment, with the ids of the judged questions."""
    rows = (collection / "qrels" / "test.tsv").read_text("utf-8").splitlines()[1:]
    ids = dict.fromkeys(row.split("\t")[0] for row in rows)
    (folder / "question-ids.txt").write_text("".join(f"{one}\n" for one in ids))
    path = folder / "leadline.toml"
    path.write_text(
        EXPERIMENT.format(
            folder=json.dumps(str(collection)),
            queries=json.dumps(str(collection / "queries.jsonl")),
            labels=json.dumps(str(collection / "qrels" / "test.tsv")),
        )
    )
    return path


def main() -> None:
    """Measure and print one JSON document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("collection", type=Path, nargs="?", default=COLLECTION)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    if not (options.collection / "corpus.jsonl").is_file():
        print(f"not measured: no BEIR folder of SciFact at {options.collection}")
        return
    leadline = [sys.executable, "-m", "leadline"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        project(folder, options.collection.resolve())
        bare = [measured([sys.executable, "-c", ""], folder)[0] for _ in range(5)]
        helped = [measured([*leadline, "--help"], folder)[0] for _ in range(5)]
        first = measured([*leadline, "compare"], folder)
        cold, repeat = [], []
        for _ in range(options.repeats):
            shutil.rmtree(folder / ".leadline" / "runs")
            cold.append(measured([*leadline, "compare"], folder))
            repeat.append(measured([*leadline, "compare"], folder))
        record = json.loads((folder / "results" / "record.json").read_text("utf-8"))
        sizes = {one.name: one.stat().st_size for one in (folder / "results").iterdir()}
        means = {
            name: one["means"]
            for name, one in record["comparison"]["configurations"].items()
        }
    result = {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "python": platform.python_version(),
        "bare_interpreter_s": round(statistics.median(bare), 3),
        "help_s": round(statistics.median(helped), 3),
        "first_run_with_embedding_s": round(first[0], 2),
        "vectors_cached_s": round(statistics.median(w for w, _ in cold), 2),
        "vectors_cached_peak_mib": round(max(m for _, m in cold)),
        "nothing_changed_s": round(statistics.median(w for w, _ in repeat), 2),
        "nothing_changed_peak_mib": round(max(m for _, m in repeat)),
        "result_bytes": sizes,
        "means": means,
    }
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
