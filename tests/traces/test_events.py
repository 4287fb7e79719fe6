"""Event traces: every kind of request read into its type, NDJSON and Parquet alike; wrong lines named."""

import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from fencepost.traces import TraceError
from fencepost.traces import events as trace
from fencepost.traces.event_files import read_events

RECORDED = Path(trace.__file__).parent / "recorded" / "fake-chaos-elr" / "events.ndjson.gz"
HEARTBEAT: dict[str, Any] = {
    "t_ms": 5, "log_end": 26, "req": "BrokerHeartbeat", "broker": 0, "brokerEpoch": 17, "currentMetadataOffset": 25,
    "wantFence": False, "wantShutDown": True, "error": "NONE", "isCaughtUp": True, "isFenced": False,
    "shouldShutDown": False,
}  # fmt: skip


def written(folder: Path, *lines: Any) -> Path:
    """Write lines (JSON objects, or texts as they are) as a trace, and return its path."""
    file = folder / "events.ndjson"
    file.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), encoding="utf-8")
    return file


def test_the_recording_holds_every_kind() -> None:
    """Each of its twelve kinds of request is read into its own type, in order, with the numbers of the lines."""
    found = list(read_events(RECORDED))
    assert [event.line for event in found] == list(range(1, 3585))
    absent = {
        trace.LegacyAlterConfigs, trace.UpdateFeatures, trace.ControllerRegistration, trace.UnregisterController,
        trace.CreateAcls, trace.DeleteAcls, trace.AlterUserScramCredentials, trace.CreateDelegationToken,
        trace.RenewDelegationToken, trace.ExpireDelegationToken, trace.AlterClientQuotas,
    }  # fmt: skip
    assert {type(event) for event in found} == set(trace.KINDS.values()) - absent
    assert found[1] == trace.BrokerHeartbeat(
        line=2, t_ms=1795245705406, log_end=25, error="NONE", broker=0, broker_epoch=17, offset=25, want_fence=False,
        want_shut_down=False, offline_directories=None, is_caught_up=True, is_fenced=False, should_shut_down=False,
    )  # fmt: skip


def test_fields_are_taken_apart() -> None:
    """Settings, partitions by name, and directories written as one text become values."""
    by_line = {event.line: event for event in read_events(RECORDED)}
    assert by_line[25].configs == (("min.insync.replicas", "1"),)  # type: ignore[attr-defined]
    assert by_line[52].partitions == (("t1", 0), ("t2", 1))  # type: ignore[attr-defined]
    assert by_line[88].directories[0] == trace.Assigned("k3ZSOpvbZ2HxfoHLMhhM4Q", "laquR4iwR1a5DWFVRKnMsg", 0)  # type: ignore[attr-defined]


def test_parquet_has_the_same_columns(tmp_path: Path) -> None:
    """A Parquet file with the columns of the NDJSON lines gives the same events."""
    with gzip.open(RECORDED, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines][:400]
    names = list(dict.fromkeys(name for row in rows for name in row))
    # AlterPartition and ElectLeaders share a column's name for different things: a file of each.
    for kind in sorted({row["req"] for row in rows}):
        chosen = [{name: row.get(name) for name in names} for row in rows if row["req"] == kind]
        file = tmp_path / f"{kind}.parquet"
        parquet.write_table(pyarrow.Table.from_pylist(chosen), file)
        expected = [trace.event_of(row, n, "") for n, row in enumerate((r for r in rows if r["req"] == kind), 1)]
        assert list(read_events(file)) == expected


def test_another_kind_is_kept_as_it_stands(tmp_path: Path) -> None:
    """A request that is none of the known kinds is no error: it keeps its name and its columns."""
    line = {"t_ms": 1, "log_end": 2, "req": "Vote", "error": "NONE", "candidate": 3}
    (event,) = read_events(written(tmp_path, line))
    assert isinstance(event, trace.OtherRequest)
    assert (event.request, event.columns) == ("Vote", {"candidate": 3})


UNFENCED = {name: one for name, one in HEARTBEAT.items() if name != "isFenced"}
ELECTION = {"t_ms": 1, "log_end": 1, "req": "ElectLeaders", "error": "NONE", "type": "PREFERRED", "answers": []}
WRONG = [
    ("{", ":2: this line is no JSON object"),
    ("[1]", ":2: this line is no JSON object"),
    ({**HEARTBEAT, "req": None}, ":2: the column `req` must name the request"),
    ({**HEARTBEAT, "log_end": "x"}, ':2: BrokerHeartbeat: the column `log_end` must be a whole number, not "x"'),
    (UNFENCED, "the column `isFenced` must be true or false, it is missing"),
    ({**HEARTBEAT, "offlineLogDirs": "a"}, "the column `offlineLogDirs` must be a list of texts"),
    ({**ELECTION, "partitions": ["t"]}, "the column `partitions` must be partitions written as name-number"),
]


@pytest.mark.parametrize(("line", "sentence"), WRONG)
def test_a_wrong_line_is_named(tmp_path: Path, line: Any, sentence: str) -> None:
    """A line that is no event is refused with its number, the column, and what should stand there."""
    file = written(tmp_path, HEARTBEAT, line)
    with pytest.raises(TraceError) as refusal:
        list(read_events(file))
    assert str(refusal.value).startswith(str(file))
    assert sentence in str(refusal.value)


def test_no_trace_is_refused(tmp_path: Path) -> None:
    """A missing file, an empty one, and one that is not what its name says are refused, each in one sentence."""
    empty, torn, table = written(tmp_path), tmp_path / "torn.gz", tmp_path / "no.parquet"
    torn.write_bytes(RECORDED.read_bytes()[:1000])
    table.write_bytes(b"PAR1")
    cases = {
        tmp_path / "none": "no such file",
        empty: "holds no event",
        torn: "cannot be read as NDJSON",
        table: "cannot be read as Parquet",
    }
    for file, sentence in cases.items():
        with pytest.raises(TraceError, match=sentence):
            list(read_events(file))
