"""The wheel and where it is installed: built once in a run, for every test that needs one."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.shared import once

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("checkers", "model", "reference", "spec", "traces")


@pytest.fixture(scope="session")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the wheel is built of, in which setuptools may leave its folders."""

    def copied(copy: Path) -> None:
        compiled = shutil.ignore_patterns("__pycache__", "*.egg-info")
        for folder in (*FOLDERS, "src"):
            shutil.copytree(ROOT / folder, copy / folder, symlinks=True, ignore=compiled)
        for file in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(ROOT / file, copy)

    return once(tmp_path_factory, "source", copied)


@pytest.fixture(scope="session")
def wheel(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built by the setuptools that is here, which pip would ask for it."""
    backend = "import sys, setuptools.build_meta as backend; backend.build_wheel(sys.argv[1])"

    def built(folder: Path) -> None:
        folder.mkdir()
        run(sys.executable, "-c", backend, folder, folder=source)

    [found] = once(tmp_path_factory, "wheel", built).glob("*.whl")
    return found


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an environment in which the wheel is installed, and the libraries are those of this one."""

    def install(home: Path) -> None:
        run(sys.executable, "-m", "venv", "--without-pip", home)
        python = home / "bin" / "python"
        # Modules are compiled when they are imported.
        options = ("--no-deps", "--no-index", "--no-compile", "--quiet")
        run(sys.executable, "-m", "pip", "--python", python, "install", *options, wheel)
        [packages] = home.glob("lib/python*/site-packages")
        # Paths of this file are searched behind the environment's own; the .pth files that lie there are not read, so
        # that an editable installation is not found.
        (packages / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")

    return once(tmp_path_factory, "installed", install)


@pytest.fixture(scope="session")
def for_logs(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an environment that has the wheel and what it requires without an extra, and nothing else.

    What was installed of the wheel is linked to, as all that it requires is.
    """

    def linked(home: Path) -> None:
        run(sys.executable, "-m", "venv", "--without-pip", home)
        [packages], [theirs] = (one.glob("lib/python*/site-packages") for one in (home, installed))
        for one in theirs.glob("fencepost*"):
            (packages / one.name).symlink_to(one)
        command = (installed / "bin" / "fencepost").read_text(encoding="utf-8")
        (home / "bin" / "fencepost").write_text(command.replace(str(installed), str(home)), encoding="utf-8")
        (home / "bin" / "fencepost").chmod(0o755)
        for name in required():
            for file in distribution(name).files or ():
                there, here = Path(str(distribution(name).locate_file(file))), packages / file
                if ".." not in Path(file).parts and there.exists():
                    here.parent.mkdir(parents=True, exist_ok=True)
                    here.symlink_to(there)

    return once(tmp_path_factory, "logs", linked)


def required() -> set[str]:
    """Return the distributions that are installed without an extra, and those that they need in their turn."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    found, waiting = set[str](), [Requirement(one) for one in declared]
    while waiting:
        one = waiting.pop()
        name = canonicalize_name(one.name)
        if name not in found and (one.marker is None or one.marker.evaluate({"extra": ""})):
            found.add(name)
            waiting += [Requirement(text) for text in distribution(name).requires or ()]
    return found


def run(*command: str | Path, folder: Path | None = None) -> str:
    """Return what a command prints that ends with 0, without the paths of this checkout in its environment."""
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    said = subprocess.run(command, cwd=folder, env=clean, capture_output=True, text=True, check=False, timeout=300)
    assert said.returncode == 0, f"{command}: {said.returncode}\n{said.stdout}{said.stderr}"
    return said.stdout
