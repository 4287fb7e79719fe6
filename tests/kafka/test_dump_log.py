"""kafka-dump-log reads what we write without an error, and prints what our own dump prints."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from fencepost.checkers.bench.dump_log import POM
from fencepost.reference.kraft.simulation.written import write_controllers
from fencepost.reference.kraft.storage.layout import read_controller, write_controller
from fencepost.traces import dump_text, find_logs, read_log, write_log

from .conftest import DUMP_LOG, Tool
from .simulated import worked

ROOT = Path(__file__).resolve().parents[2]
KAFKA = ROOT / "tests" / "reference" / "storage" / "recorded" / "controller-4.4.0"
DumpLog = Callable[[Sequence[Path]], str]

pytestmark = pytest.mark.kafka


@pytest.mark.representative("0")
@pytest.mark.parametrize("part", range(4))
def test_recorded_logs_written_again(dump_log: DumpLog, tmp_path: Path, part: int) -> None:
    """Each recorded log of a quarter of all, written again from what was read, is dumped by Kafka as by us."""
    sources = find_logs([ROOT / "traces" / "recorded"])
    assert len(sources) > 30
    expected, paths = "", []
    for number, source in enumerate(sources[part::4]):
        log = read_log(source)
        directory = tmp_path / str(number)
        paths += sorted(write_log(log, directory))
        expected += dump_text(log, str(directory))
    assert dump_log(paths) == expected


def test_a_controllers_directory(dump_log: DumpLog, tmp_path: Path) -> None:
    """Segments and checkpoints that the layout writes, rolled small, are dumped by Kafka as by us."""
    disk = read_controller(KAFKA)
    directory = write_controller(disk, tmp_path, written_ms=0, segment_bytes=2_000)
    log = read_log(directory)
    assert len(log.segments) > 10
    paths = sorted([*directory.glob("*.log"), *directory.glob("*.checkpoint")])
    assert dump_log(paths) == dump_text(log, str(directory))


@pytest.mark.representative("1-brokers")
@pytest.mark.parametrize(("seed", "faults"), [(1, "brokers"), (2, "controllers,network"), (3, "all")])
def test_simulated_logs(dump_log: DumpLog, tmp_path: Path, seed: int, faults: str) -> None:
    """What a simulated cluster's controllers wrote under faults, Kafka dumps as we do, snapshots too."""
    cluster = worked(seed, controllers=3, seconds=120, faults=faults)
    expected, paths = "", []
    for directory in write_controllers(cluster, tmp_path).values():
        log = read_log(directory)
        assert len(log.segments) > 2
        assert len(log.snapshots) > 1
        paths += sorted([*directory.glob("*.log"), *directory.glob("*.checkpoint")])
        expected += dump_text(log, str(directory))
    types = {record.type for source in find_logs([tmp_path]) for record in read_log(source).records()}  # type: ignore[union-attr]
    assert {"PARTITION_CHANGE_RECORD", "REMOVE_TOPIC_RECORD", "LeaderChange"} <= types
    assert dump_log(paths) == expected


def test_indexes(tool: Tool, tmp_path: Path) -> None:
    """Kafka finds the indexes that the layout writes sound, and no entry that differs from its segment."""
    directory = write_controller(read_controller(KAFKA), tmp_path, written_ms=0, segment_bytes=9_000)
    names = sorted([*directory.glob("*.index"), *directory.glob("*.timeindex")])
    assert len(names) >= 8
    files = ",".join(map(str, names))
    checked = tool(POM, DUMP_LOG, "--index-sanity-check", "--files", files)
    assert (checked.returncode, checked.stderr) == (0, "")
    empty = [name for name in names if not name.stat().st_size]
    assert checked.stdout.count("passed sanity check") == len(names) - len(empty)
    assert [f"{name} is empty." in checked.stdout for name in empty] == [True]
    compared = tool(POM, DUMP_LOG, "--verify-index-only", "--files", files)
    assert (compared.returncode, compared.stderr) == (0, "")
    assert "ismatch" not in compared.stdout
    shown = tool(POM, DUMP_LOG, "--files", files)
    assert shown.stdout.count("position:") >= 4
