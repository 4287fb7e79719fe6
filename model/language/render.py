"""Tables as people read them: terms as text, rows as lines of Markdown, a row as an English sentence from its guard."""

from __future__ import annotations

import enum
import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, assert_never, cast

from .effects import Applied, Assign, Effect, Every, Only, Procedure, Together, Write
from .nodes import (
    Before,
    Compare,
    Comprehension,
    Each,
    Elems,
    Eq,
    First,
    Get,
    Implies,
    Ite,
    Keep,
    ListOf,
    Lit,
    MaxOf,
    Member,
    Named,
    Nary,
    Next,
    Not,
    Quant,
    SetOf,
    SetOp,
    Structure,
    Term,
    Var,
)
from .operators import Level, operator_of
from .properties import Always, LeadsTo, Sometimes, Step
from .rankings import Distance, Phases, Rank, Ranking
from .walk import children, nary, negation, nodes, substitute

if TYPE_CHECKING:
    from .protocol import Protocol
    from .tables import Event, Row, Table

_LOOSE, _COMPARE, _SUM = Level.LOOSE, Level.COMPARE, Level.SUM


def text(term: Term[Any]) -> str:
    """Return the term as it is read, names kept as names."""
    return _text(term, _LOOSE)


def definition_text(term: Named[Any]) -> str:
    """Return a named term with its body: `drained = ...`."""
    return f"{_name(term)} = {text(term.term)}"


def _name(term: Named[Any]) -> str:
    return term.name + (f"({', '.join(text(a) for a in term.shown)})" if term.shown else "")


