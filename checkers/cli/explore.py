"""`fencepost explore`: every reachable state of a protocol at a bound, and a verdict on each property."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fencepost.checkers.asked import scope_lines, scopes_of
from fencepost.checkers.codes import exploration_code, exploration_findings
from fencepost.checkers.counting import counted
from fencepost.checkers.verdicts import ExitCode, Refusal, Verdict, headline, worst
from fencepost.model.language import LeadsTo, Protocol
from fencepost.model.language.render import fairness_text

from . import completing, explore_certificates, state_graphs
from .counterexamples import Details, last_row, told
from .itf_files import Itf, refuse_itf, with_itf
from .outcome import Json, Outcome
from .protocols import BOUND_HELP, HELP, claims, family
from .protocols import explored as slice_of
from .reports import Force, Html, refuse_html, with_page
from .terminal import note, watching

if TYPE_CHECKING:
    from fencepost.checkers.exploration import Exploration, PropertyVerdict, Swarm
    from fencepost.checkers.exploration.budgets import Status
    from fencepost.checkers.reports.stepping import Stepping
    from fencepost.model.registry import Family


def explore(
    protocol: Annotated[str, typer.Argument(help=HELP, autocompletion=completing.protocols)],
    bound: Annotated[str | None, typer.Option(help=BOUND_HELP, autocompletion=completing.bounds)] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="KIND=N", help="Another size of the bound.")
    ] = None,
    property_: Annotated[
        list[str] | None,
        typer.Option("--property", metavar="ID", help="Only this property.", autocompletion=completing.properties),
    ] = None,
    max_states: Annotated[int | None, typer.Option(min=1, help="Stop once more states than this are stored.")] = None,
    max_depth: Annotated[int | None, typer.Option(min=1, help="Stop after this many levels.")] = None,
    max_memory: Annotated[
        str | None, typer.Option(metavar="SIZE", help="Stop once the process has this much memory, as 500M or 2G.")
    ] = None,
    max_seconds: Annotated[float | None, typer.Option(min=0, help="Stop after this many seconds.")] = None,
    checkpoint: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the exploration to a file now and then, to go on from.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Go on from a checkpoint, and write further ones to it.")
    ] = None,
    disk: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Keep the states in this folder, or go on from what is there.")
    ] = None,
    threads: Annotated[
        int | None, typer.Option(min=1, help="How many threads work; what is found does not depend on it.")
    ] = None,
    stop_at_first: Annotated[
        bool, typer.Option("--stop-at-first", help="Stop after the level of the first violation.")
    ] = False,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Count for every row which conjunct of its guard is the first false one.")
    ] = False,
    symmetry: Annotated[
        bool, typer.Option("--symmetry", help="Keep one state of each orbit, under the symmetry that is found.")
    ] = False,
    partial_order: Annotated[
        bool,
        typer.Option("--partial-order", help="Take steps that have nothing in common in one order where it is enough."),
    ] = False,
    sweep: Annotated[
        str | None, typer.Option("--sweep", metavar="KIND=A..B", help="Explore at each of these sizes; fit the growth.")
    ] = None,
    walks: Annotated[
        int | None, typer.Option(min=1, help="Random walks in place of every state, for bounds that never close.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="With --walks: what every random choice is drawn from.")] = 0,
    depth: Annotated[int, typer.Option(min=1, help="With --walks: the most steps of a walk.")] = 60,
    symbolic: Annotated[
        int | None,
        typer.Option(
            metavar="STEPS",
            min=0,
            help="Ask Z3 for runs of at most so many steps to one --property, in place of every state, at bounds that "
            "never close.",
        ),
    ] = None,
    step: Annotated[
        bool, typer.Option("--step", help="Walk the states by hand: commands from standard input, help lists them.")
    ] = False,
    replay: Annotated[
        Path | None, typer.Option("--replay", metavar="FILE", help="Replay a run that --step saved, state by state.")
    ] = None,
    graph: Annotated[Path | None, typer.Option("--graph", metavar="FILE", help=state_graphs.HELP)] = None,
    by: Annotated[str | None, typer.Option("--by", metavar="VARIABLE,...", help=state_graphs.BY_HELP)] = None,
    but: Annotated[str | None, typer.Option("--but", metavar="VARIABLE,...", help=state_graphs.BUT_HELP)] = None,
    certificate: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write every state of a closed bound to a new file.")
    ] = None,
    check_certificate: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Check such a file by the interpreter, and explore nothing.")
    ] = None,
    details: Details = False,
    itf: Itf = None,
    html: Html = None,
    force: Force = False,
    json: Json = False,
) -> Outcome:
    """Explore every reachable state of a protocol at a bound."""
    started = time.perf_counter()
    refuse_html(html, force)
    refuse_itf(itf)
    of_name = family(protocol)
    explored = claiming_only(slice_of(of_name, bound), property_ or (), of_name)
    assert bound is not None
    others: dict[str, object] = {"--step": step, "--replay": replay, "--html": html, "--max-depth": max_depth}
    others |= {"--stop-at-first": stop_at_first, "--coverage": coverage, "--graph": graph, "--itf": itf}
    others |= {"--checkpoint": checkpoint, "--resume": resume, "--disk": disk}
    others |= {"--max-memory": max_memory, "--max-seconds": max_seconds, "--partial-order": partial_order}
    if check_certificate is not None:
        rest = {"--certificate": certificate, "--sweep": sweep, "--walks": walks, "--symbolic": symbolic}
        refused({**others, **rest, "--symmetry": symmetry}, "is for an exploration", "--check-certificate")
        return explore_certificates.checked(explored, bound, sizes(set_ or []) or None, check_certificate)
    others["--certificate"] = certificate
    if sweep is not None:
        from . import explore_sweep

        refused({**others, "--walks": walks}, "is for one size", "--sweep")
        return explore_sweep.swept(explored, bound, sweep, sizes(set_ or []), max_states, symmetry)
    if symbolic is not None:
        from . import explore_symbolic

        refused(
            {**others, "--max-seconds": None, "--walks": walks, "--max-states": max_states, "--symmetry": symmetry},
            "is for a search through every state",
            "--symbolic",
        )
        return explore_symbolic.searched(
            explored, bound, sizes(set_ or []) or None, property_ or (), symbolic, max_seconds, details
        )
    if walks is not None:
        from . import explore_walks

        also = {"--max-states": max_states, "--symmetry": symmetry}
        refused({**others, **also}, "is for a search through every state", "--walks")
        return explore_walks.walk(explored, bound, sizes(set_ or []) or None, walks, depth, seed, details)
    if partial_order:
        refused(
            {"--step": step, "--replay": replay, "--graph": graph, "--checkpoint": checkpoint, "--resume": resume}
            | {"--disk": disk, "--max-depth": max_depth, "--coverage": coverage, "--html": html}
            | {"--certificate": certificate},
            "is for a search through every state",
            "--partial-order",
        )
    if certificate is not None:
        beside = {"--step": step, "--replay": replay, "--graph": graph, "--symmetry": symmetry, "--disk": disk}
        refused(beside, "has no certificate", "--certificate")
        explore_certificates.refuse(certificate)
    if step or replay is not None:
        from . import stepping

        if step and replay is not None:
            raise Refusal("--step, --replay: are two things; leave out one")
        refused({"--html": html, "--itf": itf}, "is of a whole exploration", "--step and --replay")
        if replay is not None:
            return stepping.replayed(explored, bound, replay)
        return stepping.step(protocol, explored, bound, sizes(set_ or []) or None, max_states)
    if graph is not None:
        if html is not None or itf is not None or stop_at_first or max_depth is not None:
            raise Refusal("--graph: is no judgement; leave out --html, --itf, --stop-at-first and --max-depth")
        return state_graphs.written(explored, bound, graph, by, but, sizes(set_ or []) or None, max_states)
    if by is not None or but is not None:
        raise Refusal("--by, --but: say what is a node of a graph; add --graph FILE")
    from fencepost.checkers.exploration import explore as every_state

    if symmetry:
        refused({"--checkpoint": checkpoint, "--resume": resume, "--disk": disk}, "has every state", "--symmetry")
    memory = None if max_memory is None else memory_of(max_memory)
    if checkpoint is not None and checkpoint != resume and checkpoint.exists():
        raise Refusal(f"--checkpoint {checkpoint}: is there already; go on from it with --resume, or name another file")
    with watching_status(explored, bound) as watch:
        found = every_state(
            explored,
            bound,
            sizes=sizes(set_ or []) or None,
            max_states=max_states,
            max_depth=max_depth,
            stop_at_first=stop_at_first,
            threads=threads,
            max_memory=memory,
            max_seconds=max_seconds,
            checkpoint=checkpoint or resume,
            resume=resume,
            disk=disk,
            watch=watch,
            coverage="all" if coverage else "never fired",
            orbits=symmetry,
            partial_order=partial_order,
            certificate=certificate,
        )
    judged = outcome("explore", explored, found, details)
    if certificate is not None:
        judged = replace(judged, page=[*judged.page, f"  {written(certificate)}"])
    if property_:
        judged = nowhere_asked(judged, found, of_name.bounds)
    judged = with_itf(judged, itf, protocol)
    seconds = time.perf_counter() - started

    def states() -> Stepping:
        from fencepost.checkers.exploration.explicit import MOST, explicit_graph
        from fencepost.checkers.reports.stepping import stepping

        is_large = found.orbits is None and found.distinct > MOST
        graph = None if is_large else explicit_graph(explored, bound, sizes(set_ or []) or None, found.properties)
        return stepping(graph)

    return with_page(judged, html, protocol, [of_name], seconds, states)


def written(certificate: Path) -> str:
    """Return whether a certificate was written, in words."""
    if certificate.exists():
        return f"certificate: {certificate}, to be checked by --check-certificate"
    return f"no certificate in {certificate}: not every state was seen"


def nowhere_asked(judged: Outcome, found: Exploration, bounds: Mapping[str, Protocol]) -> Outcome:
    """Return an outcome with the bounds that ask what this one is not for; vacuous where that is all that was named."""
    unasked = [one.id for one in found.properties if one.verdict is Verdict.VACUOUS and one.not_for]
    claimed = {one.id for protocol in bounds.values() for one in protocol.properties}
    lines = []
    for id in unasked:
        others = asked_at(id, bounds)
        lines.append(
            f"  {id} is asked at --bound {', '.join(others)}" if others else f"  no bound asks {id}: prove does"
        )
    if not unasked or {one.id for one in found.properties if one.id in claimed} != set(unasked):
        return replace(judged, page=[*judged.page, *lines])
    first, *rest = judged.page
    said = f"{found.protocol} at {found.bound}: vacuous (the bound is not for {', '.join(unasked)})"
    code = worst([judged.code, ExitCode.VACUOUS])
    verdict = Verdict.VACUOUS.value if code is ExitCode.VACUOUS else judged.verdict
    return replace(
        judged, verdict=verdict, code=code, page=[said if code is ExitCode.VACUOUS else first, *rest, *lines]
    )


def refused(options: Mapping[str, object], why: str, beside: str) -> None:
    """Raise `Refusal` for the first of some options that is given beside another."""
    for name, value in options.items():
        if value:
            raise Refusal(f"{name}: {why}; leave it out with {beside}")


LINES = 10.0
"""Seconds between two lines of progress where there is no terminal."""


@contextmanager
def watching_status(protocol: Protocol, bound: str) -> Iterator[Callable[[Status], None]]:
    """Show how far an exploration is: in place on a terminal, else by a line now and then."""
    title = f"exploring {protocol.name} at {bound}"
    said = time.monotonic()
    with watching(title) as tell:

        def watch(status: Status) -> None:
            nonlocal said
            tell(status.line())
            if time.monotonic() - said >= LINES:
                said = time.monotonic()
                note(f"{title}: {status.line()}")

        yield watch


def memory_of(text: str) -> int:
    """Return a size of memory in bytes; raises `Refusal` for a text that is none."""
    from fencepost.checkers.exploration.budgets import bytes_of

    count = bytes_of(text)
    if count is None:
        raise Refusal(f"--max-memory {text}: is no size; write a number with K, M, G or T, as in --max-memory 2G")
    return count


@contextmanager
def watching_search(protocol: Protocol, bound: str) -> Iterator[Callable[[int, int, int, float], None]]:
    """Show the progress of an exploration; yields a function of depth, distinct states, states generated, seconds."""
    with watching(f"exploring {protocol.name} at {bound}") as tell:
        yield lambda depth, distinct, generated, seconds: tell(
            f"depth {depth}, {distinct:,} states, {generated:,} generated, {seconds:.0f} s"
        )


def claiming_only(protocol: Protocol, properties: Sequence[str], of_name: Family) -> Protocol:
    """Return a protocol with some of its properties, all where none is named.

    Raises `Refusal` for one that it has not, with the bounds at which the other slices are asked for it.
    """
    ids = [one.id for one in protocol.properties]
    for one in properties:
        if one not in ids:
            others = of_name.bounds.items()
            elsewhere = [name for name, other in others if one in (found.id for found in other.properties)]
            told = f"it is asked at --bound {', '.join(elsewhere)}" if elsewhere else f"there are {', '.join(ids)}"
            raise Refusal(f"--property {one}: {protocol.name} has no such property at this bound; {told}")
    kept = tuple(one for one in protocol.properties if one.id in properties)
    # A size that only another property needs stays in the bound, as in a variant.
    return replace(protocol, properties=kept, base=protocol.base or protocol) if properties else protocol


def asked_at(id: str, bounds: Mapping[str, Protocol]) -> list[str]:
    """Return the bounds that ask a property: those that have it, and are for it."""
    return [
        name
        for name, one in bounds.items()
        if id in {found.id for found in one.properties} and id not in one.bounds[name].not_for
    ]


def sizes(settings: list[str]) -> dict[str, int]:
    """Return sizes given as `KIND=N`; raises `Refusal` for anything else."""
    result = {}
    for one in settings:
        name, sign, value = one.partition("=")
        if not sign or not name or not value.isdigit():
            raise Refusal(f"--set {one}: is no size; write the name of a kind and a number, as in --set Broker=3")
        result[name.strip()] = int(value)
    return result


def outcome(command: str, protocol: Protocol, found: Exploration, details: bool = False) -> Outcome:
    """Return an exploration as the command's outcome."""
    return Outcome(
        command,
        found.verdict.value,
        exploration_code(found),
        found.as_json(),
        page(found, protocol, details),
        protocol.hash,
        exploration_findings(protocol, found),
    )


