"""Whether a condition is sure to be false: cheaper than its value where much is unknown."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from fencepost.checkers.conformance.classes.frames import MISSING, Code, Env, Frame, more_values, restore
from fencepost.model.language import Term, Var
from fencepost.model.language.state import State
from fencepost.model.language.terms import Before, Get, Implies, Named, Nary, Not, Quant
from fencepost.model.language.walk import bare, children

from .connectives import memoised
from .kleene import Compiler
from .outcomes import outcomes
from .quantified import Candidates


def denied(compiler: Compiler, term: Term[bool]) -> Code:
    """Return the function that evaluates whether a condition is false, whatever the log does not show.

    It answers True exactly where the compiled condition answers False.
    """
    if not outcomes(term, (), compiler.known)[1]:
        # It is never known to be false: that depends on cells that no log shows.
        return lambda frame, env: False
    match term:
        case Named() | Before():
            return denied(compiler, term.term)
        case Nary(operator="and"):
            return _some([denied(compiler, part) for part in term.terms])
        case Nary():
            return _all([denied(compiler, part) for part in term.terms])
        case Implies():
            return _implication(compiler.code(term.left), denied(compiler, term.right))
        case Not():
            code = compiler.code(term.term)
            return lambda frame, env: code(frame, env) is True
        case Quant():
            # Several bindings of a row ask the same.
            return memoised(Not(term), _quantifier(compiler, term))
        case _:
            plain = compiler.code(term)
            return lambda frame, env: plain(frame, env) is False


def _some(parts: list[Code]) -> Code:
    def run(frame: Frame, env: Env) -> Any:
        return any(part(frame, env) for part in parts)

    return run


def _all(parts: list[Code]) -> Code:
    def run(frame: Frame, env: Env) -> Any:
        return all(part(frame, env) for part in parts)

    return run


def _implication(left: Code, right: Code) -> Code:
    def run(frame: Frame, env: Env) -> Any:
        return left(frame, env) is True and right(frame, env)

    return run


def _quantifier(compiler: Compiler, term: Quant) -> Code:
    """Return whether some instance denies a "for all", or every instance a "for some"."""
    var, universal, body = term.var, term.quantifier == "every", denied(compiler, term.body)
    candidates = Candidates(compiler, term)
    said = bare(term.body)
    shared: Code | None = None
    if universal and isinstance(said, Implies) and not _rests_on(said.right, var, compiler.known):
        shared = denied(compiler, said.right)

    def run(frame: Frame, env: Env) -> Any:
        if shared is not None and not shared(frame, env):
            # What an instance says is the same for all, and not false.
            return False
        domain = candidates(frame, env)
        # Of a kind that cannot be listed, and where more may exist than was seen, nothing is sure but a counterexample.
        if domain is None or (not universal and more_values(frame, var.kind)):
            return False
        old = env.get(var, MISSING)
        found = not universal
        for value in domain:
            env[var] = value
            if body(frame, env) is universal:
                found = universal
                break
        restore(env, var, old)
        return found

    return run


def _rests_on(term: Term[Any], var: Var[Any], known: Container[State[Any]]) -> bool:
    """Whether the value that a log shows of a term depends on a variable."""
    if isinstance(term, Get) and term.state not in known:
        return False
    return term is var or any(_rests_on(child, var, known) for child in children(term))
