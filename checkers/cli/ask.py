"""`fencepost ask`: what happens in a scenario, from nothing or from the state of a log: reference and tables say it."""

from __future__ import annotations

import dataclasses
import os
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fencepost.checkers.counting import counted
from fencepost.checkers.verdicts import ExitCode, Refusal

from .completing import steps_of_scenarios
from .log_filters import AT_HELP
from .outcome import Json, Outcome
from .reports import Force, refuse_html, write_file
from .terminal import columns, watching

if TYPE_CHECKING:
    from fencepost.checkers.scenarios.results import Against, GivenAnswer, OperationDone, Planned, Report, StepDone
    from fencepost.checkers.scenarios.running import Scenario
    from fencepost.checkers.scenarios.words import Step
    from fencepost.model.language import Protocol

STDIN = "-"
PEEKED = 4096
"""The bytes from which a scenario is distinguished from a log."""

LARGEST = 16 << 20
"""The most bytes of a scenario."""

OPERATIONS = 12
"""The most operations of one step on the page; --json has all."""

RECORDS = 8
"""The most records of one operation on the page; --json has all."""

PARTITIONS = 30
"""The most partitions of the table at the end; those that cannot be written come first, --json has all."""


def ask(
    what: Annotated[
        list[str],
        typer.Argument(
            metavar="[LOG] SCENARIO|-|STEP...",
            help="A metadata log to begin with, if any; then files of steps, - for standard input, or steps.",
            autocompletion=steps_of_scenarios,
        ),
    ],
    at: Annotated[
        str | None,
        typer.Option(metavar="OFFSET|TIME|end", help=f"Where to begin in the log, its end if left out. {AT_HELP}"),
    ] = None,
    dead: Annotated[
        str | None,
        typer.Option(metavar="3,4", help="Unfenced brokers of the log that do not run any more; all others do."),
    ] = None,
    behind: Annotated[
        str | None,
        typer.Option(metavar="3,4", help="Brokers of the log whose replicas outside an ISR have not caught up."),
    ] = None,
    plan: Annotated[
        str | None,
        typer.Option(
            metavar="PLAN",
            help="Explore a plan behind the steps: rolling-restart, 'remove-broker N', 'raise-min-isr TOPIC N', "
            "'upgrade-metadata LEVEL', elr-on, 'move-off-directory [BROKER:]DIRECTORY'.",
        ),
    ] = None,
    order: Annotated[
        str | None, typer.Option(metavar="1,2,3|any", help="The order of a rolling restart, any if left out.")
    ] = None,
    protocol: Annotated[
        str | None,
        typer.Option(metavar="kraft+VARIANT", help="Other tables in place of kraft: a variant, a file's, a release's."),
    ] = None,
    release: Annotated[
        str | None, typer.Option(metavar="4.1", help="The tables of a release in place of kraft, as kraft@4.1.")
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="kraft+VARIANT", help="Other tables side by side: the first step that differs, and how it ends."
        ),
    ] = None,
    settings: Annotated[
        list[str],
        typer.Option("--set", metavar="NAME=VALUE", help="A static setting of the controllers by Kafka's name."),
    ] = [],  # noqa: B006
    log: Annotated[
        Path | None,
        typer.Option("--log", metavar="DIR", help="Write the records there, as a controller's log directory."),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html", metavar="FILE", help="Write one HTML file: a line an operation, a lane a broker and a partition."
        ),
    ] = None,
    force: Force = False,
    all_steps: Annotated[
        bool, typer.Option("--all", help="Show the operations of the steps that set the cluster up, too.")
    ] = False,
    json: Json = False,
) -> Outcome:
    """Say what happens in a scenario: each step on the reference controller, evaluated by the tables.

    A step is a line: brokers 1,2,3; topic t 1,2,3; stop 1; expect t-0 leader 2. docs/ask.md lists all. Ends with 1
    where an expectation fails, with 5 where reference and tables differ, with 7 where no row is about a step.
    """
    from fencepost.checkers.scenarios.against import against as compare
    from fencepost.checkers.scenarios.running import Scenario
    from fencepost.model.kraft.protocol import KRAFT

    refuse_html(html, force)
    source, rest = (what[0], what[1:]) if _is_log(what[0], len(what)) else (None, what)
    if at is not None and source is None:
        raise Refusal("--at is a moment of a log, and none is given; leave it out, or name a log before the steps")
    for option, brokers in (("--dead", dead), ("--behind", behind)):
        if brokers is not None and source is None:
            raise Refusal(f"{option} is about the brokers of a log, and none is given; name a log before the steps")
    if order is not None and plan is None:
        raise Refusal(f"--order {order} is the order of a plan, and none is given; add --plan rolling-restart")
    if log is not None and source is not None:
        raise Refusal(f"--log writes a log that begins at 0, and {source} does not end there; leave it out")
    name, steps = _steps(rest, what[0])
    static = _settings(settings)
    if not steps and plan is None:
        raise Refusal(f"{source}: there is no step behind the log; write some, as in 'stop 2', or a plan with --plan")
    if protocol is not None and release is not None:
        raise Refusal(f"--protocol {protocol} and --release {release} both say which tables: leave one out")
    tables = _tables("--release", f"kraft@{release}") if release else _tables("--protocol", protocol or "kraft")
    compared = None if against is None else _tables("--against", against)
    if plan is not None and (compared is not None or tables[0] is not KRAFT):
        raise Refusal(f"--plan {plan} is explored with the tables of kraft; leave --protocol, --release, --against out")

    def begun(of: tuple[Protocol, int]) -> Scenario:
        if source is None:
            return Scenario(protocol=of[0], highest=of[1])
        return _loaded(source, at, static, _ids("--dead", dead), _ids("--behind", behind), of[0])

    scenario = begun(tables)
    report = scenario.run(steps, name if source is None else source, static)
    if plan is not None:
        report = dataclasses.replace(report, plan=_planned(scenario, plan, order, report.scenario))
    if compared is not None and against is not None:
        found = compare(report, steps, begun(compared), against, static)
        report = dataclasses.replace(report, against=found)
    if log is not None:
        _write(report, log)
    if html is not None:
        _write_html(report, html)
    findings = [dict(one) for one in report.findings()]
    word = "as asked" if report.code is ExitCode.AS_DECLARED else "differs"
    page = list(_page(report, all_steps, log))
    return Outcome("ask", word, report.code, report.as_json(), page, lambda: tables[0].hash, findings)


