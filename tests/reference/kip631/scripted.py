"""Small clusters of either version that a test drives by hand: no faults, no operator, one broker at a time."""

from typing import Any

from fencepost.reference.kip631.controller import Refused
from fencepost.reference.kip631.settings import Settings
from fencepost.reference.kip631.simulation import Cluster, Design
from fencepost.traces.design_steps import DesignStep

SETTINGS = Settings(brokers=(1, 2, 3), replicas={0: (1, 2, 3), 1: (2, 3)}, session=3_000, id_reuse=5_000)


class Bench:
    """A cluster with its steps; brokers are started by the test."""

    def __init__(self, design: Design, settings: Settings = SETTINGS) -> None:
        self.cluster = Cluster(design, 1, settings)
        self.controller: Any = self.cluster.controller
        self.brokers: dict[int, Any] = dict(self.cluster.brokers)
        self.steps: list[DesignStep] = []
        self.answers: list[Any] = []

    def run(self, seconds: float) -> list[DesignStep]:
        """Let time pass; returns the steps since the last call."""
        found = self.cluster.run(seconds)
        self.steps += found
        return found

    def start(self, *brokers: int) -> list[DesignStep]:
        """Start brokers and give them time to come up."""
        for broker in brokers:
            self.brokers[broker].start()
        return self.run(4)

    def ask(self, request: Any) -> str:
        """Have the controller serve a request; returns what the step says that it answers."""
        self.controller.serve(request, self.answers.append)
        steps = self.cluster.run_to(self.cluster.simulator.now_ns)
        self.steps += steps
        return next(step.answer for step in steps if step.name == request.as_step()[0])

    def refused(self, request: Any) -> str:
        """Ask a node while no controller is active; returns the step's answer, which the asker gets as well."""
        answers: list[Any] = []
        self.cluster.quorum.lose()
        self.cluster.quorum.nodes[1].serve("somebody", request, answers.append)
        steps = self.cluster.run_to(self.cluster.simulator.now_ns)
        assert answers == [Refused(steps[-1].answer)]
        return steps[-1].answer

    def cell(self, name: str, *keys: int) -> Any:
        """Return what a cell is now, from the header and the steps."""
        found = {(variable, tuple(at)): value for variable, at, value in self.cluster.initial}
        for step in self.steps:
            found |= {(one.variable, one.keys): one.value for one in step.changed}
        return found[name, keys]


def line_of(step: DesignStep) -> str:
    """Return a step as a line: who, what, its parameters without the broker, the answer, the cells it changed."""
    told = " ".join(f"{name}={value}" for name, value in step.parameters.items() if name not in ("b", "sent"))
    changed = ", ".join(f"{one.variable} {one.value}" for one in step.changed if not one.variable.endswith("contact"))
    line = f"{step.node} {step.name} {told}".rstrip()
    return line + (f" -> {step.answer}" if step.answer else "") + (f" | {changed}" if changed else "")
