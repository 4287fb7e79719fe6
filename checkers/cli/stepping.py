"""`fencepost explore --step` and `--replay`: a run made by hand at a prompt, and one that was saved."""

from __future__ import annotations

import contextlib
import itertools
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fencepost.checkers.counterexample import changes, step_lines
from fencepost.checkers.counting import counted
from fencepost.checkers.named import is_own
from fencepost.checkers.verdicts import ExitCode, Refusal
from fencepost.files import json_value, open_regular, write_whole
from fencepost.model.language import Protocol, TableError

from .outcome import Outcome
from .terminal import show

if TYPE_CHECKING:
    from fencepost.checkers.stepping import Enabled, Stepper
    from fencepost.checkers.stepping.as_tests import Candidate
    from fencepost.model.language import Valuation

    from .documents import Replayed

LISTED = 20
"""Rows that are enabled, and first states, of which a list is cut off after so many."""

NEAREST = 4
"""The number of bindings that are printed for a row that is not enabled."""

BUDGET = 2_000_000
"""States after which `until` gives up, where --max-states says nothing."""

HELP = """
N                     take row N of those listed
take ROW [p=VALUE ..] take a row by its id, one that changes nothing too
back [N]              undo the last row, or the last N
rows [ROW]            list every row that is enabled here, or of one row every binding
why ROW [p=VALUE ..]  the first false conjunct of its guard, with the values of what it reads
state [CELL]          the cells that are not at their initial value, or one cell
until CONDITION       go along a shortest run to a state with leader[0] = 1 and not fenced[1]
check                 which properties hold here, and why one does not
starts, start N       the first states; begin again at one (start CONDITION: at the first that satisfies it)
run                   the run so far
save FILE             write the run as JSON, for --replay FILE and `fencepost trace`; NAME.itf.json as ITF
help, quit            this list; leave
""".strip().splitlines()


def step(name: str, protocol: Protocol, bound: str, sizes: Mapping[str, int] | None, max_states: int | None) -> Outcome:
    """Walk by hand until the end of input or `quit`, and return the run as the command's outcome."""
    from fencepost.checkers.stepping import Stepper, written_run

    walk = _Walk(name, Stepper(protocol, bound, sizes), max_states or BUDGET)
    if sys.stdin.isatty():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  (lines can be edited, and typed again)
    walk.talk()
    trace = walk.stepper.trace
    code = ExitCode.USAGE if walk.refused and not sys.stdin.isatty() else ExitCode.AS_DECLARED
    refused = [f"{len(walk.refused)} of the commands could not be carried out"] if walk.refused else []
    return Outcome(
        "explore",
        "walked",
        code,
        {
            "protocol": protocol.name,
            "bound": walk.stepper.bound_name,
            "sizes": dict(walk.stepper.bound.sizes),
            "steps": len(trace.steps),
            "refused": walk.refused,
            "run": written_run(name, walk.stepper.bound_name, trace),
        },
        [
            "",
            f"{protocol.name} at {bound}: a run of {counted(len(trace.steps), 'row')}",
            *(f"  {x}" for x in trace.lines()),
            *refused,
        ],
        protocol.hash,
    )


def replayed(protocol: Protocol, bound: str, path: Path) -> Outcome:
    """Replay a saved run at a bound, and return that every state is the one that is written."""
    from fencepost.checkers.stepping import replay_run
    from fencepost.checkers.tlc.itf_reading import is_itf, run_of

    run = read_json(path)
    try:
        run = run_of(run, protocol, protocol.name, bound) if is_itf(run) else run.get("run", run)
        trace = replay_run(run, path.parent, tables=protocol, bound=bound)
    except Refusal as error:
        raise Refusal(f"{path}: {error}", error.code) from error
    page = [f"{protocol.name} at {bound}: replays: {counted(len(trace.steps), 'row')} of {path}, state by state"]
    if run.get("shows"):
        page.append(f"  at its end {run['shows']} is as the run says")
    if run.get("table_hash") != protocol.hash:
        page.append("  the tables have changed since it was written")
    fields: Replayed = {"protocol": protocol.name, "bound": bound, "path": str(path), "steps": len(trace.steps)}
    return Outcome("explore", "replays", ExitCode.AS_DECLARED, fields, page, protocol.hash)


def read_json(path: Path) -> dict[str, Any]:
    """Return the JSON object of a file; raises `Refusal` where there is none."""
    try:
        with open_regular(path) as file:
            found = json_value(file.read().decode("utf-8"))
    except FileNotFoundError as error:
        raise Refusal(f"{path}: there is no such file") from error
    except (OSError, UnicodeDecodeError) as error:
        raise Refusal(f"{path}: cannot be read ({error})") from error
    except ValueError as error:
        raise Refusal(f"{path}: is no JSON ({error}); give what `save` or --json wrote") from error
    if not isinstance(found, dict):
        raise Refusal(f"{path}: is no JSON object; give what `save` or --json wrote")
    return found


