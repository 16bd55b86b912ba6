"""What a run says happened is what happened, by kinematics of others; and files say the same as it does."""

import dataclasses
import sys

import numpy as np
import pytest
from scenarios import CIRCLE

import pantin
import pantin.kinematics as kin
from pantin.errors import InvalidArgument, MissingExtra
from pantin.kinematics.configurations import configuration_from_dict
from pantin.kinematics.labels import joint_values
from pantin.tracking import Measure, Scenario, shipped
from pantin.version import __version__


@pytest.fixture(scope="module")
def circle():
    return Scenario(CIRCLE).run()


@pytest.fixture(scope="module")
def shown():
    """All that ship, run once."""
    return {name: Scenario.load(name).run() for name in shipped.names()}


def test_rows_are_the_start_and_the_ends_of_steps(circle):
    assert len(circle) == 100
    np.testing.assert_allclose(circle.time, 0.01 * np.arange(101), atol=1e-15)
    assert circle.status[0] == "start"
    assert set(circle.status[1:]) == {"solved"}
    assert circle.statuses == {"solved": 100}
    np.testing.assert_array_equal(circle.v[0], 0.0)
    for k in range(100):
        reached = kin.integrate(circle.model, circle.q[k], 0.01 * circle.v[k + 1])
        np.testing.assert_allclose(circle.q[k + 1], reached, atol=1e-15)


def test_hand_goes_where_the_motion_leads_by_pinocchio(circle):
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is the witness here")
    model = pin.buildModelFromUrdf(str(pantin.samples.path("panda")))
    data = model.createData()
    frame = model.getFrameId("panda_hand")
    poses = []
    for q in circle.q:
        pin.framesForwardKinematics(model, data, q)
        poses.append(data.oMf[frame].copy())
    lagging = np.where(circle.time < 0.2, circle.time**2 / 0.4, circle.time - 0.1)
    angle = np.pi * lagging
    start = poses[0].translation
    turned = 0.05 * np.stack([np.cos(angle) - 1, np.sin(angle), 0 * angle], axis=1)
    for pose, place, (position_error, rotation_error, _) in zip(poses, start + turned, circle.errors, strict=True):
        error = pin.log6(pose.actInv(pin.SE3(poses[0].rotation, place))).vector
        assert np.linalg.norm(error[:3]) == pytest.approx(position_error, abs=1e-12)
        assert np.linalg.norm(error[3:]) == pytest.approx(rotation_error, abs=1e-12)
        assert np.linalg.norm(error) < 1e-4


def test_limits_of_the_scenario_are_those_that_count(circle):
    assert circle.velocity_ratio.max() <= 1.0 + 1e-9
    steps = np.diff(np.concatenate([circle.v]), axis=0) / 0.01
    assert np.abs(steps).max() <= 100.0 * (1.0 + 1e-9)
    slow = Scenario(
        CIRCLE.replace('kind = "velocity"', 'kind = "velocity"\nvelocity_limit = {panda_joint1 = 0.05}')
    ).run()
    assert slow.velocity_limit[0] == 0.05
    np.testing.assert_array_equal(slow.velocity_limit[1:], circle.model.velocity_limit[1:])
    assert np.abs(slow.v[:, 0]).max() == pytest.approx(0.05, rel=1e-9)
    ratio, joint, when = slow.worst_velocity
    assert (ratio, joint) == (pytest.approx(1.0, rel=1e-9), "panda_joint1")
    assert abs(slow.v[round(when / 0.01), 0]) == pytest.approx(0.05, rel=1e-9)
    assert slow.at_limit.sum() > 10
    assert not circle.at_limit.any()


def test_margins_are_distances_from_the_nearer_limit(circle):
    assert circle.limited_names == circle.model.names[1:]
    for k in (0, 40, 100):
        for i, q in enumerate(circle.q[k]):
            low, high = circle.model.lower_position_limit[i], circle.model.upper_position_limit[i]
            assert circle.margin[k, i] == pytest.approx(min(abs(q - low), abs(high - q)), abs=1e-15)


def test_runs_are_alike_and_tell_how_far_they_are(circle):
    scenario, told = Scenario(CIRCLE), []
    again = scenario.run(lambda done, total: told.append((done, total)))
    for name in ("q", "v", "errors", "status"):
        np.testing.assert_array_equal(getattr(again, name), getattr(circle, name))
    assert told == [(64, 100), (100, 100)]
    np.testing.assert_array_equal(scenario.run().q, circle.q)


