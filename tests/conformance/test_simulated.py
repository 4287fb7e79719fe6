"""Logs of simulated clusters, as every controller's disk has them: all of them conform, snapshots and all."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fencepost.checkers.conformance import LogResult, conform
from fencepost.checkers.verdicts import Verdict
from fencepost.model.releases import RELEASES
from fencepost.reference.kraft.levels import LEVELS
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.kraft.simulation.output import write_run
from fencepost.reference.kraft.simulation.plan import Plan
from fencepost.reference.kraft.simulation.run import Run

SMALL = {"metadata.log.segment.bytes": "20000", "metadata.log.max.record.bytes.between.snapshots": "6000"}
SHORT = SMALL | {"metadata.max.retention.bytes": "20000"}
"""Logs of which the beginning is deleted: they begin with a snapshot."""

PROTOCOL = RELEASES["4.4"].for_logs


def logs(place: Path, seed: int, settings: dict[str, str], level: str | None, seconds: float = 300) -> list[Path]:
    """Simulate a cluster, and return the directories that its controllers leave behind."""
    plan = Plan(
        seed=seed,
        seconds=seconds,
        level=None if level is None else LEVELS[level],
        settings=Settings().with_kafka(settings),
        changed=tuple(settings.items()),
        faults="swarm",
    )
    run = Run(plan, lambda step: None, None)
    run.execute()
    write_run(run, place, [])
    return sorted(place.glob("controller-*"))


def wrong(results: tuple[LogResult, ...]) -> Iterator[str]:
    """What is wrong of results, with the log."""
    for one in results:
        yield from (f"{one.path}: {v.rule} at {v.offset}: {v.message}" for v in one.violations)
        yield from (f"{one.path}: {doubt.message}" for doubt in one.doubts)


@pytest.mark.representative("19-4.0-IV3")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "level"),
    [*((13, None), (19, None), (2, None), (31, None)), *((13, "3.3-IV3"), (19, "4.0-IV3"), (2, "3.7-IV2"))],
)
def test_every_controllers_log_conforms(tmp_path: Path, seed: int, level: str | None) -> None:
    """With many snapshots beside whole logs, and with logs that begin at one."""
    whole = conform(logs(tmp_path / "whole", seed, SMALL, level, seconds=150), PROTOCOL)
    short = conform(logs(tmp_path / "short", seed, SHORT, level), PROTOCOL)
    assert [*wrong(whole.logs), *wrong(short.logs)] == []
    assert {one.verdict for one in (*whole.logs, *short.logs)} == {Verdict.CONFORMS}
    assert all(one.snapshots_compared and not one.began_with for one in whole.logs)
    assert any(one.began_with for one in short.logs)


@pytest.mark.nightly("tests/conformance/test_spark.py::test_spark_gives_the_results_of_the_single_process")
@pytest.mark.spark
def test_they_conform_on_spark_too(tmp_path: Path) -> None:
    """The verdicts of the single process, with what was compared to reach them."""
    paths = [*logs(tmp_path / "whole", 31, SMALL, None), *logs(tmp_path / "short", 31, SHORT, None)]
    here, there = conform(paths, PROTOCOL), conform(paths, PROTOCOL, spark=True)
    assert there.verdict is Verdict.CONFORMS
    assert [one.as_json() for one in there.logs] == [one.as_json() for one in here.logs]
    assert sum(one.snapshots_compared for one in there.logs) > 0
