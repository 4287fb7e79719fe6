"""Variants: a changed protocol is a value beside its base, and says why."""

from dataclasses import replace

import pytest

from fencepost.model.language import (
    FALSE,
    TRUE,
    Protocol,
    Step,
    TableError,
    Valuation,
    always,
    event,
    first,
    let,
    markdown,
    run,
    step,
)
from fencepost.model.language.terms import Named
from fencepost.model.language.walk import nodes
from tests.cases import each

from .sample import ENDS, SOURCE, Answer, alive, holder, j, order, ready, resting, sample, team, term, w
from .strategies import WORLD

BASE = sample()


def test_but_changes_one_row_and_leaves_the_base() -> None:
    """`but` gives a row another guard, effects or answer; everything else and the base stay."""
    other = BASE.but("AS3", when=FALSE, say=Answer.LATE, why="no worker leaves")
    assert other.row("AS3").when is FALSE
    assert str(other.row("AS3").say) == "LATE"
    assert str(BASE.row("AS3").when) == "resting[w]"
    assert other.row("AS4") is BASE.row("AS4")
    assert (other.base, other.why, other.name) == (BASE, "no worker leaves", "sample+AS3")


def test_but_effects_and_throws() -> None:
    """Effects may be replaced, and an outcome may become an exception."""
    other = BASE.but("JO1", effects=(alive[w].becomes(TRUE),), throws="RuntimeException", why="w")
    assert len(other.row("JO1").stages) == 1
    assert other.row("JO1").throws == "RuntimeException"


def test_but_takes_all_effects_away() -> None:
    """No effects are other effects: the row then changes nothing, and is not left as it was."""
    other = BASE.but("JO1", effects=(), why="no worker joins")
    assert BASE.row("JO1").changes
    assert not other.row("JO1").changes
    assert other.hash != BASE.hash


def test_a_changed_row_gives_the_variant_s_reason() -> None:
    """The rationale of a row that does otherwise is the variant's; of all other rows, the base's."""
    for other, told in (
        (BASE.but("AS3", when=FALSE, why="no worker leaves"), {"AS2": "An old term says nothing of today."}),
        (BASE.but("AS2", say=Answer.OK, why="late is fine"), {"AS3": "Who rests while asking has to go."}),
        (BASE.redefine("unknown", lambda old: FALSE, why="all known"), {"AS3": "Who rests while asking has to go."}),
    ):
        page = markdown(other.tables[0])
        changed = [row.id for row in other.rows if not row.same_as(BASE.row(row.id))]
        assert len(changed) == 1
        assert f"- **{changed[0]}** {other.why}" in page
        for id, why in told.items():
            assert f"- **{id}** {why}" in page
        assert page.count("- **") == len({*told, "AS2", "AS3", *changed})
    assert "Who rests while asking has to go." not in markdown(
        BASE.but("AS3", when=FALSE, why="no worker leaves").tables[0]
    )


def test_a_row_that_stays_keeps_its_reason() -> None:
    """A row written again as it was, and one beside a row that is gone, give the reason that they gave."""
    same = BASE.but("AS3", when=BASE.row("AS3").when, why="no change")
    assert "- **AS3** Who rests while asking has to go." in markdown(same.tables[0])
    assert "- **AS3** Who rests while asking has to go." in markdown(BASE.without("AS1", why="w").tables[0])


def test_first_match_follows_the_variant() -> None:
    """The negations of later rows are derived from the changed row."""
    other = BASE.but("AS2", when=term.is_(0), why="w")
    assert str(other.guard(other.row("AS3"))) == "not unknown and term ≠ 0 and resting[w]"


def test_without_takes_a_row_away() -> None:
    """`without` leaves the other rows, and the properties that spoke of the row alone claim nothing."""
    other = BASE.without("JO1", why="no worker joins")
    assert [row.id for row in other.rows] == ["AS1", "AS2", "AS3", "AS4", "TA1", "TA2"]
    assert other.property("grows") is BASE.property("grows")


def test_without_keeps_a_step_property_that_names_parameters() -> None:
    """A step property over the parameters of a row that is gone is no malformed one."""
    about = step("about", alive[w], rows=("JO1",))
    assert BASE.claiming(about).without("JO1", why="w").name == "sample-JO1"


