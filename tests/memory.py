"""What a process holds. Memory of the core is none that Python traces; glibc tells of all there is."""

import ctypes
import gc
from itertools import pairwise

import pytest


class Mallinfo2(ctypes.Structure):
    """`struct mallinfo2` of glibc 2.33 and newer."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()  # noqa: SIM905
        )
    ]


def held():
    """Bytes that the process holds of `malloc`."""
    try:
        mallinfo2 = ctypes.CDLL(None).mallinfo2
    except (AttributeError, OSError, TypeError):
        pytest.skip("only glibc 2.33 and newer tell")
    mallinfo2.restype = Mallinfo2
    gc.collect()
    info = mallinfo2()
    return info.uordblks + info.hblkhd


def growth(work, times):
    """Least growth of four rounds of `times` calls, after one that makes what is made on first use.

    A leak grows in every round, with the number of calls; what other threads of the process take, such as those of
    the test runner, comes and goes.
    """
    levels = []
    for _ in range(5):
        for _ in range(times):
            work()
        levels.append(held())
    return min(after - before for before, after in pairwise(levels))
