"""Verdicts in colour, for pages on a terminal and for what rich renders."""

from __future__ import annotations

from typing import TextIO

from rich.console import Console
from rich.highlighter import RegexHighlighter
from rich.theme import Theme

from .terminal import columns


class _Verdicts(RegexHighlighter):
    base_style = "verdict."
    highlights = [
        r"(?P<good>(?<![\w-])(proved|closed|witnessed|conforms|agrees|as declared)(?![\w-]))",
        r"(?P<bad>(?<![\w-])(violated|violates|not inductive|disagrees|differs|refuted)(?![\w-]))",
        r"(?P<open>(?<![\w-])(inconclusive|undecided|vacuous|missing)(?![\w-]))",
    ]


_THEME = Theme({"verdict.good": "green", "verdict.bad": "bold red", "verdict.open": "yellow"})


def console(stream: TextIO) -> Console:
    """Return the console of a stream, as wide as `columns` says; what a log names, as `:key:`, is no picture."""
    return Console(
        file=stream,
        width=columns(stream),
        highlighter=_Verdicts(),
        theme=_THEME,
        force_terminal=stream.isatty(),
        emoji=False,
    )
