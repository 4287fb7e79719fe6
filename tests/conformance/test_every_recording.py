"""Every recording of a real cluster conforms, with the static settings that its meta.json says.

Recordings lie in `traces/recorded`, and more of them in a folder beside the checkout, `../shared/recorded` or what
FENCEPOST_RECORDED names: those are checked where the folder is there.
"""

import json
import os
from functools import cache
from pathlib import Path

import pytest

from fencepost.checkers.conformance import ConformResult, conform
from fencepost.checkers.conformance.records.static_settings import NAMES, StaticSettings, static_settings
from fencepost.checkers.verdicts import Verdict
from fencepost.model.registry import find

from . import RECORDED

BESIDE = Path(os.environ.get("FENCEPOST_RECORDED") or RECORDED.parents[2] / "shared" / "recorded")
"""Where further recordings are, in the folders `kraft` and `zk`."""

AMBIGUOUS = {
    "controller-failover": 13,
    "delete-recreate": 13,
    "elr-directory-fault-4.4.0": 9,
    "elr-index-fault-4.4.0": 4,
    "fake-chaos-elr": 314,
    "first-boot": 3,
    "jbod-disk-swap": 17,
    "kill-nine-data-4.4.0": 17,
    "kill-nine-elr": 26,
    "kraft-version-3.9-then-4.1": 3,
    "levels-down-and-up-4.4.0": 34,
    "metadata-upgrade": 14,
    "min-isr-while-isr-empty-4.4.0": 25,
    "node-config-moved-4.4.0": 38,
    "reassignment": 15,
    "rolling-restart": 26,
    "scram-bootstrap-4.4.0": 25,
    "snapshots": 21,
    "static-settings-elr-4.4.0": 35,
    "suspects-4.4.0": 21,
    "upgrade-3.9-to-4.4": 108,
    "zk-migration-3.9.2": 45,
    "zk/first-boot": 0,
    "zk/kill-nine": 31,
    "zk/leaders-write": 4,
    "zk/log-dir-failure": 9,
    "zk/reassignment": 13,
    "zk/rolling-restart": 33,
    "zk/session-expiry": 409,
    "zk/topic-deletion": 1,
}
"""Per recording how many results no log can tell the row of; those of the ZooKeeper era are below `zk`."""

LARGE = "large"
"""1,935,262 records, judged for more than an hour: recorded for speed, and left out here."""

LONG = {"fake-chaos-elr", "upgrade-3.9-to-4.4", "zk/session-expiry"}
"""What takes more than ten seconds."""

COPIED = sorted(path.parent.relative_to(RECORDED).as_posix() for path in RECORDED.rglob("meta.json"))
"""The recordings in the checkout."""

SCENARIOS = [pytest.param(one, marks=pytest.mark.slow if one in LONG else ()) for one in AMBIGUOUS]


def place(scenario: str) -> Path:
    """Return where a recording is, beside the checkout before in it; skips where it is in neither."""
    further = BESIDE / (scenario if scenario.startswith("zk/") else f"kraft/{scenario}")
    if further.is_dir():
        return further
    if scenario not in COPIED:
        pytest.skip(f"the recording is not in the checkout, and {BESIDE} does not have it")
    return RECORDED / scenario


def settings(path: Path) -> StaticSettings:
    """Return what the meta.json of a recording says of server.properties; Kafka's defaults where it says nothing."""
    said = json.loads((path / "meta.json").read_text(encoding="utf-8")).get("props") or {}
    return static_settings([f"{name}={said[name]}" for name in NAMES if name in said])


@cache
def judged(scenario: str, unclean: bool, min_insync: int | None) -> ConformResult:
    """Return what is found in a recording, checked with the release in force, under static settings."""
    path = place(scenario)
    log = path / "00000000000000000000.log" if (path / "others").exists() else path
    return conform(
        [log], find("zk").whole if scenario.startswith("zk/") else None, static=StaticSettings(unclean, min_insync)
    )


@pytest.mark.representative("first-boot", "suspects-4.4.0", "metadata-upgrade", "zk/first-boot")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_recording_conforms_with_its_settings(scenario: str) -> None:
    """Every record, line and write is some row's, nothing is undecided, and as many results are ambiguous as before."""
    own = settings(place(scenario))
    (log,) = judged(scenario, own.unclean, own.min_insync).logs
    assert ([one.message for one in log.violations], log.verdict) == ([], Verdict.CONFORMS)
    assert not getattr(log, "doubts", [])
    assert log.ambiguous == AMBIGUOUS[scenario]


@pytest.mark.representative("first-boot", "static-settings-elr-4.4.0")
@pytest.mark.parametrize("scenario", [one for one in SCENARIOS if not one.values[0].startswith("zk/")])
def test_without_its_settings_a_recording_says_under_which_it_conforms(scenario: str) -> None:
    """Where a static setting decides, the result under the defaults names it with its value; everywhere else none."""
    own = settings(place(scenario))
    (log,) = judged(scenario, False, None).logs
    if log.verdict is Verdict.CONFORMS:
        assert not log.conforms_if
        return
    assert own.unclean
    assert (log.verdict, log.conforms_if) == (Verdict.VIOLATES, {"unclean.leader.election.enable": "true"})


def test_only_what_has_the_setting_needs_it() -> None:
    """Of all recordings one was made with a static setting that decides elections, and it does not conform without."""
    told = [one for one in AMBIGUOUS if one in COPIED and settings(RECORDED / one).unclean]
    assert told == ["static-settings-elr-4.4.0"]
    (log,) = judged("static-settings-elr-4.4.0", False, None).logs
    assert log.verdict is Verdict.VIOLATES


def test_no_recording_is_left_out() -> None:
    """Each recording in the checkout, and each beside it but the large one, is checked here."""
    assert set(COPIED) - {one for one in COPIED if one.startswith(("zk-parts", "oracle"))} <= AMBIGUOUS.keys()
    if not BESIDE.is_dir():
        pytest.skip(f"there are no further recordings: {BESIDE} is no folder")
    further = {one.name for one in (BESIDE / "kraft").iterdir() if one.is_dir()} | {
        f"zk/{one.name}" for one in (BESIDE / "zk").iterdir() if one.is_dir()
    }
    assert further - {LARGE} <= AMBIGUOUS.keys()
