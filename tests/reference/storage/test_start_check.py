"""What keeps a node from starting, and what `info` tells of it; as Kafka 4.4.0 behaved when it was tried."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from fencepost.reference.kraft.storage import (
    Ensemble,
    MetaProperties,
    StorageError,
    check_start,
    check_start_on_disk,
    parse_server_properties,
    storage_info,
    write_meta_properties,
)
from fencepost.reference.kraft.storage.uuids import uuid_text
from tests.cases import each

A = MetaProperties(1, "cluster", 3, uuid_text(1 << 100))
B = MetaProperties(1, "cluster", 3, uuid_text(2 << 100))


def ensemble(*empty: str, failed: Mapping[str, str] | None = None, **formatted: MetaProperties) -> Ensemble:
    """Return directories by their names; the metadata directory is `a`."""
    return Ensemble(formatted, empty, failed or {}, "a")


def other(base: MetaProperties, **changed: object) -> MetaProperties:
    """Return a file with something changed."""
    import dataclasses

    return dataclasses.replace(base, **changed)  # type: ignore[arg-type]


def test_a_node_that_may_start() -> None:
    """Directories of one cluster and node let it start, and say the cluster; so does an old one without an id."""
    assert check_start(ensemble(a=A, b=B), node_id=3) == "cluster"
    assert check_start(ensemble(a=A, b=other(B, directory_id=None)), node_id=3, cluster_id="cluster") == "cluster"
    assert check_start(ensemble(a=other(A, version=0), b=other(B, version=0, cluster_id=None)), node_id=3) == "cluster"


def test_a_data_directory_that_cannot_be_read() -> None:
    """It is no reason not to start: the node goes on with that directory offline."""
    assert check_start(ensemble(a=A, failed={"b": "b: broken"}), node_id=3) == "cluster"


@each(
    ("found", "part"),
    [
        (ensemble("a", "b"), "a, b: not formatted"),
        (ensemble("b", a=A), "b: not formatted, as others of this node are"),
        (ensemble("a", b=B), "a: not formatted, as others of this node are"),
        (ensemble(failed={"a": "a: broken"}), "a: broken"),
        (ensemble(b=B, failed={"a": "a: broken"}), "a: broken (it is the metadata log directory"),
        (ensemble(a=A, b=other(B, node_id=4)), "b/meta.properties: the directory belongs to node 4, not to node 3"),
        (ensemble(a=other(A, node_id=4)), "a/meta.properties: the directory belongs to node 4, not to node 3"),
        (ensemble(a=A, b=other(B, cluster_id="x")), "b/meta.properties: the directory belongs to cluster x, not to"),
        (ensemble(a=A, b=A), f"b/meta.properties: directory.id {A.directory_id} is that of a too"),
        (ensemble(a=other(A, directory_id=uuid_text(2))), "a/meta.properties: directory.id AAAAAAAAAAAAAAAAAAAAAg is"),
        (ensemble(a=other(A, version=0, cluster_id=None)), "no directory says the cluster id"),
    ],
)
def test_a_node_that_must_not_start(found: Ensemble, part: str) -> None:
    """What does not fit keeps a node from starting, and the sentence says where."""
    with pytest.raises(StorageError) as refused:
        check_start(found, node_id=3)
    assert str(refused.value).startswith(part)


def test_another_cluster() -> None:
    """A directory of another cluster is refused where the cluster is known."""
    with pytest.raises(StorageError, match="belongs to cluster cluster, not to other"):
        check_start(ensemble(a=A), node_id=3, cluster_id="other")


def test_a_metadata_log_elsewhere() -> None:
    """A metadata log outside the metadata directory is refused; in it, it is where it belongs."""
    assert check_start(ensemble(a=A, b=B), node_id=3, has_metadata_log=lambda name: name == "a") == "cluster"
    with pytest.raises(StorageError, match="b/__cluster_metadata-0: a metadata log lies outside"):
        check_start(ensemble(a=A, b=B), node_id=3, has_metadata_log=lambda name: name == "b")


@pytest.fixture
def node(tmp_path: Path) -> Path:
    """Return a folder with the formatted directories of a node."""
    for name, properties in (("a", A), ("b", B)):
        (tmp_path / name).mkdir()
        write_meta_properties(tmp_path / name, properties, 0)
    return tmp_path


def told(node: Path, node_id: int = 3) -> tuple[list[str], str | None]:
    """Return the problems of the node's directories, and why a start would be refused."""
    settings = {
        "process.roles": "controller",
        "node.id": str(node_id),
        "log.dirs": f"{node / 'a'},{node / 'b'}",
        "controller.listener.names": "C",
        "listeners": "C://:1",
        "controller.quorum.bootstrap.servers": "x:1",
    }
    info = storage_info(parse_server_properties(settings))
    return [problem.replace(f"{node}/", "") for problem in info.problems], info.refusal


def test_on_the_disk(node: Path) -> None:
    """The same check reads directories, and sees a log that lies in the wrong one."""
    paths = (str(node / "a"), str(node / "b"))
    assert check_start_on_disk(paths, paths[0], node_id=3) == "cluster"
    (node / "b" / "__cluster_metadata-0").mkdir()
    with pytest.raises(StorageError, match="lies outside"):
        check_start_on_disk(paths, paths[0], node_id=3)


def test_info(node: Path) -> None:
    """What fits has no problem; a problem that Kafka's info does not see is refused at the start."""
    assert told(node) == ([], None)
    problems, refusal = told(node, node_id=4)
    assert problems == []
    assert "belongs to node 3, not to node 4" in str(refusal)
    write_meta_properties(node / "b", A, 0)
    problems, refusal = told(node)
    assert problems == []
    assert "is that of" in str(refusal)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("version=1\nnode.id=3\ncluster.id=x\n", "b belongs to another cluster than a: x"),
        ("version=1\nnode.id=9\ncluster.id=cluster\n", "b belongs to another node than a: 9"),
        ("version=9\n", "b/meta.properties cannot be used: version=9: versions 0 and 1 are known"),
        (None, "b is not formatted"),
    ],
)
def test_problems(node: Path, text: str | None, problem: str) -> None:
    """Directories that disagree, that cannot be believed or are not formatted are problems."""
    (node / "b" / "meta.properties").unlink()
    if text is not None:
        (node / "b" / "meta.properties").write_text(text)
    problems, _ = told(node)
    assert len(problems) == 1
    assert problems[0].startswith(problem)


def test_missing_directories(node: Path) -> None:
    """A directory that is not there and a file in its place are problems."""
    (node / "b" / "meta.properties").unlink()
    (node / "b").rmdir()
    assert told(node)[0] == ["b does not exist"]
    (node / "b").write_text("x")
    assert told(node)[0] == ["b is not a directory"]


def test_directories_of_zookeepers_age(node: Path) -> None:
    """Version 0 is no node of KRaft."""
    for name in "ab":
        (node / name / "meta.properties").write_text("broker.id=3\n")
    problems, _ = told(node)
    assert problems == ["the configuration is for KRaft, and the directories are formatted for ZooKeeper (version 0)"]
