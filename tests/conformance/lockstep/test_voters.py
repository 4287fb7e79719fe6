"""Quorums whose voters change in lock step with `kraft-voters`: steps are rows, and defects put in are none."""

import random
from collections import Counter
from typing import Any

import pytest

from fencepost.checkers.conformance.voters_lockstep import VotersLockStep
from fencepost.reference.kraft.raft import Leading, RaftNode, Voter, changes
from fencepost.reference.kraft.voter_steps import VoterWriter
from fencepost.traces.voter_steps import VoterStep
from tests.reference.kraft.raft.quorum import Machine, Quorum

UNSHOWN = {"VJ2"}
"""The row that no run here shows: no directory is replaced."""


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
            dynamic=quorum.dynamic, on_role=quorum.on_role, on_commit=writer.high_watermark,
            others=quorum.others, auto_join=self.id in quorum.joining, on_log=writer.log_changed,
            on_ask=writer.asked_to_vote, on_change=writer.voters_changed,
        )  # fmt: skip
        self.node.register(self)
        self.node.start()


class Changed(Quorum):
    """A quorum of so many voters, and controllers beside them that may become voters; `joining` do so by themselves.

    `old` controllers do not know kraft.version 1, with which only a `dynamic` quorum begins. `difference` is the first
    step that is no row.
    """

    machine = Changing

    def __init__(
        self,
        seed: int,
        voters: int,
        others: int,
        joining: tuple[int, ...] = (),
        old: tuple[int, ...] = (),
        dynamic: bool = True,
    ) -> None:
        ids = range(1, voters + others + 1)
        self.joining, self.dynamic, self.old = joining, dynamic, old
        self.others = [Voter(one, f"c{one}", max_kraft_version=int(one not in old)) for one in ids[voters:]]
        self.lockstep, self.difference = VotersLockStep(), ""
        self.eager: random.Random | None = None
        self.writer = VoterWriter(self._step)
        super().__init__(seed, voters)
        added = [self.machine(self, other.process, other.id) for other in self.others]
        self.machines += added
        for machine in added:
            self.network.attach(machine)
        for machine in added:
            machine.start()

    def new_voters(self, count: int) -> list[Voter]:
        """Return the first voters, and write how the quorum is formatted."""
        voters = [Voter(one, f"c{one}", max_kraft_version=int(one not in self.old)) for one in range(1, count + 1)]
        self.writer.formatted(voters, self.others, self.dynamic, self.joining)
        return voters

    def _step(self, step: VoterStep) -> None:
        found = self.lockstep.step(step)
        if found is not None:
            self.difference = found.text()

    def on_role(self, node: RaftNode) -> None:
        """Check who leads, and tell of it; in some runs a request arrives before a record of the epoch is committed."""
        super().on_role(node)
        self.writer.role_changed(node)
        if node.is_leader and self.eager is not None:
            what, whom = self.eager.choice(("add", "remove", "update")), self.eager.choice(self.machines).id
            self.simulator.after(0, lambda: self.ask(what, whom))

    def ask(self, what: str, controller: int) -> str:
        """Ask the newest leader for a change, any controller where none leads."""
        leading = [one for one in self.machines if one.alive and one.node.is_leader]
        asked = max(leading, key=lambda one: int(one.node.epoch), default=self.machines[0])
        return str(asked.node.change_voters(what, controller)) if asked.alive else ""


def run(seed: int, quorum: Changed, steps: int = 40) -> Changed:
    """Change voters and kill controllers by chance; at most one is down at a time."""
    chance = quorum.simulator.random(f"operator {seed}")
    quorum.eager = chance
    down: Machine | None = None
    for _ in range(steps):
        quorum.run(chance.choice((0.01, 0.3, 2.0)))
        what = chance.choice(("add", "remove", "update", "kill", "upgrade"))
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
    """Return the quorum of a seed: one to three voters of five controllers; one joins by itself, one is old.

    Every third begins with kraft.version 0, and of these every second has a voter that does not know 1.
    """
    old = (1 if seed % 6 == 3 else 5,)
    return Changed(seed, 1 + seed % 4 % 3, 4 - seed % 4 % 3, joining=(4,), old=old, dynamic=seed % 3 > 0)


SEEDS = range(12)


def test_every_step_of_a_changing_quorum_is_a_row() -> None:
    """Of twelve seeds each election, fetch, commit and request is a row, and leaves the log that rows leave."""
    shown: Counter[str] = Counter()
    for seed in SEEDS:
        quorum = run(seed, fresh(seed))
        assert quorum.difference == "", seed
        shown += quorum.lockstep.out.rows
    rows = {row.id for row in quorum.lockstep.protocol.rows}
    assert rows - set(shown) == UNSHOWN


def test_a_removed_voter_comes_back_by_itself() -> None:
    """KAFKA-19850: a controller with auto-join becomes a voter, is removed, and is one again without an operator."""
    quorum = Changed(1, voters=1, others=1, joining=(2,))
    quorum.run(10)
    assert set(quorum.active.node.voters) == {1, 2}
    assert quorum.ask("remove", 2) == changes.NONE
    quorum.run(10)
    assert set(quorum.active.node.voters) == {1, 2}
    shown = quorum.lockstep.out.rows
    assert (quorum.difference, shown["VA8"], shown["VR6"]) == ("", 2, 1)


def test_a_leader_that_is_removed_resigns() -> None:
    """Two of three go on without it, and it fetches from the next leader."""
    quorum = Changed(3, voters=3, others=0)
    quorum.run(5)
    gone = quorum.active
    assert quorum.ask("remove", gone.id) == changes.NONE
    quorum.run(20)
    assert quorum.active is not gone
    assert set(quorum.active.node.voters) == {1, 2, 3} - {gone.id}
    assert quorum.difference == ""
    assert quorum.lockstep.out.rows["VQ4"] == 1


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
    patch.setattr(RaftNode, "voter_ids", property(lambda node: node.configured))


def _unaware(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(changes, "INVALID_UPDATE", changes.NONE)


@pytest.mark.parametrize("defect", [_at_once, _anybody, _the_last, _stays, _unaware])
def test_a_defect_is_no_row(defect: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two changes at once, another error, a removal or upgrade that writes nothing, voters that stay as configured."""
    defect(monkeypatch)
    assert any(run(seed, fresh(seed)).difference for seed in SEEDS)
