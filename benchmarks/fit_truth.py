"""Poses that were made up come back: `python benchmarks/fit_truth.py [--count 1000]`.

Random plans of 1 to 60 joints with up to three hinges and slides each, a random pose within limits, and a start within
0.3 of it by the length of the step; no prior. Keypoints have to come back to 1e-8 of the model length, and degrees of
freedom that data decide to 1e-6. Where the first holds and the second does not, another pose puts every keypoint where
it was. `tests/fitting/test_fit_truth.py` asks the same of a few.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "fitting"))


def main() -> int:
    from test_fit_truth import misses, trial  # noqa: PLC0415  # found on the path that was added

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000, help="number of plans")
    count = parser.parse_args().count
    lost, twins = [], 0
    for number in range(count):
        plan, truth, result = trial(number)
        distance, error = misses(plan, truth, result)
        if not (result.success and distance < 1e-8):
            lost.append(number)
            print(f"plan {number}: {result.status}, {plan.n_joints} joints, off by {distance:.1e} of its length")
        elif error > 1e-6:
            twins += 1
    back = count - len(lost)
    print(f"{back} of {count} came back ({100.0 * back / count:.2f} %)")
    print(f"{twins} of them in another pose that looks the same")
    return int(back < 0.999 * count)


if __name__ == "__main__":
    sys.exit(main())
