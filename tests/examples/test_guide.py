"""The guide to a protocol of one's own: every block of the page is written or run, and prints what the page shows."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from fencepost.checkers.cli.application import COMMANDS
from fencepost.checkers.cli.main import main

from .worked import commands, hunks, shows

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")
KINDS = {"python", "json", "diff", "console"}
"""The languages of blocks; those of the first two say which file they are."""


@dataclass(frozen=True)
class Block:
    """A block of the page: its language, the file that it is, and its text."""

    language: str
    file: str
    text: str

    def change(self, folder: Path) -> None:
        """Write the file that the block is, or change those that it changes."""
        if self.file:
            (folder / self.file).write_text(self.text, encoding="utf-8")
        for hunk in hunks(self.text) if self.language == "diff" else ():
            path = folder / hunk.file
            path.write_text(hunk.applied(path.read_text(encoding="utf-8")), encoding="utf-8")

    def commands(self) -> Iterator[tuple[str, str]]:
        """Yield the commands of the block with what is shown for each."""
        if self.language == "console":
            yield from commands(self.text)


def sections() -> dict[str, list[Block]]:
    """Return the blocks of the page by the titles of its sections."""
    found = {}
    for part in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]:
        all_ = re.findall(r"^```(\w*)(?: (\S+))?\n(.*?)^```$", part, re.DOTALL | re.MULTILINE)
        found[part.partition("\n")[0]] = [Block(*one) for one in all_]
    return found


SECTIONS = sections()


def _marked(title: str) -> object:
    """A section as a parameter: TLC needs Java."""
    asked = [command for block in SECTIONS[title] for command, _ in block.commands()]
    marks = [pytest.mark.slow]
    if any(command.startswith("tlc") for command in asked):
        marks.append(pytest.mark.tlc)
    return pytest.param(title, marks=marks, id=title)


WITH_COMMANDS = [title for title, found in SECTIONS.items() if any(list(one.commands()) for one in found)]


@pytest.mark.representative("Gaps", "A counterexample", "A proof", "TLC", "A run of the real thing", "A change")
@pytest.mark.parametrize("title", [_marked(one) for one in WITH_COMMANDS])
def test_a_section_shows_what_is_printed(
    title: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the files as the page has them there, each command prints what the page shows, some of it left out."""
    monkeypatch.chdir(tmp_path)
    for earlier, found in SECTIONS.items():
        if earlier == title:
            break
        for block in found:
            block.change(tmp_path)
            for command, _ in block.commands():
                if command.startswith("new "):
                    main(shlex.split(command))
    capsys.readouterr()
    for block in SECTIONS[title]:
        block.change(tmp_path)
        for command, shown in block.commands():
            main(shlex.split(command))
            printed = capsys.readouterr()
            assert shows(printed.out, shown), f"{command}\n{printed.out}{printed.err}"


def test_every_block_is_run_or_written() -> None:
    """No block is of another kind, and a block of Python or JSON is a file: what a reader copies is what is tested."""
    for found in SECTIONS.values():
        for block in found:
            assert block.language in KINDS, block
            assert bool(block.file) == (block.language in ("python", "json")), block
            assert block.language != "diff" or list(hunks(block.text)), block
            assert block.language != "console" or list(block.commands()), block


def test_the_guide_asks_every_engine() -> None:
    """The page has a command of each kind that a protocol of one's own can be given."""
    asked = {command.split()[0] for found in SECTIONS.values() for one in found for command, _ in one.commands()}
    assert asked >= {"prove", "explore", "tlc", "conform", "mutate", "diff", "whatif", "new", "check"}
    assert asked <= {one.__name__ for one in COMMANDS}
