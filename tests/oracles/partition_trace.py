"""One partition of a log as a trace for TLC: a projection, and a specification of it that was written by hand."""

import os
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fencepost.traces import Record

SPECIFICATION = Path(__file__).with_name("PartitionTrace.tla")
CONFIGURATION = "SPECIFICATION Spec\n"

Partition = tuple[str, int]
"""The topic's id, and the number."""

Step = dict[str, Any]
"""A record as TLC reads it: its type, and what it says; brokers are numbers."""

_FENCING = {1: "fence", -1: "unfence"}
_SETS = {"replicas": "replicas", "isr": "isr", "eligibleLeaderReplicas": "elr"}


@dataclass(frozen=True, slots=True)
class Validated:
    """What TLC says of a trace: how many records it explains, of how many; all of them where the trace is valid.

    CPU seconds are those of Java from its start to its end.
    """

    explained: int
    records: int
    cpu_seconds: float


def partitions(records: Iterable[Record]) -> Counter[Partition]:
    """Return how many records there are of each partition."""
    return Counter(
        (one.data["topicId"], one.data["partitionId"])
        for one in records
        if one.type in ("PARTITION_RECORD", "PARTITION_CHANGE_RECORD")
    )


def busiest(records: Iterable[Record]) -> Partition:
    """Return the partition of the most records."""
    return partitions(records).most_common(1)[0][0]


def projected(records: Iterable[Record], partition: Partition) -> Iterator[Step]:
    """Yield what the records of a log say of a partition and of brokers."""
    names: dict[str, str] = {}
    for one in records:
        data = one.data
        if one.type == "TOPIC_RECORD":
            names[data["topicId"]] = data["name"]
        elif one.type == "REGISTER_BROKER_RECORD":
            yield {"type": "register", "broker": data["brokerId"], "fenced": data["fenced"]}
        elif one.type == "UNREGISTER_BROKER_RECORD":
            yield {"type": "unregister", "broker": data["brokerId"]}
        elif one.type in ("FENCE_BROKER_RECORD", "UNFENCE_BROKER_RECORD"):
            yield {"type": "fence" if one.type[0] == "F" else "unfence", "broker": data["id"]}
        elif one.type == "BROKER_REGISTRATION_CHANGE_RECORD" and data.get("fenced") in _FENCING:
            yield {"type": _FENCING[data["fenced"]], "broker": data["brokerId"]}
        elif one.type == "REMOVE_TOPIC_RECORD" and data["topicId"] == partition[0]:
            yield {"type": "remove"}
        elif one.type == "CLEAR_ELR_RECORD" and data["topicName"] in ("", names.get(partition[0])):
            yield {"type": "clear"}
        elif (data.get("topicId"), data.get("partitionId")) == partition:
            said = {ours: data[theirs] for theirs, ours in _SETS.items() if data.get(theirs) is not None}
            if one.type == "PARTITION_RECORD":
                epochs = {name: data[name] for name in ("leader", "leaderEpoch", "partitionEpoch")}
                yield {"type": "create", "elr": [], **said, **epochs}
            elif one.type == "PARTITION_CHANGE_RECORD":
                led = {} if data.get("leader", -2) == -2 else {"leader": data["leader"]}
                yield {"type": "change", **said, **led}


def validated(steps: list[Step]) -> Validated:
    """Run TLC on a trace; raises `ValueError` with what it says where that is no answer."""
    from fencepost.checkers.tlc.run import find_jar, find_java

    with tempfile.TemporaryDirectory(prefix="fencepost-trace-") as folder:
        shutil.copy(SPECIFICATION, folder)
        Path(folder, "TraceData.tla").write_text(_module(steps), encoding="ascii")
        Path(folder, "model.cfg").write_text(CONFIGURATION, encoding="ascii")
        command = [find_java(), "-XX:+UseParallelGC", "-jar", str(find_jar()), "-workers", "1", "-cleanup"]
        before = os.times()
        said = subprocess.run(
            [*command, "-config", "model.cfg", SPECIFICATION.name],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        ).stdout
        after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    if "Model checking completed. No error has been found." in said:
        return Validated(len(steps), len(steps), cpu)
    places = re.findall(r"^/\\ place = (\d+)$", said, re.MULTILINE)
    if "Deadlock reached" not in said or not places:
        raise ValueError(said[-2000:])
    return Validated(int(places[-1]), len(steps), cpu)


def _module(steps: Iterable[Step]) -> str:
    rows = ",\n".join("  " + _text(one) for one in steps)
    return f"---- MODULE TraceData ----\nEXTENDS Integers\nTrace == <<\n{rows}\n>>\n====\n"


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return "[" + ", ".join(f"{name} |-> {_text(one)}" for name, one in value.items()) + "]"
    if isinstance(value, list):
        return "{" + ", ".join(map(_text, value)) + "}"
    if isinstance(value, bool):
        return str(value).upper()
    return f'"{value}"' if isinstance(value, str) else str(value)
