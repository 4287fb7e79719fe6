"""A small library: readers with an epoch borrow copies, under rows that have each kind of thing a mutant alters."""

import enum

from fencepost.model.language.vocabulary import *


class Reader(Entity):
    """Somebody who borrows."""


class Copy(Entity):
    """A copy of a book."""


class Answer(enum.Enum):
    """The answer to a reader."""

    OK = 0
    UNKNOWN = 1
    LATE = 2
    TAKEN = 3


READER, COPY = sort(Reader), sort(Copy)
EPOCH = counter("epoch")
r, c, d = READER.var("r"), COPY.var("c"), COPY.var("d")
e = EPOCH.var("e")

member = per(READER, "member", BOOL)
barred = per(READER, "barred", BOOL)
epoch = per(READER, "epoch", EPOCH, 0)
holder = per(COPY, "holder", maybe(READER), NONE)
loans = per(COPY, "loans", EPOCH, 0)
last = cell("last", EPOCH, 0)
asked = per(READER, "asked", set_of(COPY))
lost = cell("lost", set_of(COPY), what="fixed")

_copy, _reader = required("copy", COPY, "copyId"), required("reader", READER, "readerId")
_holder, _loans = optional("holder", maybe(READER), absent=-2, none=-1), optional("loans", EPOCH)
LENT = record(
    "LENT",
    _copy,
    fields=(_holder, _loans),
    replay=(
        holder[_copy.value].becomes(_holder.over(holder[_copy.value])),
        loans[_copy.value].becomes(_loans.over(loans[_copy.value])),
    ),
)


@definition
def may_borrow(reader: Term[Reader]) -> Term[bool]:
    """A member who is not barred."""
    return member[reader] & ~barred[reader]


SOURCE = "the library's notice board"
join = event("Join", r, source=SOURCE)
borrow = event("Borrow", r, e, c, source=SOURCE)
leave = event("Leave", r, given=member[r], environment=True, source=SOURCE)

MEMBERS = table(
    "members",
    join(
        "JO1",
        ~member[r],
        member[r].becomes(TRUE),
        barred[r].becomes(FALSE),
        epoch[r].becomes(last + 1),
        last.becomes(last + 1),
        say=Answer.OK,
    ),
    join("JO2", member[r], say=Answer.TAKEN),
    leave(
        "LE1",
        TRUE,
        every(d, holder[d].is_(r) & (loans[d] > 0), LENT(d, holder=none_of(READER))),
        member[r].becomes(FALSE),
    ),
)
LOANS = table(
    "loans",
    borrow("BO1", ~may_borrow(r), say=Answer.UNKNOWN),
    borrow("BO2", e < epoch[r], say=when(barred[r], literal(Answer.UNKNOWN), literal(Answer.LATE))),
    borrow("BO3", present(holder[c]) | (loans[c] > 1), say=Answer.TAKEN),
    borrow(
        "BO4",
        TRUE,
        LENT(c, holder=said(r, if_=absent(holder[c])), loans=loans[c] + 1),
        asked[r].becomes((asked[r] | just(c)) - lost),
        say=Answer.OK,
    ),
    mode="first match",
)

HELD = always("HELD", forall(c, present(holder[c]).implies(loans[c] > 0)), "What is held has been lent.")
ONCE = always("ONCE", forall(c, loans[c] <= 2), "No copy is lent more than twice.")
EPOCHS = always("EPOCHS", forall(r, epoch[r] <= last), "No reader is ahead of the last epoch.")
GROWS = step("GROWS", forall(r, next_(epoch[r]) >= epoch[r]), "Epochs never fall.")
LENDS = sometimes("LENDS", ~forall(c, absent(holder[c])), "A copy is lent.")


def library(*without: str) -> Protocol:
    """Return the protocol, without some of what it claims."""
    claims = [one for one in (HELD, ONCE, EPOCHS, GROWS, LENDS) if one.id not in without]
    return protocol(
        "library",
        MEMBERS,
        LOANS,
        properties=claims,
        bounds={"tiny": Bound({"Reader": 2, "Copy": 1, "epoch": 3})},
        ends=True,
        about="Readers and copies.",
    )


LIBRARY = library()
WEAK = library("ONCE")
