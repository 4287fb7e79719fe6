"""Every row of `kraft` is a row of `kraft-data`, or none: what its steps do to a partition, any controller may do."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from fencepost.checkers.codes import refined_code
from fencepost.checkers.proof import edited, prove, refine
from fencepost.checkers.proof.prover import obligations
from fencepost.checkers.verdicts import ExitCode, Verdict
from fencepost.model.kraft import KRAFT
from fencepost.model.kraft.brokers import named_dirs, no_contact, registers, retreat, told
from fencepost.model.kraft.builder import Election, change
from fencepost.model.kraft.cluster_records import TOPIC_MIN_INSYNC
from fencepost.model.kraft.configurations import deletes, n, size
from fencepost.model.kraft.records import PARTITION_CHANGE
from fencepost.model.kraft.state import b, electable, epoch, fenced, i, ics, leader_epoch, p, replicas
from fencepost.model.kraft_data.refinement import CASES, CELLS, EPOCHS, KRAFT_REFINES, RETURNS, SLICE, translated
from fencepost.model.kraft_data.state import b as data_broker
from fencepost.model.kraft_data.state import log_end
from fencepost.model.language import FALSE, Protocol, else_, first, literal, said
from fencepost.model.language.effects import Assign
from fencepost.model.language.footprint import touched
from fencepost.model.language.terms import Get
from fencepost.model.registry import find

ROOT = Path(__file__).resolve().parents[2]
DECIDING = [SLICE.row(case.target.row) for case in CASES if case.target.row and case.target.row != "DC7"]
WHY = "an edit that breaks the interface"


def elects_anybody(base: Protocol) -> Protocol:
    """Where no replica may lead cleanly the first active replica does, without a mark."""
    return base.redefine("clean", lambda old: else_(old, first(replicas[p], electable(p))), why=WHY, rows=("EL3",))


def grows_by_itself(base: Protocol) -> Protocol:
    """An election puts every replica into the ISR, proposed or not."""
    effects = change(p, replicas[p], electable(p), election=literal(Election.PREFERRED))
    return base.but("EL3", effects=effects, why=WHY)


def keeps_the_leader_epoch(base: Protocol) -> Protocol:
    """Another leader leads in the leader epoch of the one before."""
    kept = [e for e in PARTITION_CHANGE.replay if not (isinstance(e, Assign) and e.target.state is leader_epoch.state)]
    return base.replaying(PARTITION_CHANGE.name, *kept, why=WHY)


def stays_after_an_unclean_stop(base: Protocol) -> Protocol:
    """A broker that stopped uncleanly registers and stays in its ISRs (KAFKA-18106)."""
    return base.but("R2u", effects=(registers(b, i, named_dirs, told), no_contact(b)), why=WHY)


def gets_another_epoch(base: Protocol) -> Protocol:
    """The same process of a broker that registers again gets another broker epoch."""
    return base.but("R3", effects=registers(b, i, named_dirs, told, fenced=fenced[b], ics=ics[b]), why=WHY)


def is_back_under_its_epoch(base: Protocol) -> Protocol:
    """A broker that stopped cleanly is back under the broker epoch that it had."""
    effects = (retreat(b), registers(b, i, named_dirs, told, epoch=epoch[b]), no_contact(b))
    return base.but("R2", effects=effects, why=WHY)


def keeps_the_eligible(base: Protocol) -> Protocol:
    """Another minimum leaves the eligible leader replicas as they are (KAFKA-16540)."""
    return base.but("CF5", effects=TOPIC_MIN_INSYNC(n, value=said(size, if_=~deletes)), why=WHY)


def is_never_enough(base: Protocol) -> Protocol:
    """A broker that leaves the ISR is eligible, also where the ISR has min.insync.replicas members."""
    return base.redefine("enough_in_sync", lambda _: FALSE, why=WHY, rows=("OD3",))


def leaves_within_an_epoch(base: Protocol) -> Protocol:
    """A reassignment that removes a replica leaves the leader epoch as it is."""
    return base.redefine("gives_up", lambda _: FALSE, why=WHY, rows=("RA3",))


def museum(name: str) -> Callable[[Protocol], Protocol]:
    """Return the edit of `kraft` that an entry of the museum makes."""
    return lambda _: find(f"kraft+{name}").whole


EDITS: dict[str, tuple[Callable[[Protocol], Protocol], str, set[str]]] = {
    "elects anybody": (elects_anybody, "EL3", {"RF28"}),
    "grows by itself": (grows_by_itself, "EL3", {"RF21"}),
    "keeps the leader epoch": (keeps_the_leader_epoch, "EL3", {"RF23"}),
    "stays after an unclean stop": (stays_after_an_unclean_stop, "R2u", {"RF7"}),
    "another epoch of one process": (gets_another_epoch, "R3", {"RF31"}),
    "the same epoch after a clean stop": (is_back_under_its_epoch, "R2", {"RF32"}),
    "keeps the eligible": (keeps_the_eligible, "CF5", {"RF17"}),
    "is never enough": (is_never_enough, "OD3", {"RF21"}),
    "a replica leaves within a leader epoch": (leaves_within_an_epoch, "RA3", {"RF21"}),
    "partition epochs stay": (museum("J1"), "EL3", {"RF0"}),
    "proposals under old partition epochs": (museum("A8-"), "A14", {"RF25"}),
    "members that restarted (KIP-903)": (museum("A13-"), "A14", {"RF25"}),
}


SLOW = {"elects anybody", "grows by itself", "keeps the leader epoch"}
REPEATS = pytest.mark.nightly("test_an_edit_that_breaks_the_interface_is_refuted[another epoch of one process]")
"""Of an edit that breaks another clause, with a minute's search."""
ASKED = [
    pytest.param(name, marks=REPEATS if name == "is never enough" else pytest.mark.slow if name in SLOW else ())
    for name in EDITS
]


