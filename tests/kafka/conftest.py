"""The published jars of Kafka as fixtures."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from fencepost.checkers.bench.dump_log import POM

from .published import HERE, SECONDS, compiled, jars, java, run

Tool = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def dump_log() -> Callable[[Sequence[Path]], str]:
    """Return a function that prints files as kafka-dump-log does with the metadata decoder, without an error."""
    folder = jars(POM)

    def dump(files: Sequence[Path]) -> str:
        names = ",".join(str(path) for path in files)
        said = run(folder, "org.apache.kafka.tools.DumpLogSegments", "--cluster-metadata-decoder", "--files", names)
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


@pytest.fixture(scope="session")
def kafka_storage() -> Tool:
    """Return a function that runs kafka-storage of Kafka 4.4.0."""
    folder = jars("server.pom.xml")
    return lambda *arguments: run(folder, "kafka.tools.StorageTool", *arguments)


@pytest.fixture(scope="session")
def server_jars() -> Path:
    """Return the folder of the jars of Kafka's server."""
    return jars("server.pom.xml")


@pytest.fixture(scope="session")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Sequence[str]], list[str]]:
    """Return a function that puts lines to a program beside Kafka's classes and returns the lines that it prints."""
    folder = jars("answers.pom.xml")
    classes = compiled(folder, sorted((HERE / "answers").rglob("*.java")), tmp_path_factory.mktemp("classes"))

    def answers(main: str, lines: Sequence[str]) -> list[str]:
        command = java(folder, main, classes=classes)
        said = subprocess.run(
            command, input="\n".join(lines) + "\n", capture_output=True, text=True, timeout=SECONDS, check=False
        )
        assert said.returncode == 0, said.stderr
        return said.stdout.splitlines()

    return answers
