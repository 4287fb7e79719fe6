"""Simulated clocks that drift, messages that are late or lost: never two believers inside the region, found outside."""

from fractions import Fraction

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fencepost.checkers.leases import Settings, Start, region, worst_run
from tests.cases import examples

from .clocks import Clock, Heartbeat, Side, two_believe

PERIOD = Fraction(10)
LENGTHS = st.integers(11, 80).map(Fraction)
SHARES = st.integers(0, 40).map(lambda n: Fraction(n, 100))
STARTS = st.sampled_from(Start)
TICKS = st.integers(0, 8).map(Fraction)


@st.composite
def asked(draw: st.DrawFn) -> Settings:
    """Draw settings: lengths in milliseconds, drift of both clocks, delays that are bounded, ticks of both sides."""
    return Settings(
        session=draw(LENGTHS),
        heartbeat=PERIOD,
        broker_timeout=draw(LENGTHS),
        drift=draw(SHARES),
        controller_drift=draw(SHARES),
        delay=draw(st.integers(0, 30).map(Fraction)),
        tick=draw(TICKS),
        controller_tick=draw(TICKS),
    )


@st.composite
def clocks(draw: st.DrawFn, drift: Fraction) -> Clock:
    """Draw a clock whose rate changes at will within its drift, its extremes among what is drawn."""
    rates = st.one_of(
        st.sampled_from([1 - drift, 1 + drift]), st.integers(-10, 10).map(lambda n: 1 + drift * Fraction(n, 10))
    )
    spans = st.integers(1, 40).map(Fraction)
    return Clock(tuple(draw(st.lists(st.tuples(spans, rates), min_size=1, max_size=6))))


@st.composite
def heartbeats(draw: st.DrawFn, delay: Fraction) -> list[Heartbeat]:
    """Draw heartbeats, of which the first is received and answered; any other message may be late or lost."""
    late = st.one_of(st.just(delay), st.integers(0, 10).map(lambda n: delay * Fraction(n, 10)))
    lossy = st.one_of(st.none(), late)
    found = [Heartbeat(Fraction(0), draw(late), draw(late))]
    for _ in range(draw(st.integers(0, 5))):
        found.append(Heartbeat(found[-1].sent + draw(st.integers(1, 30)), draw(lossy), draw(lossy)))
    return found


@given(st.data(), asked(), STARTS)
@settings(max_examples=examples(100), deadline=None)
def test_no_run_goes_farther_than_was_derived(data: st.DataObject, asked: Settings, start: Start) -> None:
    """However clocks go and messages fare, a broker believes for no longer than the region's bound; inside it never."""
    one, values = region(start.value), asked.values
    broker = Side(data.draw(clocks(1 - values["slow_b"])), values["Tb"], data.draw(TICKS) % (values["gb"] + 1))
    controller = Side(data.draw(clocks(1 - values["slow_c"])), values["Tc"], data.draw(TICKS) % (values["gc"] + 1))
    run = data.draw(heartbeats(values["D"]))
    found, bound = two_believe(broker, controller, run, start is Start.SEND), one.gap(values)
    assert bound is not None
    assert found <= max(bound, Fraction(0))
    if one.contains(values):
        assert found <= 0


@given(asked(), STARTS)
@settings(max_examples=examples(100), deadline=None)
def test_the_worst_run_is_a_run_and_goes_just_so_far(asked: Settings, start: Start) -> None:
    """Outside the region the run that was derived, simulated, lets two believe for exactly as long as was derived."""
    one, values = region(start.value), asked.values
    assume(not one.contains(values))
    worst = worst_run(asked, start)
    slow, fast = Clock(((Fraction(1), values["slow_b"]),)), Clock(((Fraction(1), values["fast_c"]),))
    heartbeat = Heartbeat(Fraction(0), worst.received, worst.answered - worst.received)
    broker, controller = Side(slow, values["Tb"], values["gb"]), Side(fast, values["Tc"], Fraction(0))
    found = two_believe(broker, controller, [heartbeat], start is Start.SEND)
    assert found == worst.overlap == one.gap(values)
    assert found > 0


def test_the_simulation_sees_a_lease_that_is_too_long() -> None:
    """Equal timers and clocks of 1 % drift: the session of 9 s and the lease of 9 s overlap by 180.018 ms."""
    slow, fast = Clock(((Fraction(1), Fraction(99, 100)),)), Clock(((Fraction(1), Fraction(101, 100)),))
    length = Fraction(9000)
    broker, controller = Side(slow, length, Fraction(0)), Side(fast, length, Fraction(0))
    found = two_believe(broker, controller, [Heartbeat(Fraction(0), Fraction(0), Fraction(0))], from_send=True)
    assert found == Fraction(200000, 1111)
    assert (
        two_believe(broker, Side(slow, length, Fraction(0)), [Heartbeat(Fraction(0), Fraction(5), Fraction(5))], True)
        == -5
    )
