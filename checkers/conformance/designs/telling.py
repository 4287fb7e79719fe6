"""The contents of a complete trace of a design: every cell that a run has, and the process that took each step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from fencepost.checkers.conformance.lockstep.firing import Diverged
from fencepost.model.kip46.names import HIDDEN as HIDDEN_46
from fencepost.model.kip343.names import HIDDEN as HIDDEN_343
from fencepost.model.kip631.v1.names import HIDDEN as HIDDEN_V1
from fencepost.model.kip631.v2.names import HIDDEN as HIDDEN_V2
from fencepost.model.language import Protocol
from fencepost.traces.design_steps import DesignStep

HIDDEN: Mapping[str, tuple[str, ...]] = {
    "kip343": HIDDEN_343,
    "kip46": HIDDEN_46,
    "kip631-v1": HIDDEN_V1,
    "kip631-v2": HIDDEN_V2,
}
"""By design: the variables that only its tables have."""

IDLE: Mapping[str, tuple[str, ...]] = {"kip631-v2": ("HeartbeatReply", "RegisterReply")}
"""By design: the steps that may find nothing to do. Elsewhere every step of a run is a row."""

NO_ERROR = "NONE"
"""The first word of an answer without an error; only such an answer says more."""

CONTROLLER, BROKER = "controller", "broker"

_ACTORS: Mapping[str, Mapping[str, str]] = {
    "kip343": {
        BROKER: "StartBroker Reregister StopBroker BeginShutdown CancelShutdown SendHeartbeat HeartbeatReply "
        "BrokerTimer UpdateMetadata WriteIsr",
        "another-broker": "StartAnother",
        "zookeeper": "ExpireSession",
    },
    "kip46": {BROKER: "BrokerFails BrokerReturns CatchUp", "operator": "SubmitReassignment"},
    "kip631-v1": {
        BROKER: "StartBroker ApplyMetadata BeginRegistration RegisterReply HeartbeatReply OwnLeaseExpires "
        "BeginShutdown StopBroker RecoverLogs",
        "quorum": "TailIsLost",
    },
    "kip631-v2": {
        BROKER: "StartBroker ApplyMetadata ApplySnapshot RegisterReply HeartbeatReply RecoverLogs HostTopic "
        "BeginShutdown StopBroker",
        "quorum": "TailIsLost",
    },
}
ACTORS: Mapping[str, Mapping[str, str]] = {
    design: {name: actor for actor, names in found.items() for name in names.split()}
    for design, found in _ACTORS.items()
}
"""The kind of node that takes a step, by design and step; a controller takes all others."""

BY_LEADER = ("CatchUp",)
"""Steps of a broker that are about another one: the leader takes a follower into the ISR."""

ASIDE = ("NOT_CONTROLLER", "UNSUPPORTED_VERSION")
"""Answers that any process but the controller may give, one of older software too."""

ANSWERED: Mapping[str, Mapping[str, tuple[str, str, tuple[str, ...]]]] = {
    "kip343": {"HeartbeatReply": ("SendHeartbeat", "Heartbeat", ("error", "current_state"))}
}
"""By design: the steps in which an answer arrives, the step that asks, the one that answers, and the answer's words."""

BEGINS = "StartBroker"
"""The step of a process that has no answer yet."""

CLOCK = "now"
"""The cell with the time in the tables; a step has its own time."""

TAKES_OFFICE, LEAVES_OFFICE = "ControllerFailover", "ControllerFails"


def design_of(protocol: Protocol) -> str:
    """Return the name of the design that a protocol is, or that it is a variant of."""
    return (protocol.base or protocol).name


def not_told(protocol: Protocol, told: Iterable[str]) -> tuple[str, ...]:
    """Return the variables that a run of a design has, settings among them, and of which a header says nothing."""
    known = {CLOCK, *HIDDEN.get(design_of(protocol), ()), *told}
    return tuple(one.name for one in protocol.states if one.what != "ghost" and one.name not in known)


class Answers:
    """The requests and answers of brokers: an answer may be lost or late, and none arrives that was not given.

    Nor do more arrive than were given, or than there were requests: of several answers to a request the first counts.
    The tables have one message of a broker under way, runs have several: so this class checks it.
    """

    def __init__(self, design: str) -> None:
        self.arrivals = ANSWERED.get(design, {})
        self.given: dict[tuple[str, str], Counter[str]] = {}
        self.sent: Counter[tuple[str, str]] = Counter()

    def check(self, step: DesignStep) -> None:
        """Note what a step asks or answers; raise `Diverged` for an answer that arrives and was not given."""
        broker = str(step.parameters.get("b"))
        for arrival, (sends, asked, names) in self.arrivals.items():
            given = self.given.setdefault((asked, broker), Counter())
            if step.name == BEGINS:
                given.clear()
                self.sent[sends, broker] = 0
            elif step.name == sends:
                self.sent[sends, broker] += 1
            elif step.name == asked:
                given[step.answer] += 1
            elif step.name == arrival:
                words = [str(step.parameters.get(name)) for name in names]
                said = " ".join(words if words[0] == NO_ERROR else words[:1])
                if not given[said]:
                    raise Diverged(f"no {asked} of broker {broker} was answered {said!r} that it has not heard of yet")
                if not self.sent[sends, broker]:
                    raise Diverged(f"broker {broker} has heard of every {asked} that it sent")
                given[said] -= 1
                self.sent[sends, broker] -= 1


class Actors:
    """The processes that may take the next step: the controller in office, and the broker that the step is about."""

    def __init__(self, design: str) -> None:
        self.kinds = ACTORS.get(design)
        self.office: str | None = None
        self.vacant = False

    def check(self, step: DesignStep) -> None:
        """Raise `Diverged` for a step that its node does not do; the design's tables must have the step."""
        if self.kinds is None:
            return  # processes of steps are known for our designs only
        wanted = self.kinds.get(step.name, CONTROLLER)
        if wanted == CONTROLLER and step.answer in ASIDE:
            return
        kind, _, number = step.node.rpartition("-") if step.node[-1:].isdigit() else (step.node, "", "")
        if kind != wanted:
            raise Diverged(f"{step.name} is done by a node {wanted!r}, not by {step.node!r}")
        about = step.parameters.get("b")
        if kind != CONTROLLER and number and about is not None and step.name not in BY_LEADER and str(about) != number:
            raise Diverged(f"{step.name} is about broker {about}, and {step.node} did it")
        if kind == CONTROLLER:
            self._check_office(step)

    def _check_office(self, step: DesignStep) -> None:
        if step.name == TAKES_OFFICE:
            self.office, self.vacant = step.node, False
            return
        if self.vacant or (self.office is not None and step.node != self.office):
            now = "no controller" if self.vacant else self.office
            raise Diverged(f"{step.node} is not the controller, {now} is in office")
        # A run may begin with a controller that only its steps name.
        self.office = step.node
        if step.name == LEAVES_OFFICE:
            self.office, self.vacant = None, True
