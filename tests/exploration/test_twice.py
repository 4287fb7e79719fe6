"""A stage that writes a cell twice with different values has no meaning, and exploration says where one does."""

from dataclasses import replace

import pytest

from fencepost.checkers.exploration import WRITTEN_ONCE, explore
from fencepost.checkers.verdicts import Verdict
from fencepost.checkers.written_once import conflict
from fencepost.model.language.vocabulary import *
from tests.exploration.plain_exploration import explore_plainly


class Member(Entity):
    """Somebody."""


MEMBER = sort(Member)
m, u, v = MEMBER.var("m"), MEMBER.var("u"), MEMBER.var("v")
w, y, z = cell("w", BOOL), cell("y", BOOL), cell("z", BOOL)
seen = per(MEMBER, "seen", BOOL)
NUMBER = counter("n", 1)
x = cell("x", NUMBER, 1)
_who, _how = required("who", MEMBER), required("how", BOOL)
seeing = record("Seeing", _who, fields=(_how,), replay=seen[_who.value].becomes(_how.value))
choose = event("Choose", source="test")
CASES: dict[str, tuple[tuple[Effect, ...], bool]] = {
    "conditions that may hold together": ((only_if(w, z.becomes(TRUE)), only_if(y, z.becomes(FALSE))), True),
    "one value that the cell has": ((only_if(w, z.becomes(z)), only_if(y, z.becomes(TRUE))), True),
    "a value of every member": ((every(m, w, z.becomes(seen[m])), seen[u].becomes(y)), True),
    "records of one stage": ((every(m, w, seeing(u, how=seen[m])),), True),
    "after another stage": ((seeing(u, how=w), every(m, w, seeing(u, how=seen[m]))), True),
    "a binder with the name of a parameter": (
        (every(u, TRUE, z.becomes(TRUE)), only_if(u.is_(individual(MEMBER, 1)), z.becomes(FALSE))),
        True,
    ),
    "a value below a counter's start": ((only_if(w, x.becomes(x - 1)), only_if(y, x.becomes(x))), True),
    "the same value": ((only_if(w, z.becomes(TRUE)), only_if(y, z.becomes(TRUE))), False),
    "a condition and its negation": ((only_if(w, z.becomes(TRUE)), only_if(~w, z.becomes(FALSE))), False),
    "two cells": ((seen[u].becomes(TRUE), every(v, v.isnt(u), seen[v].becomes(FALSE))), False),
}


def of(effects: tuple[Effect, ...]) -> Protocol:
    """A protocol in which w, y and one of seen are chosen, and a row has the effects."""
    rows = [
        choose("C1", ~w, w.becomes(TRUE)),
        choose("C2", ~y, y.becomes(TRUE)),
        event("See", u, source="test")("C3", ~seen[u], seen[u].becomes(TRUE)),
        event("Act", u, source="test")("R", w | y, *effects),
        choose("C4", z, z.becomes(FALSE)),
    ]
    made = protocol("twice", table("rows", *rows), ends=True)
    return replace(made, bounds={"all": Bound({"Member": 2, **({"n": 2} if NUMBER in made.kinds else {})})})


def test_a_conflict_is_found_where_it_can_be_reached() -> None:
    """Compiled, in NumPy and in the plain search the verdict and the level are those of each case."""
    differing = {}
    for name, (effects, conflicts) in CASES.items():
        found = [explore(of(effects), "all", engine="numpy"), explore(of(effects), "all", engine="llvm")]
        found.append(explore_plainly(of(effects), "all"))
        said = [(p.verdict, p.depth) for one in found for p in one.properties if p.id == WRITTEN_ONCE]
        if [verdict for verdict, _ in said] != [Verdict.VIOLATED] * 3 * conflicts or len(set(said)) > 1:
            differing[name] = said
    assert not differing


def test_the_run_and_the_row_are_said() -> None:
    """The run leads to the state in which the row has no meaning; the message has the row, the cell and the values."""
    effects, _ = CASES["conditions that may hold together"]
    found = explore(of(effects), "all", engine="numpy").property(WRITTEN_ONCE)
    assert found.trace is not None
    assert {step.row.id for step in found.trace.steps} == {"C1", "C2"}
    assert found.message == "R(u=0) in the last state: z[] is written twice in one stage: True and False"


@pytest.mark.parametrize("name", ["the same value", "a condition and its negation"])
def test_what_conditions_exclude_is_not_asked(name: str) -> None:
    """No code is printed for a conflict that conditions or values exclude in every state."""
    (row,) = [one for one in of(CASES[name][0]).rows if one.id == "R"]
    assert [conflict(stage, lambda kind: 2) for stage in row.stages] == [FALSE] * len(row.stages)
