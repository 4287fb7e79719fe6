"""Other checkers as a command, for `fencepost bench spark`: SQL over decoded columns, and TLC over a trace.

`measure.py decode FOLDER FILE` writes the records of the logs below a folder as Parquet; `measure.py judge FILE` judges
them and prints, as JSON, the CPU seconds, the seconds by the clock, and how many violations there are. `measure.py tlc
LOG` has TLC validate the partition of the most records in a log, and prints how many records it was told and explained,
how many partitions there are, and the CPU seconds.
"""

import json
import sys
from pathlib import Path

import pyarrow.parquet as pq

# It is run by its path, from any folder.
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from fencepost.traces import Record, find_logs, read_log
from tests.oracles.columns import table_of
from tests.oracles.judge import judge_parquet
from tests.oracles.partition_trace import busiest, partitions, projected, validated


def main(arguments: list[str]) -> None:
    """Run what the arguments say."""
    if arguments[0] == "decode":
        folder, file = arguments[1:]
        pq.write_table(table_of((one.path, read_log(one)) for one in find_logs([folder])), file)
        print("{}")
        return
    if arguments[0] == "tlc":
        records = [one for one in read_log(arguments[1]).records() if isinstance(one, Record)]
        trace = validated(list(projected(records, busiest(records))))
        said = {"records": trace.records, "explained": trace.explained, "cpu_s": trace.cpu_seconds}
        print(json.dumps(said | {"partitions": len(partitions(records))}))
        return
    found = judge_parquet(arguments[1])
    said = {"cpu_s": found.cpu_seconds, "wall_s": found.seconds, "violations": len(found.violations)}
    print(json.dumps(said))


if __name__ == "__main__":
    main(sys.argv[1:])