@pytest.mark.representative("another epoch of one process")
@pytest.mark.parametrize("name", ASKED)
def test_an_edit_that_breaks_the_interface_is_refuted(name: str) -> None:
    """An edited row makes a step that is no row of the slice; the interpreter has replayed it."""
    edit, row, broken = EDITS[name]
    # The other clauses are checked for the rows as they are.
    cases = tuple(case for case in CASES if case.target.id in broken)
    found = refine(replace(edited(KRAFT_REFINES, edit(KRAFT)), cases=cases), rows=[row])
    assert found.verdict is Verdict.NOT_INDUCTIVE
    failed = found.of(row).failed
    assert broken <= {one.property for one in failed}, [(one.property, one.verdict) for one in failed]
    assert all(one.counterexample is not None and one.counterexample.steps for one in failed if one.refuted)


FEW = {
    "EL3": {"DC21", "DC22", "DC23", "DC24", "DC28"},
    "A14": {"DC25", "DC26", "DC27"},
    "CF5": {"DC17", "DC18", "DC21"},
    "CT3": {"DC1"},
    "HB8": set(),
}


OUTSIDE = {"A14"}
"""Those of them that have steps which are no row of the slice."""


@pytest.mark.representative("CF5", "CT3", "HB8")
@pytest.mark.parametrize("row", FEW)
def test_a_row_is_what_it_should_be(row: str) -> None:
    """An election, a proposal, another minimum, a creation and a heartbeat are the rows that one expects."""
    found = refine(KRAFT_REFINES, rows=[row])
    assert found.verdict is Verdict.PROVED
    assert {one.row: set(one.targets) for one in found.rows} == {row: FEW[row]}
    assert [one.row for one in found.rows if one.frame] == ["HB8"] * (row == "HB8")
    assert bool(found.of(row).outside) == (row in OUTSIDE)
    assert found.undeclared == ()


