"""Rows that are asked of the plain interpreter too, and random walks through all that can happen to a small cluster."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from fencepost.checkers.conformance.lockstep.whole import Ran, WholeRows
from fencepost.model.language import Event, Protocol, Row, Valuation, Var, World
from fencepost.model.language.interpreter import Evaluation, run
from fencepost.model.language.kinds import BoolKind, EntityKind, EnumKind, IntKind, Kind, ListKind, SetKind
from fencepost.model.zk import ZK
from fencepost.model.zk import state as zk
from fencepost.model.zk.calls import PARTITION_CALLS, REPLICA_CALLS
from tests.conformance.interpreted import snapshot

BROKERS = (1, 2, 3)
PARTITIONS = (("t", 0), ("t", 1), ("u", 0))
THREAD = ("NextCall", "PartitionState", "ReplicaState", "UpdateAssignment", "ReassignmentPhase", "UpdateLeaderEpoch")
SELDOM = (
    "SessionExpired", "SessionTimedOut", "Crash", "DeleteController", "ControllerChange", "BrokerGone",
    "CancelReassignment", "QueueTopicDeletion",
)  # fmt: skip
"""What would end everything else if it happened as often."""

MANY = 7
"""So often a row is asked of the interpreter; after that one time in ten."""


class AskedTwice(WholeRows):
    """Rows as they are compiled; `wrong` is where the plain interpreter differs, `asked` how often each was."""

    def __init__(self, protocol: Protocol = ZK) -> None:
        super().__init__(protocol)
        self.wrong: list[str] = []
        self.asked: Counter[str] = Counter()
        self._draw = random.Random(0)

    def applicable(self, event: str, params: Mapping[str, Any], given: bool = True) -> Ran | None:
        """Return what the compiled rows say, and note where the interpreter differs."""
        ran = super().applicable(event, params, given)
        name = f"no {event}" if ran is None else ran.row.id
        if self.asked[name] < MANY or self._draw.random() < 0.1:
            self.asked[name] += 1
            self._compare(self.events[event], params, given, ran)
        return ran

    def _compare(self, event: Event, params: Mapping[str, Any], given: bool, ran: Ran | None) -> None:
        binding = {var: params[var.name] for var in event.params}
        world, state = World({kind: tuple(seen) for kind, seen in self.domains.items()}, {}), self.valuation()
        rows = list(self._plain(event, binding, given, Evaluation(world, state)))
        said = [row.id for row in rows]
        if said != ([] if ran is None else [ran.row.id]):
            self.wrong.append(f"{event.name}{dict(params)}: {said} apply, compiled {ran and ran.row.id}")
        elif ran is not None:
            done = run(rows[0], binding, state, world)
            if done.answer != ran.answer:
                self.wrong.append(f"{ran.row.id}: answers {done.answer}, compiled {ran.answer}")
            made = {(self.states[number], _keys(self.states[number], key)): value for number, key, value in ran.changes}
            found = state.but(made)
            after = done.states[-1] if done.states else state
            differ = {str(cell[0].name) for cell in {*after, *found} if after.read(*cell) != found.read(*cell)}
            if differ:
                self.wrong.append(f"{ran.row.id}{dict(params)}: {sorted(differ)} become something else")

    def valuation(self) -> Valuation:
        """Return the state as the interpreter has it; a partition's topic is in its composite id."""
        topics = {(zk.topic.state, (one,)): dict(one)["topic"] for one in self.domains["Partition"]}
        return Valuation({**snapshot(self), **topics})

    def _plain(self, event: Event, binding: Mapping[Var[Any], Any], given: bool, now: Evaluation) -> Iterator[Row]:
        for table in self.protocol.tables:
            for row in table.rows:
                if row.event is not event:
                    continue
                if now.value(self.protocol.guard(row), binding) if given else now.value(row.when, binding):
                    yield row
                    # Of a delivery it is not asked whether it was sent; these rows are in a table of the first match.
                    if not given:
                        return


