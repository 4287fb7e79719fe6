"""The pages: 100 columns, no colour codes in a pipe, one JSON document also from a real process."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.check import Check, Stage
from fencepost.checkers.cli import doctor
from fencepost.checkers.cli.application import COMMANDS
from fencepost.checkers.cli.check import SCREEN, page
from fencepost.checkers.cli.terminal import WIDTH, fold
from fencepost.checkers.verdicts import ExitCode
from fencepost.model.language import protocol_text
from fencepost.model.registry import find
from tests.cases import each
from tests.widths import too_wide


@each(
    "arguments",
    [
        ("show", "kraft"),
        ("show", "kraft", "--english"),
        ("show", "kraft", "--row", "HB2"),
        ("show", "kraft", "--table", "broker lifecycle"),
        ("doctor",),
    ],
)
def test_pages_fit_in_100_columns(fencepost_says: Callable[..., Any], arguments: tuple[str, ...]) -> None:
    """No line of a page is wider than 100 columns, and none holds a colour code where there is no terminal."""
    said = fencepost_says(*arguments)
    assert said.code == 0
    assert too_wide(said.out) == []
    assert "\x1b" not in said.out


@each("name", ["zk", "kip343", "kip46", "kip631-v1", "kip631-v2", "kraft"])
def test_no_name_is_broken_inside_a_word(fencepost_says: Callable[..., Any], name: str) -> None:
    """Every table fits 100 columns, and there an event's name is whole, or broken where one of its words begins."""
    page = fencepost_says("show", name).out
    assert [line for line in page.splitlines() if len(line) > WIDTH] == []
    several = [table for table in find(name).whole.tables if len({row.event.name for row in table.rows}) > 1]
    assert several
    for table in several:
        for row in table.rows:
            parts = re.split(r"(?<=[a-z])(?=[A-Z])", row.event.name)
            begun = ["".join(parts[: number + 1]) for number in range(len(parts))]
            assert any(re.search(rf"^ {re.escape(row.id)} +{one} ", page, re.MULTILINE) for one in begun), row.id


def test_what_a_protocol_remembers_is_told(fencepost_says: Callable[..., Any]) -> None:
    """`show` ends with every variable, its class and what it is; the document and the generated page have the same."""
    whole = find("kip343").whole
    page = " ".join(fencepost_says("show", "kip343").out.split())
    state = fencepost_says("show", "kip343", "--json").document["state"]
    assert {one["variable"].split("[")[0] for one in state} == {one.name for one in whole.states}
    generated = protocol_text(whole)
    for one in state:
        assert f"{one['variable']} {one['kind']} {one['class']}" in page
        assert f"| `{one['variable']}` | {one['kind']} | {one['class']} | {one['about']} |" in generated
    assert any(one["about"] == "when a heartbeat was last accepted" for one in state)


def test_a_property_is_shown_like_a_row(fencepost_says: Callable[..., Any]) -> None:
    """`show --row` with the id of a property prints its claim, its term and its source."""
    said = fencepost_says("show", "kip343", "--row", "HI10")
    assert said.code == 0
    one = next(one for one in find("kip343").whole.properties if one.id == "HI10")
    assert one.about in " ".join(said.out.split())
    assert "broker_timeout" in said.out
    assert fencepost_says("show", "kip343", "--row", "HI10", "--json").document["property"]["source"] == one.source


def test_brackets_survive(fencepost_says: Callable[..., Any]) -> None:
    """Brackets of a term are printed, and not taken for markup."""
    assert "not registered[b]" in fencepost_says("show", "kraft", "--table", "registration").out


def test_markdown_is_what_the_model_renders(fencepost_says: Callable[..., Any]) -> None:
    """`show --markdown` prints the table as it is in the generated page."""
    from fencepost.model.language import markdown
    from fencepost.model.registry import find

    table = next(t for t in find("kraft").whole.tables if t.name == "broker lifecycle")
    assert fencepost_says("show", "kraft", "--table", table.name, "--markdown").out == markdown(table) + "\n"


def test_folded_lines_keep_their_indent() -> None:
    """A folded line goes on two columns deeper than it began."""
    lines = fold("    " + "word " * 40, 60).split("\n")
    assert all(len(line) <= 60 for line in lines)
    assert lines[0].startswith("    word")
    assert all(line.startswith("      word") for line in lines[1:])


