"""Progress of a long step: a line on a terminal, nothing anywhere else."""

import time
from collections.abc import Callable
from typing import TextIO, TypeAlias

Progress: TypeAlias = Callable[[str, int, int], None]

_EVERY_S = 0.1


def progress(stream: TextIO) -> Progress:
    """A function to call with a label, how many are done, and how many there are.

    The line is drawn over itself and wiped when the step is done. Where the stream is
    no terminal, nothing is written.
    """
    if not stream.isatty():
        return lambda _label, _done, _total: None
    last = [0.0, 0]

    def show(label: str, done: int, total: int) -> None:
        now = time.monotonic()
        if done >= total:
            stream.write("\r" + " " * int(last[1]) + "\r")
            last[:] = [0.0, 0]
        elif now - last[0] >= _EVERY_S:
            line = f"{label}: {done} of {total} ({100 * done // total} %)"[:78]
            stream.write("\r" + line.ljust(int(last[1])))
            last[:] = [now, len(line)]
        stream.flush()

    return show
