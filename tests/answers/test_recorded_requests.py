"""What Kafka's own classes answered about configurations, features, leaders, replicas and topics, against the rows."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.conformance.answers.adapters import KINDS
from fencepost.checkers.conformance.answers.judge import judge, read_lines
from fencepost.checkers.verdicts import Refusal
from fencepost.model.kraft import KRAFT
from fencepost.model.kraft import state as k
from fencepost.model.kraft.builder import change
from fencepost.model.kraft.cluster_records import CLUSTER_UNCLEAN, CONFIG, NODE_UNCLEAN
from fencepost.model.kraft.configurations import n, one, switch
from fencepost.model.kraft.reassignment import NOBODY, old_replicas
from fencepost.model.kraft.records import level_at
from fencepost.model.language import FALSE, Protocol, Term, nobody, only_if, said, some, those, when
from fencepost.model.language.effects import Every, Write
from fencepost.model.museum.edits import replaced
from tests.cases import each

ORACLE = Path(__file__).resolve().parents[2] / "traces" / "recorded" / "oracle"

LINES = {"configurations": 1570, "features": 1866, "elections": 3212, "reassignment": 2424, "topics": 1683}
"""How many lines of each kind are recorded."""

ROWS = {
    "configurations": {*(f"CF{n}" for n in range(1, 29)), "CM1", "CM2"},
    "features": {*(f"FE{n}" for n in range(1, 11)), "FE12"},
    "elections": {"EL1", "EL2", "EL3", "EU1", "EU2", "EU3", "BA1", "UE1"},
    "reassignment": {"RA1", "RA2", "RA3", "RA4", "RC1", "RC2", "RC3", "RC4", "RC5"},
    "topics": {"CT1", "CT2", "CT3", "CT4", "DT1", "DT2", "CP1", "CP2", "CP3", "CP4", "CP5", "CP6"},
}
"""Which rows are held to some line."""

NOT_ASKED = {
    "configurations": {"a whole resource that is refused is taken out before the rows are asked": 68},
    "features": {},
    "elections": {},
    "reassignment": {},
    "topics": {
        "a topic whose configuration is refused is taken out before the rows are asked": 32,
        "an assignment has as many partitions as are added": 10,
    },
}
"""What no row is asked about, with the reason."""


@cache
def lines(kind: str) -> tuple[Mapping[str, Any], ...]:
    """The recorded lines of a kind."""
    return tuple(read_lines(ORACLE / f"{kind}.ndjson.gz"))


@pytest.mark.representative("configurations", "topics")
@pytest.mark.parametrize("kind", LINES)
def test_the_rows_answer_as_kafka_does(kind: str) -> None:
    """On every recorded input the one row that applies gives Kafka's error, records, and what holds after them."""
    found = judge(KINDS[kind], lines(kind))
    assert found.differences == ()
    assert found.skipped == NOT_ASKED[kind]
    assert found.lines + sum(found.skipped.values()) == LINES[kind]
    assert set(found.rows) == ROWS[kind]


@each("kind", LINES)
def test_no_input_is_recorded_twice(kind: str) -> None:
    """The lines of a kind are different questions."""
    asked = [repr(sorted((name, repr(value)) for name, value in line.items() if name != "out")) for line in lines(kind)]
    assert len(set(asked)) == len(asked)


# -- edits that the answers notice -------------------------------------------------------------------------------------
WHY = "an edit that the answers must notice"

HELD_TO = {
    "CF": ("configurations", "incremental"), "CM": ("configurations", "legacy"), "FE": ("features", "update"),
    "EL": ("elections", "preferred"), "EU": ("elections", "unclean"), "BA": ("elections", "balance"),
    "UE": ("elections", "rescue"), "RA": ("reassignment", "reassign"), "RC": ("reassignment", "reassign"),
    "CT": ("topics", "create"), "CP": ("topics", "grow"), "DT": ("topics", "delete"),
}  # fmt: skip
"""The kind of recorded answers that a row is held to, and what is asked for, by the letters of its id."""


EQUIVALENT = {"CF14"}
"""Without this row the next one writes the same: it is a row of its own for the finding D24."""


