"""The SQL as a command of its own, for `fencepost bench spark`: it decodes logs to columns, and judges the columns.

`measure.py decode FOLDER FILE` writes the records of the logs below a folder as Parquet; `measure.py judge FILE` judges
them and prints, as JSON, the CPU seconds, the seconds by the clock, and how many violations there are.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pyarrow.parquet as pq

# It is run by its path, from any folder.
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from fencepost.traces import find_logs, read_log
from tests.oracles.columns import table_of
from tests.oracles.judge import judge_parquet


def main(arguments: list[str]) -> None:
    """Run what the arguments say."""
    if arguments[0] == "decode":
        folder, file = arguments[1:]
        pq.write_table(table_of((one.path, read_log(one)) for one in find_logs([folder])), file)
        print("{}")
        return
    found = judge_parquet(arguments[1])
    said = {"cpu_s": found.cpu_seconds, "wall_s": found.seconds, "violations": len(found.violations)}
    print(json.dumps(said))


if __name__ == "__main__":
    main(sys.argv[1:])
