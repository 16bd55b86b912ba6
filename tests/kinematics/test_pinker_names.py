"""Every public name of `pinker.kinematics` 1.1 is here, takes the same arguments and gives the same numbers.

What differs on purpose stands in `DIFFERENCES`, with the reason, and in the page "Move over from Pink or Pinker".
"""

from __future__ import annotations

import functools
import importlib
import inspect

import numpy as np
import pytest

import pantin.kinematics as pt
from models import random_tree
from oracle import to_pinker
from signatures import accepts, parameters, signatures

pk = pytest.importorskip("pinker.kinematics")

#: Constants that a module of Pinker's only imports.
IMPORTED = {
    f"JT_{kind}" for kind in ("PRISMATIC", "REVOLUTE", "REVOLUTE_UNBOUNDED", "SPHERICAL", "PLANAR", "FREEFLYER")
}

MODULES = ["algorithms", "geometry", "joints", "model", "robot_wrapper", "se3", "so3", "urdf"]

#: Name, and why it is not the same here.
DIFFERENCES = {
    "Data()": "a Data belongs to a model, there is none without",
    "SE3.act of a (3, 3) array": "rows are points, as everywhere; Pinker multiplies columns and shifts rows",
    "SE3(rotation)": "what is not a rotation is refused, Pinker keeps it",
    "quaternion_to_matrix": "a norm farther than 1e-3 from 1 is refused, Pinker scales any",
    "add_joint": "a name that is taken and a zero axis are refused",
    "custom_configuration": "a continuous joint takes an angle beside (cos, sin)",
    "Data.oMi, Data.oMf, Data.J, ...": "views are read-only, so that a stray write cannot corrupt a computation",
    "Model.frames, inertias, joint_placements": "entries are assigned, the length changes through add_* alone",
    "JointModel in a model": "read-only, since the core compiled it",
    "difference near half a turn": "Pinker loses four digits there",
    "d_difference of a planar joint that hardly turns": "Pinker and Pinocchio lose seven digits there",
}

#: A few roundings; quantities are of order one.
TOLERANCE = 1e-12
#: Where Pinker has fewer digits; see DIFFERENCES.
TOLERANCES = {"d_difference": 1e-8}

URDF = """<robot name="r">
  <link name="base"><visual><geometry><box size="1 2 3"/></geometry></visual></link>
  <link name="arm">
    <inertial><origin xyz="0.1 0 0" rpy="0.1 0.2 0.3"/><mass value="2"/>
      <inertia ixx="0.3" iyy="0.4" izz="0.5" ixy="0.01" ixz="0.02" iyz="0.03"/></inertial>
    <visual><origin xyz="0 0 1"/><geometry><cylinder radius="0.1" length="0.5"/></geometry></visual>
  </link>
  <link name="hand"><visual><geometry><sphere radius="0.2"/></geometry></visual></link>
  <link name="tip"/>
  <joint name="j1" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
    <origin xyz="0.1 0.2 0.3" rpy="0.4 0.5 0.6"/><limit lower="-1" upper="2" velocity="3" effort="4"/></joint>
  <joint name="j2" type="continuous"><parent link="arm"/><child link="hand"/><axis xyz="1 0 0"/>
    <origin xyz="0 0 0.5"/></joint>
  <joint name="j3" type="fixed"><parent link="hand"/><child link="tip"/><origin xyz="0 0 0.2"/></joint>
</robot>"""


@functools.cache
def twins(kinds, seed):
    """The same model in both packages; cases leave it as it is."""
    ours = random_tree(kinds, seed)
    return ours, to_pinker(ours)


