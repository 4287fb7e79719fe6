"""What `zk-data` takes of a controller for granted, asked of the designs between ZooKeeper and KRaft."""

from dataclasses import replace
from pathlib import Path

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.proof import prove
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import Step
from fencepost.model.registry import find
from fencepost.model.zk_data import ZK_DATA
from fencepost.model.zk_data.interface import DESIGNS, ERA, LINES, OWN, claims

PAGE = Path(__file__).resolve().parents[2] / "spec" / "data-evidence.md"
BROKEN = [(name, id) for name, design in DESIGNS.items() for id in design.broken]


@pytest.mark.representative("kip343")
@pytest.mark.parametrize("name", DESIGNS)
def test_a_line_is_proved_where_none_is_said_to_break_it(name: str) -> None:
    """Every row of the design keeps every line, but for those that are declared to fall, and these fall."""
    proof = prove(find(f"{name}+guarantees").whole, properties=sorted(LINES), assumptions=False)
    assert proof.unknown == 0
    assert {one.property for one in proof.failed} == set(DESIGNS[name].broken)
    assert all(one.refuted for one in proof.failed)


@pytest.mark.representative("kip631-v2-DG7", "kip343-DG8", "kip631-v1-DG7")
@pytest.mark.parametrize(("name", "id"), BROKEN)
def test_a_line_that_falls_does_so_by_its_shortest_run(name: str, id: str) -> None:
    """From the beginning of the design's own tables, in exactly so many rows."""
    broken = DESIGNS[name].broken[id]
    part = find(f"{name}+guarantees").bounds[broken.bound]
    found = explore(part, broken.bound).property(id)
    assert found.verdict is Verdict.VIOLATED
    assert found.trace is not None
    assert len(found.trace.steps) == broken.length, "\n".join(found.trace.lines())


def test_zk_data_itself_keeps_every_line() -> None:
    """Its controller and its leaders satisfy the demands on others, under its assumptions."""
    proof = prove(ZK_DATA.claiming(*claims(OWN)), properties=sorted(LINES), assumptions=False)
    assert proof.failed == ()


def test_any_controller_is_one_that_keeps_every_line() -> None:
    """The one row that stands for every controller keeps all lines too, so that they are not more than it needs."""
    own = replace(OWN, protocol=find("zk-data+any-controller").whole)
    proof = prove(own.protocol.claiming(*claims(own)), properties=sorted(LINES), assumptions=False)
    assert proof.failed == ()


@pytest.mark.nightly("test_zk_data_itself_keeps_every_line")
def test_the_controller_of_the_era_keeps_every_line() -> None:
    """All rows of `zk` do, unclean elections apart; what becomes of a new process is a claim of its own there."""
    proof = prove(
        ERA.protocol.claiming(*claims(ERA)), properties=[*sorted(set(LINES) - {"DG8"}), "ZI10"], assumptions=False
    )
    assert proof.failed == ()
    assert proof.unknown == 0


def test_the_page_says_which_design_keeps_what() -> None:
    """`spec/data-evidence.md` has a line for each, with what each design makes of it."""
    page = PAGE.read_text(encoding="utf-8")
    for id, about in LINES.items():
        signs = ["ZI10" if id == "DG8" else "proved"]
        signs += [f"{one.broken[id].length} rows" if id in one.broken else "proved" for one in DESIGNS.values()]
        assert f"| {id} | {about} | {' | '.join(signs)} |" in page


def test_a_line_is_one_question() -> None:
    """Each design is asked the same lines in the same words."""
    for design in DESIGNS.values():
        asked = claims(design)
        assert all(isinstance(one, Step) for one in asked)
        assert {one.id: one.about for one in asked} == LINES
