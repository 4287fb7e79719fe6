"""Many logs checked one by one or by several processes, and how far the work on each is."""

from __future__ import annotations

import os
import shutil
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.conformance import PASSED_THROUGH, Judge, Options, Stopped, conform
from fencepost.checkers.conformance.by_term import TermJudge
from fencepost.checkers.conformance.many import NOT_BEGUN, Job, Work, judged
from fencepost.checkers.conformance.records.static_settings import StaticSettings
from fencepost.checkers.conformance.results.progress import Progress, Stage
from fencepost.checkers.conformance.results.results import LogResult
from fencepost.checkers.verdicts import ExitCode, Refusal, Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import TraceError, find_logs, read_log

from . import RECORDED


def blank(path: str) -> LogResult:
    """Return an empty result."""
    return LogResult(path, "none")


def good(path: str) -> LogResult:
    """Return the result of a log that conforms."""
    return LogResult(path, "none", Verdict.CONFORMS)


def jobs(*names: str) -> list[Job[str]]:
    """Return a job for each name, which is also the checked log; later ones are larger."""
    return [Job(name, name, size) for size, name in enumerate(names, 1)]


def sentences(results: tuple[LogResult, ...]) -> list[tuple[str, str]]:
    """Return the verdict of each result with its first doubt."""
    return [(one.verdict.value, one.doubts[0].message if one.doubts else "") for one in results]


class Followed:
    """Keeps the reported progress."""

    def __init__(self) -> None:
        self.order: list[str] = []

    def planned(self, jobs: Any, progress: Any) -> None:
        """Take what is planned."""

    def ended(self, number: int, result: LogResult, seconds: float) -> None:
        """Note which log is done."""
        assert seconds >= 0
        self.order.append(result.path)


FAULTS: list[tuple[Exception, str]] = [
    (TraceError("b: no batch is in here: give another"), "b: no batch is in here: give another"),
    (PermissionError(13, "Permission denied"), "b: cannot be read ([Errno 13] Permission denied)"),
    (MemoryError(), "b: it does not fit into memory"),
]


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize(("error", "sentence"), FAULTS)
def test_what_cannot_be_read_is_inconclusive_among_others(error: Exception, sentence: str, processes: int) -> None:
    """A log that cannot be read, or does not fit into memory, keeps no other from its verdict."""

    def work(source: str, progress: Progress) -> LogResult:
        if source == "b":
            raise error
        return good(source)

    found = judged(jobs("a", "b", "c"), work, blank, processes=processes)
    assert [one.path for one in found.logs] == ["a", "b", "c"]
    assert [one.verdict.value for one in found.logs] == ["conforms", "inconclusive", "conforms"]
    assert found.logs[1].doubts[0].message.startswith(sentence)
    assert not found.stopped


def test_a_log_alone_that_cannot_be_read_is_an_error() -> None:
    """Where there is one log, what is wrong with it is raised, as one who gave it wants to hear."""

    def work(source: str, progress: Progress) -> LogResult:
        raise OSError(5, "Input/output error")

    with pytest.raises(TraceError, match=r"a: cannot be read .*Input/output error"):
        judged(jobs("a"), work, blank)


@pytest.mark.parametrize("processes", [1, 2])
def test_another_error_ends_the_whole_as_itself(processes: int) -> None:
    """What is no fault of a log is raised with its type and its exit code, whichever process met it."""

    def work(source: str, progress: Progress) -> LogResult:
        raise Refusal("install it", ExitCode.INCONCLUSIVE)

    with pytest.raises(Refusal, match="install it") as raised:
        judged(jobs("a", "b"), work, blank, processes=processes)
    assert raised.value.code is ExitCode.INCONCLUSIVE


def test_a_process_that_is_killed_takes_one_log_with_it() -> None:
    """A process that is killed, as by a system out of memory, leaves its log inconclusive; another takes its place."""

    def work(source: str, progress: Progress) -> LogResult:
        if source in ("b", "e"):
            os.kill(os.getpid(), signal.SIGKILL)
        return good(source)

    found = judged(jobs("a", "b", "c", "d", "e"), work, blank, processes=2)
    assert [one.verdict.value[:4] for one in found.logs] == ["conf", "inco", "conf", "conf", "inco"]
    assert "was ended by signal 9" in found.logs[1].doubts[0].message


