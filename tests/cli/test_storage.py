"""`fencepost storage`: the directories of a node, as kafka-storage formats and describes them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CLUSTER = "MkU3OEVBNTcwNTJENDM2Qg"
Says = Callable[..., Any]


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """Return the configuration of a controller whose one directory is not there yet."""
    path = tmp_path / "server.properties"
    path.write_text(
        f"process.roles=controller\nnode.id=3000\nlog.dirs={tmp_path / 'data'}\ncontroller.listener.names=CONTROLLER\n"
        "listeners=CONTROLLER://localhost:9093\ncontroller.quorum.bootstrap.servers=localhost:9093\n"
    )
    return path


def sentence(says: Says, code: int, *arguments: object) -> str:
    """Check that a command ends with a code and one sentence, the same in JSON; return the sentence."""
    said = says(*arguments)
    assert said.code == code, said
    told = said.sentence.removeprefix("fencepost: ")
    document = says(*arguments, "--json").document
    assert (document["exit_code"], document["message"], document["verdict"]) == (code, told, "inconclusive")
    return str(told)


def test_random_uuid(fencepost_says: Says) -> None:
    """A uuid is printed and nothing else; every time another one."""
    first, second = (fencepost_says("storage", "random-uuid") for _ in range(2))
    assert first.code == 0
    assert len(first.out.strip()) == 22
    assert first.out != second.out
    document = fencepost_says("storage", "random-uuid", "--json").document
    assert (document["command"], len(document["uuid"])) == ("storage random-uuid", 22)


def test_format_and_info(fencepost_says: Says, config: Path, tmp_path: Path) -> None:
    """Info complains of what is not formatted with code 1, format formats, and info is content."""
    before = fencepost_says("storage", "info", "--config", config)
    assert before.code == 1
    assert "Found problem:" in before.out
    assert "does not exist" in before.out
    told = fencepost_says("storage", "format", "-c", config, "-t", CLUSTER, "-s", "-r", "4.3", "--json").document
    assert (told["verdict"], told["exit_code"], told["release"]) == ("formatted", 0, "4.3-IV0")
    assert told["features"]["metadata.version"] == 30
    (directory,) = told["formatted"]
    assert directory["path"] == str(tmp_path / "data")
    assert told["voters"][0]["directory_id"] == directory["directory_id"]
    assert told["records"][0]["data"] == {"name": "metadata.version", "featureLevel": 30}
    after = fencepost_says("storage", "info", "-c", config, "--json").document
    assert (after["exit_code"], after["problems"], after["start"]) == (0, [], None)
    assert after["metadata"]["directory.id"] == directory["directory_id"]
    assert after["metadata"]["cluster.id"] == CLUSTER


def test_format_again(fencepost_says: Says, config: Path, tmp_path: Path) -> None:
    """What is formatted is refused with code 2 and untouched; with --ignore-formatted it is left, with code 0."""
    arguments = ("storage", "format", "-c", config, "-t", CLUSTER, "--standalone")
    assert fencepost_says(*arguments).code == 0
    path = tmp_path / "data" / "meta.properties"
    before = path.read_bytes()
    assert "already formatted" in sentence(fencepost_says, 2, *arguments)
    document = fencepost_says(*arguments, "--ignore-formatted", "--json").document
    assert (document["verdict"], document["exit_code"], document["formatted"]) == ("unchanged", 0, [])
    assert "every directory is formatted already" in fencepost_says(*arguments, "-g").out
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("more", "part"),
    [
        ((), "give --standalone, --initial-controllers or --no-initial-controllers"),
        (("-s", "-N"), "exclude one another"),
        (("-s", "-r", "2.8"), "--release-version 2.8: Kafka 4.4 formats with"),
        (("-s", "-f", "group.version"), "--feature group.version: write NAME=LEVEL"),
        (("-s", "-f", "lamp=1"), "--feature lamp: there is no such feature"),
        (("-I", "3000@h:1"), "3000@h:1: this names no controller"),
        (("-s", "-S", "alice"), "--add-scram: this is no credential"),
    ],
)
def test_what_is_refused(fencepost_says: Says, config: Path, tmp_path: Path, more: tuple[str, ...], part: str) -> None:
    """A request that cannot be met is one sentence and code 2, and nothing is written."""
    assert part in sentence(fencepost_says, 2, "storage", "format", "-c", config, "-t", CLUSTER, *more)
    assert not (tmp_path / "data").exists()


def test_options_that_are_missing(fencepost_says: Says, config: Path) -> None:
    """A missing option, a missing file and a command that is none are each one sentence."""
    assert "--cluster-id" in sentence(fencepost_says, 2, "storage", "format", "-c", config)
    assert "--config" in sentence(fencepost_says, 2, "storage", "info")
    assert "cannot be read" in sentence(fencepost_says, 2, "storage", "info", "-c", config.with_name("nowhere"))
    assert "lamp" in sentence(fencepost_says, 2, "storage", "lamp")
    assert "random-uuid, format or info" in sentence(fencepost_says, 2, "storage")


def test_a_refused_start_is_told(fencepost_says: Says, config: Path) -> None:
    """Where Kafka's info has no problem and a start would be refused, that is reported."""
    fencepost_says("storage", "format", "-c", config, "-t", CLUSTER, "-s")
    config.write_text(config.read_text().replace("node.id=3000", "node.id=3001"))
    said = fencepost_says("storage", "info", "-c", config)
    assert said.code == 0
    assert "A start would be refused:" in said.out
    document = fencepost_says("storage", "info", "-c", config, "--json").document
    assert "belongs to node 3000, not to node 3001" in document["start"]
