"""Which of the capstone's cases pass with the `learner_select` of a folder.

python3 -B capstone_check.py [DIR]

A case passes if the selector chooses what Leadline chooses under each budget. The exit
code is 1 while some do not pass.
"""

import argparse
import contextlib
import importlib.util
import sys
import traceback
from pathlib import Path
from typing import Any

from capstone_reference import Selector, chosen_by, extended
from leadline.errors import InputError
from output import main as answer
from output import with_format
from retrieval import Ranked, search, select_context

K = 3
BUDGETS = (150, 400, 1000)
STARTER = "capstone_starter.py"


def check(selector: Selector, *, file: str) -> list[dict[str, Any]]:
    """Every case: whether it passes, and otherwise the first reason why not.

    Args:
        selector: what is checked.
        file: where it is written; a line of it is named where it raises.
    """
    handbook = extended()
    rows = []
    for question in handbook.questions:
        ranked = search(handbook.snapshot, question.text, k=K)
        faults = (_fault(selector, ranked, budget, file) for budget in BUDGETS)
        why = next((one for one in faults if one is not None), None)
        rows.append(
            {
                "case": question.question_id,
                "question": question.text,
                "passes": why is None,
                "why": why,
            }
        )
    return rows


def _fault(selector: Selector, ranked: Ranked, budget: int, file: str) -> str | None:
    """What is wrong with a selection, in a sentence; None where nothing is."""
    where = f"with {budget} characters"
    try:
        # What a learner prints is not the result.
        with contextlib.redirect_stdout(sys.stderr):
            found = chosen_by(selector, ranked, budget)
    except NotImplementedError:
        return f"learner_select is not written yet; start in {STARTER}"
    except InputError as error:
        return f"{where}: {error}"
    except Exception as error:  # noqa: BLE001 -- a learner's code may raise anything
        return f"{where}: it raised {type(error).__name__}: {error}{_line(error, file)}"
    return _difference(found, chosen_by(select_context, ranked, budget), where)


def _line(error: Exception, file: str) -> str:
    """The last line of the learner's file that an error went through."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [one.lineno for one in frames if one.filename == file]
    return f" ({Path(file).name}, line {lines[-1]})" if lines else ""


def _difference(
    found: dict[str, Any], expected: dict[str, Any], where: str
) -> str | None:
    hints = {
        "quoted": _hint(found["quoted"], expected["quoted"]),
        "skipped": "whatever was ranked and does not fit is named, best first",
        "conflicts": "a source that was ranked in several versions is named with all "
        "of them, also where one was skipped",
    }
    for name, hint in hints.items():
        if found[name] != expected[name]:
            return (
                f"{where}: {name} is {found[name] or 'empty'}, expected "
                f"{expected[name] or 'nothing'}: {hint}"
            )
    return None


def _hint(quoted: list[str], expected: list[str]) -> str:
    if sorted(quoted) == sorted(expected):
        return "the order is that of the ranking"
    if quoted == expected[: len(quoted)]:
        return "after one that does not fit, a shorter one further down still may"
    return "best first, whatever fits in the characters that are left"


def learners(folder: Path) -> Selector:
    """The `learner_select` in a folder's starter.

    Raises:
        InputError: there is none, or the file cannot be run.
    """
    path = (folder / STARTER).resolve()
    if not path.is_file():
        message = (
            f"{path} does not exist; copy the lab out with: leadline lab harbour DIR"
        )
        raise InputError(message)
    spec = importlib.util.spec_from_file_location("learners_capstone", path)
    if spec is None or spec.loader is None:
        message = f"{path} cannot be imported"
        raise InputError(message)
    module = importlib.util.module_from_spec(spec)
    sys.path.append(str(path.parent))
    try:
        with contextlib.redirect_stdout(sys.stderr):
            spec.loader.exec_module(module)
        selector: Selector = module.learner_select
    except AttributeError:
        message = f"{path} has no function learner_select"
        raise InputError(message) from None
    except Exception as error:
        at = error.lineno if isinstance(error, SyntaxError) else None
        line = f", line {at}" if at else _line(error, str(path))
        message = f"{path} cannot be run: {type(error).__name__}: {error}{line}"
        raise InputError(message) from error
    return selector


def main() -> int:
    """Check a folder and print its cases."""
    parser = with_format(
        argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    )
    parser.add_argument("folder", nargs="?", type=Path, default=Path(), metavar="DIR")
    options = parser.parse_args()
    rows: list[dict[str, Any]] = []

    def checked() -> dict[str, Any]:
        file = str((options.folder / STARTER).resolve())
        rows.extend(check(learners(options.folder), file=file))
        return {
            "passed": sum(one["passes"] for one in rows),
            "of": len(rows),
            "cases": rows,
        }

    code = answer(checked, options.format)
    return code or int(not all(one["passes"] for one in rows))


if __name__ == "__main__":
    sys.exit(main())
