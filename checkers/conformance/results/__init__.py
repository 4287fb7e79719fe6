"""The results of checking a log: verdicts, violations and doubts, and which violation follows from which."""
