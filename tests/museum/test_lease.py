"""What a time lease never gives: two believe, by the shortest trace; epochs keep the old leader's appends out."""

from dataclasses import replace

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import Protocol
from fencepost.model.leases import LEASE
from fencepost.model.museum import MUSEUM, Entry

ENTRIES = [entry for entry in MUSEUM if entry.base == "lease"]


def alone(protocol: Protocol, *ids: str) -> Protocol:
    """Return the protocol with some of its properties only."""
    return replace(protocol, properties=tuple(protocol.property(id) for id in ids))


@pytest.mark.representative(
    "longer_lease_fenced", "late_answer_fenced", "no_broker_timer_fenced", "one_heartbeat_fenced",
)  # fmt: skip
@pytest.mark.parametrize("entry", [one for one in ENTRIES if one.repairs], ids=lambda entry: entry.name)
def test_epochs_mend_what_is_stored_and_not_who_believes(entry: Entry) -> None:
    """With the epochs compared the leader's appends alone are stored; two may go on believing, as Kafka has it."""
    (expected,) = entry.expected
    tables = alone(entry.edited(LEASE), "LE1", "LE3")
    found = explore(tables, expected.at(tables), max_depth=14, deadlock=False, engine="numpy")
    assert found.property("LE3").verdict in (Verdict.CLOSED, Verdict.HOLDS_TO_DEPTH)
    assert found.property("LE1").verdict is Verdict.VIOLATED


def test_the_longer_lease_has_what_kip343_asks_for() -> None:
    """With Tb > Tc, timers from the answer and no message lost, a broker that gives itself up was declared inactive."""
    entry = next(one for one in ENTRIES if one.name == "longer_lease")
    tables = alone(entry.edited(LEASE), "LE4")
    found = explore(tables, entry.expected[0].at(tables), deadlock=False, engine="numpy")
    assert found.verdict is Verdict.CLOSED
    assert found.property("LE4").verdict is Verdict.CLOSED
