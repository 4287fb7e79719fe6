"""`fencepost serve --mcp`: commands as tools of an assistant, over standard input and output.

The protocol is the Model Context Protocol, spoken by its official package. Each call runs one command in a process of
its own, and its result is the document that the command prints with --json.
"""

from __future__ import annotations

import importlib
import json as documents
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fencepost.checkers.children import output_of
from fencepost.checkers.verdicts import ExitCode, Refusal

from .outcome import COMMON, Json, Outcome, failure

if TYPE_CHECKING:
    from mcp import types

    from .assistant import Roots, Tool

SECONDS = 600.0
"""How long a call may take."""
ANSWER = 2 << 20
"""The bytes that a document may have."""
AT_ONCE = 2
"""How many commands run at a time."""


def serve(
    mcp: Annotated[bool, typer.Option("--mcp", help="Speak the Model Context Protocol.")] = False,
    root: Annotated[
        list[Path] | None,
        typer.Option(metavar="DIR", help="A folder below which logs may be read; may be repeated. None without it."),
    ] = None,
    tables: Annotated[
        bool, typer.Option("--tables", help="Let prove and explain_row load Python files below the folders: they run.")
    ] = False,
    json: Json = False,
) -> Outcome:
    """Answer an assistant: conform, story, why, health, show_state, prove, explain_row, until standard input ends.

    Each tool returns the document that the command prints with --json. Nothing outside of the folders is read; a call
    ends after ten minutes, and a document has at most 2 MiB.
    """
    if not mcp:
        raise Refusal("serve: speaks one protocol only; say --mcp")
    if json:
        raise Refusal("--json: standard output is the protocol's own; leave it out, each tool returns a document")
    from .assistant import Roots

    for one in root or ():
        if not one.is_dir():
            raise Refusal(f"--root: {one} is no directory; name one that there is")
    # Before anything that it brings, so that the extra is named where it is missing.
    importlib.import_module("mcp")
    import anyio

    anyio.run(_serve, Roots(tuple(one.resolve() for one in root or ()), tables))
    return Outcome("serve", "served", ExitCode.AS_DECLARED)


async def _serve(roots: Roots) -> None:
    """Serve until standard input ends."""
    import anyio
    from mcp import types
    from mcp.server import Server
    from mcp.server.stdio import stdio_server

    from fencepost import __version__

    from .assistant import TOOLS

    limit = anyio.CapacityLimiter(AT_ONCE)
    known = {tool.name: tool for tool in TOOLS}

    async def listed(context: Any, asked: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_described(tool) for tool in TOOLS])

    async def called(context: Any, asked: types.CallToolRequestParams) -> types.CallToolResult:
        if asked.name not in known:
            return _result(_refused(asked.name, f"there is no such tool; use one of {', '.join(known)}"))
        # A client that leaves does not wait for a command: it ends with this process.
        found = await anyio.to_thread.run_sync(
            answer, known[asked.name], asked.arguments or {}, roots, limiter=limit, abandon_on_cancel=True
        )
        return _result(found)

    server = Server("fencepost", version=__version__, on_list_tools=listed, on_call_tool=called)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def answer(tool: Tool, given: dict[str, Any], roots: Roots) -> dict[str, Any]:
    """Return the document of one call: that of the command, or of a failure where the call is refused."""
    from jsonschema import Draft202012Validator

    wrong = next(iter(Draft202012Validator(tool.schema()).iter_errors(given)), None)
    if wrong is not None:
        at = "".join(f"{one}: " for one in wrong.absolute_path)
        return _refused(tool.command, f"{tool.name}: {at}{wrong.message[:300]}; follow the schema of its arguments")
    try:
        words = tool.words(given, roots)
    except Refusal as refusal:
        return _refused(tool.command, str(refusal))
    # -P: no module is imported from the folder in which it runs, which holds what others wrote.
    command = (sys.executable, "-P", "-m", "fencepost.checkers.cli.main", *words)
    printed = output_of(command, os.getcwd(), os.environ, SECONDS, errors=False, most=ANSWER)
    if printed is None:
        return _refused(tool.command, f"{tool.name}: takes longer than {SECONDS:.0f} s; ask for less of it")
    if len(printed.encode()) > ANSWER:
        return _refused(tool.command, f"{tool.name}: the document has more than {ANSWER >> 20} MiB; ask for less of it")
    try:
        found: dict[str, Any] = documents.loads(printed)
    except ValueError:
        return _refused(tool.command, f"{tool.name}: the command ended without a document", ExitCode.INTERNAL)
    return found


def _refused(command: str, message: str, code: ExitCode = ExitCode.USAGE) -> dict[str, Any]:
    return failure(command, message, code).document(0.0)


def _described(tool: Tool) -> types.Tool:
    """A tool as the protocol describes it, with the schemas of its arguments and of its document."""
    from mcp import types

    from .schemas import schema

    return types.Tool(
        name=tool.name,
        description=tool.about,
        input_schema=tool.schema(),
        output_schema=schema(tool.command).document,
        annotations=types.ToolAnnotations(read_only_hint=True),
    )


def _result(document: dict[str, Any]) -> types.CallToolResult:
    """A document as the result of a call, an error if it is that of a failure."""
    from mcp import types

    text = documents.dumps(document, ensure_ascii=False)
    failed = document.keys() == {*COMMON, "message"}
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)], structured_content=document, is_error=failed
    )
