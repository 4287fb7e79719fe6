"""Quorums whose voters change in lock step with `kraft-voters`: steps are rows, and defects put in are none."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from fencepost.checkers.conformance.voters_lockstep import VotersLockStep
from fencepost.reference.kraft.raft import Leading, RaftNode, Voter, changes
from fencepost.reference.kraft.voter_steps import VoterWriter
from tests.reference.kraft.raft.quorum import Machine, Quorum

UNSHOWN = {
    "VA3": "the quorum was formatted with kraft.version 1",
    "VR3": "the quorum was formatted with kraft.version 1",
    "VU6": "the quorum was formatted with kraft.version 1",
    **dict.fromkeys(("VK1", "VK2", "VK3", "VK4"), "nothing is upgraded"),
    "VJ2": "no directory is replaced",
}  # fmt: skip
"""Rows that no run here shows, with the reason."""


class Changing(Machine):
    """A controller of a quorum whose voters change."""

    def started(self) -> None:
        """Begin again with what is on disk."""
        quorum = self.quorum
        assert isinstance(quorum, Changed)
        self.next, self.batches, self.loaded, self.leaders = 0, [], [], []
        writer = quorum.writer
        self.node = RaftNode(
            self, quorum.network, self.id, quorum.voters, quorum.settings, self.disk,
            on_role=quorum.on_role, on_commit=writer.high_watermark,
            others=quorum.others, auto_join=self.id in quorum.joining, on_log=writer.log_changed,
            on_change=writer.change,
        )  # fmt: skip
        self.node.register(self)
        self.node.start()


class Changed(Quorum):
    """A quorum of so many voters, and controllers beside them that may become voters; `joining` do so by themselves."""

    machine = Changing

    def __init__(
        self, seed: int, voters: int, others: int, joining: tuple[int, ...] = (), old: tuple[int, ...] = ()
    ) -> None:
        ids = range(1, voters + others + 1)
        self.joining = joining
        self.others = [Voter(one, f"c{one}", max_kraft_version=int(one not in old)) for one in ids[voters:]]
        knowing = [one for one in ids if one not in old]
        self.lockstep = VotersLockStep(ids, ids[:voters], knowing=knowing, joining=joining)
        self.writer = VoterWriter(self.lockstep.step)
        super().__init__(seed, voters)
        for other in self.others:
            machine = self.machine(self, other.process, other.id)
            self.machines.append(machine)
            self.network.attach(machine)
            machine.start()

    def on_role(self, node: RaftNode) -> None:
        """Check who leads, and tell of it."""
        super().on_role(node)
        self.writer.role_changed(node)

    def ask(self, what: str, controller: int) -> str:
        """Ask the newest leader for a change, any controller where none leads."""
        leading = [one for one in self.machines if one.alive and one.node.is_leader]
        asked = max(leading, key=lambda one: int(one.node.epoch), default=self.machines[0])
        return str(asked.node.change_voters(what, controller)) if asked.alive else ""


def run(seed: int, quorum: Changed, steps: int = 40) -> Changed:
    """Change voters and kill controllers by chance; at most one is down at a time."""
    chance = quorum.simulator.random(f"operator {seed}")
    down: Machine | None = None
    for _ in range(steps):
        quorum.run(chance.choice((0.01, 0.3, 2.0)))
        what = chance.choice(("add", "remove", "update", "kill"))
        if what != "kill":
            quorum.ask(what, chance.choice(quorum.machines).id)
        elif down is not None:
            down.start()
            down = None
        else:
            down = chance.choice(quorum.machines)
            down.crash()
    return quorum


def fresh(seed: int) -> Changed:
    """Return the quorum of a seed: one to three voters of five controllers; one joins by itself, one is old."""
    return Changed(seed, voters=1 + seed % 3, others=4 - seed % 3, joining=(4,), old=(5,))


SEEDS = range(12)


def test_every_step_of_a_changing_quorum_is_a_row() -> None:
    """Of twelve seeds each election, fetch, commit and request is a row, and leaves the log that rows leave."""
    shown: Counter[str] = Counter()
    for seed in SEEDS:
        quorum = run(seed, fresh(seed))
        assert quorum.lockstep.difference == "", seed
        shown += quorum.lockstep.rows
    rows = {row.id for row in quorum.lockstep.protocol.rows}
    assert rows - set(shown) == set(UNSHOWN)


def test_a_removed_voter_comes_back_by_itself() -> None:
    """KAFKA-19850: a controller with auto-join becomes a voter, is removed, and is one again without an operator."""
    quorum = Changed(1, voters=1, others=1, joining=(2,))
    quorum.run(10)
    assert set(quorum.active.node.voters) == {1, 2}
    assert quorum.ask("remove", 2) == changes.NONE
    quorum.run(10)
    assert set(quorum.active.node.voters) == {1, 2}
    assert (quorum.lockstep.difference, quorum.lockstep.rows["VA8"], quorum.lockstep.rows["VR6"]) == ("", 2, 1)


def test_a_leader_that_is_removed_resigns() -> None:
    """Two of three go on without it, and it fetches from the next leader."""
    quorum = Changed(3, voters=3, others=0)
    quorum.run(5)
    gone = quorum.active
    assert quorum.ask("remove", gone.id) == changes.NONE
    quorum.run(20)
    assert quorum.active is not gone
    assert set(quorum.active.node.voters) == {1, 2, 3} - {gone.id}
    assert quorum.lockstep.difference == ""
    assert quorum.lockstep.rows["VQ4"] == 1


def _at_once(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Leading, "is_changing", False)


def _anybody(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(changes, "DUPLICATE", changes.NOT_FOUND)


def _the_last(patch: pytest.MonkeyPatch) -> None:
    removed = changes.remove_voter

    def remove(leader: Any, controller: int) -> str:
        if controller not in leader.node.voters and leader.is_established and not leader.is_changing:
            return changes.NONE
        return removed(leader, controller)

    patch.setattr(changes, "remove_voter", remove)


def _stays(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(RaftNode, "voters", property(lambda node: node.configured))


@pytest.mark.parametrize("defect", [_at_once, _anybody, _the_last, _stays])
def test_a_defect_is_no_row(defect: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two changes at once, another error, a removal that writes nothing, voters that stay as configured."""
    defect(monkeypatch)
    assert any(run(seed, fresh(seed)).lockstep.difference for seed in SEEDS)
