"""The timing of one lease: what a broker's and a controller's timer may do, as inequalities over one exchange.

Parameters. `Tb` and `Tc` are the lengths of the broker's and of the controller's timer, each by its owner's clock; `gb`
and `gc` how late each may notice, by the same clock, that its timer is over (a check every so often); `D` the longest
that a message is under way, in real time. `ρb` and `ρc` are the drift of the two clocks: **while one second of real
time passes, a clock goes on by at least 1-ρ and at most 1+ρ seconds**, and may change its rate at any time. So a timer
of length T ends between T/(1+ρ) and T/(1-ρ) after its start.

Unknowns of a run. A heartbeat is sent, is `going` seconds under way and received: the controller's timer starts. Its
answer is `coming` seconds under way: a broker's timer starts when the answer arrives, or counts from when the heartbeat
was sent. `belief` is how long the broker's timer then lasts in real time, `belief_clock` what its clock shows of it;
`session` and `session_clock` are the controller's. After this exchange nothing gets through: `renewals` has the proof
that no other run is worse. The broker believes before the end of `belief`; the controller may act from the end of
`session` on.
"""

from __future__ import annotations

import enum
from functools import cache
from typing import Any

import z3

from .linear import Form, Inequality, Polynomial, above, at_least

PARAMETERS = ("Tb", "Tc", "gb", "gc", "D", "N")
CLOCKS = ("belief_clock", "session_clock")
"""Clock values: eliminated first, whatever is checked of the run."""

UNKNOWNS = ("earlier", "apart", "round_clock", "coming", "going", "belief", "session", "gap")
"""The other unknowns in the order in which they are eliminated, those that a question has."""


class Start(enum.Enum):
    """When a broker's timer starts."""

    SEND = "send"
    ANSWER = "answer"


class Delay(enum.Enum):
    """Assumptions about the time that a message is in flight."""

    ANY = "any"
    BOUNDED = "bounded"


@cache
def symbols() -> dict[str, Any]:
    """Return the parameters, rates of clocks included, as terms of the solver."""
    broker, controller = z3.Real("ρb"), z3.Real("ρc")
    rates = {"slow_b": 1 - broker, "fast_b": 1 + broker, "slow_c": 1 - controller, "fast_c": 1 + controller}
    return {**{name: z3.Real(name) for name in PARAMETERS}, **rates}


@cache
def assumed() -> tuple[Any, ...]:
    """Return what is known of the parameters: lengths are positive, drift is at least 0 and below 1."""
    known = symbols()
    drifts = [z3.Real("ρb"), z3.Real("ρc")]
    return (
        known["Tb"] > 0,
        known["Tc"] > 0,
        *(known[name] >= 0 for name in ("gb", "gc", "D", "N")),
        *(condition for drift in drifts for condition in (drift >= 0, drift < 1)),
    )


def parameter(*names: str) -> Form:
    """Return a product of parameters."""
    return Form.parameter(*names)


def unknown(name: str) -> Form:
    """Return an unknown of the run."""
    return Form.unknown(name)


def timers() -> tuple[Inequality, ...]:
    """Return what the timers obey: a clock shows their length, and at most the tick more, at a rate within drift."""
    found: list[Inequality] = []
    for name, length, tick, slow, fast in (
        ("belief", "Tb", "gb", "slow_b", "fast_b"),
        ("session", "Tc", "gc", "slow_c", "fast_c"),
    ):
        shown, real = unknown(f"{name}_clock"), unknown(name)
        found += [
            at_least(shown, parameter(length)),
            at_least(parameter(length) + parameter(tick), shown),
            at_least(shown, real.times(Polynomial.parameter(slow))),
            at_least(real.times(Polynomial.parameter(fast)), shown),
        ]
    return tuple(found)


def delays(delay: Delay) -> tuple[Inequality, ...]:
    """Return what the network obeys: no message is early, none later than `D` if delays are bounded."""
    found = [at_least(unknown(name), Form()) for name in ("going", "coming")]
    if delay is Delay.BOUNDED:
        found += [at_least(parameter("D"), unknown(name)) for name in ("going", "coming")]
    return tuple(found)


def belief_ends(start: Start, answered: bool = True) -> Form:
    """Return when the broker stops, counted from the last receipt of a heartbeat.

    Without `answered` the answer to that heartbeat is lost, and the broker's timer runs since an `earlier` exchange.
    """
    begin = -unknown("going") if start is Start.SEND else unknown("coming")
    return begin + unknown("belief") - (Form() if answered else unknown("earlier"))


def two_believers(start: Start) -> tuple[Inequality, ...]:
    """Return that the controller's timer ends before the broker's: for `gap` a broker believes that is replaced."""
    return (at_least(belief_ends(start), unknown("session") + unknown("gap")), above(unknown("gap"), Form()))


def gave_up_first(start: Start, answered: bool = True) -> tuple[Inequality, ...]:
    """Return that the broker stops the time `gap` before it is declared inactive: KIP-343 does not want it (S0:50)."""
    earlier = () if answered else (at_least(unknown("earlier"), Form()),)
    first = at_least(unknown("session"), belief_ends(start, answered) + unknown("gap"))
    return (first, above(unknown("gap"), Form()), *earlier)


def outage() -> tuple[Inequality, ...]:
    """Return that `outage` passes from a broker's death to the moment at which the controller may act.

    It is longest for a broker that dies when its last heartbeat has just left.
    """
    return (at_least(unknown("going") + unknown("session"), unknown("outage")),)


def served() -> tuple[Inequality, ...]:
    """Return that a broker serves for `served` after it was cut off: from when its last answer arrived until it stops.

    It is longest if the timer starts at the answer; one that counts from the send has run for as long as both messages.
    """
    return (at_least(unknown("belief"), unknown("served")),)


def lapses_at_controller() -> tuple[Inequality, ...]:
    """Return that the controller gives up a broker that lives: two heartbeats are received too far apart.

    `N` is the time between sending them by the broker's clock: the heartbeat's period, times one more than are lost.
    """
    apart = unknown("apart")
    return (
        at_least(parameter("N"), apart.times(Polynomial.parameter("slow_b"))),
        at_least(apart.times(Polynomial.parameter("fast_b")), parameter("N")),
        above(apart + unknown("going"), unknown("session")),
    )


def lapses_at_broker() -> tuple[Inequality, ...]:
    """Return that a broker gives itself up although it lives: an answer arrives too late after the last one.

    Its clock shows `N` from one sending to the next, and `round_clock` from there to the answer.
    """
    real, shown = unknown("going") + unknown("coming"), unknown("round_clock")
    return (
        at_least(shown, real.times(Polynomial.parameter("slow_b"))),
        at_least(real.times(Polynomial.parameter("fast_b")), shown),
        above(parameter("N") + shown, parameter("Tb")),
    )
