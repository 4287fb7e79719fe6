"""A check against a baseline: figures of an earlier check that must not get worse, kept in a file beside the tables.

Figures are what a check counts: obligations proved, states of a bound, rows taken there, properties closed, logs that
conform, rows that they exercise. More of any is no regression; less is one, and is named. Mutation scores, which take
long, are written by `fencepost mutate` and checked against there; a check leaves them as they are.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fencepost.checkers.document import Document
from fencepost.checkers.verdicts import ExitCode, Refusal
from fencepost.files import json_value, read_small, write_whole

from .run import Check
from .stages import Stage

FORMAT = 1
"""Changes with the shape of the file; a file of another one is refused."""
MUTANTS = "mutants"
"""The suffix of the protocol in the name of a mutation score."""

Figures = Mapping[str, Any]


@dataclass(frozen=True)
class Compared(Document):
    """The comparison with a baseline: regressions by name, gains, and the number of compared figures."""

    DOCUMENT = "path figures regressions gains"

    regressions: tuple[str, ...] = ()
    gains: tuple[str, ...] = ()
    figures: int = 0
    path: str = field(default="", compare=False)


def figures(found: Check) -> dict[str, Figures]:
    """Return the figures of every stage of a check, by its protocol, its name and its bound."""
    return {_name(protocol, stage): _of(stage) for protocol, stages in found.protocols.items() for stage in stages}


def write(path: Path, found: Check) -> bool:
    """Write the figures of a check that is as declared, and return whether it is: of another one nothing is written.

    Raises `Refusal` where the file cannot be written.
    """
    if found.exit_code is not ExitCode.AS_DECLARED:
        return False
    scores = {name: one for name, one in _there(path).items() if name.split(" ")[1:2] == [MUTANTS]}
    _write(path, {**scores, **figures(found)})
    return True


def write_score(path: Path, name: str, score: Figures) -> None:
    """Write a mutation score beside the figures that a file has; raises `Refusal` where it cannot be written."""
    _write(path, {**_there(path), name: score})


def _there(path: Path) -> dict[str, Figures]:
    """The figures that a file has, none where there is no file; raises `Refusal` for a file that is no baseline."""
    return read(path, "--write-baseline") if path.exists() else {}


def _write(path: Path, told: Mapping[str, Figures]) -> None:
    text = json.dumps({"format": FORMAT, "figures": told}, indent=1, sort_keys=True)
    try:
        write_whole(path, text + "\n")
    except OSError as error:
        raise Refusal(
            f"--write-baseline: {path}: {error.strerror or error}; name a file that can be written"
        ) from error


def read(path: Path, option: str = "--baseline") -> dict[str, Figures]:
    """Return the figures of a file; raises `Refusal` for one that is no baseline, or of another format."""
    try:
        told = json_value(read_small(path))
    except OSError as error:
        raise Refusal(f"{option}: {path}: {error.strerror or error}; --write-baseline writes one") from error
    except ValueError as error:
        raise Refusal(
            f"{option}: {path}: is no JSON ({error}); remove it, and write it with --write-baseline"
        ) from error
    known = isinstance(told, dict) and isinstance(told.get("figures"), dict)
    if not known or not all(isinstance(one, dict) for one in told["figures"].values()):
        raise Refusal(f"{option}: {path}: is no baseline; write one with --write-baseline")
    if told.get("format") != FORMAT:
        raise Refusal(f"{option}: {path}: has format {told.get('format')}, and {FORMAT} is read; write it anew")
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


def score_name(protocol: str, by: Sequence[str], rows: Sequence[str], sample: int | None, seed: int) -> str:
    """Return the name of a mutation score, which says what was asked: only scores of the same mutants are compared."""
    of_rows = f" of {','.join(rows)}" if rows else ""
    drawn = f", {sample} drawn with seed {seed}" if sample is not None else ""
    return f"{protocol} {MUTANTS}{of_rows} by {','.join(by)}{drawn}"


def score_of(noticed: int, asked: int, alive: Iterable[str]) -> Figures:
    """Return a mutation score as figures: the part of the mutants asked, equivalent ones left out, that is noticed."""
    return {"score": round(noticed / asked, 4) if asked else 0.0, "noticed": noticed, "alive": sorted(alive)}


def compared_score(path: Path, name: str, old: Figures, new: Figures, undecided: int) -> tuple[Compared, bool]:
    """Hold a mutation score against that of a baseline; return what became of it, and whether that is certain.

    It is not where the score is less only if none of the `undecided` mutants is noticed.
    """
    before, now = float(old.get("score", 0.0)), float(new["score"])
    if now >= before:
        better = (f"{name}: score {before:.1%} → {now:.1%}",) if now > before else ()
        return Compared((), better, 1, str(path)), True
    more = [one for one in new["alive"] if one not in old.get("alive", [])]
    alive = f"; alive now: {', '.join(more)}" if more else ""
    asked = new["noticed"] + len(new["alive"])
    most = (new["noticed"] + undecided) / asked if asked else 0.0
    fall = f"{name}: score {before:.1%} → {now:.1%}{alive}"
    return Compared((fall,), (), 1, str(path)), round(most, 4) < before


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
    if stage.name in ("logs", "traces"):
        conform = sorted(one["path"] for one in told["logs"] if one["verdict"] == "conforms")
        return {"conform": conform, "rows": sorted({row for one in told["logs"] for row in one["rows"]})}
    if stage.name == "answers":
        return {one["kind"]: one["lines"] - one["differences"] for one in told["files"]}
    return {}


__all__ = [
    "FORMAT",
    "Compared",
    "compared",
    "compared_score",
    "figures",
    "read",
    "score_name",
    "score_of",
    "write",
    "write_score",
]
