"""Static settings of controllers: assumed, said, and found where a log would conform under another."""

from functools import cache
from pathlib import Path

import pytest

from fencepost.checkers.cause import Cause
from fencepost.checkers.conformance import ConformResult, conform
from fencepost.checkers.conformance.lockstep import Given, LockStep
from fencepost.checkers.conformance.records.static_settings import (
    MIN_INSYNC,
    UNCLEAN,
    StaticSettings,
    applies,
    static_settings,
)
from fencepost.checkers.verdicts import Refusal, Verdict
from fencepost.model.kraft import state as k
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.registry import find
from fencepost.traces import find_log, read_log
from tests.cases import each

from . import RECORDED
from .alter import until, with_record, written

RECORDING = RECORDED / "static-settings-elr-4.4.0"


@cache
def judged(settings: StaticSettings | None = None) -> ConformResult:
    """Return what is found in the recording, whose controllers have settings of their own."""
    return conform([RECORDING], KRAFT, static=settings)


def test_a_cluster_with_settings_of_its_own_conforms_under_them() -> None:
    """4.4.0 elects uncleanly by server.properties alone: every record is a row's where that is assumed."""
    (log,) = judged(StaticSettings(unclean=True, min_insync=2)).logs
    assert (log.verdict, log.violations, log.doubts) == (Verdict.CONFORMS, [], [])
    assert not log.conforms_if
    assert (log.records, sum(log.rows.values()), log.ambiguous) == (609, 370, 35)


def test_without_them_it_says_under_which_it_would() -> None:
    """The log that violates under the default conforms under the other value: that is the cause, and it is named."""
    (log,) = judged().logs
    assert log.verdict is Verdict.VIOLATES
    assert [violation.offset for violation in log.violations] == [532]
    assert log.conforms_if == {UNCLEAN: "true"}
    assert {violation.cause for violation in log.violations} == {Cause.OTHER_SETTING}


def test_what_no_static_value_explains_is_blamed_on_none(tmp_path: Path) -> None:
    """A log with a damaged record violates under both values, so that no setting is said to be the reason."""
    damaged = with_record(
        until(read_log(find_log(RECORDING)), 60), 30, lambda data: {**data, "leader": 7}, tmp_path / "damaged"
    )
    (log,) = conform([damaged], KRAFT).logs
    assert log.verdict is Verdict.VIOLATES
    assert not log.conforms_if


def test_a_static_minimum_that_the_log_denies_is_a_violation(tmp_path: Path) -> None:
    """The bootstrap writes the static min.insync.replicas: another one than is assumed is no row's."""
    beginning = written(until(read_log(find_log(RECORDING)), 60), tmp_path)
    (log,) = conform([beginning], KRAFT, static=StaticSettings(unclean=True, min_insync=3)).logs
    assert [violation.offset for violation in log.violations] == [8]
    assert "it writes value 3, the log 2" in log.violations[0].message


def test_the_scope_says_what_was_assumed() -> None:
    """Value and source of each setting stand in the scope, defaults included."""
    assert judged().scope["static"] == {
        UNCLEAN: {"value": "false", "from": "the default"},
        MIN_INSYNC: {"value": "any", "from": "what the log writes"},
    }
    told = static_settings([f"{MIN_INSYNC}=2"], {UNCLEAN: "TRUE "}, "controller.properties")
    assert told.as_json() == {
        UNCLEAN: {"value": "true", "from": "controller.properties"},
        MIN_INSYNC: {"value": "2", "from": "--static"},
    }


def test_what_a_file_leaves_out_has_the_default() -> None:
    """A server.properties without min.insync.replicas says 1, while no file at all says nothing of it."""
    assert static_settings((), {}, "file").values() == {UNCLEAN: "false", MIN_INSYNC: "1"}
    assert static_settings().values() == {UNCLEAN: "false", MIN_INSYNC: "any"}


def test_an_option_goes_before_the_file() -> None:
    """--static wins over --server-properties, whatever the file says."""
    assert static_settings([f"{UNCLEAN}=false"], {UNCLEAN: "true"}, "file").unclean is False


@each("option", ["unclean", "unclean.leader=true", f"{UNCLEAN}=yes", f"{MIN_INSYNC}=0", f"{MIN_INSYNC}=two", "=1"])
def test_what_is_no_static_setting_is_refused(option: str) -> None:
    """A name that decides nothing, and a value that Kafka would not take, are one sentence that says what to write."""
    with pytest.raises(Refusal, match="write"):
        static_settings([option])


def test_the_other_value_is_asked_of_protocols_that_have_it_only() -> None:
    """The tables of the ZooKeeper era have no static setting of KRaft's controllers."""
    assert applies(KRAFT)
    assert not applies(find("zk").whole)


@pytest.mark.parametrize("unclean", [False, True])
def test_lock_step_begins_with_the_static_value(unclean: bool) -> None:
    """Until a record sets it, the cluster's unclean.leader.election.enable is the one of server.properties."""
    shape = LockStep(KRAFT, given=Given(unclean=unclean)).shape
    for state in (k.static_unclean, k.cluster_unclean):
        assert shape.initial[shape.named[str(state)]] is unclean
