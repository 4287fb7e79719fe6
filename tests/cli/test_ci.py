"""What docs/ci.md gives to users: action, workflow, hooks and the editor's task, run on a repository of one's own."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from fencepost.checkers.cli.main import main
from fencepost.checkers.reports.cases import KIND_OF, RULES

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
ACTION = (ROOT / "action.yml").read_text(encoding="utf-8")
HOOK = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
WORKFLOW = (DOCS / "ci" / "fencepost.yml").read_text(encoding="utf-8")
TASK = json.loads((DOCS / "ci" / "tasks.json").read_text(encoding="utf-8"))["tasks"][0]
RECORDED = ROOT / "traces" / "recorded"
LOCK = """
from fencepost.model.language import BOOL, FALSE, TRUE, Bound, always, cell, event, protocol, table

taken = cell("taken", BOOL)
inside = cell("inside", BOOL)
step = event("Step", source="the lock")
TABLE = table(
    "lock",
    step("K1", ~taken, taken.becomes(TRUE)),
    step("K2", taken & ~inside, inside.becomes(TRUE)),
    step("K3", taken & inside, inside.becomes(FALSE), taken.becomes(FALSE)),
)
CLAIM = always("M1", ~inside | taken, source="the lock")
LOCK = protocol("lock", TABLE, properties=[CLAIM], bounds={"one": Bound({})})
"""
BROKEN = LOCK.replace("inside.becomes(FALSE), taken.becomes(FALSE)", "taken.becomes(FALSE)")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository of git with the table of a lock and a recorded log, in which a command runs."""
    monkeypatch.chdir(tmp_path)
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "lock.py").write_text(LOCK, encoding="utf-8")
    shutil.copytree(RECORDED / "first-boot", tmp_path / "recordings")
    git("init", "-q")
    git("config", "user.name", "somebody")
    git("config", "user.email", "somebody@localhost")
    return tmp_path


def git(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run git in the current folder."""
    return subprocess.run(["git", *arguments], capture_output=True, text=True, check=False)


def fields(text: str, indent: int) -> dict[str, str]:
    """Return the plain lines `name: value` of a block of YAML at an indentation, without quotes."""
    found = re.findall(rf"^ {{{indent}}}([\w-]+): *(.+)$", text, re.MULTILINE)
    return {name: value.strip('"') for name, value in found}


def declared() -> dict[str, str]:
    """Return the inputs that the action declares, with their defaults."""
    block = ACTION.split("\ninputs:\n")[1].split("\noutputs:\n")[0]
    each_one = re.split(r"^  ([\w-]+):\n", block, flags=re.MULTILINE)[1:]
    return {name: fields(text, 4)["default"] for name, text in zip(each_one[::2], each_one[1::2], strict=True)}


def step(name: str, folder: Path, inputs: Mapping[str, str], event: str = "push") -> tuple[int, str, dict[str, str]]:
    """Run a step of the action as a runner does; returns its exit code, what it printed, and its outputs.

    `inputs` are those that a workflow sets. The programs that the step starts are those of `programs`.
    """
    text = ACTION.split(f"- name: {name}\n")[1].split("\n    - ")[0]
    head, script = text.split("      run: |\n")
    unknown = inputs.keys() - declared().keys()
    assert not unknown, f"the action has no input {unknown}"
    given = declared() | dict(inputs)
    variables = {}
    for variable, value in fields(head, 8).items():
        variables[variable] = re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: given[found.group(1)], value)
    output = folder / "output"
    output.write_text("", encoding="utf-8")
    environment = {
        **os.environ, "GITHUB_OUTPUT": str(output), "GITHUB_EVENT_NAME": event, "GITHUB_ACTION_PATH": str(ROOT),
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"), "RUNNER_TEMP": str(folder), **variables,
    }  # fmt: skip
    (folder / "script.sh").write_text(textwrap.dedent(script), encoding="utf-8")
    shell = ("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(folder / "script.sh"))
    done = subprocess.run(shell, env=environment, capture_output=True, text=True, check=False)
    lines = output.read_text(encoding="utf-8").splitlines()
    return done.returncode, done.stdout + done.stderr, dict(line.split("=", 1) for line in lines)


def programs(folder: Path, monkeypatch: pytest.MonkeyPatch, **texts: str) -> Path:
    """Put shell scripts in front of the programs that there are; returns the folder, which is beside the repository."""
    tools = folder.parent / f"{folder.name}-tools"
    tools.mkdir(exist_ok=True)
    for name, text in texts.items():
        (tools / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (tools / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tools), prepend=":")
    return tools


def this_fencepost(repository: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have a script run the fencepost that is tested."""
    tools = programs(repository, monkeypatch, fencepost=f'exec "{sys.executable}" -m fencepost.checkers.cli.main "$@"')
    # The package is imported as it is here: from a checkout, or from an environment.
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(one for one in sys.path if one))
    return tools


