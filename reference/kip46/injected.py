"""Defects put into a running cluster from outside, so that the design's own text stays free of them."""

from __future__ import annotations

from fencepost.reference.simulator.patching import Injection

from .controller import Controller
from .state import NEVER


def _from_now(self: Controller, broker: int) -> int:
    """Let the interval begin anew."""
    return NEVER if self.state.failed[broker] == NEVER else self.journal.now_ms + self.settings.interval


def _every_failure(self: Controller, broker: int) -> None:
    if self.is_on():
        self.note_failure(broker)


def _with_the_first_chunk(self: Controller, broker: int) -> bool:
    """Take one task of a broker for all of them."""
    made = any(self.state.heals[number] == broker for (number,) in self.state.heals)
    return made or _is_persisted(self, broker)


_is_persisted = Controller.is_persisted


def _takes_no_note(self: Controller, broker: int) -> None:
    pass


def _one_more(self: Controller) -> int:
    return self.settings.chunk_size + 1


def _at_any_time(self: Controller, number: int) -> bool:
    return True


def _whoever_made_it(self: Controller, number: int) -> bool:
    return self.has_desired_replicas(number)


def _at_once(self: Controller, number: int) -> bool:
    """Take the start of a task for its end, where a replica in sync would be left."""
    state = self.state
    return all(state.target[number, one] & state.isr[one] for one in state.chunk[number])


def _although_it_is_off(self: Controller) -> bool:
    return True


BUGS: dict[str, Injection] = {
    one.name: one
    for one in (
        Injection(
            "timer-restarts-at-failover",
            "bug museum, S-c",
            "a new controller waits for the whole interval again",
            ((Controller, "due_at", _from_now),),
        ),
        Injection(
            "entry-deleted-early",
            "bug museum, S-c",
            "the entry of a broker is deleted when its first task is persisted, the others are not yet",
            ((Controller, "is_persisted", _with_the_first_chunk),),
        ),
        Injection(
            "last-failure-counts",
            "S1:33",
            "a second failure overwrites the time of the first",
            ((Controller, "see_failure", _every_failure),),
        ),
        Injection(
            "return-unnoticed",
            "S1:31",
            "the entry and the timer of a broker that is back stay, and it is healed though it is alive",
            ((Controller, "see_startup", _takes_no_note),),
        ),
        Injection(
            "chunk-too-large",
            "S1:105",
            "a task has one partition more than the chunk size",
            ((Controller, "chunk_size", _one_more),),
        ),
        Injection(
            "tasks-at-once",
            "S1:42",
            "a task is started while another is running",
            ((Controller, "may_start", _at_any_time),),
        ),
        Injection(
            "manual-task-dropped",
            "S1:76",
            "a task that an operator wished for is dropped like one of the controller's own",
            ((Controller, "is_needless", _whoever_made_it),),
        ),
        Injection(
            "complete-at-once",
            "S1:72",
            "a task is complete before its new replicas have been in sync",
            ((Controller, "is_complete", _at_once),),
        ),
        Injection(
            "heals-although-off",
            "S1:112",
            "failed brokers are noted down though the interval switches that off",
            ((Controller, "is_on", _although_it_is_off),),
        ),
    )
}
"""All defects by name."""
