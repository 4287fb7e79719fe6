"""States on disk: sorted runs and duplicates that are found late change no count, verdict or length of a run."""

import json
import os
import resource
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fencepost.checkers.exploration import disk, engine, explore, lanes
from fencepost.checkers.exploration.compiled import Loops
from fencepost.checkers.exploration.disk import Disk, DiskStore, ranges
from fencepost.checkers.exploration.layout import Layout
from fencepost.checkers.exploration.store import PlainStore
from fencepost.checkers.verdicts import Refusal, Verdict
from fencepost.model.language import Protocol
from fencepost.model.registry import FAMILIES
from tests.exploration.test_counts import facts
from tests.exploration.test_size import killed_and_begun_again, made, traces


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of a few states and few roots remembered, so that small protocols have many runs with duplicates."""
    monkeypatch.setattr(lanes, "CHUNK", 7)
    monkeypatch.setattr(engine, "CHUNK", 7)
    monkeypatch.setattr(disk, "RECENT", 16)


@pytest.mark.parametrize("words", [1, 3])
@pytest.mark.parametrize("room", [64, 100_000])
def test_a_store_on_disk_has_the_states_of_one_in_memory(
    replicas: Protocol, words: int, room: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The same states are stored, each with the parent and row with which it was added first, however many runs it
    takes and whenever they are merged.
    """
    layout = Layout(replicas, replicas.bounds["tiny"].sizes)
    monkeypatch.setattr(layout, "words", words)
    monkeypatch.setattr(disk, "RECENT", 16)
    draw = np.random.default_rng(words)
    kept, plain = DiskStore(layout, Loops(), Disk(tmp_path, room)), PlainStore(layout)
    for turn in range(40):
        some = draw.integers(0, 5, (200, words)) << draw.integers(0, 60, words)
        good = (draw.random(200) < 0.9).astype(np.uint8)
        monkeypatch.setattr(layout, "pack", lambda rows, good=good: (rows, good != 0))
        source = draw.integers(0, 100, 200)
        plain.add(some, source, 3, turn)
        kept.take([made(kept, some, good, source, 3, turn)])
        assert kept.known >= plain.count
        if turn % 7 == 6:
            kept.settle()
            assert kept.count == kept.known == plain.count
            for run in kept.seen:
                assert (np.diff(np.array(kept._mapped(run))) > 0).all()
    kept.settle()
    assert len(kept.seen) <= np.log2(kept.count) + 1

    def told(one: Any) -> list[tuple[Any, ...]]:
        count = one.count
        return sorted(
            (*state, parent, row)
            for state, parent, row in zip(
                one.states[:count].tolist(), one.parents[:count].tolist(), one.rows[:count].tolist(), strict=True
            )
        )

    assert told(kept) == told(plain)


def test_ranges_share_every_number_out_once() -> None:
    """The parts of all ranges are each run, and a range of one run has no number that a range before it has."""
    draw = np.random.default_rng(3)
    runs = [np.unique(draw.integers(0, 1000, size)) for size in (5, 700, 90)]
    for room in (1, 10, 10_000):
        parts = list(ranges(runs, room))
        for i, run in enumerate(runs):
            assert np.array_equal(np.concatenate([run[low:high] for low, high in (part[i] for part in parts)]), run)
        sides = [[run[low:high] for run, (low, high) in zip(runs, part, strict=True)] for part in parts]
        tops = [max((int(one.max()) for one in side if len(one)), default=-1) for side in sides]
        bottoms = [min((int(one.min()) for one in side if len(one)), default=10_000) for side in sides]
        assert all(top < bottom for top, bottom in zip(np.maximum.accumulate(tops)[:-1], bottoms[1:], strict=True))


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_a_search_on_disk_finds_what_one_in_memory_finds(replicas: Protocol, tmp_path: Path) -> None:
    """Counts, levels, verdicts and lengths of runs are those of a search in memory; runs are the same with any room
    and any number of threads.
    """
    whole = explore(replicas, "tiny", threads=1)
    found = [
        explore(replicas, "tiny", threads=threads, disk=Disk(tmp_path / f"room {room}", room))
        for threads, room in ((1, 400), (2, 1_000_000))
    ]
    for one in found:
        assert facts(one) == facts(whole)
        assert traces(one) == traces(found[0])
        assert {id: len(run["steps"]) for id, run in traces(one).items()} == {
            id: len(run["steps"]) for id, run in traces(whole).items()
        }
    again = explore(replicas, "tiny", disk=tmp_path / "room 400")
    assert facts(again) == facts(whole)
    assert traces(again) == traces(found[0])


@pytest.mark.usefixtures("small")
@pytest.mark.slow
def test_a_budget_ends_a_search_on_disk(replicas: Protocol, tmp_path: Path) -> None:
    """States that may be duplicates are not counted against the budget, in the last level neither; from the folder
    another search goes on to the end.
    """
    there = tmp_path / "states"
    whole = explore(replicas, "tiny")
    stopped = explore(replicas, "tiny", max_states=300, disk=Disk(there, 50))
    assert "300 states are spent" in stopped.message
    assert 300 < stopped.distinct <= 300 + 7 * 20
    assert facts(explore(replicas, "tiny", max_states=whole.distinct, disk=Disk(there, 1000))) == facts(whole)


