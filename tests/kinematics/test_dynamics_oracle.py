"""Dynamics equal Pinocchio's on every robot of `example-robot-data`, and on trees of every joint kind."""

from __future__ import annotations

import numpy as np
import pytest
from dynamic_cases import freed, freed_configuration

import pantin.kinematics as pt
from models import KINDS, every_kind, mimic_tree, random_tree
from oracle import to_pinocchio
from pantin.errors import InvalidModel
from twins import ROBOT_FILES, Comparison, Sample, robot_name, robot_twins, tree_twins

pin = pytest.importorskip("pinocchio")


def witness_forces(forces):
    """Pinocchio's vector of forces."""
    theirs = pin.StdVec_Force()
    theirs.extend([pin.Force(force) for force in forces])
    return theirs


def compare_torques(twins, sample, forces, compare):
    (ours, data), (theirs, witness) = twins
    q, v, a = sample.q, sample.v, sample.a
    pushes = witness_forces(forces)
    compare.add("rnea", pt.rnea(ours, data, q, v, a), pin.rnea(theirs, witness, q, v, a))
    forced = pin.rnea(theirs, witness, q, v, a, pushes)
    compare.add("rnea with forces", pt.rnea(ours, data, q, v, a, forces), forced)
    compare.add("rnea with their forces", pt.rnea(ours, data, q, v, a, pushes), forced)
    compare.add("tau", data.tau, witness.tau)
    compare.add("nle", pt.non_linear_effects(ours, data, q, v), pin.nonLinearEffects(theirs, witness, q, v))
    compare.add("g", pt.compute_generalized_gravity(ours, data, q), pin.computeGeneralizedGravity(theirs, witness, q))
    static = pin.computeStaticTorque(theirs, witness, q, pushes)
    compare.add("static", pt.compute_static_torque(ours, data, q, forces), static)


def compare_energies(twins, sample, compare):
    (ours, data), (theirs, witness) = twins
    q, v = sample.q, sample.v
    matrix = pin.crba(theirs, witness, q)
    compare.add("crba", pt.crba(ours, data, q), matrix)
    potential = pin.computePotentialEnergy(theirs, witness, q)
    kinetic = pin.computeKineticEnergy(theirs, witness, q, v)
    if ours.armature.any():  # Pinocchio 4.1 leaves out the rotors of unaligned revolute joints
        kinetic = 0.5 * v @ matrix @ v
    compare.add("kinetic", pt.compute_kinetic_energy(ours, data, q, v), kinetic)
    compare.add("potential", pt.compute_potential_energy(ours, data, q), potential)
    compare.add("mechanical", pt.compute_mechanical_energy(ours, data, q, v), kinetic + potential)


def compare_momentum(twins, sample, compare):
    (ours, data), (theirs, witness) = twins
    q, v = sample.q, sample.v
    momentum = pin.computeCentroidalMomentum(theirs, witness, q, v).vector
    compare.add("momentum", pt.compute_centroidal_momentum(ours, data, q, v), momentum)
    compare.add("com", data.com[0], witness.com[0])
    compare.add("map", pt.compute_centroidal_map(ours, data, q), pin.computeCentroidalMap(theirs, witness, q))
    compare.add("ccrba", pt.ccrba(ours, data, q, v), pin.ccrba(theirs, witness, q, v))
    compare.add("hg", data.hg, witness.hg.vector)


def compare_accelerations(twins, sample, forces, compare):
    """Forward dynamics, as torques and as accelerations where those have digits to compare."""
    (ours, data), (theirs, witness) = twins
    q, v = sample.q, sample.v
    torques = pin.rnea(theirs, witness, q, v, sample.a, witness_forces(forces)).copy()
    expected = pin.aba(theirs, witness, q, v, torques, witness_forces(forces)).copy()
    if not np.isfinite(expected).all():
        with pytest.raises(InvalidModel, match="moves no inertia"):
            pt.aba(ours, data, q, v, torques, forces)
        return
    accelerations = pt.aba(ours, data, q, v, torques, forces)
    matrix = pin.crba(theirs, witness, q)
    compare.add("aba, as torques", matrix @ accelerations, matrix @ expected)
    # how far Pinocchio's own round trip is off says how many digits an ill-conditioned robot (iCub's head has next to
    # no inertia) leaves; in world axes, as here, some more are lost
    lost = np.abs(expected - sample.a).max()
    if lost < 1e-12 * np.abs(sample.a).max():
        compare.add("aba", accelerations, expected)


def columns_of(theirs, witness, q):
    """Pinocchio's mass matrix by unit accelerations; its `crba` takes joints numbered depth first only."""
    still = np.zeros(theirs.nv)
    rest = pin.rnea(theirs, witness, q, still, still).copy()
    return np.array([pin.rnea(theirs, witness, q, still, unit) - rest for unit in np.eye(theirs.nv)]).T


