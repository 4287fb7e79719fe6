"""`fencepost conform` over many logs: unreadable ones, lines as they come, progress, Ctrl-C, and `--jobs`."""

import gzip
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.bench.conform_logs import write_case
from fencepost.checkers.cli import following
from fencepost.checkers.conformance import Job, LogResult, Progress
from fencepost.checkers.conformance.results import progress
from fencepost.checkers.conformance.results.progress import Stage
from fencepost.traces import build_batch, encode_batch

Says = Callable[..., Any]
SEGMENT = "00000000000000000000.log"
HELD = """
import os, sys, time
from pathlib import Path
from fencepost.checkers.cli.main import run
from fencepost.checkers.conformance.results.progress import Progress

folder, noted = Path(sys.argv.pop(1)), Progress.judged

def judged(progress, offset):
    noted(progress, offset)
    if offset > 99:
        (folder / str(os.getpid())).touch()
        while not (folder / "go").exists():
            time.sleep(0.01)

Progress.judged = judged
run()
"""
"""The command, which stops inside a log of more than a hundred records until it may go on: no test waits for a time."""


def _text(folder: Path) -> Path:
    path = folder / "notes.txt"
    path.write_text("milk, bread\n" * 20, encoding="utf-8")
    return path


def _bytes(folder: Path) -> Path:
    (folder / SEGMENT).write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(200)))
    return folder


def _cut(folder: Path) -> Path:
    path = folder / "dump.txt.gz"
    path.write_bytes(gzip.compress(os.urandom(4000).hex().encode())[:600])
    return path


def _hurt(folder: Path) -> Path:
    packed = bytearray(gzip.compress(os.urandom(9000).hex().encode()))
    packed[10:40] = b"\xff" * 30
    path = folder / "dump.txt.gz"
    path.write_bytes(packed)
    return path


def _compressed(folder: Path) -> Path:
    batch = build_batch([("NO_OP_RECORD", 0, {})], base_offset=0, epoch=1, timestamp=0)
    (folder / SEGMENT).write_bytes(encode_batch(replace(batch, attributes=4)))
    return folder


def _failing_disk(folder: Path) -> Path:
    # What this file has at byte 0 no process may read: the system answers with an input/output error.
    (folder / SEGMENT).symlink_to("/proc/self/mem")
    return folder


UNREADABLE: dict[str, tuple[Callable[[Path], Path], str]] = {
    "text": (_text, "notes.txt: the text is no dump of a metadata log: make the text with kafka-dump-log"),
    "bytes": (_bytes, "no Kafka record batch is in here"),
    "cut": (_cut, "cannot be read"),
    "hurt": (_hurt, "cannot be read"),
    "compressed": (_compressed, "is compressed with zstd, and a controller writes its metadata log uncompressed"),
    "disk": (_failing_disk, "cannot be opened (Input/output error): check path and permissions"),
}


@pytest.mark.parametrize("kind", list(UNREADABLE))
def test_an_unreadable_log_is_inconclusive_among_others_and_a_usage_error_alone(
    fencepost_says: Says, recorded: Path, tmp_path: Path, kind: str
) -> None:
    """Each way of not being readable is one sentence: exit code 2 for a log alone, among others a result and code 3."""
    if kind == "disk" and not Path("/proc/self/mem").exists():
        pytest.skip("this system has no file that cannot be read")
    make, sentence = UNREADABLE[kind]
    path = make(tmp_path)
    alone = fencepost_says("conform", path)
    assert (alone.code, sentence in alone.sentence) == (2, True), alone
    said = fencepost_says("conform", recorded / "first-boot", path, "--json")
    first, second = said.document["logs"]
    assert (said.code, said.document["verdict"]) == (3, "inconclusive")
    assert (first["verdict"], second["verdict"]) == ("conforms", "inconclusive")
    (doubt,) = second["undecided"]
    assert sentence in doubt["message"]
    assert f"fencepost: {doubt['message']}" == alone.sentence


