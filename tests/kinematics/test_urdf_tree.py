"""Links and joints that are no tree are refused by name and line; large trees load in linear time."""

from __future__ import annotations

import time

import pytest
from urdf_text import chain, joint, link, robot, star

from pantin.errors import (
    ModelFileError,
)
from pantin.kinematics.urdf import build_model_from_xml


@pytest.mark.parametrize(
    ("parts", "complaint"),
    [
        ([], "line 1, robot 'test': the robot has no <link>"),
        ([link("a"), link("b")], "2 links have no parent joint: 'a', 'b'; there can be one root"),
        (
            [*map(link, "abc"), joint("j", "fixed", "a", "b")],
            "2 links have no parent joint: 'a', 'c'",
        ),
        (
            [*map(link, "ab"), joint("j", "fixed", "a", "b"), joint("k", "fixed", "b", "a")],
            "the joints go round in a circle: 'k', 'j'|the joints go round in a circle: 'j', 'k'",
        ),
        (
            [*map(link, "abcd"), *(joint(f"j{p}", "fixed", p, c) for p, c in ("bc", "cd", "db"))],
            "line [6-8], joint 'j.': the joints go round in a circle: 'j[bcd]', 'j[bcd]', 'j[bcd]'; a",
        ),
        ([link("a"), joint("loop", "fixed", "a", "a")], "joint 'loop': .*in a circle: 'loop'"),
        (
            [*map(link, "abc"), joint("j", "fixed", "a", "c"), joint("k", "fixed", "b", "c")],
            "line 6, joint 'k': link 'c' has two parents: joint 'j' on line 5 moves it too",
        ),
        ([link("a"), link("a")], "line 3, link 'a': a second link of this name; the first is on line 2"),
        (
            [*map(link, "abc"), joint("j", "fixed", "a", "b"), joint("j", "fixed", "b", "c")],
            "line 6, joint 'j': a second joint of this name; the first is on line 5",
        ),
        (
            [link("base"), link("tip"), joint("j", "fixed", "basis", "tip")],
            "line 4, joint 'j': its parent link 'basis' is not there; did you mean 'base'?",
        ),
        ([link("base"), joint("j", "fixed", "base", "qqq")], "joint 'j': its child link 'qqq' is not there$"),
        ([link(""), link("b")], "line 2, link '': empty attribute 'name'"),
        (["<link/>"], "line 2, <link>: no attribute 'name'"),
        ([link("a"), '<joint name="j"/>'], "line 3, joint 'j': no attribute 'type'"),
        (
            [link("a"), '<joint name="j" type="revolut"/>'],
            "no joint type 'revolut'; did you mean 'revolute'?",
        ),
        (
            [link("a"), '<joint name="j" type="ball"/>'],
            "no joint type 'ball'; there are revolute, continuous",
        ),
        (
            [link("a"), '<joint name="j" type="fixed"><child link="a"/></joint>'],
            "joint 'j': no <parent link=...>",
        ),
        (
            [link("a"), '<joint name="j" type="fixed"><parent/></joint>'],
            "joint 'j', <parent>: no attribute 'link'",
        ),
        (
            [*map(link, "ab"), joint("j", "fixed", "a", "b", '<parent link="b"/>')],
            "joint 'j', <parent>: a second <parent>",
        ),
    ],
)
def test_what_is_no_tree_is_refused_by_name_and_line(parts, complaint):
    with pytest.raises(ModelFileError, match=complaint):
        build_model_from_xml(robot(*parts))


@pytest.mark.parametrize("text", ["<sdf/>", "<mujoco/>", "<html><body/></html>"])
def test_another_kind_of_document_is_refused(text):
    with pytest.raises(ModelFileError, match=r"expected a <robot>, got a <.*>: this is not a URDF file"):
        build_model_from_xml(text)


@pytest.mark.parametrize("shape", [chain, star])
@pytest.mark.parametrize("kind", ["continuous", "fixed"])
def test_five_thousand_links_load_in_linear_time(shape, kind):
    def seconds(count):
        text = shape(count, kind)
        return min(timed(lambda: build_model_from_xml(text)) for _ in range(3))

    model = build_model_from_xml(shape(5000, kind))
    assert model.nframes == 10_002
    # Linear work grows 5 times, quadratic 25 times.
    assert seconds(5000) < 14 * seconds(1000)


def timed(call):
    start = time.process_time()
    call()
    return time.process_time() - start
