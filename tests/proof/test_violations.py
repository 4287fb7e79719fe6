"""Recorded violations answer for the solver where the interpreter replays them, and nowhere else."""

import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.proof import prove, violations
from fencepost.checkers.proof.assumptions import without
from fencepost.checkers.proof.obligations import condition, excepted, hypotheses, obligations
from fencepost.checkers.proof.prover import Prover
from fencepost.checkers.proof.violations import entry_of, file_of, recorded, replayed
from fencepost.checkers.proof.witnesses import Witnesses
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import FALSE, Always, Protocol, Row, Step
from fencepost.model.registry import find

RECORDED = ("kraft", "zk", "kip343", "kip46", "kip631-v1", "kip631-v2")
ASSUMING = ("kraft-data", "kraft-voters", "zk-data")
"""Protocols of which most of the time was for what needs each assumption."""
VICTIM = find("kip631-v1").whole
PAIR = ("VC2", "M3")


def declared(base: Protocol) -> list[tuple[Row, Always | Step]]:
    """Return the pairs of a row and a property that it is declared to break, by name or by a record."""
    claims = [one for one in base.properties if isinstance(one, (Always, Step))]
    asked = [(row, claim) for row, claim, frame in obligations(base, base.rows, claims) if not frame]
    named = [(row, claim) for row, claim in asked if excepted(row, claim)]
    return [(row, claim) for row, claim in named if claim.by or (row.id, claim.id) in recorded(base)]


@pytest.mark.parametrize("name", RECORDED)
def test_each_declared_violation_is_recorded_and_replays(name: str) -> None:
    """Each row that is declared to break a property by name has a recorded state, and the interpreter breaks the
    property from each that is recorded.

    `make violations` records them anew where tables change.
    """
    base = find(name).whole
    pairs = {(row.id, claim.id): (row, claim) for row, claim in declared(base)}
    assert recorded(base), "make violations"
    assert pairs.keys() <= recorded(base).keys(), "make violations"
    missing = [pair for pair, (row, claim) in pairs.items() if replayed(base, row, claim, hypotheses(base)) is None]
    assert missing == [], "make violations"


@pytest.mark.representative("zk-data")
@pytest.mark.parametrize("name", ASSUMING)
def test_each_state_without_an_assumption_replays_and_needs_that_it_is_dropped(name: str) -> None:
    """From each recorded state a row breaks a property where the assumption is dropped, and none where it is made."""
    whole = find(name).whole
    entries = json.loads((violations.ROOT / file_of(whole)).read_text(encoding="utf-8"))[violations.WITHOUT]
    claims = [one for one in whole.properties if isinstance(one, (Always, Step))]
    count = 0
    for id in dict.fromkeys(key.split()[0] for key in entries):
        bare = without(whole, (id,))
        for pair, states in violations.without(bare, id).items():
            asked = [(row.id, claim) for row, claim, _ in obligations(bare, [bare.row(pair[1])], claims)]
            for one in states:
                assert violations.fallen(bare, {pair: [one]}, asked, hypotheses(bare)), "make violations"
                assert not violations.fallen(whole, {pair: [one]}, asked, hypotheses(whole))
                count += 1
    assert count == sum(map(len, entries.values())) > 0, "make violations"


def test_what_is_written_is_read_back() -> None:
    """A violation written as JSON and read again has the same cells, binding and moment, and is written the same."""
    row, claim = VICTIM.row(PAIR[0]), VICTIM.property(PAIR[1])
    assert isinstance(claim, (Always, Step))
    found = replayed(VICTIM, row, claim, hypotheses(VICTIM))
    assert found is not None
    assert json.loads(json.dumps(entry_of(VICTIM, row, found))) == recorded(VICTIM)[PAIR]


def test_a_recorded_violation_spares_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """No state of few entities is looked for where one is recorded."""
    monkeypatch.setattr(Prover, "_refute", lambda *args, **named: pytest.fail("the solver was asked"))
    claim = VICTIM.property(PAIR[1])
    assert isinstance(claim, (Always, Step))
    asked = Prover(VICTIM, hypotheses(VICTIM)).ask(VICTIM.row(PAIR[0]), claim, 1)
    assert (asked.answer, asked.found is not None) == ("refuted", True)


def test_a_repaired_row_is_proved_whatever_is_recorded() -> None:
    """A row that no longer breaks a property is proved although the state of its faulty form is recorded."""
    repaired = VICTIM.but(PAIR[0], when=FALSE, why="a test")
    claim = repaired.property(PAIR[1])
    assert isinstance(claim, (Always, Step))
    assert recorded(repaired)[PAIR]
    assert replayed(repaired, repaired.row(PAIR[0]), claim, hypotheses(repaired)) is None
    proof = prove(repaired, rows=[PAIR[0]], properties=[PAIR[1]], assumptions=False)
    assert proof.refuted == proof.expected == 0


Alter = Callable[[dict[str, Any]], object]
WRONG: dict[str, Alter] = {
    "no cells": lambda e: e["cells"].clear(),
    "no sizes": lambda e: e.pop("entities"),
    "a size of no sort": lambda e: e.update(entities={"Nothing": 2}),
    "no binding": lambda e: e["binding"].clear(),
    "a stage that is no number": lambda e: e.update(stage="last"),
    "a value of another kind": lambda e: e["cells"].update(leader=[[0, "ACTIVE"]]),
    "an entity beyond its sort": lambda e: e["cells"].update(leader=[[7, 0]]),
    "cells that are no list": lambda e: e.update(cells=3),
    "an entry that is a text": lambda e: e.update(cells="leader", binding="b"),
}


