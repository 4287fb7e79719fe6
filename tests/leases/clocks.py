"""A broker and a controller with clocks that drift, simulated exactly: nothing in here knows of regions."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Clock:
    """A clock whose rate changes: `rates` are spans of real time, each with a rate; the last one goes on."""

    rates: tuple[tuple[Fraction, Fraction], ...]

    def ends(self, begin: Fraction, length: Fraction) -> Fraction:
        """Return when a timer of a length by this clock, started at a real time, is over in real time."""
        now, left, until = begin, length, Fraction(0)
        for span, rate in self.rates[:-1]:
            until += span
            if now < until:
                shown = (until - now) * rate
                if shown >= left:
                    return now + left / rate
                left -= shown
                now = until
        return now + left / self.rates[-1][1]


@dataclass(frozen=True)
class Heartbeat:
    """A heartbeat: when it is sent, and how long it and its answer are under way, None for what is lost."""

    sent: Fraction
    going: Fraction | None
    coming: Fraction | None


@dataclass(frozen=True)
class Side:
    """One side's clock, the length of its timer, and how late it notices that it is over, all by that clock."""

    clock: Clock
    length: Fraction
    late: Fraction

    def over(self, begin: Fraction) -> Fraction:
        """Return when this side acts on a timer that starts at a real time."""
        return self.clock.ends(begin, self.length + self.late)


def two_believe(broker: Side, controller: Side, heartbeats: Sequence[Heartbeat], from_send: bool) -> Fraction:
    """Return how long after the controller acted a broker still believes, not above 0 where it never does.

    A heartbeat that is received after the controller acted is refused, and brings nothing.
    """
    received = sorted((h for h in heartbeats if h.going is not None), key=lambda h: h.sent + (h.going or 0))
    acts: Fraction | None = None
    answered = []
    for h in received:
        at = h.sent + (h.going or 0)
        if acts is not None and at >= acts:
            break
        acts = controller.over(at)
        if h.coming is not None:
            answered.append((at + h.coming, h.sent if from_send else at + h.coming))
    assert acts is not None, "the first heartbeat is received"
    spans = ((arrival, broker.over(start)) for arrival, start in answered)
    # An answer that arrives when its lease is over already brings nothing.
    return max((end - acts for arrival, end in spans if end > arrival), default=Fraction(-1))
