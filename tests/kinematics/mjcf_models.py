"""MuJoCo models that show every feature, and each of them beside its `Model`."""

import warnings
from pathlib import Path

import numpy as np
import pytest

from pantin.errors import ModelFileWarning
from pantin.kinematics import mjcf
from pantin.kinematics.mjcf.names import read_names
from pantin.kinematics.model import FrameType, Model

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is the reader and the oracle of MJCF (extra 'mjcf')")

#: A few roundings of a product of about ten placements of a metre.
ROUNDING = 1e-12
#: The same for sums of products of masses, inertias and squared velocities up to about 1e2.
DYNAMICS_ROUNDING = 1e-10

ARM = """
<mujoco model="arm with everything">
  <compiler angle="degree"/>
  <option gravity="0.3 -0.4 -9.7"/>
  <default>
    <joint armature="0.02" damping="0.3" frictionloss="0.1"/>
    <default class="stiff"><joint armature="0.5" range="-40 70" limited="true"/></default>
  </default>
  <worldbody>
    <site name="origin" pos="0.1 0.2 0.3" euler="10 20 30"/>
    <body name="base" pos="0.1 0 0.4" euler="20 0 -35">
      <joint name="turn" class="stiff" axis="0.2 -0.3 1" pos="0.05 -0.02 0.1" ref="25"/>
      <geom type="box" size="0.1 0.2 0.15" pos="0.03 0 0.1" euler="5 6 7"/>
      <body name="stage" pos="0 0.3 0.2" quat="0.8 0.1 -0.5 0.2">
        <joint name="x" type="slide" axis="1 0 0" range="-0.5 0.6" ref="0.1"/>
        <joint name="y" type="slide" axis="0 1 0.4" pos="0.1 0.2 0.3"/>
        <joint name="roll" axis="0 0 1" pos="-0.1 0.03 0.02" ref="-15"/>
        <joint name="pitch" axis="0 1 1" pos="0.07 0 0.02"/>
        <inertial pos="0.01 0.02 -0.03" mass="1.7" fullinertia="0.2 0.25 0.3 0.01 -0.02 0.03"/>
        <site name="stage" pos="0.1 0 0"/>
        <body name="rigid" pos="0 0 0.25" euler="0 40 0">
          <geom type="capsule" size="0.04 0.1"/>
          <site name="gauge" pos="0 0 0.1" euler="0 0 45"/>
          <body pos="0.1 0.1 0.1">
            <joint type="ball" name="wrist" pos="0.02 -0.03 0.05"/>
            <geom type="ellipsoid" size="0.05 0.07 0.1" pos="0 0 0.1"/>
            <body name="finger" pos="0 0 0.2">
              <joint axis="1 0 0"/>
              <geom type="cylinder" size="0.02 0.05"/>
              <site pos="0 0 0.05"/>
              <site pos="0 0 0.07"/>
            </body>
          </body>
        </body>
      </body>
    </body>
    <body name="other" pos="-1 0 0"><joint name="swing" axis="0 1 0"/><geom size="0.1" pos="0 0 -0.4"/></body>
  </worldbody>
  <sensor><force site="gauge"/></sensor>
</mujoco>
"""

FLOATING = """
<mujoco model="floating">
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="torso" pos="0.1 0.2 0.8" euler="10 20 30">
      <freejoint/>
      <geom type="box" size="0.1 0.15 0.3" pos="0.02 0.01 0.05" euler="3 4 5"/>
      <body name="left" pos="0 0.1 -0.3">
        <joint name="hip" type="ball" pos="0 0 0.02" armature="0.03"/>
        <geom type="capsule" size="0.04 0.15" pos="0.01 0 -0.2"/>
        <body name="shin" pos="0 0 -0.4" euler="0 0 15">
          <joint name="knee" axis="0 1 0" ref="10" range="-20 100"/>
          <geom type="capsule" size="0.03 0.15" pos="0 0 -0.2"/>
          <site name="sole" pos="0 0 -0.4"/>
        </body>
      </body>
      <body name="right" pos="0 -0.1 -0.3">
        <joint name="leg" type="slide" axis="0 0.1 1" ref="-0.05"/>
        <geom type="capsule" size="0.04 0.15" pos="0 0.02 -0.2"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""

SEVERAL = """
<mujoco model="several free bodies">
  <worldbody>
    <body name="ball" pos="0 0 1"><freejoint name="ball_free"/><geom size="0.1" pos="0.1 0.2 0"/></body>
    <body name="door"><joint name="hinge" axis="0 0 1"/><geom type="box" size="0.4 0.02 1" pos="0.4 0 0"/></body>
    <body name="box" pos="1 0 1"><freejoint/><geom type="box" size="0.1 0.2 0.3"/></body>
  </worldbody>
