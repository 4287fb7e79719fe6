"""Protocols of a file or a module of yours: by their names, with their variants, and checked whole."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.check import Stage, stages
from fencepost.checkers.check import run as running
from fencepost.checkers.named import family
from fencepost.checkers.verdicts import Refusal
from fencepost.model.registry import FAMILIES, UnknownProtocol

pytestmark = pytest.mark.usefixtures("stages_here")


@pytest.fixture(autouse=True)
def fresh_modules() -> Any:
    """Forget the modules of a test, which the next one has under the same name."""
    yield
    for name in [one for one in sys.modules if one.split(".")[0] == "houses"]:
        del sys.modules[name]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, tuple[Any, ...]]]:
    """Return the stages that a check would run, which then are not run."""
    found: list[tuple[str, str, tuple[Any, ...]]] = []

    def together(jobs: Any, progress: Any, most: int) -> list[tuple[str, Stage]]:
        found.extend((owner, run.__name__, given) for owner, run, given in jobs)
        return []

    monkeypatch.setattr(running, "_together", together)
    return found


@pytest.mark.parametrize(
    ("name", "of"),
    [
        ("lamps.py:P", "lamp"),
        ("lamps.py", "lamp"),
        ("houses.lamps:P", "lamp"),
        ("houses.lamps", "lamp"),
        ("./lamps.py:P", "lamp"),
        ("lamps.py:STUCK", "lamp+sticks"),
        ("lamps.py:P+STUCK", "lamp+sticks"),
        ("lamps.py:P+sticks", "lamp+sticks"),
        ("lamps.py+STUCK", "lamp+sticks"),
        ("houses.lamps:P+STUCK", "lamp+sticks"),
        ("lamps.py:P+dark", "lamp+L1"),
        ("lamps.py:P+STUCK+dark", "lamp+sticks+L1"),
    ],
)
def test_a_protocol_of_a_file_or_module(lamps: str, name: str, of: str) -> None:
    """A file, a dotted module, a variant that the file has as a protocol, one that a function of it makes, and both."""
    found = family(name)
    assert (found.whole.name, list(found.bounds)) == (of, ["one", "two"])
    assert found.whole.row("L2").changes is ("sticks" not in of)
    assert found.whole.row("L1").changes is ("L1" not in of)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("lamps.py:Q", "lamps.py: no protocol is called Q; use one of P, STUCK"),
        ("lamps.py:P@4.2", "lamps.py:P@4.2: only kraft has releases; write lamps.py:P"),
        ("lamps.py:P+STUK", "no variant has this name; did you mean lamps.py:P+STUCK?"),
        ("lamps.py:P+watts", "no variant has this name; there are STUCK, dark, nothing (a variant is"),
        ("lamps.py:P+nothing", "the function returns a NoneType; let it return a protocol"),
        ("lamps.py:P+dark+STUCK", "STUCK is a protocol by itself, and no change of another; write it first"),
        ("houses.lamp:P", "houses.lamp: there is no such module in this folder or among the installed ones"),
        ("kraft:KRAFT", "kraft: comes with fencepost; write kraft alone, or kraft+NAME for a variant"),
        ("nowhere.py:P", "nowhere.py: there is no such file"),
    ],
)
def test_what_is_wrong_in_a_name_is_told(fencepost_says: Callable[..., Any], lamps: str, name: str, said: str) -> None:
    """A name that means nothing is refused by every command, with what to write instead."""
    for command in (("prove", name), ("check", name), ("show", name), ("explore", name, "--bound", "one")):
        answered = fencepost_says(*command)
        assert answered.code == 2
        assert said in answered.sentence


def test_what_is_no_name_of_yours_is_one_of_ours(lamps: str) -> None:
    """Releases and variants of ours are found as before, and a dotted name that is no module is answered with ours."""
    assert family("kraft@4.2").name == "kraft@4.2"
    assert family("kip46+SH11").name == "kip46+SH11"
    with pytest.raises(UnknownProtocol, match=r"did you mean kip631-v1\?"):
        family("kip631.v1")


def test_a_fault_in_a_module_is_told_with_its_line(lamps: str) -> None:
    """What is wrong in an imported module is one sentence with its file and line, as for a file."""
    path = Path("houses/lamps.py")
    path.write_text(path.read_text(encoding="utf-8").replace("~lit, lit.", "~litt, lit."), encoding="utf-8")
    with pytest.raises(Refusal, match=r"houses/lamps\.py:6: the name litt is not defined; did you mean lit\?"):
        family("houses.lamps:P")


@pytest.mark.parametrize("name", ["lamps.py:P", "houses.lamps:P", "lamps.py:P+STUCK"])
def test_check_of_a_protocol_is_of_it_alone(
    fencepost_says: Callable[..., Any], lamps: str, asked: list[tuple[str, str, tuple[Any, ...]]], name: str
) -> None:
    """A check of a protocol proves it and explores each of its bounds, the first by TLC too, and reads no log."""
    fencepost_says("check", name)
    assert asked == [
        (name, "proof", (name,)),
        (name, "exploration", (name, "one", True)),
        (name, "exploration", (name, "two", False)),
    ]


def test_check_of_a_protocol_of_ours(
    fencepost_says: Callable[..., Any], asked: list[tuple[str, str, tuple[Any, ...]]]
) -> None:
    """Protocols of ours are checked as in a check of all of them, at the first bound of each slice."""
    fencepost_says("check", "kip46", "--no-tlc")
    firsts = [bound for one in FAMILIES["kip46"].slices for bound in list(one.bounds)[:1]]
    assert asked == [
        ("kip46", "proof", ("kip46",)),
        *(("kip46", "exploration", ("kip46", one, False)) for one in firsts),
    ]


def test_a_log_is_held_against_the_protocol_that_reads_it(
    fencepost_says: Callable[..., Any], recorded: Path, asked: list[tuple[str, str, tuple[Any, ...]]]
) -> None:
    """A metadata log is checked against kraft alone, a recording of the ZooKeeper era against zk, no other design."""
    log, zookeeper = str(recorded / "first-boot"), str(recorded / "zk" / "first-boot")
    fencepost_says("check", log, zookeeper)
    held = [(owner, given[1]) for owner, stage, given in asked if stage == "logs"]
    assert held == [("kraft", [log]), ("zk", [zookeeper])]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("nowhere.log", "nowhere.log: there is no such file or directory"),
        ("nowhere/at/all", "nowhere/at/all: there is no such file or directory"),
        ("krat", "krat: there is no such file, and no protocol has this name; did you mean kraft?"),
        ("kraft+Q99", "kraft+Q99: no variant of kraft has this name"),
    ],
)
def test_check_refuses_at_once(
    fencepost_says: Callable[..., Any], lamps: str, asked: list[tuple[str, str, tuple[Any, ...]]], given: str, said: str
) -> None:
    """What is neither a log nor a protocol is refused before anything is asked."""
    answered = fencepost_says("check", given)
    assert (answered.code, asked) == (2, [])
    assert said in answered.sentence


def test_a_log_that_the_protocol_cannot_read_is_refused(
    fencepost_says: Callable[..., Any], recorded: Path, asked: list[tuple[str, str, tuple[Any, ...]]]
) -> None:
    """A log beside a protocol of ours that reads none is refused."""
    answered = fencepost_says("check", "kip46", recorded / "first-boot")
    assert (answered.code, asked) == (2, [])
    assert "kip46 cannot be checked against it" in answered.sentence


def test_logs_beside_a_protocol_of_yours_are_judged_by_ours(
    fencepost_says: Callable[..., Any], lamps: str, recorded: Path, asked: list[tuple[str, str, tuple[Any, ...]]]
) -> None:
    """A protocol of yours is checked whole; its logs against kraft or zk, of which nothing else is asked."""
    log, zookeeper = str(recorded / "first-boot"), str(recorded / "zk" / "first-boot")
    said = fencepost_says("check", "--protocol", "lamps.py:P", log, zookeeper)
    assert [(owner, stage) for owner, stage, _ in asked if owner != "lamps.py:P"] == [("kraft", "logs"), ("zk", "logs")]
    assert [stage for owner, stage, _ in asked if owner == "lamps.py:P"] == ["proof", "exploration", "exploration"]
    assert "kraft checks logs here and is not checked itself" in said.out


def test_a_protocol_without_a_bound_says_so(
    fencepost_says: Callable[..., Any], lamps: str, asked: list[tuple[str, str, tuple[Any, ...]]]
) -> None:
    """Where there is nothing to explore the screen says what is missing."""
    path = Path("lamps.py")
    path.write_text(path.read_text(encoding="utf-8").replace(', bounds={"one": Bound({}), "two": Bound({})}', ""))
    assert "lamps.py:P has no bound, so that nothing of it is explored" in fencepost_says("check", "lamps.py:P").out


def test_the_stages_of_a_variant_of_yours(lamps: str) -> None:
    """The engines find a protocol of a file by its name: the variant stays lit for ever, which exploration sees."""
    assert stages.proof("lamps.py:P+STUCK").verdict == "proved"
    assert stages.exploration("lamps.py:P", "one", with_tlc=False).verdict == "closed"
    stuck = stages.exploration("lamps.py:P+STUCK", "one", with_tlc=False)
    assert (stuck.verdict, stuck.lines[1]) == ("violated", "deadlock violated, shortest trace of 1 row")


CAST = '''
from fencepost.model.language import (
    BOOL, TRUE, Bound, Entity, cell, event, forall, leads_to, per, protocol, sort, table,
)

class Node(Entity):
    """A node."""

NODE = sort(Node)
n = NODE.var("n")
sent, got = cell("sent", BOOL), per(NODE, "got", BOOL)
send = event("Send", source="a cast", environment=True)
take = event("Take", n, source="a cast", environment=True)
T = table("t", send("S1", ~sent, sent.becomes(TRUE)), take("T1", sent & ~got[n], got[n].becomes(TRUE)))
ALL = leads_to("ALL", sent, forall(n, got[n]), fair=("Take",), about="Every node takes what was sent.")
CAST = protocol("cast", T, properties=(ALL,), bounds={"two": Bound({"Node": 2})}, ends=True)
'''


def test_a_protocol_of_claims_of_what_comes_to_pass_alone_is_green(
    tmp_path: Path, fencepost_says: Callable[..., Any]
) -> None:
    """A proof has nothing to ask of it, which is no failure where exploration has decided every claim."""
    file = tmp_path / "cast.py"
    file.write_text(CAST, "utf-8")
    said = fencepost_says("check", f"{file}:CAST", "--no-tlc", "--json")
    assert (said.code, said.document["verdict"]) == (0, "as declared")
    broken = file.read_text("utf-8").replace('fair=("Take",)', "fair=()")
    file.write_text(broken, "utf-8")
    assert fencepost_says("check", f"{file}:CAST", "--no-tlc").code == 1


def test_a_change_of_a_shipped_protocol_has_the_bounds_of_its_base(
    tmp_path: Path, fencepost_says: Callable[..., Any]
) -> None:
    """What `new --from` writes is explored at the bounds of the slices that have the row, as whatif takes them."""
    fencepost_says("new", "hasty", "--from", "kip343", "--row", "H7", "--to", tmp_path)
    said = fencepost_says("explore", f"{tmp_path / 'hasty.py'}:HASTY", "--bound", "tiny", "--json")
    assert said.code in (0, 1)
    assert said.document["bound"] == "tiny"
    assert said.document["distinct"] > 100
