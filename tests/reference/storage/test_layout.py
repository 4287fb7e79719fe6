"""A controller's disk: what is written is read back, and lies there as Kafka itself lays it out."""

import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fencepost.reference.kraft.raft.client import CommittedBatch, LoadedSnapshot
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.storage import MetaProperties, StorageError, parse_voters, voters_record
from fencepost.reference.kraft.storage.layout import ControllerDisk, read_controller, write_controller
from fencepost.reference.kraft.storage.quorum_state import QuorumState, parse_quorum_state
from fencepost.traces import read_log
from tests.cases import each, examples

KAFKA = Path(__file__).parent / "recorded" / "controller-4.4.0"
IDENTITY = MetaProperties(1, "MkU3OEVBNTcwNTJENDM2Qg", 3000, "JEXY6aqzQY-32P5TStzaFg")
ONE_VOTER = voters_record(parse_voters("3000@c:9093:JEXY6aqzQY-32P5TStzaFg"), "CONTROLLER")

MESSAGES = st.one_of(
    st.just(Message("NO_OP_RECORD", 0, {})),
    st.builds(
        lambda name, topic: Message("TOPIC_RECORD", 0, {"name": name, "topicId": topic}),
        st.text(max_size=8),
        st.sampled_from(["JEXY6aqzQY-32P5TStzaFg", "MvDxzVmcRsaTz33bUuRU6A"]),
    ),
    st.builds(
        lambda name, level: Message("FEATURE_LEVEL_RECORD", 0, {"name": name, "featureLevel": level}),
        st.text(max_size=8),
        st.integers(0, 40),
    ),
)
CONTROLS = st.builds(
    lambda leader: ("LeaderChange", {"version": 0, "leaderId": leader, "voters": [], "grantingVoters": []}),
    st.integers(0, 9),
)
SNAPSHOT_RECORDS = st.lists(MESSAGES, max_size=3).map(tuple)


@st.composite
def disks(draw: st.DrawFn) -> ControllerDisk:
    """Disks with a log of a few batches in rising epochs and times, control batches among them, and snapshots."""
    offset = draw(st.integers(0, 1000))
    epoch, now = draw(st.integers(1, 5)), draw(st.integers(0, 2**40))
    batches = []
    for _ in range(draw(st.integers(0, 8))):
        control = tuple(draw(st.lists(CONTROLS, max_size=2)))
        records = () if control else tuple(draw(st.lists(MESSAGES, min_size=1, max_size=4)))
        epoch += 1 if control else 0
        now += draw(st.integers(0, 1000))
        last = offset + len(control) + len(records) - 1
        batches.append(CommittedBatch(offset, last, epoch, now, records, control))
        offset = last + 1
    version = draw(st.integers(0, 1))
    ends = sorted(draw(st.sets(st.integers(0, offset), max_size=3)))
    if not batches and not ends:
        ends = [0]
    snapshots = [LoadedSnapshot(end, 1 if end else 0, draw(SNAPSHOT_RECORDS), now, now) for end in ends]
    return ControllerDisk(
        properties=IDENTITY,
        quorum_state=QuorumState(-1, epoch, 3, kraft_version=version, voters=() if version else (3, 4)),
        batches=batches,
        snapshots=snapshots,
        kraft_version=version if snapshots else 0,
        voters=ONE_VOTER if version and snapshots else None,
    )


def plain(disk: ControllerDisk) -> tuple[object, ...]:
    """Return the content of a disk as values that can be compared (batches are compared by identity)."""
    return (
        disk.properties,
        disk.quorum_state,
        [(b.base_offset, b.last_offset, b.epoch, b.timestamp_ms, b.records, b.control) for b in disk.batches],
        [
            (s.end_offset, s.epoch, s.records, s.timestamp_ms, s.last_contained_timestamp_ms)
            for s in sorted(disk.snapshots, key=lambda s: (s.end_offset, s.epoch))
        ],
        disk.kraft_version,
        disk.voters,
    )


@settings(max_examples=examples(60), deadline=None)
@given(disk=disks(), segment_bytes=st.integers(1, 600))
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, disk: ControllerDisk, segment_bytes: int
) -> None:
    """Batches, snapshots, quorum state and identity come back, whatever the size of segments."""
    directory = tmp_path_factory.mktemp("disk")
    write_controller(disk, directory, written_ms=0, segment_bytes=segment_bytes)
    assert plain(read_controller(directory)) == plain(disk)


