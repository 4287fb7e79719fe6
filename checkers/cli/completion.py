"""`fencepost completion`: the script with which a shell completes commands, protocols, bounds, rows and properties."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from fencepost.checkers.verdicts import ExitCode

from .outcome import COMPLETES, Json, Outcome
from .terminal import Unfolded


class Shell(StrEnum):
    """A shell that can complete."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


def completion(
    shell: Annotated[Shell, typer.Argument(help="The shell that is to complete.")], json: Json = False
) -> Outcome:
    """Print a script for a shell, as for bash: `source <(fencepost completion bash)` in ~/.bashrc."""
    from typer.completion import get_completion_script  # type: ignore[attr-defined]

    script = get_completion_script(prog_name="fencepost", complete_var=COMPLETES, shell=shell.value)
    return Outcome(
        "completion", "shown", ExitCode.AS_DECLARED, {"shell": shell.value, "script": script}, [Unfolded(script)]
    )
