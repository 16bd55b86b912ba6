"""Joint equalities of a MuJoCo model, sorted into groups that follow one master joint each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pantin.errors import InvalidModel

if TYPE_CHECKING:
    import mujoco

__all__ = ["Coupling", "read_couplings"]

#: Largest disagreement of two equalities that say the same of one joint, rad or m.
CONSISTENCY_TOLERANCE = 1e-9


class Coupling(NamedTuple):
    """A joint that follows another: `qpos[joint] = multiplier * qpos[master] + offset`."""

    master: int
    multiplier: float
    offset: float


class _Edge(NamedTuple):
    """Equality `qpos[first] = slope * qpos[second] + constant`."""

    first: int
    second: int
    slope: float
    constant: float


def read_couplings(mujoco_module: Any, source: mujoco.MjModel) -> tuple[dict[int, Coupling], list[str]]:
    """Couplings of the joints of a MuJoCo model, and its equalities that a tree cannot hold.

    Joints that equalities tie together form a group; the first joint of the group is its master, and
    the others follow it, whichever way round the file states it.

    Args:
        mujoco_module: The module `mujoco`.
        source: Compiled model.

    Returns:
        Coupling by MuJoCo joint id, and one phrase for each active equality that is no linear relation
        of two joints.

    Raises:
        InvalidModel: If two equalities contradict each other.
    """
    edges: list[_Edge] = []
    others: list[str] = []
    if source.opt.disableflags & int(mujoco_module.mjtDisableBit.mjDSBL_EQUALITY):
        return {}, others
    for index in np.flatnonzero(source.eq_active0):
        edge = _edge(mujoco_module, source, int(index))
        if edge is None:
            others.append(_phrase(mujoco_module, source, int(index)))
        else:
            edges.append(edge)

    neighbours: dict[int, list[tuple[int, float, float]]] = {}
    for first, second, slope, constant in edges:
        neighbours.setdefault(second, []).append((first, slope, constant))
        neighbours.setdefault(first, []).append((second, 1.0 / slope, -constant / slope))
    relations: dict[int, Coupling] = {}
    for joint in sorted(neighbours):
        if joint not in relations:
            relations.update(_group(source, neighbours, joint))
    return {joint: relation for joint, relation in relations.items() if relation.master != joint}, others


def _edge(mujoco_module: Any, source: mujoco.MjModel, index: int) -> _Edge | None:
    """The equality as a linear relation of two joints, or None where it is something else.

    MuJoCo states `y - y0 = a0 + a1 (x - x0) + ...` with y0 and x0 the positions at `qpos0`.
    """
    if source.eq_type[index] != int(mujoco_module.mjtEq.mjEQ_JOINT):
        return None
    first, second = int(source.eq_obj1id[index]), int(source.eq_obj2id[index])
    a0, slope, *higher = (float(c) for c in source.eq_data[index, :5])
    if second < 0 or slope == 0.0 or any(higher):
        return None
    at_zero = [float(source.qpos0[source.jnt_qposadr[j]]) for j in (first, second)]
    return _Edge(first, second, slope, at_zero[0] + a0 - slope * at_zero[1])


def _group(
    source: mujoco.MjModel, neighbours: dict[int, list[tuple[int, float, float]]], master: int
) -> dict[int, Coupling]:
    """Every joint that equalities tie to the master, as a function of it."""
    group = {master: Coupling(master, 1.0, 0.0)}
    queue = [master]
    while queue:
        near = queue.pop()
        for far, slope, constant in neighbours[near]:
            relation = Coupling(master, slope * group[near].multiplier, slope * group[near].offset + constant)
            known = group.get(far)
            if known is None:
                group[far] = relation
                queue.append(far)
            elif not np.allclose(known[1:], relation[1:], rtol=0.0, atol=CONSISTENCY_TOLERANCE):
                raise InvalidModel(
                    f"equalities contradict each other: joint {source.joint(far).name!r} would be "
                    f"{known.multiplier:g} q + {known.offset:g} and {relation.multiplier:g} q + "
                    f"{relation.offset:g} of joint {source.joint(master).name!r}; remove one of them"
                )
    return group


def _phrase(mujoco_module: Any, source: mujoco.MjModel, index: int) -> str:
    """The equality in words: its kind, and its name or number."""
    kind = mujoco_module.mjtEq(source.eq_type[index]).name.removeprefix("mjEQ_").lower()
    return f"{kind} {source.eq(index).name or index!r}"
