"""Long calls that Ctrl-C cannot reach, made where it can leave them behind."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

__all__ = ["abandoned", "aside", "left_behind"]

#: Threads of calls that were left behind, also those that have ended since.
abandoned: list[threading.Thread] = []

T = TypeVar("T")


def aside(call: Callable[[], T]) -> T:
    """What a call returns or raises, made in a thread of its own.

    Python hears Ctrl-C between its own steps only, and a file of a gigabyte is read in one step of a library. Here the
    main thread waits, hears it at once, and leaves the call behind; what that would have written is left to whoever
    provides the place for it.

    Args:
        call: The call.
    """
    answers: list[T] = []
    errors: list[BaseException] = []
    ended = threading.Event()

    def work() -> None:
        try:
            answers.append(call())
        except BaseException as error:  # it is raised again where it is waited for
            errors.append(error)
        finally:
            ended.set()

    # No daemon: libraries hold locks, and a thread that is stopped with one in hand blocks the end of the process.
    thread = threading.Thread(target=work)
    try:
        thread.start()
        ended.wait()
    except BaseException:
        abandoned.append(thread)
        raise
    if errors:
        raise errors[0]
    return answers[0]


def left_behind() -> bool:
    """True while a call is at work that nobody waits for any more."""
    return any(thread.is_alive() for thread in abandoned)