class World:
    """One package with its model and the inputs that both get."""

    def __init__(self, kinematics, kinds, seed, folder):
        random = np.random.default_rng(seed)
        ours, theirs = twins(tuple(kinds), seed)
        self.k = kinematics
        self.model = ours if kinematics is pt else theirs
        self.data = self.model.create_data()
        self.q = pt.random_configuration(ours, random_seed=seed)
        # displacements below half a turn, where Pinker is accurate
        self.v = 0.3 * random.normal(size=ours.nv)
        self.q1 = pt.integrate(ours, self.q, 0.3 * random.normal(size=ours.nv))
        turn = pt.exp6(random.normal(size=6))
        self.R, self.p = turn.rotation.copy(), turn.translation.copy()
        self.M = kinematics.SE3(self.R, self.p)
        other = pt.exp6(random.normal(size=6))
        self.N = kinematics.SE3(other.rotation.copy(), other.translation.copy())
        self.w, self.nu = random.normal(size=3), random.normal(size=6)
        about = random.normal(size=(3, 3))
        self.inertia = kinematics.Inertia(1.5, random.normal(size=3), about @ about.T)
        self.joint = int(random.integers(1, ours.njoints))
        self.frame = int(random.integers(1, ours.nframes))
        self.folder = folder

    def placed(self):
        """Data with everything that the look-ups read."""
        self.k.compute_joint_jacobians(self.model, self.data, self.q)
        self.k.update_frame_placements(self.model, self.data)
        self.k.jacobian_center_of_mass(self.model, self.data, self.q)
        return self.data

    def built(self):
        """A model built by hand."""
        k, model = self.k, self.k.Model()
        root = model.add_joint(0, k.JointModelFreeFlyer(), k.SE3.Identity(), "root_joint")
        limits = [np.array([x]) for x in (5.0, 3.0, -1.0, 2.0)]
        arm = model.add_joint(root, k.JointModelRY(), self.M, "arm", *limits)
        rail = model.add_joint(arm, k.JointModelPX(), self.N, "rail", max_effort=limits[0])
        frame = model.add_joint_frame(arm)
        model.add_joint_frame(rail, frame)
        model.append_body_to_joint(arm, self.inertia, self.N)
        model.append_body_to_joint(arm, self.inertia)
        model.add_body_frame("link", rail, self.M, frame)
        model.add_frame(k.Frame("tool", rail, frame, self.N, k.FrameType.OP_FRAME))
        return model

    def urdf(self):
        path = self.folder / "robot.urdf"
        path.write_text(URDF)
        return str(path)

    def geometry(self):
        return self.k.build_geom_from_urdf(self.k.build_model_from_xml(URDF), self.urdf())


def poses(listing):
    return [listing[i].homogeneous for i in range(len(listing))]


def frames(k):
    return (k.ReferenceFrame.WORLD, k.ReferenceFrame.LOCAL, k.ReferenceFrame.LOCAL_WORLD_ALIGNED)


def each(*names):
    """A case that reads these attributes of what a function of the world gives."""
    return lambda thing: {name: getattr(thing, name) for name in names}


