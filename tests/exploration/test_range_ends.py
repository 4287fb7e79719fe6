"""What the end of a counter's range alone decides is inconclusive, by exploration, walks and TLC."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.certificates import NotCertified, check, read
from fencepost.checkers.codes import compare
from fencepost.checkers.counterexample import RANGE_DECIDES, RANGE_ENDS
from fencepost.checkers.exploration import DEADLOCK, explore, swarm
from fencepost.checkers.tlc import DEADLOCK as IN_TLC
from fencepost.checkers.tlc import TlcResult, run_tlc
from fencepost.checkers.verdicts import ExitCode, Verdict
from fencepost.model.language.vocabulary import *

needs_java = pytest.mark.skipif(shutil.which("java") is None, reason="TLC needs Java, and there is none on the PATH")

NUMBER = counter("number")
at, stopped = cell("at", NUMBER, 0), cell("stopped", BOOL)
to, more = NUMBER.var("to"), NUMBER.var("more")
move, stop = event("Move", to, source="test"), event("Stop", source="test")
WITHIN = {"two": Bound({"number": 2})}


def of(*rows: Row, bounds: dict[str, Bound] = WITHIN, **more: Any) -> Protocol:
    """Return a protocol of some rows at the bound `two`."""
    return protocol("ends", table("rows", *rows), bounds=bounds, **more)


def higher() -> Row:
    """Return a row that moves to any higher number."""
    return move("M", to > at, at.becomes(to))


ABOVE = exists(more, more > at)
OPEN: dict[str, Protocol] = {
    "a parameter is beyond the range": of(higher()),
    "a quantifier finds a number beyond it": of(stop("S", ABOVE, stopped.becomes(TRUE), at.becomes(at + 1))),
    "the run comes there by the end alone": of(
        move("M", (to > at) & ~stopped, at.becomes(to)), stop("S", ~ABOVE & ~stopped, stopped.becomes(TRUE))
    ),
}
"""Protocols in which no row is enabled only where the range of a counter ends."""
DECIDED: dict[str, Protocol] = {
    "a guard ends it": of(move("M", (to > at) & (at < 1) & (to < 2), at.becomes(to))),
    "the bound assumes that it ends": of(higher(), bounds={"two": Bound({"number": 2}, given={"Move": to <= 2})}),
    "no row ranges over a counter": of(stop("S", ~stopped & (at < 1), stopped.becomes(TRUE))),
}
"""Protocols in which no row is enabled whatever the range."""
OF_DEADLOCK = {**dict.fromkeys(OPEN, Verdict.INCONCLUSIVE), **dict.fromkeys(DECIDED, Verdict.VIOLATED)}
DEADLOCKS = {**OPEN, **DECIDED}


@pytest.mark.parametrize("name", DEADLOCKS)
def test_a_state_without_a_row_only_at_the_end_of_a_range_decides_nothing(name: str) -> None:
    """Exploration and walks are inconclusive about deadlock there, and find one that no range makes."""
    expected = OF_DEADLOCK[name]
    for found in (
        explore(DEADLOCKS[name], "two", engine="numpy"),
        swarm(DEADLOCKS[name], "two", walks=5, depth=10, engine="numpy"),
    ):
        one = next(one for one in found.properties if one.id == DEADLOCK)
        assert (one.verdict, RANGE_ENDS in one.message) == (expected, expected is Verdict.INCONCLUSIVE)
        assert one.trace is not None


LOW = of(higher(), properties=[always("LOW", ABOVE, "", "test")], ends=True)
"""Of every number there is a higher one, which is false at the end of a range."""
CLIMBS = of(higher(), properties=[step("CLIMBS", next_(exists(more, more > at)), "", "test")], ends=True)
SMALL = of(higher(), properties=[always("SMALL", at < 2, "", "test")], ends=True)
CLAIMS = {
    "LOW": (LOW, Verdict.INCONCLUSIVE),
    "CLIMBS": (CLIMBS, Verdict.INCONCLUSIVE),
    "SMALL": (SMALL, Verdict.VIOLATED),
}


@pytest.mark.representative("LOW")
@pytest.mark.tlc
@needs_java
@pytest.mark.parametrize("name", [*DEADLOCKS, *CLAIMS])
def test_tlc_says_what_exploration_says_of_the_end_of_a_range(name: str) -> None:
    """TLC's run is repeated by the interpreter with numbers beyond the range; both engines give one verdict."""
    tables, expected = CLAIMS[name] if name in CLAIMS else (DEADLOCKS[name], OF_DEADLOCK[name])
    broken, why = (name, RANGE_DECIDES) if name in CLAIMS else (IN_TLC, RANGE_ENDS)
    found = run_tlc(tables, "two")
    assert (found.verdict, found.violated, why in found.scope) == (expected, broken, expected is Verdict.INCONCLUSIVE)
    both = compare(found, explore(tables, "two", engine="numpy"))
    assert (both.differences, both.verdict) == ((), expected)
    assert both.code is (ExitCode.INCONCLUSIVE if expected is Verdict.INCONCLUSIVE else ExitCode.VIOLATED)


def answer(verdict: Verdict, violated: str | None) -> TlcResult:
    """Return what TLC might say of LOW."""
    return TlcResult(LOW, "two", 3, 6, 3, 3, verdict, violated, None, None, 1.0, "17", "2.15", "jar", 1, "", {})


def test_a_violation_that_tlc_alone_decides_is_one() -> None:
    """Where exploration decides nothing of a claim and TLC's run breaks it whatever the range, it is violated; where
    exploration decides that it holds, engines disagree."""
    open_ = explore(LOW, "two", engine="numpy")
    found = compare(answer(Verdict.VIOLATED, "LOW"), open_)
    assert (found.differences, found.verdict, found.code) == ((), Verdict.VIOLATED, ExitCode.VIOLATED)
    closed = replace(open_, properties=tuple(replace(one, verdict=Verdict.CLOSED) for one in open_.properties))
    for said in (Verdict.VIOLATED, Verdict.INCONCLUSIVE):
        assert compare(answer(said, "LOW"), closed).differences == (("violated", "LOW", []),)


@pytest.mark.parametrize("tables", [LOW, CLIMBS, OPEN["a parameter is beyond the range"]], ids=["LOW", "CLIMBS", "end"])
def test_the_check_of_a_certificate_finds_what_a_range_breaks(tables: Protocol, tmp_path: Path) -> None:
    """A claim that a range alone breaks is inconclusive in the certificate; its check finds that it is broken, and
    refuses a certificate that has it closed or that calls a claim inconclusive which nothing breaks."""
    explore(tables, "two", certificate=tmp_path / "states")
    made, numbers = read(tmp_path / "states")
    [id] = made.claims
    assert made.claims[id] == "inconclusive"
    assert check(tables, tables.bounds["two"], made, numbers).claims == (id,)
    with pytest.raises(NotCertified, match=f"{id} is closed in it, and by the interpreter it is violated"):
        check(tables, tables.bounds["two"], replace(made, claims={id: "closed"}), numbers)
    held = replace(tables, properties=(always("HELD", at <= 2, "", "test"),), ends=True)
    with pytest.raises(NotCertified, match="HELD is inconclusive in it, and by the interpreter it is not violated"):
        check(held, held.bounds["two"], replace(made, claims={"HELD": "inconclusive"}, deadlock=False), numbers)
