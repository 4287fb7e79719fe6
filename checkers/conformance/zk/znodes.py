"""The transactions of a history as events of the tables, in zxid order: elections, live brokers, writes, the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from fencepost.checkers.conformance.classes.frames import UNKNOWN
from fencepost.checkers.unexplained import UNEXPLAINED
from fencepost.model.zk.state import Call, ReplicaState
from fencepost.traces.storage import base_name
from fencepost.traces.zk import Operation, ReplicaAssignment, TopicPartition, Transaction, Znode, ZnodeTree
from fencepost.traces.zk.znode_data import (
    CONTROLLER,
    CONTROLLER_EPOCH,
    DELETE_TOPICS,
    Controller,
    TopicAssignment,
    reading_of,
    state_path,
)

from .checker import RecordingChecker
from .history import History, Write, closed_paths, elected, is_of_leader, registered
from .known import CellValue, Term
from .leaderships import no_znode, znode_cells
from .observations import Observation, Place
from .term_lines import TermLines
from .terms import TermJudge, place_of_write, silent_events

_KEPT = frozenset(
    {
        "elected",
        "controller_epoch",
        "acting",
        "own_epoch",
        "assigned",
        "cached_adding",
        "cached_removing",
        "knows",
        "cached_leader",
        "cached_isr",
        "cached_leader_epoch",
        "cached_version",
    }
)
"""The cells that an election is certain to set: the controller reads the rest a little later, and no line says when."""

_UNCLEAN = "unclean.leader.election.enable"


class HistoryJudge:
    """Checks a history, and the lines of each term up to the write that each claims."""

    def __init__(
        self, checker: RecordingChecker, history: History, terms: Mapping[Term, TermLines], judge: TermJudge
    ) -> None:
        self.checker, self.history, self.terms, self.judge = checker, history, terms, judge
        self.tree = ZnodeTree()
        self.sessions: dict[str, Term] = {}
        self.alive: frozenset[int] = frozenset()
        self.acting: Term | None = None
        self.claimed = {
            write.transaction.zxid: (lines, number)
            for lines in terms.values()
            for number, write in lines.anchors.items()
        }

    def run(self, final: Mapping[str, Znode] | None = None) -> None:
        """Check every transaction in order, then the lines that no write holds back, then the znodes at the end."""
        last: int | None = None
        checker = self.checker
        checker.tell([("elected", (), None), ("controller_epoch", (), 0)])
        for transaction in self.history.transactions:
            self._in_order(transaction, last)
            last = transaction.zxid
            if transaction.happened:
                self._transaction(transaction)
        for lines in self.terms.values():
            self.judge.rest(lines)
        if final is not None:
            for path, zxid, message in left_open(self.history, self.tree, final):
                checker.report("gap", Place("final-znodes.json", zxid), path, message)

    def _in_order(self, transaction: Transaction, last: int | None) -> None:
        place, zxid = self._place(transaction), transaction.zxid
        if last is not None and zxid <= last:
            self.checker.report("order", place, f"zxid {zxid}", f"Zxid {zxid} comes after zxid {last}.")
        # An election of ZooKeeper's own leader begins again at 0 in the lower half.
        elif last is not None and zxid != last + 1 and zxid >> 32 == last >> 32:
            missing = f"{last + 1}" if zxid == last + 2 else f"{last + 1} to {zxid - 1}"
            self.checker.report("gap", place, f"zxid {zxid}", f"Zxid {missing} is missing: the history is not whole.")
        if not transaction.is_whole:
            self.checker.report("gap", place, f"zxid {zxid}", "An operation of the transaction is missing.")

    @staticmethod
    def _place(transaction: Transaction, what: str = "") -> Place:
        return Place(base_name(transaction.file), transaction.zxid, transaction.line, what)

    # -- transactions ----------------------------------------------------------------------------------------------
    def _transaction(self, transaction: Transaction) -> None:
        term = elected(transaction)
        if term is not None:
            self._elected(transaction, term)
        gone = closed_paths(transaction, self.tree)
        closed = any(one.op == "closeSession" for one in transaction.operations)
        if closed and self.sessions.get(transaction.session) in self.terms:
            # A zombie wrote what its lines report beyond this: whether its session was live is then left open.
            self.judge.rest(self.terms[self.sessions[transaction.session]])
        write = self.history.writes.get(transaction.zxid)
        if write is not None:
            self._write(write)
        for operation in transaction.operations:
            self._operation(transaction, operation)
        for mismatch in self.tree.apply(transaction):
            if mismatch.path == state_path(write.partition) if write is not None else False:
                entity = f"partition {write.partition}" if write is not None else mismatch.path
            else:
                entity = mismatch.path
            self.checker.report("gap", self._place(transaction), entity, f"{mismatch.path}: {mismatch.reason}.")
        if closed:
            for path in gone:
                self._left(transaction, Operation("delete", path))
            ended = self.sessions.pop(transaction.session, None)
            if ended is not None:
                self._happen(transaction, "SessionExpired", {"c": ended}, f"controller {ended}")

    def _operation(self, transaction: Transaction, one: Operation) -> None:
        path = one.path or ""
        broker = registered(one)
        if broker is not None and one.op == "create":
            czxid = ("broker_epoch", (broker,), transaction.zxid)
            self._happen(
                transaction, "RegisterBroker", {"b": broker, "czxid": transaction.zxid}, f"broker {broker}", [czxid]
            )
            self._lives(self.alive | {broker})
        elif broker is not None and one.op == "delete":
            self._left(transaction, one)
        elif path in (CONTROLLER, CONTROLLER_EPOCH) and one.op in ("create", "set"):
            self._office(transaction, one)
        elif path == CONTROLLER and one.op == "delete":
            self._happen(transaction, "DeleteController", {}, "/controller", [("elected", (), None)])
        elif path.startswith("/brokers/topics/") and path.count("/") == 3:
            self._topic(transaction, one, path.rpartition("/")[2])
        elif one.op == "delete" and path.endswith("/state"):
            topic, number = path.split("/")[3], int(path.split("/")[5])
            self._state_deleted(transaction, TopicPartition(topic, number))
        elif path.startswith(f"{DELETE_TOPICS}/"):
            topic = path.rpartition("/")[2]
            self.checker.tell([("queued", (topic,), one.op == "create")])
        elif path.startswith("/config/topics/") and one.op in ("create", "set"):
            config = one.data.get("config", {}) if isinstance(one.data, dict) else {}
            value = config.get(_UNCLEAN) if isinstance(config, dict) else None
            told = UNKNOWN if value is None else str(value).lower() == "true"
            self.checker.tell([("unclean", (path.rpartition("/")[2],), told)])

    def _office(self, transaction: Transaction, one: Operation) -> None:
        """An election creates /controller and raises /controller_epoch together, and names the one who is elected."""
        path, place = one.path or "", self._place(transaction)
        reading = reading_of(path, one.data, f"{transaction.file}:{one.line}")
        if isinstance(reading, Controller) and reading.broker != transaction.writer:
            message = f"/controller names broker {reading.broker}, and broker {transaction.writer} creates it."
            self.checker.report("epoch", place, path, message)
        elif elected(transaction) is None and (path, one.op) != (CONTROLLER_EPOCH, "create"):
            message = (
                "An election creates /controller and raises /controller_epoch in one transaction: here is one only."
            )
            self.checker.report("epoch", place, path, message)

    def _happen(
        self,
        transaction: Transaction,
        event: str,
        params: dict[str, Any],
        entity: str,
        after: list[CellValue] | None = None,
    ) -> None:
        what = f"{event} of {entity}"
        self.checker.explain(Observation(event, params, self._place(transaction, what), entity, after=after or ()))

    def _left(self, transaction: Transaction, one: Operation) -> None:
        broker = registered(one)
        if broker is not None:
            self._happen(transaction, "BrokerGone", {"b": broker}, f"broker {broker}")
            self._lives(self.alive - {broker})

    def _lives(self, alive: frozenset[int]) -> None:
        self.alive = alive
        for lines in self.terms.values():
            if lines.term in self.sessions.values():
                lines.lives.append(alive)

    # -- controllers -----------------------------------------------------------------------------------------------
    def _elected(self, transaction: Transaction, c: Term) -> None:
        if self.acting is not None and self.acting in self.terms:
            self.judge.rest(self.terms[self.acting])
        state = self.checker.state
        state.tell([("session", (c,), True), ("acting", (c,), False)])
        one = Observation(
            "Elect",
            {"c": c},
            self._place(transaction, f"the election of {c}"),
            f"controller {c}",
            after=[("controller_epoch", (), c.epoch), ("elected", (), c)],
        )
        self.checker.explain(replace(one, keeps=_KEPT))
        state.tell([("live", (c,), self.alive), ("shutting_down", (c,), frozenset())])
        self.acting, self.sessions[transaction.session] = c, c
        if c in self.terms:
            self.terms[c].lives.append(self.alive)

    def _by_controller(self, transaction: Transaction, entity: str) -> Term | None:
        """Return the term that writes, and report where it is not the controller, or does not check the epoch."""
        c = self.sessions.get(transaction.session)
        place = self._place(transaction)
        version = self.tree.nodes[CONTROLLER_EPOCH].version if CONTROLLER_EPOCH in self.tree.nodes else None
        checked = transaction.checked(CONTROLLER_EPOCH)
        if c is None:
            self.checker.report("epoch", place, entity, "A session writes that is not the controller's.")
        elif c.controller != transaction.writer:
            self.checker.report(
                "epoch",
                place,
                entity,
                f"The session is that of controller {c}, and the writer is broker {transaction.writer}.",
            )
        elif checked is None:
            self.checker.report("epoch", place, entity, "A controller writes without a check of /controller_epoch.")
        elif checked != version:
            self.checker.report(
                "epoch",
                place,
                entity,
                f"Version {checked} of /controller_epoch was checked, and it has version {version}.",
            )
        else:
            return c
        return None

    # -- state znodes ----------------------------------------------------------------------------------------------
    def _write(self, write: Write) -> None:
        """Check which controller writes, which row explains it, and the conditions of every write."""
        entity, state = f"partition {write.partition}", self.checker.state
        isr, replicas = state.value("isr", write.partition), state.value("replicas", write.partition)
        if self.history.leaders_write and is_of_leader(write) and self._registered(write.transaction):
            problems = [*problems_of(write, isr, replicas, None), *self._by_leader(write)]
        else:
            c = self._by_controller(write.transaction, entity)
            self._explain(write, c or write.term)
            problems = [*problems_of(write, isr, replicas, c)]
        for rule, message in problems:
            self.checker.report(rule, place_of_write(write), entity, message)

    def _explain(self, write: Write, c: Term | None) -> None:
        found = self.claimed.get(write.transaction.zxid)
        if c is None:
            self.checker.tell(znode_cells(write.partition, write.leadership))
        elif found is not None:
            lines, number = found
            self.judge.up_to(lines, number)
            self.judge.judge(lines, number)
        else:
            self._silent(write, c)

    def _registered(self, transaction: Transaction) -> bool:
        node = self.tree.nodes.get(f"/brokers/ids/{transaction.writer}")
        return node is not None and node.owner == transaction.session

    def _by_leader(self, write: Write) -> list[Problem]:
        """An ISR that its leader wrote, under the controller epoch that it knows: the controller reads it later."""
        leader = self.checker.state.value("leader", write.partition)
        epoch = None if self.acting is None else self.acting.epoch
        self.checker.inferred["ISRs written by their leaders"] += 1
        self.checker.tell(znode_cells(write.partition, write.leadership))
        return list(problems_of_leader(write, leader, epoch))

    def _silent(self, write: Write, c: Term) -> None:
        """A write without a line: asked for by the leader, or of a batch whose controller was gone before it logged."""
        p, lines = write.partition, self.terms.get(c)
        replicas = self.checker.state.value("replicas", p)
        worlds = None if lines is None else (lambda: self.judge.worlds(lines, p, False))
        events = [
            replace(one, worlds=worlds) for one in silent_events(write, c, () if replicas is UNKNOWN else replicas)
        ]
        late = lines is not None and lines.last_anchor < write.transaction.zxid
        if lines is not None and (lines.is_in_front(write) or lines.is_behind(write)):
            self._out_of_reach(write, c, lines, events)
            return
        if lines is not None and late and write.leadership.version == 0:
            # A controller that creates a state znode has reported before that the partition and its replicas are new.
            self.judge.through(lines, [n for n in lines.pending(p) if lines.units[n].is_new])
        if self._explained(write, c, lines, events):
            return
        if lines is not None and late:
            # Lines that claim no write may be in front of it: their reports of the partition come first.
            for at in range(lines.next, len(lines.units)):
                if at not in lines.done:
                    self.judge.judge(lines, at)
                    if lines.units[at].partition == p and self._explained(write, c, lines, events):
                        return
        self.checker.explain(events[0])

    def _out_of_reach(self, write: Write, c: Term, lines: TermLines, events: Sequence[Observation]) -> None:
        """Handle a write whose line, if there was one, is outside the log: its row is not known."""
        p, state = write.partition, self.checker.state
        state.forget(c, p)
        lines.unsettled.add(p)
        if all(self.checker.rows.explain(one, state) is None for one in events):
            self.checker.explain(events[0])
            return
        self.checker.inferred["writes without a line"] += 1
        self.checker.tell(znode_cells(p, write.leadership))

    def _explained(self, write: Write, c: Term, lines: TermLines | None, events: Sequence[Observation]) -> bool:
        """Whether one of some events explains a write: then it has happened."""
        asked, *others = events
        if self.checker.rows.explain(asked, self.checker.state) is not None:
            self.checker.inferred["AlterPartition"] += 1
            return self.checker.explain(asked)
        found = next((one for one in others if self.checker.rows.explain(one, self.checker.state) is not None), None)
        if found is None:
            return False
        if lines is not None and self._should_have_line(write, lines):
            self.checker.report(
                "gap",
                found.place,
                found.entity,
                f"No line of controller {c} reports this write ({write.leadership}); later ones have lines.",
            )
        else:
            self.checker.inferred["writes without a line"] += 1
        return self.checker.explain(found)

    @staticmethod
    def _should_have_line(write: Write, lines: TermLines) -> bool:
        requests = lines.requested.get((write.partition, write.leadership.version), ())
        return lines.last_anchor > write.transaction.zxid or any(number >= lines.next for number, _ in requests)

    def _state_deleted(self, transaction: Transaction, p: TopicPartition) -> None:
        """A state znode goes with its topic: that was asked for, and all replicas are gone by then."""
        entity, place = f"partition {p}", self._place(transaction, f"the deletion of {p}")
        c = self._by_controller(transaction, entity)
        asked = f"{DELETE_TOPICS}/{p.topic}"
        if DELETE_TOPICS in self.tree.nodes and asked not in self.tree.nodes:
            message = f"The state of {p} is deleted, and there is no {asked}: no request deletes it."
            self.checker.report(UNEXPLAINED, place, entity, message)
        lines = None if c is None else self.terms.get(c)
        if lines is not None and lines.traced and not lines.cut and not lines.ends_before(transaction.time_ms):
            self.judge.through(lines, lines.farewell(p))
            left = self._left_of(lines.term, p)
            if left:
                message = f"The state of {p} is deleted, and no line says that replica {left[0]} of it is gone."
                self.checker.report("gap", place, entity, message)
        self.checker.tell(no_znode(p))

    def _left_of(self, c: Term, p: TopicPartition) -> list[int]:
        state = self.checker.state
        replicas = state.value("replicas", p)
        gone = ReplicaState.NONEXISTENT
        return [
            r for r in (() if replicas is UNKNOWN else replicas) if state.value("replica_state", c, p, r) is not gone
        ]

    # -- topics ----------------------------------------------------------------------------------------------------
    def _topic(self, transaction: Transaction, one: Operation, topic: str) -> None:
        if one.op == "delete":
            c = self._by_controller(transaction, f"topic {topic}")
            partitions = [p for p in self.checker.state.domains["Partition"] if p.topic == topic]
            if c is not None:
                self._happen(transaction, "DeleteTopicZnodes", {"c": c, "t": topic}, f"topic {topic}")
            for p in partitions:
                self.checker.state.tell([("exists", (p,), False), ("gone", (p,), False), ("replicas", (p,), ())])
            return
        reading = reading_of(one.path or "", one.data, f"{transaction.file}:{one.line}")
        if not isinstance(reading, TopicAssignment):
            return
        node = self.tree.nodes.get(one.path or "")
        before = None if node is None else reading_of(one.path or "", node.data)
        there = before.partitions if isinstance(before, TopicAssignment) else {}
        for number in set(there) - set(reading.partitions):
            # A topic that is deleted gets no further partitions: a client that added some sees them removed again.
            self.checker.tell([("exists", (TopicPartition(topic, number),), False)])
        for number, assignment in reading.partitions.items():
            p = TopicPartition(topic, number)
            state = self.checker.state
            told: list[CellValue] = [
                ("replicas", (p,), assignment.replicas),
                ("adding", (p,), frozenset(assignment.adding)),
                ("removing", (p,), frozenset(assignment.removing)),
            ]
            if number not in there:
                state.tell(
                    [
                        ("exists", (p,), False),
                        ("gone", (p,), False),
                        ("adding", (p,), frozenset()),
                        ("removing", (p,), frozenset()),
                        *no_znode(p),
                    ]
                )
                for c, lines in self.terms.items():
                    if not lines.pending(p):
                        # No line of it is left that shows how an earlier partition of the name was forgotten.
                        state.forget(c, p)
                place = self._place(transaction, f"the creation of {p}")
                self.checker.explain(
                    Observation(
                        "CreateTopic", {"p": p, "target": assignment.replicas}, place, f"partition {p}", after=told
                    )
                )
            elif any(state.value(name, *keys) != value for name, keys, value in told):
                self._assignment(transaction, p, told, there[number])

    def _assignment(
        self, transaction: Transaction, p: TopicPartition, told: list[CellValue], stored: ReplicaAssignment
    ) -> None:
        """A partition's replicas are written: the beginning of a reassignment, another target, or its end."""
        c = self._by_controller(transaction, f"partition {p}")
        if c is None:
            self.checker.tell(told)
            return
        state, place = self.checker.state, self._place(transaction, f"the assignment of {p}")
        listed, _, removing = (value for _, _, value in told)
        target = tuple(b for b in listed if b not in removing)
        assigned = stored.replicas
        before = tuple(b for b in assigned if b not in stored.removing)
        cached: list[CellValue] = [
            ("cached_adding", (c, p), frozenset(stored.adding)),
            ("cached_removing", (c, p), frozenset(stored.removing)),
        ]
        entity = f"partition {p}"
        begins = Observation(
            "UpdateAssignment",
            {"c": c, "p": p, "target": target},
            place,
            entity,
            after=told,
            brought=[
                ("call", (c,), Call.ASSIGN),
                ("aim", (c,), target),
                ("about", (c, p), True),
                ("assigned", (c, p), assigned),
                *cached,
            ],
        )
        ends = Observation(
            "UpdateLeaderEpoch",
            {"c": c, "p": p},
            place,
            entity,
            after=told,
            brought=[("call", (c,), Call.STORE), ("about", (c, p), True), ("assigned", (c, p), before), *cached],
        )
        self.checker.explain(ends if self.checker.rows.explain(ends, state) is not None else begins)