CASES = {
    "ARG0": lambda w: w.k.ARG0,
    "ARG1": lambda w: w.k.ARG1,
    "Data.copy": lambda w: poses(w.placed().copy().oMi),
    "Data.oMf": lambda w: poses(w.placed().oMf),
    "Data.oMi": lambda w: poses(w.placed().oMi),
    "Data.J": lambda w: w.placed().J,
    "Data.Jcom": lambda w: w.placed().Jcom,
    "Data.com": lambda w: w.placed().com[0],
    "Data.mass": lambda w: w.placed().mass[0],
    "Frame.name": lambda w: w.model.frames[w.frame].name,
    "Frame.parent_joint": lambda w: w.model.frames[w.frame].parent_joint,
    "Frame.parent_frame": lambda w: w.model.frames[w.frame].parent_frame,
    "Frame.placement": lambda w: w.model.frames[w.frame].placement,
    "Frame.type": lambda w: int(w.model.frames[w.frame].type),
    "FrameType.OP_FRAME": lambda w: int(w.k.FrameType.OP_FRAME),
    "FrameType.JOINT": lambda w: int(w.k.FrameType.JOINT),
    "FrameType.FIXED_JOINT": lambda w: int(w.k.FrameType.FIXED_JOINT),
    "FrameType.BODY": lambda w: int(w.k.FrameType.BODY),
    "FrameType.SENSOR": lambda w: int(w.k.FrameType.SENSOR),
    "GeometryModel.geometry_objects": lambda w: [
        each("name", "parent_joint", "placement", "shape", "size")(shape) for shape in w.geometry().geometry_objects
    ],
    "GeometryModel.add_geometry_object": lambda w: w.geometry().add_geometry_object(
        w.k.GeometryObject("new", 1, w.M, "sphere", np.array([0.1]))
    ),
    "GeometryModel.ngeoms": lambda w: w.geometry().ngeoms,
    **{
        f"GeometryObject.{name}": lambda w, name=name: getattr(
            w.k.GeometryObject(
                "s", 1, w.M, "box", np.ones(3), mesh_scale=2 * np.ones(3), mesh_color=np.array([0.1, 0.2, 0.3, 1.0])
            ),
            name,
        )
        for name in ["name", "parent_joint", "placement", "shape", "size", "mesh_path", "mesh_scale", "mesh_color"]
    },
    "Inertia.FromBox": lambda w: w.k.Inertia.FromBox(2.0, 0.1, 0.2, 0.3),
    "Inertia.Zero": lambda w: w.k.Inertia.Zero(),
    "Inertia.__add__": lambda w: w.inertia + w.k.Inertia(0.7, w.w, np.eye(3)),
    "Inertia.displaced": lambda w: w.inertia.displaced(w.M),
    "Inertia.inertia": lambda w: w.inertia.inertia,
    "Inertia.lever": lambda w: w.inertia.lever,
    "Inertia.mass": lambda w: w.inertia.mass,
    "Jlog6": lambda w: w.k.Jlog6(w.M),
    **{
        f"JointModel.{name}": lambda w, name=name: getattr(w.model.joints[w.joint], name)
        for name in ["axis", "id", "idx_q", "idx_v", "jtype", "nq", "nv"]
    },
    "JointModel.shortname": lambda w: [joint.shortname() for joint in w.model.joints],
    **{
        name: lambda w, name=name: each("jtype", "axis", "nq", "nv")(getattr(w.k, name)())
        for name in pk.__all__
        if name.startswith("JointModel") and name != "JointModel"
    },
    "JointModelRevoluteUnaligned(x, y, z)": lambda w: w.k.JointModelRevoluteUnaligned(*w.w).axis,
    "JointModelPrismaticUnaligned(x, y, z)": lambda w: w.k.JointModelPrismaticUnaligned(*w.w).axis,
    "Model.add_body_frame": lambda w: frame_facts(w.built()),
    "Model.add_frame": lambda w: frame_facts(w.built()),
    "Model.add_joint": lambda w: each("names", "parents", "nq", "nv")(w.built()),
    "Model.add_joint_frame": lambda w: frame_facts(w.built()),
    "Model.append_body_to_joint": lambda w: w.built().inertias[2],
    "Model.create_data": lambda w: poses(w.model.create_data().oMi),
    "Model.effort_limit": lambda w: w.model.effort_limit,
    "Model.exist_frame": lambda w: [w.model.exist_frame(name) for name in (w.model.frames[1].name, "xyzzy")],
    "Model.exist_joint_name": lambda w: [w.model.exist_joint_name(name) for name in (w.model.names[1], "xyzzy")],
    "Model.frames": lambda w: frame_facts(w.model),
    "Model.get_frame_id": lambda w: [w.model.get_frame_id(frame.name) for frame in w.model.frames],
    "Model.get_joint_id": lambda w: [w.model.get_joint_id(name) for name in w.model.names],
    "Model.get_joint_tangent_id": lambda w: [w.model.get_joint_tangent_id(name) for name in w.model.names[1:]],
    "Model.get_root_joint_dim": lambda w: [w.model.get_root_joint_dim(), w.built().get_root_joint_dim()],
    "Model.has_configuration_limit": lambda w: w.model.has_configuration_limit(),
    "Model.inertias": lambda w: list(w.model.inertias),
    "Model.joint_placements": lambda w: list(w.model.joint_placements),
    "Model.joints": lambda w: [joint.idx_q for joint in w.model.joints],
    "Model.lower_position_limit": lambda w: [w.model.lower_position_limit, w.built().lower_position_limit],
    "Model.name": lambda w: w.model.name,
    "Model.names": lambda w: list(w.model.names),
    "Model.nframes": lambda w: w.model.nframes,
    "Model.njoints": lambda w: w.model.njoints,
    "Model.nq": lambda w: w.model.nq,
    "Model.nv": lambda w: w.model.nv,
    "Model.parents": lambda w: list(w.model.parents),
    "Model.supports": lambda w: [list(support) for support in w.model.supports],
    "Model.upper_position_limit": lambda w: [w.model.upper_position_limit, w.built().upper_position_limit],
    "Model.velocity_limit": lambda w: [w.model.velocity_limit, w.built().velocity_limit],
    "Motion.__array__": lambda w: np.asarray(w.k.Motion(w.nu)),
    "Motion.angular": lambda w: w.k.Motion(w.nu).angular,
    "Motion.asarray": lambda w: w.k.Motion(w.nu).asarray(),
    "Motion.linear": lambda w: w.k.Motion(w.nu).linear,
    "Motion.vector": lambda w: w.k.Motion(w.nu).vector,
    "ReferenceFrame.WORLD": lambda w: int(w.k.ReferenceFrame.WORLD),
    "ReferenceFrame.LOCAL": lambda w: int(w.k.ReferenceFrame.LOCAL),
    "ReferenceFrame.LOCAL_WORLD_ALIGNED": lambda w: int(w.k.ReferenceFrame.LOCAL_WORLD_ALIGNED),
    "RobotWrapper.BuildFromURDF": lambda w: each("nq", "nv")(
        w.k.RobotWrapper.BuildFromURDF(w.urdf(), root_joint=w.k.JointModelFreeFlyer())
    ),
    "RobotWrapper.model": lambda w: w.k.RobotWrapper(w.model).model.nq,
    "RobotWrapper.data": lambda w: poses(w.k.RobotWrapper(w.model).data.oMi),
    "RobotWrapper.visual_model": lambda w: w.k.RobotWrapper.BuildFromURDF(w.urdf()).visual_model.ngeoms,
    "RobotWrapper.nq": lambda w: w.k.RobotWrapper(w.model).nq,
    "RobotWrapper.nv": lambda w: w.k.RobotWrapper(w.model).nv,
    "RobotWrapper.q0": lambda w: w.k.RobotWrapper(w.model).q0,
    "SE3.Identity": lambda w: w.k.SE3.Identity(),
    "SE3.Interpolate": lambda w: [w.k.SE3.Interpolate(w.M, w.N, alpha) for alpha in (0.0, 0.3, 1.0)],
    "SE3.Random": lambda w: w.k.SE3.Random().rotation @ w.k.SE3.Identity().rotation.T @ np.zeros(3),
    "SE3.__array__": lambda w: np.asarray(w.M),
    "SE3.__mul__": lambda w: w.M * w.N,
    "SE3.act": lambda w: [w.M.act(w.N), w.M.act(w.w)],
    "SE3.act_inv": lambda w: [w.M.act_inv(w.N), w.M.act_inv(w.w)],
    "SE3.action": lambda w: w.M.action,
    "SE3.action_inverse": lambda w: w.M.action_inverse,
    "SE3.copy": lambda w: w.M.copy(),
    "SE3.homogeneous": lambda w: w.M.homogeneous,
    "SE3.inverse": lambda w: w.M.inverse(),
    "SE3.is_approx": lambda w: [w.M.is_approx(w.N), w.M.is_approx(w.M.copy()), w.M.is_approx(w.N, 100.0)],
    "SE3.rotation": lambda w: w.M.rotation,
    "SE3.toarray": lambda w: w.M.toarray(),
    "SE3.translation": lambda w: w.M.translation,
    "SE3()": lambda w: [w.k.SE3(), w.k.SE3(w.R), w.k.SE3(translation=w.p), w.k.SE3(rotation=w.R)],
    "build_geom_from_urdf": lambda w: w.geometry().ngeoms,
    "build_model_from_urdf": lambda w: frame_facts(w.k.build_model_from_urdf(w.urdf())),
    "build_model_from_xml": lambda w: frame_facts(w.k.build_model_from_xml(URDF, w.k.JointModelFreeFlyer())),
    "center_of_mass": lambda w: [
        w.k.center_of_mass(w.model, w.data, w.q),
        w.data.com[0],
        w.k.center_of_mass(w.model, w.placed()),
    ],
    "compute_joint_jacobians": lambda w: [
        w.k.compute_joint_jacobians(w.model, w.data, w.q),
        w.k.compute_joint_jacobians(w.model, w.placed()),
        poses(w.data.oMi),
    ],
    "custom_configuration": lambda w: w.k.custom_configuration(w.model, **some_joints(w)),
    "d_difference": lambda w: (
        [w.k.d_difference(w.model, w.q, w.q1, arg) for arg in (w.k.ARG0, w.k.ARG1)]
        + [w.k.d_difference(w.model, w.q, w.q1)]
    ),
    "difference": lambda w: w.k.difference(w.model, w.q, w.q1),
    "exp3": lambda w: w.k.exp3(w.w),
    "exp6": lambda w: [w.k.exp6(w.nu), w.k.exp6(w.k.Motion(w.nu))],
    "forward_kinematics": lambda w: [w.k.forward_kinematics(w.model, w.data, w.q), poses(w.data.oMi)],
    "frames_forward_kinematics": lambda w: [
        w.k.frames_forward_kinematics(w.model, w.data, w.q),
        poses(w.data.oMi),
        poses(w.data.oMf),
    ],
    "get_frame_jacobian": lambda w: (
        [w.k.get_frame_jacobian(w.model, w.placed(), w.frame, reference) for reference in frames(w.k)]
        + [w.k.get_frame_jacobian(w.model, w.data, w.frame)]
    ),
    "get_joint_jacobian": lambda w: (
        [w.k.get_joint_jacobian(w.model, w.placed(), w.joint, reference) for reference in frames(w.k)]
        + [w.k.get_joint_jacobian(w.model, w.data, w.joint)]
    ),
    "integrate": lambda w: [w.k.integrate(w.model, w.q, 5.0 * w.v), w.k.integrate(w.model, w.q, w.v)],
    "jacobian_center_of_mass": lambda w: [
        w.k.jacobian_center_of_mass(w.model, w.data, w.q),
        w.k.jacobian_center_of_mass(w.model, w.placed()),
    ],
    "log3": lambda w: w.k.log3(w.R),
    "log6": lambda w: w.k.log6(w.M),
    "neutral": lambda w: w.k.neutral(w.model),
    "quaternion_to_matrix": lambda w: w.k.quaternion_to_matrix(np.array([0.1, 0.7, -0.1, 0.7])),
    "quaternion_wxyz": lambda w: w.k.quaternion_wxyz(w.R),
    "rpy_to_matrix": lambda w: w.k.rpy_to_matrix(*w.w),
    "skew": lambda w: w.k.skew(w.w),
    "update_frame_placements": lambda w: [
        w.k.forward_kinematics(w.model, w.data, w.q),
        w.k.update_frame_placements(w.model, w.data),
        poses(w.data.oMf),
    ],
    "joint_neutral": lambda w: [w.k.joints.joint_neutral(kind) for kind in range(7)],
    "joint_has_configuration_limit": lambda w: [w.k.joints.joint_has_configuration_limit(kind) for kind in range(7)],
    "JOINT_NQ": lambda w: [w.k.joints.JOINT_NQ[kind] for kind in range(7)],
    "JOINT_NV": lambda w: [w.k.joints.JOINT_NV[kind] for kind in range(7)],
    **{
        f"JT_{name}": lambda w, name=name: getattr(w.k.joints, f"JT_{name}")
        for name in ["UNIVERSE", "REVOLUTE", "PRISMATIC", "REVOLUTE_UNBOUNDED", "SPHERICAL", "PLANAR", "FREEFLYER"]
    },
}


