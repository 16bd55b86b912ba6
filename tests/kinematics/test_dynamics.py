"""Laws of dynamics on trees of every joint kind, closed forms, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from dynamic_cases import ROUNDING, TREES, Case, armed, close, freed, freed_configuration

import pantin.kinematics as pt
from models import SINGLE, arm, every_kind, mimic_tree, random_pose, random_tree, velocity
from pantin.errors import InvalidArgument, InvalidModel, StaleData
from pantin.kinematics import SE3, Inertia, Model, Motion

#: Central differences with this step are off by its square and by rounding divided by it.
STEP, DIFFERENCE = 1e-5, 1e-7


@pytest.fixture(params=TREES)
def case(request):
    return Case(TREES[request.param]())


# -- laws --------------------------------------------------------------------------------------------


def test_torques_are_mass_times_acceleration_plus_bias(case):
    torques = pt.rnea(*case.at_q, case.v, case.a)
    close(torques, pt.crba(*case.at_q) @ case.a + pt.non_linear_effects(*case.at_q, case.v))


def test_forward_dynamics_inverts_inverse_dynamics(case):
    torques = pt.rnea(*case.at_q, case.v, case.a, case.forces)
    close(pt.aba(*case.at_q, case.v, torques, case.forces), case.a, 1e-9)  # the matrices' conditions reach 1e4


def test_external_forces_act_through_the_jacobians(case):
    free = pt.rnea(*case.at_q, case.v, case.a)
    close(pt.rnea(*case.at_q, case.v, case.a, case.forces), free - case.torques_of_forces())
    gravity = pt.compute_generalized_gravity(*case.at_q)
    close(pt.compute_static_torque(*case.at_q, case.forces), gravity - case.torques_of_forces())


def test_gravity_is_the_bias_at_rest(case):
    rest = np.zeros(case.model.nv)
    gravity = pt.compute_generalized_gravity(*case.at_q)
    close(gravity, pt.non_linear_effects(*case.at_q, rest))
    close(gravity, pt.rnea(*case.at_q, rest, rest))


def test_gravity_is_the_gradient_of_the_potential_energy(case):
    def potential(direction):
        moved = pt.integrate(case.model, case.q, direction)
        return pt.compute_potential_energy(case.model, case.data, moved)

    steps = STEP * np.eye(case.model.nv)
    gradient = [(potential(step) - potential(-step)) / (2.0 * STEP) for step in steps]
    close(pt.compute_generalized_gravity(*case.at_q), gradient, DIFFERENCE)


def test_power_of_the_torques_is_the_change_of_energy(case):
    def energy(dt):
        return pt.compute_mechanical_energy(case.model, case.data, *case.after(dt))

    change = (energy(STEP) - energy(-STEP)) / (2.0 * STEP)
    close(pt.rnea(*case.at_q, case.v, case.a) @ case.v, change, DIFFERENCE)


def test_kinetic_energy_is_that_of_the_mass_matrix(case):
    energy = pt.compute_kinetic_energy(*case.at_q, case.v)
    assert energy == pytest.approx(0.5 * case.v @ pt.crba(*case.at_q) @ case.v, rel=ROUNDING)


def test_mass_matrix_is_symmetric_and_positive(case):
    matrix = pt.crba(*case.at_q)
    np.testing.assert_array_equal(matrix, matrix.T)
    assert np.linalg.eigvalsh(matrix).min() > 0.0


def test_rotors_add_to_the_diagonal():
    plain, with_rotors = Case(every_kind(3)), Case(armed())
    difference = pt.crba(*with_rotors.at_q) - pt.crba(*plain.at_q)
    close(difference, np.diag(with_rotors.model.armature))


def test_centroidal_map_takes_velocities_to_momentum(case):
    momentum = pt.compute_centroidal_momentum(*case.at_q, case.v)
    close(pt.compute_centroidal_map(*case.at_q) @ case.v, momentum)
    close(pt.ccrba(*case.at_q, case.v) @ case.v, momentum)
    close(case.data.hg, momentum)


def test_linear_momentum_is_the_mass_times_the_velocity_of_its_centre(case):
    momentum = pt.compute_centroidal_momentum(*case.at_q, case.v)
    centre = np.array(case.data.com[0])
    close(momentum[:3], case.data.mass[0] * (pt.jacobian_center_of_mass(*case.at_q) @ case.v))
    close(centre, pt.center_of_mass(*case.at_q))


def test_momentum_changes_by_the_weight_and_the_force_on_the_root():
    case = Case(random_tree(["free", "RX", "ball", "P", "H"], 2, chain=True))

    def momentum(dt):
        return pt.compute_centroidal_momentum(case.model, case.data, *case.after(dt))

    change = (momentum(STEP) - momentum(-STEP)) / (2.0 * STEP)
    root = pt.rnea(*case.at_q, case.v, case.a)[:6]  # the wrench that holds the free flyer, in its frame
    centre, pose = pt.center_of_mass(*case.at_q), case.data.oMi[1]
    force = pose.rotation @ root[:3]
    moment = pose.rotation @ root[3:] + np.cross(pose.translation - centre, force)
    close(change, np.concatenate([force + case.data.mass[0] * case.model.gravity, moment]), DIFFERENCE)


def test_without_gravity_nothing_weighs():
    case = Case(every_kind(1))
    case.model.gravity = np.zeros(3)
    case.data = case.model.create_data()
    assert pt.compute_potential_energy(*case.at_q) == 0.0
    np.testing.assert_array_equal(pt.compute_generalized_gravity(*case.at_q), 0.0)


# -- mimic joints ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_mimics_are_the_free_tree_seen_through_their_map(seed):
    case = Case(mimic_tree(seed), seed)
    free, S = freed(case.model)
    state = (free, free.create_data(), freed_configuration(case.model, free, case.q))
    torques = S.T @ pt.rnea(*state, S @ case.v, S @ case.a, case.forces)
    close(pt.rnea(*case.at_q, case.v, case.a, case.forces), torques)
    close(pt.crba(*case.at_q), S.T @ pt.crba(*state) @ S)
    close(pt.aba(*case.at_q, case.v, torques, case.forces), case.a, 1e-9)
    close(pt.compute_generalized_gravity(*case.at_q), S.T @ pt.compute_generalized_gravity(*state))
    close(pt.compute_centroidal_map(*case.at_q), pt.compute_centroidal_map(*state) @ S)
    energy = pt.compute_mechanical_energy(*state, S @ case.v)
    assert pt.compute_mechanical_energy(*case.at_q, case.v) == pytest.approx(energy, rel=ROUNDING)


# -- closed forms ------------------------------------------------------------------------------------


def pendulum(mass=2.0, length=0.7, inertia=0.1):
    """A rod that hangs from a hinge along y."""
    model = Model()
    joint = model.add_joint(0, pt.JointModelRY(), SE3.Identity(), "hinge")
    model.append_body_to_joint(joint, Inertia(mass, [0.0, 0.0, -length], inertia * np.eye(3)))
    return model


def test_pendulum_has_its_closed_form():
    model = pendulum()
    data, angle = model.create_data(), np.array([0.4])
    inertia, torque = 0.1 + 2.0 * 0.7**2, 2.0 * 9.81 * 0.7 * np.sin(0.4)
    close(pt.crba(model, data, angle), [[inertia]])
    close(pt.rnea(model, data, angle, [3.0], [0.0]), [torque])
    close(pt.aba(model, data, angle, [3.0], [0.0]), [-torque / inertia])
    assert pt.compute_potential_energy(model, data, angle) == pytest.approx(-2.0 * 9.81 * 0.7 * np.cos(0.4))


def test_two_link_arm_has_its_closed_form():
    # Spong, Hutchinson, Vidyasagar 2006, section 7.4.1: planar elbow arm, gravity along -y
    l1, c1, c2, m1, m2, i1, i2, g = 0.8, 0.3, 0.4, 1.5, 0.9, 0.05, 0.03, 9.81
    model = Model()
    model.gravity = [0.0, -g, 0.0]
    shoulder = model.add_joint(0, pt.JointModelRZ(), SE3.Identity(), "shoulder")
    elbow = model.add_joint(shoulder, pt.JointModelRZ(), SE3(np.eye(3), [l1, 0.0, 0.0]), "elbow")
    model.append_body_to_joint(shoulder, Inertia(m1, [c1, 0.0, 0.0], np.diag([0.0, i1, i1])))
    model.append_body_to_joint(elbow, Inertia(m2, [c2, 0.0, 0.0], np.diag([0.0, i2, i2])))
    q, v, data = np.array([0.5, -1.1]), np.array([0.7, 2.0]), model.create_data()

    h = -m2 * l1 * c2 * np.sin(q[1])
    cross = m2 * (c2**2 + l1 * c2 * np.cos(q[1])) + i2
    first = m1 * c1**2 + m2 * (l1**2 + c2**2 + 2.0 * l1 * c2 * np.cos(q[1])) + i1 + i2
    close(pt.crba(model, data, q), [[first, cross], [cross, m2 * c2**2 + i2]])
    outer = m2 * c2 * g * np.cos(q[0] + q[1])
    gravity = np.array([(m1 * c1 + m2 * l1) * g * np.cos(q[0]) + outer, outer])
    close(pt.compute_generalized_gravity(model, data, q), gravity)
    coriolis = np.array([h * (2.0 * v[0] * v[1] + v[1] ** 2), -h * v[0] ** 2])
    close(pt.non_linear_effects(model, data, q, v), coriolis + gravity)


def test_nut_on_a_screw_moves_by_both_its_inertias():
    lead, mass, inertia = 0.02, 3.0, 0.004
    model = Model()
    joint = model.add_joint(0, pt.JointModelHZ(lead), SE3.Identity(), "screw")
    model.append_body_to_joint(joint, Inertia(mass, None, inertia * np.eye(3)))
    per_radian = lead / (2.0 * np.pi)
    close(pt.crba(model, model.create_data(), [0.3]), [[inertia + mass * per_radian**2]])
    close(pt.compute_generalized_gravity(model, model.create_data(), [0.3]), [mass * 9.81 * per_radian])


def test_free_body_falls_and_spins_by_eulers_equations():
    model = random_tree(["free"], 1)
    case = Case(model, 1)
    body, spin = model.inertias[1], case.v[3:]
    fall = pt.aba(*case.at_q, case.v, np.zeros(6))
    gyration = np.linalg.solve(body.inertia, -np.cross(spin, body.inertia @ spin))
    close(fall[3:], gyration)


def test_velocity_is_taken_in_the_joints_own_frame():
    """A free flyer's velocity turns with it: momentum of a spinning and moving box."""
    model = Model()
    model.add_joint(0, pt.JointModelFreeFlyer(), SE3.Identity(), "box")
    model.append_body_to_joint(1, Inertia.FromBox(2.0, 0.1, 0.2, 0.3))
    q = pt.random_configuration(model, 3)
    v = velocity(model, 3)
    data = model.create_data()
    momentum = pt.compute_centroidal_momentum(model, data, q, v)
    rotation = data.oMi[1].rotation
    close(momentum[:3], 2.0 * rotation @ v[:3])
    close(momentum[3:], rotation @ model.inertias[1].inertia @ v[3:])