CHILD = """
import json, sys
from pathlib import Path
from fencepost.checkers.exploration import engine, explore, lanes
from fencepost.checkers.exploration.disk import Disk
from fencepost.model.registry import FAMILIES
from tests.exploration.test_counts import facts
lanes.CHUNK = engine.CHUNK = 64
one = FAMILIES["kip343"].explored
found = explore(one, next(iter(one.bounds)), disk=Disk(Path(sys.argv[1]), 2000, 0.02))
print(json.dumps(facts(found), default=str))
"""


@pytest.mark.nightly("tests/exploration/test_size.py::test_a_search_goes_on_from_any_checkpoint")
@pytest.mark.slow
def test_a_search_on_disk_that_is_killed_goes_on_to_the_same_counts(tmp_path: Path) -> None:
    """A process that is killed again and again while it searches, sorts and merges ends with what one has that is
    not, and leaves no file that its checkpoint does not name.
    """
    one = FAMILIES["kip343"].explored
    found = explore(one, next(iter(one.bounds)), disk=tmp_path / "undisturbed")
    assert found.distinct == explore(one, next(iter(one.bounds))).distinct
    whole = json.loads(json.dumps(facts(found), default=str))
    folder = tmp_path / "states"
    out, killed = killed_and_begun_again(CHILD, folder, folder / "search", kills=2, writes=1, pause=1 / 10)
    assert killed > 0
    assert json.loads(out) == whole
    assert not [path.name for path in folder.iterdir() if path.name.startswith("found-")]


def test_what_cannot_be_gone_on_with_is_refused(replicas: Protocol, two_phase: Protocol, tmp_path: Path) -> None:
    """A folder with other things, of another search, with a file cut short, in use, or beside a checkpoint: each ends
    with a sentence, and nothing in it is touched.
    """
    there = tmp_path / "states"
    explore(replicas, "tiny", max_states=100, disk=Disk(there, 50))
    kept = {path.name: path.read_bytes() for path in there.iterdir()}
    with pytest.raises(Refusal, match="another exploration"):
        explore(two_phase, "three", disk=there)
    with pytest.raises(Refusal, match="leave out --checkpoint"):
        explore(replicas, "tiny", disk=there, checkpoint=tmp_path / "beside")
    with Disk(there).claim(), pytest.raises(Refusal, match="another search has it now"):
        explore(replicas, "tiny", disk=there)
    assert {path.name: path.read_bytes() for path in there.iterdir()} == kept
    for name in (name for name in kept if kept[name] and name != "search"):
        for altered in (kept[name][:-1], bytes([kept[name][0] ^ 1]) + kept[name][1:]):
            (there / name).write_bytes(altered)
            with pytest.raises(Refusal, match=f"{name}: is missing, cut short or altered"):
                explore(replicas, "tiny", disk=there)
        (there / name).write_bytes(kept[name])
    other = tmp_path / "other"
    other.mkdir()
    (other / "letter").write_text("dear")
    with pytest.raises(Refusal, match="holds letter"):
        explore(replicas, "tiny", disk=other)
    assert [path.name for path in other.iterdir()] == ["letter"]
    with pytest.raises(Refusal, match="cannot be used as a folder"):
        explore(replicas, "tiny", disk=other / "letter")


def test_a_link_in_a_folder_of_states_is_not_followed(replicas: Protocol, tmp_path: Path) -> None:
    """A link or a pipe in the place of a file of states is refused: what the link names is neither written nor cut."""
    letter, there = tmp_path / "letter", tmp_path / "states"
    letter.write_text("dear")
    there.mkdir()
    (there / "fencepost.lock").touch()
    (there / "roots").symlink_to(letter)
    with pytest.raises(Refusal, match="roots: cannot write the states"):
        explore(replicas, "tiny", disk=there)
    assert letter.read_text() == "dear"
    (there / "fencepost.lock").unlink()
    os.mkfifo(there / "fencepost.lock")
    with pytest.raises(Refusal, match="cannot be used as a folder"):
        explore(replicas, "tiny", disk=there)


def test_a_full_disk_is_one_sentence_and_loses_nothing(replicas: Protocol, tmp_path: Path) -> None:
    """Where a file can grow no further the search says which and what to do, and goes on once there is room."""
    there = Disk(tmp_path, 50, 0.0)
    explore(replicas, "tiny", max_states=100, disk=there)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    largest = max(path.stat().st_size for path in tmp_path.iterdir())
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest + 200, hard))
    try:
        with pytest.raises(Refusal, match="cannot write"):
            explore(replicas, "tiny", disk=there)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert facts(explore(replicas, "tiny", disk=there)) == facts(explore(replicas, "tiny"))


def test_liveness_is_not_asked_on_disk(tmp_path: Path) -> None:
    """A property of liveness, which needs the states in memory, is inconclusive and says so."""
    one = FAMILIES["kip46"].explored
    found = explore(one, next(iter(one.bounds)), disk=tmp_path)
    asked = {p.id: p for p in found.properties}["SI7"]
    assert asked.verdict is Verdict.INCONCLUSIVE
    assert "leave out --disk" in asked.message
