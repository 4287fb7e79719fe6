"""`fencepost show lease`: an operator's settings, one sentence for nonsense, the tables where those are meant."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.cases import each

ASKED = ("show", "lease", "--session", "9s", "--heartbeat", "2s", "--drift", "1%")


def test_kafkas_settings_with_a_drift_of_one_percent(fencepost_says: Callable[..., Any]) -> None:
    """A lease as long as the session is not safe: by 178.218 ms from the send, and two believe for 180.018 ms."""
    document = fencepost_says(*ASKED, "--json").document
    assert (document["command"], document["exit_code"], document["verdict"]) == ("show", 0, "shown")
    send, answer = document["forms"]["send"], document["forms"]["answer"]
    assert (send["safe"], send["overlap"], send["longest_lease"]) == (False, 180.018002, 8821.782178)
    assert send["margin"] == -178.217822
    assert send["condition"] == "(Tb + gb)(1+ρc) <= Tc(1-ρb)"
    assert (answer["safe"], answer["overlap"], answer["longest_lease"], answer["condition"]) == (
        False,
        None,
        None,
        None,
    )
    assert document["kip343"]["kept"] is False
    assert document["outage"] is None
    assert (document["lost_at_controller"], document["lost_at_broker"]) == (3, 3)
    assert {one["verdict"] for one in document["theorems"]} == {"proved"}
    assert document["settings"] == {
        "session": 9000, "heartbeat": 2000, "broker_timeout": 9000, "drift": 0.01, "controller_drift": 0.01,
        "delay": None, "tick": 0, "controller_tick": 1125,
    }  # fmt: skip


def test_settings_that_are_safe_in_both_forms(fencepost_says: Callable[..., Any]) -> None:
    """A lease of 8 s, messages within 500 ms: safe from the send by 821.782 ms, from the answer by 326.782."""
    document = fencepost_says(*ASKED, "--broker-timeout", "8s", "--delay", "500ms", "--json").document
    forms = document["forms"]
    assert [(one["safe"], one["overlap"], one["margin"]) for one in forms.values()] == [
        (True, 0, 821.782178),
        (True, 0, 326.782178),
    ]
    assert document["outage"] == pytest.approx(500 + (9000 + 1125) / 0.99, abs=1e-5)
    assert document["lost_at_broker"] == 2


def test_a_heartbeat_may_be_as_short_as_one_likes(fencepost_says: Callable[..., Any]) -> None:
    """Heartbeats each microsecond in a session of many days are counted, not gone through one by one."""
    said = ("show", "lease", "--session", "1000h", "--heartbeat", "1us", "--json")
    assert fencepost_says(*said).document["lost_at_controller"] == 36 * 10**11 - 1


def test_messages_slower_than_the_session(fencepost_says: Callable[..., Any]) -> None:
    """With messages that may take longer than the session nothing is safe from the answer, and no loss is forgiven."""
    document = fencepost_says(*ASKED, "--delay", "10s", "--json").document
    assert (document["lost_at_controller"], document["lost_at_broker"]) == (-1, -1)
    assert document["forms"]["answer"]["longest_lease"] is None
    assert "no broker's timer is short enough" in fencepost_says(*ASKED, "--delay", "10s").out


def test_kip343s_settings(fencepost_says: Callable[..., Any]) -> None:
    """With Tb > Tc KIP-343's demand is kept, and two believe for as long as the broker's timer is the longer one."""
    said = ("show", "lease", "--broker-timeout", "12s", "--tick", "0s")
    document = fencepost_says(*said, "--json").document
    assert document["kip343"] == {"kept": True, "condition": "(Tc + gc)(1+ρb) <= Tb(1-ρc)", "early": 0}
    assert document["forms"]["send"]["overlap"] == 3000
    assert "instead two believe" in " ".join(fencepost_says(*said).out.split())


@pytest.mark.parametrize("more", [(), ("--delay", "500ms", "--from", "answer"), ("--broker-timeout", "8s")])
def test_the_page_fits_a_terminal_and_has_its_proofs(fencepost_says: Callable[..., Any], more: tuple[str, ...]) -> None:
    """At 100 columns: the condition with both proofs, the worst run with its moments, what time does not give."""
    said = fencepost_says(*ASKED, *more)
    assert said.code == 0
    assert max(map(len, said.out.splitlines())) <= 100
    assert "sufficient: where the condition holds there is no such run: proved" in said.out
    assert "necessary: where it fails, this is such a run: proved" in said.out
    assert "not proved" not in said.out
    for line in ("broker believes", "its session", "a heartbeat is sent", "fencepost explore lease+moved --bound tiny"):
        assert line in said.out


def test_the_form_that_is_asked_for_is_drawn(fencepost_says: Callable[..., Any]) -> None:
    """From the answer the broker's timer starts half a second later, so that two believe for half a second longer."""
    drawn = [
        fencepost_says(*ASKED, "--delay", "500ms", "--from", form, "--json").document["run"]
        for form in ("send", "answer")
    ]
    assert [one["from"] for one in drawn] == ["send", "answer"]
    assert drawn[1]["stops"] - drawn[0]["stops"] == pytest.approx(500, abs=1e-5)
    assert drawn[0]["acts"] == drawn[1]["acts"]


