"""The purgatory: answers wait for their offsets."""

import pytest

from fencepost.reference.kraft.controller.deferred_events import DeferredEventQueue
from fencepost.reference.kraft.errors import ApiError, Errors


class Waiting:
    """An event that notes its answer."""

    def __init__(self) -> None:
        self.answer: str | None = None

    def complete(self, error: ApiError | None) -> None:
        """Note the answer."""
        assert self.answer is None
        self.answer = "done" if error is None else error.error.name


def test_an_answer_waits_for_its_offset() -> None:
    """Only what waits for an offset that is stable is answered, in order; the rest goes on waiting."""
    queue, events = DeferredEventQueue(), [Waiting(), Waiting(), Waiting()]
    for offset, event in zip((3, 3, 7), events, strict=True):
        queue.add(offset, event)
    queue.complete_up_to(6)
    assert [event.answer for event in events] == ["done", "done", None]
    assert queue.highest_pending_offset == 7


def test_an_offset_never_goes_back() -> None:
    """An event for a lower offset than those that wait is refused: answers leave in the order of the log."""
    queue = DeferredEventQueue()
    queue.add(3, Waiting())
    with pytest.raises(ValueError, match="after one for offset 3"):
        queue.add(2, Waiting())


def test_lost_leadership_answers_all() -> None:
    """When leadership is lost all waiting events are answered NOT_CONTROLLER, and none waits any longer."""
    queue, event = DeferredEventQueue(), Waiting()
    queue.add(3, event)
    queue.fail_all(ApiError(Errors.NOT_CONTROLLER))
    queue.complete_up_to(10)
    assert (event.answer, len(queue)) == ("NOT_CONTROLLER", 0)
