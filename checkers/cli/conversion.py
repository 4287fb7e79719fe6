"""Values of parameters as commands take them, without pydantic where nothing is to be converted.

Typer converts every value, defaults too, by an adapter of pydantic, which takes a tenth of a short command to load.
"""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand, TyperGroup

_TEXTS: dict[Any, type[Any]] = {str: str, list[str]: list}
"""Annotations whose values are words of the command line as they are, and what holds these."""


class _AsGiven:
    """Leaves defaults and ASCII texts as they are; any other value is converted as typer does it."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return a value as the command takes it; raises as typer does for one that is none of the parameter."""
        several = param.multiple or param.nargs == -1
        if value is None:
            return () if several else None
        if value is param.default:
            return value
        holder = _TEXTS.get(param.type_descriptor.annotation)
        words = value if several else (value,)
        if holder is not None and all(isinstance(one, str) and one.isascii() for one in words):
            return holder(value)
        param._runtime_param = None  # as typer makes a parameter: its own conversion is made when it is asked for
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)


class Command(TyperCommand):
    """A command that loads pydantic only for values which have to be converted."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, the option for help among them."""
        return _taken_as_given(super().get_params(ctx))


class Commands(TyperGroup):
    """The application, of which the same is true."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, the option for help among them."""
        return _taken_as_given(super().get_params(ctx))


def _taken_as_given(parameters: list[Any]) -> list[Any]:
    for param in parameters:
        if param._runtime_param is None:
            param._runtime_param = _AsGiven()
    return parameters


__all__ = ["Command", "Commands"]
