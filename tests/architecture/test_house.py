"""The house: every folder says what it is for, and nothing is tied to one machine."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

from .test_arrows import statements_below

ROOT = Path(__file__).resolve().parents[2]
OURS = ("model", "reference", "traces", "checkers")
TEXT = {".py", ".md", ".toml", ".tla", ".cfg", ".txt", ".yml", ".yaml", ".sh", ""}


def sources() -> list[Path]:
    """Return the Python files of the packages and of the tests."""
    return [
        *(ROOT / "src" / "fencepost").glob("*.py"),
        *(path for room in (*OURS, "tests") for path in sorted((ROOT / room).rglob("*.py"))),
    ]


def texts() -> list[Path]:
    """Return the text files that belong to the repository, recorded runs apart."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("this is no git checkout")
    paths = [ROOT / name for name in listed.stdout.splitlines()]
    return [p for p in paths if p.is_file() and p.suffix in TEXT and "recorded" not in p.parts]


def packages() -> list[Path]:
    """Return the folders with Python files, below the packages."""
    return sorted({path.parent for room in OURS for path in (ROOT / room).rglob("*.py")})


def test_a_folder_says_what_it_is_for() -> None:
    """The `__init__` of every folder has a docstring whose first sentence is one line and says something."""
    silent = []
    for folder in packages():
        text = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))) or ""
        first = text.split("\n")[0]
        if len(first.split()) < 5 or not re.search(r"[.:]$", first):
            silent.append(f"{folder.relative_to(ROOT)}: {first}")
    assert silent == []


def test_every_test_says_its_claim() -> None:
    """Every test function has a docstring."""
    silent = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sources()
        if path.is_relative_to(ROOT / "tests")
        for node in statements_below(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and not ast.get_docstring(node)
    ]
    assert silent == []


# Put together so that this file does not contain what it looks for.
MACHINE = re.compile("|".join(("/" + "work/", "/tmp/" + "bash", "/" + "root/")))
REGISTRY = re.compile(
    "|".join(
        ("pypi" + r"\.org", "files\\." + "pythonhosted", "repo1?\\.maven\\." + "org", "registry\\.npmjs" + r"\.org")
    )
)


@pytest.mark.parametrize("pattern", [MACHINE, REGISTRY], ids=["machine paths", "registry hosts"])
def test_nothing_is_tied_to_one_machine(pattern: re.Pattern[str]) -> None:
    """No text file names a path of one machine, or a package registry's host."""
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in texts()
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1)
        if pattern.search(line)
    ]
    assert found == []
