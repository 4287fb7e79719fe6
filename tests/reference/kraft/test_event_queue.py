"""The event queue: order, deferral, deadlines."""

from hypothesis import given
from hypothesis import strategies as st

from fencepost.reference.kraft.controller.event_queue import EventQueue

from .clockwork import Clockwork


class Note:
    """An event that notes what became of it."""

    def __init__(self, name: str, notes: list[str]) -> None:
        self.name, self.notes = name, notes

    def run(self) -> None:
        """Note that it ran."""
        self.notes.append(self.name)

    def time_out(self) -> None:
        """Note that it timed out."""
        self.notes.append(f"{self.name} timed out")


def test_events_run_in_order_and_a_prepended_one_first() -> None:
    """What is appended runs in order; what is prepended before the first run comes before all of it."""
    clock, notes = Clockwork(), list[str]()
    queue = EventQueue(clock)
    queue.append(Note("a", notes))
    queue.append(Note("b", notes))
    queue.prepend(Note("activation", notes))
    clock.run()
    assert notes == ["activation", "a", "b"]


def test_a_deferred_event_waits_for_its_time_and_then_goes_first() -> None:
    """A deferred event does not run before its time, and when it is due it runs before the head of the queue."""
    clock, notes = Clockwork(), list[str]()
    queue = EventQueue(clock, processing_ns=10)
    queue.schedule_deferred("task", 15, Note("task", notes))
    for name in ("a", "b", "c"):
        queue.append(Note(name, notes))
    clock.run(for_ns=14)
    assert notes == ["a", "b"]
    clock.run(for_ns=100)
    assert notes == ["a", "b", "task", "c"]


def test_a_tag_holds_one_event() -> None:
    """Deferring again under a tag replaces the former event; a cancelled one never runs."""
    clock, notes = Clockwork(), list[str]()
    queue = EventQueue(clock)
    queue.schedule_deferred("task", 10, Note("first", notes))
    queue.schedule_deferred("task", 20, Note("second", notes))
    queue.schedule_deferred("other", 20, Note("other", notes))
    queue.cancel_deferred("other")
    clock.run(for_ns=100)
    assert notes == ["second"]


def test_an_event_past_its_deadline_is_not_run() -> None:
    """An event that waits past its deadline times out as soon as the thread looks, before what is in front of it."""
    clock, notes = Clockwork(), list[str]()
    queue = EventQueue(clock, processing_ns=10)
    queue.append(Note("a", notes))
    queue.append(Note("b", notes))
    queue.append(Note("late", notes), deadline_ns=5)
    queue.append(Note("in time", notes), deadline_ns=1000)
    clock.run(for_ns=100)
    assert notes == ["a", "late timed out", "b", "in time"]


def test_a_closed_queue_does_nothing() -> None:
    """What waits when a queue is closed neither runs nor times out."""
    clock, notes = Clockwork(), list[str]()
    queue = EventQueue(clock)
    queue.append(Note("a", notes), deadline_ns=5)
    queue.close()
    clock.run(for_ns=100)
    assert notes == []


@given(
    st.lists(st.tuples(st.integers(0, 50), st.integers(0, 60) | st.none(), st.booleans()), min_size=1, max_size=20),
    st.integers(0, 9),
)
def test_every_event_ends_once(events: list[tuple[int, int | None, bool]], processing_ns: int) -> None:
    """Each event runs or times out exactly once, and none runs after its deadline."""
    clock, notes, late = Clockwork(), list[str](), list[str]()
    queue = EventQueue(clock, processing_ns)

    class Timed(Note):
        deadline: int | None = None

        def run(self) -> None:
            super().run()
            if self.deadline is not None and clock.now_ns > self.deadline:
                late.append(self.name)

    for number, (at, deadline, deferred) in enumerate(events):
        event = Timed(str(number), notes)
        if deferred:
            queue.schedule_deferred(str(number), at, event)
            continue
        event.deadline = None if deadline is None else at + deadline
        clock.after(at, lambda event=event: queue.append(event, event.deadline))  # type: ignore[misc]
    clock.run(for_ns=10_000)
    assert sorted(note.split()[0] for note in notes) == sorted(map(str, range(len(events))))
    assert late == []
