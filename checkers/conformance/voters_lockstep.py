"""The tables of `kraft-voters` beside a running quorum: each step of a Raft client must be a row, and leave its log.

Steps are `traces.voter_steps`. A quorum here has one controller a node id, and no log has lost its beginning. Rows
are run by the interpreter, in a world that is as large as the epochs and logs so far: a quorum takes few such steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fencepost.model.kraft_voters import KRAFT_VOTERS
from fencepost.model.kraft_voters import state as s
from fencepost.model.kraft_voters.changes import by
from fencepost.model.language import Protocol, World
from fencepost.model.language.interpreter import Evaluation, Valuation, run
from fencepost.model.language.nodes import Get
from fencepost.traces import voter_steps as told
from fencepost.traces.voter_steps import ControlBatch, VoterStep

from .lockstep.slices import Differs, SliceDivergence, SliceResult

EVENTS = {
    "add": "AddRaftVoter",
    "remove": "RemoveRaftVoter",
    "update": "UpdateRaftVoter",
    "upgrade": "UpgradeKRaftVersion",
}
AFTER_A_DIFFERENCE = "the voters differed before"
CUT_LOG = "the beginning of a log was deleted, which the tables have not"
NOTHING_CHANGES = "nothing changes"
REASONS: Mapping[str, str] = {
    "VJ2": "no directory is replaced in the reference",
    **dict.fromkeys(("VA3", "VR3", "VU6", "VK3", "VK4"), "the quorum must be formatted with kraft.version 0"),
}
"""Why a run of the reference may not show a row."""


@dataclass(frozen=True, slots=True)
class VotersDivergence(SliceDivergence):
    """A step of a quorum whose voters change that the tables do not have, or have otherwise."""

    what = "voters"

    def heading(self) -> str:
        """Return the line that says which step it is."""
        return f"step {self.number} of the quorum: {self.name}, controller {self.node} at {self.time_ns / 1e9:.6f} s"


@dataclass(slots=True)
class VotersResult(SliceResult):
    """The judgement of the steps of a quorum whose voters change; `left` counts runs of which a log was cut."""

    DOCUMENT = f"{SliceResult.DOCUMENT} judged_no_further=left:sorted"

    protocol = KRAFT_VOTERS
    reasons = REASONS


class VotersLockStep:
    """The tables beside a quorum: `step` checks a step of a node against the rows, and returns a difference.

    The first step is `formatted`. After the first difference nothing more is compared.
    """

    def __init__(self, protocol: Protocol = KRAFT_VOTERS) -> None:
        self.protocol, self.out = protocol, VotersResult()
        self.numbers: dict[int, int] = {}
        self.state = Valuation({})
        self._epochs = self._offsets = 1
        self._fired: list[str] = []
        self._lost = ""

    def step(self, step: VoterStep) -> VotersDivergence | None:
        """Check a step of a node; return what the tables have otherwise."""
        self.out.steps += 1
        if step.name == told.LOST and not self._lost:
            self._lost = CUT_LOG
            self.out.left[CUT_LOG] += 1
        if self._lost:
            self.out.unjudged[step.name, self._lost] += 1
            return None
        self._fired = []
        try:
            self._step(step)
        except Differs as wrong:
            self._lost = AFTER_A_DIFFERENCE
            return VotersDivergence(
                self.out.steps, step.time_ns, step.node, step.name, step.values, str(wrong), rows=tuple(self._fired)
            )
        if self._fired:
            self.out.steps_judged += 1
        else:
            self.out.unjudged[step.name, NOTHING_CHANGES] += 1
        return None

    def _step(self, step: VoterStep) -> None:
        if step.name == told.FORMATTED:
            self._formatted(step.values)
            return
        n, values = self.numbers[step.node], step.values
        self._epochs = max(self._epochs, values.get("epoch", 0))
        self._offsets = max(self._offsets, len(step.log) + 1)
        if step.name == told.ELECTED:
            self._compare(step)
            granting = frozenset(self.numbers[one] for one in values["granting"])
            self._fire("Elect", {s.n: n, s.e: values["epoch"], s.q: granting})
            return
        if step.name == told.FETCHED:
            self._fire("Fetch", {s.c: n, s.e: values["epoch"], s.at: len(step.log)})
        elif step.name == told.COMMITTED:
            if values["end"] > self._read(s.high_watermark[s.e], self._read(s.epoch[s.n], n)):
                self._fire("RaiseHighWatermark", {s.n: n, s.at: values["end"]})
        elif step.name == told.LEFT:
            if self._read(s.leads[s.n], n):
                self._fire("Resign", {s.n: n})
        elif step.name == told.ASKED:
            self._fire("JoinVoters", {s.c: n})
        else:
            self._changed(n, values)
        self._compare(step)

    def _formatted(self, values: Mapping[str, Any]) -> None:
        self.numbers = {one: number for number, one in enumerate(values["controllers"])}
        first: dict[Any, Any] = {
            _key(s.configured): frozenset(self.numbers[one] for one in values["voters"]),
            _key(s.formatted): values["dynamic"],
        }
        for one, number in self.numbers.items():
            first[_key(s.node_id[s.c], number)] = number
            first[_key(s.supports[s.c], number)] = one in values["knowing"]
            first[_key(s.auto_join[s.c], number)] = one in values["joining"]
        self.state = Valuation(first)

    def _changed(self, n: int, values: Mapping[str, Any]) -> None:
        binding: dict[Any, Any] = {s.n: n}
        if values["what"] != "upgrade":
            binding[s.c] = self.numbers[values["controller"]]
        if values["what"] == "add":
            # What the network brings twice is answered a second time as an operator's request is.
            own = values["own"] and self._read(s.joins[s.c], binding[s.c])
            binding |= {s.own: own, s.seen: values["seen"]}
        elif values["what"] == "remove":
            binding[by] = None
        answer = self._fire(EVENTS[values["what"]], binding)
        if answer.name != values["answer"]:
            raise Differs(f"It is answered {values['answer']}, and the row has {answer.name}.")

    def _fire(self, event: str, binding: dict[Any, Any]) -> Any:
        """Run the row that applies, and return its answer; raises `Differs` where none does."""
        count = len(self.numbers)
        sizes = {"Controller": count, "Node": count, "leader epoch": self._epochs, "offset": self._offsets}
        world = World.of(sizes, self.protocol.kinds)
        evaluation = Evaluation(world, self.state)
        for row in self.protocol.rows:
            if row.event.name == event and evaluation.value(self.protocol.guard(row), binding):
                ran = run(row, binding, self.state, world)
                self.state = ran.after
                self.out.rows[row.id] += 1
                self._fired.append(row.id)
                return ran.answer
        shown = ", ".join(f"{one.name}={value}" for one, value in binding.items())
        raise Differs(f"No row of {event} applies with {shown}.")

    def _compare(self, step: VoterStep) -> None:
        """Compare the log of a node with that which the rows left."""
        n = self.numbers[step.node]
        epoch, end = self._read(s.follows[s.c], n), self._read(s.end[s.c], n)
        log = []
        for offset in range(end):
            named = self._read(s.voters[s.e, s.o], epoch, offset + 1)
            ids = sorted(one for one, number in self.numbers.items() if number in named)
            changes = self._read(s.changes[s.e, s.o], epoch, offset)
            log.append(ControlBatch(self._read(s.wrote[s.e, s.o], epoch, offset), tuple(ids) if changes else ()))
        if tuple(log) != step.log:
            raise Differs(f"It leaves the log {_shown(step.log)}, and the rows leave {_shown(log)}.")

    def _read(self, cell: Any, *keys: Any) -> Any:
        return self.state.read(_state(cell), keys)


def _state(cell: Any) -> Any:
    assert isinstance(cell, Get)
    return cell.state


def _key(cell: Any, *keys: Any) -> tuple[Any, tuple[Any, ...]]:
    return _state(cell), keys


def _shown(log: Sequence[ControlBatch]) -> str:
    return " ".join(f"{one.epoch}:{','.join(map(str, one.voters))}" for one in log) or "empty"


__all__ = ["VotersDivergence", "VotersLockStep", "VotersResult"]