@each(
    ("options", "named"),
    [
        (("--session", "-9s"), "--session -9s"),
        (("--session", "9"), "--session 9"),
        (("--session", "0s"), "--session 0 ms"),
        (("--session", "soon"), "--session soon"),
        (("--heartbeat", "9s"), "--heartbeat 9 s"),
        (("--heartbeat", "2s", "--broker-timeout", "1s"), "--heartbeat 2 s"),
        (("--drift", "100%"), "--drift 100%"),
        (("--drift", "-1%"), "--drift -1%"),
        (("--controller-drift", "2s"), "--controller-drift 2s"),
        (("--delay", "-1ms"), "--delay -1ms"),
        (("--tick", "often"), "--tick often"),
        (("--from", "start"), "--from start"),
        (("--at", "3"), "--at"),
    ],
)
def test_nonsense_is_one_sentence(fencepost_says: Callable[..., Any], options: tuple[str, ...], named: str) -> None:
    """A setting that cannot be meant ends with code 2 and a sentence that names the option and says what to write."""
    said = fencepost_says("show", "lease", *options)
    assert said.code == 2
    assert named in said.sentence


def test_a_setting_is_of_leases_only(fencepost_says: Callable[..., Any]) -> None:
    """`show kraft --session` says that sessions are checked by `lease`; so does `show lease --table`."""
    for said in (("show", "kraft", "--session", "9s"), ("show", "lease", "--table", "time", "--session", "9s")):
        found = fencepost_says(*said)
        assert found.code == 2
        assert "--session is a setting of leases" in found.sentence


def test_the_tables_are_shown_where_they_are_asked_for(fencepost_says: Callable[..., Any]) -> None:
    """With an option for tables `lease` is the protocol of that name."""
    assert "A unit of real time passes" in fencepost_says("show", "lease", "--table", "time").out
    assert fencepost_says("show", "lease", "--row", "LB3", "--json").document["row"]["table"] == "records"


def test_nothing_of_the_worst_run_lies_outside_its_picture(fencepost_says: Callable[..., Any], tmp_path: Path) -> None:
    """Every word ends inside the frame, reckoned at six tenths of its size a letter, whatever the settings are."""
    for more in ((), ("--broker-timeout", "3s"), ("--broker-timeout", "60s", "--delay", "3s"), ("--from", "answer")):
        file = tmp_path / "run.svg"
        assert fencepost_says(*ASKED, *more, "--svg", file).code == 0
        root = ElementTree.parse(file).getroot()
        width, height = float(root.attrib["width"]), float(root.attrib["height"])
        words = [one for one in root.iter() if one.tag.endswith("text")]
        assert len(words) > 8
        for one in words:
            ends = float(one.attrib["x"]) + 0.6 * float(one.attrib["font-size"]) * len(one.text or "")
            assert ends <= width, one.text
            assert float(one.attrib["y"]) < height, one.text


def test_the_worst_run_is_drawn(fencepost_says: Callable[..., Any], tmp_path: Path) -> None:
    """`--svg` writes a picture with both timers, the overlap and every moment, over nothing but a picture."""
    file = tmp_path / "run.svg"
    assert fencepost_says(*ASKED, "--svg", file).code == 0
    texts = [one.text or "" for one in ElementTree.parse(file).iter() if one.tag.endswith("text")]
    assert "two believe for 180.018 ms" in texts
    assert len([one for one in texts if "the broker's timer is over" in one]) == 1
    assert [one for one in texts if one in ("0 ms", "2 s", "4 s", "6 s", "8 s")] == ["0 ms", "2 s", "4 s", "6 s", "8 s"]
    found = fencepost_says(*ASKED, "--svg", tmp_path / "none" / "run.svg")
    assert found.code == 2
    assert "is no directory" in found.sentence
    file.write_text("notes")
    assert "say --force" in fencepost_says(*ASKED, "--svg", file).sentence
    assert file.read_text() == "notes"
    assert fencepost_says(*ASKED, "--svg", file, "--force").code == 0
    assert fencepost_says(*ASKED, "--svg", file).code == 0
