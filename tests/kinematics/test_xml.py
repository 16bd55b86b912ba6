"""XML documents: what is refused, where, and in which encodings they may come."""

from __future__ import annotations

import os
import time

import pytest
from urdf_text import link, robot

from pantin.errors import (
    InvalidArgument,
    ModelFileError,
)
from pantin.kinematics.urdf import build_model_from_urdf, build_model_from_xml


def test_an_xml_bomb_is_refused_quickly():
    steps = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 20))
    bomb = f'<!DOCTYPE robot [<!ENTITY e0 "ha">{steps}]><robot name="&e19;"><link name="a"/>&e19;</robot>'
    start = time.perf_counter()
    with pytest.raises(ModelFileError):
        build_model_from_xml(bomb)
    assert time.perf_counter() - start < 2.0  # expanding it takes 2e19 letters


@pytest.mark.parametrize(
    "declaration",
    [
        '<!ENTITY name "a">',
        '<!ENTITY name SYSTEM "file:///etc/hostname">',
        '<!ENTITY name SYSTEM "http://127.0.0.1:9/x">',
        '<!ENTITY % name SYSTEM "file:///etc/hostname"> %name;',
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_are_refused(declaration, encoding):
    text = f'<!DOCTYPE robot [{declaration}]><robot name="r"><link name="a"/></robot>'
    with pytest.raises(ModelFileError, match="declares entities"):
        build_model_from_xml(text.encode(encoding))


def test_an_external_document_type_is_not_fetched():
    text = '<!DOCTYPE robot SYSTEM "file:///nowhere/robot.dtd"><robot><link name="a"/></robot>'
    assert build_model_from_xml(text).nframes == 2


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("<robot>\n<link name='a'>\n</robot>", 3),
        ("<robot>\n\n<link name=a/></robot>", 3),
        ("<robot>\n<link name='a' name='b'/></robot>", 2),
        ("<robot>\n&unknown;</robot>", 2),
        ("<robot>\n<link name='\x01'/></robot>", 2),
        ("<robot/>\n<robot/>", 2),
        ("<robot>" + "<a:b/>\n" * 500 + "<c></robot>", 501),
        ("<a>" * 5000, 1),
        ("\n\n<", 3),
    ],
)
def test_broken_xml_is_refused_with_file_and_line(text, line):
    with pytest.raises(ModelFileError, match=f"^robot.urdf: line {line}: not well-formed XML: ") as caught:
        build_model_from_xml(text, source="robot.urdf")
    assert caught.value.source == "robot.urdf"


@pytest.mark.parametrize("text", ["", " \n ", b"", b"\x00\x01", b"\xff\xfe", "plain text", "\ud800", "\ufeff"])
def test_what_is_not_xml_is_refused(text):
    with pytest.raises(ModelFileError):
        build_model_from_xml(text)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1", "windows-1252", "latin-1", "utf-8-sig"])
def test_bytes_are_decoded_as_their_declaration_says(encoding, tmp_path):
    declared = encoding.removesuffix("-sig")
    text = f'<?xml version="1.0" encoding="{declared}"?>\n' + robot(link("fuß"))
    file = tmp_path / "robot.urdf"
    file.write_bytes(text.encode(encoding))
    assert build_model_from_urdf(file).frames[1].name == "fuß"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1", "made-up"])
@pytest.mark.parametrize("before", ["", "\ufeff", "\n  "])
def test_the_declared_encoding_of_a_string_means_nothing(encoding, before):
    text = before + f'<?xml version="1.0" encoding="{encoding}"?>\n' + robot(link("fuß"))
    assert build_model_from_xml(text).frames[1].name == "fuß"


@pytest.mark.parametrize("encoding", ["made-up", "hex", "shift_jis"])
def test_bytes_that_cannot_be_decoded_are_refused(encoding):
    text = f'<?xml version="1.0" encoding="{encoding}"?>'.encode() + b'<robot><link name="\xff\xff"/></robot>'
    with pytest.raises(ModelFileError):
        build_model_from_xml(text)


@pytest.mark.parametrize("document", [None, 3, ["<robot/>"], bytearray(b"<robot/>")])
def test_what_is_no_text_is_refused(document):
    with pytest.raises(InvalidArgument, match="xml_string: expected text or bytes"):
        build_model_from_xml(document)


@pytest.mark.parametrize("filename", [None, 3, ["robot.urdf"]])
def test_what_is_no_path_is_refused(filename):
    with pytest.raises(InvalidArgument, match="filename: expected the path of a file"):
        build_model_from_urdf(filename)


@pytest.mark.parametrize("name", [b"robot \xff.urdf", "robot é %20 #.urdf".encode(), b"robot\n.urdf"])
def test_any_file_name_will_do(tmp_path, name):
    file = os.path.join(os.fsencode(tmp_path), name)
    with open(file, "wb") as out:
        out.write(b"<robot><link/></robot>")
    with pytest.raises(ModelFileError, match="line 1, <link>: no attribute 'name'") as caught:
        build_model_from_urdf(os.fsdecode(file))
    assert caught.value.source == os.fsdecode(file)
