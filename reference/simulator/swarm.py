"""Faults that come and go while a design runs: each seed has a random part of all kinds, at random rates.

After "Swarm Testing" (Groce et al., ISSTA 2012): runs that leave some kinds out reach states that runs with all of them
seldom do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from .clock import Simulator

_SECOND = 1_000_000_000
_SHARE = 0.5

End = Callable[[], None]
"""The function that ends a fault."""


class Fault(NamedTuple):
    """A kind of fault: seconds between two of them and how long one lasts, on average, before a run scales both.

    `begin` lets one happen and returns how it ends, or None where there is nothing that it could happen to.
    """

    name: str
    every_s: float
    lasts_s: float
    begin: Callable[[], End | None]


def nothing() -> None:
    """End a fault that leaves nothing to undo."""


def chosen_faults(text: str | None, known: Sequence[str]) -> tuple[str, ...] | None:
    """Return the kinds that are named, with commas between; None for a swarm, which no text means as well.

    >>> chosen_faults("expiry, crash", ["crash", "cut", "expiry"])
    ('crash', 'expiry')
    >>> chosen_faults("all", ["crash", "cut"]), chosen_faults("none", ["crash"]), chosen_faults("swarm", ["crash"])
    (('crash', 'cut'), (), None)

    Raises ValueError, with a sentence, for a name that is none.
    """
    if text is None or text == "swarm":
        return None
    names = [one.strip() for one in text.split(",")] if text != "none" else []
    for name in names:
        if name not in known and name != "all":
            raise ValueError(f"--faults {name}: there is swarm, all, none, and {', '.join(known)}")
    return tuple(one for one in known if one in names or "all" in names)


class Swarm:
    """Lets faults happen from `start` to `stop`, which ends all that go on; `happened` counts them by name.

    Which kinds, how often and how long is drawn from the seed; `chosen` leaves only the last two to the draw.
    """

    def __init__(self, simulator: Simulator, kinds: Sequence[Fault], chosen: Sequence[str] | None) -> None:
        self.simulator = simulator
        self.happened: Counter[str] = Counter()
        self._draw = simulator.random("faults")
        self._stopped = False
        self._ends: list[End] = []
        mix = simulator.random("fault mix")
        self._kinds = [
            kind._replace(
                every_s=kind.every_s * 3 ** mix.uniform(-1, 1), lasts_s=kind.lasts_s * 3 ** mix.uniform(-1, 1)
            )
            for kind in kinds
            if (mix.random() < _SHARE if chosen is None else kind.name in chosen)
        ]

    def start(self) -> None:
        """Begin."""
        for kind in self._kinds:
            self._later(kind)

    def stop(self) -> None:
        """Let nothing more happen, and end what goes on."""
        self._stopped = True
        ends, self._ends = self._ends, []
        for end in ends:
            end()

    def _later(self, kind: Fault) -> None:
        delay = self._draw.expovariate(1 / kind.every_s)
        self.simulator.after(int(delay * _SECOND), lambda: self._happen(kind))

    def _happen(self, kind: Fault) -> None:
        if self._stopped:
            return
        end = kind.begin()
        if end is not None:
            self.happened[kind.name] += 1
            self._ends.append(end)
            lasts = self._draw.expovariate(1 / kind.lasts_s)
            self.simulator.after(int(lasts * _SECOND), lambda: self._end(end))
        self._later(kind)

    def _end(self, end: End) -> None:
        # Compared by identity: what ends one fault may well equal what ends another.
        kept = [one for one in self._ends if one is not end]
        if len(kept) < len(self._ends):
            self._ends = kept
            end()
