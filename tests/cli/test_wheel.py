"""The wheel: which files it has, and that the commands of docs/commands.md run where only the wheel is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("checkers", "model", "reference", "spec", "traces")
DATA = (
    "py.typed",
    "checkers/bench/dump-log.pom.xml",
    "checkers/reports/templates/*",
    "checkers/skeletons/templates/*",
    "spec/findings/*.md",
    "spec/museum.toml",
    "spec/mutation/*.toml",
    "spec/proofs/*.json",
    "spec/requirements/*.toml",
    "spec/sources.toml",
    "spec/sources/*.toml",
    "traces/forks/*.toml",
    "traces/recorded/**/*",
    "traces/schemas/*.json",
)
"""The files beside the modules, below the package."""

COMMANDS = (
    "--version",
    "show kraft --row HB2",
    "show zk",
    "show matrix M4",
    "show D15",
    "show lease --session 9s --heartbeat 2s --drift 1%",
    "show requirements S4",
    "show kip343 --diagram mermaid",
    "museum",
    "explore kip343 --bound tiny",
    "conform {recorded}/first-boot",
    "schema prove",
    "storage random-uuid",
    "completion bash",
    "new my_lock",
)
"""Commands of docs/commands.md that take seconds; `recorded` is the folder of the recordings that are installed."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the wheel is built of, in which setuptools may leave its folders."""
    copy = tmp_path_factory.mktemp("source")
    compiled = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for folder in (*FOLDERS, "src"):
        shutil.copytree(ROOT / folder, copy / folder, symlinks=True, ignore=compiled)
    for file in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, copy)
    return copy


