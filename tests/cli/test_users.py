"""The questions of five users: each command of the page answers as the page says."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "users.md"
RECORDED = ROOT / "traces" / "recorded"
_ROW = re.compile(r"^\| .* \| `(.*)` \| (\d+) \| (\d+) \|$", re.MULTILINE)


@pytest.mark.nightly("tests/cli/test_wheel.py::test_a_documented_command_runs_where_only_the_wheel_is")
def test_each_question_is_answered_by_its_command(tmp_path: Path) -> None:
    """Forty commands end with the exit code of the page and print as many lines, a tenth more or less."""
    for name, source in {"log": "rolling-restart", "elr": "kill-nine-elr"}.items():
        shutil.copytree(RECORDED / source, tmp_path / name)
    for name, source in {"one": "log", "two": "elr"}.items():
        shutil.copytree(tmp_path / source, tmp_path / "logs" / name)
    command = f"{sys.executable} -m fencepost.checkers.cli.main"
    path = os.pathsep.join(one for one in sys.path if one)
    surroundings = {**os.environ, "COLUMNS": "100", "PYTHONPATH": path}
    subprocess.run(f"{command} new lock", shell=True, check=True, cwd=tmp_path, env=surroundings, capture_output=True)
    rows = _ROW.findall(PAGE.read_text("utf-8"))
    assert len(rows) == 40
    found, expected = [], []
    for line, code, lines in rows:
        said = subprocess.run(
            re.sub(r"^fencepost\b", command, line), shell=True, text=True, cwd=tmp_path, env=surroundings,
            capture_output=True,
        )  # fmt: skip
        printed = len(said.stdout.splitlines())
        near = abs(printed - int(lines)) <= int(lines) // 10
        found.append((line, said.returncode, int(lines) if near else printed))
        expected.append((line, int(code), int(lines)))
    assert found == expected
