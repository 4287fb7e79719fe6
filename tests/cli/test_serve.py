"""`fencepost serve --mcp`: the tools, by the client of the protocol's own package, over standard input and output."""

import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from jsonschema import Draft202012Validator
from mcp import Client, StdioServerParameters

from fencepost.checkers.cli import assistant, serve
from fencepost.checkers.cli.assistant import TOOLS, Roots
from tests.cases import each

ROOT = Path(__file__).resolve().parents[2]
RECORDED = ROOT / "traces" / "recorded"
KNOWN = {tool.name: tool for tool in TOOLS}
CALLS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "conform": ({"logs": ["log"]}, ("conform", "{log}")),
    "story": ({"log": "log", "to": "20"}, ("story", "{log}", "--to", "20", "--no-lanes")),
    "why": ({"log": "{log}", "what": "broker", "name": "1"}, ("why", "{log}", "broker", "1")),
    "health": ({"log": "log", "at": "20", "and": "end"}, ("health", "{log}", "--at", "20", "--and", "end")),
    "show_state": ({"log": "log", "at": "20", "broker": "1"}, ("show", "{log}", "--at", "20", "--broker", "1")),
    "prove": ({"protocol": "lease", "row": "LX1"}, ("prove", "lease", "--row", "LX1")),
    "explore": (
        {"protocol": "lease", "bound": "tiny"},
        ("explore", "lease", "--bound", "tiny", "--max-seconds", "300", "--max-memory", "2G"),
    ),
    "whatif": ({"protocol": "lease+longer_lease"}, ("whatif", "lease+longer_lease")),
    "explain_row": ({"protocol": "kip343", "row": "H11"}, ("show", "kip343", "--row", "H11")),
}
"""A call of each tool, and the command line that it is."""
BY_DAY = ("story", "explain_row")
"""Tools that a server is asked for by day: one that reads a log below its folder, one without a path."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a server: a log in it, and links that lead out of it."""
    made = tmp_path_factory.mktemp("served").resolve()
    outside = tmp_path_factory.mktemp("outside").resolve()
    shutil.copytree(RECORDED / "first-boot", made / "log")
    shutil.copytree(RECORDED / "first-boot", outside / "log")
    (made / "away").symlink_to(outside / "log")
    (made / "mixed").mkdir()
    segment = next((outside / "log").glob("*.log"))
    (made / "mixed" / segment.name).symlink_to(segment)
    (made / "inner").mkdir()
    (made / "inner" / segment.name).symlink_to(made / "log" / segment.name)
    (made / "table.py").write_text("raise SystemExit('it ran')\n", encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def answered(folder: Path) -> tuple[Any, dict[str, Any]]:
    """Return the tools that one server lists, and its result for each call of `BY_DAY` and for one that is refused."""
    return ask(folder, BY_DAY)


@pytest.fixture(scope="module")
def others(folder: Path) -> tuple[Any, dict[str, Any]]:
    """Return the same of one server that is asked for all other tools."""
    return ask(folder, tuple(CALLS.keys() - set(BY_DAY)))


def ask(folder: Path, tools: tuple[str, ...]) -> tuple[Any, dict[str, Any]]:
    """Return the tools that a server lists, and its results for the calls of some and for one that is refused."""
    command = ["-m", "fencepost.checkers.cli.main", "serve", "--mcp", "--root", str(folder)]
    path = os.pathsep.join(one for one in sys.path if one)
    server = StdioServerParameters(command=sys.executable, args=command, env={"PYTHONPATH": path})

    async def all_of_them() -> tuple[Any, dict[str, Any]]:
        async with Client(server) as client:
            listed = await client.list_tools()
            results = {}
            for name in tools:
                results[name] = await client.call_tool(name, arguments(name, folder))
            results["refused"] = await client.call_tool("story", {"log": "/etc/passwd"})
            return listed.tools, results

    return anyio.run(all_of_them)


def arguments(name: str, folder: Path) -> dict[str, Any]:
    """Return the arguments of the call of a tool, with the path of the log in them."""
    return {key: filled(one, folder) if isinstance(one, str) else one for key, one in CALLS[name][0].items()}


def filled(text: str, folder: Path) -> str:
    """Return a text with the path of the log in it."""
    return text.replace("{log}", str(folder / "log"))


def timeless(value: Any) -> Any:
    """Return a document without the seconds that it took, and what they order."""
    if isinstance(value, dict):
        return {key: timeless(one) for key, one in value.items() if "seconds" not in key and key != "slowest"}
    return [timeless(one) for one in value] if isinstance(value, list) else value


@pytest.mark.slow
@pytest.mark.representative(*BY_DAY)
@pytest.mark.parametrize("name", CALLS)
def test_a_tool_returns_the_document_of_its_command(
    request: pytest.FixtureRequest, fencepost_says: Callable[..., Any], folder: Path, name: str
) -> None:
    """A tool's result, as structure and as text, is what the command line prints with --json, but for the time.

    Slow: the command loads its engine in a process of the server.
    """
    _, results = request.getfixturevalue("answered" if name in BY_DAY else "others")
    result = results[name]
    assert not result.is_error, result.content
    assert json.loads(result.content[0].text) == result.structured_content
    document = fencepost_says(*(filled(one, folder) for one in CALLS[name][1]), "--json").document
    assert document["exit_code"] in (0, 1, 7)
    assert timeless(result.structured_content) == timeless(document)


def test_a_tool_starts_the_command_line_of_its_call(folder: Path) -> None:
    """The process of each tool has the command, the options and the values of its call, and --json."""
    assert CALLS.keys() == KNOWN.keys()
    for name, (_, command) in CALLS.items():
        started = KNOWN[name].words(arguments(name, folder), Roots((folder,)))
        assert started[:2] == [command[0], "--json"]
        words = [part for word in started for part in (word.split("=", 1) if word.startswith("--") else (word,))]
        assert sorted(words) == sorted(["--json", "--", *(filled(one, folder) for one in command)]), name


@pytest.mark.slow
def test_tools_are_listed_with_their_schemas(answered: tuple[Any, dict[str, Any]]) -> None:
    """Each tool has a sentence, changes nothing, and has a schema of arguments and the schema of its document."""
    assert [tool.name for tool in answered[0]] == list(KNOWN)
    for tool in answered[0]:
        assert tool.description.endswith(".")
        assert tool.annotations.read_only_hint is True
        Draft202012Validator.check_schema(tool.input_schema)
        assert tool.output_schema["$id"] == f"urn:fencepost:{KNOWN[tool.name].command}:1"


@pytest.mark.slow
def test_a_refused_call_is_an_error_of_the_tool(answered: tuple[Any, dict[str, Any]], folder: Path) -> None:
    """A path outside of the folders ends no server: its result is an error with one sentence."""
    result = answered[1]["refused"]
    assert (result.is_error, result.structured_content["exit_code"]) == (True, 2)
    said = f"/etc/passwd: is not below a folder that this server may read: {folder}"
    assert result.structured_content["message"] == said


@each(
    ("name", "given", "said"),
    [
        ("story", {"log": "away"}, "away: is not below a folder"),
        ("story", {"log": "log/../../outside"}, "is not below a folder"),
        ("story", {"log": "mixed"}, "mixed: 00000000000000000000.log is a link to elsewhere"),
        ("story", {"log": "lo*"}, "lo*: is a pattern or an address"),
        ("story", {"log": "file:///etc/passwd"}, "is a pattern or an address"),
        ("story", {"log": "nowhere"}, "nowhere: there is no such file below"),
        ("conform", {"logs": ["log", "/etc"]}, "/etc: is not below a folder"),
        ("conform", {"logs": []}, "conform: logs: [] should be non-empty"),
        ("story", {}, "'log' is a required property"),
        ("story", {"log": "log", "fork": "x.toml"}, "'fork' was unexpected"),
        ("why", {"log": "log", "what": "topic", "name": "a"}, "why: what: 'topic' is not one of"),
        ("prove", {"protocol": "table.py:P"}, "table.py:P: a table in a file is run as Python; start the server with"),
        ("prove", {"protocol": "kraft+/tmp/table.py:P"}, "a table in a file is run as Python"),
        ("prove", {"protocol": "os.path:join"}, "os.path:join: "),
        ("explain_row", {"protocol": "craft", "row": "HB2"}, "craft: no protocol has this name"),
    ],
)
def test_what_may_not_be_read_is_refused(folder: Path, name: str, given: dict[str, Any], said: str) -> None:
    """Paths and links to elsewhere, patterns, files of Python and arguments outside of the schema start no command."""
    found = serve.answer(KNOWN[name], given, Roots((folder,)))
    assert (found["exit_code"], said in found["message"]) == (2, True), found["message"]


def test_files_of_python_are_below_a_folder_even_where_they_may_run(folder: Path) -> None:
    """With --tables a file outside of the folders, or a module by its name, is refused; one below is named whole."""
    roots = Roots((folder,), tables=True)
    for name in ("/tmp/table.py:P", "os.path:join"):
        found = serve.answer(KNOWN["prove"], {"protocol": name}, roots)
        assert (found["exit_code"], "below" in found["message"]) == (2, True), found["message"]
    assert roots.protocol("table.py:P+V") == f"{folder / 'table.py'}:P+V"
    assert roots.log("inner") == str(folder / "inner")


def test_values_are_no_options(folder: Path) -> None:
    """A value that begins with a dash is the value of its option, or is behind the end of all options."""
    given = {"log": "log", "what": "broker", "name": "--fork=x", "at": "--html=/tmp/x"}
    words = KNOWN["why"].words(given, Roots((folder,)))
    assert words == ["why", "--json", "--at=--html=/tmp/x", "--", str(folder / "log"), "broker", "--fork=x"]


def test_sizes_and_times_are_bounded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log, a document and a time beyond their limits are refused with what to do."""
    row = {"protocol": "lease", "row": "LX1"}
    monkeypatch.setattr(serve, "ANSWER", 100)
    said = serve.answer(KNOWN["explain_row"], row, Roots(()))["message"]
    assert said == "explain_row: the document has more than 0 MiB; ask for less of it"
    monkeypatch.setattr(serve, "SECONDS", 0.0)
    said = serve.answer(KNOWN["explain_row"], row, Roots(()))["message"]
    assert said == "explain_row: takes longer than 0 s; ask for less of it"
    monkeypatch.setattr(assistant, "LARGEST", 100)
    said = serve.answer(KNOWN["story"], {"log": "log"}, Roots((folder,)))["message"]
    assert said.startswith("log: has more than 0 GiB or 100,000 files")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "serve: speaks one protocol only; say --mcp"),
        (("--mcp", "--root", "/nowhere"), "--root: /nowhere is no directory; name one that there is"),
    ],
)
def test_a_server_that_cannot_begin_says_why(
    fencepost_says: Callable[..., Any], words: tuple[str, ...], said: str
) -> None:
    """Without a protocol, or with a folder that there is not, one sentence and exit code 2."""
    answered = fencepost_says("serve", *words)
    assert (answered.code, answered.sentence) == (2, f"fencepost: {said}")


def test_a_missing_package_is_named_with_its_extra(
    fencepost_says: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the protocol's package the sentence has the command that installs it."""
    monkeypatch.setitem(sys.modules, "mcp", None)
    answered = fencepost_says("serve", "--mcp")
    assert answered.code == 3
    assert "this needs mcp, which is not installed: run `pip install 'fencepost[mcp]'`" in answered.sentence


def test_a_server_prints_no_document_of_its_own(fencepost_says: Callable[..., Any]) -> None:
    """--json is refused, in the document of a failure."""
    answered = fencepost_says("serve", "--mcp", "--json")
    assert (answered.code, answered.document["command"]) == (2, "serve")
    assert answered.document["message"].startswith("--json: standard output is the protocol's own")