def candidate(path: Path, property: str | None, protocol: str | None, endless: bool = False) -> Candidate:
    """Return the run of a file: one that was saved, one in ITF, or that of a property of a JSON document.

    A run without end counts where it may be `endless`. Raises `Refusal` where there is no such run.
    """
    from fencepost.checkers.stepping.as_tests import chosen, runs_in
    from fencepost.checkers.tlc.itf_reading import is_itf

    document = read_json(path)
    try:
        if is_itf(document):
            return chosen([_of_itf(path, document, protocol)], property)
        found = chosen(runs_in(document, protocol), property, endless)
        _refuse_own(path, found.run["protocol"], protocol)
        return found
    except (KeyError, TypeError, AttributeError) as error:
        raise Refusal(f"{path}: is no document that fencepost wrote ({type(error).__name__}: {error})") from error


def _refuse_own(path: Path, name: str, said: str | None) -> None:
    """Raise `Refusal` for tables that a file names and the command line does not: a document is data, and runs no
    code."""
    if said is None and is_own(name):
        raise Refusal(f"{path}: names tables of its own ({name}); --protocol {name} says that their code is to run")


def _of_itf(path: Path, document: Mapping[str, Any], protocol: str | None) -> Candidate:
    """Return the run of a trace in ITF."""
    from fencepost.checkers.stepping.as_tests import Candidate
    from fencepost.checkers.stepping.runs import tables_of
    from fencepost.checkers.tlc.itf_reading import names_of, run_of

    named, bound = names_of(document)
    name = protocol or named
    if name is None:
        raise Refusal(f"{path}: the trace names no protocol; say which with --protocol")
    _refuse_own(path, name, protocol)
    try:
        run = run_of(document, tables_of({"protocol": name, "bound": bound}), name, bound)
    except Refusal as error:
        raise Refusal(f"{path}: {error}", error.code) from error
    return Candidate(run["shows"], True, run)


def candidate_of(document: Mapping[str, Any], name: str) -> Candidate | None:
    """Return the first run of a command's document that breaks a property, without end or not; None without one."""
    from fencepost.checkers.stepping.as_tests import runs_in

    return next((one for one in runs_in(document, name) if one.violated), None)


def write_new(path: Path, text: str) -> None:
    """Write a file that there is not yet; raises `Refusal` where there is one."""
    try:
        write_whole(path, text, new=True)
    except FileExistsError as error:
        raise Refusal(f"{path}: is there already; name another file") from error
    except OSError as error:
        raise Refusal(f"{path}: cannot be written ({error.strerror})") from error


def _ask(prompt: str) -> str | None:
    """Return the next line for a prompt, None at the end of input.

    Lines that come from a pipe are printed behind the prompt, so that the output reads as the session did.
    """
    if sys.stdin.isatty():
        try:
            return input(prompt)
        except EOFError:
            return None
    line = sys.stdin.readline()
    if line:
        show([f"{prompt}{line.rstrip()}"])
    return line or None


