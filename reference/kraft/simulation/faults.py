"""Faults of a run: kinds of faults, which of them a run has, how often and how long.

Swarm testing (Groce et al., 2012): each run has a random part of all kinds at random rates, since some defects only
show where other faults are absent. All faults end before the run does, so that it can be asked whether all is well.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from fencepost.reference.simulator import SECOND

from .cluster import Cluster
from .fault_kinds import BROKER_KINDS, CONTROLLER_KINDS, LASTS, NETWORK_KINDS, FaultKind

KINDS: Mapping[str, FaultKind] = {kind.name: kind for kind in (*CONTROLLER_KINDS, *BROKER_KINDS, *NETWORK_KINDS)}
"""All kinds of faults by name."""

GROUPS: Mapping[str, tuple[str, ...]] = {
    "controllers": tuple(kind.name for kind in CONTROLLER_KINDS),
    "brokers": tuple(kind.name for kind in BROKER_KINDS),
    "network": tuple(kind.name for kind in NETWORK_KINDS),
    "crash": ("controller-crash", "broker-kill"),
    "all": tuple(KINDS),
    "none": (),
}
"""Names for several kinds at once."""

SWARM = "swarm"
"""The choice of a random part of all kinds."""

SHARE = 0.4
"""How many of all kinds a swarm run has, on average."""


@dataclass(frozen=True, slots=True)
class FaultPlan:
    """A kind of fault in a run: seconds from one to the next and how long one lasts, on average."""

    kind: FaultKind
    every_s: float
    lasts_s: float

    def __str__(self) -> str:
        return f"{self.kind.name} every {self.every_s:.0f} s, for {self.lasts_s:.0f} s"


def parse_faults(text: str) -> tuple[str, ...] | None:
    """Return the kinds that `--faults` names, in their own order, None for a swarm.

    Raises ValueError, with a sentence to print, for a name that is none.

    >>> parse_faults("crash,slow")
    ('controller-crash', 'broker-kill', 'slow')
    """
    if text == SWARM:
        return None
    chosen: dict[str, bool] = {}
    for name in filter(None, (one.strip() for one in text.split(","))):
        if name not in KINDS and name not in GROUPS:
            raise ValueError(f"--faults {name}: there is {SWARM}, {', '.join(GROUPS)}, and {', '.join(KINDS)}")
        chosen |= dict.fromkeys(GROUPS.get(name, (name,)), True)
    return tuple(name for name in KINDS if name in chosen)


def draw_plans(draw: random.Random, chosen: Sequence[str] | None) -> tuple[FaultPlan, ...]:
    """Draw how often the chosen kinds happen and how long they last; without a choice draw the kinds too."""
    names = [name for name in KINDS if draw.random() < SHARE] if chosen is None else chosen
    plans = []
    for name in names:
        kind = KINDS[name]
        every_s = kind.every_s * 4 ** draw.uniform(-1, 1)
        plans.append(FaultPlan(kind, every_s, kind.lasts_s * 4 ** draw.uniform(-1, 1)))
    return tuple(plans)


class FaultInjector:
    """Lets faults happen from `start` until `stop`; `tell(who, what)` is called at each beginning."""

    def __init__(
        self, cluster: Cluster, plans: Sequence[FaultPlan], tell: Callable[[str, str], None] = lambda who, what: None
    ) -> None:
        self.cluster, self.plans = cluster, tuple(plans)
        self.happened: dict[str, int] = {plan.kind.name: 0 for plan in plans}
        self._tell = tell
        self._random = cluster.simulator.random("faults")
        self._ends: dict[int, Callable[[], None]] = {}
        self._count = 0
        self._stopped = False

    @property
    def under_way(self) -> bool:
        """Whether a fault has begun and not ended."""
        return bool(self._ends)

    def start(self) -> None:
        """Let faults happen from now on."""
        for plan in self.plans:
            self._schedule(plan)

    def stop(self) -> None:
        """End all faults and let no more happen."""
        self._stopped = True
        ends, self._ends = self._ends, {}
        for end in ends.values():
            end()

    def _schedule(self, plan: FaultPlan) -> None:
        delay_ns = int(self._random.expovariate(1 / plan.every_s) * SECOND)
        self.cluster.simulator.after(delay_ns, lambda: self._happen(plan))

    def _happen(self, plan: FaultPlan) -> None:
        if self._stopped:
            return
        self._schedule(plan)
        begun = plan.kind.begin(self.cluster, self._random)
        if begun is None:
            return
        self.happened[plan.kind.name] += 1
        self._count += 1
        number = self._count
        self._ends[number] = begun.end
        lasts_ns = int(self._random.expovariate(1 / plan.lasts_s) * SECOND)
        self._tell(begun.who, begun.what.replace(LASTS, f"{lasts_ns / SECOND:.1f} s"))
        self.cluster.simulator.after(lasts_ns, lambda: self._end(number))

    def _end(self, number: int) -> None:
        end = self._ends.pop(number, None)
        if end is not None:
            end()
