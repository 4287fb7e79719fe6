"""`fencepost show`: tables as they read, a row with its definitions, a source's requirements, or a recorded log."""

from __future__ import annotations

import difflib
import os
import re
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.console import RenderableType
from rich.table import Table as Grid

from fencepost.checkers.asked import scopes_of
from fencepost.checkers.citations import explained
from fencepost.checkers.findings_pages import action
from fencepost.checkers.findings_pages import page as finding_page
from fencepost.checkers.verdicts import ExitCode, Refusal
from fencepost.model.language import Protocol, Row, Table, markdown, sentence
from fencepost.model.language.properties import Property
from fencepost.model.language.render import (
    STATE_CLASSES,
    answer_text,
    definitions_of,
    done_text,
    property_text,
    remembered,
    row_definitions,
    text,
)

from . import (
    completing,
    show_fork,
    show_lease,
    show_machines,
    show_matrix,
    show_releases,
    show_requirements,
    show_sources,
)
from .log_filters import AT_HELP, ForkOption, Type, fork_given
from .outcome import Json, Outcome
from .protocols import HELP, family, is_own
from .reports import Force, refuse_file
from .show_log import LogQuestion
from .show_tree import TREE_HELP
from .static import ServerProperties, Static, settings_of
from .terminal import Unfolded