@pytest.fixture(scope="module")
def wheel(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built by the setuptools that is here."""
    folder = tmp_path_factory.mktemp("wheel")
    _run(sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", folder, source)
    [found] = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an environment in which the wheel is installed, and the libraries are those of this one."""
    home = tmp_path_factory.mktemp("installed")
    _run(sys.executable, "-m", "venv", "--without-pip", home)
    python = home / "bin" / "python"
    _run(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", "--quiet", wheel)
    [packages] = home.glob("lib/python*/site-packages")
    # Paths of this file are searched behind the environment's own; the .pth files that lie there are not read, so
    # that an editable installation is not found.
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return home


@pytest.fixture(scope="module")
def for_logs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an environment that has the wheel and what it requires without an extra, and nothing else."""
    home = tmp_path_factory.mktemp("logs")
    _run(sys.executable, "-m", "venv", "--without-pip", home)
    _run(
        sys.executable, "-m", "pip", "--python", home / "bin/python", "install", "--no-deps", "--no-index", "-q", wheel
    )
    [packages] = home.glob("lib/python*/site-packages")
    for name in required():
        for file in distribution(name).files or ():
            there, here = Path(str(distribution(name).locate_file(file))), packages / file
            if ".." not in Path(file).parts and there.exists():
                here.parent.mkdir(parents=True, exist_ok=True)
                here.symlink_to(there)
    return home


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


def _run(*command: str | Path, folder: Path | None = None) -> str:
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    said = subprocess.run(command, cwd=folder, env=clean, capture_output=True, text=True, check=False, timeout=300)
    assert said.returncode == 0, f"{command}: {said.returncode}\n{said.stdout}{said.stderr}"
    return said.stdout


def _below(package: Path, *patterns: str) -> set[str]:
    return {
        file.relative_to(package).as_posix() for pattern in patterns for file in package.glob(pattern) if file.is_file()
    }


def test_the_wheel_has_the_modules_and_the_data_that_are_listed(source: Path, wheel: Path) -> None:
    """Each module of the package and each file of `DATA` is in the wheel, and nothing else: no test, no page."""
    names = zipfile.ZipFile(wheel).namelist()
    inside = {name.removeprefix("fencepost/") for name in names if name.startswith("fencepost/")}
    assert {name.partition("/")[0] for name in names} == {"fencepost", wheel.name.partition("-py3")[0] + ".dist-info"}
    root = source / "src" / "fencepost"
    modules = {name for folder in FOLDERS for name in _below(source, f"{folder}/**/*.py")} | _below(root, "*.py")
    data = _below(source, *DATA) | _below(root, *DATA)
    assert all(_below(source, pattern) or _below(root, pattern) for pattern in DATA)
    assert {name for name in inside if name.endswith(".py")} == modules
    assert {name for name in inside if not name.endswith(".py")} == data
    assert not [name for name in inside if "tests" in name.split("/")]


def test_what_logs_need_is_small() -> None:
    """Without an extra no solver, compiler, Parquet, Graphviz or Spark is installed, and at most 150 MB."""
    names = required()
    assert not names & {"z3-solver", "llvmlite", "pyarrow", "pygraphviz", "networkx", "pyspark", "pandas", "cvc5"}
    files = [file for name in names for file in distribution(name).files or () if ".." not in Path(file).parts]
    assert sum(file.size or 0 for file in files) < 150_000_000


@pytest.mark.representative(
    "conform {recorded}/first-boot", "redact {recorded}/first-boot --to copy", "show kraft --row HB2", "doctor",
)  # fmt: skip
@pytest.mark.parametrize(
    "command",
    [
        "conform {recorded}/first-boot",
        "story {recorded}/first-boot",
        "health {recorded}/first-boot --at 60",
        "why {recorded}/first-boot broker 1",
        "show {recorded}/first-boot --at 60",
        "redact {recorded}/first-boot --to copy",
        "show kraft --row HB2",
        "doctor",
    ],
)
def test_what_is_about_logs_needs_no_extra(for_logs: Path, tmp_path: Path, command: str) -> None:
    """It ends with 0 where no extra is installed."""
    [recorded] = for_logs.glob("lib/python*/site-packages/fencepost/traces/recorded")
    words = [word.format(recorded=recorded) for word in command.split()]
    assert _run(for_logs / "bin" / "fencepost", *words, folder=tmp_path).strip()


@pytest.mark.parametrize(
    ("command", "extra"),
    [
        ("prove kip343", "prove"),
        ("explore kip343 --bound tiny", "explore"),
        ("show kip343 --diagram svg", "pictures"),
        ("tlc kip343 --bound tiny", "tlc"),
    ],
)
def test_what_an_extra_brings_is_named(for_logs: Path, tmp_path: Path, command: str, extra: str) -> None:
    """A command that needs one says in one sentence how to get it."""
    said = subprocess.run(
        [for_logs / "bin" / "fencepost", *command.split()], cwd=tmp_path, capture_output=True, text=True, check=False,
        timeout=300, env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
    )  # fmt: skip
    assert said.returncode in (2, 3)
    assert said.stdout == ""
    assert said.stderr.count("\n") == 1
    assert f"pip install 'fencepost[{extra}]'" in said.stderr


def test_the_installed_package_is_the_wheels(installed: Path, tmp_path: Path) -> None:
    """Outside the checkout `fencepost` is what was installed, and no file of the checkout is imported."""
    text = (
        "import sys, fencepost.checkers.cli.show; "
        "print('\\n'.join(str(m.__file__) for n, m in sys.modules.items() if n.startswith('fencepost')))"
    )
    files = _run(installed / "bin" / "python", "-c", text, folder=tmp_path).split()
    assert len(files) > 5
    assert all(Path(file).is_relative_to(installed) for file in files)


@pytest.mark.representative(
    "--version", "show zk", "museum", "explore kip343 --bound tiny", "conform {recorded}/first-boot", "schema prove",
    "new my_lock",
)  # fmt: skip
@pytest.mark.parametrize("command", COMMANDS)
def test_a_documented_command_runs_where_only_the_wheel_is(installed: Path, tmp_path: Path, command: str) -> None:
    """The command ends with 0 and prints something in an empty folder, outside the checkout."""
    [recorded] = installed.glob("lib/python*/site-packages/fencepost/traces/recorded")
    words = [word.format(recorded=recorded) for word in command.split()]
    assert _run(installed / "bin" / "fencepost", *words, folder=tmp_path).strip()
