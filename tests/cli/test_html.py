"""The HTML page: what it names, that it loads nothing, that all of it is text, and what a browser makes of it."""

import json
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.check import Check, Stage, places, stages, texts
from fencepost.checkers.cli.prove import prove
from fencepost.checkers.conformance.results.results import LogResult, Violation
from fencepost.checkers.named import family
from fencepost.checkers.reports import report
from fencepost.checkers.reports.heat import Count, heats
from fencepost.checkers.reports.html import html
from fencepost.checkers.reports.lanes import lanes
from fencepost.checkers.verdicts import ExitCode, Refusal, Verdict
from fencepost.traces import read_log
from tests.cli.browsing import in_browser
from tests.conformance.alter import until, written

MEGABYTE = 1_000_000
LOCK = """
from fencepost.model.language import BOOL, FALSE, TRUE, Bound, Entity, always, event, forall, per, protocol, sort, table


class Client(Entity):
    pass


CLIENT = sort(Client)
c, x, y = CLIENT.var("c"), CLIENT.var("x"), CLIENT.var("y")
holds = per(CLIENT, "holds", BOOL)
take = event("Take", c, source="the lock")
give = event("Give", c, source="the lock")
LOCK = table("lock", take("T1", ~holds[c], holds[c].becomes(TRUE)), give("G1", holds[c], holds[c].becomes(FALSE)))
ONE = always(
    "A1",
    forall(x, forall(y, ~holds[x] | ~holds[y] | x.is_(y))),
    source="the lock",
    about="Two clients </script><script>alert(1)</script> & <b>never</b> hold \\"it\\".",
)
P = protocol("lock", LOCK, properties=[ONE], bounds={"two": Bound({"Client": 2})})
"""


def document(name: str, *found: Stage, told: bool = True) -> dict[str, Any]:
    """Return the JSON document of a check of one protocol with some stages."""
    of_name = family(name) if told else None
    at = {} if of_name is None else {name: places(of_name)}
    read = {} if of_name is None else {name: texts(of_name)}
    whole = Check({name: found}, {name: "hash"}, (), 1.0, {}, at, read)
    common = {"command": "check", "verdict": whole.verdict, "exit_code": int(whole.exit_code), "seconds": 1.0}
    made = json.loads(json.dumps(common | {"version": "0"} | whole.as_json()))
    assert isinstance(made, dict)
    return made


def logged(*violations: Violation, path: str = "log") -> Stage:
    """Return a stage of one log with some violations."""
    log = LogResult(path, "kraft", Verdict.VIOLATES, rows={"R1": 12}, rows_never_seen=("R2",))
    log.violations.extend(violations)
    return Stage("logs", "violates", ExitCode.DOES_NOT_CONFORM, (), {"logs": [log.as_json()], "scope": {}})


