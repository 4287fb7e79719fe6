"""The controller: it notes down failures, waits for the interval, makes tasks of what must move, and runs them.

It does one thing at a time, and may die after each: `_work` has the order in which it looks for the next thing. Follow
a failure through `see_failure`, `_fire_timer`, `_place_replicas`, `_persist_chunk`, `_delete_entry`, `_start_task` and
`_complete_task`. What a new controller needs is in ZooKeeper; the timers and the plans are in memory.
"""

from __future__ import annotations

from collections.abc import Callable

from fencepost.reference.simulator import MILLISECOND, Journal, Process, Simulator, Timer

from .placement import place
from .state import NEVER, Set, State

STEP_MS = (1, 20)
"""How long one thing takes, in milliseconds, at least and at most."""


class Controller(Process):
    """A node that is the controller while it is `active`; `on_failed` is called when it no longer is."""

    def __init__(
        self, name: str, simulator: Simulator, journal: Journal, state: State, on_failed: Callable[[], None]
    ) -> None:
        super().__init__(simulator, name)
        self.journal, self.state, self.settings, self.on_failed = journal, state, state.settings, on_failed
        self.active = False
        self._draw = simulator.random(f"{name} takes")
        self._changed: list[int] = []
        self._working = Timer(None)
        self._timers: dict[int, Timer] = {}

    # -- beginning and ending --------------------------------------------------------------------------------------
    def activate(self) -> None:
        """Become the controller, and rebuild what it must know from ZooKeeper."""
        state = self.state
        self.active, self._changed = True, []
        state.controller.value = True
        state.controller_epoch.value += 1
        for broker in state.brokers:
            state.live[broker] = state.alive[broker]
            state.timer[broker] = self.due_at(broker)
        self.leave_isrs(Set(one for one in state.brokers if not state.alive[one]))
        task = state.running_task
        for partition in state.chunk[task] if task is not None else ():
            state.caught[partition] = state.isr[partition]
        self.journal.tell(self.name, "ControllerFailover")
        for broker in state.brokers:
            self._arm(broker)
        self.look()

    def due_at(self, broker: int) -> int:
        """Return when the timer of a broker is due after a failover: the first failure time counts, past or not."""
        failed = self.state.failed[broker]
        return NEVER if failed == NEVER else failed + self.settings.interval

    def resign(self) -> None:
        """Be the controller no longer, though the process lives on, as when its ZooKeeper session has expired."""
        if self.active:
            self._failed()

    def crashed(self) -> None:
        """Forget everything."""
        if self.active:
            self._failed()

    def _failed(self) -> None:
        state = self.state
        self.active = False
        for timer in (self._working, *self._timers.values()):
            timer.cancel()
        state.controller.value = False
        for broker in state.brokers:
            state.live[broker], state.timer[broker] = False, NEVER
            self._forget_plans(broker)
        for partition in state.partitions:
            state.caught[partition] = Set()
        self.on_failed()
        self.journal.tell(self.name, "ControllerFails")

    # -- one thing after the other ---------------------------------------------------------------------------------
    def registration_changed(self, broker: int) -> None:
        """Take note that a broker has come or gone, and look for which of the two when there is time."""
        if self.active:
            self._changed.append(broker)
            self.look()

    def look(self) -> None:
        """See soon whether there is something to do."""
        if self.active and not self._working.pending:
            self._working = self.after(self._draw.randint(*STEP_MS) * MILLISECOND, self._work)

    def _work(self) -> None:
        """Do the first thing that there is to do, then look for the next."""
        if self._see_brokers() or self._see_timers() or self._heal() or self._run_tasks():
            self.look()

    # -- failures --------------------------------------------------------------------------------------------------
    def _see_brokers(self) -> bool:
        state = self.state
        while self._changed:
            broker = self._changed.pop(0)
            # A broker that stopped and restarted since looks as if nothing had happened.
            if state.live[broker] and not state.alive[broker]:
                state.live[broker] = False
                self.leave_isrs(Set({broker}))
                self.see_failure(broker)
                self._arm(broker)
                self.journal.tell(self.name, "OnBrokerFailure", b=broker)
                return True
            if state.alive[broker] and not state.live[broker]:
                state.live[broker] = True
                self.see_startup(broker)
                self.journal.tell(self.name, "OnBrokerStartup", b=broker)
                return True
        return False

    def leave_isrs(self, dead: Set) -> None:
        """Take dead brokers out of the ISRs, but where the ISR would be empty."""
        for partition in self.state.partitions:
            self.state.isr[partition] = self.state.isr[partition] - dead or self.state.isr[partition]

    def see_failure(self, broker: int) -> None:
        """Persist when a broker was first found to have failed, and schedule the timer; an earlier entry stays."""
        if self.is_on() and self.state.failed[broker] == NEVER:
            self.note_failure(broker)

    def is_on(self) -> bool:
        """Whether failed brokers are healed at all."""
        return self.settings.interval != NEVER

    def note_failure(self, broker: int) -> None:
        """Write the entry of a broker, and have its timer run from now on."""
        self.state.failed[broker] = self.journal.now_ms
        self.state.timer[broker] = self.journal.now_ms + self.settings.interval

    def see_startup(self, broker: int) -> None:
        """Delete the entry of a broker that is back, and cancel its timer."""
        if self.state.failed[broker] != NEVER:
            self.state.failed[broker] = self.state.timer[broker] = NEVER
            self._forget_plans(broker)

    def _forget_plans(self, broker: int) -> None:
        state = self.state
        for partition in state.placed[broker]:
            state.plan[broker, partition] = Set()
        state.healing[broker] = False
        state.listed[broker] = state.placed[broker] = Set()

    # -- timers ----------------------------------------------------------------------------------------------------
    def _arm(self, broker: int) -> None:
        if self.active and self.state.timer[broker] != NEVER:
            delay = self.journal.until_ms(self.state.timer[broker])
            self._timers[broker] = self.after(delay, self.look)

    def _see_timers(self) -> bool:
        for broker in self.state.brokers:
            if NEVER != self.state.timer[broker] <= self.journal.now_ms:
                self._fire_timer(broker)
                return True
        return False

    def _fire_timer(self, broker: int) -> None:
        """Hold a broker for dead, since its entry is still there: all that it has must move."""
        state = self.state
        state.timer[broker] = NEVER
        state.healing[broker] = True
        state.listed[broker] = Set(one for one in state.partitions if broker in state.replicas[one])
        self.journal.tell(self.name, "TimerFires", b=broker)

    # -- making tasks ----------------------------------------------------------------------------------------------
    def _heal(self) -> bool:
        """Go on with the first broker for which something can be done."""
        state = self.state
        for broker in state.brokers:
            if not state.healing[broker]:
                continue
            if self.is_persisted(broker):
                self._delete_entry(broker)
                return True
            if not state.listed[broker]:
                self._persist_chunk(broker)
                return True
            if self._place_replicas(broker):
                return True
        return False

    def is_persisted(self, broker: int) -> bool:
        """Whether everything that must move from a broker is in ZooKeeper as a task."""
        return not self.state.listed[broker] and not self.state.placed[broker]

    def _place_replicas(self, broker: int) -> bool:
        """Plan where the replicas of the next partition go; not while there are too few brokers."""
        state = self.state
        partition = min(state.listed[broker])
        live = Set(one for one in state.brokers if state.live[one])
        replicas = {one: state.replicas[one] for one in state.partitions}
        target = place(broker, partition, state.desired[partition], replicas, live)
        if target is None:
            return False
        state.listed[broker] -= {partition}
        state.placed[broker] |= {partition}
        state.plan[broker, partition] = target
        self.journal.tell(self.name, "PlaceReplicas", b=broker, p=partition, target=target)
        return True

    def _persist_chunk(self, broker: int) -> None:
        """Create the znode of the next task from what is planned."""
        state = self.state
        partitions = sorted(state.placed[broker])[: self.chunk_size()]
        number = state.create_chunk({one: state.plan[broker, one] for one in partitions}, heals=broker)
        state.placed[broker] -= Set(partitions)
        for partition in partitions:
            state.plan[broker, partition] = Set()
        self.journal.tell(self.name, "PersistChunk", b=broker, chunk=number, partitions=Set(partitions))

    def chunk_size(self) -> int:
        """Return how many partitions a task may move."""
        return self.settings.chunk_size

    def _delete_entry(self, broker: int) -> None:
        """Delete the entry of a broker: from now on the tasks are what is left to do."""
        self.state.failed[broker] = NEVER
        self._forget_plans(broker)
        self.journal.tell(self.name, "DeleteFailedBroker", b=broker)

    # -- running tasks ---------------------------------------------------------------------------------------------
    def _run_tasks(self) -> bool:
        """Complete the running task if all has been moved; drop or start the next if none is running."""
        running, head = self.state.running_task, self.state.head
        if running is not None and self.is_complete(running):
            self._complete_task(running)
            return True
        if head is None or not self.may_start(head):
            return False
        if self.is_needless(head):
            self.state.delete_chunk(head)
            self.journal.tell(self.name, "DropTask", chunk=head)
        else:
            self._start_task(head)
        return True

    def may_start(self, number: int) -> bool:
        """Whether a task may be started now: only when no other is running."""
        return self.state.running_task is None

    def is_needless(self, number: int) -> bool:
        """Whether a task can be dropped: one of our own, and nothing lacks any more."""
        return self.state.automatic[number] and self.has_desired_replicas(number)

    def has_desired_replicas(self, number: int) -> bool:
        """Whether all partitions of a task have the desired number of live replicas; one that catches up counts."""
        state = self.state
        return all(
            sum(state.live[one] for one in state.replicas[partition]) >= state.desired[partition]
            for partition in state.chunk[number]
        )

    def _start_task(self, number: int) -> None:
        """Give each partition of a task its new replicas beside the old ones."""
        state = self.state
        state.running[number] = True
        for partition in state.chunk[number]:
            state.replicas[partition] |= state.target[number, partition]
            state.caught[partition] = state.isr[partition]
        self.journal.tell(self.name, "StartTask", chunk=number)

    def is_complete(self, number: int) -> bool:
        """Whether every new replica has been in the ISR once; one must be in it now, or nothing would be left."""
        state = self.state
        return all(
            state.target[number, one] <= state.caught[one] and state.target[number, one] & state.isr[one]
            for one in state.chunk[number]
        )

    def _complete_task(self, number: int) -> None:
        """Take the old replicas away, and delete the task."""
        state = self.state
        for partition in state.chunk[number]:
            state.replicas[partition] = state.target[number, partition]
            state.isr[partition] &= state.target[number, partition]
            state.caught[partition] = Set()
        state.delete_chunk(number)
        self.journal.tell(self.name, "CompleteTask", chunk=number)
