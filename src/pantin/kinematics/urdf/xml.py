"""XML read safely: no entities, no network, no deep nesting, and errors that name file, line and element."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote, unquote

from lxml import etree  # type: ignore[import-untyped]  # has no stubs of its own

from pantin.errors import InvalidArgument, ModelFileError, ModelFileNotFound

__all__ = [
    "LARGEST",
    "Element",
    "as_path",
    "at_least_zero",
    "child",
    "children",
    "fault",
    "label",
    "number",
    "numbers",
    "parse",
    "read_file",
    "text",
]

#: Largest magnitude of a length, angle, mass or inertia; squares of sums of such numbers stay finite.
LARGEST = 1e50


class Element(Protocol):
    """Element of a parsed document, as lxml has it."""

    tag: str
    prefix: str | None
    sourceline: int
    attrib: Mapping[str, str]

    def get(self, key: str, default: str = ...) -> str:
        """Value of an attribute."""

    def getparent(self) -> Element | None:
        """The element around this one."""

    def getroottree(self) -> Any:
        """The document."""

    def iter(self, *tags: str) -> Iterator[Element]:
        """This element and those in it, at any depth."""

    def iterchildren(self, tag: str) -> Iterator[Element]:
        """The elements directly in this one."""

    def __len__(self) -> int: ...


_SPACE = " \t\r\n"
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_INFINITY = re.compile(r"([+-]?)inf(?:inity)?", re.IGNORECASE)
_DECLARATION = re.compile(r"\s*<\?xml\s[^>]*\?>")
_ENCODING = re.compile(rb"""<\?xml\s[^>]*encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")


def as_path(filename: str | os.PathLike[str]) -> Path:
    """Path of a model file.

    Raises:
        InvalidArgument: If it is none.
    """
    if not isinstance(filename, (str, os.PathLike)):
        raise InvalidArgument("filename", f"expected the path of a file, got a {type(filename).__name__}")
    return Path(filename)


def read_file(filename: str | os.PathLike[str]) -> bytes:
    """Contents of a model file.

    Raises:
        ModelFileNotFound: If there is no such file.
        ModelFileError: If it cannot be read.
    """
    path = as_path(filename)
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise ModelFileNotFound(path) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ModelFileError(f"cannot be read: {reason}", str(path)) from None


def parse(document: str | bytes, source: str) -> Element:
    """Root element of an XML document.

    Bytes are decoded as their XML declaration says, UTF-8 without one; in a string the declaration's encoding
    means nothing. Prefixes that were never declared are allowed, since robot files are full of them.

    Args:
        document: Text of the document.
        source: Name of the file, for messages; may be empty.

    Returns:
        The root element, without comments and processing instructions.

    Raises:
        ModelFileError: If the document is not well-formed, declares entities, or is nested absurdly deep.
        InvalidArgument: If it is no text.
    """
    if not isinstance(document, (str, bytes)):
        raise InvalidArgument("xml_string", f"expected text or bytes, got a {type(document).__name__}")
    if isinstance(document, str):
        return _parse_text(document, source)
    root, mistakes = _parse_bytes(document, source)
    if any(mistake.type == etree.ErrorTypes.ERR_UNSUPPORTED_ENCODING for mistake in mistakes):
        return _parse_text(_decode(document, source), source)
    return _accept(root, mistakes, source)


def fault(element: Element, message: str) -> ModelFileError:
    """Error about an element, naming its file, its line and the link or joint it belongs to."""
    source = unquote(element.getroottree().docinfo.URL or "", errors="surrogateescape")
    return ModelFileError(f"line {element.sourceline}, {_owner(element)}: {message}", source)


def label(element: Element) -> str:
    """Tag of an element, without the default namespace; `prefix:tag` where it has a prefix."""
    name = str(element.tag).rpartition("}")[2]
    return f"{element.prefix}:{name}" if element.prefix else name


def children(element: Element, tag: str) -> list[Element]:
    """Children of an element that have a tag, in the order of the file."""
    return [found for found in element.iterchildren(f"{{*}}{tag}") if not found.prefix]


def child(element: Element, tag: str) -> Element | None:
    """The one child of an element that has a tag, or None.

    Raises:
        ModelFileError: If there is more than one.
    """
    found = children(element, tag)
    if len(found) > 1:
        raise fault(found[1], f"a second <{tag}>; the first is on line {found[0].sourceline}")
    return found[0] if found else None


def text(element: Element, attribute: str) -> str:
    """Value of an attribute that has to be there.

    Raises:
        ModelFileError: If it is missing or empty.
    """
    value = element.get(attribute, "")
    if not value.strip(_SPACE):
        raise fault(element, f"{'empty' if attribute in element.attrib else 'no'} attribute '{attribute}'")
    return value


