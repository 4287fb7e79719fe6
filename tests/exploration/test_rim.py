"""Small odd protocols: what is not refused when the tables are made has one meaning in every engine."""

import enum
import shutil
from typing import Any

import pytest

from fencepost.checkers.codes import compare
from fencepost.checkers.exploration import Exploration, explore, swarm
from fencepost.checkers.exploration.engine import bound_of
from fencepost.checkers.exploration.walks import Walker
from fencepost.checkers.proof import hygiene, prove
from fencepost.checkers.proof.unrolled import unrolled
from fencepost.checkers.tlc import render, run_tlc
from fencepost.checkers.verdicts import Refusal, Verdict
from fencepost.model.language.vocabulary import *
from tests.exploration.plain_exploration import explore_plainly


class Thing(Entity):
    """An entity."""


class Single(enum.Enum):
    """An enumeration of one value."""

    ONE = "one"


THING, N, TIMES = sort(Thing), counter("n"), counter("times", -2)
a, o, pick = THING.var("a"), maybe(THING).var("o"), THING.var("pick")
on, seen = cell("on", BOOL), per(THING, "seen", BOOL)
of_option, by_option = cell("of_option", maybe(THING), NONE), per(maybe(THING), "by_option", BOOL)
count, low, alone = cell("count", N, 0), cell("low", TIMES, -2), cell("alone", one_of(Single), literal(Single.ONE))
lot, listed = cell("lot", maybe(set_of(THING)), NONE), cell("listed", maybe(list_of(THING)), NONE)
marked, by_number = per(N, "marked", BOOL), N.var("k")
go, do = event("Go", source="test"), event("Do", a, source="test")
_who = required("who", maybe(THING))
noting = record("Noting", _who, replay=by_option[_who.value].becomes(TRUE))


def of(*rows: Row, claim: Term[bool], mode: Any = "disjoint", **sizes: int) -> Protocol:
    """A protocol of some rows with one claim, at one bound."""
    claims = [always("CLAIM", claim, "", "test", scope=AFTER_EVERY_RECORD)]
    return protocol("odd", table("rows", *rows, mode=mode), properties=claims, bounds={"all": Bound(sizes)}, ends=True)


HOLDS, FAILS = True, False
CASES: dict[str, tuple[Protocol, bool]] = {
    "a choice before a later row": (
        of(
            go("R1", seen[pick], seen[pick].becomes(FALSE), choose=(pick,)),
            go("R2", TRUE, every(a, TRUE, seen[a].becomes(TRUE))),
            mode="first match",
            claim=forall(a, seen[a]) | exists(a, ~seen[a]),
            Thing=2,
        ),
        HOLDS,
    ),
    "effects over a sort that nothing else names": (
        of(go("R", TRUE, every(a, TRUE, on.becomes(TRUE))), claim=~on, Thing=1),
        FAILS,
    ),
    "a key that may be none": (
        of(do("R", TRUE, by_option[some(a)].becomes(TRUE)), claim=~by_option[none_of(THING)], Thing=2),
        HOLDS,
    ),
    "a key that is an option, quantified": (
        of(do("R", TRUE, by_option[some(a)].becomes(TRUE)), claim=forall(o, ~by_option[o]), Thing=2),
        FAILS,
    ),
    "a record for every option": (
        of(go("R", TRUE, every(o, ~by_option[o], noting(o))), claim=~by_option[none_of(THING)], Thing=2),
        FAILS,
    ),
    "a set that may be none": (
        of(go("R", TRUE, lot.becomes(some(nobody(THING)))), claim=absent(lot), Thing=2),
        FAILS,
    ),
    "a list that may be none": (
        of(go("R", TRUE, listed.becomes(some(nothing(THING)))), claim=absent(listed), Thing=2),
        FAILS,
    ),
    "no effects": (of(go("R", on), claim=~on), HOLDS),
    "no rows": (of(claim=~on), HOLDS),
    "an enumeration of one value": (
        of(go("R", TRUE, alone.becomes(literal(Single.ONE))), claim=alone.is_(literal(Single.ONE))),
        HOLDS,
    ),
    "a counter that begins below 0": (of(go("R", TRUE, low.becomes(low + 1)), claim=low < 1, times=1), FAILS),
    "a counter that its range ends": (of(go("R", TRUE, count.becomes(count + 1)), claim=count >= 0, n=2), HOLDS),
    "names of helpers": (
        of(
            event("Mark", by_number, source="test")(
                "R", TRUE, marked[by_number].becomes(TRUE), count.becomes(max_of(by_number, marked[by_number], 0))
            ),
            claim=count >= 0,
            n=2,
        ),
        HOLDS,
    ),
}  # fmt: skip