def left_open(history: History, tree: ZnodeTree, final: Mapping[str, Znode]) -> Iterator[tuple[str, int, str]]:
    """Yield the znodes that the history does not lead to: path, zxid, and a sentence.

    `tree` is as the history left it. The znodes may have been read before the history ends, so each is compared with
    the write of its own zxid. What was there before the history begins is not asked.
    """
    happened = [one for one in history.transactions if one.happened]
    if not happened:
        return
    first, last = history.transactions[0].zxid, history.transactions[-1].zxid
    written: dict[tuple[str, int], tuple[int, Any]] = {}
    for transaction in happened:
        for one in transaction.operations:
            if one.op in ("create", "set") and one.path is not None:
                written[one.path, transaction.zxid] = one.version or 0, one.data
    read = 0
    for path, node in final.items():
        if node.mzxid < first:
            continue
        read = max(read, node.mzxid)
        found = written.get((path, node.mzxid))
        if node.mzxid > last:
            yield path, node.mzxid, f"{path} was written with zxid {node.mzxid}, and the history ends with zxid {last}."
        elif found is None:
            yield (
                path,
                node.mzxid,
                f"{path} was last written with zxid {node.mzxid}, and the history has no such write.",
            )
        elif found[0] != node.version:
            yield path, node.mzxid, f"{path} has version {node.version}, and the history wrote version {found[0]}."
        elif (found[1] or None) != (node.data or None):
            yield path, node.mzxid, f"{path} has other data than what the history wrote with zxid {node.mzxid}."
    for path, node in tree.nodes.items():
        if path not in final and first <= node.mzxid <= read:
            yield path, node.mzxid, f"{path} is not there at the end, and the history does not delete it."