def numbers(element: Element, attribute: str, count: int) -> tuple[float, ...]:
    """Numbers of an attribute: decimal, with sign and exponent, between any XML white space, in any locale.

    Raises:
        ModelFileError: If they are not `count` finite numbers, or one is larger than 1e50.
    """
    words = re.split(f"[{_SPACE}]+", text(element, attribute).strip(_SPACE))
    if len(words) != count:
        raise _bad_number(element, attribute, f"expected {count} number{'s' * (count > 1)}, got {len(words)}")
    return tuple(_read_number(element, attribute, word) for word in words)


def number(element: Element, attribute: str, default: float | None = None, *, limit: bool = False) -> float:
    """One number of an attribute.

    Args:
        element: The element.
        attribute: Name of the attribute.
        default: Value where the attribute is missing; None if it has to be there.
        limit: The number is a limit of a joint, which may be as large as doubles are, or infinite ("inf").

    Raises:
        ModelFileError: If it is not one number, is missing, or too large.
    """
    if default is not None and attribute not in element.attrib:
        return default
    word = text(element, attribute).strip(_SPACE)
    if limit and (match := _INFINITY.fullmatch(word)):
        return float(f"{match[1]}inf")
    return _read_number(element, attribute, word, float("inf") if limit else LARGEST)


def at_least_zero(element: Element, attribute: str, default: float | None = None, *, limit: bool = False) -> float:
    """One number of an attribute, as `number`, that cannot be negative.

    Raises:
        ModelFileError: If it is.
    """
    value = number(element, attribute, default, limit=limit)
    if value < 0.0:
        raise fault(element, f"{attribute}={value:g} is negative")
    return value


def _read_number(element: Element, attribute: str, word: str, largest: float = LARGEST) -> float:
    """The number that a word of an attribute stands for."""
    if not _NUMBER.fullmatch(word):
        hint = " (a decimal point is '.', numbers are separated by spaces)" if "," in word else ""
        raise _bad_number(element, attribute, f"{word[:40]!r} is not a finite number{hint}")
    value = float(word)
    if abs(value) > largest or abs(value) == float("inf"):
        raise _bad_number(element, attribute, f"{word[:40]} is too large (at most {min(largest, 1.7e308):g})")
    return value


def _bad_number(element: Element, attribute: str, message: str) -> ModelFileError:
    return fault(element, f"{attribute}={text(element, attribute)[:80]!r}: {message}")


def _owner(element: Element) -> str:
    """Words that point at an element: the child of the root that it belongs to, and itself."""
    owner = element
    while (parent := owner.getparent()) is not None and parent.getparent() is not None:
        owner = parent
    words = f"{label(owner)} {owner.get('name')!r}" if "name" in owner.attrib else f"<{label(owner)}>"
    return words if owner is element else f"{words}, <{label(element)}>"


def _parse_text(document: str, source: str) -> Element:
    """Root element of a document that is decoded already."""
    declaration = _DECLARATION.match(document)
    if declaration:
        blank = re.sub(r"\S", " ", declaration[0])
        document = blank + document[declaration.end() :]
    try:
        data = document.removeprefix("\ufeff").encode()
    except UnicodeEncodeError as error:
        raise ModelFileError(f"the text is not valid Unicode: {error.reason}", source) from None
    return _accept(*_parse_bytes(data, source, encoding="utf-8"), source)


def _parse_bytes(data: bytes, source: str, encoding: str | None = None) -> tuple[Element | None, list[Any]]:
    """Root element, or None, and what the parser complains of."""
    parser = etree.XMLParser(
        encoding=encoding,
        recover=True,
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(data, parser, base_url=quote(source, errors="surrogateescape") or None)
    except etree.XMLSyntaxError:
        root = None
    return root, list(parser.error_log)


def _accept(root: Element | None, mistakes: list[Any], source: str) -> Element:
    """The root, if the parser complained of nothing worse than undeclared prefixes."""
    harmless = etree.ErrorTypes.NS_ERR_UNDEFINED_NAMESPACE
    for mistake in mistakes:
        if mistake.level >= etree.ErrorLevels.ERROR and mistake.type != harmless:
            raise ModelFileError(f"line {mistake.line}: not well-formed XML: {mistake.message}", source)
    if root is None:
        raise ModelFileError("not an XML document", source)
    subset = root.getroottree().docinfo.internalDTD
    if subset is not None and any(True for _ in subset.iterentities()):
        raise ModelFileError("the document declares entities, which model files have no use for", source)
    return root


def _decode(document: bytes, source: str) -> str:
    """Text of a document in an encoding that Python knows and the parser does not."""
    declared = _ENCODING.search(document[:1024])
    name = declared[1].decode() if declared else "utf-8"
    try:
        return document.decode(codecs.lookup(name).name)
    except (LookupError, UnicodeError) as error:
        raise ModelFileError(f"cannot decode the text as {name!r}: {error}", source) from None
