"""`pantin fk`: where a frame is, given joint angles."""

from __future__ import annotations

from typing import Annotated

import typer

import pantin
from pantin.cli._options import FrameOption, JsonOption, ModelArgument, configuration
from pantin.cli._output import print_json
from pantin.cli._pose import pose_facts, print_pose
from pantin.kinematics.algorithms import frames_forward_kinematics
from pantin.kinematics.configurations import neutral

__all__ = ["fk"]


def fk(
    model: ModelArgument,
    frame: FrameOption,
    q: Annotated[
        str,
        typer.Option(
            "--q",
            metavar="Q1,Q2,...",
            help="Joint values with commas, all in order (0.1,-0.2) or by name (elbow=0.1); neutral where left out.",
            show_default=False,
        ),
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """Print the pose of a frame in the world for given joint values.

    [bold]Examples[/bold]

      pantin fk panda --frame panda_hand --q 0,-0.4,0,-2.1,0,1.8,0.8
      pantin fk panda --frame panda_hand --q panda_joint4=-2.1 --json
    """
    tree = pantin.load(model)
    values = configuration("--q", q, tree) if q else neutral(tree)
    data = tree.create_data()
    frame_id = tree.get_frame_id(frame)
    frames_forward_kinematics(tree, data, values)
    pose = data.oMf[frame_id]
    if as_json:
        print_json({"frame": frame, **pose_facts(pose)})
    else:
        print_pose(frame, pose)