# -- far from the world's origin ---------------------------------------------------------------------


def test_a_robot_far_away_is_the_same_robot():
    near = Case(random_tree(["free", "RX", "R", "ball", "P", "RY"], 6), 6)
    far = Case(near.model, 6)
    far.q[:3] += [1e4, -2e4, 1.5e4]
    close(pt.crba(*far.at_q), pt.crba(*near.at_q), 1e-9)
    close(pt.rnea(*far.at_q, far.v, far.a), pt.rnea(*near.at_q, near.v, near.a), 1e-9)
    close(pt.aba(*far.at_q, far.v, far.a), pt.aba(*near.at_q, near.v, near.a), 1e-8)
    close(pt.compute_centroidal_map(*far.at_q), pt.compute_centroidal_map(*near.at_q), 1e-9)


def test_massless_rails_carry_the_robot_as_a_free_base_does():
    model = random_tree(["PX", "PY", "RZ", "RX", "RY"], 8, chain=True)
    for rail in (1, 2):
        model.inertias[rail] = Inertia.Zero()
    near = Case(model, 8)
    far = Case(model, 8)
    far.q[:2] += [1e4, 1e4]
    close(pt.crba(*far.at_q), pt.crba(*near.at_q), 1e-9)


# -- joints that move no inertia ---------------------------------------------------------------------


