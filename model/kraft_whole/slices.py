"""The bounds at which `kraft-whole` is explored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fencepost.model.kraft import state as domain
from fencepost.model.kraft.bounds import EVERYBODY, broker
from fencepost.model.language.vocabulary import *

from .lifting import HARD
from .protocol import KRAFT_WHOLE
from .state import at_start

x, b = domain.x, domain.b
DIES: Term[Any] = broker(0)
_only_it = only(some(DIES))


def begins(fenced: bool, isr: Term[Any], leader: Term[Any] | None) -> Term[bool]:
    """Return the condition that the log begins with a cluster whose brokers are fenced or not, with that partition."""
    of = {state.name: one for state, one in at_start.of.items()}
    is_fenced = of[HARD[0].name]
    each = is_fenced.at(x) if fenced else ~is_fenced.at(x)
    return all_of(
        forall(x, each),
        of[HARD[1].name].at().is_(isr),
        of[HARD[2].name].at().is_(leader),
        of[HARD[3].name].at().is_(0),
        of[HARD[4].name].at().is_(0),
    )


def bound(
    epochs: int, offsets: int, start: Term[bool], given: Mapping[str, Term[bool]], about: str, controllers: int = 2
) -> Bound:
    """Return a bound of so many leader epochs and records."""
    sizes = {
        "Controller": controllers, "Broker": 2, "Request": 1, "leader epoch": epochs, "offset": offsets,
        "partition epoch": offsets,
    }  # fmt: skip
    return Bound(sizes, start, dict(given), about)


LED = begins(False, EVERYBODY, some(DIES))
STRANDED = begins(True, _only_it, None)
_FENCES = {"Silence": b.is_(DIES), "Heartbeat": FALSE, "Balance": FALSE}
_UNFENCES = {"Silence": FALSE, "Heartbeat": b.is_(DIES)}
_BOTH = {"Silence": b.is_(DIES), "Heartbeat": b.is_(DIES)}
WHOLE: Protocol = replace(
    KRAFT_WHOLE,
    bounds={
        "cut-fence": bound(2, 2, LED, _FENCES, "a leader dies: half of its fence is committed, or none of it, or all"),
        "cut-unfence": bound(
            2, 2, STRANDED, _UNFENCES, "the only replica in sync is back: half of its unfence is committed"
        ),
        "cut-again": bound(3, 2, LED, _FENCES, "two failovers"),
        "cut-both": bound(2, 3, LED, _BOTH, "a leader dies and is back"),
        "cut-alone": bound(2, 2, LED, _FENCES, "a leader dies, and one controller is its own successor", 1),
    },
)
NOT_FOR: tuple[NotFor, ...] = (
    not_for("no broker comes back", "DX3 DX4", "cut-fence cut-again cut-alone"),
    not_for("who comes back is no only replica in sync", "DX3 DX4", "cut-both"),
    not_for("no broker is fenced", "DX1 DX2 DX5", "cut-unfence"),
)
SLICES: tuple[Protocol, ...] = declaring((WHOLE,), *NOT_FOR)
