"""Logs found and read from files, directories, globs, gzip and URIs."""

import gzip
import pickle
import shutil
from pathlib import Path

import pytest

from fencepost.traces import TraceError, find_log, find_logs, iterate_log, read_log, read_snapshot
from fencepost.traces.storage import base_name, join

RECORDED = Path(__file__).resolve().parents[2] / "traces" / "recorded"
SNAPSHOTS = RECORDED / "snapshots"
SEGMENT = "00000000000000000000.log"
CHECKPOINT = "00000000000000000086-0000000001.checkpoint"
ADVICE = "give a __cluster_metadata-0 directory, its .log or .checkpoint files, or kafka-dump-log text"


def test_single_segment() -> None:
    """A segment file alone is a log of one segment."""
    log = read_log(SNAPSHOTS / "00000000000000000241.log")
    assert [(segment.name, segment.base_offset) for segment in log.segments] == [("00000000000000000241.log", 241)]
    assert log.batches[0].base_offset == 241
    assert log.snapshots == ()


def test_single_checkpoint() -> None:
    """A checkpoint file alone is a log of one snapshot and no batch."""
    log = read_log(SNAPSHOTS / CHECKPOINT)
    assert (log.batches, len(log.snapshots)) == ((), 1)
    assert read_snapshot(SNAPSHOTS / CHECKPOINT) == log.snapshots[0]
    assert (log.snapshots[0].end_offset, log.snapshots[0].epoch, log.snapshots[0].is_complete) == (86, 1, True)


def test_bootstrap_checkpoint(tmp_path: Path) -> None:
    """A bootstrap.checkpoint counts as the snapshot of end offset 0 and epoch 0."""
    shutil.copy(SNAPSHOTS / "00000000000000000000-0000000000.checkpoint", tmp_path / "bootstrap.checkpoint")
    snapshot = read_log(tmp_path / "bootstrap.checkpoint").snapshots[0]
    assert (snapshot.end_offset, snapshot.epoch, snapshot.segment) == (0, 0, "bootstrap.checkpoint")


def test_a_data_directory_stands_for_the_log_below_it(tmp_path: Path) -> None:
    """Beside bootstrap.checkpoint, which is no log, __cluster_metadata-0 is found, from any directory above."""
    data = tmp_path / "nodes" / "data"
    shutil.copytree(SNAPSHOTS, data / "__cluster_metadata-0")
    shutil.copy(SNAPSHOTS / "00000000000000000000-0000000000.checkpoint", data / "bootstrap.checkpoint")
    for above in (data, tmp_path):
        assert [one.path for one in find_logs([above])] == [str(data / "__cluster_metadata-0")]
    shutil.rmtree(data / "__cluster_metadata-0")
    with pytest.raises(TraceError, match="no metadata log lies in or below this directory"):
        find_log(data)


def test_unfinished_snapshot_is_told(tmp_path: Path) -> None:
    """A checkpoint that lacks its footer batch is read and is not complete."""
    whole = read_snapshot(SNAPSHOTS / CHECKPOINT)
    data = (SNAPSHOTS / CHECKPOINT).read_bytes()
    (tmp_path / CHECKPOINT).write_bytes(data[: whole.batches[-1].position])
    assert not read_snapshot(tmp_path / CHECKPOINT).is_complete


