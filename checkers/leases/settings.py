"""An operator's settings, and what the derived regions say of them. Times are in milliseconds, exact (fractions)."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from fencepost.checkers.verdicts import Refusal

from .linear import Inequality
from .regions import Region, longest_outage, longest_service, region, renewal_fails
from .timing import Start

SESSION, HEARTBEAT = Fraction(9000), Fraction(2000)
"""Kafka's own: broker.session.timeout.ms and broker.heartbeat.interval.ms."""

CHECKS_A_SESSION = 8
"""How often in a session Kafka's controller looks for silent brokers (its periodic task maybeFenceStaleBroker)."""

_UNITS = {
    "us": Fraction(1, 1000), "ms": Fraction(1), "s": Fraction(1000), "min": Fraction(60_000), "m": Fraction(60_000),
    "h": Fraction(3_600_000),
}  # fmt: skip
_NUMBER = r"(?P<number>[+-]?\d+(?:\.\d+)?)\s*"


def duration(text: str, option: str) -> Fraction:
    """Return a duration such as 9s, 500ms or 1.5min in milliseconds; raises `Refusal` that names the option."""
    found = re.fullmatch(_NUMBER + r"(?P<unit>us|ms|s|min|m|h)", text.strip())
    if found is None:
        raise Refusal(f"{option} {text}: this is no duration; write a number and a unit, as in 500ms, 9s, 2min or 1h")
    value = Fraction(found["number"]) * _UNITS[found["unit"]]
    if value < 0:
        raise Refusal(f"{option} {text}: a duration is not negative; write 0s or more")
    return value


def share(text: str, option: str) -> Fraction:
    """Return a drift such as 1%, 200ppm or 0.01 as a fraction of 1; raises `Refusal` that names the option."""
    found = re.fullmatch(_NUMBER + r"(?P<unit>%|ppm|)", text.strip())
    if found is None:
        raise Refusal(f"{option} {text}: this is no drift; write a share of the time, as in 1%, 200ppm or 0.01")
    value = Fraction(found["number"]) / {"%": 100, "ppm": 1_000_000, "": 1}[found["unit"]]
    if value < 0:
        raise Refusal(f"{option} {text}: a drift is not negative; it is how far a clock is off, either way")
    if value >= 1:
        raise Refusal(f"{option} {text}: a clock with a drift of 100 % or more may stand still; write less")
    return value


@dataclass(frozen=True)
class Settings:
    """Settings, and assumptions about clocks, network and checks.

    `session` is the length of the controller's timer, `broker_timeout` of the broker's; `heartbeat` the period. `drift`
    and `controller_drift` are fractions of 1. `delay` is the longest that a message is under way, None where nothing is
    known of it. `tick` and `controller_tick` are how late either side may notice that its timer is over, by its own
    clock.
    """

    session: Fraction = SESSION
    heartbeat: Fraction = HEARTBEAT
    broker_timeout: Fraction | None = None
    drift: Fraction = Fraction(0)
    controller_drift: Fraction | None = None
    delay: Fraction | None = None
    tick: Fraction | None = None
    controller_tick: Fraction | None = None

    def __post_init__(self) -> None:
        self._refuse_nonsense()

    def _refuse_nonsense(self) -> None:
        for option, value in (
            ("--session", self.session), ("--heartbeat", self.heartbeat), ("--broker-timeout", self.lease)
        ):  # fmt: skip
            if value <= 0:
                raise Refusal(f"{option} {written(value)}: a timer without length is over at once; write more than 0s")
        for option, value in (("--session", self.session), ("--broker-timeout", self.lease)):
            if self.heartbeat >= value:
                raise Refusal(
                    f"--heartbeat {written(self.heartbeat)}: no heartbeat comes before {option} {written(value)} "
                    "is over; write a shorter period"
                )

    @property
    def lease(self) -> Fraction:
        """The length of the broker's timer; that of the session where nothing else is set."""
        return self.session if self.broker_timeout is None else self.broker_timeout

    @property
    def ticks(self) -> tuple[Fraction, Fraction]:
        """How late the broker and the controller may notice; Kafka's controller looks eight times a session."""
        own = Fraction(0) if self.tick is None else self.tick
        late = self.controller_tick if self.controller_tick is not None else self.tick
        return own, self.session / CHECKS_A_SESSION if late is None else late

    @property
    def values(self) -> dict[str, Fraction]:
        """The parameters of the timing model; a delay of which nothing is known is 0 here, and asked for elsewhere."""
        other = self.drift if self.controller_drift is None else self.controller_drift
        own, late = self.ticks
        one = Fraction(1)
        return {
            "Tb": self.lease,
            "Tc": self.session,
            "gb": own,
            "gc": late,
            "D": self.delay or Fraction(0),
            "N": self.heartbeat,
            "slow_b": one - self.drift,
            "fast_b": one + self.drift,
            "slow_c": one - other,
            "fast_c": one + other,
        }


