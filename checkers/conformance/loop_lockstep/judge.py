"""Lock step of the loop: the steps of every node of the quorum, checked by the tables one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any

from fencepost.checkers.conformance.lockstep.slices import Differs
from fencepost.checkers.conformance.lockstep.whole import WholeRows
from fencepost.model.kraft_loop import KRAFT_LOOP
from fencepost.model.kraft_loop.state import Future, RecordKind
from fencepost.model.language import Protocol
from fencepost.model.museum.kraft_loop_edits import counts_what_it_aborts, ends_when_appended, keeps_the_transaction
from fencepost.traces import loop_steps as told
from fencepost.traces.loop_steps import Appended, LoopStep

from .compare import Compare
from .logs import Record
from .results import LoopDivergence, LoopResult
from .window import Window

LISTED = frozenset({"offset"})
"""Counters of which only those numbers are there that a step is about."""

AS_KAFKA: Mapping[str, Callable[[Protocol], Protocol]] = {
    "D1": keeps_the_transaction,
    "D2": ends_when_appended,
    "D20": counts_what_it_aborts,
}
"""The edits by which the tables are Kafka's, by the defect whose repair makes the controller be as they are without."""


@lru_cache(maxsize=8)
def as_kafka(repaired: frozenset[str] = frozenset(), protocol: Protocol = KRAFT_LOOP) -> Protocol:
    """Return the tables, or an edit of them, that say what a controller does with some defects repaired."""
    for name, edit in AS_KAFKA.items():
        if name not in repaired:
            protocol = edit(protocol)
    return protocol


@lru_cache(maxsize=4)
def compiled(protocol: Protocol) -> WholeRows:
    """Return the rows of a protocol, compiled once a process; the caller runs them in a state of its own."""
    return WholeRows(protocol, listed=LISTED)


NO_NODE = "no node"
"""The elected node where a leader resigns: the tables know no epoch without a leader."""

KINDS = {
    told.DATA: RecordKind.DATA,
    told.VERSION: RecordKind.VERSION,
    told.BEGIN: RecordKind.BEGIN,
    told.END: RecordKind.END,
    told.ABORT: RecordKind.ABORT,
}
ACTIVATION = "completeActivation"
NOT_LEADER = "NOT_CONTROLLER"

AFTER_A_DIFFERENCE = "the loops differed before"
CUT_BOOTSTRAP = "the data of a bootstrap are in several batches: the tables have them as one record"
NOTHING_CHANGES = "nothing changes"
OVER = "the epoch was over before its leader was elected: it commits nothing"
SEEN_LATE = "a leader sees that a record is committed after another was elected, in whose log it is"
RESIGNED = "a leader resigned: the tables have no epoch without a leader"


_PLAIN = (told.DATA, told.VERSION)


class _Left(Exception):
    """The tables have no numbers for the following steps."""


