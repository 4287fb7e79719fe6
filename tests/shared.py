"""What the processes of a run share: made by the first that needs it, for the others too."""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """Return a path that `make` has filled or left empty in this run, in whichever of its processes came first.

    Where `make` raises, the next process tries again.
    """
    base = factory.getbasetemp()
    # Each worker of pytest-xdist has a folder of its own in that of the run.
    run = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    place = run / f"shared-{name}"
    with (run / f"shared-{name}.lock").open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.seek(0)
        if not lock.read():
            make(place)
            lock.write("made")
    return place