Problem = tuple[str, str]
"""The rule that a write breaks, and the sentence that says how."""


def problems_of(write: Write, isr: Any, replicas: Any, c: Term | None) -> Iterator[Problem]:
    """Yield what is wrong with a write by itself.

    `isr` and `replicas` are those that the znodes said before it, unknown where they did not; `c` is the term whose
    session it was, None for a leader that writes its ISR itself.
    """
    one = write.leadership
    if c is not None and one.controller_epoch != c.epoch:
        yield "epoch", f"The znode names controller epoch {one.controller_epoch}, and it is controller {c} who writes."
    twice = sorted({b for b in one.isr if one.isr.count(b) > 1})
    if twice:
        yield UNEXPLAINED, f"The ISR {_list(one.isr)} names {_brokers(twice)} twice."
    if replicas is not UNKNOWN:
        strangers = sorted(set(one.isr) - set(replicas) - (set() if isr is UNKNOWN else set(isr)))
        if strangers:
            yield (
                "ZA1",
                f"The ISR grows by {_brokers(strangers)}, and the replicas of the partition are {_list(replicas)}.",
            )


def problems_of_leader(write: Write, leader: Any, epoch: int | None) -> Iterator[Problem]:
    """Yield what is wrong with an ISR that a leader wrote itself; `epoch` is that of the controller in office."""
    one = write.leadership
    if leader is not UNKNOWN and leader != one.leader:
        yield UNEXPLAINED, f"Broker {one.leader} writes an ISR of its own, and the leader is {leader}."
    if one.leader not in one.isr:
        yield "ZA2", f"Leader {one.leader} writes the ISR {_list(one.isr)}, and leaves itself out."
    if epoch is not None and one.controller_epoch > epoch:
        yield "epoch", f"The znode names controller epoch {one.controller_epoch}, and the controller is of {epoch}."


def _list(brokers: Sequence[int]) -> str:
    return f"[{', '.join(map(str, brokers))}]"


def _brokers(ids: Sequence[int]) -> str:
    return f"broker{'s' if len(ids) > 1 else ''} {', '.join(map(str, ids))}"
