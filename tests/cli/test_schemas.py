"""Every document that a command prints with --json follows the schema of that command, and has nothing beside it."""

import copy
import json
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError

from fencepost.checkers.cli import schemas
from fencepost.checkers.cli.application import SHORT
from fencepost.checkers.cli.outcome import COMMON
from fencepost.traces.logs import read_log
from tests.conformance.alter import without_batch

pytestmark = pytest.mark.usefixtures("stages_here")

ROOT = Path(__file__).resolve().parents[2]
RECORDED = ROOT / "traces" / "recorded"
LOG = str(RECORDED / "rolling-restart")
ZOOKEEPER = str(RECORDED / "zk" / "rolling-restart")
TWO_PHASE = f"{ROOT / 'tests' / 'examples' / 'two_phase.py'}:TWO_PHASE"

COMMANDS = {
    "explore": ("explore", "lease+late_answer", "--bound", "tiny"),
    "explore, coverage": ("explore", "lease", "--bound", "tiny", "--coverage"),
    "explore, symbolic": ("explore", "lease", "--bound", "tiny", "--symbolic", "2", "--property", "LE4"),
    "explore, walks": ("explore", "lease", "--bound", "tiny", "--walks", "2"),
    "prove": ("prove", TWO_PHASE),
    "prove, a row": ("prove", TWO_PHASE, "--row", "R3", "--no-search"),
    "prove, quick": ("prove", TWO_PHASE, "--quick"),
    "whatif": ("whatif", "kip343+unchecked_leader", "--search", "0", "--in-step", "0", "--repair", "0"),
    "diff": ("diff", "kip343", "kip343+unchecked_leader", "--forbid", "behaviour-added"),
    "museum": ("museum",),
    "show": ("show", "kip46"),
    "show, matrix": ("show", "matrix", "M4"),
    "show, log": ("show", LOG),
    "show, records": ("show", LOG, "--type", "PARTITION_CHANGE_RECORD", "--to", "60"),
    "conform": ("conform", str(RECORDED / "first-boot")),
    "conform, violating": ("conform", "{tmp}/gap"),
    "conform, zookeeper": ("conform", ZOOKEEPER),
    "health": ("health", LOG, "--at", "60"),
    "health, two moments": ("health", LOG, "--at", "60", "--and", "100"),
    "why": ("why", LOG, "broker", "3"),
    "ask": ("ask", "brokers 1,2", "topic t 1,2", "stop 1", "expect t-0 leader 2", "wait 15s", "show"),
    "ask, a log": ("ask", LOG, "--at", "60", "stop 2"),
    "story": ("story", LOG, "--to", "60"),
    "story, by type": ("story", LOG, "--type", "PARTITION_CHANGE_RECORD", "--to", "60"),
    "story, zookeeper": ("story", ZOOKEEPER),
    "health, zookeeper": ("health", ZOOKEEPER),
    "redact": ("redact", LOG, "--to", "{tmp}/redacted"),
    "answers": ("answers", str(RECORDED / "oracle" / "broker-heartbeat-sample.ndjson.gz")),
    "mutate": ("mutate", "lease", "--sample", "1", "--by", "prove"),
    "simulate": ("simulate", "--time", "5s", "--seed", "3"),
    "new": ("new", "lamp"),
    "storage random-uuid": ("storage", "random-uuid"),
    "trace to-test": ("trace", "to-test", "{tmp}/explored.json", "--to", "{tmp}/test_run.py"),
    "trace to-tla": ("trace", "to-tla", "{tmp}/explored.json", "--to", "{tmp}/modules"),
    "trace to-itf": ("trace", "to-itf", "{tmp}/explored.json", "--to", "{tmp}/run.itf.json"),
    "doctor": ("doctor",),
    "schema": ("schema",),
    "schema, of one": ("schema", "why"),
    "completion": ("completion", "bash"),
    "check": ("check", TWO_PHASE, "--only", "explore", "--jobs", "1"),
    "tlc": ("tlc", TWO_PHASE, "--bound", "three"),
}
"""Command lines, by the command whose schema their document follows, and what is special of each."""

ELSEWHERE = {
    "bench": "measures for minutes",
    "storage format": "tests/cli/test_storage.py has a node's directories",
    "storage info": "tests/cli/test_storage.py has a node's directories",
    "serve": "prints no document: standard output is the protocol's",
    "failure": "below",
}
"""Schemas of which no document is made here, with the reason."""


def follows(name: str, document: dict[str, Any]) -> list[str]:
    """Return in words where a document does not follow a schema."""
    return [_said(one) for one in validator(name).iter_errors(document)]


@cache
def validator(name: str) -> Draft202012Validator:
    """Return what holds documents against the schema of a command."""
    return Draft202012Validator(schemas.schema(name).document)


def _said(error: ValidationError) -> str:
    """An error in words; of alternatives, none of which fits, that of the one which fits deepest."""
    deepest = max(error.context, key=lambda one: len(one.absolute_path), default=error)
    return f"{'.'.join(map(str, deepest.absolute_path)) or 'top'}: {deepest.message[:300]}"


SLOW = ("check", "tlc", "museum")
"""Commands that start a further process, or build every protocol."""