def idle(last, body):
    """An arm with a last joint that carries `body`."""
    model = arm()
    joint = model.add_joint(model.njoints - 1, last, random_pose(np.random.default_rng(0)), "idle")
    model.inertias[joint] = body
    return model


@pytest.mark.parametrize(
    ("last", "body"),
    [
        (pt.JointModelRX(), Inertia.Zero()),
        (pt.JointModelPY(), Inertia.Zero()),
        (pt.JointModelSpherical(), Inertia.Zero()),
        (pt.JointModelRX(), Inertia(1.0, [0.3, 0.0, 0.0])),
        (pt.JointModelRevoluteUnaligned(1.0, 2.0, 3.0), Inertia(1.0, [0.1, 0.2, 0.3])),
    ],
    ids=["massless turn", "massless slide", "massless ball", "point on the axis", "point on a slanted axis"],
)
def test_a_joint_that_moves_no_inertia_is_refused_by_name(last, body):
    case = Case(idle(last, body), 3)
    with pytest.raises(InvalidModel, match=r"joint 'idle' moves no inertia,.*armature"):
        pt.aba(*case.at_q, case.v, case.a)
    with pytest.raises(InvalidModel, match=r"joint 'idle' moves no inertia at configuration \(0, 0\)"):
        pt.batch.aba(case.model, np.tile(case.q, (2, 3, 1)), case.v, case.a)


