"""The command line as tests call it: in this process, with what it printed and returned."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest

from fencepost.checkers.check import Stage
from fencepost.checkers.check import run as running
from fencepost.checkers.check.run import Jobs, Progress
from fencepost.checkers.cli import application
from fencepost.checkers.cli.main import main
from tests.cli.wheels import for_logs, installed, source, wheel

__all__ = ["fencepost_says", "for_logs", "installed", "page_and_document", "recorded", "source", "stages_here", "wheel"]

Page = TypeVar("Page")
REPOSITORY = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Said:
    """What one command line printed and returned."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        """The JSON document that standard output is, and nothing beside it."""
        found = json.loads(self.out)
        assert isinstance(found, dict)
        return found

    @property
    def sentence(self) -> str:
        """The one line on standard error."""
        assert self.out == ""
        assert self.err.count("\n") == 1, self.err
        assert "Traceback" not in self.err
        return self.err.strip()


@pytest.fixture
def fencepost_says(capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """Return a function that runs one command line."""

    def run(*arguments: str | Path) -> Said:
        capsys.readouterr()
        code = main([str(a) for a in arguments])
        captured = capsys.readouterr()
        return Said(code, captured.out, captured.err)

    return run


def documenting(run: Callable[[], Page]) -> tuple[Page, Callable[[], int]]:
    """Run a function that runs one command line; return its result, and what prints the document of that run."""
    printed, outcomes = application._printed, []

    def kept(outcome: Any, seconds: float, document: bool) -> int:
        outcomes.append((outcome, seconds))
        return printed(outcome, seconds, document)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(application, "_printed", kept)
        page = run()
    [(outcome, seconds)] = outcomes
    return page, partial(printed, outcome, seconds, True)


@pytest.fixture
def page_and_document(
    fencepost_says: Callable[..., Said], capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[Said, Said]]:
    """Return a function that runs one command line once: what it prints, and what it prints with --json."""

    def run(*arguments: str | Path) -> tuple[Said, Said]:
        page, print_document = documenting(partial(fencepost_says, *arguments))
        print_document()
        return page, replace(page, out=capsys.readouterr().out)

    return run


@pytest.fixture(scope="module")
def stages_here() -> Iterator[None]:
    """Have `check` run its stages in this process: how it starts others is what `test_check.py` is about."""

    def one_by_one(jobs: Jobs, progress: Progress | None, most: int) -> list[tuple[str, Stage]]:
        found = []
        for number, (owner, stage, given) in enumerate(jobs, 1):
            done = replace(stage(*given), protocol=owner)
            found.append((owner, done))
            if progress is not None:
                progress(done, number, len(jobs))
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(running, "_together", one_by_one)
        yield


@pytest.fixture
def recorded() -> Path:
    """Return the folder of recorded logs."""
    return REPOSITORY / "traces" / "recorded"


@pytest.fixture
def two_phase() -> str:
    """Return the name of a small protocol in a file of its own."""
    return f"{REPOSITORY / 'tests' / 'examples' / 'two_phase.py'}:TWO_PHASE"


TABLE = """
import enum

from fencepost.model.language import BOOL, FALSE, TRUE, Bound, always, cell, event, protocol, sometimes, table

lit = cell("lit", BOOL)
press = event("Press", source="the lamp")
LAMP = table("lamp", press("L1", ~lit, lit.becomes(TRUE)), press("L2", lit, lit.becomes(FALSE)))
P = protocol("lamp", LAMP, properties=[always("A1", {claim}, source="the lamp", {more})], bounds={{"one": Bound({{}})}})
"""


@pytest.fixture
def lamp(tmp_path: Path) -> Callable[..., str]:
    """Return a function that writes a protocol of two states, with a claim, and returns its name."""

    def write(claim: str = "TRUE", more: str = "", **replacements: str) -> str:
        text = TABLE.format(claim=claim, more=more)
        for old, new in replacements.items():
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "lamp.py"
        path.write_text(text, encoding="utf-8")
        return f"{path}:P"

    return write


LAMPS = """
from fencepost.model.language import BOOL, FALSE, TRUE, Bound, Protocol, always, cell, event, protocol, table

lit = cell("lit", BOOL)
press = event("Press", source="the lamp")
LAMP = table("lamp", press("L1", ~lit, lit.becomes(TRUE)), press("L2", lit, lit.becomes(FALSE)))
CLAIM = always("A1", lit | ~lit, source="the lamp")
P = protocol("lamp", LAMP, properties=[CLAIM], bounds={"one": Bound({}), "two": Bound({})})
STUCK = P.but("L2", effects=(), why="it stays on", name="lamp+sticks")


def dark(base: Protocol) -> Protocol:
    return base.but("L1", effects=(), why="no bulb")


def watts(number: int) -> int:
    return number


def nothing(base: Protocol) -> None:
    return None
"""


@pytest.fixture
def lamps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of a file in the current folder with a protocol, a variant, and functions that make variants."""
    folder = tmp_path / "houses"
    folder.mkdir()
    (folder / "lamps.py").write_text(LAMPS, encoding="utf-8")
    (tmp_path / "lamps.py").write_text(LAMPS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return "lamps.py"
