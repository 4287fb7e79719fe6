"""kafka-metadata-shell of 4.3.1 reads a simulated log that is held at a metadata.version of 4.3."""

from pathlib import Path

import pytest

from fencepost.reference.kraft.levels import LEVELS
from fencepost.reference.kraft.simulation.plan import Plan
from fencepost.reference.kraft.simulation.run import Run
from fencepost.reference.kraft.simulation.written import write_controllers
from fencepost.traces import MetadataLog, read_log
from fencepost.traces.record_types import (
    FEATURE_LEVEL_RECORD,
    REMOVE_TOPIC_RECORD,
    TOPIC_RECORD,
    UNREGISTER_CONTROLLER_RECORD,
)

from .conftest import Tool

pytestmark = pytest.mark.kafka
HIGHEST = "4.3-IV0"


def simulated(folder: Path, highest: int | None = None) -> Path:
    """Return a log that a simulated cluster wrote from 4.0-IV0 on, whose administrators upgrade it."""
    simulation = Run(Plan(seed=1, seconds=240, level=LEVELS["4.0-IV0"], highest=highest))
    assert simulation.execute().violations == []
    write_controllers(simulation.cluster, folder)
    return folder / "controller-3000" / "__cluster_metadata-0"


def levels(log: MetadataLog) -> list[int]:
    """Return the levels of metadata.version that a log finalizes, in their order."""
    found = (record.data for batch in log.batches for record in batch.records_of((FEATURE_LEVEL_RECORD,)))
    return [data["featureLevel"] for data in found if data["name"] == "metadata.version"]


def topics(log: MetadataLog) -> list[str]:
    """Return the names of the topics that there are at the end of a log."""
    found: dict[str, str] = {}
    for batch in log.batches:
        for record in batch.records_of((TOPIC_RECORD, REMOVE_TOPIC_RECORD)):
            if record.type == TOPIC_RECORD:
                found[record.data["topicId"]] = record.data["name"]
            else:
                del found[record.data["topicId"]]
    return sorted(found.values())


def shell(tool: Tool, log: Path, *command: str) -> list[str]:
    """Return the lines that the shell prints of the first segment of a log.

    The shell of 4.3.1 may answer before its image has the last batches: SnapshotFileReader has caught up when it has
    given them to MetadataLoader, which queues them for a thread of its own.
    """
    [segment] = log.glob("*.log")
    said = tool("metadata-shell.pom.xml", "org.apache.kafka.shell.MetadataShell", "--snapshot", segment, *command)
    assert said.returncode == 0, said.stderr
    return said.stdout.split()


def shows(tool: Tool, log: Path, expected: list[str], *command: str) -> bool:
    """Whether the shell prints what is expected, at the latest when it is started the fifth time."""
    return any(shell(tool, log, *command) == expected for _ in range(5))


def test_a_held_log_is_read(tool: Tool, tmp_path: Path) -> None:
    """The cluster upgrades itself as far as it is let, and the shell has its level and its topics."""
    path = simulated(tmp_path, LEVELS[HIGHEST])
    log = read_log(path)
    assert len(levels(log)) > 3
    assert max(levels(log)) == levels(log)[-1] == LEVELS[HIGHEST]
    assert not [one for batch in log.batches for one in batch.records_of((UNREGISTER_CONTROLLER_RECORD,))]
    assert len(topics(log)) > 2
    assert shows(tool, path, [f"Optional[{HIGHEST}]"], "cat", "/image/features/metadataVersion")
    assert shows(tool, path, topics(log), "ls", "/image/topics/byName")


@pytest.mark.nightly("test_a_held_log_is_read")
def test_a_log_that_is_not_held_is_not_read(tool: Tool, tmp_path: Path) -> None:
    """The same run goes on to a level of 4.4, of whose log the shell has nothing, and says no word."""
    path = simulated(tmp_path)
    assert max(levels(read_log(path))) > LEVELS[HIGHEST]
    assert shell(tool, path, "cat", "/image/features/metadataVersion") == ["Optional.empty"]