@pytest.mark.representative("no sizes", "an entry that is a text", "a stage that is no number")
@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_file_changes_no_verdict(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry that is altered is passed over, and the solver finds the violation as without a file."""
    entries = json.loads((violations.ROOT / file_of(VICTIM)).read_text(encoding="utf-8"))
    WRONG[what](entries[" ".join(PAIR)])
    path = tmp_path / file_of(VICTIM)
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(entries), encoding="utf-8")
    monkeypatch.setattr(violations, "ROOT", tmp_path)
    row, claim = VICTIM.row(PAIR[0]), VICTIM.property(PAIR[1])
    assert isinstance(claim, (Always, Step))
    assert replayed(VICTIM, row, claim, hypotheses(VICTIM)) is None
    [failed] = prove(VICTIM, rows=[PAIR[0]], properties=[PAIR[1]], assumptions=False).failed
    assert (failed.verdict, failed.counterexample is not None) == (Verdict.NOT_INDUCTIVE, True)


@pytest.mark.parametrize("content", ["", "[]", '{"VC2 M3": 7}', '{"VC2": {}}', "{"])
def test_a_file_that_is_none_counts_as_empty(content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of another shape leaves the solver to answer."""
    path = tmp_path / file_of(VICTIM)
    path.parent.mkdir(parents=True)
    path.write_text(content, encoding="utf-8")
    monkeypatch.setattr(violations, "ROOT", tmp_path)
    row, claim = VICTIM.row(PAIR[0]), VICTIM.property(PAIR[1])
    assert isinstance(claim, (Always, Step))
    assert replayed(VICTIM, row, claim, hypotheses(VICTIM)) is None


def test_what_is_not_decided_is_said_and_never_counts_as_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """A property without an answer is one that needs the assumption; line and document say that it is open."""
    base = find("kraft-voters").whole
    module = import_module("fencepost.checkers.proof.prove")
    monkeypatch.setattr(module, "_fallen", lambda *_: {"VL6": "VQ1"})
    found = next(one for one in prove(base, rows=["VQ1"]).assumptions if one.assumption.id == "VI1")
    assert found.line().endswith("Not decided without it: VL6.")
    assert found.as_json()["not_decided"] == ["VL6"]


WITNESSED = (*RECORDED, *ASSUMING, "kraft-loop", "kraft-whole")


@pytest.mark.representative("kraft-data", "kip631-v1")
@pytest.mark.parametrize("name", WITNESSED)
def test_each_witness_is_replayed(name: str) -> None:
    """Every row and nearly every condition has a recorded state, and the interpreter finds it enabled or true there."""
    base = find(name).whole
    known = Witnesses(base, hypotheses(base))
    conditions = [one for one in hypotheses(base) if condition(one.term) is not None]
    asked = [one for one in (*base.rows, *conditions) if known.place(one.id) is not None]
    assert len(asked) > 0.8 * (len(base.rows) + len(conditions)), "make violations"
    assert [one.id for one in asked if not known.show(one)] == [], "make violations"


ALTERED: dict[str, Alter] = {
    "no cells": lambda e: e["cells"].clear(),
    "no sizes": lambda e: e.pop("entities"),
    "values of other kinds": lambda e: e["shows"].update({id: ["ACTIVE", {}, 99] for id in e["shows"]}),
    "no values": lambda e: e["shows"].update({id: [] for id in e["shows"]}),
    "a cell of an entity beyond its sort": lambda e: e["cells"].update(leader=[[7, 0]]),
    "values that are no list": lambda e: e["shows"].update(dict.fromkeys(e["shows"], 3)),
}


@pytest.mark.parametrize("what", ALTERED)
def test_a_wrong_witness_changes_no_answer(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a recorded state shows nothing, the solver finds that the row can apply and that the condition can hold."""
    entries = json.loads((violations.ROOT / file_of(VICTIM)).read_text(encoding="utf-8"))
    for one in entries[violations.WITNESSES]:
        ALTERED[what](one)
    path = tmp_path / file_of(VICTIM)
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(entries), encoding="utf-8")
    monkeypatch.setattr(violations, "ROOT", tmp_path)
    claim = next(one for one in hypotheses(VICTIM) if condition(one.term) is not None)
    prover = Prover(VICTIM, hypotheses(VICTIM))
    assert prover.witnesses.place(PAIR[0]) is not None
    assert not prover.witnesses.show(VICTIM.row(PAIR[0]))
    assert prover.enabled(VICTIM.row(PAIR[0]))
    assert prover.condition_met(claim)


def test_a_row_that_never_applies_is_found_whatever_is_recorded() -> None:
    """A row whose guard is made false is reported although a state is recorded in which it was enabled."""
    never = VICTIM.but(PAIR[0], when=FALSE, why="a test")
    assert Prover(VICTIM, hypotheses(VICTIM)).witnesses.show(VICTIM.row(PAIR[0]))
    assert not Prover(never, hypotheses(never)).enabled(never.row(PAIR[0]))