def show(
    what: Annotated[
        str,
        typer.Argument(
            help=f"{HELP}; or a metadata log; a finding (D23); or the word requirements, source, fork, or matrix; "
            "lease alone is for timers.",
            autocompletion=completing.protocols,
        ),
    ],
    of: Annotated[
        str | None,
        typer.Argument(
            metavar="[MORE]",
            help="With requirements: a source (S4), or one sentence of it (S4-11). With source: a source, or lines of "
            "it (S3:244). With fork: automq, inkless, or a file that declares one. With matrix: a guarantee (M4).",
        ),
    ] = None,
    table: Annotated[str | None, typer.Option(help="Only the table of this name.")] = None,
    row: Annotated[
        str | None,
        typer.Option(
            help="Only the row with this id, with its definitions; or a property.", autocompletion=completing.rows
        ),
    ] = None,
    english: Annotated[bool, typer.Option("--english", help="Rows as English sentences.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Tables as Markdown.")] = False,
    at: Annotated[
        str | None,
        typer.Option(metavar="OFFSET|TIME|end", help=f"Of a log: the hard state after the record there. {AT_HELP}"),
    ] = None,
    partition: Annotated[
        str | None,
        typer.Option(
            metavar="TOPIC-N",
            help="Of a log: the records about this partition (foo-0). With --at: its state, and every record that "
            "changed it up to there, with the rows that may have written it.",
        ),
    ] = None,
    broker: Annotated[
        int | None,
        typer.Option(
            metavar="ID", help="Of a log: the records that name this broker. With --at: its state, and what changed it."
        ),
    ] = None,
    topic: Annotated[
        str | None, typer.Option(metavar="NAME", help="Of a log: the records about this topic and its partitions.")
    ] = None,
    type: Type = None,
    tree: Annotated[str | None, typer.Option(metavar="PATH", help=TREE_HELP)] = None,
    coverage: Annotated[
        bool,
        typer.Option("--coverage", help="Of a log: which rows wrote it, how often for certain, and which never did."),
    ] = False,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="With --coverage, or lease: also draw it into this SVG file.")
    ] = None,
    releases: Annotated[
        bool,
        typer.Option(
            "--releases", help="Rule by rule, how the releases of a protocol differ, or one from the next newer."
        ),
    ] = False,
    diagram: Annotated[
        str | None, typer.Option("--diagram", metavar="mermaid|svg|dot", help=show_machines.DIAGRAM_HELP)
    ] = None,
    cell: Annotated[str | None, typer.Option("--cell", metavar="NAME", help=show_machines.CELL_HELP)] = None,
    session: Annotated[str | None, typer.Option(metavar="TIME", help=show_lease.SESSION_HELP)] = None,
    heartbeat: Annotated[str | None, typer.Option(metavar="TIME", help=show_lease.HEARTBEAT_HELP)] = None,
    broker_timeout: Annotated[str | None, typer.Option(metavar="TIME", help=show_lease.BROKER_HELP)] = None,
    drift: Annotated[str | None, typer.Option(metavar="SHARE", help=show_lease.DRIFT_HELP)] = None,
    controller_drift: Annotated[
        str | None, typer.Option(metavar="SHARE", help=show_lease.CONTROLLER_DRIFT_HELP)
    ] = None,
    delay: Annotated[str | None, typer.Option(metavar="TIME", help=show_lease.DELAY_HELP)] = None,
    tick: Annotated[str | None, typer.Option(metavar="TIME", help=show_lease.TICK_HELP)] = None,
    static: Static = None,
    server_properties: ServerProperties = None,
    start: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="OFFSET|TIME",
            help=f"Of a log: the records from there on; as --at. {show_lease.FROM_HELP}",
        ),
    ] = None,
    end: Annotated[
        str | None, typer.Option("--to", metavar="OFFSET|TIME|end", help="Of a log: the records up to there; as --at.")
    ] = None,
    compare: Annotated[Path | None, typer.Option("--compare", metavar="FILE", help=show_sources.COMPARE_HELP)] = None,
    fork: ForkOption = None,
    force: Force = False,
    json: Json = False,
) -> Outcome:
    """Show a protocol's tables, its state machines, one row; what a source demands and what carries it; where a cited
    line is; what each design guarantees; what timers give; or a metadata log: a summary, its state at an offset, or the
    rows it shows."""
    if compare is not None and what != show_sources.WORD:
        raise Refusal(
            f"--compare: is for a text that is cited; use fencepost show {show_sources.WORD} S3 --compare {compare}"
        )
    if svg is not None:
        refuse_file("--svg", svg, force)
    is_log = _is_log(what)
    of_lease = show_lease.LeaseQuestion(
        session, heartbeat, broker_timeout, drift, controller_drift, delay, tick, None if is_log else start
    )
    told = settings_of(static, server_properties) if static or server_properties is not None else None
    asks_tables = table is not None or row is not None or english or as_markdown or diagram is not None
    if what == show_lease.WORD and of is None and not asks_tables:
        asked = LogQuestion(at, partition, broker, tree, coverage, None, told, topic, tuple(type or ()), None, end)
        asked.refuse_for_tables(what)
        return of_lease.answer(svg)
    of_lease.refuse_for(what)
    begin = start if is_log else None
    declared = fork_given(fork)
    of_log = LogQuestion(
        at, partition, broker, tree, coverage, svg, told, topic, tuple(type or ()), begin, end, declared
    )
    if what == show_requirements.WORD:
        of_log.refuse_for_tables(what)
        if table is not None or english or releases:
            raise Refusal(f"{what}: --table, --english and --releases are for tables; leave them out")
        return show_requirements.answer(of, row, as_markdown)
    if what in (show_sources.WORD, show_matrix.WORD) or (what == show_fork.WORD and not is_log):
        of_log.refuse_for_tables(what)
        if asks_tables or releases:
            raise Refusal(f"{what}: --table, --row, --english, --markdown, --diagram and --releases are for tables")
        if what == show_sources.WORD:
            return show_sources.answer(of, compare)
        return show_matrix.answer(of) if what == show_matrix.WORD else show_fork.answer(of)
    if of is not None:
        known = f"{show_requirements.WORD}, {show_sources.WORD}, {show_fork.WORD} or {show_matrix.WORD}"
        raise Refusal(f"{of}: nothing more can be named after {what}; only after {known}")
    if is_log:
        return of_log.answer(what)
    finding = finding_page(what)
    if finding:
        of_log.refuse_for_tables(what)
        if asks_tables or releases:
            raise Refusal(f"{what} is a finding, and has a page only; leave out the options for tables")
        document = {"finding": what, "action": action(what), "text": finding}
        return Outcome("show", "shown", ExitCode.AS_DECLARED, document, [Unfolded(finding.rstrip())])
    of_log.refuse_for_tables(what)
    if releases:
        return show_releases.history(what)
    of_name = family(what)
    protocol = of_name.whole
    if diagram is not None:
        return show_machines.diagram(of_name, diagram, cell)
    if cell is not None:
        raise Refusal("--cell: says what is drawn; add --diagram svg")
    claim = next((one for one in protocol.properties if one.id == row), None)
    if claim is not None and row not in {one.id for one in protocol.rows}:
        return _shown_property(protocol, claim)
    if row is not None:
        return _shown_row(protocol, _row(protocol, row))
    tables = protocol.tables if table is None else (_table(protocol, table),)
    fields: dict[str, Any] = {
        "protocol": protocol.name,
        "about": protocol.about,
        "tables": [_table_json(one) for one in tables],
        "state": [dict(zip(("variable", "kind", "class", "about"), one, strict=True)) for one in remembered(protocol)],
        "machines": show_machines.as_json(protocol),
        "lives": show_machines.lives_json(of_name),
    }
    page: list[RenderableType] = []
    release = show_releases.release_of(what)
    if release is not None:
        fields["release"] = show_releases.as_json(release)
    if as_markdown:
        page = [Unfolded(markdown(one)) for one in tables]
    elif english:
        for one in tables:
            page += [one.name, *(f"  {sentence(each)}" for each in one.rows), ""]
    else:
        if release is not None and table is None:
            page += [*show_releases.lines(release), ""]
        if table is None:
            page += show_machines.page(of_name)
        for one in tables:
            page += [one.name.upper(), one.about, _grid(one), *_reasons(one), *_glossary(one), ""]
        page += _memory(protocol) if table is None else []
        page += ["What an id is (a row, a property, a line of a source, a contradiction, a defect): spec/README.md"]
    return Outcome("show", "shown", ExitCode.AS_DECLARED, fields, page, protocol.hash)


