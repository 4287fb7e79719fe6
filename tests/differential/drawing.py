"""Draws a small protocol from a seed: well typed by construction, of every word of the language that is not left out
below.

At most two sorts of two entities, four state variables and four rows. The same seed draws the same file in every
version of Python.
"""

import functools
import itertools
import math

from fencepost.model.language import TableError

from .left_out import left_out
from .pieces import Piece, Text, made
from .terms import COLOURS, KIND_TEXT, SORTS, VARIABLES, Cell, Record, Scope, Terms, leaf, listed

STATES = 1500
"""How many values all cells together may have."""
FREE = 16
"""How many first states a protocol may have through cells that begin with any value."""

TWICE = "twice at once"
"""What the language refuses of one draw in some thousand: a stage that writes a cell twice without a condition."""


class Drawing(Terms):
    """A protocol while it is drawn."""

    # -- sizes -----------------------------------------------------------------------------------------------------
    def values(self, kind: str) -> int:
        """Return how many values a kind has at the bound."""
        if kind[0] == "?":
            return self.values(kind[1:]) + 1
        if kind == "{A}":
            return 1 << self.sizes["Alpha"]
        if kind == "[A]":
            size = self.sizes["Alpha"]
            return sum(math.perm(size, n) for n in range(size + 1))
        if kind in SORTS:
            return self.sizes[SORTS[kind]]
        return {"bool": 2, "C": len(COLOURS), "N": self.sizes["n"] - self.low + 1, "Q": self.sizes["q"]}[kind]

    def draw(self) -> Text:
        """Draw the whole protocol."""
        rng = self.rng
        self.sizes = {
            "Alpha": self.pick((1, 2, 2, 2)),
            "Beta": self.pick((1, 2)),
            "n": rng.randrange(1, 4),
            "q": rng.randrange(1, 3),
        }
        self.low = self.pick((0, 0, 0, 0, 1, -1))
        self.sizes["n"] = max(self.sizes["n"], self.low + 1)
        self.sorts = ("A",) if self.chance(0.5) else ("A", "B")
        self._kinds()
        self._cells()
        for number in range(rng.randrange(3)):
            self._definition(number)
        for number in range(self.pick((0, 1, 1, 2))):
            self._record(number)
        for number in range(self.pick((0, 0, 1))):
            self._procedure(number)
        protocol = self._protocol()
        return Text(f"A random protocol: seed {self.seed}.", tuple(self.declared), protocol, tuple(self.sizes.items()))

    def declare(self, name: str, piece: Piece) -> None:
        """Declare a name."""
        self.declared.append((name, piece))

    def _kinds(self) -> None:
        for short, name in SORTS.items():
            self.declare(name, leaf("class", f'class {name}(Entity):\n    """A sort."""\n'))
            self.declare(short, leaf("kind", f"{short} = sort({name})"))
        members = "".join(f"    {name} = {number}\n" for number, name in enumerate(COLOURS))
        self.declare("Colour", leaf("class", f'class Colour(enum.Enum):\n    """An enumeration."""\n\n{members}'))
        self.declare("C", leaf("kind", "C = one_of(Colour)"))
        self.declare("N", leaf("kind", 'N = counter("n"%s)' % (f", {self.low}" if self.low else "")))
        self.declare("Q", leaf("kind", 'Q = threshold("q")'))
        for kind, names in VARIABLES.items():
            for name in names:
                text = KIND_TEXT[kind] if kind[0] != "?" else f"{KIND_TEXT[kind]}"
                self.declare(name, leaf("variable", f'{name} = {text}.var("{name}")'))

    def _key_kinds(self) -> list[str]:
        return [*self.sorts, *self.sorts, *self.sorts, "N", "C", "bool"]

    def _cells(self) -> None:
        total, begin = 1, 1
        wanted = self.rng.randrange(2, 5)
        weights = ["bool"] * 4 + ["N"] * 4 + ["A", "C", "Q", "?A", "?A", "?N", "?C", "{A}", "{A}", "[A]", "[A]", "?B"]
        for _ in range(30):
            if len(self.cells) == wanted:
                break
            kind = self.pick(weights)
            if "B" in kind and "B" not in self.sorts:
                continue
            keys = tuple(self.pick(self._key_kinds()) for _ in range(self.pick((0, 0, 1, 1, 1, 2))))
            count = math.prod(self.values(key) for key in keys)
            size = self.values(kind) ** count
            if total * size > STATES or count > 6:
                continue
            what = self.pick(("hard",) * 6 + ("soft", "message", "ghost", "fixed"))
            self._cell(len(self.cells), keys, kind, what, size, begin)
            if self.cells[-1].what == "fixed" or self.any_:
                begin *= size
            total *= size

        found = [part for one in self.cells for key in (*one.keys, one.kind) for part in self._within(key)]
        self.spoken = [*(kind for kind in found if kind in VARIABLES), "bool"]
        self.bound = [kind for kind in self.spoken if kind not in ("bool", "?A")] or ["A"]
        self.sorts = tuple(one for one in self.sorts if one in self.spoken) or ("A",)

    @staticmethod
    def _within(kind: str) -> tuple[str, ...]:
        """Return a kind and what it is made of."""
        return (kind,) if kind in VARIABLES or kind == "Q" else (kind, kind.strip("?{}[]"))

    def _cell(self, number: int, keys: tuple[str, ...], kind: str, what: str, size: int, begin: int) -> None:
        name = f"x{number}"
        said = f', what="{what}"' if what != "hard" else ""
        self.any_ = False
        if kind == "bool" and keys and what in ("hard", "message") and self.chance(0.3):
            columns = tuple(f"k{at}" for at in range(len(keys)))
            given = "".join(f", {column}={KIND_TEXT[key]}" for column, key in zip(columns, keys, strict=True))
            self.declare(name, leaf("cell", f'{name} = records_of("{name}"{said}{given})'))
            self.cells.append(Cell(name, keys, kind, what, columns))
            return
        may_be_any = begin * size <= FREE and "N" not in keys
        if what == "fixed" and not may_be_any:
            what, said = "hard", ""
        initial = self._initial(keys, kind)
        if may_be_any and (what == "fixed" or self.chance(0.2)):
            initial, self.any_ = "ANY", True
        given = f", {initial}" if initial else ""
        word = ("cell", "per", "per2", "per3")[len(keys)]
        before = "".join(f"{KIND_TEXT[key]}, " for key in keys)
        self.declare(name, leaf("cell", f'{name} = {word}({before}"{name}", {KIND_TEXT[kind]}{given}{said})'))
        self.cells.append(Cell(name, keys, kind, what))

    def _initial(self, keys: tuple[str, ...], kind: str) -> str:
        """Return a first value as text, empty where nothing is said of it."""
        if len(keys) == 1 and self.chance(0.15) and "N" not in keys:
            if kind in (keys[0], f"?{keys[0]}"):
                return "lambda key: key"
            if kind == "bool" and keys[0] in SORTS:
                return f"lambda key: key.is_(individual({keys[0]}, 0))"
            if kind == "{A}" and keys[0] == "A":
                return "lambda key: just(key)"
        if kind == "bool":
            return self.pick(("", "", "TRUE"))
        if kind == "N":
            return str(self.pick((self.low, self.low, self.low, self.sizes["n"])))
        if kind == "Q":
            return "Threshold(1)"
        if kind == "C":
            return "Colour.RED"
        if kind[0] == "?":
            return "NONE"
        return "individual(A, 0)" if kind == "A" else ""

    # -- declarations ----------------------------------------------------------------------------------------------
    def _definition(self, number: int) -> None:
        kind = self.pick(self.bound)
        name = f"d{number}"
        body = self.condition(Scope((("given", kind),)), 1)
        text = f'@definition\ndef {name}(given: Term) -> Term:\n    """A definition."""\n    return %s\n'
        self.declare(name, Piece("definition", text, (body,)))
        self.definitions.append((name, kind))

    def _writable(self) -> list[Cell]:
        return [one for one in self.cells if one.what != "fixed"]

    def _record(self, number: int) -> None:
        """Draw a type of record: its fields stand in the replay for what a write says."""
        name = f"R{number}"
        about = tuple(self.pick(self.sorts) for _ in range(self.pick((0, 1, 1))))
        about_names = [f"_{name}a{at}" for at in range(len(about))]
        scope = tuple((f"{one}.value", kind) for one, kind in zip(about_names, about, strict=True))
        targets = [one for one in self._writable() if one.what != "ghost" and "?" not in one.keys]
        fields: list[tuple[str, str, bool]] = []
        replay: list[Piece] = []
        for at in range(self.pick((0, 1, 1, 2))):
            if not targets:
                break
            target = self.pick(targets)
            optional = self.chance(0.4)
            field_name = f"_{name}f{at}"
            fields.append((field_name, target.kind, optional))
            here = self.read(target, Scope(scope)) if not target.columns else self._has(target, Scope(scope))
            value = f"{field_name}.over({here.printed})" if optional else f"{field_name}.value"
            replay.append(self._set(target, here, leaf(target.kind, value)))
            targets = [one for one in targets if one is not target]
        values = tuple((f"{one}.value", kind) for one, kind, optional in fields if not optional)
        if not replay or self.chance(0.4):
            replay += self.effects(Scope((*scope, *values)), 1, records=False, free=targets)
        for one, kind in zip(about_names, about, strict=True):
            self.declare(one, leaf("field", f'{one} = required("{one[1:]}", {KIND_TEXT[kind]})'))
        for one, kind, optional in fields:
            word = "optional" if optional else "required"
            self.declare(one, leaf("field", f'{one} = {word}("{one[1:]}", {KIND_TEXT[kind]})'))
        silent = ", silent=True" if fields and all(optional for _, _, optional in fields) and self.chance(0.5) else ""
        given = "".join(f"{one}, " for one in about_names)
        fields_text = "".join(f"{one}, " for one, _, _ in fields)
        head = f'{name} = record("{name}", {given}fields=({fields_text}), replay=(%s){silent})'
        self.declare(name, listed("record", head.replace("(%s)", "[%s]"), replay))
        self.records.append(Record(name, about, tuple(fields)))

    def _has(self, cell: Cell, scope: Scope) -> Piece:
        keys = tuple(self.key(key, scope) for key in cell.keys)
        return Piece("bool", f"{cell.name}.has({', '.join(f'{column}=%s' for column in cell.columns)})", keys)

    @staticmethod
    def _set(cell: Cell, target: Piece, value: Piece) -> Piece:
        return Piece("effect", "%s.becomes(%s)", (Piece(f"target {cell.name}", "%s", (target,)), value))

    def _procedure(self, number: int) -> None:
        name, kind = f"p{number}", self.pick(self.sorts)
        variable = VARIABLES[kind][0]
        body = listed("body", "    return [%s]\n", self.effects(Scope(((variable, kind),)), 2))
        touched = frozenset(self.touched)
        text = f'@procedure({variable})\ndef {name}({variable}: Term) -> object:\n    """A procedure."""\n%s'
        self.declare(name, Piece("procedure", text, (body,)))
        self.procedures.append((name, ((variable, kind),), touched))

    # -- effects ---------------------------------------------------------------------------------------------------
    def effects(self, scope: Scope, most: int, records: bool = True, free: list[Cell] | None = None) -> list[Piece]:
        """Draw some effects. One without a condition writes what none before it writes, as the language asks."""
        found: list[Piece] = []
        self.touched: set[str] = set()
        left = self._writable() if free is None else free
        for _ in range(self.rng.randrange(1, most + 1)):
            one = self.effect(scope, [cell for cell in left if cell.name not in self.touched], 2, records)
            found += [] if one is None else [one]
        return found

    def effect(self, scope: Scope, free: list[Cell], depth: int, records: bool) -> Piece | None:
        """Draw an effect that writes some of these variables without a condition, or any with one."""
        number = self.rng.randrange(12)
        if number < 6 or depth <= 0:
            return self._assigned(scope, free)
        if number < 8:
            condition = self.condition(scope, 1)
            inner = self.effect(scope, self._any(condition, free), depth - 1, records)
            return Piece("effect", "only_if(%s, %s)", (condition, inner)) if inner else None
        if number < 10:
            return self._every(scope, free, depth - 1, records)
        if records and number == 10 and self.procedures:
            name, formals, touched = self.pick(self.procedures)
            if touched <= {cell.name for cell in free}:
                self.touched |= touched
                given = tuple(self.term(kind, scope, 0) for _, kind in formals)
                return Piece("effect", f"{name}({', '.join(['%s'] * len(given))})", given)
        if records and self.records:
            one = self._written(scope)
            if self.chance(0.2):
                return Piece("effect", "together(%s, only_if(%s, %s))", (one, self._doubt(scope), self._written(scope)))
            return one
        return self._assigned(scope, free)

    def _any(self, condition: Piece, free: list[Cell]) -> list[Cell]:
        """Return the variables that may be written under a condition."""
        return free if condition.printed == "TRUE" else self._writable()

    def _doubt(self, scope: Scope) -> Piece:
        """Draw a condition that is not TRUE."""
        condition = self.condition(scope, 1)
        return condition if condition.printed != "TRUE" else leaf("bool", "FALSE")

    def _every(self, scope: Scope, free: list[Cell], depth: int, records: bool) -> Piece | None:
        kind = self.pick(self.bound)
        name = self.pick(VARIABLES[kind])
        under = scope.with_((name, kind))
        condition = leaf("bool", "TRUE") if self.chance(0.4) else self.condition(under, 1)
        count = 2 if condition.printed != "TRUE" and self.chance(0.3) else 1
        made = [self.effect(under, self._any(condition, free), depth, records) for _ in range(count)]
        inner = [one for one in made if one is not None]
        body = listed("every body", "%s", inner)
        return Piece("effect", f"every({name}, %s, %s)", (condition, body)) if inner else None

    def _assigned(self, scope: Scope, free: list[Cell]) -> Piece | None:
        if not free:
            return None
        cell = self.pick(free)
        self.touched.add(cell.name)
        target = self._has(cell, scope) if cell.columns else self.read(cell, scope)
        inside = Scope(scope.variables, cell.what == "ghost")
        if cell.kind == "N" and self.chance(0.5):
            sign = self.pick(("+", "+", "+", "-"))
            return self._set(cell, target, Piece("N", f"(%s {sign} 1)", (Piece("N", "%s", (target,)),)))
        if cell.kind == "bool" and self.chance(0.5):
            return self._set(cell, target, leaf("bool", self.pick(("TRUE", "TRUE", "FALSE"))))
        return self._set(cell, target, self.term(cell.kind, inside, 2))

    def _written(self, scope: Scope) -> Piece:
        record = self.pick(self.records)
        parts = [self.term(kind, scope, 0) for kind in record.about]
        texts = ["%s"] * len(parts)
        for name, kind, optional in record.fields:
            if optional and self.chance(0.3):
                continue
            value = self.term(kind, scope, 1)
            if optional and self.chance(0.5):
                value = Piece("said", "said(%s, if_=%s)", (value, self.condition(scope, 1)))
            parts.append(value)
            texts.append(f"{name[1:]}=%s")
        return Piece("effect", f"{record.name}({', '.join(texts)})", tuple(parts))

    # -- the protocol ----------------------------------------------------------------------------------------------
    def _protocol(self) -> Piece:
        rng = self.rng
        self.events: list[tuple[str, tuple[tuple[str, str], ...]]] = []
        for number in range(rng.randrange(1, 4)):
            kinds = [self.pick((*self.spoken, *self.sorts)) for _ in range(self.pick((0, 1, 1, 2)))]
            kinds = [kind for kind in kinds if kind != "?A"]
            params = tuple(dict.fromkeys((self.pick(VARIABLES[kind]), kind) for kind in kinds))
            given = (
                Piece("option", ", given=%s", (self.condition(Scope(params, False), 1),))
                if self.chance(0.12)
                else leaf("option", "")
            )
            names = "".join(f", {name}" for name, _ in params)
            text = f'E{number} = event("E{number}"{names}%s, source="drawn")'
            self.declare(f"E{number}", Piece("event", text, (given,)))
            self.events.append((f"E{number}", params))
        self.rows: list[tuple[str, tuple[tuple[str, str], ...], bool]] = []
        modes = [self.chance(0.4) for _ in range(self.pick((1, 1, 2)))]
        tables: list[list[Piece]] = [[] for _ in modes]
        for number in range(self.pick((1, 2, 3, 3, 4, 4))):
            at = rng.randrange(len(modes))
            tables[at].append(self._row(number, modes[at]))
        if not any(effects for _, _, effects in self.rows):
            tables[0].append(self._row(len(self.rows), modes[0], refusal=False))
        made = [
            listed("table", f'table("T{at}", %s, mode="first match")' if first else f'table("T{at}", %s)', rows)
            for at, (first, rows) in enumerate(zip(modes, tables, strict=True))
            if rows
        ]
        claims = [self._claim(number) for number in range(rng.randrange(2, 7))]
        assumed, options = self._assumed(), self._options()
        claims += self._of_a_refusal(len(claims))
        return Piece(
            "protocol",
            'PROTOCOL = protocol(\n    "drawn",\n    %s    properties=[%s],\n    assumptions=[%s],\n    %s%s,\n)',
            (
                listed("tables", "%s\n", [Piece("whole table", "%s,", (one,)) for one in made], "\n    "),
                listed("claims", "\n        %s\n    ", claims, "\n        ") if claims else leaf("claims", ""),
                listed("assumptions", "%s", assumed),
                *options,
            ),
        )

    def _row(self, number: int, first: bool, refusal: bool | None = None) -> Piece:
        name, params = self.pick(self.events)
        chosen: tuple[tuple[str, str], ...] = ()
        if not first and self.chance(0.15):
            kind = self.pick([one for one in self.spoken if one in ("A", "B", "N")] or ["A"])
            free = [one for one in VARIABLES[kind] if one not in {known for known, _ in params}]
            chosen = ((self.pick(free), kind),) if free else ()
        scope = Scope((*params, *chosen))
        refusing = self.chance(0.25) if refusal is None else refusal
        effects = [] if refusing else self.effects(scope, 3)
        options = []
        if chosen:
            options.append(leaf("option", f", choose=({chosen[0][0]},)"))
        if "C" in self.spoken and self.chance(0.5):
            options.append(Piece("option", ", say=%s", (self.term("C", scope, 0),)))
        guard = leaf("bool", "TRUE") if self.chance(0.3) else self.condition(scope, self.pick((0, 0, 1, 2)))
        id = f"W{number}"
        self.happening.add(name)
        self.rows.append((id, (*params, *chosen), bool(effects)))
        body = listed("effects", "%s" if not effects else ", %s", effects)
        return Piece("row", f'{name}("{id}", %s%s%s)', (guard, body, listed("row options", "%s", options, "")))

    def _scope_text(self) -> str:
        return self.pick(("", "", ", scope=AT_RESULT_BOUNDARIES", ", scope=AT_RESULT_BOUNDARIES", ", scope=COMMITTED"))

    def _expected(self) -> str:
        return ', expected="violated"' if self.chance(0.08) else ""

    def _claim(self, number: int) -> Piece:
        id, what = f"P{number}", self.rng.randrange(10)
        if what < 3:
            text = f'always("{id}", %s{self._scope_text()}{self._expected()})'
            return Piece("claim", f"{text},", (self._likely(Scope((), True)),))
        if what < 7:
            rows = [one for one in self.rows if self.chance(0.4)] if self.chance(0.6) else []
            named = f", rows=({''.join(f'{chr(34)}{one}{chr(34)}, ' for one, _, _ in rows)})" if rows else ""
            shared = set(rows[0][1]).intersection(*(params for _, params, _ in rows)) if rows else set()
            scope = Scope(tuple(sorted(shared)), True, True)
            text = f'step("{id}", %s{self._scope_text()}{named}{self._expected()})'
            return Piece("claim", f"{text},", (self._likely(scope),))
        if what == 7:
            return Piece("claim", f'sometimes("{id}", %s),', (self.condition(Scope((), True), 2),))
        fair = [name for name in self._alive() if self.chance(0.6)]
        strong = [name for name in fair if self.chance(0.3)]
        weak = [name for name in fair if name not in strong]
        texts = ["(" + "".join(f'"{name}", ' for name in some) + ")" for some in (weak, strong)]
        text = f'leads_to("{id}", %s, %s, {texts[0]}, strongly_fair={texts[1]}),'
        return Piece("claim", text, (self.condition(Scope((), True), 1), self.condition(Scope((), True), 1)))

    def _of_a_refusal(self, number: int) -> list[Piece]:
        """Draw, where a row refuses, often a claim that names the row and one of every step, which a refusal is not:
        that some variable changes. The step of a refusal would break the second.
        """
        refusals = [(id, params) for id, params, effects in self.rows if not effects]
        changed = [
            self._changed(cell) for cell in self.cells if cell.kind != "Q" and len({*cell.keys}) == len(cell.keys)
        ]
        if not refusals or not changed or not self.chance(0.5):
            return []
        id, params = self.pick(refusals)
        named = f'step("P{number}", %s{self._scope_text()}, rows=("{id}",)),'
        every = f'step("P{number + 1}", %s{self._scope_text()}),'
        return [
            Piece("claim", named, (self._likely(Scope(params, True, True)),)),
            Piece(
                "claim",
                every,
                (functools.reduce(lambda one, other: Piece("bool", "(%s | %s)", (one, other)), changed),),
            ),
        ]

    def _changed(self, cell: Cell) -> Piece:
        """Return the claim that a variable changes for some values of its keys."""
        names = [VARIABLES[key][0] if key in VARIABLES else "o" for key in cell.keys]
        read = self._plain(cell, names)
        claim = leaf("bool", f"next_({read}).isnt({read})")
        for name in names:
            claim = Piece("bool", f"exists({name}, %s)", (claim,))
        return claim

    def _alive(self) -> list[str]:
        return [name for name, _ in self.events if name in self.happening]

    def _likely(self, scope: Scope) -> Piece:
        """Draw a claim that has some chance to hold: a range, that something only grows, or any condition."""
        if self.chance(0.5):
            cell = self.pick(self.cells)
            names = [VARIABLES[key][0] if key in VARIABLES else "o" for key in cell.keys]
            if len(set(names)) == len(names):
                keys = tuple(zip(names, cell.keys, strict=True))
                read = self._plain(cell, names)
                claim = self._kept(cell, read, scope.with_(*keys))
                for name in names:
                    claim = Piece("bool", f"forall({name}, %s)", (claim,))
                return claim
        return self.condition(scope, 2)

    @staticmethod
    def _plain(cell: Cell, names: list[str]) -> str:
        if not names:
            return cell.name
        if cell.columns:
            return f"{cell.name}.has({', '.join(f'{c}={n}' for c, n in zip(cell.columns, names, strict=True))})"
        return f"{cell.name}[{', '.join(names)}]"

    def _kept(self, cell: Cell, read: str, scope: Scope) -> Piece:
        after = f"next_({read})"
        if cell.kind == "bool":
            kept = (f"{read}.implies({after})", f"{read}.implies({after})", f"{after}.isnt({read})")
            text = self.pick(kept) if scope.after else self.pick((read, f"~{read}"))
            return (
                leaf("bool", text)
                if self.chance(0.6)
                else Piece("bool", f"{read}.implies(%s)", (self.condition(scope, 1),))
            )
        if cell.kind == "N":
            top = self.rng.randrange(self.low, self.sizes["n"] + 1)
            more = self.pick((">=", ">"))
            text = f"({after} {more} {read})" if scope.after else f"({read} {self.pick(('<=', '>='))} {top})"
            return leaf("bool", text)
        if cell.kind == "{A}":
            return leaf(
                "bool", f"({read} <= {after})" if scope.after else f"~at_least({read}, Lit({self.sizes['q']}, Q))"
            )
        if scope.after and cell.kind != "Q":
            return leaf("bool", f"{after}.{self.pick(('is_', 'is_', 'isnt'))}({read})")
        return Piece("bool", "%s.implies(%s)", (self.condition(scope, 1), self.condition(scope, 1)))

    def _assumed(self) -> list[Piece]:
        found = []
        for number, (name, params) in enumerate(self.events):
            if name in self.happening and self.chance(0.15):
                text = f'assume("S{number}", %s, event="{name}")'
                found.append(Piece("assumption", text, (self.condition(Scope(params), 1),)))
        if self.chance(0.08):
            found.append(Piece("assumption", 'assume("S", %s)', (self.condition(Scope(), 1),)))
        return found

    def _options(self) -> tuple[Piece, Piece]:
        start = self.condition(Scope(), 1) if self.chance(0.1) else leaf("bool", "TRUE")
        given = [
            Piece("given", f'"{name}": %s', (self.condition(Scope(params), 1),))
            for name, params in self.events
            if name in self.happening and self.chance(0.15)
        ]
        bound = Piece(
            "bound", 'bounds={"tiny": Bound(SIZES, start=%s, given={%s})}', (start, listed("givens", "%s", given))
        )
        options = []
        if self.chance(0.1):
            options.append(Piece("option", ",\n    start=%s", (self.condition(Scope(), 1),)))
        if self.chance(0.4):
            options.append(leaf("option", ",\n    ends=True"))
        return bound, listed("options", "%s", options, "")


def drawn(seed: int) -> Text:
    """Return the protocol of a seed: the first that is drawn in which nothing is left out."""
    for attempt in itertools.count():
        text = Drawing(seed, attempt).draw()
        try:
            protocol = made(text).protocol
        except TableError as error:
            if TWICE not in str(error):
                raise
            continue
        if not left_out(protocol):
            return text
    raise AssertionError