def value_text(value: object) -> str:
    """Return a value of the interpreter as it is read."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, frozenset):
        return "{" + ", ".join(value_text(v) for v in sorted(value, key=str)) + "}"
    if isinstance(value, tuple):
        return "[" + ", ".join(value_text(v) for v in value) + "]"
    return str(value)


def _text(term: Term[Any], outer: Level) -> str:
    def paren(level: Level, body: str) -> str:
        return f"({body})" if outer > level else body

    def t(inner: Term[Any], level: Level = _LOOSE) -> str:
        return _text(inner, level)

    match term:
        case Not(term=Eq() as inner):
            return paren(_COMPARE, f"{t(inner.left, _SUM)} ≠ {t(inner.right, _SUM)}")
        case Not(term=Member() as inner):
            return paren(_COMPARE, f"{t(inner.item, _SUM)} ∉ {t(inner.collection, _SUM)}")
        case Compare() if isinstance(term.left, Lit):
            return paren(_COMPARE, f"{t(term.right, _SUM)} {'>' if term.operator == '<' else '≥'} {t(term.left, _SUM)}")
        case SetOf(items=()):
            return "∅"
        case Elems():
            return t(term.of, outer)
        case First(among=Elems(of=of)) if of is term.of:
            return f"head({t(term.of)})"
        case Keep(among=SetOp(operator="-", left=Elems(of=of), right=right)) if of is term.of:
            return paren(_SUM, f"{t(term.of, _SUM)} ∖ {t(right, Level.TIGHT)}")
        case ListOf(item=Lit(value=None)):
            return "[]"
    operator = operator_of(term)
    if operator is not None:
        return paren(operator.page.level, operator.page.of(children(term), t))
    node = cast(Structure, term)
    match node:
        case Lit():
            return value_text(node.value)
        case Var():
            return node.name.rstrip("!") if node.name.endswith("!") else node.name
        case Get(state=state) if state.columns:
            told = (f"{name}={t(key)}" for name, key in zip(state.columns, node.keys, strict=True))
            return f"{state.name}({', '.join(told)})"
        case Get():
            return node.state.name + (f"[{', '.join(t(k) for k in node.keys)}]" if node.keys else "")
        case Nary(operator="and"):
            return paren(Level.AND, " and ".join(t(x, Level.NOT) for x in node.terms))
        case Nary():
            return paren(Level.OR, " or ".join(t(x, Level.AND) for x in node.terms))
        case Implies():
            return paren(_LOOSE, f"{t(node.left, Level.OR)} ⇒ {t(node.right, Level.OR)}")
        case Ite(condition=Lit(value=True)):
            return t(node.then, outer)
        case Ite():
            return paren(_LOOSE, f"if {t(node.condition)} then {t(node.then)} else {t(node.otherwise)}")
        case Quant():
            word, names, inside = ("every" if node.quantifier == "every" else "some"), [node.var.name], node.body
            while isinstance(inside, Quant) and inside.quantifier == node.quantifier:
                names.append(inside.var.name)
                inside = inside.body
            body = t(inside, _LOOSE if isinstance(inside, Implies) else Level.OR)
            return paren(_LOOSE, f"{word} {', '.join(names)}: {body}")
        case Comprehension():
            return f"{{{node.var.name} | {t(node.body)}}}"
        case MaxOf() if (least := _least_of(node)) is not None:
            return f"(least {node.var.name} with {t(least)}, or {t(node.default)})"
        case MaxOf():
            return f"(greatest {node.var.name} with {t(node.body)}, or {t(node.default)})"
        case Each():
            return f"[{t(node.body)} for {node.var.name} in {t(node.along)}]"
        case Named():
            return _name(node)
        case Before():
            return t(node.term, outer)
        case Next():
            return f"{t(node.term, Level.TIGHT)}′"
    assert_never(node)


def _least_of(term: MaxOf) -> Term[bool] | None:
    """Return the condition of a `min_of`, which is the greatest of the one value that no smaller one undercuts."""
    if not isinstance(term.body, Nary):
        return None
    *rest, last = term.body.terms
    if not isinstance(last, Quant):
        return None
    body = nary("and", rest)
    smallest = Implies(substitute(body, {term.var: last.var}), Compare("<=", term.var, last.var))
    return body if last.quantifier == "every" and last.body is smallest else None


def effect_text(effect: Effect) -> str:
    """Return the effect as it is read: `isr[p] := ...`, `every p with ...: ...`, a record, a procedure's name."""
    match effect:
        case Assign():
            return f"{text(effect.target)} := {text(effect.value)}"
        case Every():
            inner = "; ".join(effect_text(e) for e in effect.body)
            condition = "" if isinstance(effect.when, Lit) else f" with {text(effect.when)}"
            return f"every {effect.var.name}{condition}: {inner}"
        case Together():
            return " and ".join(effect_text(e) for e in effect.body)
        case Only():
            return f"if {text(effect.when)}: {'; '.join(effect_text(e) for e in effect.body)}"
        case Write():
            about = {f.name for f in effect.record.about}
            first = [text(g.value) for g in effect.fields if g.field in about]
            rest = [
                f"{g.field}={text(g.value)}" + ("" if isinstance(g.said, Lit) else f" if {text(g.said)}")
                for g in effect.fields
                if g.field not in about
            ]
            return f"{effect.record.name}({', '.join([*first, *rest])})"
        case Applied():
            first = [text(a) for a in effect.arguments[: effect.procedure.positional]]
            return f"{effect.procedure.name}({', '.join([*first, *(f'{n}={text(v)}' for n, v in effect.shown)])})"
    assert_never(effect)


def sentence(row: Row) -> str:
    """Return the row as an English sentence, rendered from its guard and effects."""
    params = ", ".join(p.name for p in row.event.params)
    parts = [f"{row.id}. On {row.event.name}({params})"]
    if not (isinstance(row.when, Lit) and row.when.value is True):
        parts.append(f"when {text(row.when)}")
    done = "; ".join(effect_text(e) for e in row.effects) or (
        "throw " + row.throws if row.throws else "nothing changes"
    )
    if row.throws and row.effects:
        done += f"; throw {row.throws}"
    answer = f", and the answer is {text(row.say)}" if row.say is not None else ""
    return f"{', '.join(parts)}: {done}{answer}."


def done_text(row: Row) -> str:
    """Return what a row does as it is read, empty for a row that changes nothing."""
    return "; ".join(effect_text(e) for e in row.effects)


def answer_text(row: Row) -> str:
    """Return what a row answers or throws as it is read, empty for neither."""
    return f"throws {row.throws}" if row.throws else text(row.say) if row.say is not None else ""


