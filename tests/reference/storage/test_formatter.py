"""Formatting: what is written, what is refused, and that a refusal writes nothing."""

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fencepost.reference.kraft.storage import (
    FormatRequest,
    MetaProperties,
    StorageError,
    format_storage,
    load_ensemble,
    parse_server_properties,
    read_bootstrap,
    read_meta_properties,
    release_level,
)
from fencepost.traces import ControlRecord, read_snapshot
from tests.cases import each

CLUSTER = "MkU3OEVBNTcwNTJENDM2Qg"
ID = "JEXY6aqzQY-32P5TStzaFg"
OTHER = "MvDxzVmcRsaTz33bUuRU6A"
LATEST = (
    ("metadata.version", 33),
    ("eligible.leader.replicas.version", 1),
    ("group.version", 1),
    ("share.version", 2),
    ("streams.version", 1),
    ("transaction.version", 2),
)
CHECKPOINT = "00000000000000000000-0000000000.checkpoint"
Requests = Callable[..., FormatRequest]


@pytest.fixture
def request_of(tmp_path: Path) -> Requests:
    """Return a function that makes a request for a node with directories below the test's own."""

    def make(role: str = "controller", directories: str = "a", static: bool = False, **more: Any) -> FormatRequest:
        metadata = more.pop("metadata", None)
        quorum = "voters" if static else "bootstrap.servers"
        listeners = {
            "broker": "PLAINTEXT://:1",
            "controller": "CONTROLLER://c:9093",
            "broker,controller": "CONTROLLER://c:9093,PLAINTEXT://:1",
        }
        settings = {
            "process.roles": role,
            "node.id": "3000",
            "log.dirs": ",".join(str(tmp_path / name) for name in directories.split(",")),
            "controller.listener.names": "CONTROLLER",
            "listeners": listeners[role],
            f"controller.quorum.{quorum}": "3000@c:9093" if static else "c:9093",
        }
        if metadata:
            settings["metadata.log.dir"] = str(tmp_path / metadata)
        return FormatRequest(server=parse_server_properties(settings), cluster_id=CLUSTER, **more)

    return make


def formatted(request: FormatRequest, seed: int = 1) -> Any:
    """Format with a seeded source."""
    return format_storage(request, random.Random(seed), 1_795_290_269_318)


def files(directory: Path) -> dict[str, bytes]:
    """Return every file below a directory."""
    return {str(p.relative_to(directory)): p.read_bytes() for p in sorted(directory.rglob("*")) if p.is_file()}


def features(records: Any) -> tuple[tuple[str, int], ...]:
    """Return names and levels of feature records."""
    return tuple((record.data["name"], record.data["featureLevel"]) for record in records)


def controls(path: Path) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the control records of a checkpoint but for header and footer."""
    records = [record for batch in read_snapshot(path).batches for record in batch.records]
    found = [(record.type, record.data) for record in records if isinstance(record, ControlRecord)]
    assert (found[0][0], found[-1][0]) == ("SnapshotHeader", "SnapshotFooter")
    return found[1:-1]


def test_standalone(request_of: Requests, tmp_path: Path) -> None:
    """A controller alone: its directory id is the voter's, the checkpoint says kraft.version 1, voters, features."""
    report = formatted(request_of(standalone=True))
    identity = read_meta_properties(tmp_path / "a")
    assert identity is not None
    assert (identity.version, identity.cluster_id, identity.node_id) == (1, CLUSTER, 3000)
    assert [one.kind for one in report.formatted] == ["dynamic metadata voter directory"]
    (version, kraft), (kind, voters) = controls(tmp_path / "a" / "__cluster_metadata-0" / CHECKPOINT)
    assert (version, kraft["kRaftVersion"], kind) == ("KRaftVersion", 1, "KRaftVoters")
    assert [voter["voterDirectoryId"] for voter in voters["voters"]] == [identity.directory_id]
    records, source = read_bootstrap(tmp_path / "a")
    assert features(records) == LATEST
    assert source.endswith(CHECKPOINT)
    assert records == report.records


def test_one_seed_is_one_format(request_of: Requests, tmp_path: Path) -> None:
    """With the same source and time the same bytes are written."""
    one = files_after(tmp_path / "one", request_of)
    assert one == files_after(tmp_path / "two", request_of)
    assert len(one) == 3


def files_after(directory: Path, request_of: Requests) -> dict[str, bytes]:
    """Format directories below one, and return all that is there then."""
    request = request_of("broker,controller", standalone=True)
    paths = (str(directory / "a"), str(directory / "b"))
    server = replace(request.server, log_directories=paths, metadata_directory=paths[0])
    formatted(replace(request, server=server))
    return files(directory)


