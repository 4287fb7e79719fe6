"""A check against a baseline: figures of an earlier check that must not get worse, kept in a file beside the tables.

Figures are what a check counts: obligations proved, states of a bound, rows taken there, properties closed, logs that
conform, rows that they exercise. More of any is no regression; less is one, and is named.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fencepost.checkers.verdicts import ExitCode, Refusal

from .run import Check
from .stages import Stage

FORMAT = 1
"""Changes with the shape of the file; a file of another one is refused."""

Figures = Mapping[str, Any]


@dataclass(frozen=True)
class Compared:
    """What became of a baseline: regressions by name, what is better or new, and how many figures were compared."""

    regressions: tuple[str, ...] = ()
    gains: tuple[str, ...] = ()
    figures: int = 0
    path: str = field(default="", compare=False)

    def as_json(self) -> dict[str, Any]:
        """Return the comparison as JSON values."""
        return {
            "path": self.path,
            "figures": self.figures,
            "regressions": list(self.regressions),
            "gains": list(self.gains),
        }


def figures(found: Check) -> dict[str, Figures]:
    """Return the figures of every stage of a check, by its protocol, its name and its bound."""
    return {_name(protocol, stage): _of(stage) for protocol, stages in found.protocols.items() for stage in stages}


def write(path: Path, found: Check) -> bool:
    """Write the figures of a check that is as declared, and return whether it is: of another one nothing is written.

    Raises `Refusal` where the file cannot be written.
    """
    if found.exit_code is not ExitCode.AS_DECLARED:
        return False
    text = json.dumps({"format": FORMAT, "figures": figures(found)}, indent=1, sort_keys=True)
    try:
        path.write_text(text + "\n", "utf-8")
    except OSError as error:
        raise Refusal(
            f"--write-baseline: {path}: {error.strerror or error}; name a file that can be written"
        ) from error
    return True


def read(path: Path) -> dict[str, Figures]:
    """Return the figures of a file; raises `Refusal` for one that is no baseline, or of another format."""
    try:
        told = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise Refusal(f"--baseline: {path}: {error.strerror or error}; --write-baseline writes one") from error
    except ValueError as error:
        raise Refusal(f"--baseline: {path}: is no JSON ({error}); write it anew with --write-baseline") from error
    known = isinstance(told, dict) and isinstance(told.get("figures"), dict)
    if not known or not all(isinstance(one, dict) for one in told["figures"].values()):
        raise Refusal(f"--baseline: {path}: is no baseline; write one with --write-baseline")
    if told.get("format") != FORMAT:
        raise Refusal(f"--baseline: {path}: has format {told.get('format')}, and {FORMAT} is read; write it anew")
    return dict(told["figures"])


def compared(path: Path, before: Mapping[str, Figures], found: Check) -> Compared:
    """Hold a check against a baseline. What this check was not asked to do is not compared."""
    now = figures(found)
    done = {(protocol, stage.name) for protocol, stages in found.protocols.items() for stage in stages}
    worse: list[str] = []
    better: list[str] = []
    count = 0
    for name, old in before.items():
        if name not in now:
            protocol, stage = (*name.split(" "), "")[:2]
            if (protocol, stage) in done:
                worse.append(f"{name}: was asked, and is not any more")
            continue
        if old and not now[name]:
            worse.append(f"{name}: has no figures any more: it was not decided")
            continue
        for figure, value in old.items():
            count += 1
            for line, regression in _against(value, now[name].get(figure)):
                (worse if regression else better).append(f"{name}: {figure} {line}")
    better += [f"{name}: is new" for name in now if name not in before]
    return Compared(tuple(worse), tuple(better), count, str(path))


def _against(old: Any, new: Any) -> Iterator[tuple[str, bool]]:
    """Yield how a figure differs, and whether that is a regression: a number that falls, an item that is gone."""
    if isinstance(old, list):
        gone = [one for one in old if one not in (new or [])]
        if gone:
            yield f"without {', '.join(gone)}", True
        more = [one for one in new or [] if one not in old]
        if more:
            yield f"with {', '.join(more)}", False
    elif old != new:
        number = new if isinstance(new, int) else 0
        yield f"{old:,} → {number:,}", number < old


def _name(protocol: str, stage: Stage) -> str:
    bound = stage.fields.get("bound")
    return f"{protocol} {stage.name}{f' at {bound}' if bound else ''}"


def _of(stage: Stage) -> Figures:
    told = stage.fields
    if "message" in told and len(told) == 1:
        return {}  # it was refused, which the exit code says
    if stage.name == "proof":
        return {"obligations": told["obligations"], "proved": told["proved"]}
    if stage.name == "exploration":
        closed = sorted(one["id"] for one in told["properties"] if one["as_declared"])
        return {"states": told["distinct"], "rows": sorted(told["rows_fired"]), "as declared": closed}
    if stage.name == "logs":
        conform = sorted(one["path"] for one in told["logs"] if one["verdict"] == "conforms")
        return {"conform": conform, "rows": sorted({row for one in told["logs"] for row in one["rows"]})}
    if stage.name == "answers":
        return {one["kind"]: one["lines"] - one["differences"] for one in told["files"]}
    return {}


__all__ = ["FORMAT", "Compared", "compared", "figures", "read", "write"]
