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
    except LeadlineError as error:
        words(f"leadline: {error}")
        return BROKEN if isinstance(error, EngineError) else WRONG
    except KeyboardInterrupt:
        words("leadline: stopped; sealed runs are kept, and nothing is half-written")
        return STOPPED
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    return code
