"""Runs the comparison from the command line: `python -m tests.differential 0:200`."""

from .running import main

raise SystemExit(main())
