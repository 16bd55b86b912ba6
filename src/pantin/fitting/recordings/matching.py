"""A recording in the order and unit of a body plan, its keypoints matched to joints by name."""

from __future__ import annotations

import dataclasses
import difflib
import functools
import os
import re
import warnings
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from pantin.arrays import Array
from pantin.errors import InvalidArgument, UnknownJoint
from pantin.fitting.plan import BodyPlan
from pantin.fitting.recordings.mapping import read_mapping
from pantin.fitting.recordings.problems import RecordingError, RecordingWarning
from pantin.fitting.recordings.recording import Recording
from pantin.fitting.recordings.units import METRES, as_unit, likely_factor, spread, unit_factor
from pantin.fitting.recordings.weights import weights_from_confidence

__all__ = ["MatchReport", "Matched", "match"]

#: Frames whose size is compared with the plan's, about.
_FRAMES = 1000


@dataclasses.dataclass(frozen=True)
class MatchReport:
    """What was matched and what was not; `print` shows it.

    Attributes:
        matched: Keypoints of the recording by the joints they are, in plan order.
        unmatched_joints: Joints that the recording does not have.
        unmatched_keypoints: Keypoints that the plan does not have.
        hints: For keypoints that were not matched, a joint with a similar name that was not either.
        unit: Unit of the recording, stated by it or by the caller, or None.
        plan_unit: Unit of the plan, or None.
        factor: What the positions were multiplied by.
        warnings: What is probably not meant, each in a sentence.
    """

    matched: Mapping[str, str]
    unmatched_joints: tuple[str, ...]
    unmatched_keypoints: tuple[str, ...]
    hints: Mapping[str, str]
    unit: str | None
    plan_unit: str | None
    factor: float
    warnings: tuple[str, ...]

    def __str__(self) -> str:
        """The report in lines."""
        total = len(self.matched) + len(self.unmatched_joints)
        lines = [f"{len(self.matched)} of {total} joints have a keypoint"]
        lines += [f"  {joint}: {keypoint}" for joint, keypoint in self.matched.items() if joint != keypoint]
        if self.unmatched_joints:
            lines.append(f"joints without a keypoint: {', '.join(self.unmatched_joints)}")
        if self.unmatched_keypoints:
            lines.append(f"keypoints without a joint: {', '.join(self.unmatched_keypoints)}")
        lines += [f"  is {keypoint!r} the joint {joint!r}? then map it" for keypoint, joint in self.hints.items()]
        if self.factor != 1:
            lines.append(f"converted from {self.unit} to {self.plan_unit}: multiplied by {self.factor:g}")
        if self.unit in METRES and self.plan_unit is None:
            lines.append(f"the recording is in {self.unit}, the plan states no unit: taken for the same")
        lines += [f"warning: {text}" for text in self.warnings]
        return "\n".join(lines)


@dataclasses.dataclass(frozen=True, eq=False)
class Matched:
    """A recording as `pantin.fit` takes it. T frames, K joints.

    Attributes:
        positions: Shape (T, K, 3), or (T, K, 2) in a picture; plan order and unit; NaN where missing.
        weights: Shape (T, K); 0 where a point is missing or its confidence below the floor.
        time: Seconds, shape (T,), or None.
        report: What was matched and what was not.
    """

    positions: Array
    weights: Array
    time: Array | None
    report: MatchReport


def match(
    recording: Recording,
    plan: BodyPlan,
    mapping: Mapping[str, str] | str | os.PathLike[str] | None = None,
    *,
    unit: str | None = None,
    confidence_floor: float = 0.3,
    confidence_power: float = 2.0,
) -> Matched:
    """Positions and weights for a body plan.

    A keypoint is the joint that the mapping gives it, or else the joint of exactly its name. Nothing is guessed:
    similar names are hints in the report.

    Args:
        recording: What was tracked.
        plan: The body plan.
        mapping: Names of joints by names of keypoints: a table, or a JSON, TOML or CSV file.
        unit: Unit of the recording's positions ("m", "cm", "mm", "um"), where it states none or a wrong one.
        confidence_floor: Confidence below which a keypoint does not count.
        confidence_power: What the others are raised to, see `weights_from_confidence`.

    Returns:
        Positions and weights in plan order. Where nothing has to change they share the recording's memory.

    Raises:
        RecordingError: If no keypoint is a joint of the plan.
        UnknownJoint: If the mapping names a joint that the plan does not have.
        InvalidArgument: If an argument is of another type, a unit is asked for that the plan does not share, or
            confidences lie outside [0, 1].

    Warns:
        RecordingWarning: If recording and plan differ in size by what looks like a unit, or the mapping names a
            keypoint that the recording does not have.
    """
    if not isinstance(recording, Recording):
        raise InvalidArgument("recording", f"expected a Recording, got a {type(recording).__name__}")
    if not isinstance(plan, BodyPlan):
        raise InvalidArgument("plan", f"expected a BodyPlan, got a {type(plan).__name__}")
    origin, notes = _origins(recording, tuple(plan.joint_names), read_mapping(mapping))
    factor, stated = _conversion(recording, plan, unit)
    rest = tuple(name for name in recording.keypoints if name not in origin.values())
    lacking = tuple(name for name in plan.joint_names if name not in origin)
    hints = _hints(rest, lacking)
    if not origin:
        raise RecordingError(recording.path, _no_match(rest, lacking, hints))
    positions = _in_plan_order(recording.positions, recording.keypoints, plan, origin, factor)
    if recording.confidence is None:
        weights = np.ones(positions.shape[:2])
    else:
        sure = weights_from_confidence(recording.confidence, confidence_floor, confidence_power)
        weights = _in_plan_order(sure[..., None], recording.keypoints, plan, origin, 1.0)[..., 0]
    missing = functools.reduce(np.logical_or, (np.isnan(coordinate) for coordinate in np.moveaxis(positions, -1, 0)))
    weights = np.where(missing, 0.0, weights)
    notes += _size(positions, plan, origin, stated)
    for note in notes:
        warnings.warn(f"{recording.path}: {note}" if recording.path else note, RecordingWarning, stacklevel=2)
    report = MatchReport(origin, lacking, rest, hints, stated, plan.length_unit, factor, tuple(notes))
    return Matched(positions, weights, recording.time, report)