@dataclass(frozen=True)
class Form:
    """The result for one form of the broker's timer: `start` says when the timer starts.

    `overlap` is how long after the controller may act a broker may still believe, 0 where never, None where nothing
    bounds it: then an answer that comes late revives a lapsed lease, whenever, for up to `belief`. `longest_lease` is
    the longest broker's timer that is safe, `margin` by how much the one that is set is shorter; None where none is
    safe.
    """

    start: Start
    region: Region
    safe: bool
    overlap: Fraction | None
    belief: Fraction
    longest_lease: Fraction | None
    margin: Fraction | None


@dataclass(frozen=True)
class Answer:
    """The answer about settings.

    `kip343_kept` says whether a broker is declared inactive before it gives itself up, `kip343_early` by how much it
    may give up too soon. `outage` is the longest from a broker's death to the moment at which the controller may
    replace it, None where nothing bounds delays; `served` the longest that a broker serves after it was cut off.
    `lost_at_controller` and `lost_at_broker` are how many heartbeats in a row may be lost before either side gives up;
    -1 says that even without a loss it may.
    """

    settings: Settings
    forms: Mapping[Start, Form]
    kip343_kept: bool
    kip343_early: Fraction
    outage: Fraction | None
    served: Fraction
    lost_at_controller: int
    lost_at_broker: int


def answer(settings: Settings) -> Answer:
    """Return what the derived regions say of settings."""
    values = settings.values
    kept = region("kip343")
    early = kept.gap(values)
    assert early is not None
    at_controller, at_broker = renewal_fails()
    return Answer(
        settings,
        {start: _form(settings, start) for start in Start},
        kept.contains(values),
        max(early, Fraction(0)),
        None if settings.delay is None else longest_outage().limit("outage", values),
        longest_service().limit("served", values),
        _losses(at_controller, values),
        _losses(at_broker, values),
    )


def _form(settings: Settings, start: Start) -> Form:
    bounded = settings.delay is not None
    one = region("send" if start is Start.SEND else "answer" if bounded else "answer any")
    values = settings.values
    gap, longest = one.gap(values), one.greatest("Tb", values)
    if longest is not None and longest <= 0:
        longest = None
    return Form(
        start,
        one,
        one.contains(values),
        None if gap is None else max(gap, Fraction(0)),
        one.worst(values)["belief"],
        longest,
        None if longest is None else longest - settings.lease,
    )


def _losses(fails: Inequality, values: Mapping[str, Fraction]) -> int:
    """The most heartbeats that may be lost in a row: with one more the timer may be over before the next is there."""
    constant = fails.form.constant
    without, with_one = (constant.at({**values, "N": Fraction(n)}) for n in (0, 1))
    longest = -without / (with_one - without)
    return max(-1, math.floor(longest / values["N"]) - 1)


def written(value: Fraction) -> str:
    """Return a duration as people write it: milliseconds below a second, seconds above, rounded to the microsecond."""
    if abs(value) < 1000:
        return f"{_number(value, 3)} ms"
    return f"{_number(value / 1000, 4)} s"


def _number(value: Fraction, digits: int) -> str:
    text = f"{float(value):.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def as_number(value: Fraction | None) -> Any:
    """Return a time as a JSON number of milliseconds, None where there is none."""
    if value is None:
        return None
    return int(value) if value.denominator == 1 else round(float(value), 6)