def test_larger_logs_are_begun_first_and_results_stand_in_the_order_of_the_logs(tmp_path: Path) -> None:
    """With two processes the two largest logs are begun first; the results are in the order given."""

    def work(source: str, progress: Progress) -> LogResult:
        (tmp_path / source).write_text(str(time.monotonic_ns()))
        time.sleep(0.2)
        return good(source)

    names = ["a", "b", "c", "d", "e"]
    found = judged(jobs(*names), work, blank, processes=2)
    assert [one.path for one in found.logs] == names
    begun = sorted(names, key=lambda name: int((tmp_path / name).read_text()))
    assert set(begun[:2]) == {"d", "e"}
    assert begun[-1] == "a"


def test_one_log_needs_no_process() -> None:
    """However many processes may be used, one log is checked in this one."""

    def work(source: str, progress: Progress) -> LogResult:
        assert os.getpid() == here
        return good(source)

    here = os.getpid()
    assert sentences(judged(jobs("a"), work, blank, processes=8).logs) == [("conforms", "")]


def _until(offset: int) -> Work[str]:
    """Return work that is interrupted in the log `b`, at an offset."""

    def work(source: str, progress: Progress) -> LogResult:
        if source == "b":
            note = progress.judging(read_log(RECORDED / "first-boot"))
            note(offset)
            raise KeyboardInterrupt
        return good(source)

    return work


def test_what_is_stopped_keeps_what_is_done() -> None:
    """On Ctrl-C finished logs keep their verdicts; the present one says its offset, others that they were not begun."""
    follow = Followed()
    found = judged(jobs("a", "b", "c"), _until(42), blank, follow=follow)
    end = read_log(RECORDED / "first-boot").batches[-1].last_offset + 1
    assert found.stopped
    assert sentences(found.logs) == [
        ("conforms", ""),
        ("inconclusive", f"stopped at offset 42 of about {end}"),
        ("inconclusive", NOT_BEGUN),
    ]
    assert follow.order == ["a"]


def test_a_stopped_conform_raises_with_its_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """`conform` stopped by Ctrl-C is an interrupt to those who do not know, and has the results for those who do."""

    def interrupted(*_: object, **__: object) -> LogResult:
        raise KeyboardInterrupt

    monkeypatch.setattr(Judge, "source", interrupted)
    with pytest.raises(KeyboardInterrupt) as raised:
        conform([RECORDED / "first-boot"], KRAFT)
    assert isinstance(raised.value, Stopped)
    assert raised.value.result.exit_code is ExitCode.STOPPED == 130
    assert raised.value.result.verdict is Verdict.INCONCLUSIVE


def test_how_far_reading_and_judging_are() -> None:
    """Reading counts the bytes of the files on disk, gzipped or not; checks go from the first offset to the last."""
    (source,) = find_logs([RECORDED / "first-boot"])
    read: list[int] = []
    log = read_log(source, read.append)
    assert read == sorted(read)
    assert source.size * 0.5 < read[-1] <= source.size
    stages: list[Stage] = []

    class Kept(Progress):
        def judged(self, offset: int) -> None:
            super().judged(offset)
            stages.append(self.stage)

    (found,) = conform([RECORDED / "first-boot"], None).logs
    again = TermJudge(StaticSettings(), Options(PASSED_THROUGH)).log(log, Kept())
    assert again.as_json() == found.as_json()
    last_pass = [stage for stage in stages if stage.passes == stages[-1].passes]
    assert [stage.offset for stage in last_pass] == [batch.base_offset for batch in log.batches]
    assert {stage.end for stage in stages} == {log.batches[-1].last_offset + 1}


def test_what_cannot_be_looked_into_is_found_where_it_is_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that may not be listed is an error, or with `keep` a source whose reading says why."""
    shutil.copytree(RECORDED / "first-boot", tmp_path / "good")
    (tmp_path / "shut").mkdir()
    real = os.scandir

    def scandir(path: Any) -> Any:
        if Path(path).name == "shut":
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    with pytest.raises(TraceError, match="shut: the directory cannot be listed"):
        find_logs([tmp_path])
    sources = find_logs([tmp_path], keep=True)
    assert [Path(one.path).name for one in sources] == ["good", "shut"]
    with pytest.raises(TraceError, match=r"shut: the directory cannot be listed .*check its permissions"):
        read_log(sources[1])
    logs = conform([tmp_path / "shut", tmp_path / "good"], None).logs
    assert [one.verdict.value for one in logs] == ["inconclusive", "conforms"]
