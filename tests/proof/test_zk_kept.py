"""What the tables of the ZooKeeper era claim of refusals, of what stays, and of send queues, with a mutant for each."""

from functools import cache

from fencepost.checkers.mutation.mutants import Population, changed
from fencepost.model.language import Always, Step
from fencepost.model.zk import ZK
from fencepost.model.zk.kept import KEPT
from tests.requirements.mutants import Judge

MUTANTS = {
    "ZI40": "ZP3x:rows-swapped:ZP3c",
    "ZI40w": "ZP3c:row-dropped",
    "ZI40s": "ZC9s:rows-swapped:ZC9m",
    "ZI41": "ZC9j:conjunct-dropped:ready/2",
    "ZI43": "ZC5d:rows-swapped:ZC5e",
    "ZI43k": "ZC5k:rows-swapped:ZC5s",
    "ZI44": "ZC10i:conjunct-dropped:when/1",
    "ZI44l": "LI4:rows-swapped:LI6",
    "ZI44b": "ZC10b:rows-swapped:ZC10c",
    "ZI45": "ZC9u:condition-dropped:unknown/0/if",
    "ZI45b": "ZC9b:condition-dropped:all_deleted/0/0/if",
    "ZI42": "SE2:effect-dropped:effects.1.resign.2",
    "ZI42q": "SE2:effect-dropped:effects.1.resign.8",
    "ZI46": "SE5:comparison-shifted:when/0/not",
    "ZI47": "BR1:effect-dropped:effects.2",
    "ZI47h": "SR3:shifted-by-one:effects.1.value/up",
    "ZI48": "ZC4n:scope-widened:effects.1.when/only",
    "ZI48l": "ZC4b:operand-dropped:effects.1.fail.4.0.value/right",
    "ZI49": "ZC3c:scope-widened:effects.1.when/only",
    "ZI50": "LI2:value-altered:effects.0.value/empty",
    "ZI50s": "SR1:operand-dropped:effects.0.value/right",
    "ZI50e": "SD4:operand-dropped:effects.0.value/right",
    "ZI50u": "UM1:value-altered:effects.0.value/empty",
    "ZI51": "ZC2e:operand-dropped:effects.1.inform.0.value/left",
}
"""For each claim a mutant, as `fencepost mutate` names it, that nothing else that is claimed refutes."""


@cache
def judge() -> Judge:
    """Return what is prepared once for all mutants."""
    return Judge(ZK)


def test_every_claim_has_a_mutant() -> None:
    """No claim is there that nothing shows to be needed, save for the lemma that proves one of them."""
    assert set(MUTANTS) == {one.id for one in KEPT} - {"ZL60"}


def test_a_claim_refutes_its_mutant() -> None:
    """A row that the mutant changes breaks the claim, in a state that satisfies all invariants."""
    claims = {one.id: one for one in ZK.properties if isinstance(one, (Always, Step))}
    population = {one.id: one for one in Population(ZK).all([id.split(":")[0] for id in MUTANTS.values()])}

    def is_refuted(falls: str, id: str) -> bool:
        made = population[id].of(ZK)
        return any(judge().breaks(made, row.id, claims[falls]) for row in changed(ZK, made))

    assert [falls for falls, id in MUTANTS.items() if not is_refuted(falls, id)] == []
