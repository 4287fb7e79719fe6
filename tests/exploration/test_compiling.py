"""What is compiled, what the cache gives back, and that neither changes what an exploration finds."""

import os
import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fencepost.checkers.exploration import compiled as engine_of_compiled
from fencepost.checkers.exploration import explore, native
from fencepost.checkers.exploration.columns import ColumnEngine
from fencepost.checkers.exploration.compiled import SHAPES, CompiledEngine, Graded, source_of
from fencepost.checkers.exploration.kernel import check_function, row_function, step_function
from fencepost.checkers.exploration.layout import Layout
from fencepost.checkers.exploration.machine import NotTranslated, Param
from fencepost.checkers.exploration.native import FULL, QUICK, Shape, Source
from fencepost.checkers.exploration.plan import Plan
from fencepost.checkers.exploration.printer import Printer
from fencepost.checkers.proof.shortsearch import ShortSearch
from fencepost.model.language import Protocol
from fencepost.model.registry import FAMILIES
from tests.exploration.plain_exploration import explore_plainly
from tests.exploration.test_counts import facts

KEPT: list[object] = []
"""Code that is no longer looked up stays where it is: functions of other tests may still be called."""

SUM = Source(
    "total",
    Shape((Param(1),), 1),
    ("def total(values):\n    t = 0\n    for x in values:\n        t += x\n    return t\n",),
)


def forget() -> None:
    """Forget what this process has compiled or loaded, as if another began."""
    KEPT.append(native.target())
    native.target.cache_clear()
    native._PLACED.clear()
    native.COUNTED.compiled.clear()
    native.COUNTED.loaded = 0


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache of the test's own, and a process that has compiled nothing; no function earns full code."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(engine_of_compiled, "COST", 1e9)
    forget()
    yield native.cache_folder()
    forget()


def compiled_names() -> list[str]:
    """Return the functions that were compiled, by name."""
    return [name for name, _ in native.COUNTED.compiled]


def edited(protocol: Protocol, id: str) -> Protocol:
    """Return a protocol in which one row has the denial of its guard, and everything else is as it was."""
    return protocol.but(id, when=~protocol.row(id).when, why="another row")


def test_a_warm_run_compiles_nothing_and_finds_the_same(folder: Path, replicas: Protocol) -> None:
    """The second process takes every function from the cache, and finds what the first and NumPy find."""
    cold = facts(explore(replicas, "tiny"))
    made = len(native.COUNTED.compiled)
    assert made > len(replicas.rows)
    forget()
    warm = facts(explore(replicas, "tiny"))
    assert native.COUNTED.compiled == []
    assert native.COUNTED.loaded == made
    assert cold == warm == facts(explore(replicas, "tiny", engine="numpy"))


def test_a_variant_of_a_row_compiles_that_row_alone(
    folder: Path, two_phase: Protocol, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a warm base, a protocol that differs in one guard prints and compiles one function, the row's."""
    explore(two_phase, "three", max_depth=3)
    assert compiled_names().count("row") > 1
    forget()
    printed: list[Any] = []

    def print_row(*given: Any) -> list[str]:
        printed.append(given)
        return row_function(*given)

    monkeypatch.setattr(engine_of_compiled, "row_function", print_row)
    monkeypatch.setattr(engine_of_compiled, "check_function", None)
    found = explore(edited(two_phase, "T2"), "three", max_depth=3)
    assert (len(printed), compiled_names()) == (1, ["row"])
    assert facts(found) == facts(explore_plainly(edited(two_phase, "T2"), "three", max_depth=3))


def cut(path: Path) -> None:
    """Leave the first half of a file."""
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])


def flip(path: Path) -> None:
    """Change one bit of a file."""
    content = bytearray(path.read_bytes())
    content[-9] ^= 4
    path.write_bytes(content)


def swap(path: Path) -> None:
    """Put another entry, which is whole, in the place of a file."""
    other = replace(SUM, texts=(SUM.texts[0].replace("t = 0", "t = 1"),))
    native.compiled(other, QUICK)
    path.write_bytes((path.parent / f"{other.key(QUICK)}.o").read_bytes())


def open_up(path: Path) -> None:
    """Let others write to a file."""
    path.chmod(0o666)