def markdown(table: Table) -> str:
    """Return the table as Markdown: a line a row (id, event, guard, what it does, answer, source), then its rationale.

    An event or a source that all rows have is said once, above them.
    """
    events, sources = {row.event.name for row in table.rows}, {row.source for row in table.rows}
    same = [f"Event: {event}." for event in events if len(events) == 1]
    same += [f"Source: {source}." for source in sources if len(sources) == 1 and source]
    about = " ".join([*([table.about] if table.about else []), *same])
    return _markdown(table, about, event=len(events) > 1, source=len(sources) > 1)


def _markdown(table: Table, about: str, event: bool = True, source: bool = True) -> str:
    answers = any(answer_text(row) for row in table.rows)
    said = [*(["first match"] if table.mode == "first match" else []), *(["total"] if table.total else [])]
    columns = ["id", "event", "when" + (f" ({', '.join(said)})" if said else ""), "then", "answer", "source"]
    shown = [True, event, True, True, answers, source]

    def line(cells: Iterable[str]) -> str:
        kept = (cell.replace("|", "\\|") for cell, one in zip(cells, shown, strict=True) if one)
        return "| " + " | ".join(kept) + " |"

    lines = [f"## {table.name}", "", *([about, ""] if about else []), line(columns), "|" + "---|" * sum(shown)]
    for row in table.rows:
        then, answer = done_text(row) or "–", answer_text(row) or "–"
        lines.append(line([row.id, row.event.name, text(row.when), then, answer, row.source]))
    reasons = [(row.id, table.reasons.get(row.id) or row.why) for row in table.rows]
    told = [f"- **{id}** {why}" for id, why in reasons if why]
    return "\n".join([*lines, *([""] if told else []), *told, ""])


def protocol_text(protocol: Protocol) -> str:
    """Return the whole protocol as text, over which `hash` is taken; `page` has the same for readers."""
    lines = [f"# {protocol.name}", "", protocol.about, "", "## events", ""]
    for event in protocol.events:
        world = ", an event of the environment" if event.environment else ""
        lines.append(_event_text(event, world))
    lines += ["", "## state", "", STATE_CLASSES, "", *STATE_HEAD, *state_lines(protocol).values(), ""]
    for table in protocol.tables:
        lines.append(_markdown(table, table.about))
    lines += ["## definitions", "", "Names that guards and effects use.", ""]
    lines += [f"- `{line}`" for line in definitions(protocol)]
    lines += ["", "## procedures", "", "What several rows do under one name, step by step.", ""]
    lines += procedure_lines(protocol).values()
    lines += ["", *record_lines(protocol), "", "## properties", ""]
    for one in protocol.properties:
        lines += [f"- {property_text(one)}", *([f"  {one.about}"] if one.about else [])]
    return "\n".join([*lines, *assumed_lines(protocol)]) + "\n"


def _event_text(event: Event, world: str = "") -> str:
    """Return an event as an entry of a list: its parameters, when it is there, and the code of Kafka that has it."""
    params = ", ".join(f"{p.name}: {p.kind}" for p in event.params)
    given = "" if isinstance(event.given, Lit) else f", given `{text(event.given)}`"
    code = f" ({event.code})" if event.code else ""
    return f"- **{event.name}**({params}){given}{world}{code}"


def event_lines(protocol: Protocol, environment: bool) -> dict[str, str]:
    """Return the entries of a protocol's events by name, of those of the environment or of the others."""
    return {event.name: _event_text(event) for event in protocol.events if event.environment == environment}


def state_lines(protocol: Protocol) -> dict[str, str]:
    """Return the lines of the table `STATE_HEAD` by the variables' names."""
    return {name: f"| `{name}` | {kind} | {what} | {about} |" for name, kind, what, about in remembered(protocol)}


def procedure_lines(protocol: Protocol) -> dict[str, str]:
    """Return the entries of a protocol's procedures by name, each with its effects below it."""
    found = {}
    for one in procedures(protocol):
        formals = ", ".join(f.name for f in one.formals)
        head = f"- **{one.name}**({formals}): {one.about}"
        found[one.name] = "\n".join([head, *(f"  - `{effect_text(e)}`" for e in one.body)])
    return found


def record_lines(protocol: Protocol) -> list[str]:
    """Return the section of a protocol's records."""
    lines = ["## records", ""]
    lines += ["What a record does when it is replayed; `field?` says whether the record carries the field.", ""]
    for record in protocol.records:
        lines.append(f"- **{record.name}** ({record.type})" + ("" if record.replay else ": no effect"))
        lines += [f"  - `{effect_text(e)}`" for e in record.replay]
    return lines


