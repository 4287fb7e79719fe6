"""Recorded cores prove what the tables prove, and no file of them can change a verdict but "unknown" into "proved"."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.proof import Proof, cores, prove
from fencepost.checkers.proof.attempts import CORES, FIRST, Attempt
from fencepost.checkers.proof.cores import Core, Pair, Recorded, Slice, path_of, recorded, text, with_groups
from fencepost.checkers.proof.definitions import Leave
from fencepost.checkers.proof.obligations import hypotheses, obligations
from fencepost.checkers.proof.prover import STUTTER, Prover
from fencepost.checkers.proof.recording import record, slices_of
from fencepost.checkers.proof.row_groups import row_groups
from fencepost.checkers.proof.solvers import solver_name
from fencepost.model.language import TRUE, Always, Protocol, State, Step, always, assume, forall, per, protocol, table
from fencepost.model.language.footprint import variables
from fencepost.model.language.kinds import BOOL
from fencepost.model.registry import find
from tests.examples.two_phase import TWO_PHASE

from .test_lemmas import with_lemmas
from .tiny import WORKER, happening, w

LEMMAS = [one.id for one in with_lemmas().properties]
PAIRS = [
    (row.id, claim.id)
    for row, claim, frame in obligations(with_lemmas(), with_lemmas().rows, hypotheses(with_lemmas()))
    if not frame
]
HARD = (("DF1", "LH9"), ("DF1", "LH7"), ("DF4", "LG8"))
"""Obligations of `kraft-data` that some seeds left unknown when all hypotheses were given."""


Write = Callable[[Protocol, str], None]


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Return what writes the file of cores of a protocol, in a folder where there are no others."""
    monkeypatch.setattr(cores, "ROOT", tmp_path)

    def write(base: Protocol, content: str) -> None:
        path = tmp_path / path_of(base)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        cores._read.cache_clear()

    return write


def verdicts(proof: Proof) -> list[tuple[str, str, str]]:
    """Return what a proof says of each obligation that is not proved."""
    return [(one.row, one.property, one.verdict.value) for one in proof.failed]


@cache
def without_cores() -> tuple[list[tuple[str, str, str]], list[tuple[str, str, str]]]:
    """Return the verdicts with and without lemmas, in a folder where no cores are recorded."""
    return verdicts(prove(with_lemmas())), verdicts(prove(TWO_PHASE))


def proves(base: Protocol, pair: Pair, core: Core, seed: int = 1) -> bool:
    """Return whether a core alone proves an obligation."""
    prover = Prover(base, hypotheses(base), cores={pair: core})
    row, claim = base.row(pair[0]), base.property(pair[1])
    assert isinstance(claim, (Always, Step))
    goals = range(len(prover.goals_once(0, row, claim)))
    return all(prover._prove(row, claim, index, seed, CORES)[0] == "unsat" for index in goals)


FILES: dict[str, Any] = {
    "every hypothesis": {" ".join(pair): LEMMAS for pair in PAIRS},
    "none": {" ".join(pair): [] for pair in PAIRS},
    "names that nothing has": {" ".join(pair): ["L1", "gone"] for pair in PAIRS},
    "one that does not suffice": {" ".join(pair): ["L5"] for pair in PAIRS},
    "rows and properties that nothing has": {"R99 TC": ["L1"], "R1 gone": ["L1"]},
    "ways that do not prove": {"R1 TC": [], "ways": {" ".join(pair): [number] for number, pair in enumerate(PAIRS)}},
    "slices without definitions": {"R1 TC": [], "slices": {" ".join(pair): [" ".join(LEMMAS), ""] for pair in PAIRS}},
    "slices that name what is not there": {"R1 TC": [], "slices": {" ".join(pair): ["gone", "0000"] for pair in PAIRS}},
    "ways that there are not": {"R1 TC": [], "ways": {" ".join(pair): [-1, 99] for pair in PAIRS} | {"R99 TC": [1]}},
}