def empty(path: Path) -> None:
    """Leave a file without content."""
    path.write_bytes(b"")


@pytest.mark.parametrize("damage", [cut, flip, swap, open_up, empty])
def test_a_damaged_entry_is_compiled_again(folder: Path, damage: Callable[[Path], None]) -> None:
    """An entry that is cut, changed, another's or open to others is not run: it is compiled, and is whole again."""
    numbers = np.arange(5, dtype=np.int64)
    assert native.compiled(SUM, QUICK)(numbers) == 10
    path = folder / f"{SUM.key(QUICK)}.o"
    whole = path.read_bytes()
    damage(path)
    forget()
    assert native.cached(SUM, QUICK) is None
    assert native.compiled(SUM, QUICK)(numbers) == 10
    assert native.COUNTED.compiled == [("total", "quick")]
    assert path.read_bytes() == whole
    assert path.stat().st_mode & 0o022 == 0


def test_the_key_is_of_the_whole_text(folder: Path) -> None:
    """Another text, table, constant, shape or grade is another entry."""
    other = [
        replace(SUM, texts=(*SUM.texts, "def more(x):\n    return x\n")),
        replace(SUM, tables={"VALUES_0": (1, 2)}),
        replace(SUM, constants={"FAR": 1}),
        replace(SUM, shape=Shape((Param(1, "int32"),), 1)),
    ]
    keys = {one.key(grade) for one in (SUM, *other) for grade in (QUICK, FULL)}
    assert len(keys) == 2 * (len(other) + 1)


def test_writers_of_one_entry_leave_it_whole(folder: Path) -> None:
    """Many writers at once leave one whole entry and no drafts."""
    code = os.urandom(20_000)

    def written() -> bytes | None:
        native.write("entry", code)
        return native.read("entry")

    with ThreadPoolExecutor(8) as pool:
        seen = list(pool.map(lambda _: written(), range(64)))
    assert set(seen) == {code}
    assert [path.name for path in folder.iterdir()] == ["entry.o"]


