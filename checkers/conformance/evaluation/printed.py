"""Three-valued terms as Python source: what `kleene` evaluates by closures, compiled once it is evaluated often.

Every term is one expression; a named term, a quantifier and a comprehension become functions of their own, which keep
what they found in the frame, under the keys that the closures use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, assert_never, cast

from fencepost.checkers.conformance.classes.frames import MISSING, Code, Env, Frame, first_value
from fencepost.model.language import Term, Var
from fencepost.model.language.kinds import EntityKind, OptionKind
from fencepost.model.language.nodes import (
    Ascending,
    At,
    Before,
    Comprehension,
    Each,
    Elems,
    Eq,
    First,
    Get,
    Implies,
    Ite,
    Keep,
    Lit,
    MaxOf,
    Member,
    Named,
    Nary,
    Next,
    Not,
    Quant,
    SetOp,
    Structure,
    Subset,
)
from fencepost.model.language.operators import operator_of
from fencepost.model.language.walk import bare, children

from .connectives import is_defined, keys_of
from .indexes import selector
from .printed_calls import CALLS
from .quantified import Candidates
from .source import Source, is_small

if TYPE_CHECKING:
    from .kleene import Compiler

OFTEN: Final = 150
"""A term that was evaluated so many times is printed: to compile it costs a millisecond, as much as these cost."""

_DEEPEST: Final = 20
"""The depth beyond which a term is a function of its own: Python reads at most 200 nested parentheses."""

_SHORT: Final = 120
"""So short, what a choice is between is printed twice: to give it a name costs more."""

_Names = Sequence[str]


def tiered(closure: Callable[[], Code], printed: Callable[[], Code]) -> Code:
    """Return a term's code: closures at first, and what is printed of it once it is evaluated often."""
    times = 0
    found: Code | None = None

    def run(frame: Frame, env: Env) -> Any:
        nonlocal times, found
        if times < OFTEN:
            times += 1
            found = printed() if times == OFTEN else found or closure()
        assert found is not None
        return found(frame, env)

    return run