def _is_log(what: str) -> bool:
    """Whether an argument means a log: a path that exists or looks like one, a glob or a URI, and no Python file."""
    if ".py" in what and is_own(what):
        return False
    return (
        Path(what).exists()
        or any(sign in what for sign in (os.sep, "*", "://"))
        or Path(what).suffix in (".log", ".checkpoint", ".gz", ".txt")
    )


def _table(protocol: Protocol, name: str) -> Table:
    for one in protocol.tables:
        if one.name == name:
            return one
    raise Refusal(
        f"{protocol.name}: no table is called {name!r}; use one of {', '.join(t.name for t in protocol.tables)}"
    )


def _row(protocol: Protocol, id: str) -> Row:
    try:
        return protocol.row(id)
    except KeyError:
        ids = [row.id for row in protocol.rows]
        close = difflib.get_close_matches(id, ids, 1)
        more = f" and {len(ids) - 12} more" if len(ids) > 12 else ""
        hint = f"did you mean {close[0]}?" if close else f"use one of {', '.join(ids[:12])}{more}"
        raise Refusal(f"{protocol.name}: no row has the id {id}; {hint}") from None


def _why(table: Table, row: Row) -> str:
    return table.reasons.get(row.id) or row.why


def _row_json(table: Table, row: Row) -> dict[str, Any]:
    return {
        "id": row.id,
        "event": row.event.name,
        "when": text(row.when),
        "then": done_text(row),
        "answer": answer_text(row),
        "source": row.source,
        "code": row.event.code,
        "why": _why(table, row),
        "finding": row.finding,
        "place": str(row.place),
        "sentence": sentence(row),
    }


def _table_json(table: Table) -> dict[str, Any]:
    return {
        "name": table.name,
        "about": table.about,
        "mode": table.mode,
        "rows": [_row_json(table, row) for row in table.rows],
        "definitions": definitions_of(table.rows),
    }


