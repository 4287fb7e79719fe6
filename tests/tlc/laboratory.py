"""Two protocols about nothing, in which every construct of the language occurs at least once."""

import enum

from fencepost.model.language.vocabulary import *


class Guest(Entity):
    """Somebody at a table."""


class Colour(enum.Enum):
    """Something that an enumeration can be of."""

    RED = 1
    BLUE = 2


GUEST = sort(Guest)
LEVEL = counter("Level")
SIZE = threshold("Size")
COLOUR = one_of(Colour)
g, h, n = GUEST.var("g"), GUEST.var("h"), LEVEL.var("n")

# -- terms: whatever the fixed variables are, the row writes what the terms make of them -------------------------------
order = cell("order", list_of(GUEST), initial=ANY, what="fixed")
other = cell("other", list_of(GUEST), initial=ANY, what="fixed")
group = cell("group", set_of(GUEST), initial=ANY, what="fixed")
chosen = cell("chosen", maybe(GUEST), initial=ANY, what="fixed")
height = cell("height", LEVEL, initial=ANY, what="fixed")
asked = cell("asked", SIZE, initial=ANY, what="fixed")
shelf = per(LEVEL, "shelf", COLOUR, initial=Colour.BLUE, what="fixed")

done = cell("done", BOOL)
kept = cell("kept", list_of(GUEST))
joined = cell("joined", list_of(GUEST))
alone = cell("alone", list_of(GUEST))
sorted_ = cell("sorted", list_of(GUEST))
found = cell("found", maybe(GUEST), initial=NONE)
fallback = cell("fallback", maybe(GUEST), initial=NONE)
rest = cell("rest", set_of(GUEST))
chosen_set = cell("chosen_set", set_of(GUEST))
big = cell("big", BOOL)
smaller = cell("smaller", SIZE, initial=1)
highest = cell("highest", LEVEL, initial=0)
below = cell("below", COLOUR, initial=Colour.RED)
truth = cell("truth", BOOL)
within = cell("within", BOOL)

look = event("Look", source="laboratory")
crowd = let("crowd", group | members(order))
TERMS = table(
    "terms",
    look(
        "LK",
        ~done,
        done.becomes(TRUE),
        kept.becomes(keep(order, group)),
        joined.becomes(then(drop(order, group), other)),
        alone.becomes(only(chosen)),
        sorted_.becomes(ascending(crowd)),
        found.becomes(first(order, group)),
        fallback.becomes(else_(chosen, head(other))),
        rest.becomes((members(other) - group) & those(g, chosen.isnt(g))),
        chosen_set.becomes(just(chosen) | nobody(GUEST)),
        big.becomes(at_least(crowd, lesser(asked, size_of(group, SIZE))) & ~repeats(order)),
        smaller.becomes(lesser(asked, asked)),
        highest.becomes(max_of(n, n + 1 <= height, 0)),
        below.becomes(shelf[height - 1]),
        truth.becomes(forall(g, g.in_(group).implies(exists(h, h.in_(order) & g.isnt(h)))) | empty(order)),
        within.becomes((group <= members(order)) | (height < 1) & chosen.in_(order)),
    ),
)
TERM_LABORATORY = protocol(
    "terms",
    TERMS,
    properties=[
        step("ONCE", done.is_(next_(done)) | next_(done), scope=AT_RESULT_BOUNDARIES),
        step("WHOLE", next_(kept).is_(keep(order, group)), rows=("LK",), scope=AT_RESULT_BOUNDARIES),
        sometimes("SEEN", done & ~empty(kept)),
    ],
    bounds={"two": Bound({"Guest": 2, "Level": 1, "Size": 2}, start=empty(other) | height.is_(1))},
    start=asked.is_(asked),
    ends=True,
)

# -- effects: stages that read what earlier ones wrote, procedures, records, choices ----------------------------------
seat = per(GUEST, "seat", LEVEL, initial=0)
hat = per(GUEST, "hat", BOOL)
score = per2(GUEST, LEVEL, "score", BOOL)
host = cell("host", maybe(GUEST), initial=NONE)
total = cell("total", LEVEL, initial=0)
lamp = cell("lamp", BOOL)
unused = per(GUEST, "unused", BOOL, what="ghost")

_guest = required("guest", GUEST)
_seat = optional("seat", LEVEL)
_hat = optional("hat", BOOL)
MOVE = record(
    "MOVE",
    _guest,
    fields=(_seat, _hat),
    replay=(
        seat[_guest.value].becomes(_seat.over(seat[_guest.value])),
        hat[_guest.value].becomes(_hat.over(hat[_guest.value])),
    ),
)
COUNT = record("COUNT", _guest, replay=total.becomes(total + 1))
_shown = parallel("shown", beside(GUEST, LEVEL))
sitting = ascending(those(h, ~hat[h]))
CLEAR = record(
    "CLEAR",
    _guest,
    fields=(_shown,),
    replay=(
        every(h, hat[h] & h.isnt(_guest.value), hat[h].becomes(seat[h].is_(0)), seat[h].becomes(0)),
        score[_guest.value, total].becomes(TRUE),
        only_if(_shown.said, every(h, h.in_(sitting), score[h, _shown.at(sitting, h)].becomes(TRUE))),
    ),
)


@procedure(g, up=(LEVEL.var("up"), lambda g: seat[g] + 1))
def rise(g: Term[Guest], up: Term[int]) -> object:
    """Go up, and put a hat on at the first level."""
    first_level = let("first_level", up.is_(1))
    return MOVE(g, seat=said(up, if_=up <= seat[g] + 1), hat=said(first_level, if_=first_level | hat[g]))


@procedure(g)
def greet(g: Term[Guest]) -> object:
    """Light the lamp, and count the guest if it has a hat."""
    return lamp.becomes(~lamp), only_if(hat[g], COUNT(g)), unused[g].becomes(TRUE)


seats = event("Seat", g, n, given=n <= seat[g] + 1, source="laboratory")
everyone = event("Everyone", source="laboratory")
meets = event("Meet", g, source="laboratory")
leaves = event("Leave", g, source="laboratory")
EFFECTS = table(
    "effects",
    seats("E1", (seat[g] < n) & ~lamp, rise(g), host.becomes(else_(host, some(g))), choose=(BOOL.var("why"),)),
    seats("E2", lamp & n.isnt(seat[g]), seat[g].becomes(n), only_if(n.is_(0), hat[g].becomes(~hat[g]))),
    seats("E3", TRUE),
    everyone("E4", exists(g, hat[g]), every(g, hat[g], rise(g, up=seat[g])), COUNT(h), choose=(h,)),
    everyone("E5", ~lamp, every(g, ~hat[g], seat[g].becomes(0), every(n, n < total, score[g, n].becomes(lamp)))),
    meets("E6", present(host), greet(g), together(MOVE(g, hat=said(TRUE, if_=~hat[g])), COUNT(g))),
    leaves("E7", host.is_(g), CLEAR(g, shown=each(h, sitting, seat[h])), host.becomes(none_of(GUEST)), CLEAR(g)),
    mode="first match",
)
EFFECT_LABORATORY = protocol(
    "effects",
    EFFECTS,
    properties=[always("LOW", total <= 2), leads_to("SEATED", present(host), host.is_(None), fair=("Leave",))],
    bounds={"two": Bound({"Guest": 2, "Level": 2}, given={"Meet": g.is_(g), "Seat": n < 2}, about="every row fires")},
)