def test_the_worst_verdict_is_that_of_the_whole(fencepost_says: Says, recorded: Path, tmp_path: Path) -> None:
    """A log that violates weighs more than one that cannot be read: exit code 6, and both are reported."""
    shutil.copytree(recorded / "first-boot", tmp_path / "gap")
    path = tmp_path / "gap" / SEGMENT
    content = path.read_bytes()
    from fencepost.traces import read_log

    first, second = read_log(recorded / "first-boot").batches[5:7]
    path.chmod(0o644)
    path.write_bytes(content[: first.position] + content[second.position :])
    said = fencepost_says("conform", _text(tmp_path), tmp_path / "gap", "--json")
    assert (said.code, said.document["verdict"]) == (6, "violates")
    assert [log["verdict"] for log in said.document["logs"]] == ["inconclusive", "violates"]


def test_a_path_without_a_log_is_refused_before_anything_is_judged(
    fencepost_says: Says, recorded: Path, tmp_path: Path
) -> None:
    """A path that there is not, a pattern that nothing matches and a folder without a log end the command with 2."""
    for path in (tmp_path / "none", tmp_path / "*.log", tmp_path):
        said = fencepost_says("conform", recorded / "first-boot", path)
        assert (said.code, said.out) == (2, "")
        assert said.sentence.startswith(f"fencepost: {path}: ")


def test_lines_come_before_the_page(fencepost_says: Says, recorded: Path, tmp_path: Path) -> None:
    """Of several logs each has a line with verdict, records and seconds, then the page follows; one log has none."""
    said = fencepost_says("conform", recorded / "first-boot", _text(tmp_path))
    lines = said.out.splitlines()
    assert re.fullmatch(rf"{recorded}/first-boot: conforms, 94 records, \d+\.\d s", lines[0])
    assert re.fullmatch(rf"{tmp_path}/notes.txt: inconclusive, 0 records, \d+\.\d s", lines[1])
    assert "2 logs: 1 conforms, 1 inconclusive" in lines
    assert said.err == ""
    assert " s\n" not in fencepost_says("conform", recorded / "first-boot").out.partition("\n")[0] + "\n"


def test_jobs_change_nothing_but_times(fencepost_says: Says, recorded: Path, tmp_path: Path) -> None:
    """With one or two processes the documents are the same to the byte, apart from the seconds."""
    paths = [recorded / name for name in ("first-boot", "suspects-4.4.0", "rolling-restart")]
    found = set()
    for jobs in (1, 2):
        said = fencepost_says("conform", paths[0], _text(tmp_path), *paths[1:], "--json", "--jobs", jobs)
        assert said.code == 3
        found.add(re.sub(r'"seconds": [0-9.]+', "", said.out))
    assert len(found) == 1
    told = json.loads(found.pop().replace(", , ", ", "))["logs"]
    assert [Path(log["path"]).name for log in told] == ["first-boot", "notes.txt", "suspects-4.4.0", "rolling-restart"]


def test_jobs_that_cannot_be(fencepost_says: Says, recorded: Path) -> None:
    """No process at all, and processes beside Spark's own, are refused with 2."""
    assert fencepost_says("conform", recorded / "first-boot", "--jobs", "0").code == 2
    assert (
        "leave out --jobs or --spark"
        in fencepost_says("conform", recorded / "first-boot", "--jobs", "2", "--spark").sentence
    )


@pytest.mark.representative("1")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_recordings_of_the_zookeeper_era(fencepost_says: Says, recorded: Path, tmp_path: Path, jobs: str) -> None:
    """A recording whose log is damaged is inconclusive among others, with any number of processes."""
    (tmp_path / "state-change.log.gz").write_bytes(gzip.compress(b"[2026-01-01 00:00:00,000] INFO x\n" * 99)[:40])
    said = fencepost_says("conform", recorded / "zk" / "reassignment", tmp_path, "--json", "--jobs", jobs)
    assert (said.code, [log["verdict"] for log in said.document["logs"]]) == (3, ["conforms", "inconclusive"])
    assert "copy it again" in said.document["logs"][1]["undecided"][0]["message"]
    assert "copy it again" in fencepost_says("conform", tmp_path).sentence


