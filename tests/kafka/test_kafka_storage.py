"""kafka-storage of Kafka 4.4.0 and ours: the same directories from the same requests, each content with the other's."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencepost.reference.kraft.storage import (
    FormatRequest,
    StorageError,
    format_storage,
    parse_features,
    read_meta_properties,
    read_server_properties,
    release_level,
    storage_info,
)
from fencepost.traces import ControlRecord, read_snapshot

from .conftest import Tool

pytestmark = pytest.mark.kafka

CLUSTER = "MkU3OEVBNTcwNTJENDM2Qg"
ID = "JEXY6aqzQY-32P5TStzaFg"
OTHER = "MvDxzVmcRsaTz33bUuRU6A"
CHECKPOINT = "__cluster_metadata-0/00000000000000000000-0000000000.checkpoint"
SCRAM = 'SCRAM-SHA-256=[name=alice,iterations=8192,salt="N3E=",password=alice-secret]'
Write = Callable[..., Path]


@pytest.fixture
def configured(tmp_path: Path) -> Write:
    """Return a function that writes a configuration with directories of its own."""

    def write(name: str, role: str = "controller", static: bool = False) -> Path:
        both = {"controller": "CONTROLLER://localhost:9093", "broker": "PLAINTEXT://:9092"}
        path = tmp_path / f"{name}.properties"
        lines = [
            f"process.roles={role}",
            "node.id=3000",
            f"log.dirs={tmp_path / name / 'a'},{tmp_path / name / 'b'}",
            "controller.listener.names=CONTROLLER",
            f"listeners={','.join(both[one] for one in role.split(','))}",
            "controller.quorum.voters=3000@localhost:9093"
            if static
            else "controller.quorum.bootstrap.servers=localhost:9093",
        ]
        path.write_text("".join(f"{line}\n" for line in lines))
        return path

    return write


def ours(config: Path, **asked: Any) -> None:
    """Format as we do."""
    request = FormatRequest(server=read_server_properties(config), cluster_id=CLUSTER, **asked)
    format_storage(request, random.Random(1), 1_795_290_269_318)


def contents(config: Path) -> Any:
    """Return what was formatted, with times and chosen directory ids left out: a value to compare."""
    found: list[Any] = []
    for name in ("a", "b"):
        directory = config.with_suffix("") / name
        found.append(sorted(str(path.relative_to(directory)) for path in directory.rglob("*") if path.is_file()))
        identity = read_meta_properties(directory)
        assert identity is not None
        lines = (directory / "meta.properties").read_text().splitlines()
        found.append([line for line in lines if not line.startswith(("#", "directory.id"))])
        own = {identity.directory_id: f"the id of {name}"}
        if (directory / CHECKPOINT).exists():
            for batch in read_snapshot(directory / CHECKPOINT).batches:
                found.append((batch.base_offset, batch.last_offset, batch.epoch, batch.attributes, batch.size))
                found += [_content(record, own) for record in batch.records]
    return found


def _content(record: Any, own: dict[str | None, str]) -> Any:
    data = dict(record.data)
    data.pop("lastContainedLogTimestamp", None)
    if isinstance(record, ControlRecord) and "voters" in data:
        data["voters"] = [
            voter | {"voterDirectoryId": own.get(voter["voterDirectoryId"], voter["voterDirectoryId"])}
            for voter in data["voters"]
        ]
    return record.type, data


VOTERS = f"3001@[::1]:9093:{OTHER},3000@localhost:9093:{ID}"
CASES: dict[str, tuple[dict[str, Any], list[str], dict[str, Any]]] = {
    "standalone": ({}, ["-s"], {"standalone": True}),
    "voters": ({}, ["-I", VOTERS], {"initial_controllers": VOTERS}),
    "joins later": ({}, ["-N"], {"no_initial_controllers": True}),
    "static": ({"static": True}, [], {}),
    "static, joins later": ({"static": True}, ["-N"], {"no_initial_controllers": True}),
    "broker": ({"role": "broker"}, [], {}),
    "both": ({"role": "broker,controller"}, ["-s"], {"standalone": True}),
    "oldest": ({}, ["-s", "-r", "3.3"], {"standalone": True, "release": release_level("3.3")}),
    "3.7-IV2": ({}, ["-s", "-r", "3.7-IV2"], {"standalone": True, "release": release_level("3.7-IV2")}),
    "4.2": ({}, ["-s", "-r", "4.2"], {"standalone": True, "release": release_level("4.2")}),
    "features": (
        {"static": True},
        ["-f", "group.version=0", "-f", "transaction.version=1"],
        {"features": parse_features(["group.version=0", "transaction.version=1"])},
    ),
    "scram": ({"static": True}, ["-S", SCRAM], {"scram": (SCRAM,)}),
}


@pytest.mark.representative("standalone")
@pytest.mark.parametrize("case", CASES)
def test_the_same_directories(kafka_storage: Tool, configured: Write, case: str) -> None:
    """Files, identities, batches and records are those of Kafka; each finds nothing wrong with the other's work."""
    node, arguments, asked = CASES[case]
    theirs, mine = configured("theirs", **node), configured("mine", **node)
    said = kafka_storage("format", "-c", theirs, "-t", CLUSTER, *arguments)
    assert said.returncode == 0, said.stderr
    ours(mine, **asked)
    assert contents(mine) == contents(theirs)
    info = storage_info(read_server_properties(theirs))
    assert (info.problems, info.refusal) == ((), None)
    said = kafka_storage("info", "-c", mine)
    assert said.returncode == 0, said.stdout
    assert "problem" not in said.stdout