# -- what is asked -----------------------------------------------------------------------------------------------------
def _is_log(first: str, count: int) -> bool:
    """Whether the first argument is a log: a folder, a URI, or a file that does not hold lines of steps."""
    if "://" in first:
        return True
    path = Path(first)
    try:
        if path.is_dir():
            return True
        if not path.is_file():
            return False
        with path.open("rb") as stream:
            head = stream.read(PEEKED)
    except OSError:
        return False
    return b"\0" in head or head[:2] == b"\x1f\x8b" or b"baseOffset:" in head or b"| offset:" in head


def _steps(arguments: Sequence[str], first: str) -> tuple[str, list[Step]]:
    """Return the steps of some arguments, and what they are called together."""
    from fencepost.checkers.scenarios.parsing import checked, steps_of

    found: list[Step] = []
    names: list[str] = []
    for number, one in enumerate(arguments, 1):
        if one == STDIN:
            names.append("standard input")
            found += steps_of(_decoded(sys.stdin.buffer.read(LARGEST + 1), names[-1]), names[-1])
        elif Path(one).is_file():
            names.append(one)
            found += steps_of(_decoded(_bytes(one), one), one)
        else:
            _refuse_missing(one, len(arguments))
            found += steps_of(one, f"step {number}", lambda line, at=number: f"step {at}")  # type: ignore[misc]
    if not found and arguments:
        raise Refusal(f"{first}: there is no step in it; write one a line, as in brokers 1,2,3")
    return names[0] if len(names) == 1 else "scenario", checked(found)