def test_traces_of_designs(fencepost_says: Says, tmp_path: Path) -> None:
    """A trace of a design that is cut in its first line is inconclusive among others, and no other kind of log."""
    run = fencepost_says("simulate", "--protocol", "kip46", "--time", "30s", "--out", tmp_path / "run")
    assert run.code == 0
    (good,) = (tmp_path / "run").rglob("*.ndjson*")
    bad = tmp_path / "cut.ndjson"
    bad.write_text('{"v": 1, "desi', encoding="utf-8")
    said = fencepost_says("conform", bad, good, "--json")
    assert (said.code, [log["verdict"] for log in said.document["logs"]]) == (3, ["inconclusive", "conforms"])
    assert "this line is no JSON object" in said.document["logs"][0]["undecided"][0]["message"]
    page = fencepost_says("conform", bad, good)
    assert f"{bad}: inconclusive: " in " ".join(page.out.split())
    assert page.code == 3


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--spark", "--conf", "spark.executor.memory"), "--conf spark.executor.memory: this is no K=V"),
        (("--master", "local[1]"), "--master is of Spark; add --spark"),
        (("--to", "somewhere"), "--to is of Spark; add --spark"),
        (("--spark", "--run", "monday"), "--run names what --to writes"),
    ],
)
def test_options_of_spark_that_cannot_be(
    fencepost_says: Says, recorded: Path, options: tuple[str, ...], says: str
) -> None:
    """A setting that is no K=V, and an option of Spark without it, are one sentence and end with 2."""
    said = fencepost_says("conform", recorded / "first-boot", *options)
    assert says in said.sentence
    assert said.code == 2


@pytest.mark.nightly("tests/conformance/test_spark.py::test_spark_gives_the_results_of_the_single_process")
@pytest.mark.spark
@pytest.mark.slow
def test_spark_keeps_the_others(fencepost_says: Says, recorded: Path, tmp_path: Path) -> None:
    """On Spark a log that cannot be read is the same inconclusive result as in one process."""
    paths = (recorded / "first-boot", _text(tmp_path))
    spark, plain = (fencepost_says("conform", *paths, "--json", *more) for more in (("--spark",), ()))
    assert (spark.code, spark.document["logs"]) == (plain.code, plain.document["logs"])


# -- how far -----------------------------------------------------------------------------------------------------------
def test_progress_is_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line has logs, records done of all, records a second and the rest; bytes stand for what is not read yet."""
    follow = following.Following("logs", "conform")
    follow.jobs = [Job(name, name, size) for name, size in (("a", 1000), ("b", 2000), ("c", 3000))]
    follow.progress = progress = [Progress(), Progress(), Progress()]
    monkeypatch.setattr(time, "monotonic", lambda: follow.began + 20)
    assert follow.text() == "0 of 3 logs, 20 s so far"
    progress[0].put(Stage(500))
    assert follow.text() == "0 of 3 logs, 0.0 of 0.0 MiB read, 20 s so far"
    progress[0].put(Stage(1000, 0, 100, 100, 1))
    follow.done[0] = LogResult("a", "none")
    progress[1].put(Stage(2000, 50, 150, 250, 1))
    # Of the 3,000 bytes that were read 100 + 200 records are known, so there are 600; 1,000 + 2,000 × (0.1 + 0.9 / 2)
    # of 6,000 bytes are done after 20 s.
    assert follow.share() == pytest.approx(2100 / 6000)
    assert follow.text() == ("1 of 3 logs, 200 of about 600 records, 10 records/s, 20 s so far, about 37 s left")
    progress[1].put(Stage(2000, 50, 150, 250, 2))
    assert "pass 2 over the log" in follow.text()


@pytest.fixture
def long_log(tmp_path: Path) -> Path:
    """Return a log of more than a hundred records."""
    write_case(tmp_path / "long", 10, "single", 110)
    return tmp_path / "long"


@pytest.fixture
def hold(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder in which a process that stops inside a log has a file, and which says that it may go on."""
    return tmp_path_factory.mktemp("hold")


def _held(hold: Path, *arguments: str | Path) -> list[str]:
    return [sys.executable, "-c", HELD, str(hold), "conform", *map(str, arguments)]


def _wait(process: subprocess.Popen[str], hold: Path, processes: int = 1) -> None:
    """Return when so many processes of a command are inside a log."""
    while len(list(hold.iterdir())) < processes:
        assert process.poll() is None
        time.sleep(0.01)


