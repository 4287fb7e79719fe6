"""Two-phase commit, as Lamport's TwoPhase states it (the TLA+ examples): resource managers and one transaction manager.

Restated from the specification, in our words: it shows that a protocol that has nothing to do with Kafka can be said in
the language, and has the figures of the original: 288 states of three resource managers, 296,448 of seven, 1,745,408 of
eight.
"""

import enum

from fencepost.model.language.vocabulary import *


class ResourceManager(Entity):
    """Somebody who takes part in the transaction."""


class Progress(enum.Enum):
    """How far a resource manager has come."""

    WORKING = "working"
    PREPARED = "prepared"
    COMMITTED = "committed"
    ABORTED = "aborted"


class Decision(enum.Enum):
    """Whether the transaction manager has decided."""

    OPEN = "open"
    DONE = "done"


RM = sort(ResourceManager)
r, x, y = RM.var("r"), RM.var("x"), RM.var("y")

progress = per(RM, "progress", one_of(Progress), initial=Progress.WORKING)
decision = cell("decision", one_of(Decision), initial=Decision.OPEN)
counted = per(RM, "counted", BOOL, about="the transaction manager has seen that this one is prepared")
says_prepared = per(RM, "says_prepared", BOOL, what="message")
commit_sent = cell("commit_sent", BOOL, what="message")
abort_sent = cell("abort_sent", BOOL, what="message")


@definition
def undecided() -> Term[bool]:
    """The transaction manager has not decided."""
    return decision.is_(Decision.OPEN)


SOURCE = "TwoPhase.tla"
count = event("TMRcvPrepared", r, source=SOURCE)
commit = event("TMCommit", source=SOURCE)
abort = event("TMAbort", source=SOURCE)
prepare = event("RMPrepare", r, source=SOURCE)
give_up = event("RMChooseToAbort", r, source=SOURCE)
hear_commit = event("RMRcvCommitMsg", r, source=SOURCE)
hear_abort = event("RMRcvAbortMsg", r, source=SOURCE)

TRANSACTION = table(
    "two-phase commit",
    count("T1", undecided() & says_prepared[r], counted[r].becomes(TRUE)),
    commit("T2", undecided() & forall(x, counted[x]), decision.becomes(Decision.DONE), commit_sent.becomes(TRUE)),
    abort("T3", undecided(), decision.becomes(Decision.DONE), abort_sent.becomes(TRUE)),
    prepare(
        "R1", progress[r].is_(Progress.WORKING), progress[r].becomes(Progress.PREPARED), says_prepared[r].becomes(TRUE)
    ),
    give_up("R2", progress[r].is_(Progress.WORKING), progress[r].becomes(Progress.ABORTED)),
    hear_commit("R3", commit_sent, progress[r].becomes(Progress.COMMITTED)),
    hear_abort("R4", abort_sent, progress[r].becomes(Progress.ABORTED)),
)

CONSISTENT = always(
    "TC",
    forall(x, forall(y, ~(progress[x].is_(Progress.ABORTED) & progress[y].is_(Progress.COMMITTED)))),
    about="no resource manager commits what another has aborted",
    source=SOURCE,
)

TWO_PHASE = protocol(
    "two_phase",
    TRANSACTION,
    properties=[CONSISTENT],
    bounds={
        "three": Bound({"ResourceManager": 3}, about="288 states"),
        "seven": Bound({"ResourceManager": 7}, about="296,448 states"),
        "eight": Bound({"ResourceManager": 8}, about="1,745,408 states"),
    },
    ends=True,
    about="Two-phase commit: a transaction manager, resource managers, and messages that stay in the air for ever.",
)