def assumed_lines(protocol: Protocol) -> list[str]:
    """Return entries of what a protocol assumes, and of its bounds."""
    lines = [f"- assumed **{a.id}** `{text(a.term)}`" for a in protocol.assumptions]
    lines += [f"- assumed of {a.event} **{a.id}** `{text(a.term)}`" for a in protocol.inputs]
    for name, bound in protocol.bounds.items():
        sizes = ", ".join(f"{kind} {size}" for kind, size in sorted(bound.sizes.items()))
        lines.append(f"- bound **{name}**: {sizes}; starts with `{text(bound.start)}`")
        lines += [f"  - {event}: `{text(term)}`" for event, term in sorted(bound.given.items())]
    return lines


STATE_HEAD = ("| variable | holds | class | what it is |", "|---|---|---|---|")
STATE_CLASSES = (
    "Hard state outlives the controller, soft state is lost with it or with the process that has it; messages are on their "
    "way; what is fixed was chosen at the start; ghosts are read by properties only."
)


def remembered(protocol: Protocol) -> list[tuple[str, str, str, str]]:
    """Return what a protocol remembers, as it was declared: a variable with its keys, what it holds, its class, its words."""
    declared = sorted(
        protocol.states, key=lambda s: (not s.place.file.endswith("state.py"), s.place.file, s.place.line)
    )
    return [
        (one.name + (f"[{', '.join(map(str, one.keys))}]" if one.keys else ""), str(one.kind), one.what, one.about)
        for one in declared
    ]


def property_text(one: Always | Step | Sometimes | LeadsTo) -> str:
    """Return a property as one line: id, what it claims, when, on whose word."""
    source = f" ({one.source})" if one.source else ""
    match one:
        case Always():
            kind = "lemma" if one.lemma else "always"
            expected = f", declared violated: {one.finding}" if one.expected == "violated" else ""
            return f"**{one.id}** {kind}, {one.scope}: `{text(one.term)}`{source}{expected}"
        case Step():
            expected = f", declared violated: {one.finding}" if one.expected == "violated" else ""
            return f"**{one.id}** every step{rows_text(one)}, {one.scope}: `{text(one.term)}`{source}{expected}"
        case Sometimes():
            return f"**{one.id}** sometimes: `{text(one.term)}`{source}"
        case LeadsTo():
            expected = f", declared violated: {one.finding}" if one.expected == "violated" else ""
            each = f"for every {', '.join(var.name for var in one.each)} " if one.each else ""
            claimed = f"{each}`{text(one.trigger)}` leads to `{text(one.goal)}`, under {fairness_text(one)}"
            ranking = f", by a ranking ({ranking_text(one.ranking)})" if one.ranking is not None else ""
            return f"**{one.id}** {claimed}{source}{expected}{ranking}"
    assert_never(one)


def rows_text(one: Step) -> str:
    """Return the rows that a property is about, in words, empty for one that is about every row."""
    if one.left_out:
        return f" but those of {', '.join(f'{id} ({why})' for id, why in one.left_out)}"
    rows = f" of {', '.join(one.rows)}" if one.rows else ""
    rows = f" of {one.answering} ({', '.join(one.rows)})" if one.answering else rows
    return rows + (f" ({one.named_for})" if one.named_for else "")


def fairness_text(one: LeadsTo) -> str:
    """Return the fairness under which something is claimed to come to pass, in words."""

    def told(events: tuple[str, ...]) -> str:
        by = {event: " and ".join(one.fair_params(event)) for event in events}
        return ", ".join(f"{event} for each {by[event]}" if by[event] else event for event in events)

    weak = f"weak fairness of {told(one.fair)}" if one.fair else ""
    strong = f"strong fairness of {told(one.strongly_fair)}" if one.strongly_fair else ""
    finitely = f"finitely many steps of {', '.join(one.finitely)}" if one.finitely else ""
    return " and ".join(part for part in (weak or strong or "no fairness", strong if weak else "", finitely) if part)