@pytest.mark.representative("one that does not suffice", "ways that do not prove")
@pytest.mark.parametrize("what", FILES)
def test_no_file_changes_a_verdict(what: str, written: Write) -> None:
    """Whatever cores say, what is proved stays proved and what is refuted refuted, with and without lemmas."""
    kept, broken = without_cores()
    assert (kept, len(broken)) == ([], 3)
    written(TWO_PHASE, json.dumps(FILES[what]))
    assert recorded(TWO_PHASE).cores
    assert recorded(TWO_PHASE).wrong == ""
    assert verdicts(prove(with_lemmas())) == kept
    assert verdicts(prove(TWO_PHASE)) == broken


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "spec/proofs/two_phase.json cannot be read"),
        ("\x00\x01", "spec/proofs/two_phase.json cannot be read"),
        ("[]", "spec/proofs/two_phase.json: an object"),
        ('{"R1": []}', "spec/proofs/two_phase.json, 'R1': an object"),
        ('{"R1 TC": "L1"}', "spec/proofs/two_phase.json, 'R1 TC': an object"),
        ('{"R1 TC": [1]}', "spec/proofs/two_phase.json, 'R1 TC': an object"),
        ('{"solver": 5}', "spec/proofs/two_phase.json, 'solver': the version"),
        ('{"ways": []}', "spec/proofs/two_phase.json, 'ways': an object"),
        ('{"ways": {"R1 TC": 3}}', "spec/proofs/two_phase.json, 'ways': an object"),
        ('{"ways": {"R1": [3]}}', "spec/proofs/two_phase.json, 'ways': an object"),
        ('{"ways": {"R1 TC": [true]}}', "spec/proofs/two_phase.json, 'ways': an object"),
        ('{"slices": {"R1 TC": ["L1"]}}', "spec/proofs/two_phase.json, 'slices': an object"),
        ('{"slices": {"R1 TC": ["L1", 5]}}', "spec/proofs/two_phase.json, 'slices': an object"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_in_one_sentence(content: str, said: str, written: Write) -> None:
    """The proof goes on without cores, to the same verdict, and says why."""
    written(TWO_PHASE, content)
    proof = prove(with_lemmas(), rows=["R1"])
    assert proof.no_cores.startswith(said)
    assert "\n" not in proof.no_cores
    assert (proof.failed, proof.by_cores) == ((), 0)
    assert proof.as_json()["recorded_cores_unusable"] == proof.no_cores


def test_a_core_proves_what_it_suffices_for_and_nothing_else() -> None:
    """A core with what is needed proves, one without does not, and for what is false no core does."""
    assert proves(with_lemmas(), ("R4", "TC"), tuple(LEMMAS))
    assert not proves(with_lemmas(), ("R4", "TC"), ("TC",))
    assert not proves(with_lemmas(), ("R4", "TC"), (*LEMMAS, "gone"))
    assert not proves(TWO_PHASE, ("R4", "TC"), ("TC",))


def test_a_way_is_tried_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the attempt that proves a goal is recorded it is the only one made; with a wrong one all are as without."""
    made: list[Attempt] = []
    check = Prover._check

    def counted(self: Prover, *args: Any) -> Any:
        made.append(args[-1])
        return check(self, *args)

    monkeypatch.setattr(Prover, "_check", counted)
    base = with_lemmas()
    row, claim = base.row("R4"), base.property("TC")
    assert isinstance(claim, (Always, Step))

    def tried(*ways: int) -> list[Attempt]:
        prover = Prover(base, hypotheses(base), cores={})
        prover.ways = {("R4", "TC"): ways}
        made.clear()
        assert prover.ask(row, claim, 1).answer == "proved"
        return list(made)

    alone = tried()
    assert len(alone) > 1
    assert tried(len(FIRST) - 1) == [FIRST[-1]]
    assert tried(0) == tried(len(FIRST)) == alone


def test_ways_are_read_as_they_were_written(written: Write) -> None:
    """The text of a file has cores and ways, and each is read back."""
    cores_, ways = {("R1", "TC"): ("L1", "L2")}, {("R4", "TC"): (13,), ("R2", "L1"): (0, 2)}
    written(TWO_PHASE, text(cores_, "Z3 1", ways))
    assert recorded(TWO_PHASE) == Recorded(cores_, "", "Z3 1", ways)


def test_slices_are_read_as_they_were_written(written: Write) -> None:
    """The text of a file has slices, and each is read back: hypotheses, and marks of four characters."""
    slices = {("R1", "TC"): Slice(("L1", "L2"), frozenset({"00ff", "1234"})), ("R4", "TC"): Slice((), frozenset())}
    written(TWO_PHASE, text({("R1", "TC"): ()}, "Z3 1", slices=slices))
    assert recorded(TWO_PHASE) == Recorded({("R1", "TC"): ()}, "", "Z3 1", slices=slices)


def test_a_slice_is_tried_first_and_proves_with_what_it_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a slice that suffices one attempt is made; with one that lacks a lemma the others follow."""
    made: list[Attempt] = []
    check = Prover._check

    def counted(self: Prover, *args: Any) -> Any:
        made.append(args[-1])
        return check(self, *args)

    monkeypatch.setattr(Prover, "_check", counted)
    base = with_lemmas()
    row, claim = base.row("R4"), base.property("TC")
    assert isinstance(claim, (Always, Step))
    before = Prover(base, hypotheses(base), cores={})
    [goal] = before.goals_once(0, row, claim)
    places = before.session(0).lowering.axioms(goal.formula.needs, set())
    marks = frozenset(before.session(0).lowering.marks(need)[at] for (need, at), _ in places)
    for names, told in ((tuple(LEMMAS), set(LEMMAS)), (("L5",), None)):
        made.clear()
        asked = Prover(base, hypotheses(base), slices={("R4", "TC"): Slice(names, marks)}).ask(row, claim, 1)
        assert asked.answer == "proved"
        assert made[0].near == "slice"
        assert (len(made) == 1) == asked.by_core == (told is not None)
        assert told is None or asked.told == told


def test_recorded_slices_prove() -> None:
    """The slices of a row are enough for nearly all of its obligations that have one, whatever was asked before."""
    base = find("kraft").whole
    prover, row = Prover(base, hypotheses(base)), base.row("RA3")
    mine = [id for name, id in prover.slices if name == row.id]
    assert len(mine) > 15
    asked = [prover.ask(row, claim, 1) for claim in _claims(base) if claim.id in mine]
    assert sum(one.by_core for one in asked) > 0.9 * len(mine)


def test_slices_are_found_and_suffice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where every obligation gets a slice, each is proved by it alone under a seed that was not tried."""
    monkeypatch.setattr("fencepost.checkers.proof.recording.SLICED_FROM", 0)
    base = with_lemmas()
    found = slices_of(base)
    assert len(found) > 5
    for (name, id), one in found.items():
        if name == STUTTER:
            continue
        claim = base.property(id)
        assert isinstance(claim, (Always, Step))
        prover = Prover(base, hypotheses(base), slices={(name, id): one})
        assert prover.ask(base.row(name), claim, 11).by_core, (name, id)


def test_a_question_has_what_holds_of_the_variables_that_it_reads() -> None:
    """What holds of a variable in every state is given where a formula reads it, unless a slice leaves it out."""
    base = find("kraft").whole
    session = Prover(base, hypotheses(base)).session(0)
    lowering = session.lowering
    for claim in hypotheses(base)[:40]:
        formula = session.hypotheses[claim.id]
        given = {need for (need, _), _ in lowering.axioms(formula.needs, set()) if not lowering.names(need)}
        with lowering.collecting() as read:
            for state in variables(claim.term):
                session.base.relied(state)  # type: ignore[misc]
        assert given == {need for need in read if lowering.marks(need)}
        assert not list(lowering.axioms(formula.needs, set(), Leave(marks=frozenset())))


def test_what_is_recorded_suffices_and_has_nothing_to_spare() -> None:
    """Every recorded core proves its obligation, and none of its names can be left out."""
    found = record(with_lemmas())
    assert (found.missing, found.unstable) == ((), ())
    assert found.cores
    for pair, core in found.cores.items():
        assert proves(with_lemmas(), pair, core), pair
        for name in core:
            assert not proves(with_lemmas(), pair, tuple(one for one in core if one != name)), (pair, name)


def test_what_nothing_proves_is_told_and_not_recorded() -> None:
    """Consistency without its lemmas is no invariant: three rows have no core."""
    found = record(TWO_PHASE)
    assert set(found.missing) == {("R2", "TC"), ("R3", "TC"), ("R4", "TC")}
    assert not found.cores.keys() & set(found.missing)


def test_a_variant_has_the_cores_of_its_base() -> None:
    """An edit, a release and a protocol with more claims read the file of the protocol that they were made of."""
    assert path_of(find("kraft-data+any-controller").whole) == path_of(find("kraft-data").whole)
    assert path_of(find("kraft@4.2").whole) == path_of(find("kraft").whole)
    edited = with_lemmas().but("T2", why="as before", name="something else")
    assert path_of(edited) == path_of(TWO_PHASE)


def test_rows_that_are_asked_once_for_several_have_a_core_of_one_of_them() -> None:
    """The shared row has the core of the first member that has one, and no core is lost."""
    base = find("kraft-data").whole
    [groups, *_] = row_groups(base, base.rows)
    first, second = (member.id for member in groups.members[:2])
    mine: dict[Pair, Core] = {(first, "LM1"): ("A",), (second, "LM1"): ("B",), (second, "LM2"): ("C",)}
    found = with_groups(mine, [groups])
    assert found == {**mine, (groups.row.id, "LM1"): ("A",), (groups.row.id, "LM2"): ("C",)}


def test_a_file_is_a_line_for_each_obligation() -> None:
    """Lines are sorted, and so are the names in them; what is written is read again."""
    made = text({("R2", "TC"): ("L3", "L1"), ("R1", "TC"): ()}, "5.4.1")
    assert made == '{\n  "solver": "5.4.1",\n  "R1 TC": [],\n  "R2 TC": ["L1", "L3"]\n}\n'
    assert json.loads(text({}, "5.4.1")) == {"solver": "5.4.1"}


@pytest.mark.parametrize("name", ["kraft", "kraft-data", "zk-data"])
def test_recorded_names_are_those_of_the_protocol(name: str) -> None:
    """Every row, property and hypothesis in the file is there; a core with another name would not be tried."""
    base, found = find(name).whole, recorded(find(name).whole)
    there = {one.id for one in (*hypotheses(base), *base.assumptions)}
    asked = {(row.id, claim.id) for row, claim, _ in obligations(base, base.rows, list(_claims(base)))}
    asked |= {(STUTTER, claim.id) for claim in _claims(base) if isinstance(claim, Step)}
    assert found.wrong == ""
    assert found.cores
    assert {pair for pair in found.cores if pair not in asked} == set()
    assert {id for core in found.cores.values() for id in core if id not in there} == set()
    assert found.solver
    assert (cores.ROOT / path_of(base)).read_text(encoding="utf-8") == text(
        found.cores, found.solver, found.ways, found.slices
    )


def _claims(base: Protocol) -> list[Always | Step]:
    return [one for one in base.properties if isinstance(one, (Always, Step))]


@pytest.mark.representative("DF1 LH7")
@pytest.mark.parametrize("pair", HARD, ids=" ".join)
def test_what_was_unknown_under_some_seeds_is_proved(pair: Pair) -> None:
    """With its core it is proved under each of twenty seeds, by short attempts under all but a few."""
    base = find("kraft-data").whole
    assert pair in recorded(base).cores
    prover = Prover(base, hypotheses(base))
    row, claim = base.row(pair[0]), base.property(pair[1])
    assert isinstance(claim, (Always, Step))
    answers = [prover.ask(row, claim, seed) for seed in range(1, 21)]
    assert {one.answer for one in answers} == {"proved"}
    assert sum(one.by_core for one in answers) >= 16


def test_an_assumption_that_no_proof_was_told_is_not_asked_for(written: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what may rest on an assumption is asked again without it, and then the claims that need it are reported."""
    seen, known, greeted = (per(WORKER, name, BOOL) for name in ("seen", "known", "greeted"))
    made = protocol(
        "door",
        table(
            "rows",
            happening("Enters", w)("R1", ~seen[w], seen[w].becomes(known[w])),
            happening("Greets", w)("R2", seen[w] & ~greeted[w], greeted[w].becomes(TRUE)),
        ),
        properties=(
            always("A1", forall(w, ~seen[w]), "No walker is seen."),
            always("A2", forall(w, greeted[w].implies(seen[w])), "Who is greeted has come in."),
        ),
        assumptions=(assume("T1", forall(w, ~known[w]), "No walker is known.", "made up"),),
    )
    asked: list[tuple[str, str]] = []
    module = __import__("fencepost.checkers.proof.prove", fromlist=["_fallen"])
    fallen = module._fallen

    def noting(bare: Protocol, claims: Any, listed: Any, seed: int, timeout: float) -> Any:
        asked.extend((row, claim.id) for row, claim in listed)
        return fallen(bare, claims, listed, seed, timeout)

    monkeypatch.setattr(module, "_fallen", noting)
    written(made, json.dumps({"R1 A2": ["A2"], "R2 A2": ["A2"]}))
    proof = prove(made)
    assert proof.by_cores == 2
    assert {one.assumption.id: one.needed_by for one in proof.assumptions} == {"T1": ("A1",)}
    assert asked == [("R1", "A1")]


WAYS_OF_A_ROW = """
from fencepost.checkers.proof.prove import ways_of
from fencepost.model.registry import find
print({pair: way for pair, way in ways_of(find("kraft").whole, ["RC4"]).items() if way and pair[0] == "RC4"})
"""


def test_recorded_ways_are_the_ones_that_prove() -> None:
    """What a command asks of a row is the same in every process: nearly all recorded ways prove at once."""
    known = recorded(find("kraft").whole)
    if known.solver != solver_name():
        pytest.skip(f"the ways were recorded with {known.solver}, and this is {solver_name()}")
    said = subprocess.run([sys.executable, "-c", WAYS_OF_A_ROW], capture_output=True, text=True, check=True)
    noted = {pair: way for pair, way in known.ways.items() if pair[0] == "RC4"}
    found = ast.literal_eval(said.stdout)
    again = [pair for pair, way in noted.items() if found.get(pair) == way]
    # Z3's answers move with places in memory, too, which differ where modules are compiled first.
    assert len(again) > 0.75 * len(noted) > 15


def test_hypotheses_are_chosen_in_the_order_of_the_protocol(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which variables an invariant may leave aside is asked in the order of the protocol, not of places in memory."""
    whole, asked = find("kraft").whole, list[int]()
    session = Prover(whole, hypotheses(whole)).session(0)
    places = {state: at for at, state in enumerate(whole.states)}
    spoken = Counter(s for one in (*whole.assumptions, *hypotheses(whole)) for s in variables(one.term))

    def idle(formula: object, state: State[Any]) -> bool:
        asked.append(places[state])
        return False

    monkeypatch.setattr(session, "_idle", idle)
    speaking = {variables(claim.term): claim for claim in hypotheses(whole)[:40]}
    for claim in speaking.values():
        before = len(asked)
        session.before(variables(claim.term))
        alone = [at for state, at in places.items() if spoken[state] == 1 and state not in variables(claim.term)]
        assert asked[before:] == alone
    assert len(asked) > 100
