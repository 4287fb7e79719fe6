"""`fencepost simulate --protocol kip343` and the like: the reference of a design, judged by its tables step by step."""

from __future__ import annotations

import importlib
import shlex
import tempfile
import textwrap
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fencepost.checkers.verdicts import ExitCode, Refusal, worst

from .outcome import Outcome
from .simulated import SHOWN, made_ready, side_by_side
from .terminal import say, watching

if TYPE_CHECKING:
    from fencepost.traces.design_steps import DesignStep, Header

DESIGNS = {
    "kip343": "fencepost.reference.kip343",
    "kip46": "fencepost.reference.kip46",
    "kip631-v1": "fencepost.reference.kip631.v1",
    "kip631-v2": "fencepost.reference.kip631.v2",
}
"""The designs that have a reference, each with its package."""

SECONDS = 120.0
"""How long a run is where nothing is said, of simulated time."""


@dataclass
class JudgedDesign:
    """A run with what the tables say of it: divergences as text, the rows that were run, steps by name without a row.

    `untold` are variables that the reference tells and no table has, `idle` steps that change nothing and that no row
    is about in their state, `declared` the declared violations that showed.
    """

    design: str
    seed: int
    seconds: float
    faults: str
    inject: str
    divergences: list[str] = field(default_factory=list)
    rows: Counter[str] = field(default_factory=Counter)
    unjudged: Counter[str] = field(default_factory=Counter)
    untold: Counter[str] = field(default_factory=Counter)
    idle: Counter[str] = field(default_factory=Counter)
    declared: Counter[str] = field(default_factory=Counter)
    steps: int = 0
    cells: int = 0
    took: float = 0.0

    @property
    def clean(self) -> bool:
        """Whether every step was a row."""
        return not self.divergences

    def command(self) -> str:
        """Return the command that repeats the run."""
        told = f"fencepost simulate --protocol {self.design} --seed {self.seed}"
        told += f" --time {self.seconds:g}s" if self.seconds != SECONDS else ""
        told += f" --faults {self.faults}" if self.faults else ""
        return told + (f" --inject {self.inject}" if self.inject else "")


def simulate_design(
    design: str,
    seed: int | None,
    seeds: int,
    jobs: int,
    seconds: float | None,
    faults: str | None,
    out: Path | None,
    inject: list[str],
    story: bool,
    json: bool,
) -> Outcome:
    """Run a design's reference, hold every step against its tables; raises `Refusal` for what does not fit."""
    bugs = importlib.import_module(f"{DESIGNS[design]}.injected").BUGS
    if len(inject) > 1:
        raise Refusal("--inject: one bug a run")
    if inject and inject[0] not in bugs:
        raise Refusal(f"--inject {inject[0]}: there is none of that name; there are {', '.join(bugs)}")
    first = JudgedDesign(design, 1 if seed is None else seed, seconds or SECONDS, faults or "", "".join(inject))
    if seeds > 1:
        if out is not None:
            raise Refusal("--out: it is for one seed; say which with --seed, without --seeds")
        return _many(first, seeds, jobs)
    return _one(first, out, story and not json)


def judged_design(
    judged: JudgedDesign,
    keep: list[DesignStep] | None = None,
    tell: Callable[[str], None] | None = None,
) -> tuple[Header, JudgedDesign]:
    """Run a design's reference in lock step with its tables; `keep` gets every step, `tell` every line of the story."""
    from fencepost.checkers.conformance.designs import DesignJudge
    from fencepost.model.registry import find

    simulation: Any = importlib.import_module(f"{DESIGNS[judged.design]}.simulation")
    began = time.perf_counter()
    given = {"faults": judged.faults or None, "inject": judged.inject or None}
    try:
        header: Header = simulation.header(judged.seed)
        steps: Iterator[DesignStep] = simulation.run(judged.seed, judged.seconds, **given)
        judge = DesignJudge(find(judged.design).whole, header)
        for step in steps:
            if keep is not None:
                keep.append(step)
            if tell is not None:
                tell(line_of(step))
            found = judge.step(step)
            if found is not None:
                judged.divergences.append(str(found))
    except ValueError as error:
        raise Refusal(str(error)) from None
    tally = judge.tally
    judged.rows, judged.unjudged, judged.untold = tally.rows, tally.unjudged, tally.untold
    judged.idle, judged.declared, judged.steps, judged.cells = (
        tally.idle,
        tally.declared,
        tally.steps,
        tally.cells.total(),
    )
    judged.took = time.perf_counter() - began
    return header, judged


