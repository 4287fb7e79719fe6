"""Processes of a command: each ends with it, however it ends; Ctrl-C ends a check at once, with what was done."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from fencepost.checkers import children
from fencepost.checkers.check import run
from fencepost.checkers.check.stages import Stage
from fencepost.checkers.memory import short_of_memory
from fencepost.checkers.verdicts import ExitCode, Refusal

if sys.platform == "win32":
    pytest.skip("processes and signals are those of Linux and macOS", allow_module_level=True)

WAITING = """
import os, sys, time
def wait(path):
    open(f"{path}/{os.getpid()}", "w").close()
    time.sleep(600)
"""
POOL = """
from fencepost.checkers.children import pool
from waiting import wait
if __name__ == "__main__":
    with pool(2) as workers:
        list(workers.map(wait, ["there"] * 2))
"""
FORKED = """
from fencepost.checkers.proof.processes import shared
from waiting import wait
list(shared(lambda: lambda job: wait("there"), [[(1,)], [(2,)]], 600, 2))
"""
MUTANTS = """
from types import SimpleNamespace
from fencepost.checkers.mutation.run import judged
from waiting import wait
checker = SimpleNamespace(judge=lambda mutant, earlier: wait("there"))
list(judged([1, 2], [("waits", checker)]))
"""
PROGRAM = """
import os, sys
from fencepost.checkers.children import output_of
output_of([sys.executable, "-c", "from waiting import wait; import os; os.fork(); wait('there')"], ".", os.environ, 600)
"""


def _alive(number: int) -> bool:
    """Whether a process runs: one that has ended and was not waited for does not."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    done = subprocess.run(["ps", "-o", "stat=", "-p", str(number)], capture_output=True, text=True, check=False)
    return not done.stdout.strip().startswith("Z") and bool(done.stdout.strip())


