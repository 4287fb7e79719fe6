"""The plan of a run: everything that, with the code, decides it to the byte."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field

from fencepost.reference.kraft.levels import LATEST_PRODUCTION, NAMES
from fencepost.reference.kraft.settings import Settings


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A run: its seed, how long it lasts, the cluster, its faults, the bugs put into its controllers.

    `faults` is what `--faults` says, `swarm` for a random part of all kinds. `quiet_seconds` at the end are without
    faults and without requests of administrators. `story` is the scripted run in place of a drawn one. `level` is the
    metadata.version that is formatted with, None for one drawn from the seed; administrators upgrade no further than
    to `highest`. With `odd` rare and wrong requests are sent, too; with `security` about access
    control, credentials, tokens and quotas; with `voters` an administrator changes the voters of the quorum. `scram`
    are the users that the cluster is formatted with, as `storage format --add-scram` takes them.
    """

    seed: int = 1
    seconds: float = 600
    controllers: int = 3
    brokers: int = 4
    directories: int | None = None
    racks: int | None = None
    level: int | None = None
    highest: int = LATEST_PRODUCTION
    features: tuple[tuple[str, int], ...] = ()
    settings: Settings = field(default_factory=Settings)
    changed: tuple[tuple[str, str], ...] = ()
    faults: str = "swarm"
    bugs: tuple[str, ...] = ()
    quiet_seconds: float = 60
    producers: int = 2
    odd: bool = False
    security: bool = False
    voters: bool = False
    scram: tuple[str, ...] = ()
    story: bool = False

    def command(self) -> str:
        """Return the command that repeats the run."""
        if self.story:
            return "fencepost simulate"
        words = ["fencepost", "simulate", "--seed", str(self.seed), "--time", f"{self.seconds:.12g}s"]
        default = Plan()
        if self.faults != default.faults:
            words += ["--faults", self.faults]
        if self.odd:
            words += ["--odd-requests"]
        if self.security:
            words += ["--security-requests"]
        if self.voters:
            words += ["--voter-requests"]
        for one in self.scram:
            words += ["--add-scram", one]
        for name in ("controllers", "brokers"):
            if getattr(self, name) != getattr(default, name):
                words += [f"--{name}", str(getattr(self, name))]
        if self.level is not None:
            words += ["--release-version", NAMES[self.level]]
        if self.highest != default.highest:
            words += ["--highest-version", NAMES[self.highest]]
        for name, value in self.changed:
            words += ["--set", f"{name}={value}"]
        for name in sorted(self.settings.repaired):
            words += ["--repaired", name]
        if self.settings.fork:
            words += ["--fork", self.settings.fork]
        for bug in self.bugs:
            words += ["--inject", bug]
        return shlex.join(words)


OLDEST_DRAWN = 7
"""Runs begin at a metadata.version between this one and the latest, where the plan does not say one."""
