"""Threads, budgets and checkpoints: what is found does not depend on how much was at hand, or on how often it ended."""

import json
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fencepost.checkers.exploration import cutting, engine, explore, lanes, store, table
from fencepost.checkers.exploration.budgets import Status, bytes_of
from fencepost.checkers.exploration.checkpoints import Checkpoint
from fencepost.checkers.exploration.compiled import Loops
from fencepost.checkers.exploration.expansion import Expansion
from fencepost.checkers.exploration.layout import Layout
from fencepost.checkers.exploration.store import FoldedStore, Made, PlainStore, TableStore
from fencepost.checkers.verdicts import Refusal, Verdict
from fencepost.model.language import Protocol
from fencepost.model.registry import FAMILIES
from tests.exploration.test_counts import facts


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of a few states, so that small protocols have many of them."""
    monkeypatch.setattr(lanes, "CHUNK", 7)
    monkeypatch.setattr(engine, "CHUNK", 7)


def traces(found: Any) -> dict[str, Any]:
    """Return the runs to what was found, step for step."""
    return {one.id: one.trace.as_json() for one in found.properties if one.trace}


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.slow
def test_threads_change_nothing(replicas: Protocol) -> None:
    """Counts, levels, verdicts and traces are NumPy's with any number of threads."""
    plain = explore(replicas, "tiny", engine="numpy")
    found = explore(replicas, "tiny", threads=3)
    assert facts(found) == facts(plain)
    assert traces(found) == traces(plain)


@pytest.mark.usefixtures("small_chunks")
def test_threads_stop_at_the_same_state(replicas: Protocol) -> None:
    """A budget of states ends a search with two threads where it ends one with one."""
    one, two = (explore(replicas, "tiny", threads=n, max_states=300) for n in (1, 2))
    assert "300 states are spent" in one.message
    assert facts(one) == facts(two)
    assert traces(one) == traces(two)
    assert one.message == two.message


@pytest.mark.parametrize(
    ("given", "raises"),
    [
        ({"max_states": 100}, "--max-states"),
        ({"max_seconds": 0.0}, "--max-seconds"),
        ({"max_memory": 1}, "--max-memory"),
    ],
)
def test_a_spent_budget_is_inconclusive_and_says_what_to_raise(
    two_phase: Protocol, given: dict[str, Any], raises: str
) -> None:
    """A search whose budget is spent says how far it came and which option raises the budget; nothing holds by it."""
    found = explore(two_phase, "three", **given)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "the levels before it complete" in found.message
    assert found.message.endswith(f"raise {raises}")
    assert not any(one.verdict in (Verdict.CLOSED, Verdict.VACUOUS) for one in found.properties)


def test_a_budget_that_is_enough_changes_nothing(two_phase: Protocol) -> None:
    """A search that ends by itself is closed, whatever it might have spent."""
    whole = facts(explore(two_phase, "three"))
    assert facts(explore(two_phase, "three", max_states=288, max_seconds=3600, max_memory=1 << 50)) == whole


@pytest.mark.parametrize(
    ("text", "count"),
    [("1", 1), ("500M", 500 << 20), ("2g", 2 << 30), ("1.5K", 1536), ("0", None), ("M", None), ("x", None), ("", None),
     ("nan", None), ("-2G", None)],
)  # fmt: skip
def test_memory_is_told_with_units(text: str, count: int | None) -> None:
    """Sizes of memory are numbers with K, M, G or T, of 1,024."""
    assert bytes_of(text) == count


def test_progress_tells_level_rate_and_estimate() -> None:
    """A line of progress says the level, what is expanded, states a second, memory, and where it may end."""
    shrinking = Status(9, 500, 1000, 250, 10_000, 90_000, 4.0, 1 << 20, 3 << 30)
    assert shrinking.line() == (
        "level 9, 500 of 1,000 expanded, 10,000 states, about 10,750 in all, 2,500 a second, 3G, 4 s"
    )
    growing = Status(9, 500, 1000, 900, 10_000, 90_000, 4.0, 1 << 20, 3 << 30)
    assert growing.estimate is None


def made(store: FoldedStore, words: Any, good: Any, source: Any, low: int, row: int) -> Made:
    """Return the good ones of packed states as successors by one of forty rows of a hundred states from a number on."""
    roots = store.folded(words[good != 0])
    ends = np.array([0] * row + [len(roots)] * (40 - row), np.int64)
    return Made(low, low + 100, ends, roots, source[good != 0].astype(np.int32))


