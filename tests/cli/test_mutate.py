"""`fencepost mutate`: its page and JSON document, its exit codes, and the list of mutants declared equivalent."""

import io
import json
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.cli.main import main

from .conftest import REPOSITORY

Says = Callable[..., Any]
SHELVES = REPOSITORY / "tests" / "examples" / "shelves.py"
WEAK, LIBRARY = f"{SHELVES}:WEAK", f"{SHELVES}:LIBRARY"
SURVIVOR = "BO3:disjunct-dropped:when/1"
ABOUT = "BO3: guard without `loans[c] > 1`"


@pytest.fixture
def listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of lists, empty at first; the library's is `library.toml`."""
    monkeypatch.setattr("fencepost.checkers.mutation.declarations.FOLDER", tmp_path)
    return tmp_path / "library.toml"


@pytest.fixture(scope="module")
def unlisted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The document of a row's mutants where nothing is listed, asked once for several tests."""
    out = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out):
        patch.setattr("fencepost.checkers.mutation.declarations.FOLDER", tmp_path_factory.mktemp("lists"))
        main(["mutate", WEAK, "--rows", "BO3", "--by", "prove", "--json"])
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def entry(id: str = SURVIVOR, about: str = ABOUT) -> str:
    """An entry of the list."""
    return f"[[equivalent]]\nid = {id!r}\nabout = {about!r}\nreason = 'for this test'\n"


def test_the_page_leads_with_the_score(fencepost_says: Says, listed: Path) -> None:
    """What is printed as it comes ends in the score, and then the survivors by row with their checkers."""
    said = fencepost_says("mutate", WEAK, "--rows", "BO3", "--by", "prove", "--jobs", "1")
    assert said.code == 0
    lines = said.out.splitlines()
    head = next(i for i, line in enumerate(lines) if line.startswith("library: "))
    assert "of 10 mutants are noticed" in lines[head]
    assert lines.index("survivors, by row:") > head
    after = lines[lines.index("survivors, by row:") :]
    assert any(line.startswith(f"    {SURVIVOR}: guard without") for line in after)
    assert any("obligations proved" in line for line in after)
    assert max(map(len, lines)) <= 100


def test_the_document_has_everything(fencepost_says: Says, listed: Path) -> None:
    """Every mutant is in the document with its fate, its diff and each checker's answer and cost."""
    document = fencepost_says("mutate", WEAK, "--rows", "BO3", "--by", "prove,explore", "--json").document
    assert (document["verdict"], document["exit_code"], document["checkers"]) == ("measured", 0, ["prove", "explore"])
    by_id = {one["id"]: one for one in document["mutants"]}
    assert len(by_id) == document["asked"] == document["killed"]["union"] + len(document["survivors"])
    assert SURVIVOR in document["survivors"]
    one = by_id[SURVIVOR]
    assert (one["row"], one["kind"], one["about"], one["fate"]) == ("BO3", "disjunct dropped", ABOUT, "survives")
    assert [(a["checker"], a["fate"]) for a in one["answers"]] == [("prove", "passed"), ("explore", "passed")]
    assert len(one["diff"]) == 2
    killed = next(m for m in document["mutants"] if m["fate"] == "killed")
    assert killed["answers"][-1]["by"]
    assert document["score"]["union"] == document["score"]["inside"] > 0
    assert {"left_out", "total", "equivalent", "not_decided", "stale", "cpu_seconds"} <= document.keys()


def test_a_sample_is_drawn_by_its_seed(fencepost_says: Says, listed: Path) -> None:
    """The same seed asks the same mutants."""
    one, again, other = (
        fencepost_says("mutate", WEAK, "--sample", "3", "--seed", seed, "--by", "prove", "--json").document["mutants"]
        for seed in ("3", "3", "4")
    )
    assert [m["id"] for m in one] == [m["id"] for m in again] != [m["id"] for m in other]
    assert len(one) == 3


def test_an_equivalent_mutant_does_not_count(fencepost_says: Says, listed: Path, unlisted: dict[str, Any]) -> None:
    """What is listed as equivalent is no survivor, is printed with its reason, and is left out of the score."""
    listed.write_text(entry(), encoding="utf-8")
    after = fencepost_says("mutate", WEAK, "--rows", "BO3", "--by", "prove", "--json").document
    assert after["equivalent"] == [{"id": SURVIVOR, "reason": "for this test"}]
    assert (after["stale"], after["exit_code"]) == ([], 0)
    assert SURVIVOR not in after["survivors"]
    assert after["score"]["union"] > unlisted["score"]["union"]


