"""Every engine finds that a stage writes a cell twice with different values, and says it of the same rows."""

from pathlib import Path

import pytest

from fencepost.checkers.comparing.whatif import whatif
from fencepost.checkers.exploration import WRITTEN_ONCE, explore, swarm
from fencepost.checkers.exploration.engine import bound_of
from fencepost.checkers.exploration.walks import Walker
from fencepost.checkers.proof import prove, quick, search
from fencepost.checkers.proof.unrolled import unrolled
from fencepost.checkers.verdicts import Verdict
from fencepost.checkers.written_once import written_once
from fencepost.model.language.vocabulary import *
from fencepost.model.registry import FAMILIES, find
from tests.exploration.test_twice import CASES, MEMBER, Member, m, of, u, w, y, z

SAME = always("SAME", w.is_(y), "w is y.", "test", scope=AT_RESULT_BOUNDARIES)
NEVER = always("NEVER", ~z, "z is never set.", "test", scope=AT_RESULT_BOUNDARIES)
both, act = event("Both", source="test"), event("Act", source="test")


def guarded(*claims: object) -> Protocol:
    """A row that writes z twice where w and y differ from what SAME says they are: never, or once both are set."""
    rows = [
        both("B", TRUE, w.becomes(TRUE), y.becomes(TRUE)),
        act("R", TRUE, only_if(w, z.becomes(TRUE)), only_if(~y, z.becomes(FALSE))),
    ]
    return protocol("guarded", table("rows", *rows), properties=claims, bounds={"all": Bound({})}, ends=True)  # type: ignore[arg-type]


@pytest.mark.representative(
    "one value that the cell has",
    "a value below a counter's start",
    "conditions that may hold together",
    "after another stage",
    "records of one stage",
)
@pytest.mark.parametrize("name", CASES)
def test_every_engine_says_the_same(name: str) -> None:
    """Proof, symbolic search, walks on compiled rows and of the interpreter find a conflict where exploration does."""
    effects, conflicts = CASES[name]
    made = of(effects)
    proof = prove(made)
    failed = [(one.row, one.property) for one in proof.failed]
    assert failed == [("R", WRITTEN_ONCE)] * conflicts
    asked = made.claiming(always("ANY", TRUE, "", "test"))
    claim = asked.property("ANY")
    run = unrolled(asked, *bound_of(asked, "all", None), claim, 4)  # type: ignore[arg-type]
    assert (run.property == WRITTEN_ONCE, run.verdict is Verdict.VIOLATED) == (conflicts, conflicts)
    walked = swarm(made, "all", walks=60, depth=8, engine="numpy")
    twice = [one for one in walked.properties if one.id == WRITTEN_ONCE]
    assert [one.verdict for one in twice] == [Verdict.VIOLATED] * conflicts
    sizes = dict(made.bounds["all"].sizes)
    broken = [one for seed in range(60) if (one := Walker(made, sizes).walk(seed, 8)) is not None]
    assert {one.property for one in broken} == ({WRITTEN_ONCE} if conflicts else set())
    shortest = explore(made, "all", engine="numpy").property(WRITTEN_ONCE) if conflicts else None
    if shortest is not None:
        assert shortest.trace is not None
        assert run.trace is not None
        assert twice[0].trace is not None
        least = len(shortest.trace.steps)
        assert len(run.trace.steps) == least <= min(len(one.trace.steps) for one in broken)
        assert len(twice[0].trace.steps) >= least


def test_the_page_has_the_row_the_cell_and_the_state() -> None:
    """A run from an initial state makes it violated; row, parameters, cell and both values are said, and replayed."""
    made = of(CASES["conditions that may hold together"][0])
    (one,) = search(made, [made], prove(made)).failed
    assert one.verdict is Verdict.VIOLATED
    assert one.counterexample is not None
    assert one.searched is not None
    assert one.searched.trace is not None
    assert not one.counterexample.steps
    assert one.message.endswith("in the last state: z[] is written twice in one stage: True and False")
    assert {step.row.id for step in one.searched.trace.steps} == {"C1", "C2"}
    assert one.searched.lines()[0].endswith("in front of R")


