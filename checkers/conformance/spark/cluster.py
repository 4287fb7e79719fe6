"""Chooses the Spark to use: a session that is given, the active one, or one built by the user's settings."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fencepost.checkers.verdicts import ExitCode, Refusal

QUIET = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.app.name": "fencepost conform"}
"""Settings of a session that we build, unless the user sets others."""

SPLIT = 32 << 20
"""The bytes of a log's files from which several tasks check it, unless the user sets others."""

FEWEST = 4
"""The number of tasks at the same time from which several tasks check a log: fewer take longer than one that checks all
of it."""

JAVA = "-XX:TieredStopAtLevel=1"
"""The options of Java where SPARK_SUBMIT_OPTS is empty: Java does little beside the workers in Python, and
compiling that little at its best takes a third of a short run."""

CONNECT = "sc://"
"""The beginning of the address of a server of Spark Connect."""

_LAUNCHER = {"spark.app.name": "pyspark-shell", "spark.ui.showConsoleProgress": "true"}
"""Settings that Spark's launcher makes by itself when Python starts it: they are not the user's."""


@dataclass(frozen=True)
class Cluster:
    """The Spark that checks, and the folder of its tables.

    Without a `session` the active one is used; without any, one is built, whose master is `master`, or what `conf`,
    spark-submit, spark-defaults.conf or SPARK_MASTER say, or this machine. With `to`, a directory, the tables are
    written there as `run`, which must be new, or, with `resume`, one that was stopped and goes on. A log of more than
    `split_bytes` is checked by several tasks, 0 for none, None for what `split_of` says.
    """

    session: Any = None
    master: str | None = None
    conf: Mapping[str, str] = field(default_factory=dict)
    to: str | None = None
    run: str | None = None
    split_bytes: int | None = None
    resume: bool = False


def settings(pairs: Sequence[str]) -> dict[str, str]:
    """Return what `--conf K=V` options say; raises `Refusal` for what is none.

    >>> settings(["spark.executor.memory=4g", "spark.executor.extraJavaOptions=-Da=b"])
    {'spark.executor.memory': '4g', 'spark.executor.extraJavaOptions': '-Da=b'}
    """
    found = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise Refusal(f"--conf {pair}: this is no K=V; write it as --conf spark.executor.memory=4g")
        found[name.strip()] = value
    return found


@contextmanager
def opened(cluster: Cluster) -> Iterator[Any]:
    """Open the session of a cluster; one that was built here is stopped at the end."""
    session, ours = session_of(cluster)
    try:
        yield session
    finally:
        if ours:
            session.stop()
            if not str(cluster.master).startswith(CONNECT):
                _forget(cluster.conf)


def session_of(cluster: Cluster) -> tuple[Any, bool]:
    """Return the session, and whether it was built here.

    Raises `Refusal` where Spark cannot run, or where settings are given to a session that runs already.
    """
    if cluster.session is None and not str(cluster.master).startswith(CONNECT):
        _look_for_java()
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise Refusal(
            "conform --spark needs PySpark: install fencepost[spark], or leave --spark out", ExitCode.INCONCLUSIVE
        ) from None
    running = cluster.session or SparkSession.getActiveSession()
    if running is None and str(cluster.master).startswith(CONNECT):
        return _connected(cluster, SparkSession.builder), True
    if running is None:
        return _built(cluster, SparkSession.builder), True
    if cluster.master is not None or cluster.conf:
        raise Refusal("a Spark session runs already, and its master and settings stay: leave out master and conf")
    return running, False


def _look_for_java() -> None:
    home = os.environ.get("JAVA_HOME")
    if shutil.which("java") is None and (home is None or not (Path(home) / "bin" / "java").exists()):
        raise Refusal(
            "conform --spark needs Java and there is none on the PATH: install a Java of version 17 or later, or leave "
            "--spark out",
            ExitCode.INCONCLUSIVE,
        )


