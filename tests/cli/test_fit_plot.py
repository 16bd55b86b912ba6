"""`pantin fit --plot`: a page for each recording, which says whose it is."""

import pytest

from pantin.cli import main

pytest.importorskip("matplotlib", reason="draws the pages")


def test_each_recording_has_its_page(tmp_path, monkeypatch, capsys):
    from pantin.fitting.plot import page

    titles = []
    write = page._write_head
    monkeypatch.setattr(
        page, "_write_head", lambda sheet, contents, title: titles.append(title) or write(sheet, contents, title)
    )
    monkeypatch.chdir(tmp_path)
    assert main(["fit", "walker", "--out", "fits", "--plot", "pages"]) == 0
    assert [path.name for path in (tmp_path / "pages").iterdir()] == ["walker.png"]
    assert (tmp_path / "pages" / "walker.png").read_bytes().startswith(b"\x89PNG")
    assert titles == ["walker"]
    assert "no page" not in capsys.readouterr().err