def test_an_interrupted_run_leaves_the_scenario_as_it_was(circle):
    def stop(done, total):
        raise KeyboardInterrupt

    scenario = Scenario(CIRCLE)
    with pytest.raises(KeyboardInterrupt):
        scenario.run(stop)
    np.testing.assert_array_equal(scenario.run().q, circle.q)


def test_success_is_a_matter_of_tolerances_and_of_statuses(circle):
    assert circle.success
    assert [measure.label for measure in circle.measures] == ["hand position", "hand rotation", "posture"]
    assert [measure.unit for measure in circle.measures] == ["m", "rad", "rad"]
    strict = [measure._replace(tolerance=1e-12) for measure in circle.measures]
    assert not dataclasses.replace(circle, measures=strict).success
    for word, good in (("returning", True), ("standing", True), ("infeasible", False), ("not_finite", False)):
        status = circle.status.astype(object)
        status[3] = word
        assert dataclasses.replace(circle, status=status.astype(str)).success == good


def test_what_cannot_go_together_is_told():
    text = CIRCLE.replace("cost = 1e-3", "cost = 1e-3\nconstraint = true").replace(
        "tolerance =", "constraint = true\ntolerance ="
    )
    trajectory = Scenario(text).run()
    assert trajectory.statuses.get("infeasible", 0) > 50
    assert {"task 'hand'", "task 'posture'"} <= trajectory.conflicts.keys()
    assert trajectory.conflicts.keys() - {"task 'hand'", "task 'posture'", "limit 2"} == {
        name for name in trajectory.conflicts if name.startswith("the limits of joint 'panda_joint")
    }
    assert max(trajectory.conflicts.values()) <= trajectory.statuses["infeasible"]
    assert not trajectory.success
    assert np.isfinite(trajectory.v).all()


def test_constraints_count_whole_and_costs_of_zero_do_not():
    free = CIRCLE.replace("orientation_cost = 0.5", "orientation_cost = 0").replace("[1e-3, 1e-2]", "1e-3")
    assert [measure.label for measure in Scenario(free).run().measures] == ["hand position", "posture"]
    held = free.replace("tolerance", "constraint = true\ntolerance")
    assert [measure.label for measure in Scenario(held).run().measures] == ["hand position", "hand rotation", "posture"]


def test_parquet_file_says_the_same(circle, tmp_path):
    pq = pytest.importorskip("pyarrow.parquet")
    circle.to_parquet(tmp_path / "circle.parquet")
    table = pq.read_table(tmp_path / "circle.parquet")
    np.testing.assert_array_equal(table["time"], circle.time)
    assert table["status"].to_pylist() == circle.status.tolist()
    for i, name in enumerate(circle.model.names[1:]):
        np.testing.assert_array_equal(table[f"q.{name}"], circle.q[:, i])
        np.testing.assert_array_equal(table[f"v.{name}"], circle.v[:, i])
        np.testing.assert_array_equal(table[f"margin.{name}"], circle.margin[:, i])
    for column, errors in zip(("hand.position", "hand.rotation", "posture"), circle.errors.T, strict=True):
        np.testing.assert_array_equal(table[f"error.{column}"], errors)
    assert table.num_columns == 2 + 3 * 7 + 3
    facts = {key.decode(): value.decode() for key, value in table.schema.metadata.items() if key.startswith(b"pantin")}
    assert facts == {
        "pantin.version": __version__,
        "pantin.model": "panda",
        "pantin.name": "circle",
        "pantin.scenario": CIRCLE,
    }
    np.testing.assert_array_equal(Scenario(facts["pantin.scenario"]).run().q, circle.q)


def test_configurations_of_free_and_continuous_joints_come_back_from_the_file(shown, tmp_path):
    pq = pytest.importorskip("pyarrow.parquet")
    rolled = shown["wheeled_biped"]
    rolled.to_parquet(tmp_path / "rolled.parquet")
    table = pq.read_table(tmp_path / "rolled.parquet").slice(700, 1).to_pylist()[0]
    values = {}
    for value in joint_values(rolled.model, rolled.q):
        values.setdefault(value.joint, []).append(table[f"q.{value.label}"])
    np.testing.assert_allclose(configuration_from_dict(rolled.model, values), rolled.q[700], atol=1e-14)
    assert {f"v.root_joint.{part}" for part in ("vx", "vy", "vz", "wx", "wy", "wz")} <= table.keys()


