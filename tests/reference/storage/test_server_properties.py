"""The settings of a server.properties that formatting depends on, and voters as people write them."""

from pathlib import Path

import pytest

from fencepost.reference.kraft.storage import (
    StorageError,
    Voter,
    parse_server_properties,
    parse_voters,
    read_server_properties,
    voters_record,
)
from fencepost.reference.kraft.storage.server_properties import Listener
from tests.cases import each

CONTROLLER = {
    "process.roles": "controller",
    "node.id": "3000",
    "log.dirs": "/a",
    "controller.listener.names": "CONTROLLER",
    "listeners": "CONTROLLER://127.0.0.1:19250",
    "controller.quorum.bootstrap.servers": "127.0.0.1:19250",
}
BROKER = CONTROLLER | {"process.roles": "broker", "node.id": "1", "listeners": "PLAINTEXT://:9092"}
ID = "JEXY6aqzQY-32P5TStzaFg"
OTHER = "MvDxzVmcRsaTz33bUuRU6A"


def test_a_controller() -> None:
    """A controller's endpoint is its listener; its metadata directory is the first log directory."""
    found = parse_server_properties(CONTROLLER | {"log.dirs": " /b , /a,/b"})
    assert (found.roles, found.node_id, found.is_controller) == (("controller",), 3000, True)
    assert (found.log_directories, found.metadata_directory, found.directories) == (("/b", "/a"), "/b", ("/a", "/b"))
    assert found.controller_endpoint == Listener("CONTROLLER", "127.0.0.1", 19250)
    assert found.static_voters == ()


def test_a_broker() -> None:
    """A broker has no controller's endpoint; metadata.log.dir may lie apart from log.dirs."""
    found = parse_server_properties(BROKER | {"metadata.log.dir": "/c"})
    assert (found.controller_endpoint, found.is_controller) == (None, False)
    assert found.directories == ("/a", "/c")


@pytest.mark.parametrize(
    ("changed", "endpoint"),
    [
        ({"listeners": "CONTROLLER://:1"}, ("CONTROLLER", "localhost", 1)),
        ({"listeners": "controller://[::1]:1"}, ("CONTROLLER", "::1", 1)),
        ({"advertised.listeners": "CONTROLLER://far:77"}, ("CONTROLLER", "far", 77)),
        ({"controller.listener.names": "B,A", "listeners": "A://a:1,B://b:2"}, ("B", "b", 2)),
    ],
)
def test_where_a_controller_is_reached(changed: dict[str, str], endpoint: tuple[str, str, int]) -> None:
    """Advertised before listening, the first of the controllers' listeners, this machine where no host is said."""
    assert parse_server_properties(CONTROLLER | changed).controller_endpoint == Listener(*endpoint)


def test_static_voters() -> None:
    """The ids of a static quorum are read; log.dir replaces log.dirs, and there is a default for both."""
    changed = CONTROLLER | {"controller.quorum.voters": "3000@a:1,3001@[::1]:2"}
    assert parse_server_properties(changed).static_voters == (3000, 3001)
    del changed["log.dirs"]
    assert parse_server_properties(changed | {"log.dir": "/x"}).directories == ("/x",)
    assert parse_server_properties(changed).directories == ("/tmp/kafka-logs",)


@each(
    ("base", "changed", "part"),
    [
        (CONTROLLER, {"process.roles": ""}, "process.roles is missing"),
        (CONTROLLER, {"process.roles": "zebra"}, "process.roles=zebra"),
        (CONTROLLER, {"node.id": ""}, "node.id is missing"),
        (CONTROLLER, {"node.id": "-5"}, "node.id=-5"),
        (CONTROLLER, {"node.id": "9999999999"}, "node.id=9999999999"),
        (CONTROLLER, {"log.dirs": " , "}, "log.dirs is empty"),
        (CONTROLLER, {"metadata.log.dir": ""}, "metadata.log.dir is empty"),
        (CONTROLLER, {"controller.listener.names": ""}, "controller.listener.names is missing"),
        (CONTROLLER, {"listeners": ""}, "listeners: none of them"),
        (CONTROLLER, {"listeners": "CONTROLLER://a:1,X://b:2"}, "listeners: X is not among"),
        (CONTROLLER, {"listeners": "CONTROLLER"}, "listeners=CONTROLLER: write"),
        (CONTROLLER, {"listeners": "CONTROLLER://a:70000"}, "listeners=CONTROLLER://a:70000: write"),
        (BROKER, {"listeners": "CONTROLLER://a:1"}, "listeners: CONTROLLER is a controller's"),
        (CONTROLLER, {"controller.quorum.voters": "bad"}, "controller.quorum.voters=bad"),
        (CONTROLLER, {"controller.quorum.voters": "4000@h:1"}, "controller.quorum.voters: controller 3000 is not"),
        (CONTROLLER, {"controller.quorum.bootstrap.servers": ""}, "no controllers are named"),
    ],
)
def test_a_configuration_that_no_node_takes(base: dict[str, str], changed: dict[str, str], part: str) -> None:
    """What Kafka refuses to start with is refused by the setting's name."""
    with pytest.raises(StorageError) as refused:
        parse_server_properties(base | changed)
    assert str(refused.value).startswith(part)


def test_a_file_is_named(tmp_path: Path) -> None:
    """The sentence begins with the path of the configuration."""
    path = tmp_path / "server.properties"
    with pytest.raises(StorageError, match=r"server\.properties: the configuration cannot be read"):
        read_server_properties(path)
    path.write_text("node.id=1\n")
    with pytest.raises(StorageError, match=r"server\.properties: process\.roles is missing"):
        read_server_properties(path)


def test_voters() -> None:
    """Voters come in order of id, spaces and a last comma forgiven; the record writes an IPv6 address out."""
    voters = parse_voters(f"3001@[::1]:2:{OTHER}, 3000@h:1:{ID},")
    assert voters == (Voter(3000, "h", 1, ID), Voter(3001, "::1", 2, OTHER))
    endpoints = [voter["endpoints"] for voter in voters_record(voters, "CONTROLLER")["voters"]]
    assert endpoints == [
        [{"name": "CONTROLLER", "host": "h", "port": 1}],
        [{"name": "CONTROLLER", "host": "0:0:0:0:0:0:0:1", "port": 2}],
    ]


@each(
    ("text", "part"),
    [
        ("", "no controller is named"),
        ("3000@h:1", "3000@h:1: this names no controller"),
        (f"h:1:{ID}", f"h:1:{ID}: this names no controller"),
        (f"3000@h:70000:{ID}", f"3000@h:70000:{ID}: there is no port 70000"),
        ("3000@h:1:JEXY6aqzQY-32P5TStza", "3000@h:1:JEXY6aqzQY-32P5TStza: JEXY6aqzQY-32P5TStza is no uuid"),
        ("3000@h:1:AAAAAAAAAAAAAAAAAAAAAA", "3000@h:1:AAAAAAAAAAAAAAAAAAAAAA: the directory id is reserved"),
        (f"3000@h:1:{ID},3000@h:2:{ID}", f"3000@h:2:{ID}: controller 3000 is named twice"),
    ],
)
def test_what_names_no_voter(text: str, part: str) -> None:
    """A voter that is not written as ID@HOST:PORT:DIRECTORY-ID is refused, and shown."""
    with pytest.raises(StorageError) as refused:
        parse_voters(text)
    assert str(refused.value).startswith(part)
