"""A resource allocator, as Merz's SimpleAllocator states it (the TLA+ examples): clients ask for sets of resources.

Restated from the specification, in our words: it shows fairness for each client, and claims for each client and each
resource. It has the figures of the original: 400 states of three clients and two resources, 1,633 transitions, depth 6.
"""

from typing import Any

from fencepost.model.language import (
    Bound,
    Entity,
    Term,
    Var,
    always,
    definition,
    empty,
    event,
    exists,
    forall,
    leads_to,
    per,
    protocol,
    set_of,
    sort,
    table,
)


class Client(Entity):
    """Somebody who needs resources."""


class Resource(Entity):
    """What one client at a time may have."""


CLIENT, RESOURCE = sort(Client), sort(Resource)
RESOURCES = set_of(RESOURCE)
c, x, y = CLIENT.var("c"), CLIENT.var("x"), CLIENT.var("y")
r = RESOURCE.var("r")
some = RESOURCES.var("some")

wanted = per(CLIENT, "wanted", RESOURCES, about="what a client has asked for and not got yet")
held = per(CLIENT, "held", RESOURCES)


@definition
def is_free(one: Var[Any]) -> Term[bool]:
    """No client holds the resource."""
    return ~exists(x, one.in_(held[x]))


SOURCE = "SimpleAllocator.tla"
request = event("Request", c, some, source=SOURCE)
allocate = event("Allocate", c, some, source=SOURCE)
give_back = event("Return", c, some, source=SOURCE)

ALLOCATION = table(
    "allocation",
    request("A1", empty(wanted[c]) & empty(held[c]) & ~empty(some), wanted[c].becomes(some)),
    allocate(
        "A2",
        ~empty(some) & (some <= wanted[c]) & forall(r, r.in_(some).implies(is_free(r))),
        held[c].becomes(held[c] | some),
        wanted[c].becomes(wanted[c] - some),
    ),
    give_back("A3", ~empty(some) & (some <= held[c]), held[c].becomes(held[c] - some)),
)

FAIR: dict[str, Any] = {"fair": ("Return",), "strongly_fair": ("Allocate",), "fair_by": {"Return": c, "Allocate": c}}
"""Each client gives back again and again, and is given something as often as that is possible."""

PROPERTIES = (
    always(
        "ResourceMutex",
        forall(x, forall(y, x.isnt(y).implies(empty(held[x] & held[y])))),
        about="no two clients hold one resource",
        source=SOURCE,
    ),
    leads_to("ClientsWillReturn", empty(wanted[c]), empty(held[c]), each=(c,), source=SOURCE, **FAIR),
    leads_to("ClientsWillObtain", r.in_(wanted[c]), r.in_(held[c]), each=(c, r), source=SOURCE, **FAIR),
)

SIMPLE_ALLOCATOR = protocol(
    "simple_allocator",
    ALLOCATION,
    properties=PROPERTIES,
    bounds={"example": Bound({"Client": 3, "Resource": 2}, about="400 states, as SimpleAllocator.cfg")},
    about="An allocator of resources to clients that ask for sets of them.",
)
