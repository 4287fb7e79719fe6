"""A process that dies after a step of its own, in runs that are judged for each such step."""

from typing import Any


def dies_after(cluster: Any, node: Any, steps: int, away_ns: int) -> list[str]:
    """Let a process die right after so many steps of its own, and start again after some nanoseconds.

    Returns a list that holds the name of that step once it has died, and is empty until then.
    """
    last: list[str] = []

    def die() -> None:
        last.append(cluster.journal.steps[-1].name)
        node.crash()
        cluster.simulator.after(away_ns, node.start)

    cluster.journal.after_steps(node.name, steps, die)
    return last
