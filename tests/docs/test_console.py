"""Every console block in the docs is run, and prints what the page says it prints.

In a block, a line that starts with ``$ `` is a command; the lines below it are its
output, standard error included, and a line ``...`` stands for any lines. Blocks of one
page run one after another in one folder. A block after the comment
``<!-- not run: REASON -->`` is not run.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(
    r"(?P<skip><!-- not run: .+? -->\n+)?```console\n(?P<text>.*?)```", re.DOTALL
)
FILE = re.compile(r"<!-- file: (?P<name>\S+) -->\n+```\w*\n(?P<text>.*?)```", re.DOTALL)


def commands(text: str) -> list[tuple[str, list[str]]]:
    """``(command, expected lines)`` of a block."""
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif line.startswith("> ") and not found[-1][1]:
            found[-1] = (found[-1][0] + "\n" + line[2:], [])
        else:
            found[-1][1].append(line)
    return found


def matches(expected: list[str], printed: list[str]) -> bool:
    """Whether the lines agree; ``...`` is any number of lines."""
    while expected and not expected[-1].strip():
        expected = expected[:-1]
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line.rstrip()) + r" *\n"
        for line in expected
    )
    return (
        re.fullmatch(pattern, "".join(f"{line.rstrip()}\n" for line in printed))
        is not None
    )


def steps(page: Path) -> list[tuple[str, str, list[str]]]:
    """Files to write and commands to run, in the order of the page."""
    text = page.read_text("utf-8")
    found = []
    for match in sorted(
        [*BLOCK.finditer(text), *FILE.finditer(text)], key=lambda one: one.start()
    ):
        if "name" in match.groupdict():
            found.append(("file", match["name"], [match["text"]]))
        elif not match["skip"]:
            found += [("run", *one) for one in commands(match["text"])]
    return found


@pytest.mark.parametrize(
    "page", [page for page in PAGES if steps(page)], ids=lambda page: page.stem
)
def test_the_page_tells_what_happens(page: Path, tmp_path: Path) -> None:
    """Files are written and commands run as a reader would."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "80", "LC_ALL": "C.UTF-8"}
    folder = tmp_path
    for kind, what, lines in steps(page):
        if kind == "file":
            (folder / what).parent.mkdir(parents=True, exist_ok=True)
            (folder / what).write_text(lines[0], "utf-8")
            continue
        if what.startswith("cd "):
            folder = folder / what.removeprefix("cd ").strip()
            continue
        done = subprocess.run(
            ["bash", "-c", what],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"$ {what}\n{done.stdout}"
        if lines:
            printed = done.stdout.splitlines()
            assert matches(lines, printed), f"$ {what}\n{done.stdout}"
