"""Names for everything in a MuJoCo model that becomes a joint or a frame, the unnamed included."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import mujoco

__all__ = ["Names", "read_names"]


class Names(NamedTuple):
    """Names by MuJoCo id.

    Attributes:
        bodies: Names of the bodies and their frames.
        joints: Names of the joints.
        joint_frames: Names of the joints' frames.
        sites: Names of the sites' frames.
    """

    bodies: list[str]
    joints: list[str]
    joint_frames: list[str]
    sites: list[str]


def read_names(source: mujoco.MjModel) -> Names:
    """Names of bodies, joints and sites; no two frames have the same.

    An unnamed body is "body" with its number, an unnamed joint "<body>_joint", an unnamed site "<body>_site",
    each with a number where the body has several. Where a joint has the name of a body its frame, not itself,
    gets "_joint" behind the name; a site that has the name of another frame gets "_site".
    """
    bodies = _filled(
        [source.body(i).name for i in range(source.nbody)],
        [f"body{i}" for i in range(source.nbody)],
        {"universe"},
    )
    joints = _filled(
        [source.joint(i).name for i in range(source.njnt)],
        _of_body(bodies, [int(b) for b in source.jnt_bodyid], "joint"),
        {"universe", "root_joint"},
    )
    joint_frames = _apart(joints, "joint", {*bodies, "universe", "root_joint"})
    sites = _filled(
        [source.site(i).name for i in range(source.nsite)],
        _of_body(bodies, [int(b) for b in source.site_bodyid], "site"),
        set(),
    )
    sites = _apart(sites, "site", {*bodies, *joint_frames, "universe", "root_joint"})
    return Names(bodies, joints, joint_frames, sites)


def _apart(names: list[str], kind: str, taken: set[str]) -> list[str]:
    """The names, those that are taken with their kind behind them."""
    return _filled(["" if name in taken else name for name in names], [f"{name}_{kind}" for name in names], taken)


def _of_body(bodies: list[str], owners: list[int], kind: str) -> list[str]:
    """Name of each thing after its body, numbered where the body has several."""
    names = []
    for index, owner in enumerate(owners):
        number = "" if owners.count(owner) == 1 else str(owners[:index].count(owner))
        names.append(f"{bodies[owner]}_{kind}{number}")
    return names


def _filled(names: list[str], proposals: list[str], taken: set[str]) -> list[str]:
    """The names, with a proposal made unique where there is none."""
    used = {*taken, *names}
    filled = []
    for name, proposal in zip(names, proposals, strict=True):
        chosen = name
        if not name:
            chosen, number = proposal, 2
            while chosen in used:
                chosen, number = f"{proposal}_{number}", number + 1
            used.add(chosen)
        filled.append(chosen)
    return filled