def _alone(first: JudgedDesign, seed: int) -> JudgedDesign:
    return judged_design(JudgedDesign(first.design, seed, first.seconds, first.faults, first.inject))[1]


def line_of(step: DesignStep) -> str:
    """Return a step as a line of the story."""
    told = ", ".join(f"{name} {value}" for name, value in step.parameters.items())
    line = f"{step.time_ms / 1000:9.3f}   {step.node:<13} {step.name}{': ' if told else ''}{told}"
    line += f" ({step.answer})" if step.answer else ""
    if step.changed:
        line += " → " + ", ".join(f"{one.variable}{list(one.keys) or ''} {one.value}" for one in step.changed)
    return line if len(line) <= 100 else f"{line[:98].rstrip()} …"


# -- what is told of it ------------------------------------------------------------------------------------------------
def _one(first: JudgedDesign, out: Path | None, story: bool) -> Outcome:
    from fencepost.traces.design_steps import write_design_trace

    made_ready(out)
    steps: list[DesignStep] = []
    if story:
        header, judged = judged_design(first, steps, say)
        say()
    else:
        with watching(f"seed {first.seed}: {first.seconds:g} s of the cluster's time"):
            header, judged = judged_design(first, steps)
    directory = out or Path(tempfile.mkdtemp(prefix=f"fencepost-{first.design}-seed-{first.seed}-"))
    trace = directory / "steps.ndjson"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        write_design_trace(trace, header, steps)
    except OSError as error:
        raise Refusal(f"--out {directory}: {error}") from None
    code, verdict = verdict_of(judged)
    page = [
        *wrong(judged),
        f"{verdict}: {_held(judged)} of the transition tables",
        *counted(judged),
        f"  {judged.seconds:g} s of the cluster's time in {judged.took:.1f} s",
        f"trace: {trace}",
        f"next:  fencepost conform {shlex.quote(str(trace))}",
    ]
    fields = {**fields_of(judged), "trace": str(trace)}
    return Outcome("simulate", verdict, code, fields, page, _hash(first.design), findings_of(judged))


def _many(first: JudgedDesign, seeds: int, jobs: int) -> Outcome:
    all_ = JudgedDesign(first.design, first.seed, first.seconds, first.faults, first.inject)
    failed: list[JudgedDesign] = []
    began = time.perf_counter()
    with watching(f"{seeds} seeds") as progress, side_by_side(jobs) as mapped:
        for done, judged in enumerate(mapped(partial(_alone, first), range(first.seed, first.seed + seeds)), 1):
            for name in ("rows", "unjudged", "untold", "idle", "declared"):
                getattr(all_, name).update(getattr(judged, name))
            all_.steps, all_.cells = all_.steps + judged.steps, all_.cells + judged.cells
            if not judged.clean:
                failed.append(judged)
            progress(f"{done} done, {len(failed)} with something wrong")
    seconds = time.perf_counter() - began
    code = worst(verdict_of(one)[0] for one in failed)
    verdict = verdict_of(failed[0])[1] if failed else "conforms"
    fields = {
        "protocol": first.design,
        "seeds": seeds,
        "first_seed": first.seed,
        "steps": all_.steps,
        "changes": all_.cells,
        "rows": dict(sorted(all_.rows.items())),
        "not_judged": dict(sorted(all_.unjudged.items())),
        "untold": dict(sorted(all_.untold.items())),
        "idle": dict(sorted(all_.idle.items())),
        "divergences": sum(len(one.divergences) for one in failed),
        "failed": [fields_of(one) for one in failed],
    }
    page = [line for one in failed[:SHOWN] for line in (f"seed {one.seed}:", *wrong(one), "")]
    if len(failed) > SHOWN:
        page.append(f"more seeds with something wrong: {', '.join(str(one.seed) for one in failed[SHOWN:])}")
    page.append(
        f"{verdict}: {seeds - len(failed)} of {seeds} seeds clean, from seed {first.seed} on: "
        f"{seeds * first.seconds / 3600:.2f} hours of the cluster's time in {seconds:.0f} s"
    )
    page += counted(all_)
    return Outcome("simulate", verdict, code, fields, page, _hash(first.design), findings_of(all_))


