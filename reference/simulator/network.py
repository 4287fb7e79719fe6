"""Messages between processes, and requests with their answers, over links that delay, lose, duplicate and reorder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .clock import Simulator, Timer
from .faults import Faults
from .process import Process


class Network:
    """Carries messages between attached processes as `faults` say at the time.

    A message is lost if the link is cut when it is sent or when it would arrive, or if its target is down at either
    time or was in between. What a process sent before it crashed still arrives.
    """

    def __init__(self, simulator: Simulator, faults: Faults | None = None) -> None:
        self.simulator = simulator
        self.faults = faults or Faults()
        self.processes: dict[str, Process] = {}
        self.sent = 0
        self.delivered = 0
        self._random = simulator.random("network")
        self._last: dict[tuple[str, str], int] = {}

    def attach(self, process: Process) -> None:
        """Make a process known by its name; raises ValueError for a name that is taken."""
        if process.name in self.processes:
            raise ValueError(f"there is a process {process.name} already")
        self.processes[process.name] = process

    def names(self) -> list[str]:
        """Return the names of all attached processes, up or down, in the order in which they were attached."""
        return list(self.processes)

    def send(self, source: Process, target: str, payload: Any) -> None:
        """Send a message: `target.receive(source.name, payload)`, later, once, never or twice.

        Raises KeyError for a target that was never attached.
        """
        receiver = self.processes[target]
        if source.alive:
            self._transmit(source.name, receiver, _Message(self, source.name, receiver, payload))

    def call(
        self,
        source: Process,
        target: str,
        request: Any,
        on_answer: Callable[[Any], None],
        timeout_ns: int,
        on_timeout: Callable[[], None],
    ) -> None:
        """Send a request: `target.serve(source.name, request, reply)`; then either `on_answer` or `on_timeout` is run.

        The target may be asked twice, if the request is duplicated; of several answers the first counts. Neither
        callback runs if the source crashes before. Raises KeyError for a target that was never attached.
        """
        receiver = self.processes[target]
        if source.alive:
            call = _Call(self, source, receiver, request, on_answer, on_timeout)
            call.timer = source.after(timeout_ns, call.time_out)
            self._transmit(source.name, receiver, _Request(call))

    def _transmit(self, source: str, target: Process, delivery: _Delivery) -> None:
        self.sent += 1
        faults, draw = self.faults, self._random.random
        if not target.alive:
            return
        pair, link = (source, target.name), faults.usual
        if pair in faults.cut_pairs:
            return
        if faults.links:
            link = faults.links.get(pair, link)
        now = self.simulator.now_ns
        span = link.max_delay_ns - link.min_delay_ns
        if link.loss and draw() < link.loss:
            return
        if link.duplication and draw() < link.duplication:
            self.simulator.schedule(now + link.min_delay_ns + int(draw() * span), delivery)
        at = now + link.min_delay_ns + int(draw() * span)
        if link.reorder and draw() < link.reorder:
            at += int(draw() * link.reorder_delay_ns)
        else:
            last = self._last.get(pair, 0)
            at = self._last[pair] = at if at > last else last
        self.simulator.schedule(at, delivery)


class _Delivery:
    """Something on its way to a process."""

    __slots__ = ("generation", "network", "source", "target")

    def __init__(self, network: Network, source: str, target: Process) -> None:
        self.network, self.source, self.target = network, source, target
        self.generation = target.generation

    def fire(self) -> None:
        """Arrive, unless the link is cut or the target has crashed since."""
        target = self.target
        if target.alive and target.generation == self.generation:
            network = self.network
            cut = network.faults.cut_pairs
            if not cut or (self.source, target.name) not in cut:
                network.delivered += 1
                self.deliver()

    def deliver(self) -> None:
        """Hand it over."""
        raise NotImplementedError


class _Message(_Delivery):
    __slots__ = ("payload",)

    def __init__(self, network: Network, source: str, target: Process, payload: Any) -> None:
        _Delivery.__init__(self, network, source, target)
        self.payload = payload

    def deliver(self) -> None:
        self.target.receive(self.source, self.payload)


class _Call:
    """A request that awaits its answer; `generation` is the source's when it asked."""

    __slots__ = ("generation", "network", "on_answer", "on_timeout", "open", "request", "source", "target", "timer")

    def __init__(
        self,
        network: Network,
        source: Process,
        target: Process,
        request: Any,
        on_answer: Callable[[Any], None],
        on_timeout: Callable[[], None],
    ) -> None:
        self.network, self.source, self.target, self.request = network, source, target, request
        self.on_answer, self.on_timeout = on_answer, on_timeout
        self.generation = source.generation
        self.open = True
        self.timer: Timer | None = None

    def time_out(self) -> None:
        """Give up waiting."""
        if self.open:
            self.open = False
            self.on_timeout()

    def answered(self, payload: Any) -> None:
        """Take the first answer."""
        if self.open and self.source.generation == self.generation:
            self.open = False
            if self.timer is not None:
                self.timer.cancel()
            self.on_answer(payload)


class _Request(_Delivery):
    __slots__ = ("call",)

    def __init__(self, call: _Call) -> None:
        _Delivery.__init__(self, call.network, call.source.name, call.target)
        self.call = call

    def deliver(self) -> None:
        self.target.serve(self.source, self.call.request, _Reply(self.call))


class _Reply:
    """Sends the answer to a request: nothing if the process that was asked has crashed, or the asker has."""

    __slots__ = ("call", "generation")

    def __init__(self, call: _Call) -> None:
        self.call = call
        self.generation = call.target.generation

    def __call__(self, payload: Any) -> None:
        call = self.call
        if call.target.generation == self.generation and call.source.generation == call.generation:
            call.network._transmit(call.target.name, call.source, _Answer(call, payload))


class _Answer(_Delivery):
    __slots__ = ("call", "payload")

    def __init__(self, call: _Call, payload: Any) -> None:
        _Delivery.__init__(self, call.network, call.target.name, call.source)
        self.call, self.payload = call, payload

    def deliver(self) -> None:
        self.call.answered(self.payload)