def _awaited(holds: Callable[[], bool]) -> bool:
    """Whether something comes to hold within a minute, which a loaded machine may need."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if holds():
            return True
        time.sleep(0.05)
    return holds()


@pytest.mark.parametrize("program", [POOL, FORKED, MUTANTS, PROGRAM], ids=["spawned", "forked", "mutants", "program"])
def test_no_child_outlives_a_parent_that_is_killed(program: str, tmp_path: Path) -> None:
    """Where a process is killed in the middle of its work, all that it started is gone."""
    (tmp_path / "waiting.py").write_text(WAITING)
    (tmp_path / "program.py").write_text(program)
    there = tmp_path / "there"
    there.mkdir()
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    parent = subprocess.Popen([sys.executable, "program.py"], cwd=tmp_path, env=environment, start_new_session=True)
    try:
        assert _awaited(lambda: len(list(there.iterdir())) == 2)
        numbers = [int(one.name) for one in there.iterdir()]
        parent.kill()
        parent.wait()
        assert _awaited(lambda: not any(map(_alive, numbers)))
    finally:
        parent.kill()
        parent.wait()
        for one in there.iterdir():
            if _alive(int(one.name)):
                os.kill(int(one.name), signal.SIGKILL)


def _sleeps(name: str) -> Stage:
    """A stage that never ends."""
    time.sleep(600)
    return Stage(name, "", ExitCode.AS_DECLARED, ())


def _done(name: str) -> Stage:
    """A stage that ends at once."""
    return Stage(name, "proved", ExitCode.AS_DECLARED, ("said",))


def test_a_check_that_is_stopped_has_what_was_done() -> None:
    """Ctrl-C leaves the stages that are done, says how many are not, ends with 130, and awaits no stage in work."""

    def stop(stage: Stage, done: int, total: int) -> None:
        raise KeyboardInterrupt

    began = time.monotonic()
    found = run._together([("p", _done, ("proof",)), ("p", _sleeps, ("a",)), ("p", _sleeps, ("b",))], stop, 2)
    assert time.monotonic() - began < 60
    stages = run._gathered([stage for _, stage in found])
    assert [stage.name for stage in stages] == ["proof", "stopped"]
    assert stages[-1].lines == ("stopped: 2 stages were not asked",)
    assert run.Check({"p": tuple(stages)}, {"p": ""}, (), 0.0).exit_code is ExitCode.STOPPED


def _killed() -> None:
    """A worker that the system ends, as where memory runs out."""
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_that_is_killed_is_inconclusive() -> None:
    """Where the system ends a worker the command is inconclusive, with what to do, whichever process asked it."""
    with pytest.raises(Refusal, match="as when memory runs out: give it more, or fewer --jobs") as refused:
        run._together([("p", _killed, ())], None, 1)
    assert refused.value.code is ExitCode.INCONCLUSIVE


def _unloaded() -> None:
    """A library that is not found, for want of memory."""
    try:
        raise OSError("libllvmlite.so: failed to map segment from shared object")
    except OSError as error:
        raise OSError("Could not find/load shared object file 'libllvmlite.so'") from error


def test_short_memory_of_a_worker_is_known_where_it_was_asked() -> None:
    """What an error of a worker came from, which is sent as a text alone, still says that memory is short."""
    with pytest.raises(OSError, match="Could not find") as raised:
        run._together([("p", _unloaded, ())], None, 1)
    assert short_of_memory(raised.value)


def test_a_digest_without_room_says_that_memory_is_short() -> None:
    """OpenSSL 3.0 says so as an initialization error; a digest that a build refuses is something else."""
    assert short_of_memory(ValueError("[digital envelope routines] initialization error"))
    assert not short_of_memory(ValueError("[digital envelope routines] unsupported"))


def test_ctrl_c_ends_a_query_of_this_process() -> None:
    """Ctrl-C in the middle of a query, which the solver would take for itself, ends the query and the command."""
    z3, solvers = pytest.importorskip("z3"), pytest.importorskip("fencepost.checkers.proof.solvers")
    solver = z3.Solver()
    pigeons = [[z3.Bool(f"{one} in {hole}") for hole in range(12)] for one in range(13)]
    solver.add(*map(z3.Or, pigeons))
    solver.add(*(z3.AtMost(*(one[hole] for one in pigeons), 1) for hole in range(12)))
    solver.set("timeout", 600_000)
    begun, ended = threading.Event(), threading.Event()

    def check() -> object:
        begun.set()
        try:
            return solver.check()
        finally:
            ended.set()

    def send() -> None:
        begun.wait()
        os.kill(os.getpid(), signal.SIGINT)

    # A shell that starts a command in the background has it ignore the signal, as then this process would.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    sender = threading.Thread(target=send)
    sender.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            solvers.solved(SimpleNamespace(check=check, ctx=solver.ctx))
    finally:
        signal.signal(signal.SIGINT, before)
    assert ended.is_set()
    sender.join()


def test_a_program_that_takes_too_long_is_ended() -> None:
    """What a program prints is returned, and None where it takes longer than it may."""
    assert children.output_of([sys.executable, "-c", "print('said')"], ".", os.environ, 60) == "said\n"
    assert children.output_of([sys.executable, "-c", "import time; time.sleep(600)"], ".", os.environ, 0.2) is None


def test_sigterm_ends_a_command_with_its_files_and_children(tmp_path: Path) -> None:
    """A command that is asked to end is ended by that signal, after it has removed its temporary folders."""
    program = (
        "import sys, tempfile, time, fencepost.checkers.cli.application as cli\n"
        "def held(*_, **__):\n"
        "    with tempfile.TemporaryDirectory():\n"
        "        open('ready', 'w').close()\n"
        "        time.sleep(600)\n"
        "cli.main = held\n"
        "cli.run()\n"
    )
    folder = tmp_path / "tmp"
    folder.mkdir()
    environment = {**os.environ, "TMPDIR": str(folder)}
    process = subprocess.Popen(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL
    )
    assert _awaited((tmp_path / "ready").exists)
    process.terminate()
    assert process.wait(60) != 0
    assert list(folder.iterdir()) == []