def fairness(found: Exploration, protocol: Protocol) -> list[str]:
    """Return under which fairness the liveness properties hold that do, one line for each that is asked."""
    closed = {one.id for one in found.properties if one.verdict is Verdict.CLOSED}
    by_fair: dict[str, list[str]] = {}
    for one in protocol.properties:
        if isinstance(one, LeadsTo) and one.id in closed:
            by_fair.setdefault(fairness_text(one), []).append(one.id)
    return [f"liveness of {', '.join(ids)} under {fair}" for fair, ids in by_fair.items()]


def page(found: Exploration, protocol: Protocol, details: bool = False) -> list[str]:
    """Return an exploration as text: counts, the properties by verdict, what those that are violated claim, and the
    shortest traces of violations."""
    from fencepost.checkers.exploration import WRITTEN_ONCE, in_short

    assumes = in_short(found.assumptions)
    which = f", which assumes {assumes}" if assumes else ""
    ended = f" ({found.message})" if found.message else ""
    lines = [
        f"{found.protocol} at {found.bound}: {headline(exploration_code(found), found.verdict)}{ended}",
        f"  {found.verdict.value} at bound {found.bound}{which}",
        f"  {found.distinct:,} distinct states, {found.generated:,} generated, depth {found.depth}, "
        f"{found.seconds:.1f} s on {found.engine}",
        "  sizes: " + ", ".join(f"{name} {size}" for name, size in sorted(found.sizes.items())),
    ]
    lines += [f"  {line}" for line in (found.orbits.lines() if found.orbits is not None else ())]
    lines += [f"  {line}" for line in (found.reduced.lines() if found.reduced is not None else ())]
    lines += of_verdicts(found.properties, protocol, fairness(found, protocol))
    lines += [f"  {line}" for line in assumptions(found)]
    lines += [f"  {line}" for line in untested(found)]
    if found.rows_never_fired:
        lines.append(f"  rows that never fired at this bound: {', '.join(found.rows_never_fired)}")
    lines += [f"  {line}" for line in guards(found)]
    if found.out_of_range:
        held = ", ".join(f"{row} {count:,}" for row, count in found.out_of_range.items())
        lines.append(f"  disabled where a counter would leave its range: {held}")
    for one in found.properties:
        if one.verdict is Verdict.VIOLATED and one.trace is not None:
            trace = "shortest trace" if found.reduced is None else "a trace"
            rows = [f"{one.id} is violated, {trace} of {counted(len(one.trace.steps), 'row')}{last_row(one.trace)}:"]
            claim = protocol.property(one.id) if one.loop is not None else None
            about = (claim.trigger, claim.goal) if isinstance(claim, LeadsTo) else ()
            ends = [f"  ({one.message})"] if one.loop is not None or one.id == WRITTEN_ONCE else []
            lines += ["", *told(one.trace, rows, details, one.loop, about, ends)]
    return lines


