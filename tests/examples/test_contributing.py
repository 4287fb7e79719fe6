"""The six changes that CONTRIBUTING shows: each applies to the sources as they are, and does what the page says."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cases import each

from .worked import LEFT_OUT, Hunk, blocks, commands, hunks, shows

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("model", "checkers", "traces", "reference", "spec")
# The command line of the copy and of no other: a copy that is not found must not pass for one that works.
RUN = """
import sys, fencepost
assert fencepost.__file__.startswith(sys.argv.pop(1)), fencepost.__file__
from fencepost.checkers.cli.main import run
run()
"""


@dataclass(frozen=True)
class Example:
    """A change of the page: its title, what it changes, and each command with what it prints."""

    title: str
    hunks: tuple[Hunk, ...]
    commands: tuple[tuple[str, str], ...]

    @property
    def files(self) -> list[str]:
        """The files that it changes."""
        return sorted({one.file for one in self.hunks})


def examples() -> list[Example]:
    """Return the changes that the page shows."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    [section] = re.findall(r"^## Six changes, worked\n(.*?)^## ", page, re.DOTALL | re.MULTILINE)
    found = []
    for part in re.split(r"^### ", section, flags=re.MULTILINE)[1:]:
        changes = tuple(hunk for block in blocks(part, "diff") for hunk in hunks(block))
        asked = tuple(one for block in blocks(part, "console") for one in commands(block))
        found.append(Example(part.partition("\n")[0], changes, asked))
    return found


EXAMPLES = examples()


def changed(example: Example, root: Path) -> dict[str, str]:
    """Return the texts of the changed files, each hunk in the only place where it fits."""
    texts = {file: (root / file).read_text(encoding="utf-8") for file in example.files}
    for hunk in example.hunks:
        texts[hunk.file] = hunk.applied(texts[hunk.file])
    return texts


def test_the_page_has_the_six_changes() -> None:
    """There are six, and each has a patch and a command with what it prints."""
    assert len(EXAMPLES) == 6
    for one in EXAMPLES:
        assert one.hunks, one.title
        assert one.commands, one.title
        assert all(printed.replace(LEFT_OUT, "").strip() for _, printed in one.commands), one.title


@each("example", EXAMPLES, ids=lambda one: one.title)
def test_a_change_takes_one_or_two_files(example: Example) -> None:
    """Each patch fits the sources as they are, and changes one or two files of the packages."""
    assert len(changed(example, ROOT)) in (1, 2)
    assert all(file.split("/")[0] in PACKAGES and file.endswith(".py") for file in example.files)


@pytest.mark.representative("A guard of a row")
@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: one.title)
def test_a_change_does_what_the_page_says(example: Example, tmp_path: Path) -> None:
    """In a copy with the change every command prints what the page shows; without it one of them does not."""
    copy = tmp_path / "fencepost"
    for package in PACKAGES:
        # Compiled modules come along: they are of the same sources with the same times.
        shutil.copytree(ROOT / package, copy / package, ignore=shutil.ignore_patterns("recorded"))
    for module in (ROOT / "src" / "fencepost").glob("*.py"):
        shutil.copy(module, copy)
    (copy / "traces" / "recorded").symlink_to(ROOT / "traces" / "recorded")
    assert not all(shows(output(copy, command), shown) for command, shown in example.commands)
    for file, text in changed(example, copy).items():
        (copy / file).write_text(text, encoding="utf-8")
    for command, shown in example.commands:
        printed = output(copy, command)
        assert shows(printed, shown), f"{command}\n{printed}"


def output(copy: Path, command: str) -> str:
    """Return what a command prints with the packages of a copy."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", RUN, str(copy), *command.split()],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy.parent)},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    return done.stdout + done.stderr