def test_the_verdict_says_which_rows_change_a_broker_epoch_that_the_slice_keeps() -> None:
    """R2 gives another broker epoch, UR3 leaves none: both are declared and shown, and no other row is."""
    broken = {row for case in CASES if case.group is EPOCHS for row in case.target.broken}
    epochs = tuple(case for case in CASES if case.group is EPOCHS)
    writing = [row.id for row in KRAFT.rows if epoch.state in touched(row)]
    found = refine(replace(KRAFT_REFINES, cases=epochs), rows=writing)
    assert (found.verdict, found.undeclared) == (Verdict.PROVED, ())
    assert {one.row for one in found.rows if "broker epoch" in one.outside} == broken == {"R2", "UR3"}
    assert set(writing) == {"R3", *broken, *RETURNS.rows}


def test_a_row_that_never_applies_is_vacuous() -> None:
    """A row without a step that is asked about does not count as one that refines."""
    found = refine(edited(KRAFT_REFINES, KRAFT.but("EL3", when=FALSE, why=WHY)), rows=["EL3"])
    assert found.verdict is Verdict.VACUOUS


def test_what_is_declared_of_a_row_must_be_so() -> None:
    """A row that is declared to have steps outside only, and has others, is named."""
    found = refine(replace(KRAFT_REFINES, apart={"CF5": "by mistake"}), rows=["CF5"])
    assert found.undeclared == ("CF5 is outside",)
    assert refined_code(found) is ExitCode.DIFFERS_FROM_BASELINE


def test_the_slice_keeps_what_its_mapping_relies_on() -> None:
    """What a step may rely on is proved of the slice with any controller, and of all rows of `kraft`."""
    for protocol, claims in ((SLICE, KRAFT_REFINES.kept), (KRAFT_REFINES.lower, KRAFT_REFINES.lemmas)):
        # A row that writes nothing which a claim reads keeps it; that rows can apply is asked in the proof of kraft.
        rows = {row.id for row, _, frame in obligations(protocol, protocol.rows, claims) if not frame}
        proof = prove(protocol, properties=[one.id for one in claims], rows=sorted(rows), assumptions=False)
        assert proof.proved >= len(rows) > 0
        assert (proof.failed, proof.vacuous) == ((), ())


def test_every_cell_that_a_change_decides_is_mapped() -> None:
    """The controller's rows of the slice write only what is mapped, or what the slice remembers of its own steps."""
    mapped = {one.state.name for one in CELLS if isinstance(one, Get)}
    own = {"config", "first_config", "last_config", "was_enough", "unclean_at", "elected_in"}
    decided = {u.target.state.name for row in DECIDING for stage in row.stages for u in stage.updates}
    assert decided - own == mapped & decided
    with pytest.raises(ValueError, match="no cell of kraft corresponds to log_end"):
        translated(log_end[data_broker])


@pytest.mark.nightly("test_a_row_is_what_it_should_be[CT3]")
def test_every_row_of_kraft_is_a_row_of_the_slice_or_none() -> None:
    """All rows refine the slice but for what is declared; every target is met; the page says so, row by row."""
    found = refine(KRAFT_REFINES)
    assert found.verdict is Verdict.PROVED
    assert found.undeclared == ()
    assert {one.row for one in found.rows} == {row.id for row in KRAFT.rows}
    assert {target for one in found.rows for target in one.targets} == {case.target.row for case in CASES} - {""}
    page = (ROOT / "spec" / "data-refinement.md").read_text(encoding="utf-8")
    for one in found.rows:
        line = rf"^\| [^|]*\b{one.row}\b[^|]* \| {', '.join(one.targets)} \|"
        assert one.frame or re.search(line, page, re.MULTILINE), one.row


@pytest.mark.nightly("test_a_row_is_what_it_should_be[CT3]")
def test_a_row_aside_keeps_the_claims_where_it_may() -> None:
    """AD3, of which nothing is asked, keeps the claims of partitions that it changes from no outdated state."""
    assert refine(KRAFT_REFINES, rows=["AD3"]).of("AD3").verdict is Verdict.PROVED