def test_initial_controllers(request_of: Requests, tmp_path: Path) -> None:
    """A voter takes its own directory id of the list; a controller that is not in it gets a new one."""
    formatted(request_of(initial_controllers=f"3001@h:1:{OTHER},3000@h:1:{ID}"))
    formatted(request_of(directories="b", initial_controllers=f"3001@h:1:{OTHER}"))
    voter, other = (read_meta_properties(tmp_path / name) for name in "ab")
    assert voter is not None
    assert other is not None
    assert voter.directory_id == ID
    assert other.directory_id not in (ID, OTHER, None)
    assert [kind for kind, _ in controls(tmp_path / "b" / "__cluster_metadata-0" / CHECKPOINT)] == [
        "KRaftVersion",
        "KRaftVoters",
    ]


def test_no_initial_controllers(request_of: Requests, tmp_path: Path) -> None:
    """A controller that joins later knows kraft.version 1 and no voters; with static voters it knows neither."""
    formatted(request_of(no_initial_controllers=True))
    assert [kind for kind, _ in controls(tmp_path / "a" / "__cluster_metadata-0" / CHECKPOINT)] == ["KRaftVersion"]
    report = formatted(request_of(directories="b", static=True, no_initial_controllers=True))
    assert controls(tmp_path / "b" / "__cluster_metadata-0" / CHECKPOINT) == []
    assert [one.kind for one in report.formatted] == ["metadata directory"]


def test_a_broker_has_no_checkpoint(request_of: Requests, tmp_path: Path) -> None:
    """A broker's directories get their identity and nothing else; each its own id."""
    report = formatted(request_of("broker", "a,b"))
    assert list(files(tmp_path)) == ["a/meta.properties", "b/meta.properties"]
    assert [one.kind for one in report.formatted] == ["metadata directory", "data directory"]
    assert len({one.directory_id for one in report.formatted}) == 2


def test_a_metadata_directory_apart(request_of: Requests, tmp_path: Path) -> None:
    """The checkpoint lies in metadata.log.dir alone, and all directories are formatted."""
    formatted(request_of("broker,controller", "a,b", metadata="c", standalone=True))
    assert list(files(tmp_path)) == [
        "a/meta.properties",
        "b/meta.properties",
        f"c/__cluster_metadata-0/{CHECKPOINT}",
        "c/meta.properties",
    ]


@pytest.mark.parametrize(
    ("release", "levels"),
    [
        ("3.3", (("metadata.version", 7),)),
        ("3.7-IV2", (("metadata.version", 17),)),
        ("4.0", (("metadata.version", 25), ("group.version", 1), ("transaction.version", 2))),
        ("4.0-IV0", (("metadata.version", 22), ("group.version", 1))),
        ("4.3", (("metadata.version", 30), *LATEST[1:3], ("share.version", 1), *LATEST[4:])),
        ("4.4.0", LATEST),
    ],
)
def test_releases(request_of: Requests, release: str, levels: tuple[tuple[str, int], ...]) -> None:
    """Each release begins with its own features: metadata.version first, the others by name, none at level 0."""
    report = formatted(request_of(standalone=True, release=release_level(release)))
    assert features(report.records) == levels


def test_features(request_of: Requests) -> None:
    """A feature can be begun lower or left out; metadata.version can be given as one."""
    asked = {"metadata.version": 30, "group.version": 0, "transaction.version": 1}
    report = formatted(request_of(standalone=True, features=asked))
    assert features(report.records) == (
        ("metadata.version", 30),
        ("eligible.leader.replicas.version", 1),
        ("share.version", 1),
        ("streams.version", 1),
        ("transaction.version", 1),
    )


@each("release", ["3.3-IV2", "4.5", "4.5-IV0", "9.9", "", "4", "4.4-IV9", "latest"])
def test_a_release_that_is_none(release: str) -> None:
    """A release below the minimum, one to come, or a word is refused with the range."""
    with pytest.raises(StorageError, match=r"3\.3-IV3 to 4\.4-IV2"):
        release_level(release)


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({}, "give --standalone, --initial-controllers or --no-initial-controllers"),
    ({"standalone": True, "no_initial_controllers": True}, "exclude one another"),
    ({"standalone": True, "initial_controllers": f"3000@h:1:{ID}"}, "exclude one another"),
    ({"static": True, "standalone": True}, "--standalone is for a dynamic quorum"),
    ({"static": True, "initial_controllers": f"3000@h:1:{ID}"}, "--initial-controllers is for a dynamic quorum"),
    ({"role": "broker", "standalone": True}, "the node is no controller"),
    ({"static": True, "features": {"kraft.version": 1}}, "kraft.version=1 does not go"),
    ({"standalone": True, "features": {"kraft.version": 0}}, "kraft.version=0 does not go"),
    ({"standalone": True, "features": {"kraft.version": 2}}, "levels 0 to 1"),
    ({"standalone": True, "features": {"lamp.version": 1}}, "there is no such feature"),
    ({"standalone": True, "features": {"group.version": -1}}, "levels 0 to 1"),
    ({"standalone": True, "features": {"metadata.version": 34}}, "levels 7 to 33"),
    ({"standalone": True, "release": 30, "features": {"metadata.version": 30}}, "say the same thing"),
    ({"standalone": True, "release": 21, "features": {"eligible.leader.replicas.version": 1}}, "needs metadata.ver"),
    ({"standalone": True, "release": 8, "scram": ("SCRAM-SHA-256=[name=a,password=b]",)}, "needs metadata.version"),
    ({"standalone": True, "scram": ("nonsense",)}, "this is no credential"),
]


