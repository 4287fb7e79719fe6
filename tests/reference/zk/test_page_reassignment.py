"""The page's example of a reassignment (S4:98-104) beside what the ZooKeeper-era reference writes, as a transcript."""

import os
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from fencepost.reference.zk import paths
from fencepost.reference.zk.messages import ReassignmentRequest
from fencepost.reference.zk.names import TopicPartition

from .scripted import Scripted

GOLDEN = Path(__file__).parents[2] / "golden" / "zk_reassignment.txt"
REWRITE = "FENCEPOST_REWRITE_GOLDEN"
"""With this variable set the golden transcript is written anew in place of being compared."""

OLD, NEW = (1, 2, 3), (4, 5, 6)
BOTH = (*OLD, *NEW)
PAGE: list[tuple[str, tuple[int, ...], int, tuple[int, ...]]] = [
    ("initial state", OLD, 1, OLD),
    ("step 2", BOTH, 1, OLD),
    ("step 4", BOTH, 1, BOTH),
    ("step 7", BOTH, 4, BOTH),
    ("step 8", BOTH, 4, NEW),
    ("step 10", NEW, 4, NEW),
]
"""The page's table: its own name of each state, AR, leader, isr."""

HEAD = """\
# OAR {1,2,3}, RAR {4,5,6}: what controller and leader write to ZooKeeper, beside the page's table
#   (S4:98-104): milliseconds since the topic is created, who writes, AR in the znode's order,
#   leader/isr, and which of the page's states that is.
# Kafka 3.9 differs (KIP-455, contradiction 39): it has RAR first in the merged list, the page OAR.
#   So 4 is the preferred leader at once. Brokers join the isr one by one, and leave it so.
"""


class Written(NamedTuple):
    """What ZooKeeper has of the partition after a write, when that was and who wrote it."""

    at_ms: int
    who: str
    assigned: tuple[int, ...]
    leader: int
    isr: tuple[int, ...]
    leader_epoch: int


@cache
def written() -> tuple[Written, ...]:
    """Move a partition from 1, 2, 3 to 4, 5, 6 without faults; returns each state that ZooKeeper has of it."""
    script = Scripted(brokers=6)
    (partition,) = script.create("t", OLD)
    assert script.ask(ReassignmentRequest({partition: NEW}), 12).partitions == {partition: "NONE"}
    return tuple(_states(script, partition))


def _states(script: Scripted, partition: TopicPartition) -> list[Written]:
    assigned: tuple[int, ...] = ()
    state: dict[str, Any] = {}
    found: list[Written] = []
    begun = next(step.time_ms for step in script.steps if step.name == "CreateTopic")
    for step in script.steps:
        for write in step.writes:
            if write.path == paths.topic_path(partition.topic):
                assigned = tuple(write.data["partitions"][str(partition.partition)])
            elif write.path == paths.state_path(partition):
                state = write.data
            else:
                continue
            if state:
                who = " ".join([step.name, *(str(step.parameters[one]) for one in TOLD.get(step.name, ()))])
                isr = tuple(state["isr"])
                found.append(Written(step.time_ms - begun, who, assigned, state["leader"], isr, state["leader_epoch"]))
    return found


TOLD = {"Reassignment": ("phase",), "ReplicaState": ("replica", "to"), "PartitionState": ("to",)}
"""The parameters that say which step of its name it was."""


def among(values: tuple[int, ...]) -> str:
    """Return brokers as the page writes them."""
    return "{" + ",".join(map(str, values)) + "}"


def remark(now: Written, before: Written | None, rest: list[str]) -> str:
    """Return what the page says of a state; takes its name from those that are still to come."""
    name = next(
        (
            name
            for name, assigned, leader, isr in PAGE
            if (set(assigned), leader, set(isr)) == (set(now.assigned), now.leader, set(now.isr))
        ),
        "",
    )
    if not name:
        assert before is not None
        joins, leaves = set(now.isr) - set(before.isr), set(before.isr) - set(now.isr)
        return f"between: {', '.join([*(f'{one} joins' for one in joins), *(f'{one} leaves' for one in leaves)])}"
    if name not in rest:
        return f"{name} still, leader epoch {now.leader_epoch}"
    rest.remove(name)
    order = next(assigned for one, assigned, _, _ in PAGE if one == name)
    return name if order == now.assigned else f"{name}, but RAR first"


def transcript() -> str:
    """Return the transcript."""
    rest, lines, before = [name for name, *_ in PAGE], [HEAD], None
    for now in written():
        where = f"{now.leader}/{among(now.isr)}"
        lines.append(
            f"{now.at_ms:5} {now.who:<31}{among(now.assigned):<15}{where:<17}{remark(now, before, rest)}".rstrip()
            + "\n"
        )
        before = now
    return "".join(lines)


def test_the_transcript_is_as_it_was() -> None:
    """Each write of the reassignment is a line, with the page's state that it is; at most 100 columns.

    After a wanted change write it anew: FENCEPOST_REWRITE_GOLDEN=1 pytest tests/reference/zk/test_page_reassignment.py
    """
    text = transcript()
    assert max(map(len, text.splitlines())) <= 100
    if os.environ.get(REWRITE):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


def test_the_states_of_the_page_come_in_its_order() -> None:
    """The golden transcript has all six states of the page, in the page's order, and begins and ends with its own."""
    lines = [line for line in GOLDEN.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    places = [next(at for at, line in enumerate(lines) if f" {name}" in line) for name, *_ in PAGE]
    assert places == sorted(places)
    assert (places[0], places[-1]) == (0, len(lines) - 1)
    assert len(set(places)) == len(PAGE)


def test_the_merged_list_begins_with_the_target() -> None:
    """From step 2 to step 8 AR is RAR and then OAR, where the page has OAR and then RAR; at both ends they agree."""
    merged = [one.assigned for one in written() if len(one.assigned) == len(BOTH)]
    assert merged
    assert set(merged) == {(*NEW, *OLD)}
    assert (written()[0].assigned, written()[-1].assigned) == (OLD, NEW)


def test_the_leader_epoch_only_grows() -> None:
    """Every write of the controller is a new leader epoch, a leader's own change of the isr is none."""
    states = written()
    for before, now in pairwise(states):
        same = now.who.startswith("AlterPartition") or now.assigned != before.assigned
        assert now.leader_epoch == before.leader_epoch + (0 if same else 1)