@settings(max_examples=examples(30), deadline=None)
@given(disk=disks(), segment_bytes=st.integers(1, 600))
def test_segments(tmp_path_factory: pytest.TempPathFactory, disk: ControllerDisk, segment_bytes: int) -> None:
    """A segment is named by its first offset and is no larger than asked, unless one batch alone is."""
    directory = tmp_path_factory.mktemp("disk")
    log = read_log(write_controller(disk, directory, written_ms=0, segment_bytes=segment_bytes))
    assert log.segments[0].base_offset == disk.start
    for segment, batches in itertools.groupby(log.batches, key=lambda batch: batch.segment):
        held = list(batches)
        assert segment == f"{held[0].base_offset:020d}.log"
        assert len(held) == 1 or sum(batch.size for batch in held) <= segment_bytes


def test_kafkas_own_directory(tmp_path: Path) -> None:
    """A directory that a controller of Kafka 4.4.0 left is written again byte for byte, but for its checkpoint's times.

    Segments end where Kafka ended them; offset and time indexes, producers' states, epochs, topic id and quorum state
    are Kafka's bytes.
    """
    disk = read_controller(KAFKA)
    write_controller(disk, tmp_path, written_ms=0, segment_bytes=15_000)
    ours, kafkas = tmp_path / "__cluster_metadata-0", KAFKA / "__cluster_metadata-0"
    names = sorted(path.name for path in kafkas.iterdir())
    assert sorted(path.name for path in ours.iterdir()) == names
    assert len([name for name in names if name.endswith(".log")]) == 2
    differing = [name for name in names if (ours / name).read_bytes() != (kafkas / name).read_bytes()]
    assert differing == ["00000000000000000000-0000000000.checkpoint"]


def test_a_log_is_not_mixed_with_another(tmp_path: Path) -> None:
    """Where a log lies nothing is written."""
    disk = read_controller(KAFKA)
    write_controller(disk, tmp_path, written_ms=0)
    before = {path.name: path.read_bytes() for path in (tmp_path / "__cluster_metadata-0").iterdir()}
    with pytest.raises(StorageError, match="a log lies here already"):
        write_controller(disk, tmp_path, written_ms=1)
    assert {path.name: path.read_bytes() for path in (tmp_path / "__cluster_metadata-0").iterdir()} == before


def test_what_is_no_controllers_directory(tmp_path: Path) -> None:
    """An unformatted directory, and a damaged log, are refused by name."""
    with pytest.raises(StorageError, match="not formatted"):
        read_controller(tmp_path)
    log = write_controller(read_controller(KAFKA), tmp_path, written_ms=0) / "00000000000000000000.log"
    damaged = bytearray(log.read_bytes())
    damaged[5000] ^= 1
    log.write_bytes(bytes(damaged))
    with pytest.raises(StorageError, match=r"00000000000000000000\.log: bytes \d+ to \d+ are unreadable"):
        read_controller(tmp_path)


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (
            '{"clusterId":"","leaderId":3002,"leaderEpoch":12,"votedId":-1,"appliedOffset":0,"currentVoters":'
            '[{"voterId":3000},{"voterId":3001},{"voterId":3002}],"data_version":0}',
            QuorumState(3002, 12, kraft_version=0, voters=(3000, 3001, 3002)),
        ),
        (
            '{"leaderId":3001,"leaderEpoch":1,"votedId":-1,"votedDirectoryId":"AAAAAAAAAAAAAAAAAAAAAA",'
            '"data_version":1}',
            QuorumState(3001, 1),
        ),
        (
            '{"leaderId":-1,"leaderEpoch":7,"votedId":3,"votedDirectoryId":"JEXY6aqzQY-32P5TStzaFg","data_version":1}',
            QuorumState(-1, 7, 3, "JEXY6aqzQY-32P5TStzaFg"),
        ),
    ],
)
def test_quorum_state(text: str, state: QuorumState) -> None:
    """A recorded quorum-state, of both versions, is read and written again to the byte."""
    assert parse_quorum_state(text) == state
    assert state.text() == text


@each("text", ["", "{}", "[]", '{"data_version":7}', "null"])
def test_what_is_no_quorum_state(text: str) -> None:
    """Another text is refused."""
    with pytest.raises(StorageError):
        parse_quorum_state(text)