def _held(judged: JudgedDesign) -> str:
    if judged.divergences:
        count = len(judged.divergences)
        return f"{count} step{'s were' if count > 1 else ' was'} no row"
    return "every step that changes something was a row" if judged.idle else "every step was a row"


def _hash(design: str) -> str:
    from fencepost.model.registry import find

    return find(design).whole.hash


def verdict_of(judged: JudgedDesign) -> tuple[ExitCode, str]:
    """Return the exit code and the word for it."""
    return (ExitCode.DOES_NOT_CONFORM, "violates") if judged.divergences else (ExitCode.AS_DECLARED, "conforms")


def fields_of(judged: JudgedDesign) -> dict[str, Any]:
    """Return the JSON fields of a run."""
    return {
        "protocol": judged.design,
        "seed": judged.seed,
        "simulated_seconds": judged.seconds,
        "repeat": judged.command(),
        "steps": judged.steps,
        "changes": judged.cells,
        "rows": dict(sorted(judged.rows.items())),
        "not_judged": dict(sorted(judged.unjudged.items())),
        "untold": dict(sorted(judged.untold.items())),
        "idle": dict(sorted(judged.idle.items())),
        "divergences": list(judged.divergences),
    }


def findings_of(judged: JudgedDesign) -> list[dict[str, Any]]:
    """Return the declared violations that showed, as JSON objects."""
    from fencepost.model.registry import find

    whole = find(judged.design).whole
    return [
        {"id": name, "count": count, "title": whole.property(name).about}
        for name, count in sorted(judged.declared.items())
    ]


def counted(judged: JudgedDesign) -> Iterator[str]:
    """Yield lines that say how many steps which rows explain, and what was not judged."""
    yield (
        f"  {judged.steps} steps, {judged.rows.total()} rows run, {len(judged.rows)} different ones, "
        f"{judged.cells} changes compared"
    )
    if judged.idle:
        told = ", ".join(f"{name} {count}" for name, count in sorted(judged.idle.items()))
        yield from textwrap.wrap(
            f"{judged.idle.total()} steps change nothing, and no row applies: {told}",
            100, initial_indent="  ", subsequent_indent="    ",
        )  # fmt: skip
    for title, found in (
        ("steps that no table is about", judged.unjudged),
        ("variables and parameters that no table has", judged.untold),
    ):
        if found:
            yield f"  {title}:"
            yield from (f"    {count} {name}" for name, count in sorted(found.items()))
    if judged.declared:
        yield "  declared violations that showed:"
        for one in findings_of(judged):
            yield from textwrap.wrap(
                f"{one['id']} {one['count']} ×: {one['title']}", 100, initial_indent="    ", subsequent_indent="      "
            )


def wrong(judged: JudgedDesign) -> Iterator[str]:
    """Yield lines that say what is wrong, and how to see it again."""
    for text in judged.divergences[:1]:
        yield from textwrap.wrap(text, 100, subsequent_indent="  ")
    if len(judged.divergences) > 1:
        yield f"and {len(judged.divergences) - 1} more; --json has them"
    if judged.divergences:
        # A command that is longer than a line stands alone, so that it can be copied.
        told = f"repeat it with: {judged.command()}"
        yield from [told] if len(told) <= 100 else ["repeat it with:", judged.command()]
