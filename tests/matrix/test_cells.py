"""The matrix says what the engines say: each cell's proof, exploration or shortest trace is had again."""

import re
from collections import defaultdict
from dataclasses import replace
from typing import Any

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.matrix_page import MARKS, page, text
from fencepost.checkers.proof import prove
from fencepost.checkers.verdicts import Verdict
from fencepost.model.findings import FINDINGS
from fencepost.model.kraft import KRAFT
from fencepost.model.kraft_loop import raft
from fencepost.model.kraft_loop import state as loop
from fencepost.model.language import every
from fencepost.model.matrix import CELLS, DESIGNS, GUARANTEES, Cell, Finding, cell
from fencepost.model.matrix.repaired import DEFECTS
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
        by_findings = bool(one.defects) and not one.bound
        assert bool(one.claim) is (one.finding is not Finding.SILENT and not by_findings), one
        assert bool(one.bound) is (one.finding in (Finding.CLOSED, Finding.VIOLATED) and not by_findings), one
        assert bool(one.length) is (one.finding is Finding.VIOLATED), one
        assert not one.defects or one.finding is Finding.VIOLATED, one
        assert bool(one.defects) is bool(one.repaired), one
        assert one.says.endswith(".")


@pytest.mark.representative(
    "kip631-v1-moved-", "kip631-v2-leaders-", "kip343-leaders-",
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


@pytest.mark.representative("kip46--")
@pytest.mark.parametrize(("key", "cells"), PROVED, ids=lambda one: "-".join(one) if isinstance(one, tuple) else "")
def test_proved_cells_are_proved(key: tuple[str, str], cells: list[Cell]) -> None:
    """Every row of the protocol keeps the claim, for any number of brokers."""
    found = prove(find(key[0]).whole, properties=sorted({one.claim for one in cells}))
    assert found.verdict is Verdict.PROVED, found.failed
    assert found.obligations
    for one in cells:
        needed = {used.assumption.id for used in found.assumptions if one.claim in used.needed_by}
        assert needed == set(one.assumes), one


def test_a_defect_that_a_cell_names_is_a_finding_of_today() -> None:
    """The length of a cell that findings break is that of its first finding's trace, the shortest; each is repaired."""
    findings = {one.id: one for one in FINDINGS}
    for one in (one for one in CELLS if one.defects and not one.bound):
        lengths = [len(findings[id].trace) for id in one.defects]
        assert one.length == lengths[0] == min(lengths), one
    named = {id for one in CELLS for id in one.defects}
    assert named == {*DEFECTS, "D15"}


REPAIRED = sorted({(protocol, ids, one.guarantee) for one in CELLS for protocol, ids in one.repaired})


@pytest.mark.representative("kraft+repaired-M8")
@pytest.mark.parametrize(
    ("protocol", "ids"), [pytest.param(protocol, ids, id=f"{protocol}-{of}") for protocol, ids, of in REPAIRED]
)
def test_what_defects_break_is_proved_without_them(protocol: str, ids: tuple[str, ...]) -> None:
    """Every row of the repaired protocol that may break what the cell says of it keeps that, as the protocol claims."""
    whole = find(protocol).whole
    assert all(getattr(whole.property(id), "expected", "") == "holds" for id in ids)
    found = prove(whole, properties=ids, assumptions=False)
    assert found.verdict is Verdict.PROVED, found.failed


@pytest.mark.nightly("test_what_defects_break_is_proved_without_them")
def test_without_a_repair_a_claim_of_the_repaired_rows_falls() -> None:
    """Each repair is needed: with a row as it is today one of the claims of the repaired protocol is not proved."""
    whole = find("kraft+repaired").whole
    for row, id in (("FO1", "K8f"), ("FE8", "E0")):
        edited = whole.but(row, effects=KRAFT.row(row).effects, why="as it is today")
        assert prove(edited, properties=[id], rows=[row], assumptions=False).failed, (row, id)
    at = KRAFT.row("AD3")
    edited = whole.plus(at, table=KRAFT.table_of(at).name, before="AD4", why="as it is today")
    assert prove(edited, properties=["P3"], rows=["AD3"], assumptions=False).failed


MUTANTS: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    (
        "kraft-loop", "QL6c", "QR3",
        {"effects": (every(loop.e, loop.e <= loop.raft_epoch, loop.high_watermark[loop.e].becomes(raft.at)),)},
    ),
    ("kraft-loop", "QL6c", "QR1", {"when": (raft.d <= loop.raft_epoch) & (raft.at <= loop.log_end[raft.d])}),
    ("kraft-loop", "QL23", "QK3", {"effects": ()}),
    ("kraft+repaired", "M6", "R2", {"effects": KRAFT.row("R3").effects}),
)  # fmt: skip
"""Edits of the rows that a cell is about, each with the property that has to fall."""


@pytest.mark.representative("kraft+repaired-M6-R2-")
@pytest.mark.parametrize(
    ("protocol", "id", "row", "edit"), MUTANTS, ids=lambda one: one if isinstance(one, str) else ""
)
def test_a_claim_of_a_cell_falls_with_its_rows(protocol: str, id: str, row: str, edit: dict[str, Any]) -> None:
    """What the matrix cites of KRaft falls with an edit of the rows that commit, give up leadership, and register."""
    assert any(id in (one.claim, *(ids for _, more in one.repaired for ids in more)) or id in one.says for one in CELLS)
    edited = find(protocol).whole.but(row, why="edited", **edit)
    assert prove(edited, properties=[id], rows=[row], assumptions=False).failed


def test_the_page_has_every_cell() -> None:
    """The page says every cell in words with its command, and the terminal's text fits 100 columns."""
    told = page()
    for one in CELLS:
        assert one.says in told
        assert all(command in told for command in one.commands)
    for guarantee in GUARANTEES:
        lines = list(text(guarantee.id))
        assert max(map(len, lines)) <= 100
        assert any(cell(guarantee.id, "zk").says[:30] in line for line in lines)


def test_why_kafka_ended_so_is_what_the_cells_say() -> None:
    """Each sign in the account of the designs is that of the guarantee and the design whose paragraph has it."""
    account = page().split("## Why Kafka ended where it did")[1].split("\n## ")[0]
    paragraphs = {one.split("**")[1].rstrip("."): one for one in account.split("\n- ")[1:]}
    assert list(paragraphs) == list(DESIGNS.values())
    for design, name in DESIGNS.items():
        signs = re.findall(r"(M\d) (✓|✗|–)", paragraphs[name])
        assert signs
        for guarantee, sign in signs:
            assert MARKS[cell(guarantee, design).finding].split()[0] == sign, (design, guarantee)
            assert all(id in paragraphs[name] for id in cell(guarantee, design).defects), (design, guarantee)