</mujoco>
"""

COUPLED = """
<mujoco model="coupled">
  <compiler angle="radian"/>
  <worldbody>
    <body name="palm">
      <joint name="slave_first" axis="1 0 0" ref="0.2" range="-1 1" armature="0.1" damping="0.2" frictionloss="0.3"/>
      <geom size="0.1" pos="0 0.1 0.2"/>
      <body name="a" pos="0 0.1 0.2">
        <joint name="driver" axis="0 1 0" ref="0.1" armature="0.4" damping="0.5" frictionloss="0.6"/>
        <geom size="0.1" pos="0 0.1 0.2"/>
        <body name="b" pos="0 0.1 0.2">
          <joint name="slide" type="slide" axis="0 0 1" ref="-0.3" armature="0.7" damping="0.8" frictionloss="0.9"/>
          <geom size="0.1" pos="0.2 0.1 0.2"/>
          <body name="c" pos="0 0.1 0.2"><joint name="alone" axis="0 0 1"/><geom size="0.1" pos="0.1 0 0"/></body>
        </body>
      </body>
    </body>
  </worldbody>
  <equality>
    <joint joint1="slave_first" joint2="driver" polycoef="0.05 -0.5 0 0 0"/>
    <joint joint1="slide" joint2="driver" polycoef="0.02 0.3 0 0 0"/>
    <joint joint1="alone" joint2="driver" polycoef="0 1 0 0 0" active="false"/>
  </equality>
</mujoco>
"""


def random_tree(seed: int, bodies: int = 12) -> str:
    """MJCF text of a tree of bodies with none to four joints each, placed and directed at random."""
    rng = np.random.default_rng(seed)
    parents = [None, *(int(rng.integers(body)) for body in range(1, bodies))]

    def numbers(size: int, scale: float = 1.0) -> str:
        return '"' + " ".join(map(str, scale * rng.normal(size=size))) + '"'

    def joint(kind: str) -> str:
        reference = "" if kind == "ball" else f"ref='{rng.normal()}'"
        return f"<joint type='{kind}' pos={numbers(3, 0.2)} axis={numbers(3)} armature='0.1' {reference}/>"

    def body(index: int) -> str:
        kinds = [*rng.choice(["hinge", "slide"], rng.integers(4)), *["ball"] * rng.integers(2)]
        joints = "<freejoint/>" if index == 0 and seed % 2 else "".join(map(joint, kinds))
        shape = f"<geom type='box' size='0.1 0.15 0.2' pos={numbers(3, 0.1)} quat={numbers(4)}/>"
        site = f"<site pos={numbers(3, 0.1)} quat={numbers(4)}/>"
        children = "".join(body(child) for child in range(1, bodies) if parents[child] == index)
        return f"<body pos={numbers(3, 0.3)} quat={numbers(4)}>{joints}{shape}{site}{children}</body>"

    return f"<mujoco><compiler angle='radian'/><worldbody>{body(0)}</worldbody></mujoco>"


SHIPPED = Path(mujoco.__file__).parent / "testdata" / "model.xml"
SOURCES = {"arm": ARM, "floating": FLOATING, "several": SEVERAL, "coupled": COUPLED}
SOURCES |= {f"random tree {seed}": random_tree(seed) for seed in range(4)}
if SHIPPED.is_file():
    SOURCES["shipped with mujoco"] = str(SHIPPED)


def compile_source(source: str):
    return mujoco.MjModel.from_xml_path(source) if source == str(SHIPPED) else mujoco.MjModel.from_xml_string(source)


def build(source, **options) -> Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelFileWarning)
        return mjcf.build_model_from_mjcf(source, **options)


def random_qpos(compiled, rng: np.random.Generator) -> np.ndarray:
    """Any position: numbers of a metre or radian, quaternions uniform and unit."""
    qpos = rng.normal(size=compiled.nq)
    for kind, at in zip(compiled.jnt_type, compiled.jnt_qposadr, strict=True):
        start = {int(mujoco.mjtJoint.mjJNT_FREE): at + 3, int(mujoco.mjtJoint.mjJNT_BALL): at}.get(int(kind))
        if start is not None:
            qpos[start : start + 4] /= np.linalg.norm(qpos[start : start + 4])
    return qpos


class Case:
    """A MuJoCo model and ours, with states drawn from a seed."""

    def __init__(self, source: str, **options) -> None:
        self.compiled = compile_source(source)
        self.state = mujoco.MjData(self.compiled)
        self.model = build(self.compiled, **options)
        self.data = self.model.create_data()
        self.rng = np.random.default_rng(20)

    def states(self, count: int = 20):
        for _ in range(count):
            qpos = random_qpos(self.compiled, self.rng)
            q = mjcf.configuration_from_qpos(self.model, qpos)
            self.state.qpos[:] = mjcf.qpos_from_configuration(self.model, q)
            mujoco.mj_forward(self.compiled, self.state)
            yield q

    def frames(self):
        """Each body and site: our frame, MuJoCo's position and rotation, and its Jacobian function."""
        names = read_names(self.compiled)
        for index, name in enumerate(names.bodies):
            yield name, FrameType.BODY, self.state.body(index), mujoco.mj_jacBody, index
        for index, name in enumerate(names.sites):
            yield name, None, self.state.site(index), mujoco.mj_jacSite, index

    def frame_id(self, name: str, kind) -> int:
        found = [
            i
            for i, f in enumerate(self.model.frames)
            if f.name == name
            and (f.type == kind or (kind is None and f.type in (FrameType.OP_FRAME, FrameType.SENSOR)))
        ]
        assert len(found) == 1, (name, kind, found)
        return found[0]

    def qvel_basis(self, q: np.ndarray) -> np.ndarray:
        """MuJoCo's velocity for each unit velocity of ours: columns of d(qvel)/d(v)."""
        return mjcf.qvel_from_velocity(self.model, q, np.eye(self.model.nv)).T


#: Each source, with every joint on its own and with followers.
CASES = [(name, mimic) for name in SOURCES for mimic in (False, True)]