@pytest.fixture(scope="module")
def lock(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the document of an exploration of a lock that two clients may hold."""
    path = tmp_path_factory.mktemp("lock") / "lock.py"
    path.write_text(LOCK, encoding="utf-8")
    return document(f"{path}:P", stages.exploration(f"{path}:P", "two", False))


@pytest.fixture(scope="module")
def unchecked() -> dict[str, Any]:
    """Return the document of an exploration of KIP-343 without the check of who leads."""
    name = "kip343+unchecked_leader"
    return document(name, stages.exploration(name, "leaders", False))


def page_of(told: dict[str, Any]) -> str:
    """Return the page of a document."""
    return html(report(told))


def text_of(page: str) -> str:
    """Return what a page says, without its tags, each run of spaces as one."""
    body = re.sub(r"<(style|script)>.*?</\1>", "", page, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", body)).split())


def element(page: str, start: str, end: str) -> str:
    """Return the first part of a page between two marks."""
    return page.split(start, 1)[1].split(end, 1)[0]


@pytest.mark.slow
def test_the_row_at_fault_is_named_at_the_top(unchecked: dict[str, Any]) -> None:
    """The first list says which row breaks which property, with the property's sentence, each pair once."""
    page = page_of(unchecked)
    top = text_of(element(page, '<ul class="faults">', "</ul>"))
    claim = (
        "An ISR change is applied only for the current leader, in its leader epoch, with the current incarnation id."
    )
    assert top.count(f"Row H11 breaks HI2 : {claim}") == 1
    assert page.index('class="faults"') < page.index('id="problem-1"')


@pytest.mark.slow
def test_a_problem_says_what_is_false_and_for_whom(unchecked: dict[str, Any]) -> None:
    """A problem has the conjunct that is false, the entities and the values, as the document has them."""
    (told,) = (one for one in unchecked["protocols"].values())
    (judged,) = (one for one in told["exploration"]["properties"] if one["id"] == "HI5l")
    failure = judged["trace"]["failure"]
    said = text_of(element(page_of(unchecked), "Row H11 breaks HI5l</h3>", "</article>"))
    assert f"false {failure['conjunct']} for p = {failure['entities']['p']}" in said
    for name, value in failure["values"].items():
        assert f"{name} = {value}" in said


@pytest.mark.slow
def test_a_run_shows_only_what_changed(unchecked: dict[str, Any]) -> None:
    """Each step has the variables whose values differ from those before it, and no others, in the lane of their key."""
    (told,) = (one for one in unchecked["protocols"].values())
    (judged,) = (one for one in told["exploration"]["properties"] if one["id"] == "HI2")
    trace, variables = judged["trace"], told["texts"]["variables"]
    run = lanes(trace, None, told["texts"])
    before = trace["start"]
    assert len(run.steps) == len(trace["steps"]) > 5
    for step, shown in zip(trace["steps"], run.steps, strict=True):
        both = {**before, **step["state"]}
        read = [
            {one: of.get(one, variables[one.split("[")[0]]["initial"]) for one in both}
            for of in (before, step["state"])
        ]
        expected = {one: (read[0][one], read[1][one]) for one in both if read[0][one] != read[1][one]}
        found = {one.variable: (one.old, one.new) for lane in shown.changes for one in lane}
        assert found == expected
        before = step["state"]
    for shown in run.steps:
        for name, lane in zip(run.names, shown.changes, strict=True):
            for one in lane:
                first = one.variable.partition("[")[2].split(",")[0].rstrip("]")
                assert name == "shared" if not first else name.endswith(f" {first}")


@pytest.mark.slow
def test_the_page_is_small(unchecked: dict[str, Any]) -> None:
    """A page is below 2 MB."""
    assert 10_000 < len(page_of(unchecked).encode()) < 2 * MEGABYTE


def test_a_page_of_thousands_of_problems_is_small() -> None:
    """However many violations a log has and however long, the page is below 2 MB, and says how many it leaves out."""
    screen = tuple(f"a line of {'many ' * 20}words" for _ in range(200))
    many = [Violation("unexplained", n, "s", "", f"offset {n}", screen=screen) for n in range(1_500)]
    page = page_of(document("kraft", logged(*many), told=False))
    assert len(page.encode()) < 2 * MEGABYTE
    (left,) = re.findall(r"(\d+) more problems are not shown here", text_of(page))
    assert int(left) + page.count("<article") == 1_500


def test_a_step_is_in_the_lane_of_its_entity(lock: dict[str, Any]) -> None:
    """A step and what it changes are in the lane of the entity that its event is about, the others are empty there."""
    (told,) = lock["protocols"].values()
    judged = next(one for one in told["exploration"]["properties"] if one["id"] == "A1")
    run = lanes(judged["trace"], None, told["texts"])
    assert run.names == ("Client 0", "Client 1")
    assert [run.names[step.acts] for step in run.steps] in (["Client 0", "Client 1"], ["Client 1", "Client 0"])
    for step in run.steps:
        (change,) = step.changes[step.acts]
        assert (change.old, change.new) == ("false", "true")
        assert not any(lane for place, lane in enumerate(step.changes) if place != step.acts)


def test_what_is_again_as_it_began_is_a_change() -> None:
    """A variable that a state does not have is at its initial value there, and where none is known that is said."""
    state = {"row": "L1", "event": "Press", "binding": {}, "records": [["A"]], "answer": None, "state": {}}
    trace = {"start": {"lit": "true", "odd": "1"}, "steps": [state], "initial": False, "inside_last_row": False}
    run = lanes(trace, None, {"variables": {"lit": {"keys": [], "initial": "false"}}})
    ((changes,),) = [step.changes for step in run.steps]
    assert [(one.variable, one.old, one.new) for one in changes] == [
        ("lit", "true", "false"),
        ("odd", "1", "its initial value"),
    ]
    assert run.names == ("shared",)


def test_scope_assumptions_and_engine_stand_at_a_verdict(lock: dict[str, Any]) -> None:
    """A verdict of an exploration has its bound with the sizes, its engine, and the number of states."""
    (told,) = lock["protocols"].values()
    said = text_of(element(page_of(lock), '<section id="results">', "</section>"))
    assert "bound two (Client 2): 4 states" in said
    assert f"exploration on {told['exploration']['engine']}" in said
    assert "A1 violated" in said


def test_all_of_it_is_text(lock: dict[str, Any]) -> None:
    """What a protocol or a log says is shown as it is, whatever it holds: it makes no tag, and ends no script."""
    topic = "<script>alert(1)</script><img onerror='x' src=\"y\">"
    bad = Violation("unexplained", 7, "s", topic, f"topic {topic} \udcff", screen=(f"partition {topic}-0",))
    for told in (lock, document("kraft", logged(bad, path=topic), told=False)):
        page = page_of(told)
        assert page.count("<script>") == page.count("</script>") == 1
        assert re.search(r"<(img|b>never)", page) is None
        page.encode()
    assert topic in text_of(page)
    assert 'Two clients </script><script>alert(1)</script> & <b>never</b> hold "it".' in text_of(page_of(lock))


def test_the_page_loads_nothing(lock: dict[str, Any]) -> None:
    """A page names no other file and no host, and forbids the browser to load any."""
    page = page_of(lock)
    assert re.findall(r"https?:|//[a-z]|url\(|@import|<link|<iframe|\bsrc=|fetch\(|XMLHttp", page) == []
    assert "default-src 'none'" in page


def test_nothing_waits_for_the_script(lock: dict[str, Any]) -> None:
    """Without JavaScript all is there: only the search box and the list of keys are hidden."""
    page = page_of(lock)
    hidden = re.findall(r"<(\w+)[^>]* hidden[ >]", page)
    assert sorted(hidden) == ["form", "p"]
    assert re.search(r'<details class="stage failed" open>', page) is not None


def refused() -> Stage:
    """Raise what a stage raises that cannot run."""
    raise Refusal("Java is missing; install it", ExitCode.INCONCLUSIVE)


def test_what_is_undecided_is_no_success() -> None:
    """A stage that could not run is inconclusive on the page, with its sentence, and nothing of it passed."""
    page = page_of(document("kraft", stages.timed("logs", refused), told=False))
    assert "✗" not in page.split("<main>")[1]
    assert "✓" not in page
    assert "Java is missing; install it" in text_of(page)
    assert "1 result: 0 passed, 0 failed , 1 inconclusive" in text_of(page)


def test_the_heat_map_counts_what_was_seen() -> None:
    """A row's count has its shade; never seen is no shade, and not there to be seen is no count."""
    told = document("kraft", logged())
    (heat,) = heats(report(told))
    counts = {row.id: row.counts for _, rows in heat.tables for row in rows}
    assert counts == {"R1": (Count(12),), "R2": (Count(0),)}
    assert [Count(n).shade for n in (None, 0, 1, 9, 10, 100, 1_000, 10_000)] == [0, 0, 1, 1, 2, 3, 4, 5]
    assert (heat.columns, heat.seen) == (("log",), (1, 2))
    assert [name for name, _ in heat.tables] == ["registration"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", [("prove",), ("explore", "--bound", "two"), ("whatif",), ("mutate", "--by", "explore", "--sample", "4")]
)
def test_one_engine_has_the_page_too(
    fencepost_says: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    """`prove`, `explore`, `whatif` and `mutate` write the page of what they found, end as without it, and replace an
    old file."""
    monkeypatch.chdir(tmp_path)
    variant = 'R = P.but("G1", effects=(), why="kept", name="lock+kept")\n'
    (tmp_path / "lock.py").write_text(LOCK + variant, encoding="utf-8")
    (tmp_path / "page.html").write_text("<!DOCTYPE html>\n<title>fencepost old</title>", encoding="utf-8")
    name = "lock.py:R" if command[0] == "whatif" else "lock.py:P"
    said = fencepost_says(command[0], name, *command[1:], "--html", "page.html", "--json")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert f"fencepost {command[0]}: {said.document['verdict']}" in text_of(page)
    assert f"exit code {said.code} " in text_of(page)
    if command[0] == "whatif":
        assert "behaviour lost" in text_of(page)
    elif command[0] == "mutate":
        fates = [one["fate"] for one in said.document["mutants"]]
        assert len(fates) == 4
        assert page.count("survives</h3>") == fates.count("survives")
        assert ("altered, noticed" in text_of(page)) == ("killed" in fates)
    else:
        assert (said.code, "Row T1 breaks A1" in text_of(page)) == (1, True)


@pytest.mark.slow
def test_a_log_has_the_page_too(fencepost_says: Callable[..., Any], recorded: Path, tmp_path: Path) -> None:
    """`conform` writes the page of the logs that it checked, with their rows by table."""
    said = fencepost_says("conform", recorded / "first-boot", "--html", tmp_path / "page.html")
    told = text_of((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert said.code == 0
    assert "1 result: 1 passed, 0 failed" in told
    assert "broker lifecycle" in told


def test_topics_have_their_names(fencepost_says: Callable[..., Any], recorded: Path, tmp_path: Path) -> None:
    """The page of `conform` names a partition by its topic: of a finding, and of what no row explains."""
    file = tmp_path / "page.html"
    fencepost_says("conform", recorded / "elr-index-fault-4.4.0", "--html", file)
    assert "finding D6 once at offset 53, partition gone-0" in text_of(file.read_text(encoding="utf-8"))
    log = written(until(read_log(recorded / "reassignment"), 110), tmp_path / "log")
    said = fencepost_says("conform", log, "--release", "4.2", "--html", file, "--json")
    page, topics = text_of(file.read_text(encoding="utf-8")), said.document["logs"][0]["topics"]
    assert set(topics.values()) == {"r"}
    assert "unexplained at offset 102: partition r-3" in page
    assert not [id for id in topics if f"{id}-" in page]


def test_what_has_no_page_is_refused(fencepost_says: Callable[..., Any], two_phase: str, tmp_path: Path) -> None:
    """An option that asks another question of `prove` has no page, and says so before anything is asked."""
    said = fencepost_says("prove", two_phase, "--quick", "--html", tmp_path / "page.html")
    assert (said.code, said.sentence) == (2, "fencepost: --html: there is no such page of --quick; leave out either")
    assert not (tmp_path / "page.html").exists()


@pytest.fixture(scope="module")
def proof(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], str]:
    """Return document and page of the proof of three properties for two rows of kraft."""
    file = tmp_path_factory.mktemp("proof") / "page.html"
    found = prove("kraft", property_=["P2", "P5", "K3"], row=["R1", "HB3"], no_search=True, html=file)
    return json.loads(json.dumps(found.document(0.0))), file.read_text(encoding="utf-8")


def test_each_obligation_is_in_the_matrix(proof: tuple[dict[str, Any], str]) -> None:
    """A proof has a line a row, a column a property, and in each cell what the document says of the obligation: proved
    by the solver, by a recorded core, by frame, refuted, or left out with the reason."""
    document, page = proof
    table = element(page, '<table class="matrix">', "</table>")
    columns = re.findall(r'<th scope="col" title="[^"]*"><span>([^<]*)</span>', table)
    assert set(columns) == {"P2", "P5", "K3", "written once"}
    rows = dict(re.findall(r'data-why="[^"]*">([^<]*)</th>(.*?)</tr>', table))
    found = {
        (row, column): cell
        for row, cells in rows.items()
        for column, cell in zip(columns, re.findall(r'<td class="(\w+)"', cells), strict=True)
    }
    expected = {(row, one["property"]): "core" for one in document["settled"] for row in one["by_core"]}
    expected |= {(row, one["property"]): "solver" for one in document["settled"] for row in one["by_solver"]}
    expected |= {(one["row"], one["property"]): "declared" for one in document["failed"]}
    left = {(row, one["property"]): "left" for one in document["asked_of"] for row in one["left_out"] if row in rows}
    assert {at: kind for at, kind in found.items() if kind not in ("frame", "steps")} == expected | left
    assert (found["R1", "P2"], found["R1", "P5"], found["R1", "K3"]) == ("core", "declared", "left")
    assert (found["initial", "K3"], found["initial", "P2"]) == ("steps", "solver")
    assert "P5 fails in the middle of R1" in unescape(rows["R1"])
    assert "the property is about other rows, by name: R3" in rows["R1"]


@pytest.mark.browser
def test_a_browser_runs_the_script_of_the_page(lock: dict[str, Any], tmp_path: Path) -> None:
    """The page's own script runs although it may load nothing: a link with words to find hides all other results."""
    found = in_browser(page_of(lock), tmp_path, "#find=lock.py%20A1")
    opening = element(found, "<html", ">")
    assert 'data-script="on"' in opening
    assert 'data-search="lock.py a1"' in opening
    assert 'data-shown="1"' in opening
    assert re.search(r'<article class="result problem failed" id="problem-1">', found) is not None
    assert re.search(r'<tr class="result failed" hidden="">', found) is not None
    assert re.search(r'<form id="finder" role="search">', found) is not None


@pytest.mark.browser
def test_keys_go_from_result_to_result(lock: dict[str, Any], tmp_path: Path) -> None:
    """`j` and `k` move to the next and the previous result, and `/` to the search box."""
    pressed = [f'document.dispatchEvent(new KeyboardEvent("keydown", {{key: "{key}"}}));' for key in "jjk/"]
    pressed.insert(2, "document.documentElement.dataset.down = document.documentElement.dataset.current;")
    focus = "document.documentElement.dataset.focus = document.activeElement.id;"
    found = in_browser(page_of(lock), tmp_path, "", "".join(pressed) + focus)
    opening = element(found, "<html", ">")
    assert 'data-down="1"' in opening
    assert 'data-current="0"' in opening
    assert 'data-focus="find"' in opening
    assert len(re.findall(r'class="result [^"]*current"', found)) == 1


@pytest.mark.browser
def test_a_click_shows_the_obligation(proof: tuple[dict[str, Any], str], tmp_path: Path) -> None:
    """A click on a cell of the matrix shows the row, the property and what the obligation came to; Escape closes it."""
    click = "document.querySelector('.matrix td.declared').click();"
    noted = (
        "const noted = document.documentElement.dataset, detail = document.getElementById('detail');"
        "noted.said = document.getElementById('shown').textContent;"
        "noted.clicked = `${noted.obligation}, ${detail.ariaLive}, ${detail.hidden}`;"
    )
    escape = 'document.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape"}));'
    found = in_browser(proof[1], tmp_path, "", click + noted + escape)
    opening = unescape(element(found, "<html", ">"))
    assert 'data-clicked="R1 P5, polite, false"' in opening
    assert "refuted, and declared violated · not inductive: P5 fails in the middle of R1" in opening
    assert "row R1. On RegisterBroker(" in opening
    assert re.search(r'<aside id="detail" [^>]*hidden=""', found) is not None
