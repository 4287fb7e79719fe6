"""The command line: parses, runs one command, prints its outcome, and turns an error into a sentence and a code."""

from __future__ import annotations

import errno
import gc
import importlib
import json
import os
import signal
import sys
import time
from collections.abc import Sequence
from types import ModuleType
from typing import Annotated, Any

import typer
from typer.main import get_command

from fencepost.checkers.extras import lacking
from fencepost.checkers.memory import MORE_MEMORY, asked_at_once, short_of_memory
from fencepost.checkers.plain import plain
from fencepost.checkers.verdicts import MEANINGS, ExitCode, Refusal, ReplayFailed

from .conversion import Command, Commands
from .outcome import COMPLETES, Outcome, failure
from .streams import end_by_signals, lost, own_streams
from .terminal import WIDTH, only_document
from .terminal import show as print_page

SHORT = {
    "check": "Check everything at once: proofs, explorations, recorded logs and answers.",
    "prove": "Prove that every row keeps every property, for any number of entities.",
    "explore": "Explore every reachable state of a protocol at a bound.",
    "whatif": "Say what a variant breaks of its base, asked of what its edit touches only.",
    "diff": "Say which rows and properties differ between two protocols, by meaning.",
    "museum": "List historical defects, and tell each in sentences from its shortest run.",
    "tlc": "Run TLC on the tables, and compare its counts with exploration's.",
    "conform": "Check recorded logs, recordings and event traces against the tables.",
    "ask": "Say what happens in a scenario, from nothing or from the state of a log.",
    "health": "Say how the cluster is at a moment of its metadata log, and since when.",
    "why": "Tell why a broker or a partition is as it is: the records back to what began it.",
    "story": "Tell what happened in a metadata log in sentences, with times, and why.",
    "redact": "Write a metadata log without names, hosts and secrets that still conforms.",
    "answers": "Replay recorded answers of Kafka's own classes, field by field.",
    "mutate": "Alter rows one at a time, and say which checker notices.",
    "simulate": "Run a reference controller in a simulated cluster, checked by the tables.",
    "show": "Show tables, a row, diagrams, the matrix, timers, a source, or a log.",
    "bench": "Measure what conform, prove, explore and simulate cost, and seeds to each bug.",
    "doctor": "Say what is installed, what is missing, and how to get it.",
    "storage": "Format the directories of a node, and list them, as Kafka does.",
    "serve": "Answer an assistant's questions about logs and tables, over MCP.",
    "new": "Write a protocol to begin with, or a change of one, and its test.",
    "schema": "Print the JSON Schema of what a command prints with --json.",
    "completion": "Print the script with which bash, zsh or fish completes.",
    "trace": "Write a run, or a counterexample, as a test that replays it.",
}
"""One line a command, for the list of all."""
_GROUPS = ("storage", "trace")
"""Commands that have commands of their own."""


def _module(name: str) -> ModuleType:
    return importlib.import_module(f".{name}", __package__)


def built(names: Sequence[str], listed: Sequence[str] = ()) -> typer.Typer:
    """Return the application with some commands, whose modules are imported, and others that are only listed."""
    made = typer.Typer(
        name="fencepost",
        cls=Commands,
        help="The Kafka controller protocol as transition tables: proved, explored, and checked against recorded logs.",
        epilog="Exit codes: " + ", ".join(f"{int(code)} {meaning}" for code, meaning in MEANINGS.items()) + ".",
        add_completion=COMPLETES in os.environ,
        rich_markup_mode=None,
        context_settings={"max_content_width": WIDTH},
    )
    made.callback()(_whole)
    for name in SHORT:
        if name not in (*names, *listed):
            continue
        if name in _GROUPS:
            group = _module(name).app if name in names else typer.Typer(callback=_listed)
            made.add_typer(group, name=name, short_help=SHORT[name])
        else:
            command = getattr(_module(name), name) if name in names else _listed
            made.command(name, short_help=SHORT[name], cls=Command)(command)
    return made


def _listed() -> None:
    """Stand for a command of which the name and the line in the list of all are printed, and nothing else."""


def __getattr__(name: str) -> Any:
    """Return the whole application, or its commands, made when they are first asked for."""
    if name == "app":
        return built(tuple(SHORT))
    if name == "COMMANDS":
        return tuple(getattr(_module(one), one) for one in SHORT if one not in _GROUPS)
    raise AttributeError(name)


def _version(wanted: bool) -> None:
    if wanted:
        from fencepost import __version__

        typer.echo(__version__)
        raise typer.Exit


