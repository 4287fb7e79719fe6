"""Edits of rows that reach further than they may, or forget what was asked, each with the claim that refutes it."""

from fencepost.model.kraft import KRAFT
from fencepost.model.kraft.brokers import named_dirs, no_contact, off, registers, told
from fencepost.model.kraft.builder import change
from fencepost.model.kraft.cluster_records import CONFIG, TOPIC_UNCLEAN
from fencepost.model.kraft.configurations import unclean_asked
from fencepost.model.kraft.state import *
from fencepost.model.kraft.topics import n
from fencepost.model.language import TRUE, drop, every, exists, just, present, said, some
from fencepost.model.language.effects import Every

from .edits import Mutant, but

REACHING = (
    Mutant(
        "P40",
        "R2",
        "a restart changes every partition",
        lambda: but(
            "R2",
            every(p, exists_[p], change(p, drop(isr[p], just(b)), electable(p) - just(b))),
            registers(b, i, named_dirs, told),
            no_contact(b),
        ),
    ),
    Mutant(
        "P41",
        "LP1",
        "a proposal bears no broker epochs",
        lambda: but("LP1", *(one for one in KRAFT.row("LP1").effects if not isinstance(one, Every))),
    ),
    Mutant("B20", "HB3", "a fenced broker's session is not renewed", lambda: but("HB3", reported[b].becomes(off))),
    Mutant(
        "C21",
        "CT3",
        "a topic writes configurations of others",
        lambda: but(
            "CT3", *KRAFT.row("CT3").effects, every(s, asks[s] & resource[s].isnt(n), CONFIG(s, value=asked[s]))
        ),
    ),
    Mutant(
        "C22",
        "FE7",
        "topics lose their min.insync.replicas",
        lambda: but(
            "FE7",
            *KRAFT.row("FE7").effects,
            every(s, key[s].is_(min_insync_key) & resource_type[s].is_(2) & present(setting[s]), CONFIG(s)),
        ),
    ),
    Mutant(
        "C23",
        "CM1",
        "topics that are not named get a value",
        lambda: but(
            "CM1",
            *KRAFT.row("CM1").effects,
            every(
                n,
                ~unclean_asked[n] & exists(t, live[t] & name[t].is_(some(n))),
                TOPIC_UNCLEAN(n, value=said(TRUE, if_=TRUE)),
            ),
        ),
    ),
    Mutant("L29", "AC3", "the transaction stays open", lambda: but("AC3")),
)
