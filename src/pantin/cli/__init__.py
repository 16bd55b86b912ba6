"""The command line: `pantin reach`, `pantin fk`, `pantin info`, one file per command.

Commands are thin calls into the floors below. Their exit codes are

* 0: reached, or done;
* 1: not reached;
* 2: a wrong question, told in one sentence on standard error;
* 130: interrupted with Ctrl-C.
"""

from __future__ import annotations

import os
import signal
import sys
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
    finally:
        if argv is None:
            _leave_libraries_behind()


def _leave_libraries_behind() -> None:
    """End the process if a call that does not hear of Ctrl-C is still at work, or was when it was pressed.

    It would wait until that is done, and then tell of all that it has stumbled over.
    """
    fitting = sys.modules.get("pantin.fitting.many.run")
    if fitting is not None and fitting.abandoned:
        sys.stdout.flush()
        sys.stderr.flush()
        fitting.clear_the_way()
        os._exit(INTERRUPTED)