def _grid(table: Table) -> Grid:
    """The table at 100 columns: ids unbroken, names broken between their words, guards and effects folded."""
    answers = [answer_text(row) for row in table.rows]
    many = len({row.event.name for row in table.rows}) > 1
    grid = Grid(box=box.SIMPLE_HEAD, padding=(0, 1), expand=False, pad_edge=False)
    grid.add_column("id", no_wrap=True, style="bold")
    if many:
        grid.add_column("event", overflow="fold", max_width=EVENT)
    grid.add_column("when" + (" (first match)" if table.mode == "first match" else ""), overflow="fold", ratio=3)
    grid.add_column("then", overflow="fold", ratio=3)
    if any(answers):
        grid.add_column("answer", overflow="fold", max_width=ANSWER)
    for row, answer in zip(table.rows, answers, strict=True):
        event = [_between_words(row.event.name, EVENT)] if many else []
        said = [_between_words(answer or "–", ANSWER)] if any(answers) else []
        grid.add_row(*(_plain(cell) for cell in (row.id, *event, text(row.when), done_text(row) or "–", *said)))
    return grid


EVENT, ANSWER = 18, 22
"""How wide the columns of events and of answers are at most."""


def _between_words(name: str, width: int) -> str:
    """A long name on several lines, broken where a word begins: an error's after a `_`, an event's at a capital."""
    humps = r"(?<=[a-z])(?=[A-Z])" if " " not in name else r"(?<= )"
    lines = [""]
    for part in re.split(rf"(?<=_)|{humps}", name):
        if len(lines[-1]) + len(part.rstrip()) > width and lines[-1]:
            lines.append("")
        lines[-1] += part
    return "\n".join(line.rstrip() for line in lines)


def _memory(protocol: Protocol) -> list[RenderableType]:
    """Return the state variables of the protocol as a table."""
    grid = Grid(box=box.SIMPLE_HEAD, padding=(0, 1), expand=False, pad_edge=False)
    for title, width in (("variable", 36), ("holds", 16), ("class", None), ("what it is", None)):
        grid.add_column(title, overflow="fold", max_width=width)
    for one in remembered(protocol):
        grid.add_row(*map(_plain, one))
    return ["STATE", STATE_CLASSES, grid, ""]


def _plain(cell: str) -> str:
    """A cell in which brackets are brackets and not rich's markup."""
    return cell.replace("[", "\\[")


def _reasons(table: Table) -> list[str]:
    return [f"  {row.id}: {_why(table, row)}" for row in table.rows if _why(table, row)]


def _glossary(table: Table) -> list[str]:
    return [f"  {line}" for line in definitions_of(table.rows)]


def _shown_property(protocol: Protocol, one: Property) -> Outcome:
    """A property: what it claims, in words and as a term, on whose word."""
    stands = explained(one.source)
    about: dict[str, Any] = {"id": one.id, "about": one.about, "source": one.source, "sections": stands}
    fields = {"protocol": protocol.name, "property": about}
    scopes = scopes_of(protocol, (one,))
    about["asked_of"] = scopes[0].as_json() if scopes else None
    lines = [one.about, f"  {property_text(one).replace('**', '').replace('`', '')}", *(f"  {each}" for each in stands)]
    lines += [f"  {one.id} {scope.words()}" for scope in scopes]
    return Outcome("show", "shown", ExitCode.AS_DECLARED, fields, lines, protocol.hash)


def _shown_row(protocol: Protocol, row: Row) -> Outcome:
    table = protocol.table_of(row)
    definitions = row_definitions(row)
    lines = [
        f"{row.id} in the table {table.name!r} ({table.mode})",
        f"  on      {row.event.name}({', '.join(f'{p.name}: {p.kind}' for p in row.event.params)})",
        f"  when    {text(row.when)}",
        f"  then    {done_text(row) or 'nothing changes'}",
        *([f"  answer  {answer_text(row)}"] if answer_text(row) else []),
        f"  source  {row.source}" + (f", {row.event.code}" if row.event.code else ""),
        *(f"          {each}" for each in explained(row.source)),
        f"  place   {row.place}",
        *([f"  why     {_why(table, row)}"] if _why(table, row) else []),
        *([f"  finding {row.finding}"] if row.finding else []),
        "",
        sentence(row),
    ]
    if definitions:
        lines += ["", "where", *(f"  {line}" for line in definitions)]
    fields = {
        "protocol": protocol.name,
        "row": {
            **_row_json(table, row),
            "table": table.name,
            "definitions": definitions,
            "sections": explained(row.source),
        },
    }
    return Outcome("show", "shown", ExitCode.AS_DECLARED, fields, lines, protocol.hash)