@pytest.mark.parametrize(("more", "part"), REFUSED)
def test_what_is_refused(request_of: Requests, tmp_path: Path, more: dict[str, Any], part: str) -> None:
    """A request that contradicts itself or the configuration is refused, and nothing is written."""
    with pytest.raises(StorageError) as refused:
        formatted(request_of(**more))
    assert part in str(refused.value)
    assert list(tmp_path.iterdir()) == []


def test_formatted_stays(request_of: Requests, tmp_path: Path) -> None:
    """What is formatted is refused; with --ignore-formatted it stays byte for byte and the others are formatted."""
    formatted(request_of("broker", "a"))
    before = files(tmp_path)
    with pytest.raises(StorageError, match="already formatted: give --ignore-formatted"):
        formatted(request_of("broker", "a,b"), seed=2)
    assert files(tmp_path) == before
    report = formatted(request_of("broker", "a,b", ignore_formatted=True), seed=2)
    after = files(tmp_path)
    assert {name: after[name] for name in before} == before
    assert ([Path(one.path).name for one in report.formatted], report.skipped) == (["b"], (str(tmp_path / "a"),))
    again = formatted(request_of("broker", "a,b", ignore_formatted=True), seed=3)
    assert again.formatted == ()
    assert files(tmp_path) == after


@pytest.mark.parametrize("ignore", [False, True])
def test_another_cluster_or_node(request_of: Requests, tmp_path: Path, ignore: bool) -> None:
    """A directory of another cluster or node is never taken, and no other directory is formatted beside it."""
    formatted(request_of("broker", "a"))
    before = files(tmp_path)
    request = request_of("broker", "a,b", ignore_formatted=ignore)
    for changed, part in (
        (replace(request, cluster_id=OTHER), "belongs to cluster"),
        (replace(request, server=replace(request.server, node_id=7)), "belongs to node 3000, not to node 7"),
    ):
        with pytest.raises(StorageError, match=part):
            formatted(changed)
    assert files(tmp_path) == before


def test_an_unreadable_directory_is_left_out(request_of: Requests, tmp_path: Path) -> None:
    """A data directory whose file cannot be believed is left as it is, others are formatted; alone it is refused."""
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "meta.properties").write_text("version=9\n")
    with pytest.raises(StorageError, match="version=9"):
        formatted(request_of("broker", "b"))
    report = formatted(request_of("broker", "a,b"))
    assert list(report.failed) == [str(tmp_path / "b")]
    assert (tmp_path / "b" / "meta.properties").read_text() == "version=9\n"
    assert load_ensemble([str(tmp_path / "a")]).formatted


def test_a_log_without_identity_is_not_overwritten(request_of: Requests, tmp_path: Path) -> None:
    """A metadata log whose meta.properties was lost is refused: a checkpoint beside it would be a second beginning."""
    log = tmp_path / "a" / "__cluster_metadata-0"
    log.mkdir(parents=True)
    (log / "00000000000000000000.log").write_bytes(b"x")
    before = files(tmp_path)
    with pytest.raises(StorageError, match=r"a metadata log lies here \(00000000000000000000\.log\)"):
        formatted(request_of(standalone=True))
    assert files(tmp_path) == before


def test_formatting_that_was_cut_off_is_done_again(request_of: Requests, tmp_path: Path) -> None:
    """A checkpoint without meta.properties is what a cut format leaves, and is written anew, as Kafka does."""
    formatted(request_of(standalone=True))
    (tmp_path / "a" / "meta.properties").unlink()
    formatted(request_of(standalone=True), seed=2)
    identity = read_meta_properties(tmp_path / "a")
    (_, _), (_, voters) = controls(tmp_path / "a" / "__cluster_metadata-0" / CHECKPOINT)
    assert identity is not None
    assert voters["voters"][0]["voterDirectoryId"] == identity.directory_id


def test_a_file_in_a_directorys_place(request_of: Requests, tmp_path: Path) -> None:
    """A name that is a file's is left out as unreadable, alone it is refused; the file stays."""
    (tmp_path / "b").write_text("x")
    with pytest.raises(StorageError, match="cannot be read"):
        formatted(request_of("broker", "b"))
    assert list(formatted(request_of("broker", "a,b")).failed) == [str(tmp_path / "b")]
    assert (tmp_path / "b").read_text() == "x"


def test_identity_of_a_node() -> None:
    """The names in the file are those of Kafka's version 1."""
    assert list(MetaProperties(1, CLUSTER, 3, ID).pairs()) == ["node.id", "directory.id", "version", "cluster.id"]
