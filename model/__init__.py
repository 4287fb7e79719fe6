"""The tables: one package a protocol, written in the language of `fencepost.model.language` and in nothing else."""
