"""A broker's way to the active controller: whom it believes active, and whom it tries after a refusal or silence.

After Kafka's `NodeToControllerChannelManager`: one request at a time in the order of sending, tried again until it is
answered or, where a retry timeout is set, too old.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from fencepost.reference.kraft.errors import ApiError, Errors

BACKOFF_NS = 100_000_000
"""How long to wait before another controller is asked."""


class Caller(Protocol):
    """The part of a process that its channel needs."""

    @property
    def now_ns(self) -> int:
        """The time."""

    def after(self, delay_ns: int, callback: Callable[[], None]) -> object:
        """Run something later, unless the process is gone by then."""

    def call(
        self,
        target: str,
        request: Any,
        on_answer: Callable[[Any], None],
        timeout_ns: int,
        on_timeout: Callable[[], None],
    ) -> None:
        """Ask another process."""


class ControllerBelief:
    """A broker's belief about the active controller: the leader by its Raft observer, else each node in turn."""

    def __init__(self, controllers: Sequence[int], known_leader: Callable[[], int | None]) -> None:
        self._controllers, self._known_leader = tuple(controllers), known_leader

    def next(self, refused: int | None) -> int:
        """Return whom to ask, after one that refused or did not answer (None at first)."""
        leader = self._known_leader()
        if leader is not None and leader != refused:
            return leader
        if refused is None:
            return self._controllers[0]
        place = self._controllers.index(refused) if refused in self._controllers else -1
        return self._controllers[(place + 1) % len(self._controllers)]


class _Queued:
    __slots__ = ("created_ns", "on_answer", "on_timeout", "request")

    def __init__(
        self, request: Any, on_answer: Callable[[Any], None], on_timeout: Callable[[], None] | None, now_ns: int
    ) -> None:
        self.request, self.on_answer, self.on_timeout, self.created_ns = request, on_answer, on_timeout, now_ns


class ControllerChannel:
    """One line to the active controller; Kafka's brokers have one for each purpose.

    `request_timeout_ns` is when an answer is given up, `retry_timeout_ns` when a request is (None for never).
    """

    def __init__(
        self,
        caller: Caller,
        belief: ControllerBelief,
        name_of: Callable[[int], str],
        request_timeout_ns: int,
        retry_timeout_ns: int | None = None,
    ) -> None:
        self._caller, self._belief, self._name_of = caller, belief, name_of
        self._request_timeout_ns, self._retry_timeout_ns = request_timeout_ns, retry_timeout_ns
        self._queue: deque[_Queued] = deque()
        self._busy = False
        self._controller: int | None = None
        self._refused: int | None = None

    def send(
        self, request: Any, on_answer: Callable[[Any], None], on_timeout: Callable[[], None] | None = None
    ) -> None:
        """Send a request; `on_answer` gets a response or an `ApiError` other than NOT_CONTROLLER."""
        self._queue.append(_Queued(request, on_answer, on_timeout, self._caller.now_ns))
        self._work()

    def _work(self) -> None:
        if self._busy:
            return
        self._drop_old()
        if not self._queue:
            return
        self._busy = True
        if self._controller is None:
            self._controller = self._belief.next(self._refused)
        one, asked = self._queue.popleft(), self._controller
        self._caller.call(
            self._name_of(asked),
            one.request,
            lambda answer: self._answered(one, asked, answer),
            self._request_timeout_ns,
            lambda: self._again(one, asked),
        )

    def _drop_old(self) -> None:
        limit = self._retry_timeout_ns
        while limit is not None and self._queue and self._caller.now_ns - self._queue[0].created_ns > limit:
            old = self._queue.popleft()
            if old.on_timeout is not None:
                old.on_timeout()

    def _answered(self, one: _Queued, asked: int, answer: Any) -> None:
        if isinstance(answer, ApiError) and answer.error is Errors.NOT_CONTROLLER:
            self._again(one, asked)
            return
        self._busy, self._refused = False, None
        one.on_answer(answer)
        self._work()

    def _again(self, one: _Queued, asked: int) -> None:
        """Try another controller after a while, with the same request before all others."""
        self._queue.appendleft(one)
        self._controller, self._refused = None, asked
        self._caller.after(BACKOFF_NS, self._resume)

    def _resume(self) -> None:
        self._busy = False
        self._work()
