"""Long calls that Ctrl-C cannot reach, made where it can leave them behind."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

__all__ = ["aside"]

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

    threading.Thread(target=work, daemon=True).start()
    ended.wait()
    if errors:
        raise errors[0]
    return answers[0]
