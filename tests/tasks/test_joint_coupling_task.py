"""Joints whose angles are tied together: Pinker's numbers, mimics by their masters, joints that are named wrongly."""

from __future__ import annotations

import numpy as np
import pytest
from task_cases import FILES, assert_same_rows, pinker_place, place, robot

from pantin.errors import InvalidArgument, UnknownJoint
from pantin.exceptions import TaskDefinitionError
from pantin.tasks import JointCouplingTask

pinker = pytest.importorskip("pinker")


@pytest.mark.parametrize("name", FILES)
def test_rows_are_pinkers(name):
    model = robot(name)
    here = place(model, 0)
    other = pinker_place(name, here)
    names = [model.names[i] for i in (-1, -2, -4)]
    ours = JointCouplingTask(names, [1.0, -1.0, 0.5], 10.0, here, 0.1, 0.7)
    theirs = pinker.tasks.JointCouplingTask(names, [1.0, -1.0, 0.5], 10.0, other, 0.1, 0.7)
    assert_same_rows(ours, theirs, here, other)
    assert repr(ours) == repr(theirs)


def test_a_mimic_counts_as_its_angle():
    model = robot("mimics")
    here = place(model, 0)
    mimic = next(
        joint for joint in model.joints[1:] if joint.mimic is not None and model.joints[joint.mimic.master].nq == 1
    )
    master = model.joints[mimic.mimic.master]
    task = JointCouplingTask([model.names[mimic.id], model.names[master.id]], [2.0, -3.0], 1.0, here)
    angle = here.q[master.idx_q]
    follows = mimic.mimic.multiplier * angle + mimic.mimic.offset
    np.testing.assert_allclose(task.compute_error(here), [2.0 * follows - 3.0 * angle], atol=1e-12)


def test_joints_are_checked():
    model = robot("tree")
    here, names = place(model, 0), ["RX_1", "RY_2"]
    with pytest.raises(UnknownJoint, match="no joint 'RX_2'"):
        JointCouplingTask(["RX_2", "RY_2"], [1.0, 1.0], 1.0, here)
    with pytest.raises(InvalidArgument, match=r"^ratios: expected 2 numbers"):
        JointCouplingTask(names, [1.0], 1.0, here)
    with pytest.raises(InvalidArgument, match=r"^ratios: expected finite"):
        JointCouplingTask(names, [1.0, np.nan], 1.0, here)
    with pytest.raises(TaskDefinitionError, match="each once"):
        JointCouplingTask(["RX_1", "RX_1"], [1.0, -1.0], 1.0, here)
    with pytest.raises(TaskDefinitionError, match="each once"):
        JointCouplingTask("RX_1", [1.0] * 4, 1.0, here)
    with pytest.raises(TaskDefinitionError, match="joint 'ball_14' moves by 3 numbers"):
        JointCouplingTask(["RX_1", "ball_14"], [1.0, -1.0], 1.0, here)
