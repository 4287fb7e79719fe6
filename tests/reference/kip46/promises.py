"""What KIP-46 promises of every run, looked for in its trace alone."""

from collections.abc import Iterable

from fencepost.traces.design_steps import DesignStep, Header
from tests.reference.folded import Known, folded


def broken(header: Header, steps: Iterable[DesignStep]) -> list[str]:
    """Return the promises that a run breaks, each with the step that broke it first."""
    found: dict[str, str] = {}
    synced: dict[int, set[int]] = {}
    for before, step, after in folded(header, steps):
        promises = [
            *_of_failures(header, before, step, after),
            *_of_tasks(header, before, step, after),
            *_of_replicas(before, step, after, synced),
        ]
        for promise in promises:
            found.setdefault(promise, f"{promise}: {step.time_ms} ms {step.name} {dict(step.parameters)}")
    return list(found.values())


def _of_failures(header: Header, before: Known, step: DesignStep, after: Known) -> Iterable[str]:
    interval = header.settings["interval"]
    for key, failed in before["failed"].items():
        if failed != -1 and after["failed"][key] not in (failed, -1):
            yield "the time of the first failure stays"
    if interval == -1 and any(one != -1 for one in after["failed"].values()):
        yield "with an interval of -1 nothing is healed"
    if step.name == "ControllerFailover":
        for key, failed in after["failed"].items():
            if after["timer"][key] != (-1 if failed == -1 else failed + interval):
                yield "a new controller's timers run from the first failure"
    if step.name == "TimerFires":
        broker = (step.parameters["b"],)
        if step.time_ms < before["failed"][broker] + interval or before["failed"][broker] == -1:
            yield "a broker is healed only after the interval"
    if step.name == "OnBrokerStartup":
        broker = (step.parameters["b"],)
        if after["failed"][broker] != -1 or after["timer"][broker] != -1:
            yield "who is back has neither entry nor timer"
    if step.name == "DeleteFailedBroker":
        broker = (step.parameters["b"],)
        if before["listed"][broker] or before["placed"][broker]:
            yield "an entry stays until every task is persisted"


def _of_tasks(header: Header, before: Known, step: DesignStep, after: Known) -> Iterable[str]:
    if any(len(one) >= header.settings["chunk_limit"] for one in after.get("chunk", {}).values()):
        yield "no task is larger than the chunk size"
    if sum(after.get("running", {}).values()) > 1:
        yield "one task runs at a time"
    if step.name == "DropTask":
        task = (step.parameters["chunk"],)
        if not before["automatic"].get(task, False):
            yield "only tasks of the controller's own are dropped"
        if before["running"].get(task, False):
            yield "a running task is not dropped"
    if step.name in ("StartTask", "DropTask"):
        waiting = [key[0] for key, queued in before["queued"].items() if queued and not before["running"].get(key)]
        if step.parameters["chunk"] != min(waiting):
            yield "tasks are taken in their order"
    if step.name == "PersistChunk":
        if not after["automatic"][step.parameters["chunk"],]:
            yield "the controller's tasks are known as its own"
        for partition in step.parameters["partitions"]:
            if step.parameters["b"] in after["target"][step.parameters["chunk"], partition]:
                yield "no replica is moved to the failed broker"


def _of_replicas(before: Known, step: DesignStep, after: Known, synced: dict[int, set[int]]) -> Iterable[str]:
    """Look at the replicas; `synced` has, by partition under way, who has been in sync since the task was started."""
    if step.name == "StartTask":
        for partition in before["chunk"][step.parameters["chunk"],]:
            synced[partition] = set()
    for partition, members in synced.items():
        members |= {*before["isr"][partition,]}
    if step.name == "CompleteTask":
        for partition in before["chunk"][step.parameters["chunk"],]:
            if not {*before["target"][step.parameters["chunk"], partition]} <= synced.pop(partition):
                yield "a task is complete when all of its replicas have been in sync"
    for key, isr in after["isr"].items():
        if not isr:
            yield "no ISR is empty"
        if not {*isr} <= {*after["replicas"][key]}:
            yield "only replicas are in sync"
