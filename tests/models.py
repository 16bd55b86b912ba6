"""Models that tests share: one of every joint kind, random trees, and configurations of them."""

from __future__ import annotations

import numpy as np

from pantin.kinematics import (
    SE3,
    Frame,
    FrameType,
    Inertia,
    JointModel,
    JointModelFreeFlyer,
    JointModelHelicalUnaligned,
    JointModelHX,
    JointModelHY,
    JointModelHZ,
    JointModelMimic,
    JointModelPlanar,
    JointModelPrismaticUnaligned,
    JointModelPX,
    JointModelPY,
    JointModelPZ,
    JointModelRevoluteUnaligned,
    JointModelRevoluteUnboundedUnaligned,
    JointModelRUBX,
    JointModelRUBY,
    JointModelRUBZ,
    JointModelRX,
    JointModelRY,
    JointModelRZ,
    JointModelSpherical,
    Model,
    exp6,
    random_configuration,
)

#: Every joint kind, aligned and not.
KINDS = {
    "RX": JointModelRX,
    "RY": JointModelRY,
    "RZ": JointModelRZ,
    "R": lambda: JointModelRevoluteUnaligned(0.3, -0.5, 0.8),
    "R-": lambda: JointModelRevoluteUnaligned(0.0, 0.0, -1.0),
    "PX": JointModelPX,
    "PY": JointModelPY,
    "PZ": JointModelPZ,
    "P": lambda: JointModelPrismaticUnaligned(-0.2, 0.7, 0.4),
    "RUBX": JointModelRUBX,
    "RUBY": JointModelRUBY,
    "RUBZ": JointModelRUBZ,
    "RUB": lambda: JointModelRevoluteUnboundedUnaligned(0.6, 0.1, -0.7),
    "HX": lambda: JointModelHX(0.3),
    "HY": lambda: JointModelHY(-0.2),
    "HZ": lambda: JointModelHZ(0.05),
    "H": lambda: JointModelHelicalUnaligned(0.1, 0.9, -0.4, 0.7),
    "ball": JointModelSpherical,
    "planar": JointModelPlanar,
    "free": JointModelFreeFlyer,
}

#: Kinds that move by one number, and may follow or lead.
SINGLE = [name for name in KINDS if name not in ("ball", "planar", "free")]


def random_pose(random, size=0.5):
    """Pose with any rotation and a translation of about `size` metres."""
    turn = random.normal(size=3)
    turn *= random.uniform(0.0, np.pi) / np.linalg.norm(turn)
    return SE3(exp6(np.concatenate([np.zeros(3), turn])).rotation, size * random.normal(size=3))


def random_inertia(random):
    """Inertia of a body that could exist: of some heavy points."""
    points = random.normal(size=(5, 3))
    masses = random.uniform(0.1, 1.0, size=5)
    centre = masses @ points / masses.sum()
    arms = points - centre
    about = sum(m * (arm @ arm * np.eye(3) - np.outer(arm, arm)) for m, arm in zip(masses, arms, strict=True))
    return Inertia(masses.sum(), centre, 0.5 * (about + about.T))


def add_body(model, joint, random):
    """Give a joint a body, its JOINT frame and a tool frame."""
    model.append_body_to_joint(joint, random_inertia(random), random_pose(random))
    frame = model.add_joint_frame(joint)
    name = f"tool_{model.names[joint]}"
    model.add_frame(Frame(name, joint, frame, random_pose(random), FrameType.OP_FRAME))


def random_tree(kinds, seed, *, chain=False):
    """Tree of joints of these kinds, each on a random earlier one (or on the last, for a chain)."""
    random = np.random.default_rng(seed)
    model = Model()
    model.name = f"tree {seed}"
    for i, kind in enumerate(kinds):
        parent = model.njoints - 1 if chain else int(random.integers(0, model.njoints))
        # every third placement does not turn, as in most robot files
        placement = random_pose(random) if i % 3 else SE3(np.eye(3), random.normal(size=3))
        joint = KINDS[kind]()
        low, high = -random.uniform(0.5, 3.0, joint.nq), random.uniform(0.5, 3.0, joint.nq)
        speed, effort = random.uniform(1.0, 2.0, joint.nv), random.uniform(1.0, 2.0, joint.nv)
        joint_id = model.add_joint(parent, joint, placement, f"{kind}_{i}", effort, speed, low, high)
        add_body(model, joint_id, random)
    return model


def every_kind(seed=0):
    """Tree with one joint of every kind, below a free flyer."""
    return random_tree(["free", *(kind for kind in KINDS if kind != "free")], seed)


def arm(seed=1):
    """Chain of seven revolute joints."""
    return random_tree(["RZ", "RY", "RZ", "RX", "R", "RY", "RZ"], seed, chain=True)


def mimic_tree(seed=2):
    """Tree whose followers have masters on the same branch, on another one, continuous and prismatic, in chains."""
    model = random_tree(["RZ", "PX", "RUBY", "H", "ball", "RX", "RUB"], seed)
    random = np.random.default_rng(seed)

    def follow(kind, parent, master, multiplier, offset):
        joint = JointModelMimic(KINDS[kind](), master, multiplier, offset)
        joint_id = model.add_joint(
            model.get_joint_id(parent), joint, random_pose(random), f"{kind}_after_{model.njoints}"
        )
        add_body(model, joint_id, random)
        return model.names[joint_id]

    same = follow("RY", "RZ_0", "RZ_0", -1.5, 0.2)
    follow("P", same, "RX_5", 0.3, -0.1)
    wheel = follow("RX", "PX_1", "RUBY_2", 2.0, 0.4)
    chained = follow("RUBZ", wheel, same, 0.5, 0.1)
    follow("HY", chained, chained, -2.0, 0.3)
    follow("R", "ball_4", "PX_1", 1.0, 0.0)
    follow("PZ", "RUB_6", "H_3", 0.0, 0.25)
    return model


def configuration(model, seed):
    """Configuration anywhere within limits."""
    return random_configuration(model, random_seed=seed)


def velocity(model, seed):
    """Velocity with entries of about one."""
    return np.random.default_rng(seed).normal(size=model.nv)


def without_mimics(model):
    """The model with its followers free, and the maps of configurations and velocities into it.

    Returns:
        Model, function that maps q, and matrix S with v = S v'.
    """
    free = Model()
    for i in range(1, model.njoints):
        joint = model.joints[i]
        plain = JointModel(joint.jtype, joint.axis, lead=joint.lead)
        free.add_joint(model.parents[i], plain, model.joint_placements[i], model.names[i])
        free.inertias[i] = model.inertias[i]
    for frame in model.frames[1:]:
        free.add_frame(frame)
    S = np.zeros((free.nv, model.nv))
    for one, other in zip(model.joints, free.joints, strict=True):
        if one.mimic is None:
            for k in range(one.nv):
                S[other.idx_v + k, one.idx_v + k] = 1.0
        else:
            S[other.idx_v, one.idx_v] = one.mimic.multiplier

    def mapped(q):
        full = np.zeros(free.nq)
        for one, other in zip(model.joints, free.joints, strict=True):
            if one.mimic is None:
                full[other.idx_q : other.idx_q + other.nq] = q[one.idx_q : one.idx_q + one.nq]
                continue
            master = model.joints[one.mimic.master]
            own = q[master.idx_q : master.idx_q + master.nq]
            angle = np.arctan2(own[1], own[0]) if master.nq == 2 else own[0]
            full[other.idx_q] = one.mimic.multiplier * angle + one.mimic.offset
        return full

    return free, mapped, S
