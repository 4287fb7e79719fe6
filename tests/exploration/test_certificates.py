"""Certificates of closed explorations: the interpreter finds what they say, and what is not so is refused."""

import gzip
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.certificates import Certificate, NotCertified, Numbering, check, read
from fencepost.checkers.certificates.guards import Conditions, Guard
from fencepost.checkers.exploration import explore, lanes, manifest, plan, store
from fencepost.checkers.verdicts import Refusal, Verdict
from fencepost.model.language import World, satisfying
from fencepost.model.language.vocabulary import *
from fencepost.model.registry import FAMILIES, find
from tests.exploration.test_steps import LEAST, changing, idle, of, other, refusing, x

MOST = 20_000
"""States of the largest bounds whose certificates are checked."""


@cache
def shipped() -> tuple[str, ...]:
    """Return the protocols and bounds of so many states at most, as PROTOCOL BOUND."""
    return tuple(
        f"{family.name} {bound}"
        for family in FAMILIES.values()
        for bound, shown in manifest.recorded(family.name).items()
        if shown.distinct <= MOST
    )


def certified(one: Protocol, bound: str, path: Path, **options: Any) -> tuple[Certificate, Any]:
    """Explore a protocol, check its certificate, and return it with what was checked."""
    explore(one, bound, certificate=path, **options)
    made, numbers = read(path)
    return made, check(one, replace(one.bounds[bound], sizes=made.sizes), made, numbers)


@pytest.mark.representative("kip631-v2 busy", "zk-data back")
@pytest.mark.parametrize("name", shipped())
def test_the_interpreter_finds_what_a_shipped_bound_is_certified_to_be(name: str, tmp_path: Path) -> None:
    """First states, successors, counts and claims of a shipped bound are those of its certificate."""
    of_protocol, bound = name.split()
    made, found = certified(find(of_protocol).bounds[bound], bound, tmp_path / "states")
    recorded = manifest.recorded(of_protocol)[bound]
    assert (found.states, found.steps, found.depth) == (recorded.distinct, sum(made.fired.values()), recorded.depth)
    assert {*found.claims, *found.about_runs} == set(made.claims)


@pytest.mark.parametrize("engine", ["numpy", "llvm"])
def test_what_a_step_is_agrees(engine: str, tmp_path: Path) -> None:
    """Rows that change nothing, in every form, are certified with the verdict of the exploration."""
    for number, (name, one) in enumerate(idle().items()):
        made, _ = certified(one, "tiny", tmp_path / str(number), engine=engine)
        assert made.claims["RAISES"] == "violated", name