@pytest.mark.representative("violated")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "event", "code"), [(LOCK, "pull_request", 0), (BROKEN, "push", 1)], ids=["as declared", "violated"]
)
def test_the_action_checks_a_repository(
    repository: Path, monkeypatch: pytest.MonkeyPatch, table: str, event: str, code: int
) -> None:
    """With the workflow's inputs the action ends with the verdict's code, annotates the row, and says where the files
    are that later steps upload; TLC, which needs Java, is left out here."""
    (repository / "tables" / "lock.py").write_text(table, encoding="utf-8")
    tools = this_fencepost(repository, monkeypatch)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(repository))
    inputs = fields(WORKFLOW.split("id: fencepost\n        with:\n")[1].split("\n      # ")[0], 10)
    inputs["arguments"] += " --no-tlc"
    ended, printed, outputs = step("Check", tools, inputs, event)
    assert ended == code, printed
    assert outputs.pop("exit-code") == str(code)
    assert outputs.keys() == {"sarif", "junit"}
    (run,) = json.loads(Path(outputs["sarif"]).read_text("utf-8"))["runs"]
    assert (run["invocations"][0]["exitCode"], len(run["results"]) > 0) == (code, code == 1)
    assert '<testsuites name="fencepost ' in Path(outputs["junit"]).read_text("utf-8")
    assert (tools / "summary.md").read_text(encoding="utf-8").startswith("## fencepost check: ")
    line = next(n for n, one in enumerate(table.split("\n"), 1) if '"K3"' in one)
    annotated = f"::error file=tables/lock.py,title=tables/lock.py%3ALOCK%3A M1,line={line}::" in printed
    assert annotated is (code == 1)


