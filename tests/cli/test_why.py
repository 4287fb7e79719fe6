"""`fencepost why`: the chains of recorded logs, each read off the dump beside the log by hand."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencepost.traces.logs import read_log
from tests.conformance.alter import Message, rewritten, without_batch
from tests.widths import too_wide

pytestmark = pytest.mark.slow
Says = Callable[..., Any]


def chain(document: dict[str, Any]) -> list[tuple[int, str]]:
    """The links of a chain: offsets and words."""
    return [(link["offset"], link["words"]) for link in document["chain"]]


def test_a_restart_goes_back_to_the_controlled_shutdown(fencepost_says: Says, recorded: Path) -> None:
    """Broker 1 is unfenced at 62 since it registered at 61, was fenced at 53, and began to shut down at 43.

    The shutdown took it out of seven ISRs (offsets 44 to 50); only one row fits it, and several fit the fence.
    """
    said = fencepost_says("why", recorded / "rolling-restart", "broker", "1", "--at", "62", "--json")
    document = said.document
    assert (said.code, document["verdict"]) == (0, "shown")
    assert chain(document) == [
        (43, "broker 1 begins a controlled shutdown"),
        (53, "broker 1 is fenced"),
        (61, "broker 1 registers again (another process), fenced until it has caught up"),
        (62, "broker 1 is unfenced"),
    ]
    shutdown, fence, registration, unfence = document["chain"]
    assert [one["offset"] for one in shutdown["same_result"]] == [44, 45, 46, 47, 48, 49, 50]
    assert shutdown["same_result"][0]["words"] == "b-0: leader 1 → 2; ISR [1, 2] → [2]"
    assert (shutdown["timestamp"], fence["timestamp"]) == (1795244727124, 1795244727997)
    rows = [[row["id"] for row in link["rows"]] for link in (shutdown, registration, unfence)]
    assert rows == [["HB6"], ["R2"], ["HB2"]]
    assert {row["event"] for row in fence["rows"]} == {"FenceStaleBroker", "Heartbeat"}
    assert [one["offset"] for one in document["began"]] == [43]
    assert document["rows"]["HB6"].startswith("HB6. On Heartbeat(")


def test_a_partition_goes_back_to_the_fence_that_took_its_leader(fencepost_says: Says, recorded: Path) -> None:
    """s-0 lost its leader by the fence at 170, its ELR by the registration at 183, and got an unclean leader at 187."""
    log = recorded / "reassignment"
    document = fencepost_says("why", log, "partition", "s-0", "--at", "187", "--json").document
    assert chain(document) == [
        (169, "s-0: leader 1 → none; ISR [1] → []; ELR [] → [1]; last known ELR [] → [1]"),
        (170, "broker 1 is fenced"),
        (182, "s-0: ELR [1] → []"),
        (183, "broker 1 registers again (another process), fenced until it has caught up"),
        (186, "broker 1 is unfenced"),
        (
            187,
            "s-0: leader none → 1; ISR [] → [1]; last known ELR [1] → []; leader recovery state RECOVERED → RECOVERING"
            "; an unclean election: the ISR and the ELR were empty; 1 is the last known leader, so that acknowledged "
            "records may be lost",
        ),
    ]
    beside = {link["offset"]: [one["offset"] for one in link["same_result"]] for link in document["chain"]}
    assert beside == {169: [], 170: [167, 168, 169], 182: [], 183: [182], 186: [187], 187: []}
    (began,) = document["began"]
    assert (began["offset"], began["name"], began["certain"]) == (170, "broker 1", False)
    assert any("missed heartbeats are not in the log" in one for one in began["may_come_from"])


def test_a_chain_ends_where_the_partition_was_whole(fencepost_says: Says, recorded: Path) -> None:
    """Of r-3's earlier reassignments (offsets 96 to 109) nothing is printed at 170: it was whole before 167."""
    document = fencepost_says("why", recorded / "reassignment", "partition", "r-3", "--at", "170", "--json").document
    assert [offset for offset, _ in chain(document)] == [167, 170]


