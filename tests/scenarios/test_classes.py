"""Classes of equal partitions: the tables say of one what they say of each, and notice one that is treated otherwise.

The log is one that `ask` writes: two topics of forty partitions, which are in few states.
"""

from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.conformance.lockstep import tasks
from fencepost.checkers.conformance.lockstep.classes import Classes
from fencepost.checkers.operations.moments import END, when
from fencepost.checkers.scenarios import loading
from fencepost.checkers.scenarios.loading import load
from fencepost.checkers.scenarios.parsing import checked, steps_of
from fencepost.checkers.scenarios.running import Scenario, run
from fencepost.checkers.scenarios.writing import write
from fencepost.checkers.verdicts import ExitCode, Refusal
from fencepost.reference.kraft.controller import elections, fan_out
from fencepost.traces import find_log

ASSIGNED = ("1,2,3", "2,3,1", "3,4,1", "4,1,2", "1,2,4")
REPLICAS = "/".join(ASSIGNED[number * number % 5] for number in range(40))
BEGINNING = f"""
cluster min.insync.replicas=2
brokers 1,2,3,4
topic t {REPLICAS}
topic u {REPLICAS} unclean.leader.election.enable=true
stop 2
start 2 behind
"""
STEPS = """
stop 1
kill 3,4
wait 30s
task unclean
start 3 unclean behind
config brokers min.insync.replicas=1
controller-failover
isr t-7 2,3
assign 2 d1 t-9
reassign t-3 1,2
elect preferred t-11
start 4 behind
fail-directory 4 d1
start 1
wait 6m
elect preferred all
unregister 4
delete-topic u
catch-up all
"""


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the log of the beginning."""
    report = run(checked(steps_of(BEGINNING, "beginning")), "beginning")
    assert report.machine is not None
    return write(report.machine, tmp_path_factory.mktemp("log") / "kafka")


def loaded(log: Path) -> Scenario:
    """Return a scenario that begins with the log."""
    source = find_log(str(log))
    return load(source, when(END, source), {})


def classes(scenario: Scenario) -> Classes:
    """Return the classes of the tables of a scenario."""
    found = scenario.machine.tables.classes
    assert found is not None
    return found


def documents(scenario: Scenario, text: str) -> list[Any]:
    """Return the documents of steps, a sentence for one that cannot be done, and what the tables say that differs."""
    found: list[Any] = []
    for step in checked(steps_of(text, "steps")):
        try:
            found.append(scenario.do(step).as_json())
        except Refusal as refusal:
            found.append(str(refusal))
    return [*found, [one.text() for one in scenario.machine.differs]]


def test_the_tables_say_of_a_class_what_they_say_of_each_partition(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers, records, words, rows and findings of each step are those of the tables with all partitions."""
    every = documents(loaded(log), STEPS)
    monkeypatch.setattr(loading, "MANY", 0)
    scenario = loaded(log)
    assert len(classes(scenario).of) > 50
    assert documents(scenario, STEPS) == every
    assert every[-1] == []


def test_equal_partitions_stay_a_class_until_a_step_names_one(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A broker that stops leaves the classes as they are; a proposal of an ISR takes its partition out of one."""
    monkeypatch.setattr(loading, "MANY", 0)
    scenario = loaded(log)
    before = dict(classes(scenario).of)
    documents(scenario, "stop 1")
    assert classes(scenario).of == before
    name, number = next(one for one, first in before.items() if one[1] > 0)
    topic = scenario.machine.controller.managers.replication.topics[name].name
    documents(scenario, f"isr {topic}-{number} 2,3 from 3")
    assert before.keys() - classes(scenario).of.keys() == {(name, number)}


def test_a_partition_that_is_left_out_of_a_class_is_noticed(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A controller that forgets one partition which another one stands for differs from the tables."""
    monkeypatch.setattr(loading, "MANY", 0)
    scenario = loaded(log)
    isrs = scenario.machine.controller.managers.replication.indexes.isrs
    forgotten = next(one for one in classes(scenario).of if one in isrs.of(1))
    updates = fan_out.leader_and_isr_updates

    def forgetful(*given: Any, **more: Any) -> list[Any]:
        return [one for one in updates(*given, **more) if (one.data["topicId"], one.data["partitionId"]) != forgotten]

    monkeypatch.setattr(fan_out, "leader_and_isr_updates", forgetful)
    report = scenario.run(checked(steps_of("stop 1", "steps")), "forgetful", {})
    assert report.code is ExitCode.DISAGREEMENT
    assert forgotten not in classes(scenario).of


@pytest.mark.parametrize("many", [0, 1_000], ids=["classes", "each partition"])
def test_a_task_elects_so_many_at_once(log: Path, many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """More partitions that await their preferred leader than a task elects at once are elected by several runs."""
    monkeypatch.setattr(loading, "MANY", many)
    monkeypatch.setattr(elections, "MAX_ELECTIONS_PER_RUN", 6)
    monkeypatch.setattr(tasks, "MOST_ELECTED", 6)
    scenario = loaded(log)
    documents(scenario, "catch-up all")
    done = scenario.do(checked(steps_of("task balance", "steps"))[0])
    assert [len(one.records) for one in done.operations][:3] == [6, 6, 6]
    assert scenario.machine.differs == []


def test_a_process_of_a_log_that_a_scenario_wrote_is_another_one(log: Path) -> None:
    """A broker that is stopped and started is refused until the session of its former process is over."""
    done = documents(loaded(log), "stop 1\nstart 1")
    assert any("DUPLICATE_BROKER_REGISTRATION" in note for note in done[1]["notes"])
