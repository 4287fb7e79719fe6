"""One log whose names a terminal, a workflow or a page would obey, through every command and every kind of report."""

import io
import re
from pathlib import Path
from xml.etree import ElementTree

import networkx
import pygraphviz
import pytest

from fencepost.checkers.cli.main import main
from fencepost.checkers.cli.streams import Output
from fencepost.checkers.exploration.graph_files import write
from fencepost.checkers.graphviz import rendered
from fencepost.traces import Record, build_batch, encode_batch
from tests.attack.fuzzing import SEGMENT, batches
from tests.attack.mutations import HOSTILE

NAMES = ("name", "host", "rack", "resourceName", "value")
"""The fields of records whose texts are anything that a client sends."""
RAW = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Characters that no output has as they are."""
COMMAND = re.compile(r"^\s*(::error file=x|##\[)", re.MULTILINE)
"""A line that a workflow would take for a command of ours, and is a name's."""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording's beginning in which every topic, host, setting and feature has a hostile name."""
    folder = tmp_path_factory.mktemp("hostile")
    made = bytearray()
    for batch in batches():
        if not batch.is_control:
            told = [(r.type, r.version, _named(r.data)) for r in batch.records if isinstance(r, Record)]
            batch = build_batch(told, base_offset=batch.base_offset, epoch=batch.epoch, timestamp=batch.base_timestamp)
        made += encode_batch(batch)
    (folder / SEGMENT).write_bytes(bytes(made))
    return folder


def _named(value: object) -> object:
    """A record's data with hostile names and values."""
    if isinstance(value, dict):
        return {key: HOSTILE if key in NAMES and isinstance(one, str) else _named(one) for key, one in value.items()}
    return [_named(one) for one in value] if isinstance(value, list) else value


def _printed(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> str:
    """What a command prints to standard output and error as the program does."""
    out, err = (Output(io.BytesIO(), "utf-8", "backslashreplace") for _ in range(2))
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr("sys.stderr", err)
    assert main(arguments) in {0, 1, 2, 3, 6}
    out.flush(), err.flush()
    return "\n".join(one.buffer.getvalue().decode("utf-8") for one in (out, err))  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "words",
    [
        "conform",
        "conform --json",
        "story",
        "story --json",
        "health",
        "show",
        "show --at 60",
        "why broker 1",
        "show --at 60 --json",
    ],
)
def test_a_command_prints_no_name_as_it_is(words: str, hostile: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No control character of a name, nor a line that a workflow would obey, is printed by a command on a log."""
    first, *rest = words.split()
    said = _printed(monkeypatch, first, str(hostile), *rest)
    assert RAW.findall(said) == []
    assert COMMAND.findall(said) == []


def test_pictures_have_no_name_as_it_is(hostile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The picture of a log's coverage, and a graph as DOT, SVG and Mermaid with such labels, escape them."""
    folder = tmp_path / "a\x1b[31m<script>alert(1)<&"
    folder.mkdir()
    (folder / SEGMENT).write_bytes((hostile / SEGMENT).read_bytes())
    picture = tmp_path / "rows.svg"
    _printed(monkeypatch, "show", str(folder), "--coverage", "--svg", str(picture))
    made = networkx.MultiDiGraph()
    for node in (0, 1):
        made.add_node(node, label=f"{HOSTILE}\\", initial=node == 0, states=1)
    made.add_edge(0, 1, f"{HOSTILE}\\")
    texts = {picture.name: picture.read_text("utf-8")}
    for suffix in (".dot", ".mmd"):
        file = tmp_path / f"graph{suffix}"
        write(made, file, HOSTILE)
        texts[file.name] = file.read_text("utf-8")
    drawn = pygraphviz.AGraph(texts["graph.dot"])
    assert (len(drawn.nodes()), len(drawn.edges())) == (2, 1)
    texts["drawn"] = rendered(drawn, "svg", HOSTILE)
    assert [name for name, text in texts.items() if RAW.search(text)] == []
    assert [name for name, text in texts.items() if "<script>" in text and not name.startswith("graph.")] == []
    for name in ("rows.svg", "drawn"):
        ElementTree.fromstring(texts[name])


def test_reports_have_no_name_as_it_is(hostile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """HTML, JUnit, SARIF, Markdown and annotations of the log, and of a folder with such a name, escape its names."""
    folder = tmp_path / "a\n::error file=x::y\x1b[31m"
    folder.mkdir()
    whole = (hostile / SEGMENT).read_bytes()
    (folder / SEGMENT).write_bytes(whole[:3000] + bytes([whole[3000] ^ 1]) + whole[3001:])
    files = {option: tmp_path / f"report.{option}" for option in ("html", "junit", "sarif", "markdown")}
    options = [word for option, path in files.items() for word in (f"--{option}", str(path))]
    said = _printed(
        monkeypatch, "check", str(hostile), str(folder), "--only", "conform", "--format", "github", *options
    )
    texts = {option: path.read_text("utf-8") for option, path in files.items()} | {"printed": said}
    assert [option for option, text in texts.items() if RAW.search(text)] == []
    assert COMMAND.findall(said) == []
    assert "<script>alert" not in texts["html"] + re.sub("```.*?```", "", texts["markdown"], flags=re.DOTALL)
    ElementTree.fromstring(texts["junit"])
