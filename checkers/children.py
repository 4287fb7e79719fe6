"""Processes that this one starts: none outlives it, and a signal ends it with them.

A child that is forked or spawned calls `begin` first: Ctrl-C is for the process that asked, and where that one is gone,
however it ended, the child is, too. Programs run below a process that ends their group when this one is gone.
"""

from __future__ import annotations

import ctypes
import math
import multiprocessing
import os
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing.connection import wait
from multiprocessing.context import SpawnContext, SpawnProcess

from fencepost.checkers.memory import guard_imports
from fencepost.checkers.verdicts import ENDING, ExitCode, Refusal

GRACE = 1.0
"""Seconds that workers have to remove what they wrote before they are killed."""


def can_fork() -> bool:
    """Return whether this system can fork processes: Windows cannot."""
    return "fork" in multiprocessing.get_all_start_methods()


def begin(cleanly: bool = False, parent: int | None = None) -> None:
    """Make this process a child: Ctrl-C is not for it, and it ends with its parent, by default that of multiprocessing.

    `cleanly`: SIGTERM unwinds it. The parent may have taken the signals that end a process.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in ENDING:
        signal.signal(number, _unwind if cleanly else signal.SIG_DFL)
    _end_with_parent(parent)


def _unwind(number: int, _: object) -> None:
    raise SystemExit(128 + number)


def _end_with_parent(number: int | None) -> None:
    """Have this process killed when its parent ends: by the system where it can, else by a thread that watches."""
    parent = multiprocessing.parent_process()
    expected = number if number is not None or parent is None else parent.pid
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
            if expected is not None and os.getppid() != expected:
                os._exit(1)
            return
    if parent is not None:
        threading.Thread(target=_watch, args=(parent.sentinel,), daemon=True).start()


def _watch(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


class _Worker(SpawnProcess):
    """A worker of a pool: what ends it outside of its work is seen by who asked, and said there."""

    def run(self) -> None:
        """Work until there is no more."""
        try:
            begin(True)
            guard_imports()
            super().run()
        except Exception:
            os._exit(1)


class _Context(SpawnContext):
    Process = _Worker


@contextmanager
def pool(count: int) -> Iterator[ProcessPoolExecutor]:
    """Yield some spawned workers, which end with the block; where it is left by an error they end at once.

    Raises `Refusal` where a worker was ended, by the system or because it could not begin.
    """
    workers = ProcessPoolExecutor(count, _Context())
    try:
        yield workers
    except BaseException as error:
        processes = list((workers._processes or {}).values())
        workers.shutdown(wait=False, cancel_futures=True)
        until = time.monotonic() + GRACE
        for one in processes:
            one.terminate()
        for one in processes:
            one.join(max(0.0, until - time.monotonic()))
            if one.exitcode is None:
                one.kill()
        if isinstance(error, BrokenProcessPool):
            said = "the process of a worker was ended, as when memory runs out: give it more, or fewer --jobs"
            raise Refusal(said, ExitCode.INCONCLUSIVE) from error
        raise
    finally:
        workers.shutdown()


_GUARD = """
import os, signal, subprocess, sys, threading
def watch():
    os.read(int(sys.argv[1]), 1)
    os.killpg(0, signal.SIGKILL)
threading.Thread(target=watch, daemon=True).start()
sys.exit(subprocess.call(sys.argv[2:]))
"""
"""A process that runs a program, and kills its whole group when the pipe to the process that asked is closed."""


def output_of(
    command: Sequence[str],
    folder: str,
    environment: Mapping[str, str],
    timeout: float,
    *,
    errors: bool = True,
    most: float = math.inf,
) -> str | None:
    """Return what a program prints, with its errors or without, or None where it takes longer than `timeout` seconds.

    It and its children are ended then, where it prints more than `most` bytes, of which the first are returned, and
    when this process ends.
    """
    theirs, ours = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-S", "-E", "-c", _GUARD, str(theirs), *command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if errors else subprocess.DEVNULL,
        start_new_session=True,
        pass_fds=(theirs,),
    )
    os.close(theirs)
    try:
        printed = _read(process, time.monotonic() + timeout, most)
        return None if printed is None else printed.decode("utf-8", "replace")
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        os.close(ours)


def _read(process: subprocess.Popen[bytes], until: float, most: float) -> bytes | None:
    """Return the output of a process to its end, or the first bytes of more than `most`; None where it is late."""
    assert process.stdout is not None
    printed = bytearray()
    with selectors.DefaultSelector() as ready:
        ready.register(process.stdout, selectors.EVENT_READ)
        while len(printed) <= most:
            if not ready.select(max(0.0, until - time.monotonic())):
                return None
            chunk = os.read(process.stdout.fileno(), 1 << 16)
            if not chunk:
                try:
                    process.wait(max(0.0, until - time.monotonic()))
                except subprocess.TimeoutExpired:
                    return None
                break
            printed += chunk
    return bytes(printed)


__all__ = ["begin", "output_of", "pool"]
