"""The file that declares a fork: what it may say, and how a wrong one is refused, with its line."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from fencepost.checkers.cli.main import main
from fencepost.traces import CodecError, Record, TraceError, Undecodable
from fencepost.traces.forks import SHIPPED, declared, fork_of
from fencepost.traces.forks.types import Packed, Versions, WrongType, fields_of, payload_of

RECORD = '[[record]]\nkey = 700\nname = "OWN"\nfields = ["a i32, b str"]\nstory = "a is {a}"\n'
TAG = '[[tag]]\ntag = 90\nname = "own"\non = { PARTITION_CHANGE_RECORD = "0+" }\ntype = "i32"\n'
HEAD = 'name = "F"\n'

WRONG = {
    "no TOML": (HEAD + "x = \n", "this is no TOML"),
    "a text that is not closed": (HEAD + '[[record]]\nname = "', "line 3"),
    "no name": (RECORD, "line 1: the file has no name"),
    "nothing declared": (HEAD, "line 1: no [[record]] and no [[tag]] is declared"),
    "an unknown entry": (HEAD + "colour = 1\n" + RECORD, "line 2: colour is nothing that the file has"),
    "an unknown entry of a record": (HEAD + RECORD + "size = 3\n", "line 7: size is nothing that [[record]] has"),
    "one record that is no array": (HEAD + RECORD.replace("[[record]]", "[record]"), "line 2: record is written"),
    "no key": (HEAD + RECORD.replace("key = 700\n", ""), "line 2: [[record]] has no key"),
    "a key that is a text": (HEAD + RECORD.replace("700", '"700"'), "line 3: key is an api key, and not '700'"),
    "a key of Kafka's": (HEAD + RECORD.replace("700", "5"), "line 3: PARTITION_CHANGE_RECORD is a record of Apache"),
    "a key beyond 16 bits": (HEAD + RECORD.replace("700", "70000"), "line 3: 70000 is no api key"),
    "a name of Kafka's": (HEAD + RECORD.replace("OWN", "TOPIC_RECORD"), "line 4: TOPIC_RECORD is a record of Apache"),
    "a key twice": (HEAD + RECORD + RECORD.replace("OWN", "B"), "line 8: the key 700 is declared twice, first in line"),
    "a name twice": (HEAD + RECORD + RECORD.replace("700", "701"), "line 9: the name OWN is declared twice"),
    "versions that are none": (HEAD + RECORD + 'versions = "v1"\n', "line 7: 'v1' is no range of versions"),
    "versions backwards": (HEAD + RECORD + 'versions = "3-1"\n', "line 7: the versions 3-1 end before they begin"),
    "an unknown type": (HEAD + RECORD.replace("b str", "b text"), "line 5: 'a i32, b text': 'text' is no type"),
    "a field without a type": (HEAD + RECORD.replace("b str", "b"), "line 5"),
    "a field that is nothing": (HEAD + RECORD.replace("b str", "%"), "line 5"),
    "a field twice": (HEAD + RECORD.replace("b str", "a str"), "line 5: 'a i32, a str': the field a is there twice"),
    "a field twice in two texts": (
        HEAD + RECORD.replace('["a i32, b str"]', '[\n"a i32",\n"a str"]'), "line 7: the field a is there twice"),
    "a list that is not closed": (HEAD + RECORD.replace("b str", "b [i32"), "line 5"),
    "two fields of one tag": (HEAD + RECORD.replace("a i32, b str", "a i32 tag 1, b str tag 1"), "have one tag"),
    "a condition that is a number": (
        HEAD + RECORD.replace('"a is {a}"', '[{ if = 1, is = 1, say = "x" }, { say = "y" }]'), "line 6: if is the"),
    "a sign by something else": (HEAD + TAG + "[sign]\ntags = [[90]]\n", "line 8: the sign names tag [90]"),
    "no words": (HEAD + RECORD.replace('story = "a is {a}"\n', ""), "line 2: [[record]] has no story"),
    "words of no field": (HEAD + RECORD.replace("{a}", "{c}"), "line 6: 'a is {c}' names the field c; there are a, b"),
    "words with half a brace": (HEAD + RECORD.replace("{a}", "{a"), "line 6: 'a is {a': braces are around the name"),
    "words for some records only": (
        HEAD + RECORD.replace('"a is {a}"', '[{ if = "a", is = 1, say = "one" }]'), "line 6: the last line of story"),
    "a condition of no field": (
        HEAD + RECORD.replace('"a is {a}"', '[{ if = "c", is = 1, say = "x" }, { say = "y" }]'), "there is no field c"),
    "a condition without a value": (
        HEAD + RECORD.replace('"a is {a}"', '[{ if = "a", say = "x" }, { say = "y" }]'), "beside if there is what"),
    "a line that says nothing": (HEAD + RECORD.replace('"a is {a}"', '[{ if = "a" }]'), "line 6: a line of story is"),
    "a state of no field": (HEAD + RECORD + 'state = "own/{id}"\n', "line 7: 'own/{id}' names the field id"),
    "state and removes": (HEAD + RECORD + 'state = "x"\nremoves = "x"\n', "line 8: a record has state or removes it"),
    "each of no list": (HEAD + RECORD + 'each = "a"\n', "line 7: a is no list"),
    "a broker of no field": (HEAD + RECORD + 'broker = "node"\n', "line 7: there is no field node"),
    "names of no field": (HEAD + RECORD + 'names = { c = { 0 = "x" } }\n', "line 7: there is no field c to have names"),
    "names that are numbers": (HEAD + RECORD + "names = { a = { 0 = 1 } }\n", "line 7: the names of a are words"),
    "changes that are no list": (HEAD + RECORD + 'changes = "leader"\n', "line 7: changes is a list of texts"),
    "changes of numbers": (HEAD + RECORD + "changes = [1]\n", "line 7: changes is a list of texts, and not 1"),
    "a tag of Kafka's": (HEAD + TAG.replace("90", "0"), "line 3: tag 0 is one of Apache Kafka's"),
    "a tag on no type": (HEAD + TAG.replace("PARTITION_CHANGE_RECORD", "X"), "line 5: X is no record type of Apache"),
    "a tag on nothing": (HEAD + TAG.replace('PARTITION_CHANGE_RECORD = "0+"', ""), "line 5: no record type"),
    "a tag twice": (HEAD + TAG + TAG, "line 8: tag 90 is declared twice"),
    "a list as payload": (HEAD + TAG.replace('"i32"', '"[i32]"'), "line 6: '[i32]': the payload of a tag is"),
    "packed text": (HEAD + TAG.replace('"i32"', '"packed(a str)"'), "line 6: 'packed(a str)': 'str' is nothing"),
    "something behind a list to the end": (
        HEAD + TAG.replace('"i32"', '"packed(a *[b i8], c i8)"'), "line 6: 'packed(a *[b i8], c i8)': behind a list"),
    "a sign by an undeclared tag": (HEAD + TAG + "[sign]\ntags = [91]\n", "line 8: the sign names tag 91"),
    "an unknown sign": (HEAD + TAG + '[sign]\nkeys = ["a"]\n', "line 8: keys is nothing that [sign] has"),
    "a condition without a value of its field": (
        HEAD + TAG + '[[condition]]\nof = "x"\nfield = "own"\nsay = "y"\n', "line 7: a condition has is or not"),
    "a condition that says too much": (
        HEAD + TAG + '[[condition]]\nof = "x"\nfield = "own"\nis = 1\nsay = "{own}"\n', "line 11: '{own}' names"),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_file_is_refused_in_one_sentence_that_names_the_line(wrong: str) -> None:
    """Whatever is wrong, the file, the line, and what is there."""
    text, says = WRONG[wrong]
    with pytest.raises(TraceError) as refused:
        declared(text, "own.toml")
    said = str(refused.value)
    assert said.startswith("own.toml")
    assert says in said
    assert "line " in said
    assert "\n" not in said


def test_a_wrong_file_ends_each_command_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """So does one that is not there, and none has a traceback."""
    log = Path(__file__).parents[2] / "traces" / "recorded" / "first-boot"
    wrong = tmp_path / "own.toml"
    wrong.write_text(HEAD + "colour = 1\n" + RECORD)
    commands: list[list[str | Path]] = [
        ["conform", log], ["story", log], ["why", log, "broker", "1"], ["health", log], ["show", log],
        ["redact", log, "--to", tmp_path / "to"],
    ]  # fmt: skip
    for command in commands:
        for file, says in (
            (wrong, "line 2: colour is nothing"),
            (tmp_path / "none.toml", "no such file declares a fork"),
        ):
            assert main([*map(str, command), "--fork", str(file)]) == 2
            said = capsys.readouterr().err
            assert (says in said, said.count("\n")) == (True, 1), command
    assert not (tmp_path / "to").exists()
    assert main(["show", "fork", str(wrong)]) == 2


def test_a_right_file_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With its fields as they are written; without a file the shipped ones are listed."""
    file = tmp_path / "own.toml"
    file.write_text(HEAD + RECORD + TAG)
    assert main(["show", "fork", str(file)]) == 0
    page = capsys.readouterr().out
    assert "700 OWN, version 0\n  a i32, b str\n  changes of Kafka's cells: none\n  - a is {a}\n" in page
    assert "tag 90 own on PARTITION_CHANGE_RECORD 0+\n  i32\n" in page
    assert main(["show", "fork"]) == 0
    assert [one.split(":")[0] for one in capsys.readouterr().out.splitlines() if one[0] != " "] == list(SHIPPED)