def test_a_cache_that_cannot_be_written_costs_time_only(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no file can be made the function is compiled and runs."""

    def refused(*_: object, **__: object) -> None:
        raise PermissionError

    monkeypatch.setattr("fencepost.checkers.keeping.write_whole", refused)
    assert native.compiled(SUM, QUICK)(np.arange(4, dtype=np.int64)) == 6
    assert list(folder.iterdir()) == []


def test_a_function_takes_the_arrays_that_it_was_compiled_for(folder: Path) -> None:
    """Another type of element, another number of dimensions, or gaps are refused: machine code cannot tell."""
    total = native.compiled(SUM, QUICK)
    for wrong in (np.zeros(3, np.int32), np.zeros((3, 3), np.int64), np.zeros(6, np.int64)[::2]):
        with pytest.raises(TypeError, match="int64"):
            total(wrong)


def test_arrays_that_are_read_only_or_empty_are_taken(folder: Path) -> None:
    """An array that must not be written is read where it is, one without elements has none, and an element that is
    fetched ahead, also one behind the end, changes nothing."""
    text = (
        "def total(array, other):\n    fetched(array, len(array))\n    found = 0\n    for i in range(len(array)):\n"
        "        fetched(other, i)\n        found += array[i]\n    return found + len(other)\n"
    )
    total = native.compiled(Source("total", Shape((Param(1), Param(1)), 1), (text,)), FULL)
    kept = np.arange(5)
    kept.flags.writeable = False
    assert total(kept, np.zeros(0, np.int64)) == 10
    assert total(np.zeros(0, np.int64), kept) == 5


def test_what_is_unknown_is_refused() -> None:
    """A text with more than the translator knows raises, and is never compiled to something else."""
    for line in (
        "return values[0] / 2",
        "return values[0:1]",
        "return values[1:]",
        "return unknown",
        "x = [1]",
        "return abs(1)",
    ):
        source = replace(SUM, texts=(f"def total(values):\n    {line}\n",))
        with pytest.raises(NotTranslated):
            source.assembly("f")


@settings(max_examples=200, deadline=None)
@given(st.integers(-(2**62), 2**62), st.integers(-(2**31), 2**31).filter(bool))
def test_division_is_pythons(left: int, right: int) -> None:
    """Quotient and rest go towards minus infinity."""
    text = "def both(a, b):\n    return a // b, a % b\n"
    source = Source("both", Shape((Param(), Param()), 2), (text,))
    assert native.compiled(source, QUICK)(left, right) == divmod(left, right)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32))
def test_handing_over_changes_nothing(replicas: Protocol, seed: int) -> None:
    """Engine and grade change at random times, inside levels too: counts, verdicts and traces stay what they are."""
    draw = random.Random(seed)
    plain = explore(replicas, "tiny", engine="numpy")

    others: dict[int, ColumnEngine] = {}
    handed = 0

    def changing(name: str) -> Callable[..., Any]:
        own = getattr(CompiledEngine, name)

        def either(self: CompiledEngine, *given: Any) -> Any:
            nonlocal handed
            if draw.random() < 0.7:
                return own(self, *given)
            handed += 1
            return getattr(others.setdefault(id(self), ColumnEngine(self.plan)), name)(*given)

        return either

    with pytest.MonkeyPatch().context() as patch:
        for name in ("expand", "step", "check"):
            patch.setattr(CompiledEngine, name, changing(name))
        patch.setattr(engine_of_compiled, "COST", draw.choice([0.0, 1e-9, 1e-7, 1e9]))
        found = explore(replicas, "tiny")
    assert handed > 0
    assert facts(found) == facts(plain)
    told = [{p.id: p.trace.as_json() for p in one.properties if p.trace} for one in (found, plain)]
    assert told[0] == told[1]


def test_a_short_search_finds_the_same_compiled(replicas: Protocol, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search for failures, whose states are added row by row, finds the same with rows that NumPy does not take."""
    bound = replicas.bounds["tiny"]
    found = []
    for takes in (True, False):
        monkeypatch.setattr(ColumnEngine, "takes", lambda *_, takes=takes: takes)
        plan = Plan(replicas, bound, Layout(replicas, bound.sizes))
        wanted = [one.id for one in replicas.properties]
        search = ShortSearch(plan, wanted, time.process_time() + 600)
        search.run_short(600.0, 64, 20, random.Random(1))
        assert search.closed
        runs = {id: search.run_to(id) for id in wanted if id in search.found}
        found.append((search.engine.name == "numpy", search.store.count, runs))
    assert [is_numpy for is_numpy, *_ in found] == [True, False]
    assert found[0][1:] == found[1][1:]
    assert found[0][2]


def test_a_function_that_runs_for_long_gets_full_code(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Quick code is replaced once it has run as long as full code takes to make, and the next process begins with
    that."""
    monkeypatch.setattr(engine_of_compiled, "COST", 1e-6)
    one = Graded(SUM)
    numbers = np.arange(200_000, dtype=np.int64)
    assert one.grade is QUICK
    while one.grade is QUICK:
        assert one(numbers) == 19_999_900_000
    assert one(numbers) == 19_999_900_000
    forget()
    assert Graded(SUM).grade is FULL
    assert native.COUNTED.compiled == []


@pytest.mark.representative("kraft-data", "kip343")
@pytest.mark.slow
@pytest.mark.parametrize("name", FAMILIES)
def test_every_function_of_every_protocol_is_translated(name: str) -> None:
    """Rows, properties and what puts these to the test: LLVM accepts all that is printed at the first bound of a
    protocol."""
    explored = FAMILIES[name].explored
    bound = next(iter(explored.bounds.values()))
    plan = Plan(explored, bound, Layout(explored, bound.sizes))
    count = 0
    prints: list[tuple[str, Callable[[Printer], list[str]]]] = []
    prints += [("row", partial(row_function, name="row", plan=row)) for row in plan.printed]
    prints += [("step", partial(step_function, name="step", one=step, plan=row)) for step, row in plan.steps]
    prints += [("check", partial(check_function, name="check", properties=(one,))) for one in plan.conditions]
    for shape, lines in prints:
        printer = Printer(plan.layout, columns=False)
        text = source_of(printer, shape, SHAPES[shape], lines(printer)).assembly("f")
        assert native.target().compiled(text, QUICK)
        count += 1
    assert count > len(explored.rows) // 2