def test_progress_without_a_terminal(
    fencepost_says: Says, long_log: Path, monkeypatch: pytest.MonkeyPatch, recorded: Path
) -> None:
    """Without a terminal a line on standard error says how far the work is, at each interval and not before."""
    monkeypatch.setattr(following, "EVERY", 1e9)
    assert fencepost_says("conform", recorded / "first-boot").err == ""
    monkeypatch.setattr(following, "EVERY", 0.0)
    monkeypatch.setattr(progress, "INTERVAL", 0.0)
    said = fencepost_says("conform", long_log, "--json")
    assert said.document["logs"][0]["verdict"] == "conforms"
    lines = said.err.splitlines()
    assert lines
    assert [line for line in lines if not re.match(r"conform: .*\d+ s so far", line)] == []
    assert re.search(r"[\d,]+ of \d+ records, [\d,]+ records/s", lines[-1])


def _terminal(hold: Path, until: str, *arguments: Path) -> tuple[int, str, str]:
    """Run a command with a terminal as its standard error alone; return its code, its output, what the terminal got.

    It stops inside a long log until the terminal has what is waited for.
    """
    ours, theirs = pty.openpty()
    with subprocess.Popen(_held(hold, *arguments), stdout=subprocess.PIPE, stderr=theirs, text=True) as process:
        os.close(theirs)
        got = b""
        while True:
            try:
                part = os.read(ours, 1 << 16)
            except OSError:
                break
            if not part:
                break
            got += part
            if re.search(until, got.decode(errors="replace")):
                (hold / "go").touch()
        assert process.stdout is not None
        out = process.stdout.read()
    os.close(ours)
    return process.returncode, out, got.decode(errors="replace")


def test_progress_on_a_terminal(long_log: Path, recorded: Path, hold: Path) -> None:
    """On a terminal a live line is drawn there and taken away; standard output has the lines and the page alone."""
    code, out, drawn = _terminal(hold, r"of 2 logs, .* records/s", recorded / "first-boot", long_log)
    assert code == 0
    assert re.search(r"of 2 logs, .* records/s", drawn)
    assert "\x1b" not in out
    assert out.splitlines()[0].startswith(f"{recorded}/first-boot: conforms, 94 records, ")
    assert "records/s" not in out


@pytest.mark.nightly("test_ctrl_c_with_json")
def test_a_line_is_printed_when_its_log_is_done(long_log: Path, recorded: Path, hold: Path) -> None:
    """The line of the first log is there while the second is still checked."""
    command = _held(hold, recorded / "first-boot", long_log)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert "first-boot: conforms" in process.stdout.readline()
        _wait(process, hold)
        process.kill()


# -- Ctrl-C ------------------------------------------------------------------------------------------------------------
@pytest.mark.representative("2")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_prints_what_is_done(tmp_path: Path, recorded: Path, hold: Path, jobs: str) -> None:
    """SIGINT to the command and its children: the finished logs, how far the others are, code 130 and no traceback."""
    for name in ("long", "longer"):
        write_case(tmp_path / name, 10, "single", 110)
    command = _held(hold, recorded / "first-boot", tmp_path, "--jobs", jobs)
    # The small log is done first where logs are checked one after the other; of two processes both have a large one.
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        first = process.stdout.readline() if jobs == "1" else ""
        _wait(process, hold, int(jobs))
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate()
    assert process.returncode == 130, out + err
    assert "Traceback" not in out + err
    stopped = r"inconclusive: stopped (at offset \d+ of about \d+|after [\d,]+ bytes|before anything was read)"
    found = re.findall(stopped, " ".join(out.split()))
    if jobs == "1":
        assert "first-boot: conforms, 94 records" in first
        assert "first-boot: conforms (tables of" in out
        assert len(found) == 1
        assert "3 logs: 1 conforms, 1 inconclusive, 1 not begun" in out
    else:
        assert len(found) == 2
        assert "3 logs: 1 not begun, 2 inconclusive" in out


def test_ctrl_c_with_json(long_log: Path, recorded: Path, hold: Path) -> None:
    """Stopped with --json there is still one document: the finished verdicts, the offset of the rest, exit code 130."""
    command = _held(hold, recorded / "first-boot", long_log, "--json")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert "first-boot: conforms" in process.stderr.readline()
        _wait(process, hold)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (process.returncode, "Traceback" in err) == (130, False)
    document = json.loads(out)
    assert (document["exit_code"], document["verdict"]) == (130, "inconclusive")
    assert [log["verdict"] for log in document["logs"]] == ["conforms", "inconclusive"]
    assert document["logs"][1]["undecided"][0]["message"].startswith("stopped")