class Printer(Source):
    """Prints the terms of a compiler."""

    def __init__(self, compiler: Compiler) -> None:
        self.compiler = compiler
        super().__init__(dict(CALLS))
        self._functions: dict[tuple[str, Any], str] = {}
        self._temporaries = self._depth = 0

    def code(self, term: Term[Any]) -> Code:
        """Return the function that evaluates a term in a frame under variables."""
        variables = keys_of(term)
        lines = [f"{self.variable(var)} = env.get({self.constant(var)}, U)" for var in variables]
        name = self._define("r", ("env",), [*lines, f"return {self._printed(term)}"])
        return cast(Code, self.space[name])

    # -- functions -------------------------------------------------------------------------------------------------
    def _define(self, prefix: str, params: _Names, lines: Sequence[str]) -> str:
        name = f"{prefix}{len(self.space)}"
        body = "".join(f"    {line}\n" for line in lines)
        source = f"def {name}({', '.join(('F', *params))}):\n    T = F.tables\n{body}"
        self.made(name, source)
        return name

    @contextmanager
    def _apart(self) -> Iterator[None]:
        """Print the terms of the block as functions of their own."""
        depth, self._depth = self._depth, 0
        try:
            yield
        finally:
            self._depth = depth

    def _call(self, what: str, term: Term[Any], lines: Callable[[], list[str]], frame: str = "F", *first: str) -> str:
        """Return the call of a function of a term's variables, defined when it is first called.

        What it takes `first` are names of its own.
        """
        names = [self.variable(var) for var in keys_of(term)]
        name = self._functions.get((what, term))
        if name is None:
            with self._apart():
                name = self._define(what, (*("item" for _ in first), *names), lines())
            self._functions[what, term] = name
        return f"{name}({', '.join((frame, *first, *names))})"

    def _kept(self, term: Term[Any]) -> str:
        """Return the call of the function that evaluates a term once a state."""

        def lines() -> list[str]:
            names = [self.variable(var) for var in keys_of(term)]
            constant = self.constant(term)
            key = f"({', '.join((constant, *names))})" if names else constant
            of = bare(term)
            if isinstance(of, Quant):
                inner = self._quantifier(of)
            elif isinstance(of, Comprehension):
                inner = self._comprehension(of)
            else:
                inner = [f"found = {self._text(of)}"]
            return [
                "memo = F.memo",
                f"key = {key}",
                "found = memo.get(key, MISSING)",
                "if found is MISSING:",
                *(f"    {line}" for line in inner),
                "    memo[key] = found",
                "return found",
            ]

        return self._call("k", term, lines)

    def _values(self, term: Term[Any]) -> str:
        """Return the values of a term's variables in the form that the search by an index takes."""
        return "{" + ", ".join(f"{self.constant(var)}: {self.variable(var)}" for var in keys_of(term)) + "}"

    def _quantifier(self, term: Quant) -> list[str]:
        deciding, var = term.quantifier == "some", self.variable(term.var)
        found = self.constant(Candidates(self.compiler, term))
        return [
            f"domain = {found}(F, {self._values(term)})",
            f"found = {self._unless_open(term.var, repr(not deciding))}",
            f"for {var} in (U,) if domain is None else domain:",
            f"    one = {self._printed(term.body)}",
            f"    if one is {deciding} and domain is not None:",
            "        found = one",
            "        break",
            f"    if one is not {not deciding}:",
            "        found = U",
        ]

    def _comprehension(self, term: Comprehension[Any]) -> list[str]:
        var = self.variable(term.var)
        select = self.constant(selector(self.compiler, term.var, term.body))
        domain = f"_candidates(F, {self.constant(term.var)}, {select}, {self._values(term)})"
        return [
            f"domain = {self._unless_open(term.var, domain, 'None')}",
            "if domain is None:",
            "    found = U",
            "else:",
            "    chosen = []",
            f"    for {var} in domain:",
            f"        one = {self._printed(term.body)}",
            "        if one is U:",
            "            found = U",
            "            break",
            "        if one:",
            f"            chosen.append({var})",
            "    else:",
            "        found = frozenset(chosen)",
        ]

    @staticmethod
    def _unless_open(var: Var[Any], text: str, otherwise: str = "U") -> str:
        """Return a text that is valid unless there may be values that were not seen."""
        return f"{otherwise} if F.open else {text}" if isinstance(var.kind, (EntityKind, OptionKind)) else text

    # -- expressions -----------------------------------------------------------------------------------------------
    def _printed(self, term: Term[Any]) -> str:
        """Return a term as a Python expression."""
        term = _open(term)
        literal = _literal(term)
        if literal is not MISSING:
            return self.constant(literal)
        if isinstance(term, (Named, Quant, Comprehension, MaxOf)):
            return self._kept(term)
        if self._depth > _DEEPEST and not isinstance(term, (Lit, Var)):
            return self._call("d", term, lambda: [f"return {self._text(term)}"])
        self._depth += 1
        found = self._text(term)
        self._depth -= 1
        return found

    def _asked(self, term: Term[Any]) -> tuple[str, str]:
        """Return a name for the value of a term, and an expression that evaluates it and gives it the name."""
        text = self._printed(term)
        if text.isidentifier():
            return text, text
        self._temporaries += 1
        name = f"t{self._temporaries}"
        return name, f"({name} := {text})"

    def _known(self, terms: Sequence[Term[Any]], made: Callable[..., str]) -> str:
        """Return a function of values, unknown where one of them is: the first that is ends it."""
        names, texts = list[str](), list[str]()
        for term in terms:
            is_literal = _literal(_open(term)) is not MISSING
            name, text = (self._printed(term), "") if is_literal else self._asked(term)
            names.append(name)
            texts += [] if is_literal else [f"{text} is U"]
        return f"(U if {' or '.join(texts)} else {made(*names)})" if texts else f"({made(*names)})"

    def _connective(self, terms: Sequence[Term[Any]], result: bool) -> str:
        """Return what is `result` as soon as one of some conditions is, and unknown where none is and one unknown."""
        deciding, never_other = self.compiler.deciding(terms, result)
        bare_ = [(one.term, not result) if isinstance(one, Not) else (one, result) for one in deciding]
        pairs = [(*self._asked(one), wanted) for one, wanted in bare_]
        any_ = " or ".join(f"{text} is {wanted}" for _, text, wanted in pairs)
        unknown = " or ".join(f"{name} is U" for name, _, _ in pairs)
        if never_other:
            return f"({result} if {any_} else U)" if pairs else "U"
        return f"({result} if {any_} else U if {unknown} else {not result})"

    def _text(self, term: Term[Any]) -> str:
        match term:
            case Eq() if term.left is term.right:
                return "True"
            case Member():
                name, text = self._asked(term.item)
                inside = self._contains(term.collection, name)
                whole = self._printed(term.collection)
                return f"(({self._empty(whole)}) if {text} is U else False if {name} is None else {inside})"
            case Subset():
                return f"_subset({self._printed(term.left)}, {self._tests(term.right)})"
            case SetOp():
                return self._set_operation(term)
            case First():
                return f"_first({self._printed(term.of)}, {self._tests(term.among)})"
            case Keep():
                return f"_keep({self._printed(term.of)}, {self._tests(term.among)})"
            case Ascending():
                return self._known([term.of], lambda a: f"_ascending(F, {a})")
            case At():
                return f"_at({self._printed(term.values)}, {self._printed(term.along)}, {self._printed(term.entry)})"
        operator = operator_of(term)
        if operator is not None:
            return self._known(children(term), operator.python_of)
        node = cast(Structure, term)
        match node:
            case Lit():
                return self.constant(node.value)
            case Var():
                return self.variable(node)
            case Get():
                return self._get(node)
            case Nary():
                return self._connective(node.terms, node.operator == "or")
            case Implies():
                return self._connective((Not(node.left), node.right), True)
            case Ite():
                return self._choice(node)
            case MaxOf():
                # Counters have no last value here, so the greatest cannot be found by trying.
                return "U"
            case Each():
                return self._call("e", node, lambda: self._each_lines(node))
            case Next():
                after = self._next(node)
                return f"(U if F.after is None else {after})"
            case Named() | Before() | Quant() | Comprehension():
                return self._printed(node)
        assert_never(node)

    def _each_lines(self, term: Each[Any]) -> list[str]:
        var = self.variable(term.var)
        return [
            f"along = {self._printed(term.along)}",
            "if along is U:",
            "    return U",
            "found = []",
            f"for {var} in along:",
            f"    found.append({self._printed(term.body)})",
            "return U if U in found else tuple(found)",
        ]

    def _next(self, term: Next[Any]) -> str:
        inner = term.term
        return self._call("n", inner, lambda: [f"return {self._printed(inner)}"], "F.after")

    def _get(self, term: Get[Any]) -> str:
        table = self.compiler.known.get(term.state)
        if table is None:
            return "U"
        initial = self.constant(self.compiler.initial.get(term.state, first_value(term.state)))
        if not term.keys:
            return f"T[{table}].get((), {initial})"
        if len(term.keys) == 1:
            name, text = self._asked(term.keys[0])
            return f"(_anywhere(T[{table}], {initial}) if {text} is U else T[{table}].get(({name},), {initial}))"
        return self._known(term.keys, lambda *names: f"T[{table}].get(({', '.join(names)}), {initial})")

    def _choice(self, term: Ite[Any]) -> str:
        """Return a choice; where the condition is unknown both are evaluated."""
        condition = _literal(_open(term.condition))
        if condition is not MISSING:
            return self._printed(term.then if condition else term.otherwise)
        (decided, condition), (one, then), (other, otherwise) = map(
            self._asked, (term.condition, term.then, term.otherwise)
        )
        if len(then) + len(otherwise) < _SHORT:
            either = f"{otherwise} if {decided} is False else _agreed({then}, {otherwise})"
            return f"({then} if {condition} is True else {either})"
        return (
            f"({one} if {condition} is not False and ({then} is {one}) and {decided} is True else "
            f"{other} if ({otherwise} is {other}) and {decided} is False else _agreed({one}, {other}))"
        )

    # -- sets ------------------------------------------------------------------------------------------------------
    def _empty(self, whole: str) -> str:
        return f"False if (whole := {whole}) is not U and not whole else U"

    def _test(self, collection: Term[Any]) -> str:
        """Return the text of a function that evaluates whether a collection has an item."""
        return f"lambda item: {self._contains(collection, 'item')}"

    def _tests(self, collection: Term[Any]) -> str:
        """Return that function, and that of the collection where it is not defined by a condition."""
        whole = "None" if is_defined(collection) else f"lambda: {self._members(collection)}"
        return f"{self._test(collection)}, {whole}"

    def _members(self, collection: Term[Any]) -> str:
        """Return a collection as what `in` asks: of the members of a list the list itself."""
        collection = _open(collection)
        return self._printed(collection.of if isinstance(collection, Elems) else collection)

    def _contains(self, collection: Term[Any], item: str) -> str:
        """Return the test of one known item, which may be decided although the whole set is not known."""
        plain = bare(collection)
        if isinstance(plain, Comprehension):
            # One member costs less than the whole set, even where that is kept.
            var, of = self.variable(plain.var), plain
            return self._call("m", of, lambda: [f"{var} = item", f"return {self._printed(of.body)}"], "F", item)
        if isinstance(plain, (Ite, SetOp)):
            return self._call("m", collection, lambda: self._by_parts(collection, plain), "F", item)
        self._temporaries += 1
        name = f"t{self._temporaries}"
        return f"({item} in {name} if ({name} := {self._members(collection)}) is not U else U)"

    def _by_parts(self, collection: Term[Any], plain: Ite[Any] | SetOp[Any]) -> list[str]:
        lines = []
        # A named term was perhaps evaluated before; else its parts give the same answer.
        if isinstance(_open(collection), Named) and not is_defined(plain):
            lines = [f"whole = {self._printed(collection)}", "if whole is not U:", "    return item in whole"]
        if isinstance(plain, Ite):
            then, otherwise = self._contains(plain.then, "item"), self._contains(plain.otherwise, "item")
            return [
                *lines,
                f"decided = {self._printed(plain.condition)}",
                "if decided is not False:",
                f"    one = {then}",
                "    if decided is True:",
                "        return one",
                f"other = {otherwise}",
                "return other if decided is False or one is other else U",
            ]
        operator, decides = plain.operator, plain.operator == "|"
        negated = ["other = U if other is U else not other"] if operator == "-" else []
        return [
            *lines,
            f"one = {self._contains(plain.left, 'item')}",
            f"if one is {decides}:",
            "    return one",
            f"other = {self._contains(plain.right, 'item')}",
            *negated,
            f"return other if other is {decides} or one is not U else U",
        ]

    def _set_operation(self, term: SetOp[Any]) -> str:
        """Return the intersection, union or difference of two sets, as `Compiler` has it."""
        (one, left), (other, right) = self._asked(term.left), self._asked(term.right)
        whole = (
            f"(_undecided({term.operator!r}, {one}, {other}) if ({left} is U) | ({right} is U) else "
            f"{one} {term.operator} {other})"
        )
        cut = self.compiler.cut(term)
        if cut is None:
            return whole
        few, others, somebody = cut
        if term.operator == "-":
            whole = "U"
        elif somebody is not None:
            whole = f"U if {self._printed(somebody)} is True else {whole}"
        return f"_those({self._printed(few)}, {self._test(others)}, {term.operator == '&'}, lambda: {whole})"


def _open(term: Term[Any]) -> Term[Any]:
    """Return the term that is printed in place of another, without the names that are not looked up."""
    while isinstance(term, Before) or (isinstance(term, Named) and is_small(term)):
        term = term.term
    return term


def _literal(term: Term[Any]) -> Any:
    """Return the value that a term has in every state, `MISSING` where it depends on one."""
    if isinstance(term, Lit):
        return term.value
    operator, inside = operator_of(term), children(term)
    values = [one.value for one in inside if isinstance(one, Lit)]
    return MISSING if operator is None or len(values) < len(inside) else operator.apply(*values)
