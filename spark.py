"""Many logs on Spark: `fencepost.spark.conform` answers with DataFrames; as a script it is the command.

```python
import fencepost.spark

found = fencepost.spark.conform(["s3a://bucket/clusters"], session=spark)
found.violations.groupBy("rule").count().show()
```

spark-submit --master URL fencepost/spark.py PATH... [--to DIR] runs `fencepost conform --spark PATH...`.
"""

from fencepost.checkers.conformance.spark import SCHEMAS, SparkResult, ddl
from fencepost.checkers.conformance.spark.api import conform, conform_events
from fencepost.checkers.conformance.spark.event_tasks import EVENTS
from fencepost.checkers.conformance.spark.sending import package

__all__ = ["EVENTS", "SCHEMAS", "SparkResult", "conform", "conform_events", "ddl", "package"]

if __name__ == "__main__":
    import sys

    from fencepost.checkers.cli.main import main

    sys.exit(main(["conform", "--spark", *sys.argv[1:]]))
