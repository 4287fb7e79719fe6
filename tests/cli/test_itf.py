"""`fencepost trace to-itf`: what a strict reader of the format, written for this test, reads back is the run."""

import json
import re
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.tlc.itf import itf_text
from tests.cli.conftest import Said

pytestmark = pytest.mark.usefixtures("stages_here")

Says = Callable[..., Said]

STAND = """
import enum

from fencepost.model.language import (
    BOOL, FALSE, NONE, TRUE, Bound, Entity, absent, always, cell, counter, event, just, leads_to, list_of, maybe,
    one_of, per, per2, present, protocol, set_of, some, sort, sometimes, table,
)


class Colour(enum.Enum):
    RED = 0
    GREEN = 1


class Place(Entity):
    pass


PLACE, COUNT = sort(Place), counter("count", lo=-1)
p, q = PLACE.var("p"), PLACE.var("q")
owner = cell("owner", maybe(PLACE), NONE)
seen = cell("seen", set_of(PLACE))
queue = cell("queue", list_of(PLACE))
order = list_of(PLACE).var("order")
colour = cell("WF_colour", one_of(Colour), Colour.RED)
at = per(PLACE, "at", COUNT, -1)
near = per2(PLACE, PLACE, "near", BOOL)
lit = cell("lit", BOOL)
take = event("Take", p, q, order, source="a stand")
press = event("Press", source="a stand", environment=True)
STAND = table(
    "stand",
    take(
        "S1", absent(owner) & p.isnt(q), owner.becomes(some(p)), seen.becomes(just(p)), queue.becomes(order),
        colour.becomes(Colour.GREEN), at[p].becomes(1), near[p, q].becomes(TRUE),
    ),
    press("S2", ~lit, lit.becomes(TRUE)),
    press("S3", lit, lit.becomes(FALSE)),
)
BOUNDS = {"two": Bound({"Place": 2, "count": 1})}
P = protocol(
    "stand", STAND, bounds=BOUNDS,
    properties=(
        always("FREE", absent(owner), "No place is an owner."),
        sometimes("OWNED", present(owner), "A place is an owner."),
        leads_to("TAKEN", absent(owner), ~absent(owner), (), "A place is an owner in the end.", "a stand"),
        leads_to("PRESSED", absent(owner), ~absent(owner), ("Press",), "The same of one who presses.", "a stand"),
    ),
)
"""
"""A protocol with a variable of each kind, a name that TLA+ does not allow, and two ways to wait for ever."""

OF_STAND = ("--protocol", "stand.py:P")