@cache
def seen(kind: str, op: str) -> tuple[dict[str, list[Mapping[str, Any]]], Iterator[Mapping[str, Any]]]:
    """The recorded lines about one thing that were asked for, by the row that answers them, and those that are left."""
    return {}, (line for line in lines(kind) if line["op"] == op)


def answered(row: str) -> Iterator[Mapping[str, Any]]:
    """Yield the recorded lines that a row answers: no line behind the last one that is asked for is compared."""
    name, op = HELD_TO[row[:2]]
    kind, (found, rest) = KINDS[name], seen(name, op)
    mine = found.setdefault(row, [])
    for at in count():
        while len(mine) <= at:
            line = next(rest, None)
            if line is None:
                return
            for id in () if kind.skip(line) else judge(kind, [line]).rows:
                found.setdefault(id, []).append(line)
        yield mine[at]


AT_ONCE = 10


def noticed(row: str, protocol: Protocol) -> set[str]:
    """Return fields in which the answers of Kafka differ from edited tables: on the lines that the row answers."""
    kind, mine = replace(KINDS[HELD_TO[row[:2]][0]], protocol=protocol), answered(row)
    while some_lines := list(islice(mine, AT_ONCE)):
        found = judge(kind, some_lines).differences
        if found:
            return {one.field for one in found}
    return set()


@pytest.mark.representative("CT1", "UE1", "CF1")
@pytest.mark.parametrize("row", sorted(set().union(*ROWS.values()) - EQUIVALENT))
def test_a_row_left_out_is_noticed(row: str) -> None:
    """Without a row, the next one in the order of checks or none at all answers, otherwise than Kafka on some line."""
    assert noticed(row, KRAFT.without(row, why=WHY))


def without_writing(row: str) -> Protocol:
    """Return the tables with a row that writes nothing."""
    return KRAFT.but(row, effects=(only_if(FALSE, *KRAFT.row(row).effects),), why=WHY)


@pytest.mark.representative("CF5", "CM1", "EL3", "CT3")
@pytest.mark.parametrize(
    "row",
    ["CF5", "CF10", "CF14", "CF15", "CF19", "CF24", "CM1", "FE5", "FE7", "FE8", "FE9", "EL3", "EU3", "BA1", "UE1",
     "RA3", "RC4", "RC5", "CT3", "DT2", "CP5", "CP6"],
)  # fmt: skip
def test_a_row_that_writes_nothing_is_noticed(row: str) -> None:
    """A value that is never stored, a partition that no election rescues: the records are missing."""
    assert "recs" in noticed(row, without_writing(row))


def test_a_value_that_is_not_the_one_asked_for_is_noticed() -> None:
    """A record without the value that was asked for deletes it: CF19, CF24 and CF28 are held to the value itself."""
    assert noticed(
        "CF19", KRAFT.but("CF19", effects=(CLUSTER_UNCLEAN(value=said(k.cluster_unclean, if_=FALSE)),), why=WHY)
    )
    assert noticed("CF28", KRAFT.but("CF28", effects=(NODE_UNCLEAN(n, value=said(switch, if_=FALSE)),), why=WHY))
    assert noticed("CF24", KRAFT.but("CF24", effects=(CONFIG(one, value=said(k.asked[one], if_=FALSE)),), why=WHY))


ITS_TOPIC = k.topic[k.p]


@pytest.mark.parametrize(
    "own", [when(k.own_unclean[ITS_TOPIC], k.unclean[ITS_TOPIC], k.cluster_unclean), k.own_unclean[ITS_TOPIC]]
)
def test_whose_configuration_allows_unclean_leaders(own: Term[bool]) -> None:
    """The controller's own node comes between topic and cluster: tables that leave it out answer otherwise (D31)."""
    edited = KRAFT.redefine("allows_unclean", lambda _: own, why=WHY, name="kraft without nodes", rows=("UE1",))
    assert noticed("UE1", edited)


def in_effects(row: str, old: Term[Any], new: Term[Any]) -> Protocol:
    """Return the tables with a term in one row's effects replaced."""
    return replaced(KRAFT, row, old, new, why=WHY, name=f"kraft with another {row}")


ACTIVE = those(k.x, k.active_broker(k.x))
LEAVING_TOO = those(k.x, k.registered[k.x] & ~k.fenced[k.x] & k.online(k.p, k.x))


