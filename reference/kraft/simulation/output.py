"""What a run leaves on disk: each controller's directory as Kafka lays it out, the trace of steps, the story."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from fencepost.traces.steps import AnyStep, write_steps

from .run import Run
from .written import write_controllers


def write_run(run: Run, directory: Path, steps: Iterable[AnyStep]) -> tuple[Path, Path]:
    """Write a run into a directory, which is made, and return the active controller's log and the trace of steps.

    Raises StorageError where a log lies there already.
    """
    directory.mkdir(parents=True, exist_ok=True)
    logs = write_controllers(run.cluster, directory)
    trace = directory / "events.ndjson.gz"
    write_steps(trace, steps)
    (directory / "story.txt").write_text("".join(f"{line}\n" for line in run.story.lines), encoding="utf-8")
    plan = run.plan
    meta = {"scenario": "simulated", "command": plan.command(), "props": plan.settings.by_kafka_name()}
    (directory / "meta.json").write_text(json.dumps(meta, indent=1) + "\n", encoding="utf-8")
    active = run.cluster.active
    return logs[active.config.node_id if active is not None else min(logs)], trace
