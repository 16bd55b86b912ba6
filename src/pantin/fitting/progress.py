"""How far a long fit is, for those who wait."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from pantin.errors import InvalidArgument

__all__ = ["in_frames", "shown"]


@contextlib.contextmanager
def shown(progress: object) -> Iterator[Callable[[int, int], object] | None]:
    """A callback that takes (done, total): the given one, or one that draws a bar on standard error for True.

    Raises:
        InvalidArgument: If it is neither a callback, True, False nor None.
    """
    if progress is None or progress is False:
        yield None
    elif progress is not True:
        if not callable(progress):
            raise InvalidArgument(
                "progress", f"expected a callback that takes (done, total), or True, got {progress!r}"
            )
        yield progress
    else:
        from rich.console import Console  # noqa: PLC0415  # slow to import
        from rich.progress import Progress  # noqa: PLC0415

        with Progress(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("fitting", total=None)
            yield lambda done, total: bar.update(task, completed=done, total=total)


def in_frames(progress: Callable[[int, int], object] | None, frames: int) -> Callable[[int, int], object] | None:
    """A callback that is told of the frames of a recording, out of one that hears of all work on them.

    Where windows overlap there is more work than frames.
    """
    if progress is None:
        return None
    return lambda done, total: progress(min(frames, done * frames // max(total, 1)), frames)
