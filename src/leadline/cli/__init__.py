"""The command line: arguments -> use case -> exit code.

Exit codes: 0 done (draws included), 1 a check that was asked for failed, 2 the input
is wrong or two things cannot be compared, 3 an engine or plug-in failed.
"""

import sys
from collections.abc import Sequence

from leadline.cli.arguments import parser
from leadline.cli.output import words
from leadline.errors import EngineError, LeadlineError

WRONG, BROKEN, STOPPED = 2, 3, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    whole = parser()
    given = sys.argv[1:] if arguments is None else arguments
    if not given:
        whole.print_help()
        return WRONG
    options = whole.parse_args(given)
    try:
        code: int = options.run(options)
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        words("leadline: stopped; sealed runs are kept, and nothing is half-written")
        return STOPPED
    except EngineError as error:
        words(f"leadline: {error}")
        return BROKEN
    except (LeadlineError, UnicodeEncodeError, RecursionError, OSError) as error:
        words(f"leadline: {_reason(error)}")
        return WRONG
    return code


def _reason(error: Exception) -> str:
    """What to say of an error; of those that are not ours, in words of ours."""
    if isinstance(error, UnicodeEncodeError):
        return "an argument is not UTF-8; give it as text"
    if isinstance(error, RecursionError):
        return "something in a file is nested too deeply, or builds on too much"
    if isinstance(error, OSError):
        return f"{error.filename or 'a file'}: {error.strerror or error}"
    return str(error)