def check_twins(ours, theirs, seeds):
    twins = (ours, ours.create_data()), (theirs, theirs.createData())
    compare = Comparison()
    for seed in seeds:
        sample = Sample(ours, seed)
        forces = np.random.default_rng(seed).normal(size=(ours.njoints, 6))
        compare_torques(twins, sample, forces, compare)
        compare_energies(twins, sample, compare)
        compare_momentum(twins, sample, compare)
        compare_accelerations(twins, sample, forces, compare)
    compare.check()
    return compare


@pytest.mark.skipif(not ROBOT_FILES, reason="example-robot-data is not installed")
@pytest.mark.parametrize("free", [False, True], ids=["fixed", "free"])
@pytest.mark.parametrize("path", ROBOT_FILES, ids=robot_name)
def test_robots_have_pinocchios_dynamics(path, free):
    ours, theirs = robot_twins(path, free)
    if ours.nv == 0:
        pytest.skip("nothing moves, and Pinocchio divides by the moving mass")
    check_twins(ours, theirs, range(20))


@pytest.mark.parametrize("rotors", [False, True], ids=["plain", "rotors"])
@pytest.mark.parametrize("name", ["every kind", *KINDS])
def test_joints_of_every_kind_have_pinocchios_dynamics(name, rotors):
    if name == "every kind":
        ours = random_tree(["free", *KINDS], 2, chain=True)
        theirs = to_pinocchio(ours)
    else:
        ours, theirs = (twin.copy() for twin in tree_twins(name))
    if rotors:
        ours.armature = theirs.armature = np.random.default_rng(1).uniform(0.1, 1.0, ours.nv)
    ours.gravity = [1.0, -2.0, 3.0]
    theirs.gravity.linear = np.array([1.0, -2.0, 3.0])
    compare = check_twins(ours, theirs, range(20))
    assert len(compare.pairs["aba"]) >= 10


def test_branches_in_any_order_have_pinocchios_mass_matrix():
    ours = every_kind()
    theirs = to_pinocchio(ours)
    data, witness, compare = ours.create_data(), theirs.createData(), Comparison()
    for seed in range(20):
        q = Sample(ours, seed).q
        compare.add("crba", pt.crba(ours, data, q), columns_of(theirs, witness, q))
        compare.add("map", pt.compute_centroidal_map(ours, data, q), pin.computeCentroidalMap(theirs, witness, q))
    compare.check()


#: Followers without mass leave the accelerations of some fingers undetermined.
IDLE = {"romeo_description/urdf/romeo.urdf"}
#: Its mimics follow joints of other names.
WRONG = {"alex_description/urdf/alex_psyonic_hands.urdf"}
MIMICS = [
    path for path in ROBOT_FILES if "<mimic" in path.read_text(encoding="utf-8") and robot_name(path) not in WRONG
]


def check_mimics(ours, free, theirs, *, idle=False):
    """Our model with mimics against Pinocchio's without, through the map; `free` is the latter as ours."""
    S = freed(ours)[1]
    data, witness, compare = ours.create_data(), theirs.createData(), Comparison()
    for seed in range(20):
        sample = Sample(ours, seed)
        q, (own_v, own_a), (v, a) = sample.q, (sample.v, sample.a), (S @ sample.v, S @ sample.a)
        state = theirs, witness, freed_configuration(ours, free, q)
        torques = S.T @ pin.rnea(*state, v, a)
        matrix = S.T @ columns_of(*state) @ S
        energy = pin.computeMechanicalEnergy(*state, v)
        compare.add("rnea", pt.rnea(ours, data, q, own_v, own_a), torques)
        compare.add("crba", pt.crba(ours, data, q), matrix)
        compare.add("nle", pt.non_linear_effects(ours, data, q, own_v), S.T @ pin.nonLinearEffects(*state, v))
        compare.add("g", pt.compute_generalized_gravity(ours, data, q), S.T @ pin.computeGeneralizedGravity(*state))
        compare.add("energy", pt.compute_mechanical_energy(ours, data, q, own_v), energy)
        compare.add("map", pt.compute_centroidal_map(ours, data, q), pin.computeCentroidalMap(*state) @ S)
        if idle:
            with pytest.raises(InvalidModel, match="moves no inertia"):
                pt.aba(ours, data, q, own_v, torques)
        else:
            compare.add("aba", matrix @ pt.aba(ours, data, q, own_v, torques), matrix @ own_a)
    compare.check()


@pytest.mark.parametrize("free", [False, True], ids=["fixed", "free"])
@pytest.mark.parametrize("path", MIMICS, ids=robot_name)
def test_robots_with_mimics_are_pinocchios_without_through_the_map(path, free):
    ours, _ = robot_twins(path, free, mimic=True)
    if not any(joint.mimic for joint in ours.joints):
        pytest.skip("its mimics are fixed joints")
    check_mimics(ours, *robot_twins(path, free), idle=robot_name(path) in IDLE)


@pytest.mark.parametrize("seed", range(3))
def test_trees_with_mimics_are_pinocchios_without_through_the_map(seed):
    ours = mimic_tree(seed)
    free = freed(ours)[0]
    check_mimics(ours, free, to_pinocchio(free))
