"""The command line: arguments -> use case -> exit code.

Exit codes: 0 done (draws included), 1 a check that was asked for failed, 2 the input
is wrong or two things cannot be compared, 3 an engine or plug-in failed.
"""

import sys
from collections.abc import Sequence

from leadline.cli.arguments import parser
from leadline.cli.output import harmless, words
from leadline.errors import EngineError, LeadlineError

WRONG, BROKEN, STOPPED = 2, 3, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    options = parser().parse_args(arguments)
    try:
        code: int = options.run(options)
    except LeadlineError as error:
        words(f"leadline: {harmless(str(error))}")
        return BROKEN if isinstance(error, EngineError) else WRONG
    except KeyboardInterrupt:
        words("leadline: stopped; sealed runs are kept, and nothing is half-written")
        return STOPPED
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    return code
