"""What a check of a log finds: verdicts, violations and doubts, and which violation follows from which."""
