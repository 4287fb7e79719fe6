"""Variants of KIP-631 version 1: found by their shortest traces, and not in the tables without them."""

from dataclasses import replace
from pathlib import Path

import pytest

import fencepost.model
from fencepost.checkers.exploration import explore
from fencepost.checkers.proof import prove
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kip631.v1 import KIP631_V1
from fencepost.model.kip631.v1.state import granted, registered_at, reported_offset, x
from fencepost.model.language import forall, lemma
from fencepost.model.museum import MUSEUM
from fencepost.model.registry import find

ENTRIES = {entry.name: entry for entry in MUSEUM if entry.base == "kip631-v1"}


@pytest.mark.representative("registration_reports-tiny")
@pytest.mark.parametrize(("name", "bound"), [("implicit_fence", "small"), ("registration_reports", "tiny")])
def test_a_variant_without_a_flaw_keeps_what_the_tables_keep(name: str, bound: str) -> None:
    """Contradictions 37 and 9/40: FenceBroker with all that follows, and a registration that reports, break nothing.

    K21 and W5 are left out, which say that a registration reports nothing: the second variant is about that alone.
    """
    family = find("kip631-v1")
    edited = ENTRIES[name].edited(family.bounds[bound])
    edited = replace(edited, properties=tuple(one for one in edited.properties if one.id not in ("K21", "W5")))
    found = explore(edited, bound, engine="numpy")
    assert found.verdict is Verdict.CLOSED
    assert all(one.as_declared for one in found.properties)
    assert min(found.rows_fired["V1.8"], found.rows_fired["V1.6"]) > 0


@pytest.mark.representative("moved")
@pytest.mark.parametrize("bound", ["moved", "small", "shutdown"])
def test_with_both_repairs_nobody_believes_beside_another(bound: str) -> None:
    """Grants only to who has read of its fence, and no leader moved before its lease is over: then M3 holds."""
    family = find("kip631-v1")
    both = ENTRIES["moves_wait"].edit(ENTRIES["grant_when_fence_seen"].edit(family.bounds["small"]))
    assert explore(both, bound, engine="numpy").property("M3").verdict is Verdict.CLOSED


GRANTED = lemma(
    "LG",
    forall(x, granted[x].implies(reported_offset[x] >= registered_at[x])),
    "Who was granted a lease has reached its own registration.",
)
"""What only the tables with a criterion keep."""


def test_a_criterion_keeps_k4() -> None:
    """With Kafka's criterion an unfenced broker has reached its registration, for any number of brokers."""
    repaired = ENTRIES["grant_when_registered"].edited(KIP631_V1).claiming(GRANTED)
    proof = prove(repaired, properties=("K4", "LG"), assumptions=False)
    assert (proof.refuted, proof.unknown, proof.expected) == (0, 0, 0), proof.lines()


@pytest.mark.representative("next_offset_epoch-K1")
@pytest.mark.parametrize(("name", "id"), [("next_offset_epoch", "K1"), ("implicit_fence", "M1")])
def test_repairs_are_proved(name: str, id: str) -> None:
    """The repaired tables keep the property for any number of brokers, from the same lemmas."""
    proof = prove(ENTRIES[name].edited(KIP631_V1), properties=(id,), assumptions=False)
    assert (proof.refuted, proof.unknown, proof.expected) == (0, 0, 0), proof.lines()
    assert proof.proved > 0


@pytest.mark.nightly("tests/museum/test_shortest_runs.py::test_exploration_finds_it_by_its_shortest_run")
def test_the_command_line_shows_the_flaw() -> None:
    """What `fencepost explore kip631-v1+shorter_lease` finds at the variant's bound is the trace that is declared."""
    one = find("kip631-v1+shorter_lease").explored
    verdict = explore(one, "lengths", engine="numpy").property("M3f")
    assert verdict.trace is not None
    assert len(verdict.trace.steps) == ENTRIES["shorter_lease"].expected[0].length


def test_the_page_has_every_entry() -> None:
    """`spec/kip631-v1.md` has a line for every variant, with the property that falls or is repaired and the length."""
    page = (Path(fencepost.model.__file__).parents[1] / "spec" / "kip631-v1.md").read_text(encoding="utf-8")
    for entry in ENTRIES.values():
        (line,) = [line for line in page.splitlines() if line.startswith("| ") and f"`{entry.name}`" in line]
        for expected in entry.expected:
            assert expected.property.removesuffix("r").replace("V1.7", "offset") in line
            assert entry.repairs or f"in {expected.length}" in line
        assert ("repairs" in line) == entry.repairs
