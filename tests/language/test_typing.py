"""Types: what is wrong in a table is reported by mypy at the line that is wrong, before anything runs."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = Path(__file__).with_name("wrong_uses.py")


def _mypy(*targets: str, at: Path) -> str:
    """Run mypy with the project's settings in a folder of its own."""
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--config-file",
            str(ROOT / "pyproject.toml"),
            "--cache-dir",
            str(at / "cache"),
            *targets,
        ],
        cwd=at,
        env={**os.environ, "MYPYPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder in which mypy runs: what it finds of a module both tests use.

    It begins with what `make types` found, if that has run; mypy looks anew at whatever has changed since.
    """
    made = tmp_path_factory.mktemp("types")
    if (ROOT / ".mypy_cache").is_dir():
        shutil.copytree(ROOT / ".mypy_cache", made / "cache")
    return made


def test_mypy_reports_every_wrong_use_and_no_other(folder: Path) -> None:
    """Of the lines of `wrong_uses.py` exactly those marked wrong are reported."""
    lines = SOURCE.read_text(encoding="utf-8").splitlines()
    marked = {number for number, line in enumerate(lines, 1) if line.endswith("# wrong")}
    copy = folder / "wrong_uses.py"
    copy.write_text("\n".join(lines) + "\n", encoding="utf-8")
    told = _mypy("wrong_uses.py", at=folder)
    reported = {int(found[1]) for found in re.finditer(r"^wrong_uses\.py:(\d+): error", told, re.MULTILINE)}
    assert reported == marked, told


def test_the_language_itself_is_well_typed(folder: Path) -> None:
    """mypy --strict finds nothing in the language."""
    told = _mypy("-p", "fencepost.model.language", at=folder)
    assert [line for line in told.splitlines() if "/fencepost/model/language/" in line] == []
    assert "checked" in told or "Success" in told
