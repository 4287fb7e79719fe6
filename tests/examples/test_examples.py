"""The example protocols in the plain interpreter, at bounds small enough for it."""

import pytest

from fencepost.model.language import always, forall, protocol_text

from .kip320 import KIP320
from .search import search
from .two_phase import TWO_PHASE, Progress, progress, x


def test_two_phase_has_the_published_counts() -> None:
    """With three resource managers there are 288 states, 1,146 transitions and 11 levels, and commit is consistent."""
    found = search(TWO_PHASE, TWO_PHASE.bounds["three"])
    assert (found.distinct, found.transitions, found.depth) == (288, 1146, 11)
    assert found.violated == {}


def test_two_phase_commits_after_eight_steps() -> None:
    """The claim that no participant ever commits fails first at level nine: all prepare, all are counted, one hears."""
    nobody_commits = always("NC", forall(x, progress[x].isnt(Progress.COMMITTED)))
    found = search(TWO_PHASE.claiming(nobody_commits), TWO_PHASE.bounds["three"])
    assert found.violated == {"NC": 9}


@pytest.mark.nightly("tests/tlc/test_tlc.py::test_counts_are_those_of_the_published_module[Kip320 2/2/2/2]")
def test_kip320_has_the_counts_of_the_published_module() -> None:
    """With two replicas and 2/2/2 there are 5,973 states, 11,839 transitions and 18 levels, as in the original."""
    found = search(KIP320, KIP320.bounds["2222"])
    assert (found.distinct, found.transitions, found.depth) == (5973, 11839, 18)
    assert found.violated == {}


def test_every_row_of_kip320_fires() -> None:
    """At the smallest bound of two replicas every one of the twelve rows has successors."""
    found = search(KIP320, KIP320.bounds["2111"])
    assert (found.distinct, found.transitions, found.depth) == (277, 471, 12)
    assert len(found.fired) == 12
    assert all(found.fired.values()), found.fired


def test_kip320_needs_its_fence() -> None:
    """If the high watermark rises with the leader's log alone, both claims about the ISR fail at the smallest bound."""
    loose = KIP320.row("H1").when.terms[0]  # type: ignore[attr-defined]
    variant = KIP320.but("H1", when=loose, why="the high watermark rises with the leader's log alone")
    found = search(variant, variant.bounds["2111"])
    assert set(found.violated) == {"StrongIsr", "WeakIsr"}


def test_the_examples_print_as_tables() -> None:
    """The text of a protocol, of which its hash is made, names every row."""
    for one in (TWO_PHASE, KIP320):
        assert all(row.id in protocol_text(one) for row in one.rows)
