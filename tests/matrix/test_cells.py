"""The matrix says what the engines say: each cell's proof, exploration or shortest trace is had again."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.matrix_page import MARKS, page, text
from fencepost.checkers.proof import prove
from fencepost.checkers.verdicts import Verdict
from fencepost.model.matrix import CELLS, DESIGNS, GUARANTEES, Cell, Finding, cell
from fencepost.model.registry import FAMILIES, find


def _by_run() -> dict[tuple[str, str], list[Cell]]:
    """The cells of one protocol at one bound, or of its proofs: they are had by one run."""
    found: dict[tuple[str, str], list[Cell]] = defaultdict(list)
    for one in CELLS:
        if one.claim:
            found[one.protocol or one.design, one.bound].append(one)
    return found


EXPLORED = [(key, cells) for key, cells in _by_run().items() if key[1]]
PROVED = [(key, cells) for key, cells in _by_run().items() if not key[1]]


def test_every_design_answers_every_guarantee() -> None:
    """There is one cell for every guarantee and design, and none beside them."""
    assert len(CELLS) == len(GUARANTEES) * len(DESIGNS)
    assert {(one.guarantee, one.design) for one in CELLS} == {(g.id, d) for g in GUARANTEES for d in DESIGNS}
    assert set(DESIGNS) <= set(FAMILIES)


def test_a_cell_names_what_shows_it() -> None:
    """A verdict has a claim, an explored one its bound, a violated one its length; a silent cell has none of them."""
    for one in CELLS:
        assert bool(one.claim) is (one.finding is not Finding.SILENT), one
        assert bool(one.bound) is (one.finding in (Finding.CLOSED, Finding.VIOLATED)), one
        assert bool(one.length) is (one.finding is Finding.VIOLATED), one
        assert one.says.endswith(".")


@pytest.mark.representative(
    "kip343-leaders-", "kip343-tiny-", "kip46-tiny-", "kip631-v1-moved-", "kip631-v1+failovers-tail-",
    "kip631-v1-death-", "kip631-v2-leaders-", "kip631-v2+failovers-tail-", "kraft+guarantees-alone-",
)  # fmt: skip
@pytest.mark.parametrize(("key", "cells"), EXPLORED, ids=lambda one: "-".join(one) if isinstance(one, tuple) else "")
def test_explored_cells_are_as_told(key: tuple[str, str], cells: list[Cell]) -> None:
    """Every reachable state at the bound keeps the claim, or the shortest trace that breaks it is as long as told."""
    name, bound = key
    family = find(name)
    claims = {one.claim for one in cells}
    part = family.bounds[bound]
    found = explore(replace(part, properties=tuple(one for one in part.properties if one.id in claims)), bound)
    for one in cells:
        verdict = found.property(one.claim)
        if one.finding is Finding.CLOSED:
            assert verdict.verdict is Verdict.CLOSED, (one, verdict)
        else:
            assert verdict.verdict is Verdict.VIOLATED, (one, verdict)
            assert verdict.trace is not None
            assert len(verdict.trace.steps) == one.length


@pytest.mark.representative("kip343--", "kip46--", "kip631-v1--", "kip631-v2--", "kip631-v2+failovers--")
@pytest.mark.parametrize(("key", "cells"), PROVED, ids=lambda one: "-".join(one) if isinstance(one, tuple) else "")
def test_proved_cells_are_proved(key: tuple[str, str], cells: list[Cell]) -> None:
    """Every row of the protocol keeps the claim, for any number of brokers."""
    found = prove(find(key[0]).whole, properties=sorted({one.claim for one in cells}))
    assert found.verdict is Verdict.PROVED, found.failed
    assert found.obligations
    for one in cells:
        needed = {used.assumption.id for used in found.assumptions if one.claim in used.needed_by}
        assert needed == set(one.assumes), one


def test_the_page_has_every_cell() -> None:
    """The page says every cell in words with its command, and the terminal's text fits 100 columns."""
    told = page()
    for one in CELLS:
        assert one.says in told
        assert one.command in told
    for guarantee in GUARANTEES:
        lines = list(text(guarantee.id))
        assert max(map(len, lines)) <= 100
        assert any(cell(guarantee.id, "zk").says[:30] in line for line in lines)


def test_why_kafka_ended_so_is_what_the_cells_say() -> None:
    """Each sign in the account of the designs is that of the guarantee and the design whose paragraph it stands in."""
    account = page().split("## Why Kafka ended where it did")[1].split("\n## ")[0]
    paragraphs = {one.split("**")[1].rstrip("."): one for one in account.split("\n- ")[1:]}
    assert list(paragraphs) == list(DESIGNS.values())
    for design, name in DESIGNS.items():
        signs = re.findall(r"(M\d) (✓|✗|–)", paragraphs[name])
        assert signs
        for guarantee, sign in signs:
            assert MARKS[cell(guarantee, design).finding].split()[0] == sign, (design, guarantee)