def dropping(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the search forget the last successor of each expansion."""
    add = store.PlainStore.add

    def forgetful(self: Any, rows: Any, source: Any, base: int, row: int) -> Any:
        if row < 0 or len(rows) < 2:
            return add(self, rows, source, base, row)
        good = add(self, rows[:-1], source[:-1], base, row)
        return lanes.np.append(good, True)

    monkeypatch.setattr(store.PlainStore, "add", forgetful)


def blind_to_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the search leave out the steps of several stages that change nothing."""
    only = property(lambda self: "(active0 & (active0 - 1)) == 0" if len(self.stages) == 1 else "")
    monkeypatch.setattr(plan.RowPlan, "one_step", only)


def refusals_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the search count a refusal that some claim names as a step of every claim."""
    of_all = lambda self, row: tuple((one, only) for one, only in self.steps if only in (None, row))  # noqa: E731
    monkeypatch.setattr(plan.Plan, "steps_of", of_all)


def skipping(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the search leave out the claims named SI1 and RAISES."""
    is_open = lanes.Lane.open
    monkeypatch.setattr(lanes.Lane, "open", lambda self, id: id not in ("SI1", "RAISES") and is_open(self, id))


def named_by_another() -> Protocol:
    """A protocol with a refusal that a claim names, and a claim of every step that no refusal keeps."""
    rows = (changing("R", x < 2, x.becomes(x + 1)), refusing("NO", TRUE))
    return of("refusal", rows, LEAST, step("NAMED", next_(other).is_(other), rows=("NO",)))


DEFECTS: dict[str, tuple[Callable[[pytest.MonkeyPatch], None], Callable[[], tuple[Protocol, str]]]] = {
    "a successor is dropped": (dropping, lambda: (find("kip46").bounds["steady"], "steady")),
    "a step that changes nothing is not evaluated": (blind_to_steps, lambda: (idle()["records twice, named"], "tiny")),
    "a refusal counts where another claim names it": (refusals_of_all, lambda: (named_by_another(), "tiny")),
    "a claim is skipped": (skipping, lambda: (find("kip46").bounds["tiny"], "tiny")),
    "a claim of steps is skipped": (skipping, lambda: (idle()["a value that the cell has, named"], "tiny")),
}


@pytest.mark.representative(
    "a successor is dropped", "a refusal counts where another claim names it", "a claim of steps is skipped"
)
@pytest.mark.parametrize("defect", DEFECTS)
def test_a_defect_of_the_search_is_found(defect: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search with a defect that there was, or might be, writes a certificate that the interpreter refutes."""
    put_back, make = DEFECTS[defect]
    one, bound = make()
    certified(one, bound, tmp_path / "right", engine="numpy")
    put_back(monkeypatch)
    with pytest.raises(NotCertified, match=r"missing|counts|by the interpreter it is"):
        certified(one, bound, tmp_path / "wrong", engine="numpy")


lit, moved = cell("lit", BOOL), cell("moved", BOOL)
press = event("Press", source="test")
LAMP = protocol(
    "lamp",
    table("rows", press("ON", ~lit, lit.becomes(TRUE)), press("OFF", lit, lit.becomes(~lit))),
    properties=[always("STAYS", ~moved), always("DARK", ~lit, expected="violated")],
    bounds={"one": Bound({}), "two": Bound({})},
)


def altered(path: Path, change: Callable[[dict[str, Any], list[bytes]], None]) -> tuple[Certificate, Any]:
    """Return a certificate of the lamp, altered."""
    explore(LAMP, "one", certificate=path)
    first, *lines = gzip.decompress(path.read_bytes()).splitlines()
    head = json.loads(first)
    change(head, lines)
    path.write_bytes(gzip.compress(b"\n".join([json.dumps(head).encode(), *lines]) + b"\n"))
    return read(path)


WRONG: dict[str, tuple[Callable[[dict[str, Any], list[bytes]], Any], str]] = {
    "a state left out": (lambda _, lines: lines.pop(), "a state of level 2 is missing in it: 1, lit=True"),
    "the first state left out": (lambda _, lines: lines.pop(0), "a first state is missing in it: 0"),
    "a state added": (lambda _, lines: lines.append(b"2"), "nothing leads to a state in it: 2, moved=True"),
    "a number too great": (lambda _, lines: lines.append(b"4"), "nothing leads to a state in it: 4, greater than"),
    "a state twice": (lambda _, lines: lines.append(b"1"), "its states do not ascend"),
    "no number": (lambda _, lines: lines.append(b"lit"), "no certificate of this format"),
    "another count": (lambda head, _: head.update(distinct=3), "distinct is 3 in it, and the interpreter counts 2"),
    "another count of steps": (lambda head, _: head["fired"].update(ON=2), "fired is "),
    "another depth": (lambda head, _: head.update(depth=1), "depth is 1 in it"),
    "firings out of range": (lambda head, _: head["out_of_range"].update(ON=1), "out_of_range is "),
    "a claim that is violated": (
        lambda head, _: head["claims"].update(DARK="closed"),
        "DARK is closed in it, and by the interpreter it is violated",
    ),
    "a claim that is true": (
        lambda head, _: head["claims"].update(STAYS="violated"),
        "STAYS is violated in it, and by the interpreter it is not violated",
    ),
    "a claim left out": (lambda head, _: head["claims"].pop("STAYS"), "its claims are not those of the protocol"),
    "no deadlock looked for": (lambda head, _: head.update(deadlock=False), "its claims are not those"),
    "another format": (lambda head, _: head.update({"fencepost certificate": 2}), "is of format 2, and 1 is read"),
    "a field left out": (lambda head, _: head.pop("sizes"), "no certificate of this format"),
    "a field of another kind": (lambda head, _: head.update(sizes=[1]), "no certificate of this format"),
    "a size of another kind": (lambda head, _: head.update(sizes={"n": "1"}), "no certificate of this format"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_an_altered_certificate_is_not_confirmed(wrong: str, tmp_path: Path) -> None:
    """What is left out of a certificate, added or changed is found, and named in one sentence."""
    change, said = WRONG[wrong]

    def checked() -> None:
        made, numbers = altered(tmp_path / "states", change)
        check(LAMP, LAMP.bounds["one"], made, numbers)

    with pytest.raises(NotCertified) as error:
        checked()
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def files() -> Iterator[bytes]:
    """Yield contents that are no certificate: nothing, text, a part of one, one whose bytes were changed."""
    yield b""
    yield b"lit"
    whole = gzip.compress(b'{"fencepost certificate": 1}\n1\n')
    yield from (whole[: len(whole) // 2], whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:], gzip.compress(b""))
    yield from (gzip.compress(b"[]\n"), gzip.compress(b"\xff\n"), gzip.compress(b'{"fencepost certificate": 1}\n'))


def test_a_file_that_is_no_certificate_is_refused(tmp_path: Path) -> None:
    """A file that is missing, cut off or something else is refused in one sentence."""
    with pytest.raises(NotCertified, match="No such file"):
        read(tmp_path / "nowhere")
    for content in files():
        (tmp_path / "states").write_bytes(content)
        with pytest.raises(NotCertified) as error:
            read(tmp_path / "states")
        assert error.value.refused, content


def test_a_file_that_unpacks_to_far_more_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a certificate unpacks to is bounded by its size: a file of zeros is not unpacked to its end."""
    monkeypatch.setattr("fencepost.checkers.certificates.states.FREE", 1 << 20)
    (tmp_path / "states").write_bytes(gzip.compress(bytes(8 << 20)))
    with pytest.raises(NotCertified, match="unpacks to more than 200 times its size") as error:
        read(tmp_path / "states")
    assert error.value.refused


@pytest.mark.representative("kraft-loop one-epoch", "kip631-v2 busy", "kraft lower")
@pytest.mark.parametrize("name", ["kraft growth", "kraft lower", "kip631-v2 busy", "zk moving", "kraft-loop one-epoch"])
def test_a_row_fires_as_the_interpreter_says(name: str, tmp_path: Path) -> None:
    """The check, which evaluates the conditions of a guard one by one and keeps them, finds the parameters of every row
    that the interpreter finds for the whole guard."""
    of_protocol, bound = name.split()
    tables = find(of_protocol).bounds[bound]
    explore(tables, bound, certificate=tmp_path / "states")
    made, numbers = read(tmp_path / "states")
    at, world = replace(tables.bounds[bound], sizes=made.sizes), World.of(made.sizes, tables.kinds)
    numbering = Numbering(tables, world)
    conditions, some = Conditions(numbering, world), numbers[:: max(1, len(numbers) // 12)]
    fired = 0
    for row in tables.rows:
        guard = Guard(whole := tables.bounded_guard(row, at), row.params, conditions)
        for number in some:
            found = guard.satisfying(numbering.codes(number))
            expected = satisfying(whole, row.params, numbering.state(number), world)
            assert found == [tuple(one[var] for var in row.params) for one in expected], row.id
            fired += len(found)
    assert fired > len(some)


def test_every_state_has_its_own_number() -> None:
    """Numbers of states of several kinds lead back to the states, and no other number does."""
    one = find("kip46").bounds["steady"]
    numbering = Numbering(one, World.of(one.bounds["steady"].sizes, one.kinds))
    for number in range(2_000):
        state = numbering.state(number)
        assert numbering.number(state) == number
        assert numbering.codes(number) == tuple(
            numbering.code(variable, {keys: value for (other, keys), value in state.items() if other is variable})
            for variable in one.states
        )
    assert numbering.number(numbering.state(0)) == 0


def test_what_has_no_certificate_is_refused(tmp_path: Path) -> None:
    """With orbits, steps put off or states on disk there is none; no file is overwritten; an open search has none."""
    path = tmp_path / "states"
    for options in ({"orbits": True}, {"partial_order": True}, {"disk": tmp_path / "disk"}):
        with pytest.raises(Refusal, match="--certificate: has every state"):
            explore(LAMP, "one", certificate=path, **options)  # type: ignore[arg-type]
    assert explore(LAMP, "one", certificate=path, max_depth=1).verdict is not Verdict.CLOSED
    assert not path.exists()
    explore(LAMP, "one", certificate=path)
    with pytest.raises(Refusal, match="is there already"):
        explore(LAMP, "one", certificate=path)
    assert path.read_bytes()[:2] == b"\x1f\x8b"
