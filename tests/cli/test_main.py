"""`pantin`: its help, version and completion, and how it ends when something is wrong."""

import os
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import pantin
from pantin.cli import main

COMMANDS = ["reach", "fk", "info", "bench reach"]


def run(*words, **environment):
    """A `pantin` process that has ended."""
    return subprocess.run(
        [sys.executable, "-m", "pantin", *words],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def completed(line):
    """What bash is offered for a command line that ends with the word to complete."""
    words = line.split(" ")
    done = run(_PANTIN_COMPLETE="complete_bash", COMP_WORDS=line, COMP_CWORD=str(len(words) - 1))
    assert done.returncode == 0
    return done.stdout.split()


def test_version_is_that_of_the_package(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"pantin {pantin.__version__}\n"


def test_version_is_the_same_in_the_build_file():
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    assert pantin.__version__ == project["project"]["version"]


def test_a_level_that_does_not_exist_is_refused_in_a_sentence():
    done = run("info", "panda", PANTIN_LEVEL="v99")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("pantin: PANTIN_LEVEL=v99: unknown; use one of ")
    assert done.stderr.count("\n") == 1


def test_a_program_that_imports_the_package_gets_the_error_of_the_level():
    environment = {**os.environ, "PANTIN_LEVEL": "v99"}
    words = [sys.executable, "-c", "import pantin"]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "ImportError: PANTIN_LEVEL=v99: unknown" in done.stderr


@pytest.mark.parametrize("columns", [80, 120])
def test_help_names_each_command_and_fits_the_screen(capsys, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    for command in COMMANDS:
        assert f"pantin {command}" in text
    assert max(map(len, text.splitlines())) <= columns


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_shows_examples(capsys, command):
    assert main([*command.split(), "--help"]) == 0
    assert f"pantin {command} panda" in capsys.readouterr().out


def test_no_words_get_the_help():
    assert "Commands" in run().stdout


def test_process_exits_with_the_code_and_no_traceback():
    done = run("info", "no_such_robot")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("pantin: ")
    assert "Traceback" not in done.stderr


def test_ctrl_c_ends_with_130_and_silence(tmp_path):
    pipe = tmp_path / "robot.urdf"
    os.mkfifo(pipe)
    process = subprocess.Popen(
        [sys.executable, "-m", "pantin", "info", str(pipe)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    with pipe.open("w"):  # opens once the command reads the file, and lets it wait for more
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=10)
    assert (process.returncode, out, err) == (130, "", "")


def test_reader_that_leaves_ends_the_command_in_silence():
    process = subprocess.Popen(
        [sys.executable, "-m", "pantin", "info", "panda"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(10) == -signal.SIGPIPE


def test_warnings_are_one_sentence(tmp_path):
    robot = tmp_path / "robot.urdf"
    robot.write_text(
        "<robot name='r'><link name='a'/><link name='b'/>"
        "<joint name='hinge' type='revolute'><parent link='a'/><child link='b'/></joint></robot>"
    )
    done = run("info", str(robot))
    assert done.returncode == 0
    assert done.stderr.startswith("pantin: warning: ")
    assert "hinge" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_shell_completes_commands_samples_and_frames():
    assert "reach" in completed("pantin re")
    assert completed("pantin info pan") == ["panda"]
    assert "panda_hand" in completed("pantin fk panda --frame panda_h")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script_is_shown(shell):
    done = run("--show-completion", shell, _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")
    assert done.returncode == 0
    assert "_PANTIN_COMPLETE" in done.stdout