def some_joints(world):
    """Values for about half of the joints, by name, each within its group."""
    return {
        name: world.q[joint.idx_q : joint.idx_q + joint.nq]
        for name, joint in list(zip(world.model.names, world.model.joints, strict=True))[1::2]
    }


def frame_facts(model):
    return [
        (frame.name, frame.parent_joint, frame.parent_frame, frame.placement, int(frame.type)) for frame in model.frames
    ]


MODELS = {
    "arm": ["RZ", "RY", "R", "PX", "P"],
    "free flyer": ["free", "RX", "RUBZ", "RZ", "RUBX"],
    "every kind": ["planar", "free", "ball", "RX", "RUBY", "PZ", "R", "P", "RUB"],
    "two balls": ["ball", "ball", "PY"],
}


@pytest.mark.parametrize("kinds", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("name", CASES)
def test_every_name_gives_the_numbers_of_pinker(name, kinds, tmp_path):
    for seed in range(3):
        mine, theirs = (CASES[name](World(k, kinds, seed, tmp_path)) for k in (pt, pk))
        assert_same(plain(mine), plain(theirs), name)


def plain(value):
    """What a result holds, in numbers, texts and lists."""
    if isinstance(value, pt.SE3 | pk.SE3):
        return value.homogeneous
    if isinstance(value, pt.Motion | pk.Motion):
        return value.vector
    if isinstance(value, pt.Inertia | pk.Inertia):
        return [value.mass, value.lever, value.inertia]
    if isinstance(value, dict):
        return [[key, plain(entry)] for key, entry in value.items()]
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    return value


def assert_same(mine, theirs, name):
    if isinstance(theirs, list):
        assert len(mine) == len(theirs), name
        for one, other in zip(mine, theirs, strict=True):
            assert_same(one, other, name)
    elif isinstance(theirs, np.ndarray | float):
        assert np.shape(mine) == np.shape(theirs), name
        tolerance = TOLERANCES.get(name, TOLERANCE)
        np.testing.assert_allclose(mine, theirs, rtol=tolerance, atol=tolerance, err_msg=name)
    else:
        assert mine == theirs, name


def public_members(thing):
    """Public attributes of an object and the operators that its class defines."""
    operators = ("__mul__", "__add__", "__array__")
    return [name for name in dir(thing) if not name.startswith("_") or (name in operators and hasattr(thing, name))]


def instances():
    model = to_pinker(random_tree(["RX"], 0))
    return {
        "Data": model.create_data(),
        "Frame": model.frames[0],
        "GeometryModel": pk.GeometryModel(),
        "GeometryObject": pk.GeometryObject("s", 1, pk.SE3.Identity(), "sphere", np.ones(1)),
        "Inertia": pk.Inertia.Zero(),
        "JointModel": model.joints[1],
        "Model": model,
        "Motion": pk.Motion(np.zeros(6)),
        "RobotWrapper": pk.RobotWrapper(model),
        "SE3": pk.SE3.Identity(),
    }


def test_the_cases_cover_every_public_name():
    wanted = set()
    made = instances()
    for name in pk.__all__:
        if name in made:
            wanted |= {f"{name}.{member}" for member in public_members(made[name])}
        elif inspect.isclass(getattr(pk, name)):
            wanted |= {f"{name}.{member.name}" for member in getattr(pk, name)}
        else:
            wanted.add(name)
    wanted |= {name for name in vars(pk.joints) if name.startswith(("JT_", "JOINT_", "joint_"))}
    assert wanted - set(CASES) == set()


@pytest.mark.parametrize("module", MODULES)
def test_modules_carry_the_same_names(module):
    theirs = importlib.import_module(f"pinker.kinematics.{module}")
    ours = importlib.import_module(f"pantin.kinematics.{module}")
    own = {name for name, value in vars(theirs).items() if getattr(value, "__module__", "") == theirs.__name__}
    constants = {name for name in vars(theirs) if name.startswith(("ARG", "JT_"))}
    missing = {name for name in own | constants if not name.startswith("_") and not hasattr(ours, name)}
    assert missing - IMPORTED == set()


CALLABLES = [name for name in pk.__all__ if callable(getattr(pk, name)) and name not in ("FrameType", "ReferenceFrame")]


@pytest.mark.parametrize("name", CALLABLES)
def test_calls_take_the_same_arguments(name):
    theirs, ours = getattr(pk, name), getattr(pt, name)
    assert_accepts(ours, theirs, name)
    if inspect.isclass(theirs):
        for member, method in inspect.getmembers(theirs, callable):
            if not member.startswith("_"):
                assert_accepts(getattr(ours, member), method, f"{name}.{member}")


def assert_accepts(ours, theirs, name):
    """Parameters of theirs are the first of ours, in order, with the same defaults."""
    wanted = parameters(theirs)
    if name == "Data":
        wanted = [p.replace(default=inspect.Parameter.empty) for p in wanted]  # see DIFFERENCES
    assert any(accepts(given, wanted) for given in signatures(ours)), (name, wanted, signatures(ours))


# -- the differences, one by one -----------------------------------------------------------------------


def test_points_in_rows_are_moved_one_by_one():
    pose = pt.exp6(np.arange(6.0))
    points = np.arange(12.0).reshape(4, 3)
    np.testing.assert_allclose(pose.act(points), [pose.act(point) for point in points], rtol=1e-15)
    np.testing.assert_allclose(pose.act_inv(pose.act(points)), points, atol=1e-14)  # roundings of numbers up to 20
    assert "SE3.act of a (3, 3) array" in DIFFERENCES


def test_a_continuous_joint_takes_an_angle():
    model = random_tree(["RUBX"], 0)
    np.testing.assert_allclose(pt.custom_configuration(model, RUBX_0=0.3), [np.cos(0.3), np.sin(0.3)])
    assert "custom_configuration" in DIFFERENCES


def test_pinker_loses_digits_near_half_a_turn_and_we_do_not():
    model = random_tree(["free"], 0)
    worst = {pt: 0.0, pk: 0.0}
    theirs = to_pinker(model)
    for seed in range(200):
        random = np.random.default_rng(seed)
        turn = random.normal(size=3)
        v = np.concatenate([random.normal(size=3), turn * (np.pi - 5e-3) / np.linalg.norm(turn)])
        q = pt.random_configuration(model, seed)
        q1 = pt.integrate(model, q, v)
        for k, m in ((pt, model), (pk, theirs)):
            worst[k] = max(worst[k], np.abs(k.difference(m, q, q1) - v).max())
    assert worst[pt] < 1e-13  # roundings of numbers up to 6
    assert worst[pk] > 1e-12
    assert "difference near half a turn" in DIFFERENCES


def test_the_derivative_of_a_planar_difference_keeps_its_digits():
    # near the identity the inverse Jacobian is 1 - ad/2 + ad^2/12, exact to the fourth power of the step
    model = random_tree(["planar"], 0)
    for size in (1e-3, 1e-5, 1e-9):
        v = size * np.array([0.3, -0.7, 0.4])
        q = pt.neutral(model)
        x, y, turn = v
        ad = np.array([[0.0, -turn, y], [turn, 0.0, -x], [0.0, 0.0, 0.0]])
        expected = np.eye(3) + ad / 2.0 + ad @ ad / 12.0
        np.testing.assert_allclose(pt.d_difference(model, q, pt.integrate(model, q, v), pt.ARG1), expected, atol=1e-14)
    assert "d_difference of a planar joint that hardly turns" in DIFFERENCES
