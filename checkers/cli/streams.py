"""The output of this process, control characters escaped, no exit code decided by where it goes; and what ends it.

What a log names may hold escape sequences, that a terminal would obey, or begin a line as a command of GitHub's. What
cannot be written goes nowhere; that it is lost is known at the end.
"""

from __future__ import annotations

import io
import os
import re
import select
import signal
import sys
from typing import cast

from fencepost.checkers.plain import CONTROL, code, plain
from fencepost.checkers.verdicts import ENDING

_BUT_COLOURS = re.compile(rf"\x1b\[[0-9;]*m|[{CONTROL}]")
"""Control characters, with the colours that a terminal is to have found as a whole."""
_COMMAND = re.compile(r"^(\s*)(::|##\[)", re.MULTILINE)
"""A line that a workflow of GitHub would obey."""


def _but_colours(text: str) -> str:
    return _BUT_COLOURS.sub(lambda found: found.group() if len(found.group()) > 1 else code(found), text)


class Output(io.TextIOWrapper):
    """Standard output or error: `lost` is why something could not be written, `unread` whether the reader left."""

    lost: OSError | None = None
    unread = False
    colours = False

    def write(self, text: str) -> int:
        """Write a text, its control characters escaped, and no line as a command."""
        shown = _but_colours(text) if self.colours else plain(text)
        self.write_raw(_COMMAND.sub(r"\1\\\2", shown))
        return len(text)

    def write_raw(self, text: str) -> None:
        """Write a text as it is."""
        try:
            super().write(text)
        except OSError as error:
            self._lose(error)

    def flush(self) -> None:
        """Write what is held back."""
        try:
            super().flush()
        except OSError as error:
            self._lose(error)

    def _lose(self, error: OSError) -> None:
        self.unread = isinstance(error, BrokenPipeError)
        if not self.unread:
            self.lost = self.lost or error
        os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
        super().flush()


def own_streams() -> None:
    """Write to standard output and error through `Output`; one that is closed is as one that is not read."""
    while (number := os.open(os.devnull, os.O_RDWR)) < 3:
        pass
    os.close(number)
    for number, name in ((1, "stdout"), (2, "stderr")):
        made = _output(getattr(sys, name), number)
        setattr(sys, name, made)
        setattr(sys, f"__{name}__", made)
    cast(Output, sys.stdout).colours = sys.stdout.isatty()


def _output(before: object, number: int) -> Output:
    if not isinstance(before, io.TextIOWrapper):
        return Output(io.BufferedWriter(io.FileIO(number, "wb", closefd=False)), "utf-8", "backslashreplace")
    encoding, lines, through = before.encoding, before.line_buffering, before.write_through
    buffer = cast(io.BufferedWriter, before.detach())
    made = Output(buffer, encoding, "backslashreplace", line_buffering=lines, write_through=through)
    if number == 2 and made.isatty():
        made.write = made.write_raw  # type: ignore[assignment, method-assign]
    return made


def command(line: str) -> None:
    """Print a line that is a command of GitHub's."""
    out = sys.stdout
    (out.write_raw if isinstance(out, Output) else out.write)(f"{line}\n")
    out.flush()


def lost() -> str | None:
    """Return why a part of the output could not be written, None where all of it was, or where it was not read."""
    error = sys.stdout.lost if isinstance(sys.stdout, Output) else None
    return None if error is None else error.strerror or str(error)


def unread() -> bool:
    """Return whether standard output is a pipe whose reader has left, so that there is no reason to go on."""
    out = sys.stdout
    if isinstance(out, Output) and not out.unread and hasattr(select, "poll"):
        asked = select.poll()
        asked.register(out.fileno(), 0)
        out.unread = any(event & select.POLLERR for _, event in asked.poll(0))
    return isinstance(out, Output) and out.unread


HARD = 10
"""Seconds after a signal at which the system ends this process, whatever it does."""


def end_by_signals() -> list[int]:
    """Let the signals that end a process interrupt it as Ctrl-C does, so that it takes its children and files with it.

    Returns a list that has the signal once there was one.
    """
    seen: list[int] = []

    def ended(number: int, _: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        if hasattr(signal, "alarm"):
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(HARD)
        seen.append(number)
        raise KeyboardInterrupt

    for number in ENDING:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, ended)
    return seen
