"""`fencepost ask`: scenarios from files, standard input, arguments and logs; what is printed, and what is refused."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.scenarios.parsing import WORDS
from fencepost.traces import find_log
from fencepost.traces.node_files import read_node_files
from tests.cases import each
from tests.widths import too_wide

START = ("brokers 1,2,3", "topic t 1,2,3 min.insync.replicas=2")

BAD = {
    "stopp 1": "no step begins with 'stopp'; did you mean stop?",
    "xyzzy": "no step begins with 'xyzzy'; a step begins with cluster, brokers, topic",
    "brokers": "brokers: list of broker ids is missing; write brokers 1,2,3 [directories d1,d2] [rack R]",
    "brokers one": "brokers: 'one' is no list of broker ids: use ids with commas between them, as in 1,2,3;",
    "brokers 1,,2": "brokers: '1,,2' is no list of broker ids",
    "brokers 1,1": "brokers: 1,1 names a broker twice",
    "brokers -1": "brokers: '-1' is no list of broker ids",
    "brokers 99999999999": "brokers: '99999999999' is no list of broker ids",
    "brokers 1 disks d1": "brokers: 'disks' is none of directories, rack",
    "brokers 1 rack a rack b": "brokers: rack is there twice",
    "brokers 1 directories d1,d1": "brokers: d1,d1 names a log directory twice",
    "brokers 1 directories d/1": "brokers: 'd/1' is no list of log directories",
    "topic t": "topic: assignment of replicas is missing",
    "topic t/ 1": "topic: 't/' is no name of a topic",
    "topic t 1,2/x": "topic: 'x' is no list of replicas",
    "topic t 1 min.insync.replicas": "topic: 'min.insync.replicas' is no setting: use NAME=VALUE",
    "topic t 1 a=1 a=2": "topic: a is set twice",
    "stop 1 now": "stop: 'now' is one word too many; write stop 1[,2]",
    "start 1 empty": "start: 'empty' is none of empty disk, new directory, unclean, behind, directories",
    "start 1 empty disk new directory": "start: empty disk and new directory say two things of the disks",
    "silence 1": "silence: duration is missing; write silence 1[,2] 10s",
    "silence 1 10": "silence: '10' is no duration: use 500ms, 10s, 5m or 1h, up to 24h",
    "wait 25h": "wait: '25h' is no duration",
    "wait 0s": "wait: '0s' is no duration",
    "reassign t 1,2": "reassign: 't' is no partition: use a topic's name and a number, as in orders-0",
    "reassign t-0": "reassign: list of replicas is missing",
    "cancel t-x": "cancel: 't-x' is no partition",
    "elect clean t-0": "elect: 'clean' is no kind of election: use preferred or unclean",
    "elect unclean": "elect: partition is missing",
    "config group g a=b": "config: 'group' is no resource: use topic or broker or brokers",
    "config topic t": "config: setting is missing",
    "config brokers a=1 delete a": "config: a is there twice",
    "feature metadata.version 9.9-IV9 upgrade": "feature: '9.9-IV9' is no level of metadata.version: use a number",
    "feature group.version 1 up": "feature: 'up' is no direction: use upgrade or safe-downgrade or unsafe-downgrade",
    "fail-directory 1 d1,d2": "fail-directory: d1,d2 are several log directories: name one",
    "isr t-0 1 leader-epoch x": "isr: 'x' is no leader epoch: use a number to add, as in +1 or -1",
    "heartbeat 1 want-lunch": "heartbeat: 'want-lunch' is none of want-fence, want-shutdown, failed",
    "register 1 same": "register: 'same' is none of unclean, same process, directories, version",
    "rewrite t-0": "rewrite: an epoch is missing",
    "task nothing": "task: 'nothing' is no task: use fence-stale or balance or unclean",
    "cluster metadata.version 3.0-IV1": "cluster: metadata.version 1 is below 3.3-IV3, the lowest that Kafka 4 runs at",
    "cluster metadata.version 3.9-IV0 elr on": "cluster: eligible.leader.replicas.version needs metadata.version",
    "cluster min.insync.replicas=0": "cluster: min.insync.replicas=0: write a whole number from 1 to 2147483647",
    "cluster speed=1": "cluster: speed: no setting of this cluster has that name",
    "expect": "expect: what is expected is missing",
    "expect sun": "expect: 'sun' is nothing that can be expected",
    "expect t-0": "expect: field of a partition is missing",
    "expect t-0 leader x": "expect: 'x' is no leader: use a whole number",
    "expect t-0 isr 1 isr 2": "expect: isr is there twice",
    "expect t-0 recovery maybe": "expect: 'maybe' is no leader recovery state: use recovered or recovering",
    "expect broker 1 dead": "expect: 'dead' is no state of a broker: use fenced or unfenced",
    "expect error INELIGIBLE": "expect error: 'INELIGIBLE' is no error of a controller's answer; did you mean",
    "expect ok": "expect: no step is in front of it whose answer could be meant",
    "stop\x071": "the line has characters that cannot be printed; a scenario is plain text",
}
"""Steps that are none, with what is said of them behind their place."""


def test_there_are_forty_kinds_of_bad_steps() -> None:
    """Every kind of mistake of `BAD` is there, at least forty, and every word has one but those that take no others."""
    assert len(BAD) >= 40
    plain = {"controller-failover", "show", "kill", "catch-up", "cordon", "add-partitions", "delete-topic",
             "unregister",
             "assign", "producer-ids"}  # fmt: skip
    assert set(WORDS) - plain <= {text.split(" ")[0] for text in BAD}


@each(("text", "sentence"), BAD.items(), ids=lambda one: repr(one[0]))
def test_a_bad_step_is_one_sentence_with_its_line(
    fencepost_says: Callable[..., Any], tmp_path: Path, text: str, sentence: str
) -> None:
    """A step that is none ends with 2 and one sentence: file, line, what is wrong, how it is written."""
    file = tmp_path / "bad.txt"
    file.write_text(f"# a comment\n\n{text}  # and more\n", encoding="utf-8")
    said = fencepost_says("ask", file)
    assert said.code == 2
    assert said.sentence.startswith(f"fencepost: {file}:3: {sentence}"), said.sentence


def test_a_cluster_behind_another_step_is_refused(fencepost_says: Callable[..., Any]) -> None:
    """How a cluster is formatted is the first step; of arguments the number is the place."""
    said = fencepost_says("ask", "brokers 1", "cluster elr on")
    assert (said.code, said.sentence) == (
        2, "fencepost: step 2: cluster: it says how the cluster is formatted; make it the first step",
    )  # fmt: skip


@pytest.mark.parametrize("word", sorted(WORDS))
def test_the_way_to_write_a_step_is_said(fencepost_says: Callable[..., Any], word: str) -> None:
    """A word too many is refused with the way to write the step, whatever the step is."""
    said = fencepost_says("ask", f"{word} ; ; ; ; ; ;")
    assert said.code == 2
    assert f"write {' '.join(WORDS[word].usage.split())}" in said.sentence or "; a scenario" in said.sentence


# -- where steps come from ---------------------------------------------------------------------------------------------
def test_steps_come_from_files_standard_input_and_arguments(
    fencepost_says: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file, standard input and arguments give the same run; files and arguments may follow one another."""
    text = "\n".join((*START, "stop 1", "expect t-0 leader 2"))
    file = tmp_path / "s.txt"
    file.write_text(text, encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    found = [
        fencepost_says("ask", file, "--json").document,
        fencepost_says("ask", "-", "--json").document,
        fencepost_says("ask", *text.split("\n"), "--json").document,
    ]
    assert len({str(one["partitions"]) for one in found}) == 1
    assert [one["scenario"] for one in found] == [str(file), "standard input", "scenario"]
    more = fencepost_says("ask", file, "stop 2", "--json").document
    assert more["counts"]["steps"] == 5
    assert more["steps"][-1]["place"] == "step 2"


def test_what_is_no_scenario_is_refused(fencepost_says: Callable[..., Any], tmp_path: Path) -> None:
    """A file that is missing, empty, or no text, a second folder, and options that do not go together end with 2."""
    empty, bytes_ = tmp_path / "empty.txt", tmp_path / "bytes.txt"
    empty.write_text("# nothing\n", encoding="utf-8")
    bytes_.write_bytes(b"brokers \xff\n")
    for arguments, words in {
        (str(tmp_path / "none.txt"),): "no file is there; name a file of steps, a log, or write a step",
        (str(empty),): "there is no step in it; write one a line",
        (str(bytes_),): "byte 8 is no text in UTF-8; a scenario is plain text",
        ("brokers 1", "--at", "3"): "--at is a moment of a log, and none is given",
        ("brokers 1", "--set", "speed"): "--set speed: write NAME=VALUE",
        ("brokers 1", "--set", "speed=1"): "--set speed: no setting of this cluster has that name",
        (): "Missing argument",
    }.items():
        said = fencepost_says("ask", *arguments)
        assert said.code == 2, arguments
        assert words in said.sentence, said.sentence


def test_a_log_that_is_none_is_refused(fencepost_says: Callable[..., Any], recorded: Path, tmp_path: Path) -> None:
    """A folder without a log, a moment behind the end, and `--log` beside a log end with 2."""
    said = fencepost_says("ask", tmp_path, "stop 1")
    assert (said.code, "no metadata log" in said.sentence) == (2, True)
    said = fencepost_says("ask", recorded / "first-boot", "stop 1", "--at", "99999")
    assert (said.code, "is behind the log's end" in said.sentence) == (2, True)
    said = fencepost_says("ask", recorded / "first-boot", "show", "--log", tmp_path / "log")
    assert (said.code, "--log writes a log that begins at 0" in said.sentence) == (2, True)


# -- what is printed ---------------------------------------------------------------------------------------------------
def test_the_page_begins_with_the_answer(fencepost_says: Callable[..., Any]) -> None:
    """The first line is the answer; a step has its operations with answers, rows, records and what became of it."""
    said = fencepost_says("ask", *START, "stop 1", "expect t-0 leader 2")
    assert said.code == 0
    lines = said.out.splitlines()
    assert lines[0] == "stopping broker 1 takes no partition offline, and none below min.insync.replicas"
    assert lines[1] == "  4 steps, 16 operations, 16 records; reference and tables agree; expectations: 1 of 1 hold"
    for line in (
        "3  stop 1",
        "    heartbeat of broker 1, wants to shut down: CONTROLLED_SHUTDOWN (HB6)",
        "      @20 PartitionChange t-0: isr [2 3], leader 2",
        "      broker 1 begins a controlled shutdown; t-0 1→2 [2 3]",
        "4  expect t-0 leader 2  holds",
        "t-0        2       [2 3]  –    –           yes",
    ):
        assert line in lines, line
    assert not too_wide(said.out)


def test_an_expectation_that_fails_ends_with_1(fencepost_says: Callable[..., Any]) -> None:
    """The page says how it is instead, and the document has it in the step."""
    said = fencepost_says("ask", *START, "stop 1", "expect t-0 leader 3", "--json")
    document = said.document
    assert (said.code, document["exit_code"], document["verdict"]) == (1, 1, "violated")
    assert document["steps"][3]["kept"] is False
    assert document["steps"][3]["message"] == "t-0 has leader 2"
    assert (
        "4  expect t-0 leader 3  fails: t-0 has leader 2"
        in fencepost_says("ask", *START, "stop 1", "expect t-0 leader 3").out.splitlines()
    )


def test_operations_of_the_setup_are_shown_on_request(fencepost_says: Callable[..., Any]) -> None:
    """Registrations of the first step are left out of the page, `--all` has them; refused ones are always there."""
    assert "RegisterBroker" not in fencepost_says("ask", *START).out
    assert "RegisterBroker broker 2" in fencepost_says("ask", *START, "--all").out
    assert "t: INVALID_REPLICA_ASSIGNMENT" in fencepost_says("ask", "brokers 1", "topic t 9").out.replace(
        "create t", "t"
    )


def test_the_log_is_written_and_conforms(fencepost_says: Callable[..., Any], tmp_path: Path) -> None:
    """`--log` writes a log directory that `conform` and `story` read; one that is there already is refused."""
    log = tmp_path / "log"
    said = fencepost_says("ask", *START, "stop 1", "--log", log)
    assert said.code == 0
    assert f"fencepost conform {log}" in said.out
    assert fencepost_says("conform", log).code == 0
    assert "t-0 1→2 [2 3]" in fencepost_says("story", log, "--no-rows").out
    assert find_log(log).segments
    said = fencepost_says("ask", *START, "--log", log)
    assert (said.code, "a log lies here already" in said.sentence) == (2, True)


def test_logs_of_scenarios_are_of_different_clusters(fencepost_says: Callable[..., Any], tmp_path: Path) -> None:
    """`conform` of several logs compares none of two scenarios as one quorum's; one scenario writes one cluster id."""
    for name, steps in (("one", ["stop 1"]), ("same", ["stop 1"]), ("other", ["kill 1", "start 1"])):
        assert fencepost_says("ask", *START, *steps, "--log", tmp_path / name).code == 0
    ids = [
        read_node_files(str(tmp_path / name / "__cluster_metadata-0")).cluster_id for name in ("one", "same", "other")
    ]
    assert (ids[0] == ids[1], ids[0] == ids[2], None in ids) == (True, False, False)
    said = fencepost_says("conform", tmp_path / "one", tmp_path / "other")
    assert (said.code, "quorum:" in said.out) == (0, False)


def test_a_log_is_asked_before_one_acts(fencepost_says: Callable[..., Any], recorded: Path) -> None:
    """From a log the first line is the answer, and what is assumed of it comes next."""
    said = fencepost_says("ask", recorded / "rolling-restart", "--at", 60, "stop 2", "stop 3")
    assert said.code == 0
    lines = said.out.splitlines()
    assert lines[0].startswith(
        "stop 2, stop 3 takes 5 partitions offline: a-0, b-1, solo-2 until broker 3 returns, and"
    )
    assert "assumed: unfenced brokers (2, 3, 4) run" in said.out
    assert not too_wide(said.out)
    document = fencepost_says("ask", recorded / "rolling-restart", "--at", 60, "stop 2", "--json").document
    assert document["begins"]["offset"] == 60
    assert document["effect"]["offline"] == ["b-0", "solo-1"]
    assert document["scenario"] == str(recorded / "rolling-restart")


# -- plans, other tables, the page -------------------------------------------------------------------------------------
def test_a_plan_is_explored_behind_the_steps(fencepost_says: Callable[..., Any], tmp_path: Path) -> None:
    """A plan's answer is the first line, 0 where an order does no harm, 1 where every one does; it fits the page."""
    file = tmp_path / "down.txt"
    file.write_text("\n".join((*START, "stop 3")), encoding="utf-8")
    said = fencepost_says("ask", file, "--plan", "rolling-restart")
    assert said.code == 0
    assert said.out.startswith("a rolling restart in the order 3, 1, 2 takes no partition offline")
    assert too_wide(said.out) == []
    document = fencepost_says("ask", file, "--plan", "rolling-restart", "--order", "1,2,3", "--json").document
    assert (document["exit_code"], document["plan"]["harm"]["below_min_isr"]) == (1, ["t-0"])
    assert document["plan"]["first"]["steps"] == ["stop 1", "start 1"]


ODD = {
    ("brokers 1", "--plan", "rolling"): "--plan rolling: 'rolling' is no plan; did you mean rolling-restart?",
    ("brokers 1", "--order", "any"): "--order any is the order of a plan, and none is given; add --plan",
    (
        "brokers 1",
        "--dead",
        "1",
    ): "--dead is about the brokers of a log, and none is given; name a log before the steps",
    ("brokers 1", "--behind", "1"): "--behind is about the brokers of a log, and none is given",
    ("brokers 1", "--against", "zk"): "--against zk: zk is no controller of kraft; name kraft+VARIANT or kraft@RELEASE",
    ("brokers 1", "--against", "kraft+no"): "kraft+no: no variant of kraft has this name",
    ("brokers 1", "--release", "1.0"): "kraft@1.0: there are no tables of this release",
    (
        "brokers 1",
        "--release",
        "4.1",
        "--protocol",
        "kraft",
    ): "--protocol kraft and --release 4.1 both say which tables",
    ("brokers 1", "--plan", "elr-on", "--release", "4.1"): "--plan elr-on is explored with the tables of kraft",
    ("brokers 1", "expect row ZZ9"): "step 2: expect: there is no row ZZ9 in kraft",
    ("brokers 1", "expect finding D999"): "step 2: expect: there is no finding D999 in kraft; did you mean D9?",
    (
        "brokers 1",
        "register 1 version 9",
    ): "step 2: register: '9' is no version of the request: use a whole number from 0",
    ("brokers 2147483648",): "step 1: brokers: '2147483648' is no list of broker ids",
    ("brokers \u0661",): "step 1: brokers: '\u0661' is no list of broker ids",
    ("brokers 1", "brokers 1"): "step 2: brokers: broker 1 is there already; start 1 starts it again",
    ("brokers 1", "stop 2"): "step 2: stop: there is no broker 2; the brokers are 1",
    ("brokers 1", "start 1"): "step 2: start: broker 1 runs; stop 1 or kill 1 first",
    ("brokers 1", "cordon 1 d9"): "step 2: cordon: broker 1 has no log directory d9; it has d1",
    ("brokers 1", "wait 1e3s"): "step 2: wait: '1e3s' is no duration",
    ("brokers 1", "silence 2 3s"): "step 2: silence: there is no broker 2",
    ("traces/recorded/rolling-restart",): "there is no step behind the log; write some, as in 'stop 2', or a plan",
    (
        "traces/recorded/rolling-restart",
        "--at",
        "60",
        "--dead",
        "1",
        "stop 2",
    ): "--dead 1: broker 1 is fenced at offset",
    (
        "traces/recorded/rolling-restart",
        "--at",
        "60",
        "--dead",
        "9",
        "stop 2",
    ): "--dead 9: there is no broker 9 at offset",
    (
        "traces/recorded/rolling-restart",
        "--dead",
        "2,2",
        "stop 2",
    ): "--dead 2,2: write different broker ids with commas",
    (
        "traces/recorded/rolling-restart",
        "--behind",
        "x",
        "stop 2",
    ): "--behind x: write different broker ids with commas",
    ("brokers 1", "--html", "traces"): "--html: traces is a directory; name a file in it",
    ("brokers 1", "--html", "README.md"): "--html: README.md is there and is no report of fencepost",
}
"""Arguments that ask for nothing that can be done, with what is said."""


@each(("arguments", "sentence"), ODD.items(), ids=lambda one: " ".join(one[0]))
def test_odd_arguments_are_one_sentence(
    fencepost_says: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], sentence: str
) -> None:
    """Options without their log, plans and tables that are none, steps that cannot be done: one sentence, and 2."""
    monkeypatch.chdir(Path(__file__).resolve().parents[2])
    said = fencepost_says("ask", *arguments)
    assert said.code == 2
    assert sentence in said.sentence, said.sentence


