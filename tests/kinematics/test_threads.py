"""Threads that share a model, each with its own data, compute what one thread computes, to the bit."""

from __future__ import annotations

import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import pantin.kinematics as pt
from models import arm, configuration, every_kind, mimic_tree, velocity
from pantin.errors import PantinError
from pantin.kinematics import SE3, JointModelRX, batch

MODELS = {"arm": arm, "every kind": every_kind, "mimics": mimic_tree}


@pytest.fixture(autouse=True)
def eager_switching():
    """Threads take turns often, so that races are met."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def work(model, seed):
    """Everything of one configuration, with a data of its own."""
    data = model.create_data()
    q, v, a = configuration(model, seed), velocity(model, seed), velocity(model, seed + 1)
    results = []
    for _ in range(5):
        pt.forward_kinematics(model, data, q, v, a)
        pt.update_frame_placements(model, data)
        pt.jacobian_center_of_mass(model, data)
        results = [
            data._buffer().copy(),
            pt.get_frame_jacobian(model, data, model.nframes - 1),
            pt.compute_frame_jacobian(model, data, q, model.nframes - 1),
            pt.integrate(model, q, v),
            pt.difference(model, q, configuration(model, seed + 2)),
            pt.d_difference(model, q, configuration(model, seed + 2)),
            pt.dynamics.rnea(model, data, q, v, a),
            pt.dynamics.aba(model, data, q, v, a),
            pt.dynamics.crba(model, data, q),
            batch.frame_jacobians(model, 3, np.tile(q, (9, 1))),
        ]
    return results


@pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)
def test_threads_sharing_a_model_give_the_bits_of_one(make):
    model = make()
    seeds = range(16)
    expected = [work(make(), seed) for seed in seeds]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda seed: work(model, seed), seeds))
    for one, other in zip(found, expected, strict=True):
        for a, b in zip(one, other, strict=True):
            np.testing.assert_array_equal(a, b)


def test_threads_may_race_for_the_first_computation():
    # each thread asks for something else of a model that nobody compiled
    asks = [
        lambda model: model.create_data(),
        lambda model: pt.integrate(model, pt.neutral(model), np.zeros(model.nv)),
        lambda model: pt.difference(model, pt.neutral(model), pt.neutral(model)),
        lambda model: batch.center_of_mass(model, pt.neutral(model)),
        lambda model: pt.d_integrate(model, pt.neutral(model), np.zeros(model.nv)),
        lambda model: pt.forward_kinematics(model, model.create_data(), pt.neutral(model)),
        lambda model: pt.distance(model, pt.neutral(model), pt.neutral(model)),
        lambda model: model.copy().create_data(),
    ]
    for _ in range(30):
        model = every_kind()
        barrier, errors, trees = threading.Barrier(len(asks)), [], set()

        def ask(question, model=model, barrier=barrier, errors=errors, trees=trees):
            try:
                barrier.wait()
                question(model)
                trees.add(model._tree)
            except Exception as error:
                errors.append(error)

        workers = [threading.Thread(target=ask, args=(question,)) for question in asks]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        assert not errors
        assert len(trees - {None}) == 1  # None where the question was for a copy


def test_batches_on_threads_within_threads_agree():
    model = every_kind()
    rows = np.array([configuration(model, seed) for seed in range(100)])
    expected = batch.frame_jacobians(model, 5, rows)
    with ThreadPoolExecutor(6) as pool:
        results = pool.map(lambda n: batch.frame_jacobians(model, 5, rows, threads=n), [1, 2, 3, 4, 5, 6] * 5)
        for result in results:
            np.testing.assert_array_equal(result, expected)


def longest_gap(call):
    """Part of a call's time for which another thread was kept from running, at most."""
    running, ticks = threading.Event(), []

    def tick():
        running.set()
        while running.is_set():
            ticks.append(time.perf_counter())

    ticker = threading.Thread(target=tick)
    ticker.start()
    running.wait()
    begin = time.perf_counter()
    call()
    end = time.perf_counter()
    running.clear()
    ticker.join()
    within = [begin, *(t for t in ticks if begin < t < end), end]
    return max(np.diff(within)) / (end - begin)


def test_batches_release_the_interpreter():
    model = every_kind()
    rows = np.tile(pt.neutral(model), (200_000, 1))
    out = np.empty((200_000, 3))
    # other processes may keep a thread from running, too, but not each time
    assert min(longest_gap(lambda: batch.center_of_mass(model, rows, out=out)) for _ in range(5)) < 0.7


def test_a_model_may_grow_between_the_computations_of_others():
    # one thread edits, others hold a data of the version before: they are told, never served wrong numbers
    model = arm()
    q = configuration(model, 0)
    data = model.create_data()
    pt.forward_kinematics(model, data, q)
    expected = data.oMi[7].homogeneous.copy()
    stop, wrong, told = threading.Event(), [], []

    def compute():
        own = model.create_data()
        while not stop.is_set():
            try:
                own = model.create_data()
                pt.forward_kinematics(model, own, np.concatenate([q, np.zeros(own._tree.nq - 7)]))
            except PantinError:
                told.append(1)
                continue
            if not np.array_equal(own.oMi[7].homogeneous, expected):
                wrong.append(own.oMi[7].homogeneous)

    workers = [threading.Thread(target=compute) for _ in range(3)]
    for worker in workers:
        worker.start()
    for i in range(60):
        model.add_joint(0, JointModelRX(), SE3.Identity(), f"new_{i}")
        time.sleep(1e-3)
    stop.set()
    for worker in workers:
        worker.join()
    assert not wrong
    pt.forward_kinematics(model, model.create_data(), np.concatenate([q, np.zeros(60)]))