def test_inputs_of_the_action_are_arguments_and_no_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line of an input is one argument, whatever is in it; the tier follows the event where none is given; the
    exit code is passed on, and a check that was refused has no files."""
    tools = programs(tmp_path, monkeypatch, fencepost='for one; do echo "<$one>"; done\nexit 2')
    inputs = {"protocols": "a b.py:P\n\n  $(date)  \n", "logs": "*\n; exit 9", "arguments": "--jobs  1\n--only *"}
    code, printed, outputs = step("Check", tools, inputs, "pull_request")
    begun = ["check", "--tier", "pull-request", "--sarif", *re.findall("<(.*fencepost.sarif)>", printed)]
    begun += ["--junit", *re.findall("<(.*fencepost.xml)>", printed)]
    options = ["--jobs", "1", "--only", "*", "--format", "github", "--protocol", "a b.py:P", "--protocol", "$(date)"]
    assert printed.splitlines() == [f"<{one}>" for one in (*begun, *options, "--", "*", "; exit 9")]
    assert (code, outputs) == (2, {"exit-code": "2"})
    for event, tier, first in (("push", "", "everything"), ("pull_request", "everything", "everything")):
        printed = step("Check", tools, {"logs": "log", "tier": tier, "annotate": "false"}, event)[1]
        assert printed.startswith(f"<check>\n<--tier>\n<{first}>\n")
        assert "--format" not in printed
    code, printed, outputs = step("Check", tools, {})
    assert (code, outputs) == (2, {})
    assert printed.startswith("::error title=fencepost check::No protocol and no log is named; ")


def test_the_action_installs_itself_or_a_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a version the checkout of the action is installed, else the version; its extras are extras that exist."""
    tools = programs(tmp_path, monkeypatch, python='echo "$@"')
    extras = declared()["extras"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert set(extras.split(",")) <= project["optional-dependencies"].keys()
    installs = {
        (): f"{ROOT}[{extras}]",
        (("version", "0.1.0"), ("extras", "prove")): "fencepost[prove]==0.1.0",
        (("version", "0.1.0"), ("extras", "")): "fencepost==0.1.0",
    }
    for inputs, what in installs.items():
        assert step("Install fencepost", tools, dict(inputs))[:2] == (0, f"-m pip install {what}\n")


def test_the_action_uses_what_it_declares() -> None:
    """Inputs that are used are those declared; outputs are those that the step sets, and the workflow reads these."""
    assert set(re.findall(r"\$\{\{ inputs\.([\w-]+) \}\}", ACTION)) == declared().keys()
    named = set(re.findall(r"^  ([\w-]+):$", ACTION.split("\noutputs:\n")[1].split("\nruns:\n")[0], re.MULTILINE))
    assert set(re.findall(r"steps\.check\.outputs\.([\w-]+)", ACTION)) == named
    assert set(re.findall(r'echo "([\w-]+)=', ACTION)) == named
    assert set(re.findall(r"steps\.fencepost\.outputs\.([\w-]+)", WORKFLOW)) <= named


def test_the_hook_of_pre_commit_checks_the_files_of_a_commit(
    repository: Path, capfd: pytest.CaptureFixture[str], stages_here: None
) -> None:
    """The hook's command, with a file that its pattern selects, ends with 1 and names the row that breaks a claim;
    a file without a protocol is refused."""
    told = fields(HOOK, 2)
    assert re.search(told["files"], "tables/lock.py")
    assert not re.search(told["files"], "src/lock.py")
    extras = re.findall(r'"\.\[([\w,]+)\]"', told["additional_dependencies"])[0].split(",")
    assert {"prove", "explore"} == set(extras)
    (repository / "tables" / "lock.py").write_text(BROKEN, encoding="utf-8")
    assert main([*shlex.split(told["entry"])[1:], "tables/lock.py"]) == 1
    assert "K3 × M1" in capfd.readouterr().out
    (repository / "tables" / "words.py").write_text("WORDS = ()\n", encoding="utf-8")
    assert main([*shlex.split(told["entry"])[1:], "tables/words.py"]) == 2
    assert "tables/words.py: defines no protocol; name a file that" in capfd.readouterr().err


def matched(printed: str) -> list[dict[str, str]]:
    """Return what the task's matchers of problems find in the lines that a command printed."""
    found = []
    for line in printed.splitlines():
        for one in TASK["problemMatcher"]:
            groups = {name: group for name, group in one["pattern"].items() if name != "regexp"}
            if hit := re.search(one["pattern"]["regexp"], line):
                found.append({name: hit.group(group) for name, group in groups.items()})
    return found


def test_the_task_of_an_editor_finds_the_row(
    repository: Path, capfd: pytest.CaptureFixture[str], stages_here: None
) -> None:
    """The task's matchers read the row at fault, with its place, of what the task's command prints, and nothing else
    of it; of a table that is not Python they read the line."""
    table = repository / "tables" / "lock.py"
    table.write_text(BROKEN, encoding="utf-8")
    line, text = next((n, one) for n, one in enumerate(BROKEN.split("\n"), 1) if '"K3"' in one)
    assert main(shlex.split(TASK["command"])[1:]) == 1
    both = capfd.readouterr()
    problems = matched(both.out + both.err)
    assert len(problems) == len(both.out.splitlines()) == 2
    place = {"file": "tables/lock.py", "line": str(line), "column": str(text.index("step") + 1), "severity": "error"}
    for problem in problems:
        assert problem.items() >= place.items()
        assert problem["code"] == "violated"
        assert "K3" in problem["message"]
    table.write_text("x ===\n", encoding="utf-8")
    assert main(shlex.split(TASK["command"])[1:]) == 2
    (problem,) = matched(capfd.readouterr().err)
    assert (Path(problem["file"]), problem["line"]) == (table, "1")
    assert "this is not Python" in problem["message"]


@pytest.mark.slow
@pytest.mark.representative("one that breaks it")
@pytest.mark.parametrize("first", [LOCK, BROKEN], ids=["behind one that holds", "one that breaks it"])
def test_the_hook_refuses_a_commit_that_breaks_a_property(
    repository: Path, monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    """A commit of a table that breaks its property is refused and names the row; one of a table that holds is made."""
    this_fencepost(repository, monkeypatch)
    hook = repository / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    shutil.copy(DOCS / "ci" / "pre-commit", hook)
    git("add", "tables")
    unnamed = git("commit", "-m", "a lock")
    assert (unnamed.returncode != 0, "no protocol is named" in unnamed.stderr) == (True, True)
    git("config", "--add", "fencepost.protocol", "tables/lock.py:LOCK")
    if first == LOCK:
        made = git("commit", "-m", "a lock")
        assert made.returncode == 0, made.stdout + made.stderr
    (repository / "tables" / "lock.py").write_text(BROKEN, encoding="utf-8")
    git("add", "tables")
    refused = git("commit", "-m", "it stays inside")
    assert refused.returncode != 0
    assert "K3 × M1" in refused.stdout + refused.stderr
    assert git("log", "--format=%s").stdout.splitlines() == ["a lock"] * (first == LOCK)


def test_the_hook_asks_nothing_of_a_commit_without_python(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A commit that changes no Python file is made without a check: none could run here."""
    shutil.copy(DOCS / "ci" / "pre-commit", repository / ".git" / "hooks" / "pre-commit")
    git("config", "--add", "fencepost.protocol", "nowhere.py:P")
    (repository / "notes.md").write_text("notes\n", encoding="utf-8")
    git("add", "notes.md")
    made = git("commit", "-m", "notes")
    assert made.returncode == 0, made.stdout + made.stderr


def test_the_page_has_every_kind_of_problem() -> None:
    """The page's table names each kind of problem, with the exit codes that stand for it."""
    text = (DOCS / "ci.md").read_text(encoding="utf-8").split("| kind | exit code | says |")[1].split("\n\n")[0]
    rows = [line.split("|")[1:3] for line in text.split("\n")[2:]]
    told = {}
    for kinds, codes in rows:
        names, numbers = re.findall(r"`([\w-]+)`", kinds), re.findall(r"\d+", codes)
        told |= dict(zip(names, map(int, numbers), strict=True))
    assert told.keys() == RULES.keys()
    for code, kind in KIND_OF.items():
        assert told[kind] == int(code) or (kind, int(code)) == ("inconclusive", 130)
