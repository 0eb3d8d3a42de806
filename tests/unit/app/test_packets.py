"""An experiment that asks for it has its packets judged, and they can be made again."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from leadline.app.compare import compare_file
from leadline.app.packets import judged_packets
from leadline.app.verify import verify
from leadline.cli import main
from leadline.errors import ExperimentError
from leadline.files.experiment import read_experiment
from leadline.files.record import encode, read_record
from leadline.report.html import render
from leadline.report.text import summary
from tests.projects import TEXTS, project

DESK, LAPTOP = len(TEXTS["desk.md"]), len(TEXTS["laptop.md"])
PACKETS = "\n[packets]\nbudget_chars = [{}]\n"


def asking(folder: Path, budgets: str) -> Path:
    path = project(folder)
    path.write_text(path.read_text("utf-8") + PACKETS.format(budgets), "utf-8")
    return path


def test_packets_hold_what_the_budget_leaves(tmp_path: Path) -> None:
    """Budgets come in ascending order; at one character nothing fits."""
    record = compare_file(asking(tmp_path, f"10000, 1, {LAPTOP}"))
    assert record.freeze.judging.packets == (1, LAPTOP, 10000)
    assert record.packets is not None
    found = record.packets["lexical"]
    assert list(found) == ["1", str(LAPTOP), "10000"]
    assert found["1"].targets_quoted == 0
    assert found["1"].false_evidence == ()
    assert found[str(LAPTOP)].questions["borrow"] == 1.0
    assert found[str(LAPTOP)].questions["hours"] == 0.0
    assert found["10000"].targets_quoted == 1.0
    assert found["10000"].questions["crane"] is None
    assert found["10000"].false_evidence == ("crane",)


def test_copies_and_versions_are_counted(tmp_path: Path) -> None:
    path = asking(tmp_path, "1000")
    rows = [{"source_id": key, "text": text} for key, text in TEXTS.items()]
    rows += [
        {"source_id": "copy", "text": TEXTS["desk.md"]},
        {"source_id": "late.md", "version": "old", "text": "A late return is free."},
    ]
    lines = "".join(json.dumps(one) + "\n" for one in rows)
    (tmp_path / "corpus.jsonl").write_text(lines, "utf-8")
    text = path.read_text("utf-8").replace('path = "docs"', 'path = "corpus.jsonl"')
    path.write_text(text, "utf-8")
    packets = compare_file(path).packets
    assert packets is not None
    found = packets["lexical"]["1000"]
    assert found.repeated_chars >= DESK
    assert "fine" in found.conflicts


def test_the_record_can_be_judged_again(tmp_path: Path) -> None:
    record = compare_file(asking(tmp_path, "60, 200"))
    output = tmp_path / "record.json"
    output.write_bytes(encode(record))
    again = read_record(output)
    assert again == record
    assert judged_packets(again) == record.packets
    assert not any(one.faults for one in verify(again))
    assert record.packets is not None
    lied = replace(record.packets["fused"]["60"], targets_quoted=1.0)
    changed = {**record.packets, "fused": {**record.packets["fused"], "60": lied}}
    for packets in (changed, None):
        faults = [one.faults for one in verify(replace(again, packets=packets))]
        assert any("packets" in fault for row in faults for fault in row)


def test_without_the_section_or_without_labels_there_are_none(tmp_path: Path) -> None:
    assert compare_file(project(tmp_path / "plain")).packets is None
    path = asking(tmp_path / "unlabelled", "100")
    text = path.read_text("utf-8").replace('[labels]\npath = "labels.jsonl"\n', "")
    path.write_text(text, "utf-8")
    assert compare_file(path).packets is None


def test_packets_change_no_run_and_another_freeze(tmp_path: Path) -> None:
    plain = compare_file(project(tmp_path / "a"))
    asked = compare_file(asking(tmp_path / "b", "100"))
    assert plain.freeze.id != asked.freeze.id
    assert {name: run.seal for name, run in plain.runs.items()} == {
        name: run.seal for name, run in asked.runs.items()
    }


def test_summary_and_page_show_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = asking(tmp_path, "100, 300")
    assert main(["compare", str(path)]) == 0
    out = capsys.readouterr().out
    assert "Packets: share of the targets that is quoted" in out
    assert "configuration   budget  quoted  repeated  conflicts  false" in out
    record = read_record(tmp_path / "results" / "record.json")
    page = render(record)
    assert '<section id="packets"' in page
    assert '<a href="#packets">' in page
    for width in (40, 60, 80, 120):
        lines = summary(record, width=width).splitlines()
        assert max(map(len, lines)) <= width
        assert any(one.split()[:2] == ["lexical", "300"] for one in lines)
    plain = render(compare_file(project(tmp_path / "plain")))
    assert "packets" not in plain


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("0", "found 0, expected whole numbers of 1 or more"),
        ("-5", "found -5"),
        ("1.5", "found 1.5"),
        ("true", "found true"),
        ('"100"', "found '100'"),
        ("100, 100", "found 100 twice"),
    ],
)
def test_a_budget_that_is_none_is_refused(
    tmp_path: Path, value: str, found: str
) -> None:
    path = asking(tmp_path, value)
    with pytest.raises(ExperimentError) as refused:
        read_experiment(path)
    line = path.read_text("utf-8").splitlines().index("[packets]") + 2
    where = f'{path}, line {line}, field "packets.budget_chars": '
    assert str(refused.value).startswith(where + found)


def test_an_unknown_key_of_the_section_is_refused(tmp_path: Path) -> None:
    path = asking(tmp_path, "100")
    text = path.read_text("utf-8").replace("budget_chars", "budget_char")
    path.write_text(text, "utf-8")
    with pytest.raises(ExperimentError, match='Did you mean "budget_chars"'):
        read_experiment(path)
