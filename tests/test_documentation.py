"""Code in the README and the tutorial runs, and what they say it prints is what it prints."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

import pantin
from pantin import kinematics as kin
from pantin.cli import main
from pantin.kinematics import dynamics

ROOT = Path(__file__).parents[1]
PAGES = [
    "README.md",
    "docs/index.md",
    "docs/tutorial.md",
    "docs/moving-from-pinker.md",
    "docs/moving-from-pinocchio.md",
    "docs/tasks/index.md",
]
#: Pages with sessions, of which the output is compared.
TUTORIALS = [
    "docs/tutorial.md",
    "docs/body-plans-from-models.md",
    "docs/collision.md",
    "docs/limits-and-barriers.md",
    "docs/recordings.md",
    "docs/results.md",
    "docs/scenarios.md",
    *sorted(f"docs/tutorials/{path.name}" for path in ROOT.glob("docs/tutorials/*.md")),
]

#: Packages of the extras that a page shows at work; it is tried where they are installed.
NEEDS = {
    "docs/collision.md": ("coal",),
    "docs/moving-from-pinker.md": ("coal",),
    "docs/results.md": ("h5netcdf", "pandas", "pyarrow", "xarray", "zarr"),
    "docs/tutorials/fit-a-recording.md": ("h5netcdf", "matplotlib", "xarray"),
    "docs/tutorials/fit-from-cameras.md": ("matplotlib",),
}


def blocks(page: str, language: str) -> list[str]:
    """Code blocks of one language in a page."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)


def commands(page: str) -> list[list[str]]:
    """Words of each `pantin` command that a page shows in its console and shell blocks."""
    shown = "\n".join(blocks(page, "console") + blocks(page, "sh")).replace("\\\n", " ")
    return [shlex.split(words) for words in re.findall(r"(?:^\$ |bin/)pantin (.*)$", shown, flags=re.MULTILINE)]


@pytest.mark.parametrize("page", PAGES)
def test_python_blocks_run(page):
    for package in NEEDS.get(page, ()):
        pytest.importorskip(package)
    names: dict[str, object] = {}
    for block in blocks(page, "python"):
        exec(compile(block, page, "exec"), names)


@pytest.mark.parametrize("page", TUTORIALS)
def test_tutorials_print_what_they_show(page, monkeypatch):
    for package in NEEDS.get(page, ()):
        pytest.importorskip(package)
    monkeypatch.chdir(ROOT)
    session = "\n".join(blocks(page, "pycon"))
    examples = doctest.DocTestParser().get_doctest(session, {}, page, page, 0)
    assert len(examples.examples) > 10
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    report: list[str] = []
    runner.run(examples, out=report.append)
    assert runner.failures == 0, "".join(report)


@pytest.mark.parametrize("page", ["README.md", "docs/index.md", "docs/tutorial.md"])
def test_commands_shown_succeed(page, capsys):
    shown = commands(page)
    assert shown
    for words in shown:
        assert main(words) == 0, words
        assert capsys.readouterr().err == ""


def test_readme_examples_are_ten_lines():
    examples = blocks("README.md", "python")
    assert examples
    assert max(len([line for line in example.splitlines() if line.strip()]) for example in examples) <= 10


def test_names_in_the_tables_for_movers_exist():
    namespace = {**vars(pantin), **vars(kin), **vars(dynamics), "model": pantin.Model(), "M": pantin.SE3.Identity()}
    page = (ROOT / "docs" / "moving-from-pinocchio.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `.*\| (.*) \|$", page, flags=re.MULTILINE)
    names = [name for row in rows for name in re.findall(r"`([\w.]+)[`(]", row)]
    assert len(names) > 30
    missing = []
    for name in names:
        first, *rest = name.split(".")
        value = namespace.get(first)
        for attribute in rest:
            value = getattr(value, attribute, None)
        missing += [name] if value is None else []
    assert missing == []


def test_works_that_docstrings_cite_are_in_the_bibliography():
    bibliography = (ROOT / "docs" / "bibliography.md").read_text(encoding="utf-8")
    sources = [*(ROOT / "src").rglob("*.py"), *(ROOT / "cpp").rglob("*.[hc]pp")]
    cited = re.compile(r"\b([A-Z][^\W\d_]+)(?: et al\.)?,? \(?((?:19|20)\d\d)\b")
    works = {match for path in sources for match in cited.findall(path.read_text(encoding="utf-8"))}
    assert works
    entries = bibliography.split("\n\n")
    assert [work for work in sorted(works) if not any(work[0] in entry and work[1] in entry for entry in entries)] == []
