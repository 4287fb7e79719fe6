"""The entry point: imports the command line and runs it; what ends even that is one sentence, and no traceback."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence

ROOM = 128 << 20
"""The bytes of address space that the libraries of most commands need."""
COLLECTED = 200_000
"""How many objects are made before those are looked for that only refer to one another."""
STOPPED, INCONCLUSIVE, INTERNAL = 130, 3, 70
"""The exit codes of `verdicts.ExitCode`, which is not imported yet."""


def main(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code; nothing is raised."""
    from .application import main as run_one

    return run_one(arguments)


def run() -> None:
    """Run the command line of this process and end it; no traceback where Ctrl-C or a lack of memory ends it early."""
    # Tables are many small objects that stay: looking for cycles after every few hundred is a tenth of a short command.
    gc.set_threshold(COLLECTED, *gc.get_threshold()[1:])
    # OpenBLAS, which numpy loads, ends the process with 1 where it finds no room for its buffers, one a thread.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Python leaves a compiled file cut short where the disk is full, and each later command would end at its import.
    if hasattr(os, "statvfs") and (disk := os.statvfs(__file__)).f_bavail * disk.f_frsize < ROOM:
        sys.dont_write_bytecode = True
    try:
        from fencepost.checkers.memory import guard_imports, require

        require(ROOM)
        guard_imports()
        from . import application

        application.run()
    except KeyboardInterrupt:
        print("fencepost: was stopped before its end: nothing is decided", file=sys.stderr)
        sys.exit(STOPPED)
    except Exception as error:
        try:
            from fencepost.checkers.memory import MORE_MEMORY, short_of_memory

            short, more = short_of_memory(error), f": {MORE_MEMORY}"
        except Exception:  # not even that can be loaded
            short, more = isinstance(error, MemoryError), ""
        if not short:
            if os.environ.get("FENCEPOST_TRACEBACK"):
                raise
            said = f"{type(error).__name__}: {error}"
            print(f"fencepost: cannot be loaded ({said}): remove its __pycache__, or install it again", file=sys.stderr)
            sys.exit(INTERNAL)
        print(f"fencepost: the memory that there is does not suffice{more}", file=sys.stderr)
        sys.exit(INCONCLUSIVE)


if __name__ == "__main__":
    run()