@pytest.mark.parametrize("name", [*SHIPPED, "none"])
def test_the_shipped_declarations_are_shown(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With each record, tag and rule; the one that declares nothing says so."""
    assert main(["show", "fork", name]) == 0
    page, fork = capsys.readouterr().out, fork_of(name)
    assert all(f"{one.key} {one.name}" in page for one in fork.records)
    assert all(f"tag {one.tag} {one.name}" in page for one in fork.tags)
    assert fork.name or "no fork" in page


def test_fields_are_read_as_they_are_written() -> None:
    """Names, types, versions and tags; lists of structures, of values, nullable."""
    found = fields_of("a i64, b [c str, d [i32]? 1+] 1-2, e str? tag 3, f packed(g i8, h *[i i64])")
    assert [(one.name, str(one.versions), one.tag) for one in found] == [
        ("a", "0+", None), ("b", "1-2", None), ("e", "0+", 3), ("f", "0+", None)
    ]  # fmt: skip
    with pytest.raises(WrongType):
        fields_of("a i64 1-")
    assert (0 in Versions.read("1+"), 4 in Versions.read("1-3"), 2 in Versions.read("1-3")) == (False, False, True)


@pytest.mark.parametrize(("text", "payload", "says"), [
    ("i64", "00000000000000ff", 255),
    ("i64", "00ff", None),
    ("bool", "01", True),
    ("str", "03616263", None),
    ("str", "04616263", "abc"),
    ("packed(n i32)", "00000007", {"n": 7}),
    ("packed(n i32)", "0000000700", None),
    ("packed(a [b i16])", "0000000200010002", {"a": [{"b": 1}, {"b": 2}]}),
    ("packed(a [b i16])", "00000000", {"a": []}),
    ("packed(a [b i16])", "ffffffff0001", None),
    ("packed(a [b i16])", "7fffffff0001", None),
    ("packed(v i8, a *[b i8, c i8])", "0105060708", {"v": 1, "a": [{"b": 5, "c": 6}, {"b": 7, "c": 8}]}),
    ("packed(v i8, a *[b i8, c i8])", "01050607", None),
])  # fmt: skip
def test_payloads_are_read(text: str, payload: str, says: object) -> None:
    """What does not fit its type says nothing."""
    from fencepost.traces.forks.types import unpacked

    assert unpacked(payload_of(text), bytes.fromhex(payload)) == says


def test_a_list_without_bytes_does_not_go_on_for_ever() -> None:
    """Elements of no bytes are refused where they are declared, and a length beyond the bytes where it is read."""
    with pytest.raises(WrongType):
        payload_of("packed(a [])")
    found = payload_of("packed(a [b i8])")
    assert isinstance(found, Packed)


def test_a_record_is_written_by_its_fields_of_its_version() -> None:
    """A field of a later version is refused, and data that do not fit."""
    fork = declared(HEAD + RECORD.replace("b str", "b str, c json-bytes 1+ tag 0") + 'versions = "0-1"\n', "f.toml")
    data = {"a": 1, "b": "x", "c": base64.b64encode(b'{"k":[1]}').decode()}
    value = fork.encode(Record(0, 0, "OWN", 1, data))
    found = fork.read(Undecodable(0, 0, "", None, value))
    assert found is not None
    assert (found.data, fork.shown(found)["c"], fork.words(found)) == (data, {"k": [1]}, "a is 1")
    with pytest.raises(CodecError):
        fork.encode(Record(0, 0, "OWN", 0, data))
    with pytest.raises(CodecError):
        fork.encode(Record(0, 0, "OWN", 2, data))
    assert fork.read(Undecodable(0, 0, "", None, value[:-1])) is None
    assert fork.read(Undecodable(0, 0, "", None, None)) is None