def of_verdicts(properties: Sequence[PropertyVerdict], protocol: Protocol, between: Sequence[str] = ()) -> list[str]:
    """Return the properties by verdict, a line each, then what those claim that are violated."""
    by_verdict: dict[str, list[str]] = {}
    for one in properties:
        declared = " as declared" if one.verdict is Verdict.VIOLATED and one.expected == "violated" else ""
        declared = ", which the bound is not for" if one.verdict is Verdict.VACUOUS and one.not_for else declared
        by_verdict.setdefault(one.verdict.value + declared, []).append(one.id)
    violated = {one.id for one in properties if one.verdict is Verdict.VIOLATED}
    lines = [f"{verdict}: {', '.join(ids)}" for verdict, ids in by_verdict.items()]
    ids = {one.id for one in properties}
    scopes = scope_lines(scopes_of(protocol, (one for one in protocol.properties if one.id in ids)))
    return [*(f"  {line}" for line in (*lines, *between, *scopes)), *claims(protocol, violated)]


def guards(found: Exploration | Swarm, fired: bool = True) -> list[str]:
    """Return what kept each row from firing that never did, and of the others, if asked, where their guards were
    false."""
    never = set(found.rows_never_fired)
    lines = [one.line() for one in found.coverage if one.row in never]
    others = [one for one in found.coverage if fired and one.row not in never]
    for one in others:
        else_ = "; ".join(f"{conjunct.text} in {conjunct.states:,}" for conjunct in one.conjuncts if conjunct.states)
        holds = f"{one.row}: its guard holds in {one.enabled:,} of {one.states:,} states"
        lines.append(f"{holds}; first false else: {else_}" if else_ else holds)
    idle = [f"{one.row} {conjunct.text}" for one in others for conjunct in one.conjuncts if not conjunct.states]
    return [*lines, *([f"conjuncts that are never the first false one: {'; '.join(idle)}"] if idle else [])]