AT_NIGHT = (
    *("check", "tlc", "prove", "explore, walks", "explore, coverage", "explore, symbolic", "story, by type"),
    *("conform, zookeeper", "health, two moments"),
    *("trace to-itf", "trace to-tla"),
)
"""Commands whose documents, or those of like commands, other tests hold against their schemas in every run."""


@pytest.mark.representative(*(one for one in COMMANDS if one not in AT_NIGHT))
@pytest.mark.parametrize("name", [pytest.param(one, marks=[pytest.mark.slow] * (one in SLOW)) for one in COMMANDS])
def test_a_document_follows_the_schema_of_its_command(
    name: str, fencepost_says: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the command prints with --json has no field that its schema has not, and every one that it demands."""
    if name == "tlc" and shutil.which("java") is None:
        pytest.skip("TLC needs Java")
    monkeypatch.chdir(tmp_path)
    if "{tmp}/gap" in COMMANDS[name]:
        without_batch(read_log(RECORDED / "first-boot"), 40, tmp_path / "gap")
    if name.startswith("trace "):
        explored = fencepost_says(*COMMANDS["explore"], "--json").out
        (tmp_path / "explored.json").write_text(explored, "utf-8")
    said = fencepost_says(*(one.replace("{tmp}", str(tmp_path)) for one in COMMANDS[name]), "--json")
    document = said.document
    assert document.keys() != {*COMMON, "message"}, document
    command = name.partition(",")[0]
    assert follows(command, document) == []
    # Its lists are emptied where the schema allows that: what is left out or added is beside them.
    short = {key: [] if isinstance(value, list) else value for key, value in document.items()}
    for path, altered in alterations(command, document if follows(command, short) else short):
        assert follows(command, altered) != [], path


def alterations(command: str, document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a document with one field more, and with each field left out that its schema always demands."""
    yield "further", {**document, "further": 1}
    schema = schemas.schema(command).document
    structs = [schema["$defs"][one["$ref"].removeprefix("#/$defs/")] for one in schema["anyOf"]]
    optional = {name for one in structs for name in one["properties"] if name not in one["required"]}
    for name in document.keys() - optional:
        yield name, {key: value for key, value in document.items() if key != name}


def test_what_goes_wrong_follows_a_schema_too(fencepost_says: Callable[..., Any]) -> None:
    """A command that could not do what it was asked prints the common fields and a message, whatever the command."""
    document = fencepost_says("prove", "lamp", "--json").document
    assert follows("failure", document) == []
    assert follows("prove", document) == []


def test_a_field_that_no_schema_has_is_noticed(fencepost_says: Callable[..., Any]) -> None:
    """A field that is added to a document, at its top or deep inside a run, breaks the schema."""
    document = fencepost_says(*COMMANDS["explore"], "--json").document
    at_top = {**document, "further": 1}
    inside = copy.deepcopy(document)
    next(one for one in inside["properties"] if one["trace"])["trace"]["steps"][0]["further"] = 1
    assert follows("explore", at_top) != []
    assert follows("explore", inside) != []


def test_a_schema_says_what_classes_and_fields_say() -> None:
    """Docstrings of results and the text beside a field are descriptions in the schema; seconds are never negative."""
    found = schemas.schema("prove").document["$defs"]
    assert found["Obligation"]["description"] == "That a row (or the first state) keeps a property."
    assert found["Proof"]["properties"]["version"]["description"] == "the version of the package"
    assert found["Proof"]["properties"]["command"]["enum"] == ["prove"]
    assert found["Proof"]["properties"]["seconds"]["minimum"] == 0
    assert not found["Proof"]["additionalProperties"]


def test_every_command_has_a_schema_and_every_schema_a_command() -> None:
    """Schemas are those of the commands in the list of all, each with its version in its id; six are well formed."""
    groups = {
        "storage": ("storage format", "storage info", "storage random-uuid"),
        "trace": ("trace to-test", "trace to-tla", "trace to-itf"),
    }
    wanted = {one for name in SHORT for one in groups.get(name, (name,))} | {"failure"}
    assert set(schemas.known()) == wanted
    assert {name.partition(",")[0] for name in COMMANDS} | ELSEWHERE.keys() == wanted
    for name, one in schemas.known().items():
        assert one.document["$id"].startswith(f"urn:fencepost:{name.replace(' ', '-')}:")
    for one in sorted(schemas.known().values(), key=lambda one: len(str(one.document)))[:6]:
        Draft202012Validator.check_schema(one.document)


@pytest.mark.nightly("test_every_command_has_a_schema_and_every_schema_a_command")
def test_every_schema_is_well_formed() -> None:
    """So are all schemas."""
    for one in schemas.known().values():
        Draft202012Validator.check_schema(one.document)


def test_a_schema_is_printed(fencepost_says: Callable[..., Any]) -> None:
    """`schema COMMAND` prints what the classes say; a command that is none is refused with the nearest one."""
    assert json.loads(fencepost_says("schema", "why").out) == schemas.schema("why").document
    assert "did you mean prove?" in fencepost_says("schema", "proof").sentence
    assert schemas.SARIF in fencepost_says("schema", "sarif").sentence
