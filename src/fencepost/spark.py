"""Many logs on Spark: `fencepost.spark.conform` answers with DataFrames; as a script it is the command.

```python
import fencepost.spark

found = fencepost.spark.conform(["s3a://bucket/clusters"], session=spark)
found.violations.groupBy("rule").count().show()
```

`health`, `story` and `intervals` answer what an operator asks of a log, of many, as a DataFrame each.

spark-submit --master URL fencepost/spark.py PATH... [--to DIR] runs `fencepost conform --spark PATH...`.
"""

from fencepost.checkers.conformance.spark.api import conform, conform_events
from fencepost.checkers.conformance.spark.event_tasks import EVENTS
from fencepost.checkers.conformance.spark.job import SparkResult
from fencepost.checkers.conformance.spark.sending import package
from fencepost.checkers.conformance.spark.tables import SCHEMAS, ddl
from fencepost.checkers.operations.on_spark import health, intervals, story

__all__ = [
    "EVENTS",
    "SCHEMAS",
    "SparkResult",
    "conform",
    "conform_events",
    "ddl",
    "health",
    "intervals",
    "package",
    "story",
]

if __name__ == "__main__":
    import sys

    from fencepost.checkers.cli.main import main

    sys.exit(main(["conform", "--spark", *sys.argv[1:]]))