def test_a_step_may_be_of_all_rows_save_a_few() -> None:
    """A claim that leaves rows out is one of all other rows with effects, of a variant too; of none it is not made."""
    about = step("about", term >= 0, except_rows=dict.fromkeys(("AS2", "TA1"), "they may do that"))
    claiming = BASE.claiming(about)
    all_ = {row.id for row in BASE.rows if row.changes}
    assert set(rows_of(claiming, "about")) == all_ - {"AS2", "TA1"}
    assert set(rows_of(claiming.without("JO1", why="w"), "about")) == all_ - {"AS2", "TA1", "JO1"}
    assert set(
        rows_of(claiming.plus(replace(BASE.row("TA1"), id="TA9"), table=BASE.tables[-1].name, why="w"), "about")
    ) == (all_ | {"TA9"}) - {"AS2", "TA1"}
    nothing_left = BASE.claiming(step("about", term >= 0, except_rows=dict.fromkeys(all_, "none may")))
    assert "about" not in {one.id for one in nothing_left.properties}


def rows_of(of: Protocol, id: str) -> tuple[str, ...]:
    """Return the rows that a step property names."""
    claim = of.property(id)
    assert isinstance(claim, Step)
    return claim.rows


@pytest.mark.parametrize(
    ("left_out", "wrong"),
    [
        ({"AS9": "it is not there"}, "leaves out row AS9, which there is not"),
        ({"AS2": " "}, "leaves out row AS2 without a reason"),
    ],
)
def test_a_row_that_is_left_out_is_there_and_has_a_reason(left_out: dict[str, str], wrong: str) -> None:
    """A row that the protocol has not, or without a reason, cannot be left out of a claim."""
    with pytest.raises(TableError, match=wrong):
        BASE.claiming(step("about", term >= 0, except_rows=left_out))


def test_a_claim_names_rows_or_leaves_some_out() -> None:
    """A claim that does both is refused where it is made."""
    with pytest.raises(TableError, match="names its rows and leaves rows out"):
        step("about", term >= 0, rows=("AS1",), except_rows={"AS2": "it may"})


def test_plus_puts_a_row_at_the_end_or_before_another() -> None:
    """`plus` extends a table; in a first-match table the place decides what the row means."""
    ask = BASE.row("AS1").event
    row = ask("AS5", resting[w], say=Answer.LATE)
    assert [r.id for r in BASE.plus(row, table="asking", why="w").tables[0].rows][-1] == "AS5"
    other = BASE.plus(row, table="asking", before="AS2", why="w")
    assert str(other.guard(other.row("AS5"))) == "not unknown and resting[w]"


def test_redefine_changes_a_name_wherever_it_stands() -> None:
    """A definition is changed in guards, effects, procedures and answers, in all rows or some."""
    other = BASE.redefine("moved", lambda old: first(order[j], ready), why="may stay")
    assert other.hash != BASE.hash
    state = Valuation(
        {
            (alive.state, (0,)): True,
            (alive.state, (1,)): True,
            (resting.state, (0,)): True,
            (holder.state, (0,)): 0,
            (order.state, (0,)): (0, 1),
            (team.state, (0,)): frozenset({0}),
        }
    )
    binding = dict.fromkeys(BASE.row("AS3").params, 0)
    assert run(BASE.row("AS3"), binding, state, WORLD).after == run(other.row("AS3"), binding, state, WORLD).after
    assert (
        run(other.redefine("moved", lambda old: holder[j], why="w").row("AS3"), binding, state, WORLD).after.read(
            holder.state, (0,)
        )
        == 0
    )
    unknown = BASE.redefine("unknown", lambda old: TRUE, rows=("AS1",), why="w")
    assert "true" not in str(unknown.row("AS1").when)
    assert unknown.row("AS3") is BASE.row("AS3")


def test_redefine_reaches_answers() -> None:
    """An answer that speaks of the name is changed with it."""
    named = BASE.but("AS4", say=let("late", term > 1), why="w")
    other = named.redefine("late", lambda old: FALSE, why="w")
    [named_term] = [node for node in nodes(other.row("AS4").say) if isinstance(node, Named)]  # type: ignore[arg-type]
    assert named_term.name == "late"
    assert (
        run(other.row("AS4"), dict.fromkeys(other.row("AS4").params, 0), Valuation({(term.state, ()): 3}), WORLD).answer  # type: ignore[attr-defined]
        is False
    )