def _refuse_missing(word: str, count: int) -> None:
    """Refuse what looks like the name of a file that is not there, or of a folder in place of a scenario."""
    if Path(word).is_dir():
        raise Refusal(f"{word}: this is a folder, and no file of steps; a log comes before the steps, and there is one")
    if " " not in word and (os.sep in word or word.endswith((".txt", ".log", ".checkpoint"))):
        raise Refusal(f"{word}: no file is there; name a file of steps, a log, or write a step")


def _bytes(path: str) -> bytes:
    from fencepost.files import read_small

    return read_small(path)


def _decoded(data: bytes, name: str) -> str:
    if len(data) > LARGEST:
        raise Refusal(f"{name}: more than {LARGEST >> 20} MiB; a scenario is smaller")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refusal(f"{name}: byte {error.start} is no text in UTF-8; a scenario is plain text") from None


def _settings(pairs: Sequence[str]) -> dict[str, str]:
    from fencepost.reference.kraft.settings import Settings

    found: dict[str, str] = {}
    for one in pairs:
        name, equals, value = one.partition("=")
        if not equals:
            raise Refusal(f"--set {one}: write NAME=VALUE, as in min.insync.replicas=2")
        found[name] = value
    try:
        Settings().with_kafka(found)
    except ValueError as error:
        raise Refusal(f"--set {error}") from None
    return found


def _tables(option: str, name: str) -> tuple[Protocol, int]:
    """Return the tables of a name, and the level that their clusters are formatted with."""
    from fencepost.checkers.named import family
    from fencepost.model.kraft.protocol import KRAFT
    from fencepost.model.releases import RELEASES
    from fencepost.reference.kraft.levels import LATEST_PRODUCTION

    found = family(name).whole
    if {one.name for one in KRAFT.events} - {one.name for one in found.events} >= {"Heartbeat"}:
        raise Refusal(f"{option} {name}: {found.name} is no controller of kraft; name kraft+VARIANT or kraft@RELEASE")
    release = RELEASES.get(name.partition("@")[2].partition("+")[0])
    return found, LATEST_PRODUCTION if release is None else min(release.newest_level, LATEST_PRODUCTION)


def _ids(option: str, text: str | None) -> tuple[int, ...]:
    """Return the broker ids of an option, none where it is left out."""
    from fencepost.checkers.scenarios.reading import whole

    if text is None:
        return ()
    found = [whole(one) for one in text.split(",")]
    ids = tuple(one for one in found if one is not None and one >= 0)
    if len(ids) < len(found) or len(set(ids)) < len(ids):
        raise Refusal(f"{option} {text}: write different broker ids with commas between them, as in {option} 3,4")
    return ids


def _loaded(
    path: str, at: str | None, static: Mapping[str, str], dead: Sequence[int], behind: Sequence[int], protocol: Protocol
) -> Scenario:
    from fencepost.checkers.operations.moments import END, when
    from fencepost.checkers.scenarios.loading import load
    from fencepost.traces import find_log

    source = find_log(path)
    with watching(f"reading {path}"):
        return load(source, when(END if at is None else at, source), static, dead, behind, protocol)


def _planned(scenario: Scenario, text: str, order: str | None, name: str) -> Planned:
    from fencepost.checkers.scenarios.planning import explore
    from fencepost.checkers.scenarios.plans import plan_of

    plan = plan_of(text, order, scenario)
    with watching(f"exploring {plan.title}"):
        return explore(scenario, plan, name)


def _write(report: Report, directory: Path) -> None:
    from fencepost.checkers.scenarios.writing import write
    from fencepost.reference.kraft.storage.errors import StorageError

    assert report.machine is not None
    try:
        write(report.machine, directory)
    except StorageError as error:
        raise Refusal(f"--log {error}") from None


def _write_html(report: Report, path: Path) -> None:
    from fencepost.checkers.reports.scenario import scenario_page

    runs, notes, answer = [], list(report.assumed), report.answer
    if report.plan is not None:
        plan = report.plan
        answer = plan.answer
        notes += [*plan.notes, f"explored: {plan.bound}"]
        if plan.first is not None:
            runs.append((f"First sequence that does harm, to {plan.first.partition}", plan.first.done))
    runs.append(("Steps", report.steps))
    page = scenario_page(report, runs, notes, answer)
    write_file("--html", path, page)


