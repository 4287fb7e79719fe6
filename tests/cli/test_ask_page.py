"""docs/ask.md: its scenarios are run and print what it shows, and it lists every step."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.scenarios import words
from fencepost.checkers.scenarios.parsing import WORDS
from tests.examples.worked import shows

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "ask.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^### \d+\. (.*?)\n(.*?)(?=^### |\Z)", PAGE, re.DOTALL | re.MULTILINE))
SCENARIO = re.compile(r"^```text (\S+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
CONSOLE = re.compile(r"^```console\n\$ fencepost ask (.*?)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def test_there_are_twelve_questions() -> None:
    """Each has a scenario of at most eight lines with an expectation, and the output of one command."""
    assert len(SECTIONS) == 12
    for title, section in SECTIONS.items():
        ((name, scenario),) = SCENARIO.findall(section)
        ((command, _),) = CONSOLE.findall(section)
        assert command == name, title
        assert len(scenario.splitlines()) <= 8, title
        assert "expect " in scenario or title == "A restart waits for a session", title


@pytest.mark.parametrize("title", SECTIONS)
def test_a_question_is_answered_as_the_page_shows(
    fencepost_says: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, title: str
) -> None:
    """The scenario ends with 0 and prints what is shown under it, lines that are left out apart."""
    monkeypatch.chdir(tmp_path)
    ((name, scenario),) = SCENARIO.findall(SECTIONS[title])
    ((_, printed),) = CONSOLE.findall(SECTIONS[title])
    Path(name).write_text(scenario, encoding="utf-8")
    said = fencepost_says("ask", name)
    assert (said.code, said.err) == (0, "")
    assert shows(said.out, printed), said.out


def test_the_log_of_the_page_is_answered_as_it_shows(
    fencepost_says: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command that begins with a recording prints what the page shows."""
    monkeypatch.chdir(ROOT)
    command, printed = CONSOLE.findall(PAGE)[0]
    said = fencepost_says("ask", *re.findall(r"'[^']*'|\S+", command.replace("'", "")[: command.index("'")]), "stop 2")
    assert said.code == 0
    assert shows(said.out, printed), said.out


@pytest.mark.parametrize("title", ["Plans", "Under other tables"])
def test_a_section_prints_what_it_shows(
    fencepost_says: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, title: str
) -> None:
    """The commands of a section about an option print what it shows, and end with 0."""
    monkeypatch.chdir(tmp_path)
    (section,) = re.findall(rf"^## {title}\n(.*?)(?=^## )", PAGE, re.DOTALL | re.MULTILINE)
    ((name, scenario),) = SCENARIO.findall(section)
    Path(name).write_text(scenario, encoding="utf-8")
    commands = CONSOLE.findall(section)
    assert commands
    for command, printed in commands:
        said = fencepost_says("ask", *shlex.split(command))
        assert (said.code, said.err) == (0, "")
        assert shows(said.out, printed), said.out


def test_the_page_lists_every_step() -> None:
    """The table of steps has the way to write each, and what it does; fields and states of `expect` are named."""
    rows = dict(re.findall(r"^\| `(.*?)` \| (.*) \|$", PAGE, re.MULTILINE))
    for name, word in WORDS.items():
        assert rows.get(word.usage.replace("|", "\\|")) == word.about, name
    for name in (*words.PARTITION_FIELDS, *words.BROKER_STATES):
        assert f"`{name}`" in PAGE, name
