"""The plan of a run: everything that, with the code, decides it to the byte."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

WALL_CLOCK_START_MS = 1_700_000_000_000
"""When every run begins, on the wall clock of its logs."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A run: its seed, how long it lasts, its brokers, its faults, the bugs put into it.

    `faults` is `swarm` for a random part of all kinds, else names with commas between; `none` for none. The last
    `quiet_seconds` are without faults and without work, so that it can be asked whether all is well; in their middle
    the controller is replaced once more. `work` is false for a cluster that is left to a script.
    """

    seed: int = 1
    seconds: float = 120
    brokers: int = 4
    faults: str = "swarm"
    bugs: tuple[str, ...] = ()
    quiet_seconds: float = 60
    work: bool = True

    def command(self) -> str:
        """Return the command that repeats the run."""
        words = ["fencepost", "simulate", "--protocol", "zk", "--seed", str(self.seed), "--time"]
        words.append(f"{self.seconds:.12g}s")
        default = Plan()
        if self.faults != default.faults:
            words += ["--faults", self.faults]
        if self.brokers != default.brokers:
            words += ["--brokers", str(self.brokers)]
        for bug in self.bugs:
            words += ["--inject", bug]
        return shlex.join(words)
