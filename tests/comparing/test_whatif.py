"""What `whatif` says of a variant is what a full proof of it says, though it asks only what the edit touches."""

from collections.abc import Callable

import pytest

from fencepost.checkers.comparing import compare
from fencepost.checkers.comparing.carried import carried, slices_of
from fencepost.checkers.comparing.whatif import WhatIf, whatif
from fencepost.checkers.named import family
from fencepost.checkers.proof import Proof, prove
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import BOOL, FALSE, TRUE, Bound, Protocol, always, cell, event, forall, protocol, table
from fencepost.model.registry import find
from tests.comparing.test_differences import CLAIM, doors, is_open, locked, x


def failing(found: Proof) -> set[tuple[str, str]]:
    """The obligations that are not kept and not declared so."""
    return {(one.row, one.property) for one in found.failed if one.refuted and not one.declared}


def doubtful(found: Proof) -> set[tuple[str, str]]:
    """The obligations that nothing decides."""
    return {(one.row, one.property) for one in found.failed if not one.refuted}


def asked(base: Protocol, variant: Protocol) -> WhatIf:
    """Ask without a search for runs."""
    return whatif(base, variant, tuple, 0.0)


def _agrees(base: Protocol, variant: Protocol, some: bool) -> WhatIf:
    """Compare the obligations checked for a variant with its full proof; with `some` there must be unchecked ones."""
    mine, full = asked(base, variant), prove(variant, assumptions=False)
    assert failing(mine.proof) == failing(full)
    assert doubtful(mine.proof) == doubtful(full)
    assert bool(mine.touched.untouched) is some
    assert mine.proof.obligations + mine.proof.frame_obligations + mine.touched.untouched == (
        full.obligations + full.frame_obligations
    )
    return mine


def _edits() -> dict[str, Callable[[Protocol], Protocol]]:
    weaker = always("A1", forall(x, (is_open[x] & locked[x]).implies(locked[x])), source="doors")
    return {
        "guard": lambda base: base.but("O1", when=~is_open[base.row("O1").params[0]], why="a test"),
        "effects": lambda base: base.but("S1", effects=locked[base.row("S1").params[0]].becomes(TRUE), why="a test"),
        "row gone": lambda base: base.without("O1", why="a test"),
        "claim": lambda base: base.claiming(always("A1", forall(x, ~is_open[x]), source="doors"), name="claims"),
        "another claim": lambda base: base.claiming(always("A2", forall(x, ~locked[x]), source="doors"), name="claims"),
        "hypothesis": lambda base: base.claiming(weaker, name="claims"),
        "start": lambda base: doors(start=forall(x, ~locked[x])),
    }


@pytest.mark.representative("effects", "row gone", "another claim", "start")
@pytest.mark.parametrize("edit", list(_edits()))
def test_every_kind_of_edit_is_answered_as_by_a_full_proof(edit: str) -> None:
    """Guards, effects, rows that go, claims, hypotheses, the start: the same failures as a proof of everything."""
    base = doors()
    mine = asked(base, _edits()[edit](base))
    full = prove(_edits()[edit](base), assumptions=False)
    assert failing(mine.proof) == failing(full)
    assert doubtful(mine.proof) == doubtful(full)


def test_a_hypothesis_that_claims_less_has_everything_asked() -> None:
    """Every proof may rely on what is claimed of states: where that is weaker, nothing reads as before."""
    base = doors()
    mine = asked(base, _edits()["hypothesis"](base))
    assert mine.touched.whole.startswith("A1, which every proof may rely on")
    assert (mine.touched.untouched, set(mine.touched.rows)) == (0, {"O1", "S1"})
    stronger = asked(base, _edits()["claim"](base))
    assert (stronger.touched.whole, stronger.touched.rows) == ("", ())
    assert failing(stronger.proof) == {("O1", "A1")}


def test_an_edit_that_changes_nothing_has_nothing_asked() -> None:
    """A variant that means what its base does touches no obligation."""
    base = doors()
    mine = asked(base, base.but("O1", when=~locked[base.row("O1").params[0]] & base.row("O1").when, why="a test"))
    assert (bool(mine.differences), mine.touched.pairs) == (False, ())


