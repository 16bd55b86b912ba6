"""The page about body plans shows what is so."""

import doctest
import json
import re
from pathlib import Path

import pytest
from hopper import hopper
from test_plan_checks import CODES

from pantin.cli import main
from pantin.fitting.plan.extension import PANTIN
from pantin.fitting.plan.fields import DOF, JOINT, PLAN

PAGE = (Path(__file__).parents[2] / "docs" / "body-plans.md").read_text(encoding="utf-8")
(JSON,) = re.findall(r"^```json\n(.*?)^```$", PAGE, flags=re.DOTALL | re.MULTILINE)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder to work in, with the page's plan."""
    (tmp_path / "hopper.json").write_text(JSON, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def tables(heading, column=1):
    """Cells in a column of each table whose first column has this heading."""
    found = re.findall(rf"^\| {heading} \|.*\n\|[-|]+\n((?:\|.*\n)+)", PAGE, flags=re.MULTILINE)
    return [[line.split("|")[column].strip(" `") for line in table.splitlines()] for table in found]


def test_its_plan_is_the_worked_example():
    assert json.loads(JSON) == hopper()


def test_its_session_runs(folder):
    session = "\n".join(re.findall(r"^```pycon\n(.*?)^```$", PAGE, flags=re.DOTALL | re.MULTILINE))
    examples = doctest.DocTestParser().get_doctest(session, {}, "body-plans", None, 0)
    assert len(examples.examples) > 10
    report = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(examples, out=report.append)
    assert runner.failures == 0, "".join(report)


def test_its_check_prints_what_it_shows(folder, capsys):
    text = JSON.replace('"limits": [0.0, 2.5]', '"limit": [0.0, 2.5]').replace('"parent": "knee"', '"parent": "kneee"')
    (folder / "hopper.json").write_text(text, encoding="utf-8")
    assert main(["check", "hopper.json"]) == 1
    printed = capsys.readouterr().out.splitlines()
    shown = PAGE.split("$ pantin check hopper.json\n")[1].split("```")[0].splitlines()
    assert [line.removesuffix("...") for line in shown] == [
        line[: len(other.removesuffix("..."))] for line, other in zip(printed, shown, strict=True)
    ]


def test_its_table_has_every_code():
    (codes,), (severities,) = tables("code"), tables("code", column=2)
    listed = dict(zip(codes, severities, strict=True))
    assert set(listed) == set(CODES)
    assert all(severity in CODES[code].split() for code, severity in listed.items())


def test_its_tables_have_every_field():
    listed = tables("field")
    assert listed == [[field.name for field in table] for table in (PLAN, JOINT, DOF)]
    assert tables("field of `x-pantin`") == [[field.name for field in PANTIN]]
