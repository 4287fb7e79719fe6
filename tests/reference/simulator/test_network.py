"""The network: what arrives, in which order, and what may not arrive."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.reference.simulator import Cut, Faults, Link, Network, Process, Simulator

NAMES = ("a", "b", "c")


class Recorder(Process):
    """Writes down what arrives, and answers requests with their double."""

    def __init__(self, simulator: Simulator, name: str, log: list[tuple[Any, ...]]) -> None:
        super().__init__(simulator, name)
        self.log = log

    def receive(self, source: str, payload: Any) -> None:
        """Note a message."""
        self.log.append((self.simulator.now_ns, source, self.name, payload))

    def serve(self, source: str, request: Any, reply: Callable[[Any], None]) -> None:
        """Note a request and answer it."""
        self.log.append((self.simulator.now_ns, source, self.name, request))
        reply(2 * request)


def cluster(seed: int, usual: Link | None = None) -> tuple[Simulator, Network, dict[str, Recorder], list[Any]]:
    """Return a network of three recorders that are up."""
    simulator, log = Simulator(seed), []
    network = Network(simulator, Faults(usual))
    processes = {name: Recorder(simulator, name, log) for name in NAMES}
    for process in processes.values():
        network.attach(process)
        process.start()
    return simulator, network, processes, log


LINKS = st.builds(
    Link,
    min_delay_ns=st.integers(0, 10),
    max_delay_ns=st.integers(10, 50),
    loss=st.sampled_from([0.0, 0.3]),
    duplication=st.sampled_from([0.0, 0.3]),
    reorder=st.sampled_from([0.0, 0.3]),
    reorder_delay_ns=st.just(100),
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("send"), st.sampled_from(NAMES), st.sampled_from(NAMES)),
        st.tuples(st.just("cut"), st.sampled_from(NAMES), st.booleans()),
        st.tuples(st.just("heal"), st.integers(0, 3), st.none()),
        st.tuples(st.just("crash"), st.sampled_from(NAMES), st.none()),
        st.tuples(st.just("start"), st.sampled_from(NAMES), st.none()),
        st.tuples(st.just("wait"), st.integers(1, 60), st.none()),
    ),
    max_size=40,
)


@given(st.integers(0, 5), LINKS, STEPS)
def test_no_fault_invents_a_message_or_lets_one_through_a_cut(seed: int, link: Link, steps: list[Any]) -> None:
    """What arrives was sent, to that process, at most twice; the process is up and the link is not cut."""
    simulator, network, processes, log = cluster(seed, link)
    sent: dict[int, tuple[str, str, int]] = {}
    cuts: list[Cut] = []
    seen = 0
    for number, (kind, first, second) in enumerate([*steps, ("wait", 1000, None)]):
        if kind == "send" and first != second:
            sent[number] = (first, second, simulator.now_ns)
            network.send(processes[first], second, number)
        elif kind == "cut":
            cuts.append(network.faults.cut([first], NAMES, both_ways=second))
        elif kind == "heal" and cuts:
            network.faults.heal(cuts[first % len(cuts)])
        elif kind == "crash":
            processes[first].crash()
        elif kind == "start":
            processes[first].start()
        elif kind == "wait":
            simulator.run_until(simulator.now_ns + first)
            for at, source, target, payload in log[seen:]:
                assert sent[payload][:2] == (source, target)
                assert at >= sent[payload][2] + link.min_delay_ns
                assert not network.faults.is_cut(source, target)
                assert processes[target].alive
            seen = len(log)
    payloads = [payload for _, _, _, payload in log]
    assert all(payloads.count(payload) <= (2 if link.duplication else 1) for payload in payloads)


@given(st.integers(0, 20))
def test_a_link_keeps_the_order_unless_it_reorders(seed: int) -> None:
    """Without faults every message arrives once, in the order of sending on each link."""
    simulator, network, processes, log = cluster(seed)
    for number in range(20):
        network.send(processes["a"], "b" if number % 3 else "c", number)
    simulator.run_until(10**9)
    for target in ("b", "c"):
        assert [p for _, _, to, p in log if to == target] == [n for n in range(20) if (n % 3 > 0) == (target == "b")]


def test_reordered_messages_are_overtaken() -> None:
    """With the fault, some seed lets a later message arrive first; all arrive."""
    simulator, network, processes, log = cluster(1, Link(reorder=0.5))
    for number in range(20):
        network.send(processes["a"], "b", number)
    simulator.run_until(10**9)
    assert sorted(p for *_, p in log) == list(range(20)) != [p for *_, p in log]


def run(seed: int) -> list[Any]:
    """Return everything that arrives in a lively run."""
    simulator, network, processes, log = cluster(seed, Link(loss=0.1, duplication=0.1, reorder=0.1))

    def chatter(process: Recorder, left: int) -> None:
        if left:
            network.send(process, NAMES[left % 3], left)
            network.call(process, NAMES[(left + 1) % 3], left, log.append, 10**7, lambda: log.append("late"))
            process.after(left * 1000, lambda: chatter(process, left - 1))

    for process in processes.values():
        chatter(process, 30)
    simulator.after(200_000, processes["b"].crash)
    simulator.after(400_000, processes["b"].start)
    simulator.run_until(10**9)
    return log


def test_a_seed_is_a_run() -> None:
    """The same seed gives the same run to the last byte, another seed another."""
    assert repr(run(3)) == repr(run(3)) != repr(run(4))
    assert "late" in run(3)


def test_a_crash_drops_the_messages_to_a_process() -> None:
    """What was on its way to a process that crashed is lost, though it is up again; what it had sent arrives."""
    simulator, network, processes, log = cluster(1, Link(100, 100))
    network.send(processes["a"], "b", "to the crashed")
    network.send(processes["b"], "a", "from the crashed")
    processes["b"].crash()
    network.send(processes["a"], "b", "while down")
    network.send(processes["b"], "a", "from a dead process")
    processes["b"].start()
    simulator.run_until(1000)
    assert [p for *_, p in log] == ["from the crashed"]


def test_a_call_is_answered_or_times_out_once() -> None:
    """An answer in time is heard once; a cut link, a dead target, a slow link time out; a dead asker hears nothing."""
    simulator, network, processes, _ = cluster(1, Link(100, 100, duplication=1.0))
    heard: list[Any] = []

    def ask(request: int) -> None:
        network.call(
            processes["a"], "b", request, lambda answer: heard.append((request, answer)), 1000,
            lambda: heard.append((request, None)),
        )  # fmt: skip

    ask(1)
    simulator.run_until(10_000)
    assert heard == [(1, 2)]
    cut = network.faults.cut(["b"], ["a"], both_ways=False)
    ask(2)
    simulator.run_until(20_000)
    network.faults.heal(cut)
    processes["b"].crash()
    ask(3)
    simulator.run_until(30_000)
    processes["b"].start()
    slow = network.faults.change(["a"], ["b"], Link(2000, 2000), both_ways=False)
    ask(4)
    simulator.run_until(40_000)
    network.faults.restore(slow)
    ask(5)
    processes["a"].crash()
    processes["a"].start()
    simulator.run_until(50_000)
    assert heard == [(1, 2), (2, None), (3, None), (4, None)]


def test_overlapping_faults_end_one_by_one() -> None:
    """A link carries again when every cut over it is healed; its latest change counts; all can end at once."""
    faults = Faults()
    first, second = faults.cut(["a"], ["b"]), faults.cut(["a"], ["b", "c"], both_ways=False)
    faults.heal(first)
    faults.heal(first)
    assert faults.is_cut("a", "b")
    assert not faults.is_cut("b", "a")
    faults.heal(second)
    assert not faults.is_cut("a", "b")
    slow, slower = faults.change(["a"], ["b"], Link(1, 2)), faults.change(["a"], ["b"], Link(3, 4))
    assert faults.link("b", "a") == Link(3, 4)
    faults.restore(slower)
    assert faults.link("b", "a") == Link(1, 2)
    faults.cut(["a"], ["b"])
    faults.heal_all()
    faults.restore(slow)
    assert (faults.is_cut("a", "b"), faults.link("a", "b")) == (False, faults.usual)


def test_names_are_known_once() -> None:
    """A second process of the same name is refused, and so is a message to an unknown process."""
    simulator, network, processes, _ = cluster(1)
    with pytest.raises(ValueError, match="a process a already"):
        network.attach(Recorder(simulator, "a", []))
    with pytest.raises(KeyError):
        network.send(processes["a"], "nobody", 1)