@pytest.fixture
def explored(fencepost_says: Says, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What `explore --json` says of the protocol: runs to a state, to a witness, and without end."""
    monkeypatch.chdir(tmp_path)
    Path("stand.py").write_text(textwrap.dedent(STAND), encoding="utf-8")
    said = fencepost_says("explore", "stand.py:P", "--bound", "two", "--json")
    (tmp_path / "explored.json").write_text(said.out, encoding="utf-8")
    return tmp_path / "explored.json"


class Strict:
    """Reads a value of ITF, and nothing that a reader of the format could take for something else."""

    def __init__(self, variants: bool = False) -> None:
        self.variants = variants

    def value(self, said: Any) -> Any:
        """The value as Python has it: tuples for tuples, frozensets, dictionaries by key, lists."""
        if isinstance(said, (bool, str)):
            return said
        if isinstance(said, list):
            return [self.value(one) for one in said]
        assert isinstance(said, dict), f"a bare {type(said).__name__}: {said}"
        if self.variants and said.keys() == {"tag", "value"}:
            return said["tag"], self.value(said["value"])
        if self.variants and not any(key.startswith("#") for key in said):
            return {name: self.value(one) for name, one in said.items()}
        ((mark, inside),) = said.items()
        if mark == "#bigint":
            assert re.fullmatch(r"0|-?[1-9][0-9]*", inside), inside
            return int(inside)
        if mark == "#map":
            pairs = [(self._hashable(self.value(key)), self.value(one)) for key, one in inside]
            assert len(dict(pairs)) == len(pairs), inside
            return dict(pairs)
        assert mark in ("#set", "#tup"), mark
        found = [self._hashable(self.value(one)) for one in inside]
        assert mark == "#tup" or len(set(found)) == len(found), inside
        return tuple(found) if mark == "#tup" else frozenset(found)

    @staticmethod
    def _hashable(value: Any) -> Any:
        return tuple(value) if isinstance(value, list) else value

    def trace(self, path: Path) -> tuple[dict[str, Any], list[dict[str, Any]], list[dict[str, Any]]]:
        """The trace's `#meta`, the states without theirs, and theirs; all states have the same variables."""
        document = json.loads(path.read_text(encoding="utf-8"))
        assert set(document) - {"loop"} == {"#meta", "vars", "states"}
        assert all(isinstance(one, str) for one in document["#meta"].values())
        assert len(set(document["vars"])) == len(document["vars"])
        metas, states = [], []
        for index, one in enumerate(document["states"]):
            metas.append(one.pop("#meta"))
            assert metas[-1].pop("index") == index
            assert all(isinstance(said, str) for said in metas[-1].values())
            assert list(one) == document["vars"]
            states.append({name: self.value(said) for name, said in one.items()})
        if "loop" in document:
            assert 0 <= document["loop"] < len(states)
            document["#meta"]["loop"] = document["loop"]
        return document["#meta"], states, metas


def test_what_is_read_back_is_the_run(fencepost_says: Says, explored: Path, tmp_path: Path) -> None:
    """Each kind of value comes back: an option as a set, a key of two as a tuple, numbers below 0 and enumerations.

    Variables have the identifiers of `trace to-tla`: `at` is a word of its modules, and no name begins with WF_.
    """
    path = tmp_path / "run.itf.json"
    said = fencepost_says("trace", "to-itf", explored, *OF_STAND, "--property", "FREE", "--to", path)
    assert said.code == 0
    assert " ".join(said.out.split()).endswith("a run of 1 row, which ends with FREE, as 2 states")
    meta, (first, last), metas = Strict().trace(path)
    assert (meta["format"], meta["status"], meta["property"], meta["options"]) == ("ITF", "violation", "FREE", "sets")
    assert json.loads(meta["sizes"]) == {"Place": 2, "count": [-1, 1]}
    assert first == {
        "owner": frozenset(), "seen": frozenset(), "queue": [], "xWF_colour": "RED", "at_2": {0: -1, 1: -1},
        "near": {(0, 0): False, (0, 1): False, (1, 0): False, (1, 1): False}, "lit": False,
        "mbt::actionTaken": "init",
    }  # fmt: skip
    picks = json.loads(metas[1]["picks"])
    p, q = picks["p"], picks["q"]
    assert (metas[0], metas[1]["row"], set(picks)) == ({}, "S1", {"p", "q", "order"})
    assert last == {
        "owner": frozenset({p}), "seen": frozenset({p}), "queue": picks["order"], "xWF_colour": "GREEN",
        "at_2": {p: 1, q: -1}, "near": {**first["near"], (p, q): True}, "lit": False, "mbt::actionTaken": "Take",
    }  # fmt: skip


def test_a_run_without_end_returns_to_a_state(fencepost_says: Says, explored: Path, tmp_path: Path) -> None:
    """A run that presses for ever returns from its second state to the first; one without a step has one state."""
    asked = ("trace", "to-itf", explored, *OF_STAND, "--property")
    said = fencepost_says(*asked, "PRESSED", "--to", tmp_path / "pressed", "--json")
    assert (said.document["states"], said.document["loop"]) == (2, 0)
    meta, states, metas = Strict().trace(tmp_path / "pressed")
    assert (meta["loop"], meta["loop_row"], [one["lit"] for one in states]) == (0, "S3", [False, True])
    assert metas[1]["row"] == "S2"
    fencepost_says("trace", "to-itf", explored, *OF_STAND, "--property", "TAKEN", "--to", tmp_path / "taken")
    meta, states, _ = Strict().trace(tmp_path / "taken")
    assert (meta["loop"], len(states), "loop_row" in meta) == (0, 1, False)


def test_a_witness_is_no_violation(fencepost_says: Says, explored: Path, tmp_path: Path) -> None:
    """A run that shows what shall be reachable has the status ok."""
    fencepost_says("trace", "to-itf", explored, *OF_STAND, "--property", "OWNED", "--to", tmp_path / "owned")
    assert Strict().trace(tmp_path / "owned")[0]["status"] == "ok"


def test_options_as_variants_have_every_parameter(fencepost_says: Says, explored: Path, tmp_path: Path) -> None:
    """With --variants an option is tagged, and the picks of a step are a variable with each parameter that there is."""
    path = tmp_path / "run.itf.json"
    fencepost_says("trace", "to-itf", explored, *OF_STAND, "--property", "FREE", "--variants", "--to", path)
    meta, (first, last), metas = Strict(variants=True).trace(path)
    picks = json.loads(metas[1]["picks"])
    assert meta["options"] == "variants"
    assert (first["owner"], last["owner"]) == (("None", ()), ("Some", picks["p"]))
    assert first["mbt::nondetPicks"] == dict.fromkeys(("order", "p", "q"), ("None", ()))
    assert last["mbt::nondetPicks"] == {name: ("Some", value) for name, value in picks.items()}


def test_a_counterexample_to_induction_and_one_of_check_are_written(
    fencepost_says: Says, explored: Path, tmp_path: Path
) -> None:
    """The documents of prove and of check have runs, too; one that begins anywhere says that it is no initial state."""
    name = "stand.py:P"
    for command in (("prove", name, "--property", "FREE", "--no-search"), ("check", name, "--only", "explore")):
        document = tmp_path / f"{command[0]}.json"
        found = json.loads(fencepost_says(*command, "--json").out)
        for failed in found.get("failed", []):
            failed["counterexample"]["initial"] = False
        document.write_text(json.dumps(found), encoding="utf-8")
        path = tmp_path / f"{command[0]}.itf.json"
        assert fencepost_says("trace", "to-itf", document, *OF_STAND, "--property", "FREE", "--to", path).code == 0
        meta, states, _ = Strict().trace(path)
        assert len(states) == 2
        assert (meta["status"], meta.get("initial")) == ("violation", "false" if command[0] == "prove" else None)


def test_a_file_that_is_there_is_kept(fencepost_says: Says, explored: Path) -> None:
    """Nothing is written over."""
    said = fencepost_says("trace", "to-itf", explored, *OF_STAND, "--property", "FREE", "--to", explored)
    assert said.code == 2
    assert "is there already" in said.sentence


def test_a_line_is_a_state() -> None:
    """The text has a line for each state, and is the document."""
    document: Mapping[str, Any] = {"vars": ["a"], "states": [{"a": True}, {"a": False}]}
    text = itf_text(document)
    assert json.loads(text) == document
    assert len(text.splitlines()) == 3