@pytest.mark.representative("EL3")
@pytest.mark.parametrize("row", ["EL3", "EU3", "BA1", "UE1", "RA3", "RC4", "RC5"])
def test_who_may_be_elected(row: str) -> None:
    """A replica in an offline directory, a broker that shuts down, no broker at all: each gives other leaders."""
    assert noticed(row, in_effects(row, k.electable(k.p), ACTIVE)), "a replica in an offline directory"
    assert noticed(row, in_effects(row, k.electable(k.p), LEAVING_TOO)), "a broker in controlled shutdown"
    assert noticed(row, in_effects(row, k.electable(k.p), nobody(k.BROKER))), "nobody"


@pytest.mark.representative("CT3")
@pytest.mark.parametrize("row", ["CT3", "CP5", "CP6"])
def test_how_a_partition_begins(row: str) -> None:
    """A partition that begins at another epoch, or with replicas in `migrating`, is not what Kafka writes."""
    edited = _born(row, "partition_epoch", level_at(1))
    assert "recs" in noticed(row, edited)
    assert "recs" in noticed(row, _born(row, "leader_epoch", level_at(1)))
    assert "recs" in noticed(row, in_effects(row, k.default_directory(k.x), some(k.migrating)))


def _born(row: str, field: str, value: Term[Any]) -> Protocol:
    """Return the tables with another value in one field of the partitions that a row creates."""

    def edit(effect: Any) -> Any:
        if isinstance(effect, Every):
            return replace(effect, body=tuple(edit(inner) for inner in effect.body))
        if isinstance(effect, Write) and effect.record.name == "Partition":
            fields = tuple(replace(one, value=value) if one.field == field else one for one in effect.fields)
            return replace(effect, fields=fields)
        return effect

    effects = tuple(edit(effect) for effect in KRAFT.row(row).effects)
    return KRAFT.but(row, effects=effects, why=WHY)


def test_a_partition_is_made_whole() -> None:
    """RC5 with the ISR kept as it was, so that leader and ISR of one record do not agree, is not what Kafka writes."""
    kept = change(k.p, k.isr[k.p], k.electable(k.p), target=old_replicas, target_removing=NOBODY, target_adding=NOBODY)
    assert "recs" in noticed("RC5", KRAFT.but("RC5", effects=(kept,), why=WHY))


# -- what is refused ---------------------------------------------------------------------------------------------------
@each(
    ("kind", "hurt"),
    [
        ("configurations", {"type": "PLANET"}),
        ("configurations", {"op": "guess"}),
        ("configurations", {"value": 0}),
        ("features", {"way": 9}),
        ("elections", {"op": "lottery"}),
        ("reassignment", {"weather": "fine"}),
        ("topics", {"brokers": [["ASLEEP", [], []]]}),
        ("topics", {"out": "x"}),
        ("topics", {"topics": None}),
    ],
)
def test_a_line_with_a_wrong_value_is_refused_in_one_sentence(kind: str, hurt: dict[str, Any]) -> None:
    """A column that nothing reads and a value that a column cannot have are refused with their line's number."""
    recorded = [dict(line) for line in lines(kind)[:3]]
    recorded[2] |= hurt
    with pytest.raises(Refusal, match=r"line 3: not an input of kind [a-z-]+ \(.+\); check --kind") as refused:
        judge(KINDS[kind], recorded)
    assert "\n" not in str(refused.value)


def test_an_order_that_the_rows_leave_open_is_no_difference_and_any_other_is() -> None:
    """Records of one type that follow one another may stand in any order, records of two types may not."""
    line = next(
        dict(line) for line in lines("topics")
        if [one["t"] for one in line["out"]["recs"]] == ["Topic", "Config", "Config", "Partition"]
    )  # fmt: skip
    first, one, other, last = line["out"]["recs"]
    turned = {**line, "out": {**line["out"], "recs": [first, other, one, last]}}
    assert judge(KINDS["topics"], [turned]).differences == ()
    wrong = {**line, "out": {**line["out"], "recs": [one, first, other, last]}}
    assert [found.field for found in judge(KINDS["topics"], [wrong]).differences] == ["recs"]