def test_a_rotor_gives_a_massless_joint_its_acceleration():
    model = idle(pt.JointModelRX(), Inertia.Zero())
    model.armature = np.append(np.zeros(7), 0.5)
    case = Case(model, 3)
    close(pt.aba(*case.at_q, case.v, pt.rnea(*case.at_q, case.v, case.a)), case.a, 1e-9)


def test_a_massless_link_within_the_arm_is_welcome():
    model = arm()
    model.inertias[3] = Inertia.Zero()
    case = Case(model, 3)
    close(pt.aba(*case.at_q, case.v, pt.rnea(*case.at_q, case.v, case.a)), case.a, 1e-8)


def test_two_hinges_on_one_axis_without_a_body_between_are_refused():
    model = pendulum()
    outer = model.add_joint(1, pt.JointModelRY(), SE3.Identity(), "outer")
    model.inertias[outer] = model.inertias[1]
    model.inertias[1] = Inertia.Zero()
    with pytest.raises(InvalidModel, match="'hinge' moves no inertia"):
        pt.aba(model, model.create_data(), np.zeros(2), np.zeros(2), np.ones(2))


def test_an_idle_mimic_tree_is_refused_by_its_master():
    model = Model()
    first = model.add_joint(0, pt.JointModelRX(), SE3.Identity(), "master")
    model.add_joint(first, pt.JointModelMimic(pt.JointModelRX(), first, 2.0), SE3.Identity(), "follower")
    with pytest.raises(InvalidModel, match="'master' moves no inertia"):
        pt.aba(model, model.create_data(), np.zeros(1), np.zeros(1), np.ones(1))


# -- what is written, taken and refused --------------------------------------------------------------


def test_results_are_copies_of_what_the_data_holds(case):
    results = {
        "tau": pt.rnea(*case.at_q, case.v, case.a),
        "nle": pt.non_linear_effects(*case.at_q, case.v),
        "g": pt.compute_generalized_gravity(*case.at_q),
        "M": pt.crba(*case.at_q),
        "ddq": pt.aba(*case.at_q, case.v, case.a),
        "Ag": pt.ccrba(*case.at_q, case.v),
        "hg": pt.compute_centroidal_momentum(*case.at_q, case.v),
    }
    for name, result in results.items():
        held = getattr(case.data, name)
        np.testing.assert_array_equal(result, held)
        assert not np.shares_memory(result, held)
        assert result.flags.writeable


def test_energies_are_kept_in_the_data(case):
    total = pt.compute_mechanical_energy(*case.at_q, case.v)
    assert total == case.data.mechanical_energy == case.data.kinetic_energy + case.data.potential_energy
    assert pt.compute_kinetic_energy(*case.at_q, 2.0 * case.v) == case.data.kinetic_energy
    assert pt.compute_potential_energy(*case.at_q) == case.data.potential_energy


def test_one_data_serves_all_functions_in_any_order(case):
    """What a function leaves behind does not reach the next one."""
    fresh = {
        "crba": lambda data: pt.crba(case.model, data, case.q),
        "aba": lambda data: pt.aba(case.model, data, case.q, case.v, case.a),
        "rnea": lambda data: pt.rnea(case.model, data, case.q, case.v, case.a, case.forces),
        "map": lambda data: pt.compute_centroidal_map(case.model, data, case.q),
        "energy": lambda data: pt.compute_mechanical_energy(case.model, data, case.q, case.v),
    }
    alone = {name: call(case.model.create_data()) for name, call in fresh.items()}
    for first in fresh.values():
        for name, second in fresh.items():
            first(case.data)
            np.testing.assert_array_equal(second(case.data), alone[name])


def test_the_mass_matrix_goes_where_it_is_told():
    case = Case(every_kind())
    out = np.full((case.model.nv, case.model.nv), np.nan)
    assert pt.crba(*case.at_q, out=out) is out
    np.testing.assert_array_equal(out, pt.crba(*case.at_q))
    with pytest.raises(InvalidArgument, match="out"):
        pt.crba(*case.at_q, out=np.zeros((2, 2)))


def test_forces_come_as_array_list_or_motions(case):
    expected = pt.rnea(*case.at_q, case.v, case.a, case.forces)
    for forces in (case.forces.tolist(), [Motion(f) for f in case.forces], list(case.forces), case.forces.T.copy().T):
        np.testing.assert_array_equal(pt.rnea(*case.at_q, case.v, case.a, fext=forces), expected)


