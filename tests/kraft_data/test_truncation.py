"""Where a follower cuts its log: row DF1 beside the reference, which follows Kafka's AbstractFetcherThread."""

import random
from typing import Any

from fencepost.model.kraft_data import state as s
from fencepost.model.kraft_data.followers import cut_at
from fencepost.model.kraft_data.protocol import KRAFT_DATA
from fencepost.model.language.interpreter import CellKey, Evaluation, Valuation, World
from fencepost.reference.kraft.broker.fetcher import truncation_offset
from fencepost.reference.kraft.broker.replica_log import ReplicaLog

LONGEST, NEWEST = 6, 6
"""So many records has a follower's log at most; the leader of this epoch has written in it."""


def log_of(epochs: list[int]) -> ReplicaLog:
    """Return a log whose records were written in these leader epochs."""
    log = ReplicaLog("t", 0)
    for epoch in epochs:
        log.append(epoch, (0,), 0)
    return log


def cell(of: Any, *keys: int) -> CellKey:
    """Return the cell of a variable under some keys."""
    return of.state, keys


def cuts(follower: list[int], leader: list[int], asked: int) -> list[int]:
    """Return the offsets at which the row lets the follower cut, after the answer to a query about an epoch."""
    older = [epoch for epoch in leader if epoch <= asked]
    cells: dict[CellKey, object] = {cell(s.log_end, 0): len(follower), cell(s.leader_end, NEWEST): len(leader)}
    cells |= {cell(s.log, 0, at): epoch for at, epoch in enumerate(follower)}
    cells |= {cell(s.leader_log, NEWEST, at): epoch for at, epoch in enumerate(leader)}
    sizes = {**dict.fromkeys(KRAFT_DATA.sized_kinds(), 1), "offset": LONGEST + 1, "leader epoch": NEWEST}
    world = World.of(sizes, KRAFT_DATA.kinds)
    state = Evaluation(world, Valuation(cells))
    given = {s.f: 0, s.e: NEWEST, s.asked: asked, s.k: max(older, default=0)}
    return [n for n in range(len(follower)) if state.value(cut_at, {**given, s.n: n})]


def test_a_follower_cuts_where_the_reference_does() -> None:
    """Of random logs the row has one cut, the reference's; also where the follower lacks the answered epoch."""
    draw, lacking = random.Random(0), 0
    for _ in range(300):
        follower = sorted(draw.choices(range(1, NEWEST), k=draw.randint(1, LONGEST)))
        leader = [*sorted(draw.choices(range(1, NEWEST), k=draw.randint(0, LONGEST))), NEWEST]
        asked = follower[-1]
        answer = log_of(leader).end_of_epoch(asked)
        assert answer is not None
        cut = truncation_offset(log_of(follower), answer)
        if cut == len(follower):
            continue
        lacking += answer[0] not in follower and cut > answer[1]
        assert cuts(follower, leader, asked) == [cut], (follower, leader)
    assert lacking > 5


def test_an_epoch_that_only_the_leader_knows_is_cut_before_it() -> None:
    """The leader ends epoch 2 at 3; the follower has nothing of it and keeps its four records of epoch 1."""
    assert cuts([1, 1, 1, 1, 4, 4], [2, 2, 2, NEWEST], 4) == [4]
