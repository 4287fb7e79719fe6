"""Any mix of faults: one leader an epoch, nothing committed is lost or differs, and all is well when the faults end."""

import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from fencepost.reference.simulator import Link
from tests.cases import each, examples

from .quorum import Machine, Quorum

STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("append"), st.integers(1, 3), st.none()),
        st.tuples(st.just("crash"), st.integers(0, 6), st.none()),
        st.tuples(st.just("start"), st.integers(0, 6), st.none()),
        st.tuples(st.just("cut"), st.integers(0, 6), st.booleans()),
        st.tuples(st.just("heal"), st.none(), st.none()),
        st.tuples(st.just("resign"), st.none(), st.none()),
        st.tuples(st.just("snapshot"), st.integers(0, 4), st.none()),
        st.tuples(st.just("links"), st.sampled_from([0.0, 0.05, 0.3]), st.sampled_from([1, 50, 500])),
        st.tuples(st.just("wait"), st.sampled_from([0.001, 0.03, 0.5, 3.0]), st.none()),
    ),
    max_size=30,
)


def snapshot(machine: Machine) -> None:
    """Let a machine make a snapshot of what it was given."""
    if machine.alive and machine.next:
        machine.node.create_snapshot(machine.next, machine.disk.log.epoch_before(machine.next), [])


def play(quorum: Quorum, steps: list[Any]) -> None:
    """Run the steps, then let all faults end and see that all nodes agree and go on."""
    machines = [*quorum.machines, *quorum.observers]
    number = 0
    for kind, first, second in [("wait", 5.0, None), *steps]:
        if kind == "append":
            number += 1
            for machine in quorum.machines:
                machine.append(*[number] * first)
        elif kind == "crash":
            machines[first % len(machines)].crash()
        elif kind == "start":
            machines[first % len(machines)].start()
        elif kind == "cut":
            quorum.faults.cut([machines[first % len(machines)].name], quorum.network.names(), both_ways=second)
        elif kind == "heal":
            quorum.faults.heal_all()
        elif kind == "resign":
            for machine in quorum.machines:
                if machine.is_active:
                    machine.node.resign(machine.node.epoch)
        elif kind == "snapshot":
            snapshot(machines[first % len(machines)])
        elif kind == "links":
            quorum.faults.usual = Link(100_000, second * 1_000_000, loss=first, duplication=first, reorder=first)
        else:
            quorum.run(first)
    quorum.faults.heal_all()
    quorum.faults.usual = Link()
    for machine in machines:
        machine.start()
    quorum.run(20)
    assert quorum.active.append(10**6)
    quorum.run(2)
    quorum.assert_agreement()
    assert quorum.numbers(quorum.active)[-1] == 10**6
    logs = [machine.disk.log for machine in machines]
    for log in logs[1:]:
        start = max(log.start_offset, logs[0].start_offset)
        assert log.read(start, log.end_offset, 10**9) == logs[0].read(start, log.end_offset, 10**9)


@given(st.integers(0, 10**6), st.sampled_from([1, 2, 3, 4, 5]), STEPS)
@settings(max_examples=examples(40), deadline=None)
def test_no_mix_of_faults_breaks_the_rules(seed: int, voters: int, steps: list[Any]) -> None:
    """The rules of the ledger hold in every run, and a healed quorum of any size agrees and goes on."""
    play(Quorum(seed, voters, observers=2, metadata_max_retention_bytes=300), steps)


def drawn(seed: int, count: int) -> list[Any]:
    """Return steps of a long run that is rough with the quorum."""
    draw = random.Random(seed)
    steps: list[Any] = []
    for _ in range(count):
        steps += [("append", draw.randint(1, 3), None), ("wait", draw.choice([0.001, 0.01, 0.03, 0.5, 3.0]), None)]
        kind = draw.choice(["crash", "start", "start", "cut", "heal", "heal", "resign", "snapshot", "links"])
        first = draw.choice([0.0, 0.02, 0.2]) if kind == "links" else draw.randint(0, 6)
        steps.append((kind, first, draw.choice([1, 50, 300]) if kind == "links" else draw.random() < 0.5))
    return steps


@each("seed", range(12))
def test_long_rough_runs(seed: int) -> None:
    """Minutes of crashes, cuts, slow and lossy links break no rule."""
    play(Quorum(seed, 3 + seed % 3, observers=1, metadata_max_retention_bytes=500), drawn(seed, 80))


def test_a_seed_is_a_run() -> None:
    """The same seed gives the same log to the last timestamp, another one another."""

    def log(seed: int) -> str:
        quorum = Quorum(seed, 3, observers=1)
        play(quorum, drawn(1, 40))
        batches = quorum.machines[0].disk.log.batches
        return repr([(b.base_offset, b.epoch, b.timestamp_ms, b.records, b.control) for b in batches])

    assert log(1) == log(1) != log(2)