class LoopLockStep:
    """The tables of `kraft-loop` beside a running quorum: `step` checks a step of a node, or of its Raft client.

    `repaired` are the defects of Kafka that the run repairs; `protocol` may be an edit of `kraft-loop`. After the first
    difference no further step is checked: the state of every node depends on one log.
    """

    def __init__(self, repaired: frozenset[str] = frozenset(), protocol: Protocol = KRAFT_LOOP) -> None:
        self.out = LoopResult()
        self._window = Window(compiled(as_kafka(repaired.intersection(AS_KAFKA), protocol)), self.out)
        self._logs = self._window.logs
        self._compare = Compare(self._window)
        self._off_by_one = "D4" not in repaired
        self._lost = ""
        self._steps: Mapping[str, Callable[[LoopStep], str]] = {
            told.FORMATTED: self._formatted,
            told.ELECTED: self._elected,
            told.COMMITTED: self._committed,
            told.QUEUED: self._queued,
            told.WRITES: self._writes,
            told.EXPIRED: self._expired,
            told.COMMITS: self._commits,
            told.LOADS: self._loads,
            told.HEARS: self._hears,
            told.SNAPSHOT: self._snapshot,
            told.ENDS: self._ends,
        }

    def step(self, step: LoopStep) -> LoopDivergence | None:
        """Check a step; return its difference from the tables."""
        self.out.steps += 1
        if self._lost:
            self.out.unjudged[step.name, self._lost] += 1
            return None
        self._window.turn()
        try:
            why = self._steps[step.name](step)
            if step.state is not None:
                self._compare.node(step, step.state)
                self._compare.answers(step)
        except _Left:
            self._lost = CUT_BOOTSTRAP
            self.out.left[CUT_BOOTSTRAP] += 1
            self.out.unjudged[step.name, CUT_BOOTSTRAP] += 1
            return None
        except Differs as wrong:
            self._lost = AFTER_A_DIFFERENCE
            fired = tuple(self._window.fired)
            return LoopDivergence(
                self.out.steps, step.time_ns, step.node, step.name, step.told, str(wrong), rows=fired, near=wrong.near
            )
        if self._window.fired:
            self.out.steps_judged += 1
        else:
            self.out.unjudged[step.name, why or NOTHING_CHANGES] += 1
        return None

    # -- Raft ------------------------------------------------------------------------------------------------------
    def _formatted(self, step: LoopStep) -> str:
        self._window.table("transactions")[()] = step.told["transactions"]
        return "what the cluster was formatted with"

    def _newest(self) -> int:
        found: int = self._window.get("raft_epoch", ())
        return found

    def _elected(self, step: LoopStep) -> str:
        logs, epoch = self._logs, step.told["epoch"]
        newest = self._newest()
        if epoch <= logs.kafka[newest]:
            return OVER
        of = logs.epochs.get(step.told["last_epoch"], 0) if step.told["last_epoch"] else 0
        at = logs.end_of(of, step.told["end"] - 1, self._window.get("log_end", of))
        self._elect(step.node, epoch, of, at)
        return ""

    def _elect(self, node: Any, kafka: int, of: int, at: int) -> None:
        newest = self._newest()
        low = min(self._window.get("high_watermark", newest), at)
        self._window.see(low=low, high=at, epochs=(of, newest))
        self._window.fire("Elect", n=node, d=of, at=at)
        self._logs.begin(kafka, self._newest())

    def _committed(self, step: LoopStep) -> str:
        window, logs = self._window, self._logs
        epoch, newest = logs.epochs[step.told["epoch"]], self._newest()
        end = logs.end_of(epoch, step.told["end"] - 1, window.get("log_end", epoch))
        if end <= window.get("high_watermark", epoch):
            return "what is committed is Raft's own record"
        if epoch != newest:
            if end > window.get("log_end", newest) or logs.written_in(newest, end - 1) != logs.written_in(
                epoch, end - 1
            ):
                raise Differs(
                    f"A committed record, at {step.told['end'] - 1}, is not in the log of a later leader.", "QR3"
                )
            self.out.adopted[SEEN_LATE] += 1
            for later in range(epoch, newest + 1):
                window.table("high_watermark")[later] = max(end, window.get("high_watermark", later))
            logs.commit(epoch, end)
            return SEEN_LATE
        window.see(low=end, high=end, epochs=(epoch,))
        window.fire("RaiseHighWatermark", at=end)
        logs.commit(epoch, end)
        return ""

    def _hear(self, node: Any, epoch: int) -> None:
        if self._window.get("known_epoch", node) < epoch:
            self._window.fire("HearOfEpoch", n=node, e=epoch)

    def _replaced(self, node: Any) -> None:
        """Notify a node that its epoch is over: of the next one, which has no leader where it has only resigned."""
        claim = self._window.get("claim", node)
        if self._newest() <= claim:
            self.out.adopted[RESIGNED] += 1
            self._elect(NO_NODE, self._logs.kafka[claim], claim, self._window.get("log_end", claim))
        self._hear(node, claim + 1)
        self._window.see(node)

    def _hears(self, step: LoopStep) -> str:
        node, window = step.node, self._window
        leader, epoch = step.told["leader"], self._logs.epochs.get(step.told["epoch"])
        if leader == node:
            if epoch is None:
                raise Differs(f"No node was elected in epoch {step.told['epoch']}.", "QK1")
            self._hear(node, epoch)
            window.see(node, high=window.get("log_end", epoch), epochs=(epoch,))
            window.fire("HandleLeaderChangeToMe", n=node)
        elif window.get("claim", node):
            self._replaced(node)
            window.fire("HandleLeaderChange", n=node)
        elif epoch is not None:
            self._hear(node, epoch)
            window.see(node)
        else:
            window.see(node)
        window.settle(node)
        return "an epoch in which no node was elected" if epoch is None else NOTHING_CHANGES

    # -- the queue -------------------------------------------------------------------------------------------------
    def _queued(self, step: LoopStep) -> str:
        self._window.meet(step.told["request"])
        self._window.fire("Send", r=step.told["request"], n=step.node)
        return ""

    def _expired(self, step: LoopStep) -> str:
        request = step.told["request"]
        self._window.see(step.node)
        self._window.fire("PassDeadline", r=request)
        self._window.fire("TimeOut", r=request)
        return ""

    def _writes(self, step: LoopStep) -> str:
        node, window = step.node, self._window
        request, error, fault = (step.told[name] for name in ("request", "error", "fault"))
        activation = step.told["event"] == ACTIVATION
        window.see(node, high=window.get("next_write", node) + len(step.appended), landmarks=activation)
        if activation:
            why = self._activates(step)
        elif request is None:
            why = self._task(step)
        else:
            why = ""
            mine = {"r": request, "n": node}
            if error == "":
                window.fire("RefuseStandby", **mine)
            elif error == NOT_LEADER and step.told["renounced"]:
                self._replaced(node)
                window.fire("Write", **mine, to=window.get("next_write", node) + 1, atomic=True)
            elif fault:
                window.fire("Fail", **mine)
            elif error != "NONE":
                window.fire("RefuseRequest", **mine)
            elif step.appended:
                to = self._write_down(node, step.appended)
                window.fire("Write", **mine, to=to, atomic=step.told["atomic"])
            else:
                window.fire("WriteNothing", **mine)
        window.settle(node)
        return why

    def _task(self, step: LoopStep) -> str:
        node, window = step.node, self._window
        if step.told["error"] == NOT_LEADER and step.told["renounced"]:
            # Raft takes no batch any more: in the tables the node is notified of that.
            self._replaced(node)
            window.fire("HandleLeaderChange", n=node)
        elif step.appended:
            window.fire("RunPeriodicTask", n=node, to=self._write_down(node, step.appended))
        return "the periodic task found nothing to do, or threw"

    def _activates(self, step: LoopStep) -> str:
        node, window = step.node, self._window
        if step.told["error"] == NOT_LEADER and step.told["renounced"]:
            self._replaced(node)
            window.fire("HandleLeaderChange", n=node)
            return ""
        if step.told["error"] != "NONE":
            return "the activation came when the node was active no more"
        if any(one.kinds[-1] in _PLAIN and two.kinds[0] in _PLAIN for one, two in pairwise(step.appended)):
            raise _Left
        epoch, base = window.get("claim", node), window.get("next_write", node)
        to = self._write_down(node, step.appended, split=True)
        window.fire("CompleteActivation", n=node)
        kinds = [window.get("log_kind", epoch, at).value for at in range(base, window.get("next_write", node))]
        window.same(
            "What the activation writes", kinds, [self._logs.records[epoch, at].kind.value for at in range(base, to)]
        )
        return ""

    def _write_down(self, node: Any, appended: tuple[Appended, ...], split: bool = False) -> int:
        """Know the batches that a node gave to Raft, each a record of the tables; return where they end.

        With `split` the tables decide how many records a batch is: the begin or end of a transaction is a batch of its
        own.
        """
        window, logs = self._window, self._logs
        epoch, at, opened = window.get("claim", node), window.get("next_write", node), window.get("transaction", node)
        for batch in appended:
            base = batch.last - len(batch.kinds) + 1
            for number, parts in enumerate(found := _parts(batch.kinds)):
                kind = told.VERSION if split and told.VERSION in parts else parts[0]
                if not split and (len(found) > 1 or kind not in (told.DATA, told.VERSION)):
                    raise Differs(
                        f"A batch with a record of a transaction ({', '.join(batch.kinds)}) is none of a request."
                    )
                kind = kind if split else told.DATA
                opened = at + 1 if kind == told.BEGIN else 0 if kind in (told.END, told.ABORT) else opened
                last = base + len(parts) - 1
                logs.add(epoch, at, Record(base, last, KINDS[kind], opened, number == len(found) - 1))
                base, at = last + 1, at + 1
        if split:
            window.see(node, high=at, landmarks=True)
        return int(at)

    # -- what Raft delivers ----------------------------------------------------------------------------------------
    def _commits(self, step: LoopStep) -> str:
        node, window = step.node, self._window
        to = self._delivered(step.told["last"], step.told["epoch"])
        if not window.get("claim", node):
            self._hear_of_commit(node, step.told["epoch"], to)
        first = self._logs.by_base.get((self._logs.epochs[step.told["epoch"]], step.told["base"]))
        if first is None:
            raise Differs(f"No batch that was written begins at {step.told['base']}.", "QC2")
        window.see(node, high=to)
        for end in range(first + 1, to + 1):
            window.run("HandleCommit", node, end)
        window.settle(node)
        self._compare.off_by_one.pop(node, None)
        return ""

    def _delivered(self, last: int, kafka: int) -> int:
        at = self._logs.by_last.get((self._logs.epochs.get(kafka, 0), last))
        if at is None:
            raise Differs(f"No leader of epoch {kafka} wrote a batch that ends at {last}.", "QC2")
        return at + 1

    def _hear_of_commit(self, node: Any, kafka: int, to: int) -> None:
        """Notify a standby of the first epoch that has committed the batches given to it, unless it knows of one."""
        written = self._logs.epochs[kafka]
        for epoch in range(self._window.get("known_epoch", node), self._newest() + 1):
            committed = self._window.get("high_watermark", epoch) >= to
            if epoch and committed and self._logs.written_in(epoch, to - 1) == written:
                self._hear(node, epoch)
                return

    def _snapshot(self, step: LoopStep) -> str:
        node, window = step.node, self._window
        window.see(node, landmarks=True)
        end = self._logs.end_of(self._window.follows(node), step.told["end"] - 1, self._most(node))
        window.same("What a snapshot of the log holds", window.get("stable", node), end)
        shown = next((at for at in range(end - 1, -1, -1) if window.get("effect", node, at)), None)
        if shown is not None:
            window.fire("Read", n=node, o=shown)
        copy = _copy(step.told["end"])
        if copy not in window.snapshots:
            # A snapshot of the log is a node that does no step: it has loaded what is stable, and does nothing more.
            window.fire("HearOfEpoch", n=copy, e=window.follows(node))
            window.see(node, copy, landmarks=True)
            window.fire("HandleLoadSnapshot", n=copy, m=node)
            window.settle(copy)
        return ""

    def _most(self, node: Any) -> int:
        window = self._window
        found: int = max(window.get("log_end", window.follows(node)), 0)
        return found

    def _loads(self, step: LoopStep) -> str:
        node, window, copy = step.node, self._window, _copy(step.told["end"])
        if copy not in window.snapshots:
            raise Differs(f"No node made a snapshot that ends at {step.told['end']}.", "QS1")
        end = window.get("stable", copy)
        for epoch in range(max(window.get("known_epoch", node), 1), self._newest() + 1):
            if window.get("high_watermark", epoch) >= end:
                self._hear(node, epoch)
                break
        window.see(node, copy, landmarks=True)
        window.fire("HandleLoadSnapshot", n=node, m=copy)
        window.settle(node)
        if self._off_by_one:
            self.out.declared["D4"] += 1
            self._compare.off_by_one[node] = step.told["end"]
        return ""

    def _ends(self, step: LoopStep) -> str:
        node, window = step.node, self._window
        window.see(node, landmarks=True)
        for last, kafka in step.told["dropped"]:
            to = self._delivered(last, kafka)
            if not window.get("claim", node):
                self._hear_of_commit(node, kafka, to)
            window.fire("HandleCommitOfReplacedListener", n=node, to=to)
        if step.told["replaying"] is not None:
            window.fire("FailToReplay", r=step.told["replaying"], n=node)
        else:
            window.fire("ProcessEnds", n=node)
        window.settle(node)
        self._compare.off_by_one.pop(node, None)
        for request in list(window.live()):
            if window.get("future", request) is Future.LOST:
                window.forget(request)
        return ""


def _copy(end: int) -> str:
    return f"snapshot {end}"


def _parts(kinds: tuple[str, ...]) -> list[list[str]]:
    """Return the kinds of a batch's records in groups: neighbours that are data, and each other one alone."""
    found: list[list[str]] = []
    for kind in kinds:
        if kind in _PLAIN and found and found[-1][-1] in _PLAIN:
            found[-1].append(kind)
        else:
            found.append([kind])
    return found
