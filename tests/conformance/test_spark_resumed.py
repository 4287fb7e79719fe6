"""Runs that were stopped and go on: a driver that is killed, and what may be taken from before."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow.dataset
import pytest

import fencepost
import fencepost.spark
from fencepost.checkers.conformance.conform import asked
from fencepost.checkers.conformance.many import Job
from fencepost.checkers.conformance.spark.questions import KeptJob, content_hash, kept_columns, question_hash, told
from fencepost.checkers.conformance.spark.tables import SCHEMAS
from fencepost.checkers.verdicts import Refusal
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.language import Place
from fencepost.traces import find_log, find_logs, read_log
from fencepost.traces.record_tables import record_table

from . import RECORDED, alter

PACKAGE = Path(fencepost.__file__).resolve().parent
NAMES = ("kill-nine-elr", "metadata-upgrade", "delete-recreate", "first-boot")
SEGMENT = "00000000000000000000.log"
MEASURED = ("seconds", "cpu_seconds", "host", "worker", "task", "attempt")
"""Columns that say how a log was judged, and not what was found."""


def test_the_hash_of_a_log_tells_content_and_question(tmp_path: Path) -> None:
    """A copy has the hash of the log; a byte that changes, a file that comes, or another question, makes another; what
    cannot be read has none, and what is not kept is not hashed."""
    log, copy = RECORDED / "first-boot", shutil.copytree(RECORDED / "first-boot", tmp_path / "copy")

    def hashed(path: Path, question: str = "asked") -> str | None:
        return content_hash(KeptJob(str(path), find_log(path), 0, question))

    known = hashed(log)
    assert known is not None
    assert hashed(copy) == known
    assert hashed(log, "something else") != known
    segment = copy / SEGMENT
    data = bytearray(segment.read_bytes())
    data[-1] ^= 1
    segment.write_bytes(data)
    assert hashed(copy) not in (known, None)
    shutil.copy(log / SEGMENT, segment)
    shutil.copy(log / SEGMENT, copy / "00000000000000000001.log")
    assert hashed(copy) not in (known, None)
    gone = KeptJob(str(copy), find_log(copy), 0, "asked")
    shutil.rmtree(copy)
    assert content_hash(gone) is None
    assert kept_columns(Job(str(log), find_log(log))) == {"hash": None, "attempt": None}


ASKED = """
from fencepost.checkers.conformance.conform import asked
from fencepost.checkers.conformance.spark.questions import question_hash
for kind in (None, "one"):
    from fencepost.model.kraft.protocol import KRAFT
    told = asked(KRAFT if kind else None, ask_others=True)
    print(question_hash(told.maker, told.given_to))
"""


@pytest.mark.slow
def test_the_hash_of_a_question_is_the_same_in_every_process() -> None:
    """Two processes that spread texts over their tables differently give what is asked one hash, and other tables or
    another high watermark give others."""
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    there = subprocess.run(
        [sys.executable, "-c", ASKED],
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(PACKAGE.parent)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    questions = [asked(None, ask_others=True), asked(KRAFT, ask_others=True)]
    questions.append(asked(None, ask_others=True, high_watermark=7))
    here = [question_hash(one.maker, one.given_to) for one in questions]
    assert here[:2] == there
    assert len(set(here)) == 3


def test_a_question_is_the_same_wherever_the_package_lies() -> None:
    """A driver that imports the package from a zip asks the same as one that has it installed."""
    assert told(Place("kraft/topics.py", 7, "/a/package.zip")) == told(Place("kraft/topics.py", 7, "/b/fencepost"))
    assert told(Place("kraft/topics.py", 7)) != told(Place("kraft/topics.py", 8))


# -- a driver that is killed -------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Logs that conform, one that violates and one that is none, in more tasks than there are cores."""
    folder = tmp_path_factory.mktemp("logs")
    found = [shutil.copytree(RECORDED / name, folder / f"{n}-{name}") for n in range(2) for name in NAMES]
    log = read_log(RECORDED / "first-boot" / SEGMENT)
    offset = next(r.offset for b in log.batches for r in b.metadata_records if r.type == "PARTITION_RECORD")
    alter.with_record(log, offset, lambda data: {**data, "leaderEpoch": 7}, folder / "violating")
    (folder / "broken").mkdir()
    (folder / "broken" / SEGMENT).write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(200)))
    return [str(one) for one in (*found, folder / "violating", folder / "broken")]


DRIVER = """
import sys
import fencepost.spark
fencepost.spark.conform(sys.argv[2:], None, to=sys.argv[1], run="killed", master="local[2]")
"""


def _tables(folder: Path, run: str) -> dict[str, list[str]]:
    """Return the rows of a run's tables, in any order, without what was measured."""
    found = {}
    for name in SCHEMAS:
        rows = pyarrow.dataset.dataset(folder / name / f"run={run}").to_table().to_pylist()
        found[name] = sorted(
            json.dumps({key: one for key, one in row.items() if key not in MEASURED}, sort_keys=True) for row in rows
        )
    return found