# -- odd lines ---------------------------------------------------------------------------------------------------------
def created(**changed: Any) -> dict[str, Any]:
    """Return a recorded creation that Kafka accepts, with other fields."""
    return {
        **next(one for one in lines("topics") if one["op"] == "create" and one["out"]["error"] == "NONE"),
        **changed,
    }


def together(op: str) -> list[dict[str, Any]]:
    """Return lines of a task about two partitions of a topic, each made of two recorded ones in one cluster."""
    same: dict[str, list[Mapping[str, Any]]] = {}
    for line in lines("elections"):
        if line["op"] == op and list(line["topics"]) == ["t"] and len(line["topics"]["t"]) == 1:
            same.setdefault(repr([line[name] for name in ("mv", "E", "brokers", "configs")]), []).append(line)
    found = []
    for first, second in ((group[at], group[-1 - at]) for group in same.values() for at in range(len(group) // 2)):
        recs = [*first["out"]["recs"], *({**one, "p": 1} for one in second["out"]["recs"])]
        both = {"t": [first["topics"]["t"][0], second["topics"]["t"][0]]}
        if len(both["t"][0]["rep"]) == len(both["t"][1]["rep"]):
            found.append({**first, "topics": both, "out": {**first["out"], "recs": recs}})
    return found


@pytest.mark.parametrize("op", ["balance", "rescue"])
def test_a_task_is_asked_about_every_partition(op: str) -> None:
    """Of two partitions at once the rows elect what Kafka's manager elects of each, whichever the line names."""
    asked = together(op)
    found = judge(KINDS["elections"], asked)
    assert found.differences == ()
    assert max(len(one["out"]["recs"]) for one in asked) == 2
    lost = [
        {**one, "out": {**one["out"], "recs": one["out"]["recs"][:1]}} for one in asked if len(one["out"]["recs"]) > 1
    ]
    assert len(judge(KINDS["elections"], lost).differences) == len(lost) > 0


def test_a_name_that_no_topic_may_have_is_left_out_with_its_reason() -> None:
    """Kafka refuses such a name before the rows are asked; one that it refuses without need differs."""
    refused = {"error": "INVALID_TOPIC_EXCEPTION", "recs": []}
    other = {"a.b": created()["topics"].get("a.b", [])}
    bad = [created(topic="a b", out=refused), created(topic="..", out=refused)]
    bad.append(created(topic="a_b", topics={**created()["topics"], **other}, out=refused))
    found = judge(KINDS["topics"], bad)
    assert (found.lines, found.differences) == (0, ())
    assert found.skipped == {"a topic whose name is refused is taken out before the rows are asked": 3}
    wrong = judge(KINDS["topics"], [created(out=refused)])
    assert ("error", "INVALID_TOPIC_EXCEPTION") in [
        (difference.field, difference.kafka) for difference in wrong.differences
    ]


@pytest.mark.parametrize("value", ["abc", "", "1_0", "0", "1.5"])
def test_one_bad_value_of_a_setting_is_one_difference(value: str) -> None:
    """A value that Kafka stores nowhere is reported for its line, and the others are checked."""
    good = created()
    bad = created(settings=[["min.insync.replicas", value]])
    stored = {**good, "configs": [*good.get("configs", ()), ["BROKER", "", "min.insync.replicas", value]]}
    found = judge(KINDS["topics"], [good, bad, stored, good])
    assert found.lines == 4
    assert [(one.line, one.field) for one in found.differences] == [(2, "row"), (3, "row")]
    assert f"min.insync.replicas={value} is no value that Kafka stores" in str(found.differences[0].tables)


def test_a_bad_value_that_kafka_refuses_is_a_row_s() -> None:
    """Of a single key the rows refuse what the validator refuses: no number, and no truth value."""
    asked = []
    for line in lines("configurations"):
        if line["op"] == "incremental" and line["value"] == "bad" and line["key"] in ("min.insync.replicas", SWITCH):
            asked += [{**line, "value": value} for value in ("abc", "1_0" if line["key"] != SWITCH else "yes")]
    assert len(asked) > 10
    assert judge(KINDS["configurations"], asked).differences == ()


SWITCH = "unclean.leader.election.enable"