# -- the page ----------------------------------------------------------------------------------------------------------
def _page(report: Report, all_steps: bool, log: Path | None) -> Iterator[str]:
    counts = report.counts
    if report.plan is not None:
        yield from _plan(report.plan, report.assumed)
        if not report.steps:
            return
        yield ""
        yield f"{report.scenario}, before the plan:"
    yield report.answer
    yield from (f"  assumed: {one}" for one in report.assumed if report.plan is None)
    yield f"  {_head(report)}"
    width = max((len(step.number) for step in report.steps), default=0)
    for step in report.steps:
        yield from _step(step, width, all_steps)
    yield from _differences(report)
    yield ""
    yield from _table(report)
    if report.against is not None:
        yield ""
        yield from _against(report, report.against)
    findings = report.findings()
    if findings:
        yield ""
        yield f"known defects of Kafka that show: {len({one['finding'] for one in findings})}"
        yield from _findings(findings)
    if log is not None:
        yield ""
        written = counts["records"]
        yield f"{counted(written, 'record')} {'is' if written == 1 else 'are'} written into {log}:"
        yield f"  fencepost conform {log}"


def _plan(plan: Planned, assumed: Sequence[str]) -> Iterator[str]:
    """Yield what a plan does, the first sequence that does harm, and what was explored."""
    yield _folded("", plan.answer)
    yield from (f"  assumed: {one}" for one in (*assumed, *plan.notes))
    if not plan.reached and not plan.refused and plan.without_waiting != plan.harm:
        yield _folded("  ", f"if acts do not wait for replicas to be in their ISRs: {plan.without_waiting.words()}")
    yield _folded("  ", f"explored: {plan.bound}")
    for text in (*plan.differs[:1], *plan.unexplained[:1]):
        yield ""
        yield "reference and tables differ:" if text in plan.differs else "no row of the tables is about a step:"
        yield from (f"  {line}" for line in text.splitlines())
    first = plan.first
    if first is None:
        return
    yield ""
    how = "each act waits until its replicas are in their ISRs" if first.waits else "acts do not wait"
    yield _folded("", f"first sequence that does harm, to {first.partition} ({how}): {', '.join(first.steps)}")
    for step in first.done:
        yield from _step(step, len(first.done[-1].number), all_steps=True)


def _head(report: Report) -> str:
    counts = report.counts
    parts = [
        f"{counted(counts['steps'], 'step')}, {counted(counts['requests'], 'operation')}, "
        f"{counted(counts['records'], 'record')}"
    ]
    wrong = counts["differences"]
    parts.append(
        f"reference and tables differ in {wrong}" if wrong
        else f"no row is about {counts['unexplained']}" if counts["unexplained"]
        else "reference and tables agree" if report.protocol == "kraft"
        else f"the reference follows {report.protocol}"
    )  # fmt: skip
    if counts["expectations"]:
        parts.append(f"expectations: {counts['expectations_kept']} of {counts['expectations']} hold")
    return "; ".join(parts)


def _step(step: StepDone, width: int, all_steps: bool) -> Iterator[str]:
    verdict = "" if step.kept is None else "  holds" if step.kept else f"  fails: {step.message}"
    yield _folded(f"{step.number:>{width}}  ", f"{step.text}{verdict}")
    shown = step.operations
    if step.is_setup and not all_steps:
        shown = tuple(one for one in shown if one.refused or one.differs or one.unexplained)
    for one in shown[:OPERATIONS]:
        yield from _operation(one)
    if len(shown) > OPERATIONS:
        yield f"    and {len(shown) - OPERATIONS:,} more; --json has them"
    yield from (f"    {note}" for note in step.notes)
    if step.partitions:
        from fencepost.checkers.scenarios.outlook import table

        yield from (f"    {line}" for line in table(step.partitions[:PARTITIONS]))


