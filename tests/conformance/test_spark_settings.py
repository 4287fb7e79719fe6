"""Settings of Spark sessions that follow one another in one process."""

import subprocess
import sys

import pytest

pytestmark = [pytest.mark.spark, pytest.mark.slow]

NAME = "spark.fencepost.said"
PROGRAM = f"""
from fencepost.checkers.conformance.spark.cluster import Cluster, opened
for cluster in (Cluster(master="local[1]", conf={{{NAME!r}: "first"}}), Cluster(master="local[1]")):
    with opened(cluster) as session:
        print(session.sparkContext.getConf().get({NAME!r}, "nothing"))
"""


@pytest.mark.nightly("tests/conformance/test_spark.py::test_a_session_stays_the_users")
def test_a_session_has_no_settings_of_one_before_it() -> None:
    """What a session was given is none of the next one's in the same process, whose Java goes on."""
    found = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False, timeout=300)
    assert (found.returncode, found.stdout.split()) == (0, ["first", "nothing"]), found.stderr