REFUSED: dict[str, tuple[dict[str, Any], list[str], dict[str, Any]]] = {
    "no flag": ({}, [], {}),
    "static and standalone": ({"static": True}, ["-s"], {"standalone": True}),
    "broker alone": ({"role": "broker"}, ["-s"], {"standalone": True}),
    "static and 1": ({"static": True}, ["-f", "kraft.version=1"], {"features": {"kraft.version": 1}}),
    "dynamic and 0": ({}, ["-s", "-f", "kraft.version=0"], {"standalone": True, "features": {"kraft.version": 0}}),
    "no feature": ({}, ["-s", "-f", "lamp=1"], {"standalone": True, "features": {"lamp": 1}}),
    "no level": ({}, ["-s", "-f", "group.version=9"], {"standalone": True, "features": {"group.version": 9}}),
    "no voter": ({}, ["-I", "3000@h:1"], {"initial_controllers": "3000@h:1"}),
    "twice": ({}, ["-I", f"1@h:1:{ID},1@h:2:{OTHER}"], {"initial_controllers": f"1@h:1:{ID},1@h:2:{OTHER}"}),
}


@pytest.mark.representative("no level")
@pytest.mark.parametrize("case", REFUSED)
def test_the_same_refusals(kafka_storage: Tool, configured: Write, case: str) -> None:
    """What Kafka refuses to format we refuse, and neither writes anything."""
    node, arguments, asked = REFUSED[case]
    theirs, mine = configured("theirs", **node), configured("mine", **node)
    said = kafka_storage("format", "-c", theirs, "-t", CLUSTER, *arguments)
    assert said.returncode == 1
    with pytest.raises(StorageError):
        ours(mine, **asked)
    assert not theirs.with_suffix("").exists()
    assert not mine.with_suffix("").exists()


def test_formatted_by_the_other(kafka_storage: Tool, configured: Write) -> None:
    """Each refuses what the other formatted, and leaves it as it is under the option to ignore it."""
    config = configured("mine", "broker")
    ours(config)
    before = contents(config)
    refused = kafka_storage("format", "-c", config, "-t", CLUSTER)
    assert (refused.returncode, "is already formatted" in refused.stderr) == (1, True)
    left = kafka_storage("format", "-c", config, "-t", CLUSTER, "--ignore-formatted")
    assert (left.returncode, contents(config)) == (0, before)
    (config.with_suffix("") / "b" / "meta.properties").unlink()
    more = kafka_storage("format", "-c", config, "-t", CLUSTER, "--ignore-formatted")
    assert (more.returncode, contents(config)) == (0, before)
    with pytest.raises(StorageError, match="already formatted"):
        ours(config)