def _connected(cluster: Cluster, builder: Any) -> Any:
    """Return a session of Spark Connect, whose server has its own settings; raises `Refusal` where there is none."""
    try:
        return builder.remote(cluster.master).config(map=dict(cluster.conf)).getOrCreate()
    except Exception as error:
        raise Refusal(
            f"conform --spark could not connect to {cluster.master} ({reason_of(error)}): see that the server runs and "
            "that pyspark[connect] is installed",
            ExitCode.INCONCLUSIVE,
        ) from error


def _built(cluster: Cluster, builder: Any) -> Any:
    from pyspark import SparkConf, SparkContext

    given = dict(cluster.conf) | ({} if cluster.master is None else {"spark.master": cluster.master})
    # Spark's launcher looks into MASTER after spark-submit and spark-defaults.conf, and takes local[*] where all are
    # silent. What a variable of another name says comes before that default only in this way.
    if "SPARK_MASTER" in os.environ:
        os.environ.setdefault("MASTER", os.environ["SPARK_MASTER"])
    os.environ.setdefault("SPARK_SUBMIT_OPTS", JAVA)
    try:
        # The Java process reads spark-defaults.conf when it starts: only then is it known what is set.
        SparkContext._ensure_initialized(conf=SparkConf(loadDefaults=False).setAll(list(given.items())))
        known = SparkConf()
        _set_python(given, known)
        quiet = {name: value for name, value in QUIET.items() if known.get(name, None) in (None, _LAUNCHER.get(name))}
        for name, value in {**quiet, **given}.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
    except Exception as error:
        raise Refusal(
            f"conform --spark could not start Spark ({reason_of(error)}): see that Java 17 or later runs and that the "
            "master and the settings are right, or leave --spark out",
            ExitCode.INCONCLUSIVE,
        ) from error
    session.sparkContext.setLogLevel("ERROR")
    return session


def _forget(given: Mapping[str, str]) -> None:
    """Take settings from the Java process, which outlives the session that they were given for: the next one would have
    them, too. A master stays, since there has to be one."""
    from py4j.protocol import Py4JError
    from pyspark import SparkContext

    # A Java process that has ended has none.
    with suppress(Py4JError, OSError):
        system = SparkContext._jvm.java.lang.System
        for name, value in given.items():
            if name != "spark.master" and system.getProperty(name) == value:
                system.clearProperty(name)


def _set_python(given: Mapping[str, str], known: Any) -> None:
    """Workers run under the interpreter that runs here, where nothing else is said: it is known to have the package."""
    there = given.get("spark.pyspark.python") or known.get("spark.pyspark.python", None)
    os.environ.setdefault("PYSPARK_PYTHON", there or sys.executable)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)


_WAITED = "Exception thrown in awaitResult"
"""The message of an error that is only the place of another one."""
_TRACEBACK = "Traceback (most recent call last):"


def reason_of(error: BaseException) -> str:
    """Return what an error says first, without what Java puts around it: of a worker's traceback the last line."""
    java = getattr(error, "java_exception", None)
    while java is not None and str(java.getMessage()).startswith(_WAITED) and java.getCause() is not None:
        java = java.getCause()
    text = str(error) if java is None else str(java.getMessage() or java.toString())
    if _TRACEBACK in text:
        # Frames, and the stack of Java behind them, are indented.
        own = text.rpartition(_TRACEBACK)[2].split("JVM stacktrace:")[0].splitlines()
        lines = [line for line in own if line.strip() and not line.startswith((" ", "\t", "Caused by:"))][:1]
    else:
        lines = [line.strip() for line in text.splitlines() if line.strip()]
    return " ".join(lines[0].split()).rstrip(".:") if lines else type(error).__name__


def of_worker(error: BaseException) -> str:
    """Return what ran where a worker failed: its interpreter, and the limit of its memory; empty for other errors."""
    if "Python worker" not in str(error) and _TRACEBACK not in str(error):
        return ""
    from pyspark import SparkContext

    context = SparkContext._active_spark_context
    if context is None:
        # The server of Spark Connect starts the workers.
        return " in a worker of the server"
    limit = context.getConf().get("spark.executor.pyspark.memory", None)
    memory = f", whose memory spark.executor.pyspark.memory limits to {limit}" if limit else ""
    return f" in a worker under {context.pythonExec}{memory}"