@each(("name", "data", "code"), [
    ("crlf", b"brokers 1,2\r\ntopic t 1,2\r\nstop 1\r\n", 0), ("bom", b"\xef\xbb\xbfbrokers 1\n", 0),
    ("no end of line", b"brokers 1,2", 0), ("empty", b"", 2), ("comments", b"# only\n\n", 2),
    ("latin-1", b"brokers 1 rack \xe9", 2), ("utf-16", "brokers 1".encode("utf-16"), 2),
])  # fmt: skip
def test_files_are_text(fencepost_says: Callable[..., Any], tmp_path: Path, name: str, data: bytes, code: int) -> None:
    """Line ends of Windows and a byte order mark are read over; what is empty or no UTF-8 is refused."""
    file = tmp_path / "s.txt"
    file.write_bytes(data)
    assert fencepost_says("ask", file).code == code, name


def test_what_the_controller_refuses_is_in_the_answer(fencepost_says: Callable[..., Any]) -> None:
    """A topic that is refused at the beginning is said in the first line, although the steps behind it are done."""
    said = fencepost_says("ask", "brokers 1", "topic t 2", "stop 1", "--json").document
    assert said["answer"].endswith("; refused: topic t 2 (INVALID_REPLICA_ASSIGNMENT)")


def test_the_page_has_lanes_and_loads_nothing(fencepost_says: Callable[..., Any], tmp_path: Path) -> None:
    """The HTML page has a lane a broker and a partition, its text is escaped, and it names no host and no script."""
    page = tmp_path / "page.html"
    said = fencepost_says("ask", *START, "brokers 4 rack <b>", "stop 1", "--plan", "rolling-restart", "--html", page)
    assert said.code == 0
    text = page.read_text(encoding="utf-8")
    assert "default-src 'none'" in text
    assert "http://" not in text.replace("http-equiv", "")
    assert "<script" not in text
    assert "&lt;b&gt;" in text
    assert '<th scope="col">broker 1</th>' in text
    assert '<th scope="col">t-0</th>' in text
