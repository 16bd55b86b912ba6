"""The command line: `pantin reach`, `pantin fk`, `pantin info`, one file per command.

Commands are thin calls into the floors below. Their exit codes are

* 0: reached, or done;
* 1: not reached;
* 2: a wrong question, told in one sentence on standard error;
* 130: interrupted with Ctrl-C.
"""

from __future__ import annotations

import signal
from collections.abc import Sequence

__all__ = ["main"]

INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code of one command.

    Args:
        argv: Words after `pantin`; those of the process by default.

    Returns:
        0, 1, 2 or 130, as listed in `pantin.cli`.
    """
    if argv is None and hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a reader that has gone ends the process in silence
    try:
        from pantin.cli._app import run  # noqa: PLC0415  # typer and rich load on first use

        return run(argv)
    except KeyboardInterrupt:
        return INTERRUPTED
