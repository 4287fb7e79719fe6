"""Output files of a run: the logs of each broker, ZooKeeper's history, and the trace of steps."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from fencepost.files import write_whole
from fencepost.traces.zk.steps import ZkStep, write_zk_steps

from .run import Run

STEPS = "steps.ndjson"
HISTORY = "znode-history.ndjson"


def write_run(run: Run, directory: Path, steps: Iterable[ZkStep]) -> Path:
    """Write a run into a directory, which is made, in the files of a recorded cluster; returns the trace of steps.

    There are `state-change.broker-N.log` and `controller.broker-N.log` for every broker, `znode-history.ndjson`,
    `final-znodes.json`, `meta.json` and `steps.ndjson`.
    """
    directory.mkdir(parents=True, exist_ok=True)
    for number, broker in run.cluster.brokers.items():
        log = broker.log
        _write_lines(directory / f"state-change.broker-{number}.log", log.state_change_lines)
        _write_lines(directory / f"controller.broker-{number}.log", log.controller_lines)
    _write_lines(directory / HISTORY, map(json.dumps, run.cluster.server.history))
    _write_json(directory / "final-znodes.json", final_znodes(run))
    _write_json(directory / "meta.json", metadata(run))
    write_zk_steps(directory / STEPS, steps)
    return directory / STEPS


def final_znodes(run: Run) -> dict[str, dict[str, object]]:
    """Return the tree as it is at the end, by path."""
    found = {}
    for path, node in sorted(run.cluster.server.nodes.items()):
        owner = {} if node.owner is None else {"ephemeral_owner": f"{node.owner:#x}"}
        found[path] = {
            "version": node.version,
            "czxid": node.czxid,
            "mzxid": node.mzxid,
            "ctime": node.ctime_ms,
            "mtime": node.mtime_ms,
            **owner,
            "data": node.data,
        }
    return found


def metadata(run: Run) -> dict[str, object]:
    """Return what is to be known of the run."""
    plan, settings = run.plan, next(iter(run.cluster.brokers.values())).settings
    return {
        "scenario": "simulated",
        "command": plan.command(),
        "mode": "ZooKeeper",
        "brokers": list(run.cluster.brokers),
        "settings": {
            "zookeeper.session.timeout.ms": settings.session_timeout_ms,
            "replica.lag.time.max.ms": settings.leading.lag_ns // 1_000_000,
            "auto.leader.rebalance.enable": False,
            "unclean.leader.election.enable": False,
        },
        "log_levels": {"kafka.controller": "DEBUG", "state.change.logger": "TRACE"},
        "log_pattern": "[%d] %p %m (%c)%n",
        "time_zone": "UTC",
    }


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    write_whole(path, "".join(f"{line}\n" for line in lines))


def _write_json(path: Path, value: object) -> None:
    write_whole(path, json.dumps(value, indent=1) + "\n")