def _keys(state: Any, key: Any) -> tuple[Any, ...]:
    return key if len(state.keys) > 1 else () if not state.keys else (key,)


class Walk:
    """A random walk: three brokers, each a candidate too, and three partitions of two topics."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.rows = AskedTwice()
        for broker in BROKERS:
            self.rows.meet(zk.BROKER, broker)
            self.rows.meet(zk.CONTROLLER, broker)
        for topic, number in PARTITIONS:
            if (topic, 0) not in self.rows.domains["Topic"]:
                self.rows.meet(zk.TOPIC, (topic, 0))
                self.rows.put(zk.unclean.state, ((topic, 0),), self.draw.random() < 0.5)
            self.rows.meet(zk.PARTITION, (("topic", (topic, 0)), ("partition", number)))
        self.taken: Counter[str] = Counter()
        for broker in BROKERS:
            self._happens("SessionEstablished", c=broker)
            self._happens("RegisterBroker", b=broker, czxid=broker)
        self._happens("Elect", c=self.draw.choice(BROKERS))

    def _happens(self, event: str, **params: Any) -> None:
        ran = self.rows.applicable(event, params)
        assert ran is not None
        self.rows.apply(ran)

    def go(self, steps: int) -> None:
        """Let so many rows happen."""
        names = list(self.rows.events)
        for _ in range(steps):
            # What the event thread is at comes first, most of the time: else no operation would ever end.
            first = list(THREAD) if self.draw.random() < 0.7 else []
            for name in [*first, *self.draw.sample(names, len(names))]:
                if name in SELDOM and self.draw.random() < 0.9:
                    continue
                if self._try(self.rows.events[name]):
                    break

    def _try(self, event: Event) -> bool:
        for _ in range(12):
            params = {var.name: self._value(var.kind) for var in event.params}
            self._aim(event, params)
            # Most that is drawn cannot happen: it is not asked of the interpreter each time.
            if WholeRows.applicable(self.rows, event.name, params) is None and self.draw.random() > 0.02:
                continue
            ran = self.rows.applicable(event.name, params)
            if ran is not None:
                self.rows.apply(ran)
                self.taken[ran.row.id] += 1
                return True
        return False

    def _aim(self, event: Event, params: dict[str, Any]) -> None:
        """Let most of what is drawn be what could happen next."""
        read, draw = self.rows.read, self.draw
        if draw.random() < 0.1:
            return
        if event.name == "PartitionState":
            params["to"], params["how"] = PARTITION_CALLS.get(
                read(zk.call.state, params["c"]), (params["to"], params["how"])
            )
        elif event.name == "ReplicaState":
            params["to"] = REPLICA_CALLS.get(read(zk.call.state, params["c"]), params["to"])
        elif event.name in ("RegisterBroker", "RegisterAgain"):
            params["czxid"] = max(read(zk.broker_epoch.state, one) for one in BROKERS) + 1
        elif event.name == "UpdateAssignment":
            params["target"] = read(zk.aim.state, params["c"])
        elif event.name == "ControlledShutdown":
            params["asked_epoch"] = read(zk.broker_epoch.state, params["b"])
        elif event.name == "AlterPartition":
            params["from_epoch"] = read(zk.broker_epoch.state, params["b"])
            params["from_leader_epoch"] = read(zk.leader_epoch.state, params["p"])
            params["from_version"] = read(zk.version.state, params["p"])

    def _value(self, kind: Kind[Any]) -> Any:
        draw = self.draw
        match kind:
            case BoolKind():
                return draw.random() < 0.5
            case EnumKind():
                return draw.choice(list(kind.enum))
            case EntityKind():
                return draw.choice(list(self.rows.domains[kind.name]))
            case IntKind():
                return draw.randint(kind.lo, kind.lo + 4)
            case SetKind() | ListKind():
                assert isinstance(kind.of, EntityKind)
                among = list(self.rows.domains[kind.of.name])
                chosen = draw.sample(among, draw.randint(0, len(among)))
                return frozenset(chosen) if isinstance(kind, SetKind) else tuple(chosen)
        raise AssertionError(kind)