def test_a_time_is_as_good_as_an_offset(fencepost_says: Says, recorded: Path) -> None:
    """The time of offset 170 gives the same chain as the offset."""
    log = (recorded / "reassignment", "partition", "s-0")
    by_time = fencepost_says("why", *log, "--at", "2026-11-21T07:13:02.693Z", "--json").document
    by_offset = fencepost_says("why", *log, "--at", "170", "--json").document
    assert by_time["at"]["offset"] == 170
    assert by_time["chain"] == by_offset["chain"]


def test_the_page_has_the_chain(fencepost_says: Says, recorded: Path) -> None:
    """The page fits the terminal, has every link, each row in words, and what no log shows."""
    page = fencepost_says("why", recorded / "rolling-restart", "broker", "1", "--at", "62").out
    assert too_wide(page) == []
    assert "broker 1 begins a controlled shutdown" in page
    assert "873 ms later" in page
    assert "  HB6. On Heartbeat(" in page
    assert "offset 43, broker 1: a heartbeat, which is not in the log" in page


@pytest.mark.representative(
    "what0-broker x: give a broker's id, a number", "what1-nothing is said of broker 77; the brokers are 1, 2, 3, 4"
)
@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        (("broker", "x"), "broker x: give a broker's id, a number"),
        (("broker", "77"), "nothing is said of broker 77; the brokers are 1, 2, 3, 4"),
        (("partition", "a"), "partition a: give a topic's name and a partition's number, as in orders-0"),
        (("partition", "nope-0"), "no topic nope is there"),
        (("partition", "a-9"), "topic a has no partition 9"),
    ],
)
def test_what_the_log_does_not_have_is_refused(
    fencepost_says: Says, recorded: Path, what: tuple[str, str], sentence: str
) -> None:
    """A name that is none, or not of the log, is one sentence and exit code 2."""
    said = fencepost_says("why", recorded / "rolling-restart", *what)
    assert said.code == 2
    assert sentence in said.sentence


def test_a_log_with_a_gap_says_what_it_can(fencepost_says: Says, recorded: Path, tmp_path: Path) -> None:
    """Behind records that are missing the cells are not known: the chain is printed as far as the log has it."""
    log = read_log(recorded / "rolling-restart")
    without_batch(log, [one.base_offset for one in log.batches if not one.is_control][60], tmp_path)
    said = fencepost_says("why", tmp_path, "broker", "1")
    assert said.code in (0, 3), said.err
    assert "broker 1" in said.out


def test_two_results_of_one_batch_are_told_apart(fencepost_says: Says) -> None:
    """Two brokers begin their shutdown by one batch: each record is beside those of its own result (4.4.0)."""
    log = Path(__file__).parent / "fixtures" / "two-results-4.4.0"
    for broker, beside in (("0", range(218, 223)), ("1", range(224, 229))):
        document = fencepost_says("why", log, "broker", broker, "--json").document
        (shutdown,) = [one for one in document["chain"] if "begins a controlled shutdown" in one["words"]]
        assert [one["offset"] for one in shutdown["same_result"]] == list(beside)


def test_a_restart_that_waits_for_a_session_has_its_cause(fencepost_says: Says, tmp_path: Path) -> None:
    """Broker 1 registers at 20, right behind the second fence: the controller of 4.0 had begun a session for it at 15.

    Where the nodes can do a metadata.version of 4.1 the fence at 19 kept the broker from nothing, and is not shown.
    """
    log = Path(__file__).parent / "fixtures" / "restart-4.0"
    wait = (
        "broker 1 is fenced once more, 9.38 s after controller 3000 became active (@15): a controller of 4.0 begins a "
        "session for each fenced broker then, and refuses its new process as a duplicate until that is over "
        "(KAFKA-19130); one of 4.1 does not"
    )
    for entity in (("broker", "1"), ("partition", "orders-0")):
        document = fencepost_says("why", log, *entity, "--json").document
        assert dict(chain(document))[19] == wait
        assert [one["finding"] for one in document["findings"]] == ["D23"]

    def newer(message: Message) -> Message:
        type_, version, data = message
        for one in data.get("features", []):
            one["maxSupportedVersion"] += one["name"] == "metadata.version"
        return type_, version, data

    later = rewritten(read_log(log), newer, tmp_path / "4.1")
    assert 19 not in dict(chain(fencepost_says("why", later, "broker", "1", "--json").document))
