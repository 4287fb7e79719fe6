"""What a question about a log is about: a partition, a broker, a topic, each by the name that people give it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fencepost.checkers.conformance.replay import HardState
from fencepost.checkers.verdicts import Refusal

from .watching import Cells

SHOWN = 12
"""So many names are given in an answer to one that is none."""


@dataclass(frozen=True, slots=True)
class About:
    """What a story is about: all that is given has to be touched by what is told. Partitions are named orders-0."""

    partition: str | None = None
    broker: int | None = None
    topic: str | None = None

    @property
    def everything(self) -> bool:
        """Whether nothing is left out."""
        return self.partition is None and self.broker is None and self.topic is None

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {"partition": self.partition, "broker": self.broker, "topic": self.topic}

    def require_known(self, path: str, state: HardState, names: Mapping[str, str]) -> None:
        """Refuse what nothing in a log is about, whose last state is given; `names` are those that its topics had."""
        brokers = sorted(one for one in state.domains.get("Broker", ()) if isinstance(one, int))
        if self.broker is not None and self.broker not in brokers:
            raise Refusal(f"{path}: nothing is said of broker {self.broker}; the brokers are {_some(brokers)}")
        cells = Cells(state)
        called = {**names, **{one: str(cells("name", one)) for one in cells.keys("live")}}
        asked = self.topic or (self.partition or "").rpartition("-")[0]
        if asked and asked not in called.values():
            raise Refusal(f"{path}: there is no topic {asked}; the topics are {_some(sorted(set(called.values())))}")
        partitions = (f"{called.get(one[0])}-{one[1]}" for one in state.domains.get("Partition", ()))
        if self.partition is not None and self.partition not in partitions:
            raise Refusal(f"{path}: topic {asked} never had a partition {self.partition}")


def _some(names: list[Any]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(map(str, names[:SHOWN])) + more if names else "none"