@pytest.mark.parametrize(
    "before", ["next:  ", "    another may lead though the former leader does not know of it: ", "       "]
)
def test_a_command_is_never_folded(before: str) -> None:
    """A command stays on one line, whole, however long its path is: it is there to be copied."""
    command = f"fencepost conform /tmp/{'a-long-folder/' * 9}events.ndjson.gz --release 4.2"
    lines = fold(before + command, 100).split("\n")
    assert lines[-1].strip().endswith(command)
    assert " ".join(" ".join(lines).split()) == " ".join((before + command).split())


def test_a_path_is_never_broken() -> None:
    """A path that is longer than a line stays in one piece; the words around it fold."""
    path = f"/tmp/{'a-long-folder/' * 9}log"
    assert (
        path in fold(f"{path}: conforms (tables of 4.4): 268 records in 114 batches; 138 results", 100).split("\n")[0]
    )


@pytest.mark.representative("rolling-restart-arguments0", "reassignment-arguments5")
@pytest.mark.parametrize(
    ("recording", "arguments"),
    [
        ("rolling-restart", ("show", "--at", "150")),
        ("rolling-restart", ("show", "--at", "75", "--partition", "a-0")),
        ("rolling-restart", ("show", "--coverage")),
        ("rolling-restart", ("show",)),
        ("rolling-restart", ("conform",)),
        ("reassignment", ("conform", "--release", "4.2")),
    ],
)
def test_pages_fit_whatever_the_path(
    fencepost_says: Callable[..., Any], recorded: Path, tmp_path: Path, recording: str, arguments: tuple[str, ...]
) -> None:
    """Of a log with a path of more than a line, only lines that hold nothing but the path or a command are wider."""
    log = tmp_path / ("a-long-folder/" * 9) / recording
    log.parent.mkdir(parents=True)
    log.symlink_to(recorded / recording, target_is_directory=True)
    command, *options = arguments
    page = fencepost_says(command, log, *options).out
    assert str(log) in page
    assert too_wide(page) == []


def test_what_doctor_found_fits_whatever_the_path() -> None:
    """A part with a long path has its name and version on a line, the path alone on the next."""
    long = "/tmp/" + "a-long-folder/" * 9
    parts = [doctor.Part(name, True, False, "1.0", long + name, "") for name in ("Python", "TLC", "cache")]
    page = "\n".join(fold(line) for line in doctor._page(parts, "complete"))
    assert page.count(long) == 3
    assert too_wide(page) == []


def test_what_is_too_wide_is_seen() -> None:
    """Words beside a long path or command make a line too wide; a path or a command alone does not."""
    path = "/tmp/" + "a-long-folder/" * 9
    assert too_wide(f"{path}: conforms") == [f"{path}: conforms"]
    assert too_wide("word " * 30) == ["word " * 30]
    assert too_wide(f"  {path}:\nagain    fencepost conform {path} --release 4.2\nlog:   {path}") == []


def test_help_promises_only_what_there_is(fencepost_says: Callable[..., Any]) -> None:
    """The help names every command that there is, and none that is to come."""
    help_text = fencepost_says("--help").out
    named = [
        line.split()[0]
        for line in help_text.split("Commands:")[1].split("Exit codes")[0].splitlines()
        if line[:3].strip()
    ]
    assert sorted(named) == sorted([*(command.__name__ for command in COMMANDS), "storage", "trace"])


def test_the_screen_of_a_check_has_24_lines() -> None:
    """However much there is to say, the screen of `check` holds it, and says what it leaves out."""
    stage = Stage(
        "logs", "violates", ExitCode.DOES_NOT_CONFORM, tuple("a log that does not conform, " * 8 for _ in range(30))
    )
    lines = page(Check({"kraft": (stage,)}, {"kraft": "0" * 12}, (), 1.0))
    assert len(lines) == SCREEN
    assert all(len(line) <= WIDTH for line in lines)
    assert lines[-2].endswith("--json has everything")
    assert lines[-1] == "violates, exit code 6, 1 s"


def test_a_process_prints_one_document(recorded: Path) -> None:
    """From a real process standard output is one JSON document, whatever libraries print."""
    command = [sys.executable, "-m", "fencepost.checkers.cli.main", "show", str(recorded / "first-boot"), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "NO_COLOR": "1"})
    assert json.loads(done.stdout)["exit_code"] == done.returncode == 0
    assert done.stdout.count("\n") == 1


def test_the_package_is_imported_quickly() -> None:
    """`import fencepost` loads no engine and no library of one; names of the API load what they need."""
    code = (
        "import sys, fencepost; print(sorted({'z3', 'numpy', 'llvmlite', 'pyarrow', 'rich'} & set(sys.modules)));"
        "from fencepost import Protocol, Table, Row, check, prove, explore, conform; print(len({Protocol, Table, Row}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["[]", "3"]