def test_replaying_changes_what_a_record_does() -> None:
    """A record may be replayed otherwise, inside procedures too."""
    about = next(r for r in BASE.records if r.name == "LEFT").about[0]
    other = BASE.replaying("LEFT", resting[about.value].becomes(TRUE), why="forgets to leave")
    state = Valuation({(alive.state, (0,)): True, (resting.state, (0,)): True})
    binding = dict.fromkeys(other.row("AS3").params, 0)
    assert run(other.row("AS3"), binding, state, WORLD).after.read(alive.state, (0,))
    assert not run(BASE.row("AS3"), binding, state, WORLD).after.read(alive.state, (0,))


def test_claiming_replaces_properties_by_id() -> None:
    """A property with a known id takes the place of the old one; a new one is added."""
    other = BASE.claiming(always("held", TRUE), always("new", TRUE))
    assert [p.id for p in other.properties] == ["held", "grows", "busy", "ends", "new"]
    assert str(other.property("held").term) == "true"  # type: ignore[union-attr]


def test_slice_keeps_some_tables() -> None:
    """A slice has some tables, its own bounds and start, and no step property that speaks of other rows only."""
    other = BASE.slice("asking", name="asking", start=TRUE)
    assert [row.id for row in other.rows] == ["AS1", "AS2", "AS3", "AS4"]
    assert "grows" not in {p.id for p in other.properties}
    assert other.bounds == {}


@pytest.mark.parametrize("kind", ["fair", "strongly_fair"])
def test_a_slice_claims_what_its_own_events_bring_about(kind: str) -> None:
    """What comes to pass by fairness of either kind is claimed of a slice that has the events, and of no other."""
    claim = replace(ENDS, fair=(), strongly_fair=()) if kind == "strongly_fair" else ENDS
    whole = BASE.claiming(replace(claim, **{kind: ("Ask",)}))
    assert [
        "ends" in {p.id for p in whole.slice(name, name=name, bounds={}).properties} for name in ("asking", "work")
    ] == [True, False]


@each(
    ("edit", "words"),
    [
        (lambda: BASE.but("AS9", why="w"), "no row AS9"),
        (lambda: BASE.but("AS3", wehn=TRUE, why="w"), r"changes \['wehn'\] of AS3"),
        (lambda: BASE.without("AS9", why="w"), "no row AS9"),
        (lambda: BASE.plus(BASE.row("AS1"), table="work", why="w"), "the id is taken"),
        (lambda: BASE.plus(event("E", w, source=SOURCE)("E1", TRUE), table="wrok", why="w"), "no table 'wrok'"),
        (
            lambda: BASE.plus(event("E", w, source=SOURCE)("E1", TRUE), table="work", before="AS1", why="w"),
            "no row AS1 in table 'work'",
        ),
        (lambda: BASE.redefine("nothing", lambda old: old, why="w"), "no term is named nothing"),
        (lambda: BASE.replaying("NOTHING", why="w"), "no row writes NOTHING"),
        (lambda: BASE.slice("wrok", name="s"), r"no table \['wrok'\]"),
        (lambda: BASE.but("AS3", when=alive[j], why="w"), "is of kind Job"),  # type: ignore[index]
    ],
)
def test_an_edit_of_nothing_is_refused(edit: object, words: str) -> None:
    """An edit that names what is not there raises instead of giving the base under another name."""
    with pytest.raises(TableError, match=words):
        edit()  # type: ignore[operator]


@each(
    "edit",
    [
        lambda: BASE.but("AS3", when=FALSE, why="w"),
        lambda: BASE.without("TA2", why="w"),
        lambda: BASE.redefine("moved", lambda old: holder[j], rows=("AS3",), why="w"),
        lambda: BASE.replaying("LEFT", why="w"),
        lambda: BASE.claiming(always("held", TRUE)),
        lambda: BASE.claiming(replace(ENDS, fair=(), strongly_fair=ENDS.fair)),
        lambda: BASE.claiming(always("held", BASE.property("held").term, expected="violated")),  # type: ignore[union-attr]
        lambda: BASE.slice("asking", "work", name="sample", bounds={}),
    ],
)
def test_the_hash_tells_variants_apart(edit: object) -> None:
    """Whatever differs in rows, records, properties or bounds shows in the hash; the same protocol has the same one."""
    assert edit().hash != BASE.hash  # type: ignore[operator]
    assert sample().hash == BASE.hash