def test_files_appear_whole_or_not_at_all(circle, tmp_path, monkeypatch):
    pq = pytest.importorskip("pyarrow.parquet")
    place = tmp_path / "circle.parquet"
    place.write_text("what was there")

    def break_down(table, path):
        path.write_text("half of it")
        raise OSError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(pq, "write_table", break_down)
        with pytest.raises(InvalidArgument, match=r"path: cannot write .*the disk is full"):
            circle.to_parquet(place)
    assert [path.name for path in tmp_path.iterdir()] == ["circle.parquet"]
    assert place.read_text() == "what was there"
    with pytest.raises(InvalidArgument, match=r"path: expected a name that ends in \.parquet"):
        circle.to_parquet(tmp_path / "circle.csv")
    with pytest.raises(InvalidArgument, match="path: there is no folder"):
        circle.to_parquet(tmp_path / "no" / "circle.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"a trajectory in a Parquet file needs the package 'pyarrow'"):
        circle.to_parquet(place)


@pytest.mark.parametrize("name", shipped.names())
def test_shipped_scenarios_are_as_they_should_be(shown, name):
    trajectory = shown[name]
    assert trajectory.success
    assert Scenario.load(name).about
    assert trajectory.velocity_ratio.max() <= 1.0 + 1e-9
    assert trajectory.margin.min(initial=1.0) >= -1e-9
    held = [i for i, measure in enumerate(trajectory.measures) if measure.tolerance < np.inf]
    assert len(held) >= 2
    assert (trajectory.errors[:, held] <= trajectory.tolerances[held]).all()  # not only at the end
    assert np.abs(trajectory.v).max() > 0.05


def test_what_the_scenarios_show_happens(shown):
    wheels = shown["wheeled_biped"]
    assert wheels.q[:, 0].max() == pytest.approx(1.2, abs=0.01)
    first = wheels.model.joints[wheels.model.get_joint_id("left_hip")].idx_v
    turned = wheels.dt * np.cumsum(
        wheels.v[:, first : first + 3].sum(axis=1)
    )  # hip, knee and wheel turn about one axis
    hub = kin.batch.frame_placements(wheels.model, "left_tire", wheels.q)[:, 0, 3]
    np.testing.assert_allclose(0.08 * turned, hub - hub[0], atol=5e-4)  # of 2.4 m, in steps of first order
    loop = shown["closed_loop"]
    assert np.ptp(loop.q, axis=0).min() > 0.1
    squat = shown["humanoid_squat"]
    assert np.ptp(squat.q[:, 2]) > 0.1
    assert shown["arm_circle"].at_limit.sum() > 100


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_pictures_are_written(circle, tmp_path, ending):
    pytest.importorskip("matplotlib")
    figure = circle.plot(tmp_path / f"circle.{ending}")
    assert (tmp_path / f"circle.{ending}").stat().st_size > 5000
    labels = [axes.get_ylabel() for axes in figure.axes]
    assert labels == ["error (m)", "error (rad)", "speed", "joint in\nits range"]
    words = {text.get_text() for axes in figure.axes for text in axes.texts}
    assert {"hand position", "hand rotation", "posture"} <= words
    assert figure.texts[0].get_text() == "circle: done"


def test_pictures_show_what_went_wrong_and_what_there_is(circle, tmp_path):
    pytest.importorskip("matplotlib")
    status = circle.status.astype(object)
    status[[3, 4, 9]] = "infeasible"
    figure = dataclasses.replace(circle, status=status.astype(str)).plot()
    assert figure.texts[0].get_text() == "circle: not as it should be"
    assert "3 infeasible" in figure.texts[1].get_text()
    grounds = [patch for patch in figure.axes[0].patches if patch.get_x() > 0.0]
    assert [(patch.get_x(), patch.get_width()) for patch in grounds] == [
        (pytest.approx(0.025), pytest.approx(0.02)),
        (pytest.approx(0.085), pytest.approx(0.01)),
    ]
    bare = Scenario("[scenario]\ndt = 0.1\nduration = 0.1\n", model=pantin.kinematics.Model()).run()
    assert not bare.plot().axes[0].lines
    with pytest.raises(InvalidArgument, match="path: expected a picture such as"):
        circle.plot(tmp_path / "circle.parquet")


def test_a_trajectory_says_what_it_is(circle):
    assert repr(circle) == "Trajectory(circle of panda, 100 steps: 100 solved)"


def test_measures_are_called_by_task_and_part():
    assert Measure("hand", "position", "m").label == "hand position"
    assert Measure("com", "", "m").label == "com"
