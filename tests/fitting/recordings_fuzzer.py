"""Damages recordings and reads them, in a process of its own: `python recordings_fuzzer.py FOLDER COUNT SEED`.

Each file of the folder is cut off, or has some of its bytes changed, and is then read. What may come out is a recording
or an error of pantin's; anything else is printed, and ends the process with 1. A crash ends it otherwise.

HDF5 files are only cut off: the library that reads them can hang on changed bytes.
"""

from __future__ import annotations

import sys
import traceback
import warnings
from pathlib import Path

import numpy as np

from pantin.errors import PantinError
from pantin.fitting import read_recordings


def damaged(content: bytes, rng: np.random.Generator) -> bytes:
    """The content, cut off or with some bytes changed, more often near its beginning."""
    if rng.random() < 0.3 or content.startswith(b"\x89HDF"):
        return content[: rng.integers(len(content))]
    changed = bytearray(content)
    reach = len(content) if rng.random() < 0.5 else min(len(content), 2048)
    for place in rng.integers(reach, size=rng.integers(1, 12)):
        changed[place] = rng.choice([0, 1, 0x7F, 0x80, 0xFF, rng.integers(256)])
    return bytes(changed)


def main(folder: Path, count: int, seed: int) -> int:
    """Number of files that were read in another way than allowed."""
    faults = read = 0
    for path in sorted(folder.iterdir()):
        content = path.read_bytes()
        target = folder.parent / f"damaged{path.suffix}"
        rng = np.random.default_rng([seed, len(content)])
        for _ in range(count):
            target.write_bytes(damaged(content, rng))
            try:
                read_recordings(target)
                read += 1
            except PantinError as error:
                if "\n" in str(error):
                    print(f"{path.name}: several lines: {error}")
                    faults += 1
            except BaseException:
                print(f"{path.name}: {traceback.format_exc()}")
                faults += 1
    print(f"{read} of the damaged files were read")
    return faults


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.exit(min(1, main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))))
