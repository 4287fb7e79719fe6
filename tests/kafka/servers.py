"""A controller of Kafka 4.4.0 started from a directory that we wrote, and watched until it has done something."""

import dataclasses
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from fencepost.reference.kraft.storage import StorageError, parse_voters, voters_record
from fencepost.reference.kraft.storage.layout import ControllerDisk, read_controller, write_controller

from .published import java

PATIENCE = 60.0


def take_over(
    folder: Path, place: Path, disk: ControllerDisk, is_done: Callable[[ControllerDisk], bool], *settings: str
) -> tuple[ControllerDisk, ControllerDisk]:
    """Write a single controller's disk, let Kafka start from it, and return what was written and what it left.

    `folder` has the server's jars, `settings` are further lines of the configuration; it runs until `is_done` is
    content with its disk, and the test fails with what it said if that never comes.
    """
    port = free_port()
    written = moved(disk, port)
    node, directory = written.properties.node_id, place / "data"
    write_controller(written, directory, written_ms=0, segment_bytes=9_000)
    lines = [
        "process.roles=controller",
        f"node.id={node}",
        f"log.dirs={directory}",
        "controller.listener.names=CONTROLLER",
        f"listeners=CONTROLLER://127.0.0.1:{port}",
        f"controller.quorum.bootstrap.servers=127.0.0.1:{port}",
        *settings,
    ]
    config, output = place / "server.properties", place / "server.txt"
    config.write_text("".join(f"{line}\n" for line in lines))
    found: ControllerDisk | None = None
    with running(java(folder, "kafka.Kafka", config), output) as server:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and server.poll() is None:
            time.sleep(0.3)
            try:
                found = read_controller(directory)
            except StorageError:
                continue  # it is writing just now
            if is_done(found):
                return written, found
    raise AssertionError(output.read_text(errors="replace")[-4000:])


def free_port() -> int:
    """Return a free port of this machine."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def moved(disk: ControllerDisk, port: int) -> ControllerDisk:
    """Return the disk of a controller that listens on another port: its voters in log and snapshots say so."""
    properties = disk.properties
    voter = f"{properties.node_id}@127.0.0.1:{port}:{properties.directory_id}"
    voters = voters_record(parse_voters(voter), "CONTROLLER")
    batches = [
        dataclasses.replace(
            batch, control=tuple((kind, voters if kind == "KRaftVoters" else data) for kind, data in batch.control)
        )
        for batch in disk.batches
    ]
    return dataclasses.replace(disk, batches=batches, voters=voters)


@contextmanager
def running(command: list[str], output: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server, and end it."""
    with output.open("wb") as stream, subprocess.Popen(command, stdout=stream, stderr=stream) as server:
        try:
            yield server
        finally:
            server.terminate()
            try:
                server.wait(30)
            except subprocess.TimeoutExpired:
                server.kill()
