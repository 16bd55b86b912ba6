"""Instruction-set levels agree to rounding, and one that is unknown or absent is refused."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from pantin import _core

#: Everything that the kernels compute, on trees of every joint kind; an array for each.
SCRIPT = """
import sys
import numpy as np
import pantin.kinematics as pt
from lie_samples import turns, twists
from models import arm, configuration, every_kind, mimic_tree, velocity
from pantin import _core
from pantin.kinematics import ReferenceFrame, batch

results = {"level": _core.level(), "lanes": _core.lanes()}
for name, model in (("arm", arm()), ("every kind", every_kind()), ("mimics", mimic_tree())):
    data = model.create_data()
    for seed in range(3):
        q, q1 = configuration(model, seed), configuration(model, seed + 10)
        v, a = velocity(model, seed), velocity(model, seed + 10)
        key = f"{name} {seed} "
        pt.compute_joint_jacobians_time_variation(model, data, q, v)
        pt.forward_kinematics(model, data, q, v, a)
        pt.update_frame_placements(model, data)
        pt.jacobian_center_of_mass(model, data)
        results[key + "poses"] = [pose.homogeneous for pose in [*data.oMi, *data.oMf]]
        results[key + "J"], results[key + "dJ"], results[key + "Jcom"] = data.J, data.dJ, data.Jcom
        results[key + "com"] = data.com[0]
        for frame in ReferenceFrame:
            f = model.nframes - 1
            results[key + f"frame {frame}"] = pt.get_frame_jacobian(model, data, f, frame)
            results[key + f"one frame {frame}"] = pt.compute_frame_jacobian(model, model.create_data(), q, f, frame)
            results[key + f"rate {frame}"] = pt.get_frame_jacobian_time_variation(model, data, f, frame)
            results[key + f"acceleration {frame}"] = pt.get_frame_acceleration(model, data, f, frame).vector
        results[key + "integrate"] = pt.integrate(model, q, v)
        results[key + "difference"] = pt.difference(model, q, q1)
        for argument in (0, 1):
            results[key + f"d_integrate {argument}"] = pt.d_integrate(model, q, v, argument)
            results[key + f"d_difference {argument}"] = pt.d_difference(model, q, q1, argument)
        results[key + "tau"] = pt.dynamics.rnea(model, data, q, v, a)
        results[key + "M"] = pt.dynamics.crba(model, data, q)
        results[key + "ddq"] = pt.dynamics.aba(model, data, q, v, a)
    rows = np.array([configuration(model, seed) for seed in range(19)])
    steps = np.array([velocity(model, seed) for seed in range(19)])
    results[name + " batch placements"] = batch.frame_placements(model, model.nframes - 1, rows)
    results[name + " batch jacobians"] = batch.frame_jacobians(model, model.nframes - 1, rows)
    results[name + " batch com"] = batch.center_of_mass(model, rows)
    results[name + " batch integrate"] = batch.integrate(model, rows, steps)
    results[name + " batch difference"] = batch.difference(model, rows, rows[::-1])
w, nu = np.array(turns(0)), np.array(twists(0))
near = np.linalg.norm(w, axis=1) < np.pi - 1e-11  # beyond, the logarithm may take the opposite turn
results["exp3"], results["log3"] = batch.exp3(w), batch.log3(batch.exp3(w[near]))
results["exp6"], results["log6"] = batch.exp6(nu), batch.log6(batch.exp6(nu[near]))
results["Jexp6"] = [pt.Jexp6(x) for x in nu]
results["Jlog6"] = [pt.Jlog6(pt.exp6(x)) for x in nu[near]]
np.savez(sys.argv[1], **{key: np.asarray(value) for key, value in results.items()})
"""

LEVELS = ["generic", "v2", "v3", "v4"]

#: A few roundings of numbers up to some hundred, relative to the largest in an array.
ROUNDING = 1e-13


def run(level, *arguments, script=SCRIPT):
    paths = os.pathsep.join(path for path in sys.path if path)
    environment = {**os.environ, "PANTIN_LEVEL": level, "PYTHONPATH": paths}
    return subprocess.run(
        [sys.executable, "-c", script, *arguments], env=environment, capture_output=True, text=True, check=False
    )


def is_absent(result):
    return "does not have that instruction-set level" in result.stderr or "unknown" in result.stderr


@pytest.fixture(scope="module")
def computed(tmp_path_factory):
    """Results of each level that this processor has."""
    folder = tmp_path_factory.mktemp("levels")
    found = {}
    for level in LEVELS:
        result = run(level, str(folder / f"{level}.npz"))
        if result.returncode == 0:
            with np.load(folder / f"{level}.npz") as archive:
                found[level] = dict(archive)
        else:
            assert is_absent(result), result.stderr
    return found


def test_a_level_is_the_one_that_was_asked_for(computed):
    lanes = {"generic": 2, "v2": 2, "v3": 4, "v4": 8}
    assert "generic" in computed
    for level, results in computed.items():
        assert str(results["level"]) == level
        assert int(results["lanes"]) == lanes[level]


def test_levels_agree_to_rounding(computed):
    reference = computed["generic"]
    assert len(reference) > 200
    for level, results in computed.items():
        assert set(results) == set(reference)
        for key in set(reference) - {"level", "lanes"}:
            scale = max(1.0, np.abs(reference[key]).max())
            np.testing.assert_allclose(
                results[key], reference[key], rtol=0, atol=ROUNDING * scale, err_msg=f"{level} {key}"
            )


def test_one_level_repeats_itself_to_the_bit(computed, tmp_path):
    level = next(iter(computed))
    assert run(level, str(tmp_path / "again.npz")).returncode == 0
    with np.load(tmp_path / "again.npz") as archive:
        for key, value in computed[level].items():
            np.testing.assert_array_equal(archive[key], value)


def test_the_best_level_is_the_default(computed):
    result = run("", script="from pantin import _core; print(_core.level())")
    best = max(computed, key=LEVELS.index)
    assert result.stdout.strip() == best
    assert _core.level() in computed


@pytest.mark.parametrize("level", ["v5", "V4", " v3", "avx", "é", "v" * 1000])
def test_unknown_levels_are_refused_by_name(level):
    script = """
        import sys
        try:
            import pantin
        except ImportError as error:
            assert sys.exc_info()[0] is ImportError, error
            print(ascii(str(error)))
    """
    result = run(level, script="\n".join(line[8:] for line in script.splitlines()))
    assert result.returncode == 0, result.stderr
    assert "unknown" in result.stdout
    assert ascii(level)[1:-1] in result.stdout
    assert "generic" in result.stdout


def test_a_refused_level_is_refused_again():
    script = """
        for _ in range(2):
            try:
                import pantin
            except ImportError:
                print("refused")
    """
    result = run("v9", script="\n".join(line[8:] for line in script.splitlines()))
    assert result.stdout.split() == ["refused", "refused"], result.stderr
