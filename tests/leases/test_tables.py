"""The lease tables: proved, explored, and a grid of numbers that flips where the region says."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

import pytest

from fencepost.checkers.exploration import Exploration, explore
from fencepost.checkers.leases import region
from fencepost.checkers.proof import hygiene, prove
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import FALSE, TRUE, Bound, Term, any_of, exists, sometimes
from fencepost.model.leases import LEASE
from fencepost.model.leases.protocol import settings
from fencepost.model.leases.state import Exchange, believes, epoch, exchange, fenced, leader, lease, session, x

COUNTS = {"tiny": (21_591, 142_447, 27), "drift": (155_539, 1_132_210, 27)}
NEVER = {"tiny": ("LH1a", "LH5"), "drift": ()}


@pytest.mark.parametrize("bound", ["tiny", pytest.param("drift", marks=pytest.mark.exhaustive)])
def test_a_bound_has_its_pinned_counts(bound: str) -> None:
    """Every claim holds at the bound but KIP-343's, which is declared violated; every witness is there."""
    found = explore(LEASE, bound, engine="numpy")
    assert found.verdict is Verdict.CLOSED
    assert (found.distinct, found.generated, found.depth) == COUNTS[bound]
    assert found.rows_never_fired == NEVER[bound]
    assert found.out_of_range == {}
    assert all(one.as_declared for one in found.properties)
    assert [one.id for one in found.properties if one.verdict is Verdict.VIOLATED] == ["LE4"]


def test_the_tables_are_proved_for_all_settings_in_the_region() -> None:
    """Whatever the lengths, drifts and delays of the region, and however many brokers: no two believe."""
    found = prove(LEASE)
    assert (found.refuted, found.unknown, found.expected) == (0, 0, 3), found.lines()
    assert {(one.row, one.property) for one in found.failed} == {(row, "LE4") for row in ("LC1", "LH4", "LH7")}
    assert not found.vacuous
    assert not found.undeclared
    assert hygiene(LEASE).findings == ()


def test_without_the_region_the_proof_fails() -> None:
    """The lemma that settings are safe is what the proof rests on: taken away, a tick or a receipt breaks it."""
    outside = replace(LEASE, start=TRUE, properties=tuple(one for one in LEASE.properties if one.id != "LLr"))
    assert prove(outside, properties=("LLs", "LLa")).refuted > 0


class Cell(NamedTuple):
    """Settings of the grid: a clock's tick lasts 1 to `slow` units; timers in ticks, the longest delay in units."""

    slow: int
    broker: int
    controller: int
    from_send: bool
    delay: int | None

    @property
    def start(self) -> Term[bool]:
        """The settings as the tables have them: how long each timer lasts in units of real time."""
        lasts = ((length, length * self.slow) for length in (self.broker, self.controller))
        return settings(self.from_send, *lasts, self.delay)

    @property
    def values(self) -> dict[str, Fraction]:
        """The settings as the region has them, in ticks: 1 to 2 units are 4/3 units with a drift of 1/3."""
        drift = Fraction(self.slow - 1, self.slow + 1)
        unit = 1 / (1 + drift)
        rates = {"slow_b": 1 - drift, "fast_b": 1 + drift, "slow_c": 1 - drift, "fast_c": 1 + drift}
        lengths = {"Tb": Fraction(self.broker), "Tc": Fraction(self.controller), "D": (self.delay or 0) * unit}
        return {**lengths, "gb": Fraction(0), "gc": Fraction(0), **rates}


TIMERS = [(True, None), (False, 0), (False, 1), (False, 2)]
GRID = [Cell(slow, tb, tc, *timer) for slow, tb, tc, timer in product((1, 2), (2, 3, 4), (2, 3, 4), TIMERS)]


@cache
def explored(lossy: bool) -> Exploration:
    """Every cell of the grid at once: one broker, one leadership; one witness a cell and question, if there is any."""
    cells = [cell for cell in GRID if not lossy or cell.slow == 1]
    replaced = exists(x, believes(x) & leader.isnt(x))
    early = exists(x, ~fenced[x] & exchange[x].is_(Exchange.NONE) & lease[x].is_(0) & (session[x] > 0))
    asked = [
        sometimes(f"{name}{GRID.index(cell)}", cell.start & what)
        for cell in cells
        for name, what in (("replaced", replaced), ("early", early))
    ]
    given = {"Elect": epoch < 1} | ({} if lossy else {"LoseMessage": FALSE})
    bound = Bound({"Broker": 1, "units": 8, "leader epoch": 2}, any_of(*(cell.start for cell in cells)), given)
    tables = replace(LEASE, name="lease grid", start=TRUE, properties=tuple(asked), bounds={"grid": bound})
    found = explore(tables, "grid", engine="numpy", deadlock=False)
    assert found.out_of_range == {}
    return found


def seen(lossy: bool, name: str, cell: Cell) -> bool:
    """Return whether some run of the cell shows it; every reachable state was looked at."""
    verdict = explored(lossy).property(f"{name}{GRID.index(cell)}").verdict
    assert verdict in (Verdict.WITNESSED, Verdict.VACUOUS)
    return verdict is Verdict.WITNESSED


def test_the_grid_flips_where_the_safe_region_says() -> None:
    """A broker believes that has been replaced exactly at those 72 settings that are outside the derived region."""
    found = {cell: seen(False, "replaced", cell) for cell in GRID}
    assert found == {cell: not region("send" if cell.from_send else "answer").contains(cell.values) for cell in GRID}
    assert set(found.values()) == {True, False}


def test_the_grid_flips_where_kip343_says() -> None:
    """Brokers give themselves up too early exactly outside the other region, with timers from the answer."""
    cells = [cell for cell in GRID if not cell.from_send]
    found = {cell: seen(False, "early", cell) for cell in cells}
    assert found == {cell: not region("kip343").contains(cell.values) for cell in cells}
    assert set(found.values()) == {True, False}
    assert all(seen(False, "early", cell) for cell in GRID if cell.from_send)


def test_a_lost_answer_leaves_nothing_of_kip343s_demand_and_all_of_safety() -> None:
    """Where answers get lost brokers give themselves up too early at all settings; who believes is not touched."""
    cells = [cell for cell in GRID if cell.slow == 1]
    assert all(seen(True, "early", cell) for cell in cells)
    assert region("kip343 lost").holds is None
    assert {cell: seen(True, "replaced", cell) for cell in cells} == {
        cell: seen(False, "replaced", cell) for cell in cells
    }


def test_no_setting_of_the_grid_has_both_but_perfect_clocks_and_equal_timers() -> None:
    """What is proved of all settings shows in numbers: both hold only for equal timers without drift and delay."""
    both = [cell for cell in GRID if not seen(False, "replaced", cell) and not seen(False, "early", cell)]
    assert {(cell.slow, cell.delay) for cell in both} == {(1, 0)}
    assert all(cell.broker == cell.controller for cell in both)
    assert len(both) == 3
