"""The house itself: file lengths, public names, what an import costs, symbols of the kernels."""

import importlib
import pkgutil
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import pantin

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "src" / "pantin").rglob("*.py"))
HEADERS = sorted((ROOT / "cpp").rglob("*.hpp"))
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(pantin.__path__, "pantin.")
    if not any(part.startswith("_") for part in module.name.split("."))
)
KERNEL_OBJECTS = sorted((ROOT / "build").glob("**/*kernels*.dir/**/*.o"))
LATE_PACKAGES = [
    "coal",
    "matplotlib",
    "mujoco",
    "pydantic",
    "qpsolvers",
    "rich",
    "scipy",
    "trimesh",
    "typer",
    "viser",
    "xacrodoc",
]


def in_new_process(code: str) -> str:
    """What a fresh interpreter prints for a piece of code."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_python_modules_stay_under_400_lines():
    lengths = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES}
    assert {name: length for name, length in lengths.items() if length >= 400} == {}


def test_headers_stay_under_300_lines():
    lengths = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in HEADERS}
    assert {name: length for name, length in lengths.items() if length >= 300} == {}


def test_files_of_tests_have_names_of_their_own():
    names = [path.name for path in (ROOT / "tests").rglob("*.py")]
    assert sorted(name for name in set(names) if names.count(name) > 1 and name != "conftest.py") == []


def public(module: ModuleType) -> list[str]:
    """Names that a module offers: those it lists, else those it defines without an underscore."""
    own = (name for name, value in vars(module).items() if getattr(value, "__module__", None) == module.__name__)
    return getattr(module, "__all__", None) or [name for name in own if not name.startswith("_")]


@pytest.mark.parametrize("name", ["pantin", *MODULES])
def test_listed_names_exist_once(name):
    module = importlib.import_module(name)
    names = getattr(module, "__all__", [])
    assert len(set(names)) == len(names)
    assert [name for name in names if not hasattr(module, name)] == []


@pytest.mark.parametrize("name", ["pantin", *MODULES])
def test_public_objects_have_docstrings(name):
    module = importlib.import_module(name)
    assert module.__doc__
    objects = {name: getattr(module, name) for name in public(module)}
    assert [name for name, value in objects.items() if callable(value) and not value.__doc__] == []


def test_import_loads_no_package_that_only_some_need():
    loaded = in_new_process("import sys, pantin; print(*sorted({name.split('.')[0] for name in sys.modules}))")
    assert set(loaded.split()) & set(LATE_PACKAGES) == set()


def test_import_loads_no_fits_until_they_are_asked_for():
    asked = "import sys, pantin; print('pantin.fitting' in sys.modules, pantin.fit.__module__, pantin.fitting.__name__)"
    assert in_new_process(asked) == "False pantin.fitting.solver pantin.fitting"
    assert set(pantin.__all__) <= set(dir(pantin))
    with pytest.raises(AttributeError, match="no attribute 'fits'"):
        pantin.fits  # noqa: B018


def test_import_loads_no_tasks_until_they_are_asked_for():
    asked = """import sys, pantin
    early = {"configuration", "differential", "tasks", "runner", "solve_ik"} & {name[7:] for name in sys.modules}
    print(early, pantin.FrameTask.__module__, pantin.limits.__name__, pantin.Configuration is pantin.Configuration)"""
    assert in_new_process(asked.replace("    ", "")) == "set() pantin.tasks.frame_task pantin.limits True"


@pytest.mark.parametrize("first", ["from pantin.solve_ik import solve_ik as f", "import pantin.solve_ik", "pass"])
def test_the_function_of_the_face_is_no_module(first):
    asked = f"import pantin; {first}; print(type(pantin.solve_ik).__name__, pantin.solve_ik is pantin.solve_ik)"
    assert in_new_process(asked) == "function True"


def test_only_commands_import_the_face():
    parts = {path.stem for path in (ROOT / "src" / "pantin").iterdir()} | {"_core"}
    guests = {}
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        names = re.findall(r"^\s*from pantin import (.+)$", text, flags=re.MULTILINE)
        taken = {name.strip(" ()") for line in names for name in line.split(",")} - parts
        if re.search(r"^\s*import pantin$", text, flags=re.MULTILINE) or taken:
            guests[path.relative_to(ROOT / "src").as_posix()] = taken
    assert [name for name in guests if not name.startswith("pantin/cli/")] == []


@pytest.mark.skipif(not KERNEL_OBJECTS or not shutil.which("nm"), reason="no compiled kernels beside the sources")
@pytest.mark.parametrize("path", KERNEL_OBJECTS, ids=lambda path: "/".join(path.parts[-5:]))
def test_what_the_linker_may_merge_belongs_to_one_level(path):
    (level,) = re.findall(r"kernels_(\w+)\.dir", str(path))
    listing = subprocess.run(["nm", "--demangle", "--defined-only", path], capture_output=True, text=True, check=True)
    symbols = [line.split(" ", 2)[1:] for line in listing.stdout.splitlines()]
    assert symbols
    mergeable = [name for kind, name in symbols if kind in "WVu"]
    shared = [name for name in mergeable if f"pantin::{level}::" not in name]
    assert shared == [], "the linker keeps one copy for all levels, and an older processor could be handed it"