class Leading:
    """Instead of an engine: the states that were made of a chunk by a row, with the state that each comes from."""

    def __init__(self) -> None:
        self.made: dict[int, tuple[Any, Any]] = {}

    def expand(self, number: int, cells: Any, start: int, alive: Any) -> Expansion:
        """Return them all; rows of registers are packed states here, with one more column."""
        words, source = self.made[number]
        rows = np.concatenate([words, np.zeros((len(words), 1), np.int64)], axis=1)
        nothing = np.zeros(0, np.int64)
        return Expansion(
            len(cells), rows, source, source, source, *Expansion.no_moments(rows.shape[1])[:1], nothing, nothing
        )


@pytest.mark.parametrize(
    ("words", "parts", "bits", "near"), [(1, 1, 40, 9), (1, 2, 40, 4), (1, 3, 63, 9), (2, 2, 63, 9), (5, 1, 63, 9)]
)
def test_folded_states_are_the_states(
    replicas: Protocol, words: int, parts: int, bits: int, near: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """States that were folded come back as they were, in the order in which they were new, as from a dictionary, each
    with the state and the row that led to it first: with four and eight bytes a slot, with and without parts, while the
    table grows and roots that are too far from their slots make it grow.
    """
    layout = Layout(replicas, replicas.bounds["tiny"].sizes)
    monkeypatch.setattr(layout, "words", words)
    monkeypatch.setattr(layout, "left", words // 2)
    monkeypatch.setattr(layout, "bits", bits)
    monkeypatch.setattr(store, "SAMPLE", 1 << 20)  # these words are no cells
    monkeypatch.setattr(store, "NEAR", near)
    draw = np.random.default_rng(words)
    leading = Leading()
    with ThreadPoolExecutor(parts) as pool:
        folded, plain = TableStore(layout, Loops(), pool, parts), PlainStore(layout)
        monkeypatch.setattr(Loops, "registers", lambda _, layout, words: np.pad(words, ((0, 0), (0, 1))))
        for turn in range(30):
            some = draw.integers(0, draw.choice([5, 3000]), (1000, words)) << draw.integers(0, bits - 12, words)
            good = (draw.random(1000) < 0.9).astype(np.uint8)
            monkeypatch.setattr(layout, "pack", lambda rows, good=good: (rows, good != 0))
            source = np.sort(draw.integers(0, 100, 1000))
            before = plain.count
            plain.add(some, source, 100 * turn, turn % 3)
            [count] = folded.take([made(folded, some, good, source, 100 * turn, turn % 3)])
            assert count == folded.count == plain.count
            leading.made[turn % 3] = some[good != 0], source[good != 0]
            for state in range(before, count, 7):
                assert folded.came(state, leading) == (int(plain.parents[state]), int(plain.rows[state]))
    count = plain.count
    assert np.array_equal(folded.states[:count], plain.states[:count])
    assert np.array_equal(folded.states[count - 1], plain.states[count - 1])
    again = TableStore(layout, Loops())
    again.restore(*folded.saved())
    assert np.array_equal(again.states[:count], plain.states[:count])


@pytest.mark.parametrize("parts", [1, 2, 3])
def test_no_root_is_lost_where_the_table_grows_for_more_nodes(replicas: Protocol, parts: int) -> None:
    """Every root is entered, in the order of the successors, where the table grows while the parts of it have come to
    different places among them, and there are more nodes by then than two of their numbers were given bits for.
    """
    layout = Layout(replicas, replicas.bounds["tiny"].sizes)
    draw, nothing = np.random.default_rng(parts), np.zeros(0, np.int64)
    with ThreadPoolExecutor(parts) as pool, pytest.MonkeyPatch.context() as patch:
        patch.setattr(layout, "words", 2)
        patch.setattr(layout, "left", 1)
        patch.setattr(store, "SAMPLE", 1 << 20)  # these roots are of no states
        folded = TableStore(layout, Loops(), pool, parts)
        expected: dict[int, None] = {}
        for nodes in (40_000, 40_000, 70_000, 140_000):
            folded.counter[0] = nodes
            roots = (draw.integers(0, nodes, 30_000) << 32) | draw.integers(0, 9, 30_000)
            expected.update(dict.fromkeys(roots.tolist()))
            assert folded.take([Made(0, 0, nothing, roots, np.zeros(len(roots), np.int32))]) == [len(expected)]
        assert folded.roots[: folded.count].tolist() == list(expected)


def test_a_root_goes_back_from_where_it_is_scattered_to() -> None:
    """What a slot holds and where it is give the root again, for any number of slots and bits of a root, and a root
    keeps its place where halves get more bits.
    """
    draw = random.Random(5)
    for _ in range(300):
        half = draw.choice([0, 17, 24, 31])
        bits = 2 * half if half else draw.randint(33, 63)
        slots = draw.randint(256, 600) * table.PIECES
        form = np.array([bits, half, slots, slots.bit_length() - 1, 12])
        numbers, more = np.zeros(slots, np.uint32), np.zeros(slots, np.uint32)
        left, right = draw.getrandbits(half), draw.getrandbits(half)
        root = left << 32 | right if half else draw.getrandbits(bits)
        with np.errstate(over="ignore"):
            scattered = int(table.scattered(root, form))
            share = slots // table.PIECES
            begin = int(table.piece_of(scattered, form)) * share
            places = [table.put(scattered, form, numbers, more)]
            numbers[places[0]], more[places[0]] = 1, 0  # another root has its slot: it goes to the next
            places.append(table.put(scattered, form, numbers, more))
            assert places[1] == (places[0] + 1 - begin) % share + begin
            assert table.put(scattered, form, numbers, more) == -1
            again = table.number_at(int(numbers[places[1]]) | int(more[places[1]]) << 32, places[1], begin, form)
            assert (int(again), int(table.gathered(again, form))) == (scattered, root)
            wider = form + np.array([4, 2, 0, 0, 0])
            if half in (17, 24):
                assert table.home(int(table.scattered(root, wider)), wider) == table.home(scattered, form)


@pytest.mark.usefixtures("small_chunks")
def test_states_are_cut_in_other_halves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts, levels, verdicts and traces stay where the states are packed anew in other halves during a search, on one
    thread and on two, few states at once, and where a checkpoint that was written before or after that is gone on with.
    """
    protocol = FAMILIES["zk-data"].explored
    plain = explore(protocol, "tiny", engine="numpy")
    monkeypatch.setattr(store, "SAMPLE", 120)
    monkeypatch.setattr(cutting, "WORTH", 9)
    monkeypatch.setattr(cutting, "CELLS", 50 * len(Layout(protocol, protocol.bounds["tiny"].sizes).kinds))
    cuts: list[int] = []
    monkeypatch.setattr(FoldedStore, "written", lambda kept: cuts.append(kept.layout.cut))
    for threads in (1, 2):
        path = tmp_path / f"{threads}"
        for states in (40, 200):
            go_on = path if states > 40 else None
            explore(protocol, "tiny", threads=threads, checkpoint=path, max_states=states, resume=go_on)
        found = explore(protocol, "tiny", threads=threads, resume=path, checkpoint=path)
        for whole in (found, explore(protocol, "tiny", threads=threads)):
            assert facts(whole) == facts(plain)
            assert traces(whole) == traces(plain)
    assert [cut > 0 for cut in cuts] == [False, True, True] * 2


def test_halves_are_cut_where_that_leaves_fewer_nodes() -> None:
    """Cells that vary all in one half are shared out among both, which then have a fifth of the values."""
    protocol = FAMILIES["zk-data"].explored
    layout = Layout(protocol, protocol.bounds["tiny"].sizes)
    draw = np.random.default_rng(0)
    rows = np.tile(layout.initial_row(), (4000, 1))
    rows[:, layout.packed[-8:]] = draw.integers(layout.low, layout.high + 1, (4000, layout.fault + 1))[
        :, layout.packed[-8:]
    ]
    before = len(np.unique(layout.pack(rows)[0][:, layout.left :], axis=0))
    layout.divide(cutting.better_cut(layout, rows))
    halves = [len(np.unique(one, axis=0)) for one in np.split(layout.pack(rows)[0], [layout.left], axis=1)]
    assert sum(halves) * 5 <= before, (halves, before)
    assert np.array_equal(layout.unpack(layout.pack(rows)[0])[:, :-1], rows[:, :-1])


@pytest.mark.slow
@pytest.mark.usefixtures("small_chunks")
def test_a_search_goes_on_from_any_checkpoint(replicas: Protocol, tmp_path: Path) -> None:
    """From a search that was stopped at any number of states another goes on to the same facts and traces."""
    whole = explore(replicas, "tiny")
    for states in (40, 700):
        path = tmp_path / f"at {states}"
        assert "spent" in explore(replicas, "tiny", checkpoint=path, max_states=states).message
        found = explore(replicas, "tiny", resume=path, checkpoint=path)
        assert facts(found) == facts(whole)
        assert traces(found) == traces(whole)
        assert facts(explore(replicas, "tiny", resume=path)) == facts(whole)


CHILD = """
import json, sys
from pathlib import Path
from fencepost.checkers.exploration import cutting, engine, explore, lanes, store, table
from fencepost.checkers.exploration.checkpoints import Checkpoint
from fencepost.model.registry import FAMILIES
from tests.exploration.test_counts import facts
lanes.CHUNK = engine.CHUNK = 16
path = Path(sys.argv[1])
one = FAMILIES["kip46"].explored
found = explore(one, next(iter(one.bounds)), checkpoint=Checkpoint(path, 0.0), resume=path if path.exists() else None)
print(json.dumps(facts(found), default=str))
"""


def killed_and_begun_again(
    program: str, argument: Path, checkpoint: Path, kills: int, writes: int, pause: float
) -> tuple[str, int]:
    """Return what a program prints that is killed some times and begun again, and how often that was.

    Each time it has written its checkpoint once to `writes` times before, and goes on for up to `pause` seconds.
    """
    draw, killed = random.Random(20), 0
    while True:
        child = subprocess.Popen([sys.executable, "-c", program, str(argument)], stdout=subprocess.PIPE, text=True)
        seen, written, most = checkpoint.stat().st_ino if checkpoint.exists() else 0, 0, draw.randint(1, writes)
        while killed < kills and child.poll() is None and written < most:
            now = checkpoint.stat().st_ino if checkpoint.exists() else 0
            written += now != seen
            seen = now
            time.sleep(0.001)
        if killed < kills and child.poll() is None:
            time.sleep(draw.random() * pause)
            child.send_signal(signal.SIGKILL)
        out, _ = child.communicate()
        if child.returncode == 0:
            return out, killed
        assert child.returncode == -signal.SIGKILL
        killed += 1


@pytest.mark.nightly("test_a_search_goes_on_from_any_checkpoint")
@pytest.mark.slow
def test_a_search_that_is_killed_goes_on_to_the_same_counts(tmp_path: Path) -> None:
    """A process that is killed again and again while it searches and writes ends with what one has that is not."""
    one = FAMILIES["kip46"].explored
    whole = json.loads(json.dumps(facts(explore(one, next(iter(one.bounds)))), default=str))
    path = tmp_path / "checkpoint"
    out, killed = killed_and_begun_again(CHILD, path, path, kills=2, writes=8, pause=1 / 50)
    assert killed > 0
    assert json.loads(out) == whole


def test_a_checkpoint_of_another_search_is_refused(replicas: Protocol, two_phase: Protocol, tmp_path: Path) -> None:
    """A file of another protocol, bound or option, a damaged one, and one that is none end with a sentence."""
    path = tmp_path / "checkpoint"
    explore(replicas, "tiny", checkpoint=path, max_states=10)
    for one, bound, others in ((two_phase, "three", {}), (replicas, "led", {}), (replicas, "tiny", {"max_depth": 3})):
        with pytest.raises(Refusal, match="another exploration"):
            explore(one, bound, resume=path, **others)  # type: ignore[arg-type]
    whole = path.read_bytes()
    for content in (b"", b"text", whole[: len(whole) // 2]):
        path.write_bytes(content)
        with pytest.raises(Refusal, match="no checkpoint"):
            explore(replicas, "tiny", resume=path)
    with pytest.raises(Refusal, match="cannot read"):
        explore(replicas, "tiny", resume=tmp_path / "nothing")


def test_a_checkpoint_is_written_whole_or_not_at_all(replicas: Protocol, tmp_path: Path) -> None:
    """Where the folder is gone the search ends with a sentence, and no draft is left where it is there."""
    explore(replicas, "tiny", checkpoint=Checkpoint(tmp_path / "checkpoint", 0.0))
    assert [one.name for one in tmp_path.iterdir()] == ["checkpoint"]
    with pytest.raises(Refusal, match="cannot write"):
        explore(replicas, "tiny", checkpoint=Checkpoint(tmp_path / "gone" / "checkpoint", 0.0))
