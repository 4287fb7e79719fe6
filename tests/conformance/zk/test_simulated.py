"""Clusters that the reference simulates conform: zombies, moved controllers, deletions, failed directories."""

from collections import Counter
from functools import lru_cache
from pathlib import Path

import pytest

from fencepost.reference.zk.simulation.output import write_run
from fencepost.reference.zk.simulation.plan import Plan
from fencepost.reference.zk.simulation.run import simulate
from fencepost.traces.zk import Record, Transaction, read_recording

from . import judge

SEEDS = (2, 4, 5, 11, 14, 20)
UNABLE = {
    "pause": (24, {"LI7"}),
    "pause,expiry": (15, {"LI7"}),
    "directory-failure,controller-kill,pause": (2, {"LI8", "SR5"}),
    "directory-failure,broker-kill,broker-shutdown,broker-bounce": (5, {"LI8"}),
}
"""Kinds of faults, a seed, and what brokers cannot do in that run."""


@lru_cache(maxsize=len(SEEDS))
def _simulated(seed: int, directory: Path) -> tuple[tuple[Record, ...], tuple[Transaction, ...]]:
    write_run(simulate(Plan(seed=seed)), directory, ())
    found = read_recording(directory)
    return tuple(found.records()), tuple(found.transactions())


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the logs of all runs."""
    return tmp_path_factory.mktemp("simulated")


@pytest.mark.representative("2")
@pytest.mark.parametrize("seed", SEEDS)
def test_simulated_clusters_conform(seed: int, directory: Path) -> None:
    """What the reference logs and writes under faults is explained, with its history and without."""
    records, transactions = _simulated(seed, directory / str(seed))
    for history in (transactions, None):
        result = judge().told(str(seed), records, history)
        assert [(v.rule, v.segment, v.offset, v.message) for v in result.violations] == []


@pytest.mark.nightly("test_simulated_clusters_conform")
def test_simulations_exercise_what_recordings_do_not(directory: Path) -> None:
    """Zombies, moved controllers and deleted topics are among what the seeds show."""
    rows: Counter[str] = Counter()
    for seed in SEEDS:
        records, transactions = _simulated(seed, directory / str(seed))
        rows.update(judge().told(str(seed), records, transactions).rows)
    assert {"SE1", "SE4", "ZC9", "ZR7", "LI1", "UM1", "ZP5", "ZP3u", "SD4"} <= set(rows)


@pytest.mark.representative("pause,expiry")
@pytest.mark.parametrize("faults", UNABLE)
def test_simulated_brokers_that_cannot_do_what_is_asked_conform(faults: str, directory: Path) -> None:
    """Logs that cannot be created without a session, and lost directories, are logged as Kafka does: a row each."""
    seed, rows = UNABLE[faults]
    folder = directory / f"unable-{len(faults)}"
    write_run(simulate(Plan(seed=seed, seconds=60, faults=faults, quiet_seconds=20)), folder, ())
    found = read_recording(folder)
    records, transactions = tuple(found.records()), tuple(found.transactions())
    for history in (transactions, None):
        result = judge().told(faults, records, history)
        assert [(v.rule, v.segment, v.offset, v.message) for v in result.violations] == []
        assert rows <= set(result.rows)
