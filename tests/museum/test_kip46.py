"""KIP-46 read in other ways, what it rejects, and its repairs: found by their shortest traces, and not elsewhere."""

from dataclasses import replace

from fencepost.checkers.exploration import Exploration, explore
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kip46.mitigation import goal
from fencepost.model.kip46.slices import brokers
from fencepost.model.kip46.state import b, known_live, p, replicas
from fencepost.model.language import Protocol, Term, ascending, head, just
from fencepost.model.museum import MUSEUM, Entry
from fencepost.model.registry import FAMILIES

ENTRIES = {entry.name: entry for entry in MUSEUM if entry.base == "kip46"}


def searched(entry: Entry) -> Protocol:
    """Return the slice in which an entry is searched."""
    return entry.within or FAMILIES["kip46"].explored


def test_option_1_with_all_tasks_loses_nothing() -> None:
    """SH9: an entry goes only where every partition of the broker has a task; the dead are healed as under option 2."""
    edited = ENTRIES["SH9-option-1"].edited(FAMILIES["kip46"].explored)
    found = explore(edited, "tiny", engine="numpy")
    assert found.verdict is Verdict.CLOSED
    assert all(found.property(id).verdict is Verdict.CLOSED for id in ("SI2", "SI5", "M8"))


def test_without_sh11_the_dead_are_healed_though_controllers_fail() -> None:
    """SI7 and SI1 hold at `small` if a new controller compares the brokers with its entries."""
    edited = ENTRIES["compares-brokers"].edited(FAMILIES["kip46"].explored)
    found = explore(replace(edited, ends=True), "small", engine="numpy")
    assert {found.property(id).verdict for id in ("SI1", "SI7", "SI5")} == {Verdict.CLOSED}


def test_only_a_placement_that_does_not_look_at_the_assignment_keeps_si6() -> None:
    """SH9: the same brokers for good keep SI6; the first spare one does not, once the first task has added another."""
    entry = ENTRIES["SH9-placement"]
    variant = entry.edited(searched(entry))
    first_spare = just(head(ascending(known_live() - replicas[p])))
    live = (replicas[p] & known_live()) - just(b)

    def placed(choice: Term[bool]) -> Exploration:
        bound = entry.expected[0].at(variant)
        chosen = replace(bound, given={**bound.given, "PlaceReplicas": choice})
        alone = replace(variant, properties=(variant.property("SI6"),))
        return explore(alone, chosen, deadlock=False, engine="numpy")

    always = placed(goal.is_(brokers(1, 2)))
    assert always.property("SI6").verdict is Verdict.CLOSED
    assert always.rows_fired["SH9"] > 0
    assert placed(goal.is_(live | first_spare)).property("SI6").verdict is Verdict.VIOLATED
