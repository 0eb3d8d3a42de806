"""Labs: what comes with Leadline to learn from, copied out and checked.

A lab is a folder of data and scripts. What is copied out runs where it lies, on the
Leadline that is installed, and may be changed.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from pathlib import Path, PurePath

from leadline.disk import write_atomically
from leadline.errors import InputError, did_you_mean

LONGEST_CHECK_S = 60
"""A learner's code may never come to an end."""


@dataclass(frozen=True, slots=True)
class Lab:
    """One lab; ``start`` is what to type first in its folder."""

    name: str
    summary: str
    start: str
    checked_by: str | None = None
    """The script that checks what a learner wrote; None where there is nothing to."""


LABS = (
    Lab(
        "harbour",
        "a handbook, ten questions, eight mechanisms and a capstone to write",
        'python3 -B lab.py search "When is the help desk open?"',
        "capstone_check.py",
    ),
    Lab(
        "pydocs",
        "the recorded comparison that leadline demo shows",
        "python3 run.py --output scratch-result.json",
    ),
)


@dataclass(frozen=True, slots=True)
class CaseCheck:
    """One case of a lab's capstone; ``why`` it does not pass, or None."""

    case: str
    question: str
    passes: bool
    why: str | None


def lab(name: str) -> Lab:
    """The lab of this name.

    Raises:
        InputError: there is none.
    """
    known = {one.name: one for one in LABS}
    if name not in known:
        message = f'no lab is called "{name}". '
        raise InputError(message + did_you_mean(name, known))
    return known[name]


def copy(name: str, folder: Path) -> tuple[Path, ...]:
    """Copy a lab out, and nothing over what is there.

    Args:
        name: of the lab.
        folder: it is made, or is empty.

    Returns:
        The files written.

    Raises:
        InputError: no such lab, or there is something in the folder.
    """
    source = _folder(lab(name))
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        message = (
            f"{folder} already exists and is not an empty folder, and a lab is copied "
            "over nothing: choose another folder, or remove it first"
        )
        raise InputError(message)
    written = []
    for path, file in sorted(_files(source, PurePath())):
        write_atomically(folder / path, file.read_bytes())
        written.append(folder / path)
    return tuple(written)


def check(name: str, folder: Path) -> tuple[CaseCheck, ...]:
    """Check what a learner wrote in a copy, in a process of its own.

    Returns:
        Every case of the capstone.

    Raises:
        InputError: no such lab, a lab without a capstone, a folder that cannot be
            checked, or a check that does not end.
    """
    chosen = lab(name)
    if chosen.checked_by is None:
        message = f'the lab "{name}" has nothing to be checked; "harbour" has'
        raise InputError(message)
    with as_file(_folder(chosen)) as installed:
        script = installed / chosen.checked_by
        try:
            done = subprocess.run(  # noqa: S603 -- our own interpreter and script
                [sys.executable, "-B", str(script), str(folder)],
                check=False,
                capture_output=True,
                encoding="utf-8",
                timeout=LONGEST_CHECK_S,
            )
        except subprocess.TimeoutExpired:
            message = (
                f"the check of {folder} did not end within {LONGEST_CHECK_S} seconds; "
                "look for a loop without an end"
            )
            raise InputError(message) from None
    try:
        cases = json.loads(done.stdout)["cases"]
        return tuple(CaseCheck(**one) for one in cases)
    except (ValueError, KeyError, TypeError):
        lines = done.stderr.strip().splitlines() or ["the check said nothing"]
        raise InputError(lines[-1].removeprefix(f"{chosen.checked_by}: ")) from None


def _folder(one: Lab) -> Traversable:
    return files("leadline") / "labs" / one.name


def _files(
    folder: Traversable, path: PurePath
) -> Iterator[tuple[PurePath, Traversable]]:
    """Every file of a lab by its path, packages' marks and caches apart."""
    for one in folder.iterdir():
        if one.name.startswith((".", "__pycache__")) or one.name.endswith(".pyc"):
            continue
        if one.is_dir():
            yield from _files(one, path / one.name)
        elif path.parts or one.name != "__init__.py":
            yield path / one.name, one
