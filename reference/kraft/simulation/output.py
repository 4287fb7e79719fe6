"""Output files of a run: each controller's directory as Kafka lays it out, the trace of steps, the story."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from fencepost.files import write_whole
from fencepost.traces.steps import AnyStep, write_steps

from .run import Run
from .written import write_controllers


def write_run(run: Run, directory: Path, steps: Iterable[AnyStep] | None = None) -> tuple[Path, Path]:
    """Write a run into a directory, which is made, and return the active controller's log and the trace of steps.

    Without steps no trace is written. Raises StorageError where a log lies there already.
    """
    directory.mkdir(parents=True, exist_ok=True)
    logs = write_controllers(run.cluster, directory)
    trace = directory / "events.ndjson.gz"
    if steps is not None:
        write_steps(trace, steps)
    write_whole(directory / "story.txt", "".join(f"{line}\n" for line in run.story.lines))
    plan = run.plan
    meta = {"scenario": "simulated", "command": plan.command(), "props": plan.settings.by_kafka_name()}
    write_whole(directory / "meta.json", json.dumps(meta, indent=1) + "\n")
    active = run.cluster.active
    return logs[active.config.node_id if active is not None else min(logs)], trace
