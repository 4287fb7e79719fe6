"""Stability: variations ask the same, and what only some of them prove is reported."""

from fencepost.checkers.proof import Stability, stability
from fencepost.checkers.proof.variation import WAYS, Variation
from fencepost.model.language import TRUE, always, forall, per, protocol, step, table
from fencepost.model.language.kinds import BOOL

from .tiny import WORKER, happening, w

seen = per(WORKER, "seen", BOOL)
greeted = per(WORKER, "greeted", BOOL)
DOOR = protocol(
    "door",
    table(
        "rows",
        happening("Enters", w)("R1", ~seen[w], seen[w].becomes(TRUE)),
        happening("Greets", w)("R2", seen[w] & ~greeted[w], greeted[w].becomes(TRUE)),
    ),
    properties=(
        always("A1", forall(w, greeted[w].implies(seen[w])), "Who is greeted has come in."),
        step("A2", ~greeted[w], "No guest is greeted twice.", rows=("R2",)),
        step("A3", greeted[w], "False: somebody is greeted again.", rows=("R2",)),
    ),
)


def test_what_is_proved_is_proved_under_every_variation_and_what_is_not_is_unstable() -> None:
    """Renamings, reorderings and seeds prove the same two properties; the one that is false is reported in each way."""
    found = stability(DOOR, variations=3)
    assert set(found.proved) == {("R1", "A1"), ("R2", "A1"), ("R2", "A2"), ("R2", "A3")}
    assert {(row, id, way) for row, id, way, _ in found.unstable()} == {("R2", "A3", way) for way in WAYS}
    assert found.as_json()["obligations"] == 4


def test_an_obligation_is_unstable_below_95_percent() -> None:
    """57 of 60 are enough, 56 are not."""
    counts = {("R1", "A1"): {"renaming": 57, "reordering": 56, "seed": 60}}
    assert Stability("door", 60, counts).unstable() == (("R1", "A1", "reordering", 56),)  # type: ignore[arg-type]


def test_a_variation_is_the_same_every_time_and_names_stay_apart() -> None:
    """Names are drawn by number, so that two symbols never share one; orders are permutations."""
    way = Variation("renaming", 7)
    names = [way.name("leader", number) for number in range(1000)]
    assert len(set(names)) == 1000
    assert names == [Variation("renaming", 7).name("leader", number) for number in range(1000)]
    assert names[0] != Variation("renaming", 8).name("leader", 0)
    order = Variation("reordering", 7).order(list(range(50)))
    assert sorted(order) == list(range(50))
    assert order != list(range(50))