class _Walk:
    """A session at the prompt: the run, the rows that were listed last, and what was refused."""

    def __init__(self, name: str, stepper: Stepper, max_states: int) -> None:
        self.name, self.stepper, self.max_states = name, stepper, max_states
        self.listed: list[Enabled] = []
        self.refused: list[str] = []
        self.commands: dict[str, Callable[[str], None]] = {
            "take": self.take,
            "back": self.back,
            "rows": self.rows,
            "why": self.why,
            "state": self.state,
            "until": self.until,
            "check": self.check,
            "starts": self.starts,
            "start": self.start,
            "run": lambda _: show(self.stepper.trace.lines()),
            "save": self.save,
            "help": lambda _: show(HELP),
        }

    def talk(self) -> None:
        """Read and carry out commands until there are no more."""
        stepper = self.stepper
        show([f"{stepper.protocol.name} at {stepper.bound_name}; help lists the commands"])
        if stepper.starts > 1:
            show([f"first state 1 of {stepper.starts:,}; starts lists them, start N begins at another"])
        self.state("")
        self.list_rows()
        while (line := _ask(f"{len(stepper.steps)}> ")) is not None:
            word, _, rest = line.strip().partition(" ")
            if word in ("quit", "exit", "q"):
                return
            if word:
                self.obey(word, rest.strip())

    def obey(self, word: str, rest: str) -> None:
        """Carry out one command, or say in one sentence why not."""
        try:
            if word.isdigit():
                self.number(int(word))
            elif word in self.commands:
                self.commands[word](rest)
            else:
                raise Refusal(f"{word!r} is no command; help lists them")
        except (Refusal, TableError) as error:
            self.refused.append(str(error))
            show([f"  {error}"])

    # -- going on and back -----------------------------------------------------------------------------------------
    def number(self, number: int) -> None:
        """Take a row by its number."""
        found = list(itertools.islice(self.stepper.moves(), max(number - 1, 0), number))
        if number < 1 or not found:
            raise Refusal(f"no row has the number {number} here; rows lists them")
        self.taken(found[0])

    def take(self, rest: str) -> None:
        """Take a row by its id."""
        row, given = self.named(rest, "take")
        found = [one for one in self.stepper.enabled(row) if all(one.binding[v] == value for v, value in given.items())]
        if not found:
            raise Refusal(f"{row.id} is not enabled so; why {rest} says why")
        if len(found) > 1:
            told = "; ".join(one.text() for one in found[:NEAREST])
            raise Refusal(f"{row.id} is enabled under {len(found)} bindings: {told}; give parameters as p=VALUE")
        self.taken(found[0])

    def taken(self, move: Enabled) -> None:
        """Go on by a row, and show what it did and what can be next."""
        step = self.stepper.take(move)
        show(step_lines(len(self.stepper.steps), step, step.after))
        self.alarm()
        self.list_rows()

    def back(self, rest: str) -> None:
        """Undo rows."""
        if rest and not rest.isdigit():
            raise Refusal(f"back {rest}: is no number of steps")
        before = self.stepper.state
        self.stepper.back(int(rest or 1))
        show([f"     {one}" for one in changes(before, self.stepper.state)])
        self.list_rows()

    def until(self, rest: str) -> None:
        """Go to a state that satisfies a condition."""
        stepper, done = self.stepper, len(self.stepper.steps)
        found = stepper.until(self.condition(rest), self.max_states)
        if found.trace is None:
            every = "every state that can be reached from here was seen" if found.closed else "the budget is spent"
            show([f"  no such state among {found.states:,}: {every}"])
            return
        if not found.trace.steps:
            show(["  it holds here"])
            return
        show([f"  a shortest run of {counted(len(found.trace.steps), 'row')}:"])
        for number, one in enumerate(stepper.steps[done:], done + 1):
            show(step_lines(number, one, one.after))
        self.alarm()
        self.list_rows()

    def starts(self, rest: str) -> None:
        """List the first states, by what is chosen in them."""
        stepper = self.stepper
        for number in range(min(stepper.starts, LISTED)):
            show([f"  {number + 1}  {_cells(stepper.first(number)) or 'every variable at its initial value'}"])
        if stepper.starts > LISTED:
            show([f"  {stepper.starts - LISTED:,} more; start CONDITION finds one"])

    def start(self, rest: str) -> None:
        """Begin again at a first state."""
        if rest.isdigit():
            self.stepper.begin(int(rest) - 1)
        else:
            found = self.stepper.starting(self.condition(rest))
            if not found:
                raise Refusal(f"no first state satisfies {rest}")
            show([f"  first state {found[0] + 1}, the first of {len(found):,} that satisfy it"])
            self.stepper.begin(found[0])
        self.state("")
        self.list_rows()

    # -- looking ---------------------------------------------------------------------------------------------------
    def rows(self, rest: str) -> None:
        """List the rows that are enabled here."""
        if not rest:
            self.list_rows(None)
            return
        row = self.stepper.row(rest)
        found = [(n, one) for n, one in enumerate(self.stepper.moves(), 1) if one.row is row]
        for number, one in found:
            self.list_row(number, one)
        for still in self.stepper.enabled(row) if not row.changes else ():
            show([f"      {still.text()}: changes nothing"])
            found.append((0, still))
        if not found:
            show([f"  {row.id} is not enabled here; why {row.id} says why"])

    def list_rows(self, most: int | None = LISTED) -> None:
        """List enabled rows by their numbers, each with what it would change."""
        moves = list(self.stepper.moves())
        for number, one in enumerate(moves[:most], 1):
            self.list_row(number, one)
        if most is not None and len(moves) > most:
            show([f"  {len(moves) - most} more; rows lists all {len(moves)}"])
        if not moves:
            show(["  no row that changes anything is enabled here"])
        still = self.stepper.still()
        if still:
            show([f"  enabled and without effect: {', '.join(still)}"])

    def list_row(self, number: int, one: Enabled) -> None:
        """Show one row with its number, and what it would change."""
        if one.after is None:
            show([f"  {number:>3}  {one.text()}: {one.why}"])
            return
        told = "; ".join(changes(self.stepper.state, one.after)) or "changes nothing here"
        show([f"  {number:>3}  {one.text()}: {told}"])

    def state(self, rest: str) -> None:
        """Show the cells that are not at their initial value, or one."""
        from fencepost.checkers.stepping.reading import cell_of
        from fencepost.model.language.render import value_text

        stepper = self.stepper
        if not rest:
            show([f"  {line}" for line in _lines(stepper.state)] or ["  every variable is at its initial value"])
            return
        same = [one for one in stepper.layout.cells if one[0].name == rest]
        cells = same or [cell_of(rest, stepper.protocol, stepper.world)]
        for state, keys in cells:
            name = state.name + (f"[{', '.join(map(value_text, keys))}]" if keys else "")
            show([f"  {name} = {value_text(stepper.state.read(state, keys))}"])
        show([f"  {cells[0][0].kind}: {cells[0][0].about}" if cells[0][0].about else f"  {cells[0][0].kind}"])

    def why(self, rest: str) -> None:
        """Say why a row is not enabled."""
        from fencepost.checkers.counterexample import binding_text

        row, given = self.named(rest, "why")
        enabled, unmet, whole = self.stepper.why(row, given)
        for one in enabled[:NEAREST]:
            told = "is enabled" if one.after is not None else "its guard holds; it would leave a range of the bound"
            show([f"  {row.id}({binding_text(one.binding)}): {told}"])
        if len(enabled) > NEAREST:
            show([f"  enabled under {len(enabled) - NEAREST} more bindings; rows {row.id} lists them"])
        for no in unmet[: 0 if enabled and not given else NEAREST]:
            also = f" ({no.false} of {no.all} conjuncts are)" if no.false > 1 else ""
            show([f"  {row.id}({binding_text(no.binding)}): {no.text()}{also}"])
        if not enabled and len(unmet) > NEAREST:
            asked = "" if whole else ", of those that were asked"
            more = f"{len(unmet) - NEAREST:,} other bindings fail too{asked}"
            show([f"  {more}; give parameters, as in why {row.id} p=VALUE"])

    def check(self, rest: str) -> None:
        """Say which properties hold here."""
        words: dict[str, list[str]] = {}
        for one in self.stepper.shown():
            words.setdefault(one.word, []).append(one.property.id)
            if one.word == "violated":
                show([f"  {one.property.id} claims: {one.property.about}"] if one.property.about else [])
                show([f"  {line}" for line in one.failure.lines()] if one.failure is not None else [])
        show([f"  {word}: {', '.join(ids)}" for word, ids in words.items()])

    def alarm(self) -> None:
        """Name the properties that are violated here."""
        broken = [one.property.id for one in self.stepper.shown() if one.word == "violated"]
        if broken:
            show([f"  {', '.join(broken)} violated here; check says why"])

    # -- other -----------------------------------------------------------------------------------------------------
    def save(self, rest: str) -> None:
        """Write the run as JSON, as ITF where the file's name says so."""
        from fencepost.checkers.stepping import written_run

        if not rest:
            raise Refusal("save: say to which file, as in save run.json")
        run = written_run(self.name, self.stepper.bound_name, self.stepper.trace)
        if rest.endswith((".itf", ".itf.json")):
            from fencepost.checkers.stepping.as_tests import Candidate

            from .itf_files import itf_of, write_itf

            write_itf(Path(rest), itf_of(Candidate(None, False, run)))
        else:
            write_new(Path(rest), json.dumps(run, ensure_ascii=False, indent=1) + "\n")
        show([f"  {counted(len(self.stepper.steps), 'row')} written to {rest}"])

    def condition(self, text: str) -> Any:
        """Return a condition that was typed."""
        from fencepost.checkers.stepping import condition

        return condition(text, self.stepper.protocol, self.stepper.world)

    def named(self, rest: str, command: str) -> tuple[Any, dict[Any, Any]]:
        """Return a row that was typed, and the parameters that were given with it."""
        from fencepost.checkers.stepping import value_of

        words = rest.split()
        if not words:
            raise Refusal(f"{command}: say which row, as in {command} {next(iter(self.stepper.rows))}")
        row = self.stepper.row(words[0])
        params, given = {one.name: one for one in row.params}, {}
        for word in words[1:]:
            name, sign, value = word.partition("=")
            if not sign or name not in params:
                known = f"{row.id} has the parameters {', '.join(params)}" if params else f"{row.id} has no parameters"
                raise Refusal(f"{word!r} gives no parameter; {known}, given as p=VALUE")
            given[params[name]] = value_of(value, params[name].kind, self.stepper.world)
        return row, given


def _cells(state: Valuation) -> str:
    from fencepost.checkers.counterexample import cells_text

    return cells_text(state, state)


def _lines(state: Valuation) -> list[str]:
    """The cells of a state that are not at their initial value, a line for each variable."""
    from fencepost.checkers.counterexample import cells_text

    by_variable: dict[str, list[Any]] = {}
    for cell in state:
        by_variable.setdefault(cell[0].name, []).append(cell)
    return [cells_text(state, cells) for _, cells in sorted(by_variable.items())]