@pytest.mark.nightly("test_the_hash_of_a_log_tells_content_and_question")
@pytest.mark.spark
@pytest.mark.slow
def test_a_driver_that_is_killed_goes_on_where_it_was(session: Any, several: list[str], tmp_path: Path) -> None:
    """Where the driver is killed between two tasks the run is not whole; resumed by another, its tables are those of an
    undisturbed run, and what was finished was not checked again, but for what could not be read."""
    running = subprocess.Popen(
        [sys.executable, "-c", DRIVER, str(tmp_path), *several],
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)},
        start_new_session=True,
    )
    answers = tmp_path / "_answers" / "run=killed"
    while running.poll() is None and not list(answers.glob("attempt=1/0/*.parquet")):
        time.sleep(0.05)
    os.killpg(running.pid, signal.SIGKILL)
    assert running.wait() == -signal.SIGKILL
    assert not (tmp_path / "logs").exists()
    finished = [path for one in answers.glob("attempt=1/0/*.parquet") for path in _judged(one)]
    assert 0 < len(finished) < len(several)
    resumed = fencepost.spark.conform(several, None, session, to=str(tmp_path), resume="killed")
    assert [row.path for row in resumed.logs.orderBy("number").collect()] == several
    assert not answers.exists()
    attempts = _attempts(tmp_path)
    broken = several[-1]
    assert {path for path, attempt in attempts.items() if attempt == 1} == {*finished} - {broken}
    assert {path for path, attempt in attempts.items() if attempt == 2} == {*several} - {*finished} | {broken}
    fencepost.spark.conform(several, None, session, to=str(tmp_path), run="calm")
    assert _tables(tmp_path, "killed") == _tables(tmp_path, "calm")


def _judged(file: Path) -> list[str]:
    rows = pyarrow.dataset.dataset(file).to_table().to_pylist()
    return [row["logs"]["path"] for row in rows if row["kind"] == "logs"]


def _attempts(folder: Path) -> dict[str, int]:
    rows = pyarrow.dataset.dataset(folder / "logs" / "run=killed").to_table(columns=["path", "attempt"]).to_pylist()
    return {row["path"]: row["attempt"] for row in rows}


# -- in one session ----------------------------------------------------------------------------------------------------
def _stopped(session: Any, monkeypatch: pytest.MonkeyPatch, paths: Any, to: Path, **more: Any) -> None:
    """Check some logs in a run, and stop before its tables are written."""
    from fencepost.checkers.conformance.spark import job

    def stops(*given: Any, **named: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(job, "write", stops)
        with pytest.raises(KeyboardInterrupt):
            fencepost.spark.conform(paths, None, session, to=str(to), **more)


def _attempt_of(found: Any) -> dict[str, int]:
    return {Path(row.path).name: row.attempt for row in found.logs.collect()}


@pytest.mark.nightly("test_the_hash_of_a_log_tells_content_and_question")
@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.parametrize("behind", ["paths", "URIs", "records"])
def test_what_changed_is_judged_again(
    session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, behind: str
) -> None:
    """Of logs of this machine, behind URIs, and of tables of records: what changed since the run was stopped, and what
    came, is checked by the next attempt, and only that; the tables are those of a new run."""
    logs = [shutil.copytree(RECORDED / name, tmp_path / "logs" / name) for name in NAMES[-2:]]

    def given(paths: list[Path]) -> Any:
        if behind == "records":
            import pyarrow
            import pyarrow.parquet

            landed = tmp_path / f"landed-{len(paths)}-{len(list((tmp_path / 'logs').rglob('*')))}"
            landed.mkdir(exist_ok=True)
            for number, source in enumerate(find_logs(paths)):
                table = record_table(read_log(source), Path(source.path).name)
                order = list(range(table.num_rows))
                pyarrow.parquet.write_table(
                    table.take(order[::-1] if len(paths) > 2 else order), landed / f"{number}.parquet"
                )
            return str(landed)
        return [one.as_uri() if behind == "URIs" else str(one) for one in paths]

    _stopped(session, monkeypatch, given(logs), tmp_path / "out", run="tuesday")
    shutil.copytree(RECORDED / "rolling-restart", logs[0], dirs_exist_ok=True)
    logs.insert(0, shutil.copytree(RECORDED / "metadata-upgrade", tmp_path / "logs" / "another"))
    found = fencepost.spark.conform(given(logs), None, session, to=str(tmp_path / "out"), resume="tuesday")
    assert _attempt_of(found) == {logs[0].name: 2, logs[1].name: 2, logs[2].name: 1}
    fencepost.spark.conform(given(logs), None, session, to=str(tmp_path / "out"), run="new")
    assert _tables(tmp_path / "out", "tuesday") == _tables(tmp_path / "out", "new")


@pytest.mark.nightly("test_the_hash_of_a_log_tells_content_and_question")
@pytest.mark.spark
@pytest.mark.slow
def test_only_a_run_that_is_there_and_not_whole_goes_on(
    session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that is not there is refused; one that is whole answers what it has, and is refused for other logs; another
    question is asked of every log anew."""
    paths = [str(RECORDED / name) for name in NAMES[-2:]]
    with pytest.raises(Refusal, match="there is no run monday that could go on; begin it with --run monday"):
        fencepost.spark.conform(paths, None, session, to=str(tmp_path), resume="monday")
    with pytest.raises(Refusal, match="give to, and leave out run"):
        fencepost.spark.conform(paths, None, session, resume="monday")
    _stopped(session, monkeypatch, paths, tmp_path, run="monday")
    with pytest.raises(Refusal, match="go on with it by --resume monday"):
        fencepost.spark.conform(paths, None, session, to=str(tmp_path), run="monday")
    asked_otherwise = fencepost.spark.conform(paths, None, session, to=str(tmp_path), resume="monday", high_watermark=3)
    assert set(_attempt_of(asked_otherwise).values()) == {2}
    before = sorted(tmp_path.rglob("*"))
    found = fencepost.spark.conform(paths, None, session, to=str(tmp_path), resume="monday", high_watermark=3)
    assert set(_attempt_of(found).values()) == {2}
    with pytest.raises(Refusal, match="the run is whole"):
        fencepost.spark.conform(paths[:1], None, session, to=str(tmp_path), resume="monday", high_watermark=3)
    with pytest.raises(Refusal, match="the run is whole"):
        fencepost.spark.conform(paths, None, session, to=str(tmp_path), resume="monday")
    assert sorted(tmp_path.rglob("*")) == before
