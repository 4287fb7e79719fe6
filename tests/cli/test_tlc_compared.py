"""What TLC and exploration are compared of: verdicts that both gave, numbers that TLC can compute with."""

import json
import textwrap
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.codes import compare
from fencepost.checkers.counterexample import RANGE_ENDS
from fencepost.checkers.exploration import explore
from fencepost.checkers.tlc import TlcResult, module_text, run_tlc
from fencepost.checkers.verdicts import ExitCode, Verdict
from fencepost.model.language import FALSE, Protocol, always
from fencepost.model.registry import find

Says = Callable[..., Any]

HATCH = """
from fencepost.model.language import (
    AFTER_EVERY_RECORD, BOOL, FALSE, TRUE, Bound, Entity, always, cell, counter, event, forall, leads_to, next_, per,
    protocol, record, required, sort, step, table,
)

TURNS = counter("turns")
open_ = cell("open", BOOL)
turned = cell("turned", TURNS, initial=0)
turn = event("Turn", source="a hatch", environment=True)
wait = event("Wait", source="a hatch", environment=True)
HATCH = table(
    "hatch",
    turn("H1", ~open_ & (turned < 2), open_.becomes(TRUE), turned.becomes(turned + 1)),
    turn("H2", open_ & (turned < 2), open_.becomes(FALSE), turned.becomes(turned + 1)),
    wait("H3", turned >= 2, open_.becomes(~open_)),
)
OF_H1 = step("SHUTS", ~next_(open_), "A hatch that is turned was shut.", rows=("H1",))
CALMS = leads_to("CALMS", open_, turned >= 5, ("Turn",), "An open hatch is turned often in the end.", "a hatch")
BOUNDS = {"three": Bound({"turns": 3})}
OF_A_ROW = protocol("of_a_row", HATCH, properties=(OF_H1,), bounds=BOUNDS)
ENDLESS = protocol("endless", HATCH, properties=(CALMS,), bounds=BOUNDS)

to = TURNS.var("to")
CLIMB = event("Climb", to, source="a hatch")("C1", to > turned, turned.becomes(to))
CLIMBS = protocol("climbs", table("climbs", CLIMB), bounds=BOUNDS)

PLACE = sort(type("Place", (Entity,), {}))
number = required("number", PLACE)
lit = per(PLACE, "lit", BOOL)
Lit = record("Lit", number, replay=lit[number.value].becomes(TRUE))
a, b, x, y = (PLACE.var(name) for name in "abxy")
BOTH = table(
    "both",
    event("Both", a, b, source="two places", environment=True)("B1", ~lit[a] & ~lit[b] & a.isnt(b), Lit(a), Lit(b)),
)
ALIKE = always("ALIKE", forall(x, forall(y, lit[x].implies(lit[y]))), "All or none are lit.", scope=AFTER_EVERY_RECORD)
INSIDE = protocol("inside", BOTH, properties=(ALIKE,), bounds={"two": Bound({"Place": 2})}, ends=True)

EPOCH = counter("epoch")
epoch = cell("epoch", EPOCH, initial=0)
rise = event("Rise", source="a count", environment=True)
LEAP = rise("E1", epoch < 1, epoch.becomes(epoch + 2147483645))
HIGH = table("high", LEAP, rise("E2", epoch >= 1, epoch.becomes(epoch + 1)))
DOUBLE = table("double", LEAP, rise("E2", epoch + epoch > 3, epoch.becomes(epoch)))
COUNT = protocol("count", HIGH, bounds={"int": Bound({"epoch": 2**31 - 1}), "long": Bound({"epoch": 2**31})})
SUM = protocol("sum", DOUBLE, bounds={"int": Bound({"epoch": 2**31 - 1})})
"""


@pytest.fixture(scope="module")
def hatch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of small protocols whose claims TLC is not asked, or cannot see to be violated."""
    path = tmp_path_factory.mktemp("hatch") / "hatch.py"
    path.write_text(textwrap.dedent(HATCH), encoding="utf-8")
    return path


@pytest.mark.representative("OF_A_ROW-three-beyond0")
@pytest.mark.tlc
@pytest.mark.parametrize(
    ("name", "bound", "beyond"),
    [
        ("OF_A_ROW", "three", {"SHUTS": "of certain rows"}),
        ("ENDLESS", "three", {"CALMS": "of runs without end: --property CALMS"}),
        ("INSIDE", "two", {"ALIKE": "violated between the records of B1 only"}),
    ],
)
def test_a_violation_that_tlc_was_not_asked_is_no_disagreement(
    fencepost_says: Says, hatch: Path, name: str, bound: str, beyond: dict[str, str]
) -> None:
    """The counts are equal, the verdict is exploration's with its code 1, and the page says what TLC was not asked."""
    said = fencepost_says("tlc", f"{hatch}:{name}", "--bound", bound, "--json")
    assert (said.code, said.document["differences"], said.document["agrees"]) == (1, [], False)
    assert said.document["beyond"] == beyond
    page = fencepost_says("tlc", f"{hatch}:{name}", "--bound", bound).out
    assert "violated, TLC counts the same states" in page
    assert "agrees" not in page
    assert f"beyond TLC: {next(iter(beyond))} is" in page