def test_a_force_on_the_universe_has_no_effect(case):
    forces = case.forces.copy()
    forces[0] = 1e6
    torques = pt.rnea(*case.at_q, case.v, case.a, forces)
    np.testing.assert_array_equal(torques, pt.rnea(*case.at_q, case.v, case.a, case.forces))


@pytest.mark.parametrize(
    "forces",
    [np.zeros((3, 6)), np.zeros(6), [1.0, 2.0], "gust", 7, np.full((8, 6), np.nan), np.zeros((2, 8, 6))],
    ids=["too few", "one", "numbers", "a word", "a number", "nan", "a batch"],
)
def test_forces_of_another_shape_are_refused(forces):
    case = Case(arm())
    with pytest.raises(InvalidArgument, match="fext"):
        pt.rnea(*case.at_q, case.v, case.a, forces)
    with pytest.raises(InvalidArgument, match="fext"):
        pt.compute_static_torque(*case.at_q, forces)


def test_static_torque_needs_forces():
    case = Case(arm())
    with pytest.raises(InvalidArgument, match="fext"):
        pt.compute_static_torque(*case.at_q, None)
    with pytest.raises(TypeError, match="fext"):
        pt.compute_static_torque(*case.at_q)


CALLS = {
    "rnea": lambda m, d, q, v: pt.rnea(m, d, q, v, v),
    "aba": lambda m, d, q, v: pt.aba(m, d, q, v, v),
    "non_linear_effects": pt.non_linear_effects,
    "compute_kinetic_energy": pt.compute_kinetic_energy,
    "compute_mechanical_energy": pt.compute_mechanical_energy,
    "compute_centroidal_momentum": pt.compute_centroidal_momentum,
    "ccrba": pt.ccrba,
    "crba": lambda m, d, q, v: pt.crba(m, d, q),
    "compute_generalized_gravity": lambda m, d, q, v: pt.compute_generalized_gravity(m, d, q),
    "compute_potential_energy": lambda m, d, q, v: pt.compute_potential_energy(m, d, q),
    "compute_centroidal_map": lambda m, d, q, v: pt.compute_centroidal_map(m, d, q),
}


@pytest.mark.parametrize("name", CALLS)
def test_bad_arguments_are_refused(name):
    case = Case(every_kind())
    call, nan = CALLS[name], np.full(case.model.nq, np.nan)
    with pytest.raises(InvalidArgument, match="q"):
        call(case.model, case.data, nan, case.v)
    with pytest.raises(InvalidArgument, match="q"):
        call(case.model, case.data, case.q[1:], case.v)
    with pytest.raises(InvalidArgument, match="unit norm"):
        call(case.model, case.data, 2.0 * case.q, case.v)
    with pytest.raises(StaleData):
        call(case.model, arm().create_data(), case.q, case.v)
    if name in ("crba", "compute_generalized_gravity", "compute_potential_energy", "compute_centroidal_map"):
        return
    with pytest.raises(InvalidArgument, match="v"):
        call(case.model, case.data, case.q, case.v[1:])
    with pytest.raises(InvalidArgument, match="v"):
        call(case.model, case.data, case.q, np.full(case.model.nv, np.inf))


@pytest.mark.parametrize("name", CALLS)
def test_any_array_of_real_numbers_will_do(name):
    model = random_tree(SINGLE[:8], 4)  # joints of one number, so that whole numbers are a configuration
    q, v = np.arange(model.nq, dtype=float), np.arange(model.nv, dtype=float)
    data, call = model.create_data(), CALLS[name]
    expected = call(model, data, q, v)
    forms = [np.ndarray.tolist, np.float32, np.int64, lambda x: x.astype(">f8"), lambda x: np.repeat(x, 2)[::2]]
    for form in forms:
        np.testing.assert_array_equal(call(model, data, form(q), form(v)), expected)


def test_an_empty_model_has_no_dynamics():
    model = Model()
    data, nothing = model.create_data(), np.zeros(0)
    assert pt.rnea(model, data, nothing, nothing, nothing).shape == (0,)
    assert pt.aba(model, data, nothing, nothing, nothing).shape == (0,)
    assert pt.crba(model, data, nothing).shape == (0, 0)
    assert pt.compute_mechanical_energy(model, data, nothing, nothing) == 0.0
    np.testing.assert_array_equal(pt.compute_centroidal_momentum(model, data, nothing, nothing), np.zeros(6))
