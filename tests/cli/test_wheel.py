"""The wheel: which files it has, and that the commands of docs/commands.md run where only the wheel is installed."""

import os
import subprocess
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest

from tests.cli.wheels import FOLDERS, required, run

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
    "spec/watched.toml",
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
    "conform {recorded}/first-boot", "doctor",
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
    assert run(for_logs / "bin" / "fencepost", *words, folder=tmp_path).strip()


@pytest.mark.representative("prove kip343-prove")
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
    files = run(installed / "bin" / "python", "-c", text, folder=tmp_path).split()
    assert len(files) > 5
    assert all(Path(file).is_relative_to(installed) for file in files)


@pytest.mark.representative(
    "--version", "explore kip343 --bound tiny", "new my_lock",
)  # fmt: skip
@pytest.mark.parametrize("command", COMMANDS)
def test_a_documented_command_runs_where_only_the_wheel_is(installed: Path, tmp_path: Path, command: str) -> None:
    """The command ends with 0 and prints something in an empty folder, outside the checkout."""
    [recorded] = installed.glob("lib/python*/site-packages/fencepost/traces/recorded")
    words = [word.format(recorded=recorded) for word in command.split()]
    assert run(installed / "bin" / "fencepost", *words, folder=tmp_path).strip()
