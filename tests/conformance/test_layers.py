"""Layers of speed: with each of them a log is checked to the letter as by the plain monitor, record by record."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from fencepost.checkers.conformance.reading.monitor import Monitor
from fencepost.checkers.conformance.reading.options import Options
from fencepost.checkers.conformance.results.results import LogResult
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import MetadataLog, read_log, write_log

from . import RECORDED
from .layers import (
    Used,
    altered,
    asked_by_class,
    beginning_late,
    entities_left_out,
    in_columns,
    printed_beside_runs,
    rows_that_read_on,
    short_runs,
)

pytestmark = pytest.mark.usefixtures("by_class")

SHORT = ("reassignment", "rolling-restart", "delete-recreate", "kill-nine-elr")
LONGER = (*SHORT, "controller-failover")
LATE = ("snapshots from 682", "snapshots from 1301")
ALTERED = tuple(f"{name} altered {seed}" for name in ("rolling-restart", "reassignment") for seed in range(8))

LAYERS: dict[str, tuple[Callable[[], AbstractContextManager[Used]], tuple[str, ...]]] = {
    "by class": (asked_by_class, (*LONGER, "suspects-4.4.0", *LATE)),
    "in runs": (short_runs, (*LONGER, "snapshots", *ALTERED)),
    "printed beside runs": (printed_beside_runs, (*LONGER, "snapshots", *ALTERED)),
    "in columns": (in_columns, ("rolling-restart", "delete-recreate")),
    "entities left out": (entities_left_out, SHORT),
    "rows that read on": (rows_that_read_on, ("delete-recreate",)),
}
"""Each layer with the logs that use it."""

CASES = {f"{layer}: {log}": (layer, log) for layer, (_, logs) in LAYERS.items() for log in logs}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for the logs that are altered."""
    return tmp_path_factory.mktemp("altered")


@pytest.fixture(scope="module")
def plain() -> dict[str, LogResult]:
    """Return what the plain monitor finds of logs, by their names, as far as they were checked."""
    return {}


def read(name: str, folder: Path) -> MetadataLog:
    """Return a recording, one of its altered logs, or what is left of it from a snapshot on."""
    recording, _, rest = name.partition(" ")
    if rest.startswith("altered"):
        path = folder / name.replace(" ", "-")
        if not path.exists():
            write_log(altered(read_log(RECORDED / recording), int(rest.split()[1]))[0], path)
        return read_log(path)
    log = read_log(RECORDED / recording)
    return beginning_late(log, int(rest.split()[1])) if rest else log


@pytest.mark.representative(
    "entities left out: reassignment",
    "rows that read on: delete-recreate",
    "in runs: reassignment altered 6",
    "printed beside runs: reassignment altered 6",
)
@pytest.mark.parametrize(("layer", "name"), [pytest.param(*case, id=id) for id, case in CASES.items()])
def test_a_log_is_judged_with_a_layer_as_without(
    layer: str, name: str, folder: Path, plain: dict[str, LogResult]
) -> None:
    """Verdict, rows, violations, findings, notes and the counts of every property are the same to the letter, and the
    layer takes part where the log is a recording as it was."""
    if name not in plain:
        plain[name] = Monitor(KRAFT, Options(by_class=False)).judge(read(name, folder))
    with LAYERS[layer][0]() as used:
        found = Monitor(KRAFT).judge(read(name, folder))
    assert repr(found) == repr(plain[name])
    assert found.rows
    assert bool(found.began_with) == (name in LATE)
    assert any(used) or name in ALTERED


def test_some_alterations_are_violations() -> None:
    """Of the alterations that the test above checks of one recording at least three are violations."""
    log, found = read_log(RECORDED / "reassignment"), 0
    for seed in range(8):
        found += Monitor(KRAFT).judge(altered(log, seed)[0], bear=0).verdict is Verdict.VIOLATES
        if found == 3:
            return
    pytest.fail(f"{found} are")
