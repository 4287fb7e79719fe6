"""Why one exchange is enough: whatever heartbeats are sent, lost, late or answered, the last timers are no worse.

The broker keeps the latest start that an answer gave it, the controller the latest receipt. By induction over the
events of a run (a heartbeat is sent, is received, its answer arrives, time passes) the two starts stay as close as
those of a single exchange; so what is derived of one exchange holds of all runs, for any number of heartbeats under way
at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import z3

from .elimination import Proved, proved
from .timing import Start


@dataclass(frozen=True)
class _State:
    """The time, both timers' starts, and of each heartbeat whether and when it was sent and received."""

    now: Any
    broker: Any
    controller: Any
    sent: Any
    received: Any
    was_sent: Any
    was_received: Any

    def fine(self, start: Start, delay: Any) -> Any:
        """The invariant: a receipt lies between its sending and the controller's start, like the broker's."""
        any_one = z3.Const("any", _HEARTBEAT)
        latest = self.controller if start is Start.SEND else self.controller + delay
        return z3.And(
            self.broker <= latest,
            self.controller <= self.now,
            z3.ForAll(any_one, z3.Implies(self.was_sent(any_one), self.sent(any_one) <= self.now)),
            z3.ForAll(
                any_one,
                z3.Implies(
                    self.was_received(any_one),
                    z3.And(
                        self.was_sent(any_one),
                        self.sent(any_one) <= self.received(any_one),
                        self.received(any_one) <= self.controller,
                    ),
                ),
            ),
        )


_HEARTBEAT = z3.DeclareSort("Heartbeat")


def _state(mark: str) -> _State:
    times = [z3.Real(f"{name}{mark}") for name in ("now", "broker", "controller")]
    reals = [z3.Function(f"{name}{mark}", _HEARTBEAT, z3.RealSort()) for name in ("sent", "received")]
    facts = [z3.Function(f"{name}{mark}", _HEARTBEAT, z3.BoolSort()) for name in ("was_sent", "was_received")]
    return _State(*times, *reals, *facts)


def _same(old: _State, new: _State, but: Any = None) -> Any:
    """The history of heartbeats is unchanged, but for one of them."""
    one = z3.Const("one", _HEARTBEAT)
    kept = z3.And(
        *(
            getattr(new, name)(one) == getattr(old, name)(one)
            for name in ("sent", "received", "was_sent", "was_received")
        )
    )
    return z3.ForAll(one, kept if but is None else z3.Or(one == but, kept))


def _events(old: _State, new: _State, start: Start, delay: Any) -> dict[str, Any]:
    """The events of a run as conditions on the state before and after."""
    h = z3.Const("h", _HEARTBEAT)
    still = z3.And(new.now == old.now, new.broker == old.broker, new.controller == old.controller)
    offered = old.sent(h) if start is Start.SEND else old.now
    in_time = z3.BoolVal(True) if start is Start.SEND else old.now <= old.received(h) + delay
    return {
        "a heartbeat is sent": z3.And(
            still, z3.Not(old.was_sent(h)), _same(old, new, h),
            new.was_sent(h), new.sent(h) == old.now, z3.Not(new.was_received(h)),
        ),
        "a heartbeat is received": z3.And(
            new.now == old.now, new.broker == old.broker, _same(old, new, h),
            old.was_sent(h), z3.Not(old.was_received(h)),
            new.was_sent(h), new.sent(h) == old.sent(h), new.was_received(h), new.received(h) == old.now,
            new.controller == old.now,
        ),
        "an answer arrives": z3.And(
            new.now == old.now, new.controller == old.controller, _same(old, new), old.was_received(h), in_time,
            new.broker == z3.If(offered > old.broker, offered, old.broker),
        ),
        "time passes": z3.And(
            new.now >= old.now, new.broker == old.broker, new.controller == old.controller, _same(old, new)
        ),
    }  # fmt: skip


def renewals() -> tuple[Proved, ...]:
    """Return the induction for both forms, and the step from a run's two timers to a single exchange."""
    delay, old, new = z3.Real("D"), _state(""), _state("'")
    found = []
    for start in Start:
        latest = "the controller's" if start is Start.SEND else "the controller's and D"
        first = z3.And(old.broker == old.now, old.controller == old.now)
        nothing = z3.Const("none", _HEARTBEAT)
        none_yet = z3.ForAll(nothing, z3.Not(z3.Or(old.was_sent(nothing), old.was_received(nothing))))
        claim = f"from the {start.value}: the broker's timer starts no later than {latest}"
        found.append(proved(f"{claim}; at the beginning", [delay >= 0, first, none_yet], old.fine(start, delay)))
        for name, event in _events(old, new, start, delay).items():
            given = [delay >= 0, old.fine(start, delay), event]
            found.append(proved(f"{claim}; if {name}", given, new.fine(start, delay)))
    return (*found, *_single_exchange(delay), *_chosen_lengths())


def _single_exchange(delay: Any) -> tuple[Proved, ...]:
    """A run whose timers start so far apart overlaps no more than a single exchange of some delay does."""
    broker, controller, belief, session = (z3.Real(name) for name in ("broker", "controller", "belief", "session"))
    overlaps = broker + belief > controller + session
    going = controller - broker
    coming = z3.If(broker > controller, broker - controller, 0)
    return (
        proved(
            "from the send: the last starts are those of one exchange",
            [broker <= controller, overlaps],
            z3.And(going >= 0, -going + belief > session),
        ),
        proved(
            "from the answer: the last starts are no worse than those of one exchange",
            [delay >= 0, broker <= controller + delay, overlaps],
            z3.And(coming >= 0, coming <= delay, coming + belief > session),
        ),
    )


def _chosen_lengths() -> tuple[Proved, ...]:
    """Lengths that are chosen anew in each answer (S2:43): safe if the controller keeps its longest promise, else not.

    Of each heartbeat the region says that the broker's timer is over no later than the controller's; these two ends are
    all that is looked at here.
    """
    ends, promise = (z3.Function(name, _HEARTBEAT, z3.RealSort()) for name in ("broker_ends", "controller_ends"))
    before, after = (z3.Function(f"received{mark}", _HEARTBEAT, z3.BoolSort()) for mark in ("", "'"))
    belief, acts, then_belief, then_acts = (z3.Real(name) for name in ("belief", "acts", "belief'", "acts'"))
    h, one = z3.Const("h", _HEARTBEAT), z3.Const("one", _HEARTBEAT)

    def fine(belief: Any, acts: Any, received: Any) -> Any:
        return z3.And(belief <= acts, z3.ForAll(one, z3.Implies(received(one), ends(one) <= acts)))

    same = z3.ForAll(one, after(one) == before(one))
    received = z3.ForAll(one, after(one) == z3.Or(before(one), one == h))
    kept = z3.And(received, then_belief == belief, then_acts == z3.If(promise(h) > acts, promise(h), acts))
    answered = z3.And(same, before(h), then_acts == acts, z3.Or(then_belief == ends(h), then_belief == belief))
    given = [fine(belief, acts, before), ends(h) <= promise(h)]
    goal = fine(then_belief, then_acts, after)
    claim = "lengths chosen in each answer are safe if the controller keeps its longest promise"
    again, short, long = (z3.Real(name) for name in ("again", "short", "long"))
    return (
        proved(f"{claim}; if a heartbeat is received", [*given, kept], goal),
        proved(f"{claim}; if an answer arrives", [*given, answered], goal),
        proved(
            "with the last promise alone they are not: a shorter one whose answer is lost ends before the longer one",
            [again > 0, short > 0, again + short < long, belief == long, acts == again + short],
            acts < belief,
        ),
    )
