"""What the writers of XML share."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree import ElementTree

from pantin.errors import InvalidModel

__all__ = ["numbers", "text_of"]

#: What XML has no way to write; compiled when first used.
FORBIDDEN = r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"


def numbers(values: Iterable[float]) -> str:
    """Numbers with as many digits as it takes to read the same ones again."""
    return " ".join(repr(float(value) + 0.0) for value in values)


def text_of(root: ElementTree.Element) -> str:
    """Indented text of a document.

    Raises:
        InvalidModel: If a name has a character that XML cannot hold.
    """
    for element in root.iter():
        for value in element.attrib.values():
            if re.search(FORBIDDEN, value):
                raise InvalidModel(f"the name {value!r} has a character that XML cannot hold; rename it")
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode") + "\n"
