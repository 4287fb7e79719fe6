"""A scenario under other tables: the reference follows them, and the first step that differs is found."""

import pytest

from fencepost.checkers.named import family
from fencepost.checkers.scenarios.against import against
from fencepost.checkers.scenarios.parsing import checked, steps_of
from fencepost.checkers.scenarios.results import Against, Report
from fencepost.checkers.scenarios.running import Scenario

from .drawn import drawn

FORGOTTEN = (
    "brokers 1,2,3\ntopic t 1,2,3 min.insync.replicas=2\nstop 3\nstop 2\nstop 1\n"
    "config topic t min.insync.replicas=1\nstart 1,2,3"
)


def compared(text: str, name: str) -> tuple[Report, Against]:
    """Return a scenario's report, and what it does under other tables."""
    steps = checked(steps_of(text, "s"))
    report = Scenario().run(steps, "s", {})
    return report, against(report, steps, Scenario(protocol=family(name).whole), name, {})


def test_a_repair_is_followed_to_the_end() -> None:
    """Under the repair of D33 the last start elects cleanly, and all replicas return; without it none leads."""
    report, found = compared(FORGOTTEN, "kraft+D33")
    assert (found.place, found.stopped, found.breaks, found.differs) == ("s:7", "", (), ())
    assert [one.leader for one in report.partitions] == [None]
    assert [(one.leader, one.isr) for one in found.partitions] == [(1, (1, 2, 3))]
    ((record,), (first, second)) = (found.here[0].records, found.instead[0].records)
    assert record["type"] == first["type"] == "BROKER_REGISTRATION_CHANGE_RECORD"
    assert second["fields"]["leader"] == 1


def test_a_repair_that_a_scenario_does_not_need_is_the_same_in_every_step() -> None:
    """Where no row that differs is done nothing differs."""
    _, found = compared("brokers 1,2\ntopic t 1,2\nstop 1\nstart 1", "kraft+D33")
    assert (found.place, found.step, found.differs) == ("", "", ())


def test_a_defect_breaks_a_property() -> None:
    """A variant of the museum is followed, and the property that it breaks is named."""
    _, found = compared("brokers 1,2,3\ntopic t 1,2,3\nstop 1\nstart 1", "kraft+K1")
    assert found.breaks
    assert found.differs == ()


def test_an_older_release_is_followed() -> None:
    """The tables of 4.1 lead a cluster of its newest level."""
    steps = checked(steps_of("brokers 1,2,3\ntopic t 1,2,3\nkill 2\nstop 1\nstart 1,2\nwait 20s", "s"))
    found = Scenario(protocol=family("kraft@4.1").whole, highest=27).run(steps, "s", {})
    assert (found.counts["differences"], found.protocol) == (0, "kraft@4.1")


@pytest.mark.representative("D33", "A13-")
@pytest.mark.parametrize("name", ["D33", "D23", "D10", "A13-", "fence-order", "E7"])
def test_drawn_scenarios_are_followed(name: str) -> None:
    """Whatever is drawn, the reference writes and answers what the tables of a variant do."""
    _, found = compared(drawn(2, 60), f"kraft+{name}")
    assert (found.stopped, found.differs) == ("", ())