def _whole(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """The Kafka controller protocol as transition tables: proved, explored, and checked against recorded logs."""


def main(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code; nothing is raised."""
    document = "--json" in arguments
    name = next((a for a in arguments if not a.startswith("-")), "fencepost")
    started = time.monotonic()
    try:
        with only_document(document):
            result = _called(get_command(built(*_asked(name, arguments))), list(arguments) or ["--help"])
    except KeyboardInterrupt:
        print(f"fencepost: {name} was stopped before its end: nothing is decided", file=sys.stderr)
        return int(ExitCode.STOPPED)
    except SystemExit as ended:  # completion ends so, whatever it completes
        return int(ended.code or 0)
    except Exception as error:
        message, code = told(error)
        result = failure(name, message, code)
    if not isinstance(result, Outcome):
        return int(result or 0)
    return _printed(result, time.monotonic() - started, document)


def _called(command: Any, arguments: list[str]) -> Any:
    """Return what a command returns, or the exit code of what ends without one, as --help.

    The command's own `main` would end with 1 where a pipe to a worker is broken, and say nothing of Ctrl-C.
    """
    if COMPLETES in os.environ:
        return command.main(arguments, "fencepost", standalone_mode=False)
    try:
        with command.make_context("fencepost", arguments) as context:
            return command.invoke(context)
    except typer.Exit as ended:
        return ended.exit_code


def _asked(name: str, arguments: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the commands that a command line may run, whose modules are loaded, and those that it may only list.

    A shell completes one.
    """
    if COMPLETES in os.environ:
        words = (os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or "").split()
        return ((words[1],) if len(words) > 1 and words[1] in SHORT else tuple(SHORT)), ()
    if list(arguments) == ["--version"]:
        return (), ()
    run = (name,) if name in SHORT else ()
    return run, (() if run and arguments[:1] == [name] else tuple(SHORT))


def told(error: Exception) -> tuple[str, ExitCode]:
    """Return an error as a sentence for its user, and the exit code that goes with it."""
    if os.environ.get("FENCEPOST_TRACEBACK"):
        import traceback

        traceback.print_exception(error, file=sys.stderr)
    if short_of_memory(error):  # first, as the imports below need memory
        asked = f" ({one} were asked for at once)" if (one := asked_at_once(error)) else ""
        return f"the memory that there is does not suffice{asked}: {MORE_MEMORY}", ExitCode.INCONCLUSIVE
    from fencepost.checkers.faults import table_fault
    from fencepost.model.language.errors import TableError
    from fencepost.model.registry import UnknownProtocol
    from fencepost.traces.errors import TraceError

    if needs := lacking(error):
        return needs, ExitCode.INCONCLUSIVE
    if isinstance(error, typer.TyperException):
        return f"{error.format_message()} See fencepost --help.", ExitCode.USAGE
    if isinstance(error, Refusal):
        return str(error), error.code
    if isinstance(error, (TableError, TraceError, UnknownProtocol)):
        return str(error.args[0] if isinstance(error, UnknownProtocol) else error), ExitCode.USAGE
    if isinstance(error, ReplayFailed):
        return f"A counterexample failed its replay, which is a defect of the engine: {error}", ExitCode.INTERNAL
    if isinstance(error, OSError) and (refused := _refused(error)) is not None:
        return refused, ExitCode.USAGE
    fault = table_fault(error)
    if fault is not None:
        return fault, ExitCode.USAGE
    said = " ".join(str(error).split())
    return (
        f"Something went wrong inside fencepost ({type(error).__name__}: {said}); "
        "set FENCEPOST_TRACEBACK=1 to see where.",
        ExitCode.INTERNAL,
    )


_DELETED = {code: f"\\u{code:04x}" for code in range(0x7F, 0xA0)}
"""Control characters that JSON may have as they are, and a terminal obeys."""


def _numbers(names: str) -> set[int]:
    return {getattr(errno, name) for name in names.split() if hasattr(errno, name)}


_FULL = _numbers("ENOSPC EDQUOT EFBIG EROFS EMFILE ENFILE")
"""Errors of the system for any write."""
_NOT_ALLOWED = _numbers("EACCES EPERM EIO ELOOP ENAMETOOLONG ESTALE")
"""Errors of the system for a file by its name, its permissions or its disk."""


def _refused(error: OSError) -> str | None:
    """Return what the system refuses as a sentence, None for an error that may be a defect."""
    if error.errno == errno.ENOENT and "No usable temporary directory" in str(error):
        return "no folder for temporary files can be written: set TMPDIR to one, or make room"
    if error.errno == errno.ENOENT and _gone():
        return "the folder in which this runs is gone: change to one that is there"
    # Asked for now, the temporary folder would be looked for, which fails where each is full.
    known = getattr(sys.modules.get("tempfile"), "tempdir", None) or os.environ.get("TMPDIR") or "this disk"
    place = os.fsdecode(error.filename) if error.filename is not None else known
    if error.errno in _FULL:
        return f"{place}: {os.strerror(error.errno)}; make room there, or set TMPDIR to another folder"
    if error.errno in _NOT_ALLOWED and error.filename is not None:
        return f"{place}: {os.strerror(error.errno)}; name another file, or change its permissions"
    return None


def _gone() -> bool:
    try:
        os.getcwd()
    except OSError:
        return True
    return False


def _printed(outcome: Outcome, seconds: float, document: bool) -> int:
    if document:
        print(json.dumps(outcome.document(seconds), ensure_ascii=False).translate(_DELETED))
    elif "message" in outcome.fields and not outcome.page:
        print(plain(f"fencepost: {outcome.fields['message']}"), file=sys.stderr)
    else:
        print_page(outcome.page, sys.stderr if outcome.aside else sys.stdout)
    sys.stdout.flush()
    return int(outcome.code)


def run() -> None:
    """Run the command line of this process, and end it: by the signal that ended the command, if one did."""
    own_streams()
    ended = end_by_signals()
    code = main(sys.argv[1:])
    why = lost()
    if why is not None:
        print(f"fencepost: standard output cannot be written ({why}): make room, or send it elsewhere", file=sys.stderr)
        code = int(ExitCode.USAGE)
    # Python would look for cycles among all that is left, a fifth of a short command, and it goes with the process.
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # what is decided is printed: Ctrl-C only ends it sooner
    if ended:
        os.kill(os.getpid(), ended[0])
    sys.exit(code)
