"""The JSON Schema of body plans, made from the tables that the loader goes by.

`python -m pantin.fitting.plan.schema` prints it; the file that ships with the package is a copy.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pantin.fitting.plan.extension import EXTENSION, PANTIN
from pantin.fitting.plan.fields import DOF, JOINT, PLAN, Table

__all__ = ["SHIPPED", "schema", "schema_text"]

#: The copy that ships with the package.
SHIPPED = Path(__file__).with_name("body-plan.schema.json")


def schema() -> dict[str, Any]:
    """JSON Schema of a body plan, draft 2020-12.

    It knows fields, types, lengths and signs. That names are unique, parents come first, axes have a direction and
    the like is beyond it; `BodyPlan.check` knows that too.
    """
    plan = _object(PLAN)
    plan["properties"][EXTENSION] = {"$ref": "#/$defs/pantin"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Body plan",
        "description": "A tree of joints that are keypoints too, for pantin.fit",
        **plan,
        "$defs": {
            "joint": _object(JOINT),
            "dof": _object(DOF),
            "pantin": {**_object(PANTIN), "additionalProperties": True},
        },
    }


def schema_text() -> str:
    """The schema as its file holds it."""
    return f"{json.dumps(schema(), indent=2, ensure_ascii=False)}\n"


def _object(table: Table) -> dict[str, Any]:
    """Schema of an object with the fields of a table and with extensions."""
    properties = {}
    for field in table:
        default = {} if field.default is None else {"default": field.default}
        properties[field.name] = {**field.kind.schema(), "description": field.meaning, **default}
    return {
        "type": "object",
        "properties": properties,
        "patternProperties": {"^x-": {}},
        "required": [field.name for field in table if field.required],
        "additionalProperties": False,
    }


if __name__ == "__main__":
    print(schema_text(), end="")
