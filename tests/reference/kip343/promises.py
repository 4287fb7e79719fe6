"""What KIP-343 promises of every run, looked for in its trace alone."""

from collections.abc import Iterable

from fencepost.traces.design_steps import DesignStep, Header
from tests.reference.folded import Known, folded

SERVED = ("Active", "Stopping")


def broken(header: Header, steps: Iterable[DesignStep]) -> list[str]:
    """Return the promises that a run breaks, each with the step that broke it first."""
    found: dict[str, str] = {}
    for before, step, after in folded(header, steps):
        for promise in (*_by_step(before, step, after), *_by_time(header, before, step)):
            found.setdefault(promise, f"{promise}: {step.time_ms} ms {step.name} {dict(step.parameters)}")
    return list(found.values())


def _by_step(before: Known, step: DesignStep, after: Known) -> Iterable[str]:
    told = step.parameters
    if step.name != "ControllerFailover":
        for key, incarnation in after["incarnation"].items():
            if incarnation < before["incarnation"][key]:
                yield "the incarnation of a broker never decreases"
    if step.name == "Heartbeat" and step.answer.startswith("NONE"):
        if told["incarnation"] < before["incarnation"][told["b"],]:
            yield "an old incarnation is refused"
        if not told["valid"]:
            yield "a negative id is refused"
    if step.name == "IsrChange" and step.answer == "NONE":
        partition, broker = (told["p"],), told["b"]
        if before["leader"][partition] != broker or before["leader_epoch"][partition] != told["leader_epoch"]:
            yield "only the leader in its epoch changes an ISR"
        if before["incarnation"][broker,] != told["incarnation"]:
            yield "only the present incarnation changes an ISR"
        if not told["to_controller"]:
            yield "only the controller changes an ISR"
    if any(not isr for isr in after["isr"].values()):
        yield "no ISR is empty"
    if step.name == "ElectLeader" and told["leader"] is not None and before["state"][told["leader"],] != "Active":
        yield "only an active broker becomes leader"
    if step.name == "ControllerTimer" and before["known_legacy"][told["b"],]:
        yield "a legacy broker does not become inactive by its silence"
    if step.name == "HeartbeatReply" and told["error"] != "NONE" and step.changed:
        yield "an error is no contact"
    if step.name == "ControllerFailover":
        for key, state in after["state"].items():
            if state != ("Active" if after["known_legacy"][key] else "Inactive"):
                yield "a new controller holds all but legacy brokers for inactive"


def _by_time(header: Header, before: Known, step: DesignStep) -> Iterable[str]:
    now, settings = step.time_ms, header.settings
    for key, state in before["state"].items():
        silent = now - before["last_contact"][key]
        legacy = before["known_legacy"][key] or not before["controller"][()]
        if state in SERVED and not legacy and silent > settings["controller_timeout"] + 1:
            yield "a silent broker becomes inactive"
        unfenced = before["running"][key] and not before["legacy"][key] and not before["fenced"][key]
        if unfenced and now - before["last_reply"][key] > settings["broker_timeout"] + 1:
            yield "a broker without answers fences itself"