def counted(one: Exploration) -> tuple[int, int, Verdict]:
    """What two explorations have to agree on."""
    return one.distinct, one.generated, one.property("CLAIM").verdict


@pytest.mark.representative(
    "a choice before a later row", "a key that may be none", "a list that may be none", "no effects", "no rows",
    "a counter that begins below 0",
)  # fmt: skip
@pytest.mark.parametrize("name", CASES)
def test_every_engine_has_a_meaning(name: str) -> None:
    """Compiled, in NumPy and in the plain search the counts are equal; proof, walks and symbolic search agree."""
    made, holds = CASES[name]
    found = explore(made, "all", engine="numpy")
    assert counted(found) == counted(explore(made, "all", engine="llvm")) == counted(explore_plainly(made, "all"))
    assert found.property("CLAIM").verdict is (Verdict.CLOSED if holds else Verdict.VIOLATED)
    proof = prove(made)
    assert [one.property for one in proof.failed] == ([] if holds else ["CLAIM"])
    assert all(one.counterexample is not None for one in proof.failed)
    assert not any(one.verdict is Verdict.INCONCLUSIVE for one in hygiene(made).findings)
    claim: Any = made.property("CLAIM")
    run = unrolled(made, *bound_of(made, "all", None), claim, 5)
    assert run.verdict is (Verdict.INCONCLUSIVE if holds else Verdict.VIOLATED)
    [walked] = swarm(made, "all", walks=6, depth=6, engine="numpy").properties
    assert walked.verdict is run.verdict
    walker = Walker(made, made.bounds["all"].sizes)
    assert any(walker.walk(seed, 6) is not None for seed in range(12)) is not holds


@pytest.mark.representative("no effects", "names of helpers")
@pytest.mark.tlc
@pytest.mark.skipif(shutil.which("java") is None, reason="TLC needs Java, and there is none on the PATH")
@pytest.mark.parametrize("name", ["a choice before a later row", "no effects", "names of helpers"])
def test_tlc_counts_the_same(name: str) -> None:
    """TLC reads the module of each, and counts what exploration counts."""
    made, _ = CASES[name]
    assert compare(run_tlc(made, "all"), explore(made, "all", engine="numpy")).agrees


def test_a_protocol_without_variables_has_no_module() -> None:
    """TLA+ has no module without a variable; that is said in one sentence."""
    with pytest.raises(Refusal, match="has no variable, and a module of TLA"):
        render(of(go("R", TRUE), claim=TRUE))


def test_no_step_of_a_bound_leaves_its_ranges() -> None:
    """Neither a value nor a key outside of a range makes a step: symbolic search breaks no claim by one."""
    up = go("R", TRUE, count.becomes(count + 1))
    ahead = go("S", TRUE, marked[count + 1].becomes(TRUE), on.becomes(TRUE))
    for made in (of(up, claim=count <= 2, n=2), of(ahead, claim=~on, n=0)):
        claim: Any = made.property("CLAIM")
        assert unrolled(made, *bound_of(made, "all", None), claim, 4).verdict is Verdict.INCONCLUSIVE
        assert explore(made, "all", engine="numpy").property("CLAIM").verdict is Verdict.CLOSED


@pytest.mark.parametrize(
    ("sizes", "said"), [({"Thing": 0}, "the size 0"), ({"n": 2**40}, "the size"), ({"n": 2**33}, "64 bits")]
)
def test_a_size_that_no_engine_has_is_refused(sizes: dict[str, int], said: str) -> None:
    """Sizes from outside are refused like those of a bound, and products that no word of 64 bits holds."""
    made = of(go("R", exists(a, seen[a]), count.becomes(count * count)), claim=count >= 0, Thing=1, n=2)
    with pytest.raises(Refusal, match=said):
        explore(made, "all", sizes=sizes)


def test_entities_that_a_bound_has_not_are_refused_symbolically() -> None:
    """A number of an entity beyond a bound's size is refused, as in exploration."""
    made = of(go("R", TRUE, seen[individual(THING, 5)].becomes(TRUE)), claim=~seen[individual(THING, 5)], Thing=2)
    claim: Any = made.property("CLAIM")
    with pytest.raises(Refusal, match="Thing 5 is named by a row"):
        unrolled(made, *bound_of(made, "all", None), claim, 2)
