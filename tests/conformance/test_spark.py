"""Many logs under Spark against the single process."""

from __future__ import annotations

import json
import os
import pickle
import shutil
from pathlib import Path

import pytest

from fencepost.checkers.conformance import Judge, Options, conform
from fencepost.checkers.conformance.passed import PASSED_THROUGH
from fencepost.checkers.conformance.spark import packed, run
from fencepost.checkers.verdicts import ExitCode, Refusal, Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import LogSource, find_logs, read_log

from . import RECORDED, alter

LOGS = 200
OPTIONS = Options(PASSED_THROUGH)


def test_tables_survive_the_way_to_a_worker() -> None:
    """A protocol that was sent and received is the same protocol, and judges a log alike."""
    (received,) = pickle.loads(packed((KRAFT,)))
    assert received.hash == KRAFT.hash
    log = read_log(RECORDED / "first-boot" / "00000000000000000000.log")
    assert Judge([received], OPTIONS).log(log).as_json() == Judge([KRAFT], OPTIONS).log(log).as_json()


def test_without_java_the_refusal_is_one_clear_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no Java is found the request is refused as inconclusive, and the sentence says what to do."""
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(Refusal) as raised:
        conform([RECORDED / "first-boot"], KRAFT, spark=True)
    assert raised.value.code is ExitCode.INCONCLUSIVE
    assert "install a Java" in str(raised.value)


def _many(directory: Path) -> tuple[LogSource, ...]:
    """Make many log directories: most copies of a recorded log, every tenth with one field of one record altered."""
    log = read_log(RECORDED / "first-boot" / "00000000000000000000.log")
    changed = [r.offset for b in log.batches for r in b.metadata_records if r.type == "PARTITION_RECORD"]
    alter.written(log, directory / "log-000")
    for number in range(1, LOGS):
        target = directory / f"log-{number:03}"
        if number % 10 == 0:
            offset = changed[number // 10 % len(changed)]
            alter.with_record(log, offset, lambda data: {**data, "leaderEpoch": 7}, target)
        else:
            shutil.copytree(directory / "log-000", target)
    return find_logs([directory])


@pytest.mark.spark
@pytest.mark.slow
def test_spark_gives_the_verdicts_of_the_single_process_without_a_shuffle(tmp_path: Path) -> None:
    """200 logs, one task each, in worker processes that are not the driver: the same results, and no byte shuffled."""
    sources = _many(tmp_path / "logs")
    assert len(sources) == LOGS
    events = tmp_path / "events"
    events.mkdir()
    found = run(
        sources,
        [KRAFT],
        OPTIONS,
        settings={
            "spark.eventLog.enabled": "true",
            "spark.eventLog.dir": events.as_uri(),
            "spark.eventLog.compress": "false",
            "spark.eventLog.rolling.enabled": "false",
        },
    )
    judge = Judge([KRAFT], OPTIONS)
    expected = [judge.source(source) for source in sources]
    assert [log.as_json() for log in found.logs] == [log.as_json() for log in expected]
    keys = {(log.path, violation.key) for log in found.logs for violation in log.violations}
    assert keys == {(log.path, violation.key) for log in expected for violation in log.violations}
    assert sum(log.verdict is Verdict.VIOLATES for log in found.logs) == LOGS // 10 - 1
    assert found.tasks >= 4
    assert os.getpid() not in found.workers
    assert len(found.workers) >= 1
    shuffled, tasks = _shuffled(events)
    assert shuffled == 0
    assert tasks >= LOGS


def _shuffled(events: Path) -> tuple[int, int]:
    """Return the bytes that all tasks shuffled, written and read, and the number of tasks, from Spark's event log."""
    total = tasks = 0
    for path in events.iterdir():
        for line in path.read_text().splitlines():
            event = json.loads(line)
            metrics = event.get("Task Metrics") if event.get("Event") == "SparkListenerTaskEnd" else None
            if metrics:
                tasks += 1
                total += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
                read = metrics["Shuffle Read Metrics"]
                total += read["Remote Bytes Read"] + read["Local Bytes Read"]
    return total, tasks