def assumptions(found: Exploration | Swarm) -> list[str]:
    """Return what an exploration assumes, a line for the start and for each event, one for all that never happen."""
    lines = []
    for one in found.assumptions:
        decides = f" (decides {', '.join(one.needed_by)})" if one.needed_by else ""
        if one.id == "start":
            lines.append(f"assumes of the start: {one.about}")
        elif not one.never:
            of = f"{one.event} ({one.id})" if not one.id.startswith("given ") else one.event
            lines.append(f"assumes of {of}: {one.about}{decides}")
    never = [one.event for one in found.assumptions if one.never]
    return [*lines, *([f"assumes that these never happen: {', '.join(never)}"] if never else [])]


def untested(found: Exploration) -> list[str]:
    """Return which properties nothing put to the test, and why: first those that the bound is for, then the others."""
    lines = [
        f"{one.id} is {one.verdict.value}: {one.message}"
        for one in found.properties
        if one.verdict in (Verdict.VACUOUS, Verdict.INCONCLUSIVE) and not one.not_for
    ]
    reasons: dict[str, list[str]] = {}
    for one in found.properties:
        if one.not_for:
            reasons.setdefault(one.not_for, []).append(one.id)
    return [*lines, *(f"not for {', '.join(ids)}: {reason}" for reason, ids in reasons.items())]
