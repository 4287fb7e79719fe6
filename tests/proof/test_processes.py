"""The solver's processes: shared work comes back, and a job that runs away is ended without losing the rest."""

import os
import signal
import time
from collections.abc import Callable

import numpy as np

from fencepost.checkers.proof.processes import Job, shared


def _maker() -> Callable[[Job], object]:
    def work(job: Job) -> object:
        name, seconds = job
        if name == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(seconds)
        if name == "large":
            np.zeros(1 << 50, np.uint8)
        if name == "bad":
            raise ValueError("no")
        return name.upper()

    return work


def test_every_job_comes_back_once() -> None:
    """Jobs of several batches come back with their results, whichever process did them."""
    batches = [[(f"{batch}{n}", 0.0) for n in range(3)] for batch in "abc"]
    results = {job[0]: result for job, result, _ in shared(_maker, batches, 10.0, 2)}
    assert results == {f"{batch}{n}": f"{batch}{n}".upper() for batch in "abc" for n in range(3)}


def test_a_batch_afresh_has_a_process_of_its_own() -> None:
    """What one batch leaves in memory no other finds; the jobs of a batch are done by one process."""

    def make() -> Callable[[Job], int]:
        return lambda job: os.getpid()

    batches = [[(batch, n) for n in range(3)] for batch in range(4)]
    found = {job: process for job, process, _ in shared(make, batches, 10.0, 2, afresh=True)}
    of_batches = [{found[job] for job in batch} for batch in batches]
    assert [len(one) for one in of_batches] == [1] * 4
    assert len(set().union(*of_batches)) == 4


def test_a_runaway_is_ended_and_the_rest_is_done() -> None:
    """A job beyond its time has no result and says why; the jobs after it in its batch are still done."""
    results = {job[0]: (result, why) for job, result, why in shared(_maker, [[("slow", 60.0), ("next", 0.0)]], 0.5, 1)}
    assert results["slow"][0] is None
    assert results["slow"][1].startswith("ended after")
    assert results["next"] == ("NEXT", "")


def test_a_failure_is_told() -> None:
    """A job that raises has no result and says what was raised; its process goes on."""
    results = {job[0]: (result, why) for job, result, why in shared(_maker, [[("bad", 0.0), ("next", 0.0)]], 5.0, 1)}
    assert results == {"bad": (None, "ValueError: no"), "next": ("NEXT", "")}


def test_a_lack_of_memory_is_said_in_words() -> None:
    """A job that asks for more memory than there is says so, and how much, without the name of an exception."""
    results = {job[0]: (result, why) for job, result, why in shared(_maker, [[("large", 0.0), ("next", 0.0)]], 5.0, 1)}
    said = "it needs more memory than there is (1.00 PiB at once)"
    assert results == {"large": (None, said), "next": ("NEXT", "")}


def _short() -> Callable[[Job], object]:
    raise OSError(12, "Cannot allocate memory")


def test_a_process_that_cannot_begin_or_is_killed_is_said_in_words() -> None:
    """A worker that is killed, or that has no memory to begin with, leaves its jobs with one sentence each."""
    killed = {job[0]: why for job, _, why in shared(_maker, [[("killed", 0.0), ("next", 0.0)]], 60.0, 1)}
    assert killed == {"killed": "the solver's process was ended, as when memory runs out", "next": ""}
    short = [why for _, _, why in shared(_short, [[("one", 0.0)], [("two", 0.0)]], 60.0, 2)]
    assert short == ["it needs more memory than there is"] * 2
