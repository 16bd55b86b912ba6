"""Body plans out of models and BVH files, and into models, MJCF, URDF and BVH.

Most of it is reached through methods of `BodyPlan`: `to_model`, `from_model`, `q`, `state`, `tangent_from_model`,
`to_mjcf`, `to_urdf` and `from_bvh`.
"""

from pantin.fitting.convert.bvh import Bvh, bvh_document, bvh_text, read_bvh, write_bvh
from pantin.fitting.convert.from_model import plan_document
from pantin.fitting.convert.mjcf import dof_order, mjcf_text, qpos_of
from pantin.fitting.convert.model_states import configuration_of_model, state_of_model
from pantin.fitting.convert.states import configuration_of, state_of, tangent_from_model
from pantin.fitting.convert.to_model import model_of
from pantin.fitting.convert.urdf import urdf_text

__all__ = [
    "Bvh",
    "bvh_document",
    "bvh_text",
    "configuration_of",
    "configuration_of_model",
    "dof_order",
    "mjcf_text",
    "model_of",
    "plan_document",
    "qpos_of",
    "read_bvh",
    "state_of",
    "state_of_model",
    "tangent_from_model",
    "urdf_text",
    "write_bvh",
]