@pytest.mark.representative("another")
@pytest.mark.parametrize(
    ("text", "protocol", "told"),
    [
        (entry("BO3:disjunct-dropped:when/7"), WEAK, "there is no such mutant any more"),
        (entry(about="BO3: another"), WEAK, "is another mutant now"),
        (entry(), LIBRARY, "is not equivalent: prove: BO4 breaks ONCE"),
    ],
    ids=["gone", "another", "killed"],
)
def test_a_stale_entry_fails(fencepost_says: Says, listed: Path, text: str, protocol: str, told: str) -> None:
    """An entry about a mutant that is gone, is another one now, or is killed, is said and ends with 7."""
    listed.write_text(text, encoding="utf-8")
    document = fencepost_says("mutate", protocol, "--rows", "BO3", "--by", "prove", "--json").document
    assert document["exit_code"] == 7
    assert any(told in one for one in document["stale"]), document["stale"]


def test_a_survivor_is_classified(page_and_document: Says, listed: Path, unlisted: dict[str, Any]) -> None:
    """What is listed as a survivor is one still, not noticed, printed with its reason; others are not classified."""
    assert unlisted["classified"] == []
    listed.write_text(entry().replace("equivalent", "survivor"), encoding="utf-8")
    page, documented = page_and_document("mutate", WEAK, "--rows", "BO3", "--by", "prove", "--jobs", "1")
    after, lines = documented.document, page.out.splitlines()
    assert after["classified"] == [{"id": SURVIVOR, "reason": "for this test"}]
    assert (after["survivors"], after["score"], after["stale"]) == (unlisted["survivors"], unlisted["score"], [])
    at = next(i for i, line in enumerate(lines) if line.startswith(f"    {SURVIVOR}: "))
    assert lines[at + 1] == "      classified: for this test"
    others = [line for line in lines if line == "      not classified"]
    assert len(others) == len(after["survivors"]) - 1
    assert any(line == f"  of {len(after['survivors'])} survivors 1 are classified" for line in lines)


@pytest.mark.representative("killed")
@pytest.mark.parametrize(
    ("text", "protocol", "told"),
    [
        (entry("BO3:disjunct-dropped:when/7"), WEAK, "there is no such mutant any more"),
        (entry(about="BO3: another"), WEAK, "is another mutant now"),
        (entry(), LIBRARY, "is not a survivor: prove: BO4 breaks ONCE"),
    ],
    ids=["gone", "another", "killed"],
)
def test_a_stale_survivor_fails(fencepost_says: Says, listed: Path, text: str, protocol: str, told: str) -> None:
    """An entry of a survivor that is gone, is another one now, or is noticed, is said and ends with 7."""
    listed.write_text(text.replace("equivalent", "survivor"), encoding="utf-8")
    document = fencepost_says("mutate", protocol, "--rows", "BO3", "--by", "prove", "--json").document
    assert document["exit_code"] == 7
    assert any(told in one for one in document["stale"]), document["stale"]


def test_a_score_under_the_declared_one_fails(fencepost_says: Says, listed: Path) -> None:
    """Exit code 4 where the declared score is not reached by the checkers that it is about, 0 where it is."""
    by = ("--by", "prove,explore,answers,simulate,conform", "--sample", "6", "--seed", "1", "--json")
    listed.write_text("[score]\nunion = 0.99\n", encoding="utf-8")
    low = fencepost_says("mutate", WEAK, *by).document
    # A protocol of one's own has no recordings: those checkers have nothing to say, and the score is that of the rest.
    assert low["exit_code"] == 4
    listed.write_text("[score]\nunion = 0.01\ninside = 0.01\n", encoding="utf-8")
    assert fencepost_says("mutate", WEAK, *by).document["exit_code"] == 0
    listed.write_text("[score]\nunion = 0.99\n", encoding="utf-8")
    assert fencepost_says("mutate", WEAK, "--rows", "BO3", "--by", "prove", "--json").document["exit_code"] == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [(("--by", "prof"), "--by prof: there is no prof"), (("--rows", "BO9"), "--rows BO9: library has no such row")],
)
def test_a_wrong_name_is_one_sentence(
    fencepost_says: Says, listed: Path, arguments: tuple[str, ...], told: str
) -> None:
    """What there is not is said, with what there is; exit code 2."""
    said = fencepost_says("mutate", WEAK, *arguments)
    assert said.code == 2
    assert told in said.sentence


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[[equivalent]]\nid = 'x'\n", "needs id, about and reason"),
        ("[scores]\n", "it may have [score], [[equivalent]] and [[survivor]]"),
        ("survivor = 3\n", "survivor is no list"),
        (entry() + entry().replace("equivalent", "survivor"), "as equivalent and as a survivor"),
        ("[score]\nunion = 7\n", "a number from 0 to 1"),
        ("equivalent = 3\n", "is no list"),
        ("[score\n", "is no TOML"),
        (entry() + entry(), "is listed twice"),
    ],
)
def test_a_malformed_list_is_one_sentence(fencepost_says: Says, listed: Path, text: str, told: str) -> None:
    """A list that cannot be read is said with its file; exit code 2."""
    listed.write_text(text, encoding="utf-8")
    said = fencepost_says("mutate", WEAK, "--rows", "BO3", "--by", "prove")
    assert said.code == 2
    assert told in said.sentence