def ranking_text(one: Ranking) -> str:
    """Return a ranking in words: how long something waits, the ranks in their order, and which event helps where."""
    parts = [f"waiting: `{text(one.waiting)}`"] if one.waiting is not None else []
    parts += [f"rank: {_rank_text(rank)}" for rank in one.ranks]
    for each in one.helps:
        reached = f" (to which leads, {ranking_text(each.reached)})" if each.reached is not None else ""
        parts.append(f"{each.event} helps where `{text(each.when)}`{reached}")
    return "; ".join(parts)


def _rank_text(rank: Rank) -> str:
    over = f", summed over {', '.join(var.name for var in rank.over)}" if rank.over else ""
    match rank:
        case Distance():
            return f"how far `{text(rank.high)}` is above `{text(rank.low)}`{over}"
        case Phases(conditions=(only,)) if rank.over:
            return f"how many {', '.join(var.name for var in rank.over)} have `{text(negation(only))}`"
        case Phases():
            return f"the first that holds of {', '.join(f'`{text(one)}`' for one in rank.conditions)}{over}"
    assert_never(rank)


def definitions(protocol: Protocol) -> list[str]:
    """Return every named term that rows, procedures and properties speak of, with its body, sorted by name."""
    spoken = [e.given for e in protocol.events]
    for one in protocol.properties:
        spoken += one.terms if isinstance(one, LeadsTo) else [one.term]
    return _definitions(protocol.rows, spoken)


def definitions_of(rows: Iterable[Row]) -> list[str]:
    """Return every named term that some rows themselves speak of, with its body, sorted by name."""
    rows = tuple(rows)
    return _named(term for row in rows for term in _said(row))


def row_definitions(row: Row) -> list[str]:
    """Return what the names in a row mean: its terms, then the procedures that it applies, then the terms of these."""
    own = definitions_of([row])
    applied = []
    for one in procedures_of([row]):
        formals = ", ".join(f.name for f in one.formals)
        applied.append(f"{one.name}({formals}): {'; '.join(effect_text(e) for e in one.body)}")
    return [*own, *applied, *(line for line in _definitions([row], []) if line not in own)]


def _definitions(rows: Iterable[Row], beside: Iterable[Term[Any]]) -> list[str]:
    rows = tuple(rows)
    inside = (term for p in procedures_of(rows) for e in p.body for term in _spoken(e))
    return _named([*beside, *inside, *(term for row in rows for term in _said(row))])


def _said(row: Row) -> list[Term[Any]]:
    answer = [row.say] if row.say is not None else []
    return [row.when, *answer, *(term for e in row.effects for term in _spoken(e))]


def _named(terms: Iterable[Term[Any]]) -> list[str]:
    return sorted({definition_text(node) for node in nodes(*terms) if isinstance(node, Named)})


def _spoken(effect: Effect) -> list[Term[Any]]:
    """The terms that stand in an effect as written, nothing expanded."""
    match effect:
        case Assign():
            return [effect.target, effect.value]
        case Together():
            return [term for inner in effect.body for term in _spoken(inner)]
        case Every() | Only():
            return [effect.when, *(term for inner in effect.body for term in _spoken(inner))]
        case Write():
            return [term for g in effect.fields for term in (g.said, g.value)]
        case Applied():
            return list(effect.arguments)
    assert_never(effect)


def procedures(protocol: Protocol) -> list[Procedure]:
    """Return every procedure that a row applies, sorted by name."""
    return procedures_of(protocol.rows)


def procedures_of(rows: Iterable[Row]) -> list[Procedure]:
    """Return every procedure that some rows apply, themselves or through others, sorted by name."""
    found: dict[str, Procedure] = {}

    def visit(effect: Effect) -> None:
        if isinstance(effect, Applied):
            found.setdefault(effect.procedure.name, effect.procedure)
        inner = effect.procedure.body if isinstance(effect, Applied) else ()
        for one in effect.body if isinstance(effect, (Every, Only, Together)) else inner:
            visit(one)

    for row in rows:
        for effect in row.effects:
            visit(effect)
    return [found[name] for name in sorted(found)]


def wrapped(line: str, width: int = 100, indent: str = "    ") -> str:
    """Return a line folded to a width, further lines indented."""
    return textwrap.fill(line, width, subsequent_indent=indent, break_long_words=False)
