"""The published jars of Kafka as fixtures."""

import subprocess
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from fencepost.checkers.bench.dump_log import POM
from tests.shared import once

from .published import HERE, Kept, compiled, jars

Tool = Callable[..., "subprocess.CompletedProcess[str]"]
TOOLS = "org.apache.kafka.controller.Kept"
DUMP_LOG = "org.apache.kafka.tools.DumpLogSegments"


@pytest.fixture(scope="session")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the classes of `answers`, compiled once in a run."""
    sources = sorted((HERE / "answers").rglob("*.java"))
    return once(tmp_path_factory, "classes", lambda place: compiled(jars("answers.pom.xml"), sources, place))


@pytest.fixture(scope="module")
def kept(classes: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path, str], Kept]]:
    """Return a function that starts a class of the jars in a folder once for the tests of a file."""
    found: dict[tuple[Path, str], Kept] = {}
    errors = tmp_path_factory.mktemp("errors")

    def start(folder: Path, main: str) -> Kept:
        if (folder, main) not in found:
            found[folder, main] = Kept(folder, main, classes, errors / str(len(found)))
        return found[folder, main]

    yield start
    for one in found.values():
        one.close()


@pytest.fixture(scope="module")
def tool(kept: Callable[[Path, str], Kept]) -> Tool:
    """Return a function that runs a tool of the jars that a pom names, one after another in a process."""
    return lambda pom, *arguments: kept(jars(pom), TOOLS).tool(*arguments)


@pytest.fixture(scope="module")
def dump_log(tool: Tool) -> Callable[[Sequence[Path]], str]:
    """Return a function that prints files as kafka-dump-log does with the metadata decoder, without an error."""

    def dump(files: Sequence[Path]) -> str:
        names = ",".join(str(path) for path in files)
        said = tool(POM, DUMP_LOG, "--cluster-metadata-decoder", "--files", names)
        assert said.returncode == 0, said.stderr
        assert complaints(said.stderr) == []
        assert "Error at" not in said.stdout
        return said.stdout

    return dump


def complaints(text: str) -> list[str]:
    """Return what the tool complained of, but for its gap before a segment that does not begin at 0.

    It remembers no file before the one that it reads, and takes -1 for the offset before.
    """
    lines = text.splitlines()
    found = []
    at = 0
    while at < len(lines):
        name = lines[at].removeprefix("Non-consecutive offsets in ")
        if name != lines[at]:
            at += 1
            while at < len(lines) and lines[at].startswith("  "):
                if lines[at].strip() != f"-1 is followed by {int(Path(name).stem)}":
                    found.append(lines[at])
                at += 1
            continue
        found.append(lines[at])
        at += 1
    return found


@pytest.fixture(scope="module")
def kafka_storage(tool: Tool) -> Tool:
    """Return a function that runs kafka-storage of Kafka 4.4.0."""
    return partial(tool, "server.pom.xml", "kafka.tools.StorageTool")


@pytest.fixture(scope="session")
def server_jars() -> Path:
    """Return the folder of the jars of Kafka's server."""
    return jars("server.pom.xml")


@pytest.fixture(scope="module")
def asked(kept: Callable[[Path, str], Kept]) -> Callable[[str, Sequence[str]], list[str]]:
    """Return a function that puts lines to a program beside Kafka's classes and returns the lines that it prints."""
    return lambda main, lines: kept(jars("answers.pom.xml"), main).answers(lines)