def _operation(one: OperationDone) -> Iterator[str]:
    answers = [_answer(each) for each in one.answers]
    said = f": {', '.join(dict.fromkeys(answers))}" if answers else ""
    rows = f" ({', '.join(one.rows)})" if one.rows else ""
    yield _folded("    ", f"{one.asked}{said}{rows}")
    from fencepost.checkers.scenarios.sentences import record_line

    for record in one.records[:RECORDS]:
        yield _folded("      ", f"@{record['offset']} {record_line(record['type'], record['about'], record['fields'])}")
    if len(one.records) > RECORDS:
        yield f"      and {len(one.records) - RECORDS:,} more"
    if one.words:
        more = f"; and {len(one.words) - RECORDS} more" if len(one.words) > RECORDS else ""
        yield _folded("      ", f"{'; '.join(one.words[:RECORDS])}{more}")
    if one.unexplained:
        yield _folded("      ", f"no row of the tables is about it: {one.unexplained}")
    if one.declared:
        yield _folded("      ", f"no row of the tables is about it, as expected: {one.declared}")


def _answer(answer: GivenAnswer) -> str:
    error = answer["error"]
    if error == "NONE":
        return answer["says"] or "ok"
    return f"{error} ({answer['says']})" if answer["says"] else error


def _folded(head: str, text: str) -> str:
    return textwrap.fill(
        text,
        columns(),
        initial_indent=head,
        subsequent_indent=f"{head}  ",
        break_on_hyphens=False,
        break_long_words=False,
    )


def _differences(report: Report) -> Iterator[str]:
    texts = [one.differs for _, one in report.operations if one.differs] + list(report.further)
    for text in texts[:2]:
        yield ""
        yield "reference and tables differ:"
        yield from (f"  {line}" for line in text.splitlines())


def _table(report: Report) -> Iterator[str]:
    from fencepost.checkers.scenarios.outlook import table

    found = report.partitions
    if not found:
        yield "there is no partition"
        return
    if len(found) > PARTITIONS:
        found = tuple(sorted(found, key=lambda one: (one.writable, not one.offline)))[:PARTITIONS]
    yield from table(found)
    if len(report.partitions) > len(found):
        good = sum(one.writable for one in report.partitions)
        yield f"and {len(report.partitions) - len(found):,} more; {good:,} of {len(report.partitions):,} can be written"


def _against(report: Report, other: Against) -> Iterator[str]:
    """Yield the first step that differs under other tables, and how it ends there."""
    from fencepost.checkers.scenarios.outlook import table
    from fencepost.checkers.scenarios.results import number_of

    if not other.place:
        yield f"{other.protocol}: the same in every step"
        return
    if other.step:
        yield _folded("", f"{other.protocol}: the first step that differs is {number_of(other.place)}, {other.step}")
        for name, done in (("here", other.here), (other.protocol, other.instead)):
            yield f"  {name}{'' if done else ': nothing more'}"
            for one in done:
                yield from _operation(one)
    if other.stopped:
        yield _folded("", f"{other.protocol}: it does not go on: {other.stopped}")
        return
    yield _folded("", f"{other.protocol}: {other.answer}")
    mine = {one.partition: one for one in report.partitions}
    changed = [one for one in other.partitions if mine.get(one.partition) != one]
    yield from table(changed[:PARTITIONS]) if changed else ("  the partitions end as here",)
    if len(changed) > PARTITIONS:
        yield f"and {len(changed) - PARTITIONS:,} more"
    yield from (_folded("  ", one) for one in other.breaks)
    for text in other.differs[:1]:
        yield "the reference could not follow these tables:"
        yield from (f"  {each}" for each in text.splitlines())


def _findings(findings: Sequence[Any]) -> Iterator[str]:
    from fencepost.checkers.findings_pages import title

    by_id: dict[str, list[Any]] = {}
    for one in findings:
        by_id.setdefault(one["finding"], []).append(one)
    for id, those in by_id.items():
        by = ", ".join(dict.fromkeys(one["by"] for one in those))
        yield _folded("  ", f"{id} (by {by}, first in {those[0]['place']}): {title(id) or 'see spec/findings'}")