@pytest.mark.representative("lease+late_answer-False")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "some"),
    [("kip343+unchecked_leader", True), ("kip343+never_self_fences", False), ("lease+late_answer", False)],
)
def test_a_variant_of_the_museum_is_answered_as_by_a_full_proof(name: str, some: bool) -> None:
    """Defects of small designs: the same failures and the same doubts as a proof of all obligations."""
    variant = find(name).whole
    assert variant.base is not None
    assert _agrees(variant.base, variant, some).broken


@pytest.mark.representative("kip46+S-c-timer")
@pytest.mark.slow
@pytest.mark.parametrize("name", ["kip46+S-c-timer", "kraft+J3"])
def test_a_defect_of_the_museum_is_found_with_a_run(name: str) -> None:
    """The property that a museum entry names is violated, by a row that the edit touches, in a run."""
    from fencepost.model.museum import MUSEUM

    (entry,) = [one for one in MUSEUM if f"{one.base}+{one.name}" == name]
    named = family(name)
    assert named.whole.base is not None
    found = whatif(named.whole.base, named.whole, lambda: named.slices, 4.0)
    violated = {one.property for one in found.broken if one.searched is not None and one.searched.trace is not None}
    assert {one.property for one in entry.expected} & violated
    assert all(one.row in found.touched.rows for one in found.broken)


def test_an_edit_is_carried_to_the_slices_that_have_its_row() -> None:
    """A variant of a whole that has no bounds is explored at those of its slices that have the row, with the edit."""
    base = find("lease")
    row = base.whole.rows[0]
    variant = base.whole.but(row.id, when=~row.when, why="a test", name="lease+odd")
    found = compare(base.whole, variant, ask=False)
    for part in base.slices:
        made = carried(base.whole, variant, part, found)
        if row.id in {one.id for one in part.rows}:
            assert made is not None
            assert made.row(row.id).when is variant.row(row.id).when
            assert list(made.bounds) == list(part.bounds)
        else:
            assert made is None
    assert slices_of(base.whole, variant, base, found)


def test_progress_tells_what_is_declared_from_what_is_not_kept() -> None:
    """A property that is declared violated is counted as that while obligations are asked, and never as not kept."""
    declared = always("A1", CLAIM, source="doors", expected="violated", by=("O1",))
    base = doors(when=TRUE, claims=(declared,))
    variant = base.but("O1", when=~is_open[base.row("O1").params[0]], why="a test", name="other")
    lines: list[str] = []
    said: list[str] = []
    whatif(base, variant, tuple, 0.0, said.append, progress=lines.append)
    assert lines[-1].split(" answered, ")[1].startswith("0 not kept, 1 violated as declared, ")
    assert said == []


def test_a_run_of_the_base_is_no_evidence_about_an_edit() -> None:
    """What an edited row breaks is violated by a run whose last step is of that row, whatever the base can do.

    The base breaks the claim as it says; of two rows that are added one can never apply, and the other can.
    """
    bad, ready, unreached = cell("bad", BOOL), cell("ready", BOOL), cell("unreached", BOOL)
    breaks, more = event("Break", source="a test"), event("More", source="a test")
    base = protocol(
        "base",
        table(
            "rows", breaks("B1", TRUE, bad.becomes(TRUE)), breaks("B2", bad, bad.becomes(FALSE), ready.becomes(TRUE))
        ),
        properties=[always("A1", ~bad, source="a test", expected="violated", by=("B1",))],
        bounds={"only": Bound({})},
    )
    for when, verdict in ((unreached, Verdict.NOT_INDUCTIVE), (ready, Verdict.VIOLATED)):
        variant = base.plus(more("E1", when, bad.becomes(TRUE)), why="a test", table="rows", name="variant")
        found = whatif(base, variant, lambda variant=variant: (variant,), 2.0)  # type: ignore[misc]
        (broken,) = found.broken
        assert (broken.row, broken.property, broken.verdict) == ("E1", "A1", verdict)
        assert broken.searched is not None
        trace = broken.searched.trace
        assert (None if trace is None else trace.steps[-1].row.id) == (None if when is unreached else "E1")
