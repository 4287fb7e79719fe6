"""Whether a condition is sure to be false: cheaper than its value, since what is unknown needs not be looked into."""

from __future__ import annotations

from typing import Any

from fencepost.model.language import Term
from fencepost.model.language.terms import Before, Implies, Named, Nary, Not, Quant

from .frames import MISSING, Code, Env, Frame, more_values, restore, values
from .kleene import Compiler


def denied(compiler: Compiler, term: Term[bool]) -> Code:
    """Return the function that tells whether a condition is false, whatever the log does not show.

    It answers True exactly where the compiled condition answers False.
    """
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
            return _quantifier(term, denied(compiler, term.body))
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


def _quantifier(term: Quant, body: Code) -> Code:
    """Return whether some instance denies a "for all", or every instance a "for some"."""
    var, universal = term.var, term.quantifier == "every"

    def run(frame: Frame, env: Env) -> Any:
        domain = values(frame, var.kind)
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