def _origins(
    recording: Recording, joints: tuple[str, ...], mapping: dict[str, str]
) -> tuple[dict[str, str], list[str]]:
    """Keypoints by joints, in plan order, and what is odd about the mapping."""
    known = set(joints)
    for joint in mapping.values():
        if joint not in known:
            raise UnknownJoint(joint, joints)
    notes = []
    for keypoint in mapping:
        if keypoint not in recording.keypoints:
            close = difflib.get_close_matches(keypoint, recording.keypoints, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            notes.append(f"the mapping names a keypoint {keypoint!r}, which the recording does not have{hint}")
    found = {joint: keypoint for keypoint, joint in mapping.items() if keypoint in recording.keypoints}
    same = [name for name in recording.keypoints if name in known and name not in mapping and name not in found]
    found |= dict(zip(same, same, strict=True))
    return {joint: found[joint] for joint in joints if joint in found}, notes


def _conversion(recording: Recording, plan: BodyPlan, unit: str | None) -> tuple[float, str | None]:
    """What positions are multiplied by, and their unit."""
    given = as_unit("unit", unit)
    stated = given or recording.unit
    wanted = as_unit("length_unit", plan.length_unit)
    if given == "px" and recording.positions.shape[2] == 3:
        raise InvalidArgument("unit", "pixels are no unit of positions in space")
    if given in METRES and wanted is None:
        raise InvalidArgument(
            "unit", f"the plan states no unit to convert {given!r} to; add x-pantin.length_unit to it"
        )
    if stated in METRES and wanted in METRES:
        return unit_factor(stated, wanted), stated
    return 1.0, stated


def _in_plan_order(
    values: Array, keypoints: tuple[str, ...], plan: BodyPlan, origin: Mapping[str, str], factor: float
) -> Array:
    """Values of keypoints, shape (T, K', D), as those of joints, shape (T, K, D); NaN for joints without any."""
    joints = tuple(plan.joint_names)
    if factor == 1 and [origin.get(joint) for joint in joints] == list(keypoints):
        return values
    index = {name: i for i, name in enumerate(keypoints)}
    frames, count, width = values.shape
    chosen = np.array([index[origin.get(joint, keypoints[0])] for joint in joints])
    columns = (chosen[:, None] * width + np.arange(width)).ravel()  # numbers are moved faster one by one than in threes
    flat: Array = values.reshape(frames, count * width).take(columns, axis=1)
    ordered = flat.reshape(frames, len(joints), width)
    if factor != 1:
        ordered *= factor
    ordered[:, [joint not in origin for joint in joints]] = np.nan
    return ordered


def _hints(keypoints: Iterable[str], joints: Iterable[str]) -> dict[str, str]:
    """Joints of similar names, by keypoints."""
    plain = {_plain(joint): joint for joint in joints}
    hints = {}
    for keypoint in keypoints:
        close = difflib.get_close_matches(_plain(keypoint), plain, n=1, cutoff=0.75)
        if close:
            hints[keypoint] = plain[close[0]]
    return hints


def _plain(name: str) -> str:
    """A name without what people write differently: case, separators, a subject before a colon."""
    return re.sub(r"[\W_]+", "", name.rpartition(":")[2].lower())


def _no_match(keypoints: tuple[str, ...], joints: tuple[str, ...], hints: Mapping[str, str]) -> str:
    """That no name is in both, and what could be done."""
    pairs = ", ".join(f"{keypoint!r}: {joint!r}" for keypoint, joint in list(hints.items())[:3])
    hint = f"; give a mapping, such as {{{pairs}}}" if pairs else "; give a mapping from keypoints to joints"
    return f"none of its keypoints ({_few(keypoints)}) is the name of a joint of the plan ({_few(joints)}){hint}"


def _few(names: Sequence[str]) -> str:
    """The first of some names."""
    return ", ".join(map(repr, names[:4])) + (", ..." if len(names) > 4 else "")


def _size(positions: Array, plan: BodyPlan, origin: Mapping[str, str], stated: str | None) -> list[str]:
    """A sentence where recording and plan differ in size by what looks like a unit."""
    if positions.shape[2] != 3:
        return []
    matched = [list(plan.joint_names).index(joint) for joint in origin]
    some = positions[:: max(1, len(positions) // _FRAMES)]
    data = spread(some[:, matched])
    body = spread(np.asarray(plan.keypoints(plan.neutral_state()))[None, matched])
    factor = likely_factor(data, body)
    if factor is None:
        return []
    size = f"{factor:.0f} times as large as" if factor > 1 else f"1/{1 / factor:.0f} the size of"
    unit = f" (read as {stated})" if stated else ""
    return [
        f"the recorded keypoints{unit} are about {size} the plan's; is their unit another? then state it with unit="
    ]