@pytest.mark.tlc
def test_a_deadlock_at_the_end_of_a_range_decides_nothing(fencepost_says: Says, hatch: Path) -> None:
    """Where no row is enabled only since a counter's range ends, `tlc` and `explore` end with 3 and say why."""
    for command in ("tlc", "explore"):
        said = fencepost_says(command, f"{hatch}:CLIMBS", "--bound", "three", "--json")
        assert (said.code, said.document["verdict"]) == (ExitCode.INCONCLUSIVE, "inconclusive")
    page = " ".join(fencepost_says("tlc", f"{hatch}:CLIMBS", "--bound", "three").out.split())
    assert "TLC breaks SomeRowIsEnabled at the end of a range only" in page
    assert f"SomeRowIsEnabled is broken {RANGE_ENDS}" in page


def test_a_claim_of_all_rows_that_tlc_calls_closed_is_a_difference() -> None:
    """Where TLC was asked a claim and finds nothing, a violation by exploration is reported with 5."""
    tables: Protocol = replace(
        find("lease").bounds["tiny"], properties=(always("NEVER", FALSE, "Nothing is ever so."),)
    )
    ours = explore(tables, "tiny")
    counts = ours.distinct, ours.generated, None, ours.depth
    other = TlcResult(tables, "tiny", *counts, Verdict.CLOSED, None, None, None, 1.0, "17", "2.15", "jar", 1, "", {})
    assert compare(other, ours).differences == (("violated", None, ["NEVER"]),)
    assert compare(other, ours).code is ExitCode.DISAGREEMENT


@pytest.mark.tlc
def test_numbers_end_at_the_largest_of_32_bits(fencepost_says: Says, hatch: Path) -> None:
    """A counter may come to 2147483647, where TLC counts what exploration does; above it, or where a term computes a
    greater number, TLC 2.15 overflows, and the command says so with 3."""
    said = fencepost_says("tlc", f"{hatch}:COUNT", "--bound", "int", "--json").document
    assert (said["agrees"], said["tlc"]["distinct"]) == (True, 4)
    for name, bound in (("COUNT", "long"), ("SUM", "int")):
        refused = fencepost_says("tlc", f"{hatch}:{name}", "--bound", bound)
        assert (refused.code, "TLC's numbers end at 2147483647" in refused.err) == (3, True)


def test_a_run_without_end_is_refused_with_its_reason(fencepost_says: Says, hatch: Path, tmp_path: Path) -> None:
    """A document whose only violation repeats for ever is not said to have none, by any command that replays a run."""
    found = fencepost_says("explore", f"{hatch}:ENDLESS", "--bound", "three", "--json")
    assert found.document["properties"][0]["loop"] is not None
    file = tmp_path / "found.json"
    file.write_text(json.dumps(found.document), encoding="utf-8")
    reason = "CALMS is violated by a run without end, which is not replayed: `fencepost tlc --property CALMS` asks TLC"
    for asked in (("trace", "to-tla"), ("trace", "to-test")):
        for options in ((), ("--property", "CALMS")):
            said = fencepost_says(*asked, file, *options, "--to", tmp_path / "there")
            assert (said.code, reason in " ".join(said.err.split())) == (2, True)


def test_without_a_symmetry_liveness_is_decided_with_the_option_as_without(fencepost_says: Says, hatch: Path) -> None:
    """Where no orbit was folded every state was seen, so that claims of runs without end are decided."""
    said = fencepost_says("explore", f"{hatch}:ENDLESS", "--bound", "three", "--symmetry")
    plain = fencepost_says("explore", f"{hatch}:ENDLESS", "--bound", "three")
    assert said.code == plain.code == 1
    assert "no symmetry: every state was seen" in said.out


@pytest.mark.nightly("tests/exploration/test_range_ends.py::test_tlc_says_what_exploration_says_of_the_end_of_a_range")
@pytest.mark.tlc
def test_a_counter_s_range_is_asked_before_the_sum() -> None:
    """The module asks that a counter is low enough before it adds to it, and TLC's counts are the same."""
    tables = find("lease")
    bound = next(iter(tables.bounds))
    protocol = tables.bounds[bound]
    assert " <= Max" in module_text(protocol)
    found, ours = run_tlc(protocol, bound), explore(protocol, bound)
    assert (found.distinct, found.generated, found.depth) == (ours.distinct, ours.generated, ours.depth)
