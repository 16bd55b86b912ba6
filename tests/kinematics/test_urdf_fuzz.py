"""Whatever is done to a URDF, there is a sound model or an error of ours."""

from __future__ import annotations

import warnings

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from urdf_text import LIMIT, TREE, frame_poses, joint, link, robot

from pantin.errors import (
    InvalidModel,
    ModelFileWarning,
)
from pantin.kinematics.configurations import neutral
from pantin.kinematics.joints import JointModelFreeFlyer
from pantin.kinematics.urdf import build_model_from_xml

VALUES = st.one_of(
    st.sampled_from(
        ["", " ", "nan", "-inf", "inf", "1e400", "1e308", "-1e308", "1e-320", "-1", "0", "\N{GRINNING FACE}",
         "0 0 0", "3 4 5", "1e50 1e50 1e50", "1e-320 0 0", "1 2", "1,2 3", "torso", "Arm", "shoulder", "über",
         "fixed", "planar", "floating", "revolute", "continuous", "ball"]
    ),
    st.text(max_size=6).map(lambda text: "".join(c for c in text if c.isprintable() and c not in "<&\"'")),
    st.floats().map(repr),
)  # fmt: skip


def read_or_refuse(document, **options):
    """Whatever comes, there is a sound model or an error of ours."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ModelFileWarning)
            model = build_model_from_xml(document, **options)
    except InvalidModel:
        return
    q = neutral(model)
    assert q.shape == (model.nq,)
    for pose in frame_poses(model, q).values():
        assert np.isfinite(pose).all()
    for inertia in model.inertias:
        assert np.isfinite([inertia.mass, *inertia.lever, *np.ravel(inertia.inertia)]).all()
    assert (model.lower_position_limit <= model.upper_position_limit).all()


FUZZ = settings(max_examples=300, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


@FUZZ
@given(st.data(), st.booleans(), st.booleans())
def test_a_robot_with_changed_values_is_read_or_refused(data, mimic, free):
    parts = [
        *TREE,
        link("x"),
        joint("m", "revolute", "tool", "x", LIMIT + '<mimic joint="shoulder" offset="1"/>'),
    ]
    pieces = robot(*parts).split('"')
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(pieces) // 2 - 1)) * 2 + 1
        pieces[place] = data.draw(VALUES)
    read_or_refuse('"'.join(pieces), mimic=mimic, root_joint=JointModelFreeFlyer() if free else None)


@FUZZ
@given(st.data(), st.booleans())
def test_a_robot_with_elements_dropped_doubled_and_moved_is_read_or_refused(data, mimic):
    elements = robot(*TREE).replace("><", ">\x00<").replace("\n", "\x00").split("\x00")
    for _ in range(data.draw(st.integers(1, 4))):
        here, there = (data.draw(st.integers(0, len(elements) - 1)) for _ in range(2))
        change = data.draw(st.sampled_from(["drop", "double", "swap"]))
        if change == "drop" and len(elements) > 1:
            del elements[here]
        elif change == "double":
            elements.insert(there, elements[here])
        else:
            elements[here], elements[there] = elements[there], elements[here]
    read_or_refuse("\n".join(elements), mimic=mimic)


@FUZZ
@given(st.data())
def test_a_robot_with_changed_bytes_is_read_or_refused(data):
    document = bytearray(robot(*TREE).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        document[data.draw(st.integers(0, len(document) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, 3))
    if cut == 0:
        del document[data.draw(st.integers(0, len(document) - 1)) :]
    read_or_refuse(bytes(document))


@FUZZ
@given(st.one_of(st.binary(max_size=200), st.text(max_size=200)))
def test_any_text_is_read_or_refused(document):
    read_or_refuse(document)
