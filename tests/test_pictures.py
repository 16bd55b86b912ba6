"""The pictures of the documentation: each is drawn by its script, shown by a page, and like the one that ships."""

import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="draws the pictures")

ROOT = Path(__file__).parents[1]
PICTURES = (
    "collision.png",
    "fit-cameras.png",
    "fit-gap.png",
    "fit-poses.png",
    "fit.png",
    "not-reached.png",
    "reach.png",
    "track-arm-circle.png",
    "track-closed-loop.png",
    "track-dual-arm.png",
    "track-humanoid-squat.png",
    "track-quadruped-sway.png",
    "track-wheeled-biped.png",
)


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("make_pictures", ROOT / "docs" / "make_pictures.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def shade(path):
    """A picture in 16 x 16 squares of grey, and its proportions."""
    from PIL import Image

    picture = Image.open(path).convert("L")
    return np.asarray(picture.resize((16, 16), Image.Resampling.BOX), dtype=float), picture.width / picture.height


def test_script_pages_and_folder_agree(script):
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    shown = {name for page in pages for name in re.findall(r"_static/([\w-]+\.png)", page.read_text(encoding="utf-8"))}
    assert set(script.PICTURES) == shown == {path.name for path in (ROOT / "docs" / "_static").iterdir()}
    assert set(PICTURES) == shown


@pytest.mark.parametrize("name", PICTURES)
def test_picture_that_ships_is_the_one_that_is_drawn(script, name, tmp_path):
    script.save(script.PICTURES[name](), tmp_path / name)
    (drawn, wide), (ships, as_wide) = shade(tmp_path / name), shade(ROOT / "docs" / "_static" / name)
    assert wide == pytest.approx(as_wide, rel=0.02)
    assert np.abs(drawn - ships).max() < 12.0  # of 255: fonts and edges differ between versions of matplotlib