def test_gzip_changes_nothing(tmp_path: Path) -> None:
    """Gzipped segments, checkpoints and dumps give what the plain ones give, and count once beside them."""
    for path in SNAPSHOTS.iterdir():
        if path.suffix in (".log", ".checkpoint"):
            (tmp_path / f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
    shutil.copy(SNAPSHOTS / SEGMENT, tmp_path / SEGMENT)
    plain, packed = read_log(SNAPSHOTS), read_log(tmp_path)
    assert (packed.batches, packed.snapshots, packed.segments) == (plain.batches, plain.snapshots, plain.segments)
    text = tmp_path / "text"
    text.write_bytes(gzip.decompress((SNAPSHOTS / "dump.txt.gz").read_bytes()))
    assert read_log(text).batches == plain.batches


def test_other_files_are_ignored(tmp_path: Path) -> None:
    """Unfinished and deleted files, indexes and the checkpoint of epochs are not read; the first two are noted."""
    shutil.copy(SNAPSHOTS / SEGMENT, tmp_path / SEGMENT)
    for name in (
        "00000000000000000086-0000000001.checkpoint.part",
        "00000000000000000086-0000000001.checkpoint.deleted",
        "00000000000000000000.log.deleted",
        "00000000000000000000.index",
        "00000000000000000000.timeindex",
        "leader-epoch-checkpoint",
        "quorum-state",
        "partition.metadata",
        "dump.txt",
    ):
        (tmp_path / name).write_bytes(b"not a batch")
    source = find_log(tmp_path)
    assert (source.segments, source.snapshots) == ((str(tmp_path / SEGMENT),), ())
    log = read_log(tmp_path)
    assert log.quarantined == ()
    assert log.notes == (
        "00000000000000000000.log.deleted is a deleted segment: it was not read.",
        "00000000000000000086-0000000001.checkpoint.deleted is a deleted snapshot: it was not read.",
        "00000000000000000086-0000000001.checkpoint.part is an unfinished snapshot: it was not read.",
    )


def test_directory_with_a_dump_alone(tmp_path: Path) -> None:
    """A directory that holds only a dump is read from the text."""
    shutil.copy(SNAPSHOTS / "dump.txt.gz", tmp_path)
    log = read_log(tmp_path)
    assert log.source == "dump"
    assert log.batches == read_log(SNAPSHOTS).batches


def test_directories_of_logs() -> None:
    """A log directory is one log, nested ones left out; a directory above stands for all below, at any depth."""
    assert [source.path for source in find_logs([RECORDED / "controller-failover"])] == [
        str(RECORDED / "controller-failover")
    ]
    below = find_logs([RECORDED / "controller-failover" / "others"])
    assert [Path(source.path).name for source in below] == [
        "controller-3000",
        "controller-3001",
        "saved-noquorum-3002",
        "saved-round0-3001",
        "saved-round1-3000",
        "saved-round2-3002",
        "saved-round3-3001",
        "saved-round4-3002",
        "saved-round5-3001",
    ]


def test_neighbours_of_the_metadata_directory_are_left_out(tmp_path: Path) -> None:
    """Beside __cluster_metadata-0 lie partitions of other topics with files of the same names: they are no logs."""
    for name in ("__cluster_metadata-0", "orders-0"):
        (tmp_path / "data" / name).mkdir(parents=True)
        shutil.copy(SNAPSHOTS / SEGMENT, tmp_path / "data" / name)
    assert [source.path for source in find_logs([tmp_path])] == [str(tmp_path / "data" / "__cluster_metadata-0")]


def test_another_disk_of_a_node_has_no_metadata_log(tmp_path: Path) -> None:
    """A directory with meta.properties and no __cluster_metadata-0 has partitions of other topics alone."""
    for disk, name in (("one", "__cluster_metadata-0"), ("two", "orders-0")):
        (tmp_path / disk / name).mkdir(parents=True)
        shutil.copy(SNAPSHOTS / SEGMENT, tmp_path / disk / name)
        (tmp_path / disk / "meta.properties").write_text("version=1\nnode.id=1\n")
    assert [source.path for source in find_logs([tmp_path])] == [str(tmp_path / "one" / "__cluster_metadata-0")]
    with pytest.raises(TraceError, match="no metadata log lies in or below this directory"):
        find_logs([tmp_path / "two"])


def test_globs_and_repetitions() -> None:
    """A glob gives its matches in order, and what is named twice is one log."""
    pattern = str(RECORDED / "elr-*")
    names = [Path(source.path).name for source in find_logs([pattern, RECORDED / "elr-index-fault-4.4.0"])]
    assert names == ["elr-directory-fault-4.4.0", "elr-index-fault-4.4.0"]


def test_uris_give_what_paths_give() -> None:
    """A file:// URI, through pyarrow's filesystems, gives the same log as the path, as directory, file and glob."""
    root = RECORDED.resolve().as_uri()
    assert read_log(f"{root}/snapshots").batches == read_log(SNAPSHOTS).batches
    assert read_log(f"{root}/snapshots").snapshots == read_log(SNAPSHOTS).snapshots
    assert read_log(f"{root}/snapshots/dump.txt.gz").batches == read_log(SNAPSHOTS).batches
    assert [source.path for source in find_logs([f"{root}/elr-*"])] == [
        f"{root}/elr-directory-fault-4.4.0",
        f"{root}/elr-index-fault-4.4.0",
    ]
    assert len(find_logs([root])) == len(find_logs([RECORDED]))


def test_options_of_a_uri_stay_at_its_end() -> None:
    """A name is put before the options of a URI, and they are no part of a file's name."""
    assert join("s3://bucket/logs/?region=eu-north-1", SEGMENT) == f"s3://bucket/logs/{SEGMENT}?region=eu-north-1"
    assert base_name(f"s3://bucket/logs/{SEGMENT}?region=eu-north-1") == SEGMENT


def test_sources_travel() -> None:
    """What find_logs gives can be pickled and read elsewhere."""
    source = pickle.loads(pickle.dumps(find_log(SNAPSHOTS)))
    assert tuple(iterate_log(source)) == read_log(SNAPSHOTS).batches


def test_damaged_segment_beside_sound_ones(tmp_path: Path) -> None:
    """A segment that holds no batch at all is quarantined where the others show that this is a metadata log."""
    for name in (SEGMENT, "00000000000000000241.log"):
        shutil.copy(SNAPSHOTS / name, tmp_path / name)
    (tmp_path / "00000000000000000523.log").write_bytes(b"\xff" * 500)
    log = read_log(tmp_path)
    assert [(each.segment, each.start, each.end) for each in log.quarantined] == [("00000000000000000523.log", 0, 500)]
    assert log.batches[-1].last_offset == 522


def test_empty_segment_is_a_log(tmp_path: Path) -> None:
    """A segment of no bytes, or of zero bytes only, is a log of no batch."""
    (tmp_path / SEGMENT).write_bytes(b"")
    assert read_log(tmp_path).batches == ()
    (tmp_path / SEGMENT).write_bytes(bytes(1000))
    assert [zeros.end for zeros in read_log(tmp_path).trailing_zeros] == [1000]


def test_missing_path(tmp_path: Path) -> None:
    """A path, a glob or a URI that names nothing is refused."""
    missing = tmp_path / "nowhere"
    with pytest.raises(TraceError) as caught:
        read_log(missing)
    assert str(caught.value) == f"{missing}: there is no such file or directory: {ADVICE}"
    with pytest.raises(TraceError) as caught:
        find_logs([f"{missing}/*.log"])
    assert str(caught.value) == f"{missing}/*.log: no file or directory matches: check the pattern, or {ADVICE}"
    with pytest.raises(TraceError) as caught:
        read_log(missing.as_uri())
    assert str(caught.value) == f"{missing.as_uri()}: there is no such file or directory: {ADVICE}"


def test_empty_directory(tmp_path: Path) -> None:
    """A directory without a log in or below it is refused."""
    with pytest.raises(TraceError) as caught:
        read_log(tmp_path)
    assert str(caught.value) == f"{tmp_path}: no metadata log lies in or below this directory: {ADVICE}"


def test_several_logs_are_not_one() -> None:
    """A directory above several logs is not read as one; two of them are named."""
    with pytest.raises(TraceError) as caught:
        read_log(RECORDED)
    first, second = (one.path for one in find_logs([RECORDED])[:2])
    sentence = f"{RECORDED}: 41 logs lie below this directory: name one, such as {first}, {second}"
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(80), "the batch format here is 0, and only this is read: format 2"),
        (
            bytes(10) + b"\1\0" + bytes(4) + b"\1" + bytes(80),
            "the batch format here is 1, and only this is read: format 2",
        ),
    ],
)
def test_other_binary_files(tmp_path: Path, data: bytes, reason: str) -> None:
    """A binary file that holds no batch of format 2 is refused, read whole or lazily."""
    path = tmp_path / "thing.log"
    path.write_bytes(data)
    sentence = f"{path}: no Kafka record batch is in here (byte 0: {reason}): {ADVICE}"
    with pytest.raises(TraceError) as caught:
        read_log(path)
    assert str(caught.value) == sentence
    with pytest.raises(TraceError) as caught:
        list(iterate_log(path))
    assert str(caught.value) == sentence


def test_snapshot_must_be_one() -> None:
    """A segment is not read as a snapshot."""
    with pytest.raises(TraceError) as caught:
        read_snapshot(SNAPSHOTS / SEGMENT)
    assert str(caught.value) == f"{SNAPSHOTS / SEGMENT}: this is no snapshot: give a .checkpoint file"