def test_a_conflict_outside_the_invariants_is_no_obligation_that_fails() -> None:
    """What an invariant excludes is proved, for it may rely on it; without the invariant it is not inductive."""
    assert not prove(guarded(SAME)).failed
    (one,) = prove(guarded()).failed
    assert (one.row, one.property, one.verdict) == ("R", WRITTEN_ONCE, Verdict.NOT_INDUCTIVE)


def test_a_property_that_is_asked_alone_does_not_hide_it() -> None:
    """Whatever property is asked, the rows that are asked are asked this; a quick look says it, too."""
    made = of(CASES["the same value"][0]).claiming(NEVER)
    assert not [one for one in prove(made, properties=["NEVER"]).failed if one.property == WRITTEN_ONCE]
    made = of(CASES["one value that the cell has"][0]).claiming(NEVER)
    assert WRITTEN_ONCE in {one.property for one in prove(made, properties=["NEVER"]).failed}
    assert quick(made, properties=["NEVER"]).verdict is Verdict.NOT_INDUCTIVE


def test_an_edit_is_asked_for_it(tmp_path: Path) -> None:
    """`whatif` asks it of the edited row, and keeps the answer."""
    base = of(CASES["the same value"][0])
    edited = base.but("R", effects=CASES["one value that the cell has"][0], why="another value")
    for kept in (0, 1):
        found = whatif(base, edited, lambda: (edited,), cache=tmp_path)
        assert [(one.row, one.property) for one in found.broken] == [("R", WRITTEN_ONCE)]
        assert found.kept >= kept


SIZE = threshold("size")
least = cell("least", SIZE, 1)
lot, chosen, picked = cell("lot", set_of(MEMBER)), per(MEMBER, "chosen", set_of(MEMBER)), per(MEMBER, "picked", BOOL)


def sized(whose: Term[frozenset[Member]], given: Term[bool] = TRUE) -> Protocol:
    """A protocol with a row that writes the size of a set into one threshold, for every member that is picked."""
    pick, put, join = (event(name, u, source="test") for name in ("Pick", "Put", "Join"))
    rows = [
        pick("P", TRUE, picked[u].becomes(TRUE)),
        put("A", TRUE, chosen[u].becomes(chosen[u] | just(u))),
        join("J", TRUE, lot.becomes(lot | just(u))),
        act("R", given, every(m, picked[m], least.becomes(size_of(whose, SIZE)))),
    ]
    claims = [always("ANY", TRUE, "", "test")]
    return protocol("sized", table("rows", *rows), properties=claims, bounds={"all": Bound({"Member": 2, "size": 2})})


def test_sizes_of_sets_that_are_not_one_count_as_different() -> None:
    """The size of one set is one value whichever member is picked; sizes of two members' sets may be two."""
    assert not prove(sized(lot)).failed
    (one,) = prove(sized(chosen[m])).failed
    assert (one.row, one.property) == ("R", WRITTEN_ONCE)


def test_a_threshold_below_1_disables_a_row_in_both_engines() -> None:
    """A row that would give a threshold the size of the empty set is disabled, in exploration and in proof."""
    some, none = sized(lot, ~empty(lot)), sized(lot, empty(lot) & exists(m, picked[m]))
    assert prove(sized(lot)).out_of_range == tuple(explore(sized(lot), "all", engine="numpy").out_of_range) == ("R",)
    assert prove(some).out_of_range == tuple(explore(some, "all", engine="numpy").out_of_range) == ()
    assert prove(none).vacuous == ("R",)
    assert explore(none, "all", engine="numpy").rows_never_fired == ("R",)


# The proofs of whole protocols ask it of every row, too.
@pytest.mark.representative("kip46", "lease")
@pytest.mark.parametrize("name", FAMILIES)
def test_no_row_of_a_protocol_writes_a_cell_twice(name: str) -> None:
    """In no state that satisfies the invariants does a stage of a shipped protocol write a cell with two values."""
    whole = find(name).whole
    rows = [row.id for row in whole.rows if written_once(row) is not None]
    asked = prove(whole, properties=[], rows=rows, assumptions=False) if rows else None
    assert asked is None or (asked.obligations == len(rows) and not asked.failed)
