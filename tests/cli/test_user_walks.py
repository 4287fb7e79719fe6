"""The walks of docs/walks: each is followed in an empty folder where only the wheel is installed, and prints what it
shows."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.examples.worked import shows

WALKS = Path(__file__).resolve().parents[2] / "docs" / "walks"
BLOCKS = re.compile(r"^```(console|python (?P<file>\S+))\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)
COMMANDS = re.compile(r"^\$ ", re.MULTILINE)
NAMES = sorted(path.stem for path in WALKS.glob("*.md"))
SCREENS = 90
"""The most lines of a walk."""

pytestmark = pytest.mark.slow


def followed(walk: Path, installed: Path, folder: Path) -> int:
    """Follow a walk in a folder: write its files, run its commands in a shell; return how many were run."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYSPARK", "SPARK"))}
    path = f"{installed / 'bin'}{os.pathsep}{os.environ['PATH']}"
    environment = {**clean, "PATH": path, "HOME": str(folder), "COLUMNS": "100"}
    count, code = 0, 0
    for block in BLOCKS.finditer(walk.read_text(encoding="utf-8")):
        if block["file"]:
            (folder / block["file"]).write_text(block["text"], encoding="utf-8")
            continue
        for part in COMMANDS.split(block["text"])[1:]:
            command, _, shown = part.partition("\n")
            # A walk that goes on after a failure shows its exit code.
            assert code == 0 or command == "echo exit code $?", f"{code} before {command}"
            done = subprocess.run(
                ["bash", "-c", f"(exit {code}); {command}"],
                cwd=folder, env=environment, capture_output=True, text=True, timeout=600, check=False,
            )  # fmt: skip
            # What a person sees: standard output, and the sentence of an error. Progress is left out.
            sentences = [line for line in done.stderr.splitlines(True) if line.startswith("fencepost: ")]
            printed = "".join(sentences) + done.stdout
            assert "Traceback" not in done.stderr, done.stderr
            assert shows(printed, shown) if shown else not printed, f"{command}\n{printed}\n{done.stderr}"
            count, code = count + 1, done.returncode
    assert code == 0
    return count


def test_there_are_five_walks() -> None:
    """One each for an operator, a CI engineer, a protocol engineer, a newcomer, a data engineer: a screen or two, with
    commands, and what to read next."""
    assert NAMES == ["ci", "data", "newcomer", "operator", "protocol"]
    for name in NAMES:
        text = (WALKS / f"{name}.md").read_text(encoding="utf-8")
        assert len(text.splitlines()) <= SCREENS
        assert len(COMMANDS.findall(text)) >= 4
        assert "\nNext: [" in text


@pytest.mark.representative("operator")
@pytest.mark.parametrize(
    "name", [one if one != "data" else pytest.param(one, marks=pytest.mark.spark) for one in NAMES]
)
def test_a_walk_is_followed_where_only_the_wheel_is(name: str, installed: Path, tmp_path: Path) -> None:
    """Each command prints what the page shows, and ends with 0 where the page does not show another exit code."""
    assert followed(WALKS / f"{name}.md", installed, tmp_path) >= 4
