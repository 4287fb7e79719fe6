"""The tables of `kraft-voters` beside a running quorum: each step of a Raft client must be a row, and leave its log.

Steps are `traces.voter_steps`. A quorum here has one controller a node id, and no log has lost its beginning. Rows
are run by the interpreter: a quorum takes few such steps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

from fencepost.model.kraft_voters import KRAFT_VOTERS
from fencepost.model.kraft_voters import state as s
from fencepost.model.kraft_voters.changes import by
from fencepost.model.language import Protocol, World
from fencepost.model.language.interpreter import Evaluation, Valuation, run
from fencepost.model.language.nodes import Get
from fencepost.traces import voter_steps as told
from fencepost.traces.voter_steps import ControlBatch, VoterStep

EVENTS = {"add": "AddRaftVoter", "remove": "RemoveRaftVoter", "update": "UpdateRaftVoter"}


class VotersLockStep:
    """The tables beside a quorum: `step` judges a step, `rows` counts the rows that explain them.

    `controllers` are the ids of all that there may be, `voters` those that the quorum was formatted with, `knowing`
    those that know kraft.version 1, `joining` those with auto-join; `dynamic` says that it was formatted with
    kraft.version 1. After the first `difference`, a sentence, nothing more is judged. Epochs and control batches are
    counted up to `up_to`.
    """

    def __init__(
        self,
        controllers: Sequence[int],
        voters: Collection[int],
        *,
        dynamic: bool = True,
        knowing: Collection[int] | None = None,
        joining: Collection[int] = (),
        up_to: int = 40,
        protocol: Protocol = KRAFT_VOTERS,
    ) -> None:
        self.protocol, self.numbers = protocol, {one: number for number, one in enumerate(controllers)}
        count = len(controllers)
        sizes = {"Controller": count, "Node": count, "leader epoch": up_to, "offset": up_to}
        self.world = World.of(sizes, protocol.kinds)
        able = controllers if knowing is None else knowing
        first: dict[Any, Any] = {
            _key(s.configured): frozenset(self.numbers[one] for one in voters),
            _key(s.formatted): dynamic,
        }
        for one, number in self.numbers.items():
            first[_key(s.node_id[s.c], number)] = number
            first[_key(s.supports[s.c], number)] = one in able
            first[_key(s.auto_join[s.c], number)] = one in joining
        self.state = Valuation(first)
        self.rows: Counter[str] = Counter()
        self.difference = ""

    def step(self, step: VoterStep) -> None:
        """Judge a step of a node."""
        if self.difference:
            return
        n, values = self.numbers[step.node], step.values
        if step.name == told.ELECTED:
            self._compare(step)
            granting = frozenset(self.numbers[one] for one in values["granting"])
            self._fire(step, "Elect", {s.n: n, s.e: values["epoch"], s.q: granting})
            return
        if step.name == told.FETCHED:
            self._fire(step, "Fetch", {s.c: n, s.e: values["epoch"], s.at: len(step.log)})
        elif step.name == told.COMMITTED:
            if values["end"] > self._read(s.high_watermark[s.e], self._read(s.epoch[s.n], n)):
                self._fire(step, "RaiseHighWatermark", {s.n: n, s.at: values["end"]})
        elif step.name == told.LEFT:
            if self._read(s.leads[s.n], n):
                self._fire(step, "Resign", {s.n: n})
        elif step.name == told.ASKED:
            self._fire(step, "JoinVoters", {s.c: n})
            return
        else:
            self._changed(step, n)
        self._compare(step)

    def _changed(self, step: VoterStep, n: int) -> None:
        values = step.values
        binding: dict[Any, Any] = {s.n: n, s.c: self.numbers[values["controller"]]}
        if values["what"] == "add":
            binding |= {s.own: values["own"], s.seen: values["seen"]}
        elif values["what"] == "remove":
            binding[by] = None
        answer = self._fire(step, EVENTS[values["what"]], binding)
        if not self.difference and answer.name != values["answer"]:
            self._differs(step, f"is answered {values['answer']}, and the row {answer.name}")

    def _fire(self, step: VoterStep, event: str, binding: dict[Any, Any]) -> Any:
        """Run the row that applies, and return its answer."""
        if self.difference:
            return None
        evaluation = Evaluation(self.world, self.state)
        for row in self.protocol.rows:
            if row.event.name == event and evaluation.value(self.protocol.guard(row), binding):
                ran = run(row, binding, self.state, self.world)
                self.state = ran.after
                self.rows[row.id] += 1
                return ran.answer
        shown = ", ".join(f"{one.name}={value}" for one, value in binding.items())
        self._differs(step, f"is no row of {event}({shown})")
        return None

    def _compare(self, step: VoterStep) -> None:
        """Compare the log of a node with that which the rows left."""
        if self.difference:
            return
        n = self.numbers[step.node]
        epoch, end = self._read(s.follows[s.c], n), self._read(s.end[s.c], n)
        log = []
        for offset in range(end):
            named = self._read(s.voters[s.e, s.o], epoch, offset + 1)
            ids = sorted(one for one, number in self.numbers.items() if number in named)
            changes = self._read(s.changes[s.e, s.o], epoch, offset)
            log.append(ControlBatch(self._read(s.wrote[s.e, s.o], epoch, offset), tuple(ids) if changes else ()))
        if tuple(log) != step.log:
            self._differs(step, f"leaves the log {_shown(step.log)}, and the rows {_shown(log)}")

    def _differs(self, step: VoterStep, what: str) -> None:
        self.difference = f"{step.node} {step.name} {dict(step.values)}: it {what}"

    def _read(self, cell: Any, *keys: Any) -> Any:
        return self.state.read(_state(cell), keys)


def _state(cell: Any) -> Any:
    assert isinstance(cell, Get)
    return cell.state


def _key(cell: Any, *keys: Any) -> tuple[Any, tuple[Any, ...]]:
    return _state(cell), keys


def _shown(log: Sequence[ControlBatch]) -> str:
    return " ".join(f"{one.epoch}:{','.join(map(str, one.voters))}" for one in log) or "empty"
