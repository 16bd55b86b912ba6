"""Calls by the million leave memory flat, and what is dropped is freed."""

from __future__ import annotations

import gc
import itertools
import os
import pickle
import weakref
from pathlib import Path

import numpy as np
import pytest

import pantin.kinematics as pt
from models import arm, configuration, every_kind, mimic_tree, velocity
from pantin.errors import PantinError
from pantin.kinematics import SE3, JointModelRX, Model, Motion, batch

STATUS = Path("/proc/self/statm")
pytestmark = pytest.mark.skipif(not STATUS.exists(), reason="memory is read from /proc")

#: Calls of each kind; 10^6 and more over all.
CALLS = 30_000
#: What the allocator may keep by chance; a leak of one small object a call would be 1.4 million bytes.
ALLOWED = 700_000


def resident():
    """Bytes of memory in use."""
    gc.collect()
    return int(STATUS.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class World:
    def __init__(self, model):
        self.model = model
        self.data = model.create_data()
        self.q, self.q1 = configuration(model, 0), configuration(model, 1)
        self.v, self.a = velocity(model, 0), velocity(model, 1)
        self.frame = model.nframes - 1
        self.name = model.frames[self.frame].name
        self.out = np.empty((6, model.nv))
        self.rows = np.tile(self.q, (9, 1))
        self.pose, self.twist = SE3.Random(), Motion(np.arange(6.0))
        self.wrong = np.full(model.nq, np.nan)
        self.lists = self.q.tolist(), self.v.tolist()
        pt.compute_joint_jacobians_time_variation(model, self.data, self.q, self.v)


CASES = {
    "forward_kinematics": lambda w: pt.forward_kinematics(w.model, w.data, w.q),
    "forward_kinematics q v a": lambda w: pt.forward_kinematics(w.model, w.data, w.q, w.v, w.a),
    "forward_kinematics by keyword": lambda w: pt.forward_kinematics(model=w.model, data=w.data, q=w.q),
    "forward_kinematics of lists": lambda w: pt.forward_kinematics(w.model, w.data, w.lists[0]),
    "frames_forward_kinematics": lambda w: pt.frames_forward_kinematics(w.model, w.data, w.q),
    "update_frame_placements": lambda w: pt.update_frame_placements(w.model, w.data),
    "compute_joint_jacobians": lambda w: pt.compute_joint_jacobians(w.model, w.data, w.q),
    "get_frame_jacobian": lambda w: pt.get_frame_jacobian(w.model, w.data, w.frame),
    "get_frame_jacobian by name": lambda w: pt.get_frame_jacobian(w.model, w.data, w.name),
    "get_joint_jacobian": lambda w: pt.get_joint_jacobian(w.model, w.data, 1),
    "compute_frame_jacobian": lambda w: pt.compute_frame_jacobian(w.model, w.data, w.q, w.frame),
    "compute_frame_jacobian out": lambda w: pt.compute_frame_jacobian(w.model, w.data, w.q, w.frame, out=w.out),
    "center_of_mass": lambda w: pt.center_of_mass(w.model, w.data, w.q),
    "jacobian_center_of_mass": lambda w: pt.jacobian_center_of_mass(w.model, w.data, w.q),
    "integrate": lambda w: pt.integrate(w.model, w.q, w.v),
    "integrate of lists": lambda w: pt.integrate(w.model, *w.lists),
    "difference": lambda w: pt.difference(w.model, w.q, w.q1),
    "d_difference": lambda w: pt.d_difference(w.model, w.q, w.q1),
    "rnea": lambda w: pt.dynamics.rnea(w.model, w.data, w.q, w.v, w.a),
    "crba": lambda w: pt.dynamics.crba(w.model, w.data, w.q),
    "aba": lambda w: pt.dynamics.aba(w.model, w.data, w.q, w.v, w.a),
    "get_velocity": lambda w: pt.get_velocity(w.model, w.data, 1),
    "get_frame_acceleration": lambda w: pt.get_frame_acceleration(w.model, w.data, w.name),
    "time variation": lambda w: pt.get_frame_jacobian_time_variation(w.model, w.data, w.frame),
    "views": lambda w: (w.data.J, w.data.dJ, w.data.Jcom, w.data.M, w.data.com, w.data.mass),
    "poses": lambda w: (w.data.oMi[1].rotation, w.data.oMf[w.frame].translation, w.data.oMf[-1].homogeneous),
    "pose lists": lambda w: w.data.oMi[:3],
    "copies": lambda w: w.data.copy(),
    "exp and log": lambda w: (pt.exp6(w.twist), pt.log6(w.pose), pt.exp3([1, 2, 3]), pt.log3(w.pose.rotation)),
    "Lie Jacobians": lambda w: (pt.Jexp6(w.twist), pt.Jlog6(w.pose)),
    "products": lambda w: (w.pose * w.pose, w.pose.inverse(), w.pose.act(w.twist), w.pose * np.ones(3), -w.twist),
    "parts": lambda w: (w.pose.rotation, w.pose.translation, w.twist.linear, w.twist.vector, w.pose.action),
    "constructors": lambda w: (SE3(w.pose.rotation, [1, 2, 3]), Motion([1, 2, 3, 4, 5, 6]), w.pose.copy()),
    "batch": lambda w: batch.frame_jacobians(w.model, w.frame, w.rows),
    "batch on threads": lambda w: batch.frame_placements(w.model, w.frame, w.rows, threads=2),
    "numbers that are refused": lambda w: refused(lambda: pt.forward_kinematics(w.model, w.data, w.wrong)),
    "names that are refused": lambda w: refused(lambda: pt.get_frame_jacobian(w.model, w.data, "nowhere")),
    "keywords that are refused": lambda w: refused(lambda: pt.integrate(w.model, w.q, other=w.v)),
    "types that are refused": lambda w: refused(lambda: pt.forward_kinematics(w.model, 3, w.q)),
    "arrays that are refused": lambda w: refused(
        lambda: pt.compute_frame_jacobian(w.model, w.data, w.q, w.frame, out=w.q)
    ),
}

#: Calls that take so long that fewer of them have to do.
SLOW = {"batch on threads": 20, "Lie Jacobians": 4, "names that are refused": 20, "d_difference": 2}


def refused(call):
    try:
        call()
    except (PantinError, TypeError):
        return
    raise AssertionError("not refused")


def repeat(call, world, count):
    for _ in itertools.repeat(None, count):
        call(world)


def test_calls_by_the_million_leave_memory_flat():
    world = World(arm())
    total = 0
    for call in CASES.values():
        repeat(call, world, 200)
    for name, call in CASES.items():
        count = CALLS // SLOW.get(name, 1)
        # what a warm allocator holds is settled after the first part
        repeat(call, world, count // 3)
        before = resident()
        repeat(call, world, count)
        grown = resident() - before
        total += count + count // 3
        assert grown < ALLOWED * min(1.0, count / CALLS) + 150_000, f"{name}: {grown} bytes in {count} calls"
    assert total > 1_000_000


@pytest.mark.parametrize("make", [arm, every_kind, mimic_tree])
def test_dropped_models_and_data_are_freed(make):
    model = make()
    data = model.create_data()
    pt.forward_kinematics(model, data, configuration(model, 0))
    model_alive, data_alive = weakref.ref(model), weakref.ref(data)
    pose, view = data.oMi[1], data.J
    del data
    gc.collect()
    assert data_alive() is not None  # views keep it
    del pose, view
    gc.collect()
    assert data_alive() is None
    del model
    gc.collect()
    assert model_alive() is None


def test_models_that_come_and_go_leave_memory_flat():
    def cycle():
        model = Model()
        for i in range(5):
            model.add_joint(i, JointModelRX(), SE3.Identity(), f"j{i}")
        data = model.create_data()
        pt.forward_kinematics(model, data, np.zeros(5))
        model.inertias[1].mass = 1.0
        pickle.loads(pickle.dumps((model.copy(), model.create_data())))

    for _ in range(50):
        cycle()
    before = resident()
    for _ in range(500):
        cycle()
    assert resident() - before < 1_500_000  # a model with its data is some ten thousand bytes


def test_results_are_freed():
    model = arm()
    rows = np.zeros((1000, 7))
    batch.frame_jacobians(model, 7, rows)
    before = resident()
    for _ in range(300):
        batch.frame_jacobians(model, 7, rows)  # 336000 bytes each
    assert resident() - before < 3_000_000
