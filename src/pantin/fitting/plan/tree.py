"""Names and parents of the joints of a plan: whether they make one tree, and in which order."""

from __future__ import annotations

import heapq
from typing import Any

from pantin.fitting.plan.plain import BROKEN
from pantin.fitting.plan.report import Path, Report
from pantin.fitting.plan.words import meant

__all__ = ["check_tree", "parents_first"]

Joints = list[dict[str, Any]]


def check_tree(joints: Joints, report: Report, *, reorder: bool = False) -> None:
    """Tell what keeps the joints from being one tree with parents before children.

    Args:
        joints: The joints, as `fields.read_object` leaves them.
        report: Takes the faults.
        reorder: A parent that comes later is no fault.
    """
    _check_names([(("joints", index, "name"), joint["name"]) for index, joint in enumerate(joints)], "joint", report)
    _check_names(
        [
            (("joints", index, "dofs", number), dof["name"])
            for index, joint in enumerate(joints)
            for number, dof in enumerate(joint["dofs"])
            if isinstance(dof, dict)
        ],
        "DOF",
        report,
    )
    _check_roots(joints, report)
    parents = _parents(joints, report)
    circling = _check_cycles(joints, parents, report)
    for child, parent in enumerate(parents):
        if parent > child and child not in circling and not reorder:
            message = f"the parent {joints[parent]['name']!r} comes later, as joint number {parent}"
            report.error("parent-after-child", _at(child), message, "move it up in the list, or load with reorder=True")
    bearing = [joint["parent"] for joint in joints]
    for index, joint in enumerate(joints):
        if joint["dofs"] and joint["name"] is not BROKEN and joint["name"] not in bearing:
            _tell_unseen(index, joint, report)


def parents_first(joints: Joints) -> list[int]:
    """Order of the joints of a tree that brings parents before children and moves no joint that may stay.

    Returns:
        Index of each joint in the list as it is: of those whose parents are placed the first comes next.
    """
    number = {joint["name"]: index for index, joint in enumerate(joints)}
    children: dict[int, list[int]] = {}
    for index, joint in enumerate(joints):
        parent = -1 if joint["parent"] is None else number[joint["parent"]]
        children.setdefault(parent, []).append(index)
    ready = children.get(-1, [])
    order = []
    while ready:
        order.append(heapq.heappop(ready))
        for child in children.get(order[-1], []):
            heapq.heappush(ready, child)
    return order


def _at(joint: int) -> Path:
    return ("joints", joint, "parent")


def _check_names(names: list[tuple[Path, Any]], kind: str, report: Report) -> None:
    first: dict[str, Path] = {}
    for path, name in names:
        if not isinstance(name, str):
            continue
        if name in first:
            where = first[name]
            before = (
                f"joint number {where[1]}" if kind == "joint" else f"DOF number {where[3]} of {report.owner(where[:2])}"
            )
            message = f"the {kind} name {name!r} is taken already, by {before}"
            report.error("duplicate-name", path, message, "names are unique; choose another one")
        first.setdefault(name, path)


def _check_roots(joints: Joints, report: Report) -> None:
    roots = [index for index, joint in enumerate(joints) if joint["parent"] is None]
    if len(roots) > 1:
        listed = ", ".join(f"{joints[root]['name']!r} (number {root})" for root in roots)
        message = f"{len(roots)} joints have no parent: {listed}"
        report.error("two-roots", _at(roots[1]), message, "one joint is the root; hang the others on it")
    elif not roots and joints and all(joint["parent"] is not BROKEN for joint in joints):
        report.error("no-root", ("joints",), "no joint is the root", 'the root has "parent": null')


def _parents(joints: Joints, report: Report) -> list[int]:
    """Index of the parent of each joint: -1 for roots, -2 where it cannot be told."""
    number: dict[Any, int] = {}
    for index, joint in enumerate(joints):
        if joint["name"] is not BROKEN:
            number.setdefault(joint["name"], index)
    parents = []
    for index, joint in enumerate(joints):
        parent = joint["parent"]
        if isinstance(parent, str) and parent not in number:
            message = f"there is no joint {parent!r} to be the parent"
            report.error("unknown-parent", _at(index), message, meant(parent, number))
        parents.append(-1 if parent is None else number.get(parent, -2))
    return parents


def _check_cycles(joints: Joints, parents: list[int], report: Report) -> set[int]:
    """Joints that lead back to themselves, each cycle told once."""
    circling: set[int] = set()
    done: set[int] = set()
    for start in range(len(joints)):
        trail: dict[int, None] = {}
        joint = start
        while joint >= 0 and joint not in done and joint not in trail:
            trail[joint] = None
            joint = parents[joint]
        if joint in trail:
            walked = list(trail)
            cycle = walked[walked.index(joint) :]
            circling.update(cycle)
            _tell_cycle(cycle, joints, report)
        done.update(trail)
    return circling


def _tell_cycle(cycle: list[int], joints: Joints, report: Report) -> None:
    names = [repr(joints[joint]["name"]) for joint in (*cycle, cycle[0])]
    if len(cycle) == 1:
        message = f"the joint is its own parent: {' -> '.join(names)}"
    else:
        message = f"the parents of {len(cycle)} joints go round: {' -> '.join(names)}"
    report.error("cycle", _at(cycle[0]), message, "one of them hangs on a joint that leads to the root")


def _tell_unseen(index: int, joint: dict[str, Any], report: Report) -> None:
    for number in range(len(joint["dofs"])):
        message = "no joint hangs on this one, so no keypoint moves with the DOF"
        hint = "hang a joint without DOFs on it where a point can be seen, or leave the DOF out"
        report.warning("unseen-dof", ("joints", index, "dofs", number), message, hint)
