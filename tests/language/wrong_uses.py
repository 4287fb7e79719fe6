"""Wrong uses of the language: every line that ends in `# wrong` must be reported by mypy --strict, and no other."""

# ruff: noqa: B015, B018
import enum

from fencepost.model.language.vocabulary import *


class Broker(Entity):
    """A broker."""


class Partition(Entity):
    """A partition."""


class Colour(enum.Enum):
    """A colour."""

    RED = 1


class Shape(enum.Enum):
    """A shape."""

    ROUND = 1


BROKER, PARTITION = sort(Broker), sort(Partition)
b, p = BROKER.var("b"), PARTITION.var("p")
fenced = per(BROKER, "fenced", BOOL)
leader = per(PARTITION, "leader", maybe(BROKER), NONE)
isr = per(PARTITION, "isr", list_of(BROKER))
elr = per(PARTITION, "elr", set_of(BROKER))
owns = per(BROKER, "owns", set_of(PARTITION))
index = per2(PARTITION, BROKER, "index", BOOL)
colour = cell("colour", one_of(Colour), Colour.RED)
epoch = cell("epoch", counter("epoch"), 0)
size = cell("size", threshold("size"), 1)
happens = event("Happens", b, p)


@definition
def leads(who: Term[Broker], what: Term[Partition]) -> Term[bool]:
    """Right: an option compared with an entity."""
    return leader[what].is_(who)


leader[b]  # wrong
index[b, p]  # wrong
leader[p].is_(p)  # wrong
leader[p].becomes(p)  # wrong
leader[p].in_(owns[b])  # wrong
colour.is_(Shape.ROUND)  # wrong
colour.becomes(Shape.ROUND)  # wrong
epoch.is_(b)  # wrong
epoch + fenced[b]  # wrong
epoch < b  # wrong
fenced[b] & epoch  # wrong
fenced[b] & elr[p]  # wrong
~epoch  # wrong
elr[p] <= owns[b]  # wrong
elr[p] >= owns[b]  # wrong
elr[p] | just(p)  # wrong
elr[p] - b  # wrong
p.in_(elr[p])  # wrong
p.in_(isr[p])  # wrong
b.in_(b)  # wrong
isr[p].becomes(elr[p])  # wrong
members(elr[p])  # wrong
first(isr[p], owns[b])  # wrong
forall(b, epoch)  # wrong
exists(p, leader[p])  # wrong
when(epoch, b, b)  # wrong
at_least(elr[p], epoch)  # wrong
happens("R1", epoch)  # wrong
leads(p, b)  # wrong
leads(b)  # wrong
leads(b, p) and fenced[b]  # wrong
epoch == 1  # wrong
(epoch == 1) & fenced[b]  # wrong
(epoch < 2) * 2  # wrong
2 * epoch  # wrong
1 + epoch  # wrong
-epoch  # wrong
at_least(elr[p], size)
elr[p] | just(leader[p])
isr[p].becomes(only(leader[p]))
