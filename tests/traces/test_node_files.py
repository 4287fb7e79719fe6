"""The small files beside a metadata log: whose it is, in which epoch, where epochs begin."""

from pathlib import Path

import pytest

from fencepost.traces import TraceError
from fencepost.traces.brokers import EpochEntry
from fencepost.traces.node_files import NodeFiles, read_node_files


def test_a_log_without_any(tmp_path: Path) -> None:
    """A copied log has often none of them: nothing is known then, of a directory and of a file."""
    assert read_node_files(str(tmp_path)) == NodeFiles()
    file = tmp_path / "00000000000000000000.log"
    file.write_bytes(b"")
    assert read_node_files(str(file)) == NodeFiles()


@pytest.mark.parametrize("name", ["quorum-state", "quorum-state.json"])
def test_all_of_them(tmp_path: Path, name: str) -> None:
    """meta.properties lies in the directory above the log, the others beside it."""
    log = tmp_path / "__cluster_metadata-0"
    log.mkdir()
    (tmp_path / "meta.properties").write_text("#\nnode.id=3000\nversion=1\ncluster.id=abc\n")
    (log / name).write_text('{"leaderId":3002,"leaderEpoch":12,"votedId":-1,"data_version":1}')
    (log / "leader-epoch-checkpoint").write_text("0\n2\n1 0\n2 40\n")
    epochs = (EpochEntry(1, 0), EpochEntry(2, 40))
    assert read_node_files(str(log)) == NodeFiles("abc", 3000, 12, epochs)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("quorum-state", "{}"),
        ("quorum-state", '{"leaderEpoch":"12"}'),
        ("quorum-state", "no json"),
        ("meta.properties", "node.id=many\n"),
        ("leader-epoch-checkpoint", "0\n2\n1 0\n"),
    ],
)
def test_a_damaged_file_raises(tmp_path: Path, name: str, text: str) -> None:
    """The complaint names the file."""
    (tmp_path / name).write_text(text)
    with pytest.raises(TraceError, match=name):
        read_node_files(str(tmp_path))
