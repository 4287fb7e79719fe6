"""A check of what comes with fencepost, as it was before: where no file has changed, no table is loaded to know it.

What is kept is which stages there were, by the keys under which each is kept itself, and what is said beside them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fencepost.checkers.keeping import code, content, surroundings
from fencepost.checkers.keeping import key as digest

from .cache import CODE, Cache, tlc_digest
from .stages import Stage


@dataclass(frozen=True)
class Recalled:
    """The stages of a check, each with its protocol, and what else it said."""

    stages: tuple[tuple[str, Stage], ...]
    beside: Mapping[str, Any]


def question(recorded: Path, *asked: Any) -> str:
    """Return the key of a check of what comes with fencepost: every file of the package, every recording, TLC.

    `asked` are JSON values: the protocols, the steps, the tier.
    """
    return digest("check", code((*CODE, "model")), surroundings(), content(str(recorded)), tlc_digest(), *asked)


def recall(kept: Cache, key: str) -> Recalled | None:
    """Return a check that was kept, None where there is none, or where one of its stages is not there any more."""
    told = kept.kept.read(key)
    if told is None:
        return None
    try:
        found = [(str(owner), kept.get(str(stage))) for owner, stage in told["stages"]]
        beside = dict(told["beside"])
    except (ValueError, KeyError, TypeError):
        return None
    stages = tuple((owner, stage) for owner, stage in found if stage is not None)
    return Recalled(stages, beside) if stages and len(stages) == len(found) else None


def remember(kept: Cache, key: str, stages: Sequence[tuple[str, str | None]], beside: Mapping[str, Any]) -> None:
    """Keep which stages a check had, by protocol and key, and what else it said, as JSON values.

    A stage without a key is never found again, and with it the check is asked anew.
    """
    kept.kept.write(key, {"stages": [list(one) for one in stages], "beside": dict(beside)})
