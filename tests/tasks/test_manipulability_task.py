"""A frame that keeps away from singular poses: the index, its gradient for all masks, frames and joints."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from task_cases import DIFFERENCE, TOLERANCE, derivative, frame_pair, pinker_place, place, robot

import pantin.kinematics as pt
from pantin.errors import InvalidArgument, UnknownFrame
from pantin.kinematics import ReferenceFrame
from pantin.tasks import ManipulabilityTask

pinker = pytest.importorskip("pinker")

MASKS = [None, "position", "orientation", "planar_xy", [1, 0, 0, 1, 0, 1]]
FRAMES = list(ReferenceFrame)


def index(task):
    return lambda configuration: np.array([task.compute_manipulability(configuration)])


@pytest.mark.parametrize("reference_frame", FRAMES)
@pytest.mark.parametrize("name", ["ur5", "every kind", "mimics"])
def test_jacobian_is_the_derivative_of_the_index(name, reference_frame):
    model = robot(name)
    here, frame = place(model, 3), frame_pair(model)[0]
    for mask in MASKS:
        task = ManipulabilityTask(frame, model, reference_frame=reference_frame, mask=mask)
        slope = derivative(index(task), here)
        scale = max(1.0, index(task)(here)[0], np.abs(slope).max())
        np.testing.assert_allclose(task.compute_jacobian(here), slope, atol=DIFFERENCE * scale)


@pytest.mark.parametrize("reference_frame", FRAMES)
@pytest.mark.parametrize("name", ["ur5", "every kind"])
def test_hessian_is_the_derivative_of_the_jacobian(name, reference_frame):
    model = robot(name)
    here, frame = place(model, 3), frame_pair(model)[0]
    task = ManipulabilityTask(frame, model, reference_frame=reference_frame)
    frame_id = model.get_frame_id(frame)

    def jacobian(configuration):
        return pt.get_frame_jacobian(model, configuration.data, frame_id, reference_frame).ravel()

    H = derivative(jacobian, here).T.reshape(model.nv, 6, model.nv)
    np.testing.assert_allclose(task.compute_kinematic_hessian(here), H, atol=DIFFERENCE * max(1.0, np.abs(H).max()))
    task.mask = "planar_xy"
    np.testing.assert_allclose(
        task.compute_kinematic_hessian(here), H[:, :2], atol=DIFFERENCE * max(1.0, np.abs(H).max())
    )


@pytest.mark.parametrize(("name", "frame"), [("ur5", "tool0"), ("panda", "panda_link8")])
def test_index_and_error_are_pinkers_and_so_is_the_gradient_where_that_is_right(name, frame):
    import pinker.kinematics as pk

    model = robot(name)
    here = place(model, 3)
    other = pinker_place(name, here)
    pairs = [(ReferenceFrame.LOCAL, pk.ReferenceFrame.LOCAL), (ReferenceFrame.WORLD, pk.ReferenceFrame.WORLD)]
    for (mine, pinkers), mask in itertools.product(pairs, MASKS[:4]):
        ours = ManipulabilityTask(frame, model, 2.0, reference_frame=mine, mask=mask)
        theirs = pinker.tasks.ManipulabilityTask(frame, other.model, 2.0, reference_frame=pinkers, mask=mask)
        np.testing.assert_allclose(
            ours.compute_manipulability(here), theirs.compute_manipulability(other), atol=TOLERANCE
        )
        np.testing.assert_array_equal(ours.compute_error(here), theirs.compute_error(other))
        if mask in (None, "orientation"):
            np.testing.assert_allclose(ours.compute_jacobian(here), theirs.compute_jacobian(other), atol=TOLERANCE)
        assert repr(ours) == repr(theirs)
        np.testing.assert_array_equal(ours.mask if mask else [], theirs.mask if mask else [])


@pytest.mark.parametrize(("reference", "mask"), [("WORLD", "position"), ("WORLD", "planar_xy"), ("LOCAL", "planar_xy")])
def test_elsewhere_pinkers_gradient_is_another(reference, mask):
    import pinker.kinematics as pk

    model = robot("ur5")
    here = place(model, 3)
    other = pinker_place("ur5", here)
    ours = ManipulabilityTask("tool0", model, reference_frame=ReferenceFrame[reference], mask=mask)
    frame = getattr(pk.ReferenceFrame, reference)
    theirs = pinker.tasks.ManipulabilityTask("tool0", other.model, reference_frame=frame, mask=mask)
    slope = derivative(index(ours), here)
    assert np.abs(theirs.compute_jacobian(other) - slope).max() > 0.1 * np.abs(slope).max()


def test_steps_along_the_gradient_make_the_index_grow():
    model = robot("panda")
    here = place(model, 1)
    task = ManipulabilityTask("panda_link8", model, manipulability_rate=1e-4)
    for _ in range(20):
        before, J = task.compute_manipulability(here), task.compute_jacobian(here)[0]
        here = here.integrate(1e-4 * J / (J @ J), 1.0)
        assert 0.9e-4 < task.compute_manipulability(here) - before < 1.1e-4


def test_a_singular_pose_has_no_gradient():
    model = robot("ur5")
    for q in (np.zeros(6), np.array([0.3, 0.0, 0.0, 0.0, 0.0, 0.0])):
        here = place(model, 0)
        here.update(q)
        task = ManipulabilityTask("tool0", model)
        np.testing.assert_allclose(task.compute_manipulability(here), 0.0, atol=1e-7)
        assert np.abs(task.compute_jacobian(here)).max() < 1.0
    few = robot("RX")  # four columns
    J = ManipulabilityTask(frame_pair(few)[0], few).compute_jacobian(place(few, 0))
    np.testing.assert_array_equal(J, np.zeros((1, 4)))


def test_parts_are_live():
    model = robot("panda")
    here = place(model, 1)
    task, other = ManipulabilityTask("panda_link8", model), ManipulabilityTask("panda_link8", model, mask="position")
    task.manipulability_rate = -0.3
    np.testing.assert_array_equal(task.compute_error(here), [0.3])
    task.mask = np.array([1, 1, 1, 0, 0, 0])
    np.testing.assert_array_equal(task.compute_jacobian(here), other.compute_jacobian(here))
    task.mask = None
    assert task.mask is None
    task.reference_frame = ReferenceFrame.WORLD
    assert task.reference_frame is ReferenceFrame.WORLD


def test_what_it_is_made_of_is_checked():
    model = robot("panda")
    with pytest.raises(UnknownFrame):
        ManipulabilityTask("panda_link9", model)
    for mask in ("planar", [1, 1, 1], [0] * 6, [0.5] * 6, [np.nan] * 6, 3):
        with pytest.raises(InvalidArgument, match=r"^mask: "):
            ManipulabilityTask("panda_link8", model, mask=mask)
    with pytest.raises(InvalidArgument, match=r"^reference_frame: "):
        ManipulabilityTask("panda_link8", model, reference_frame=7)
    with pytest.raises(InvalidArgument, match=r"^manipulability_rate: "):
        ManipulabilityTask("panda_link8", model, manipulability_rate=np.nan)
