"""Skeletons: files to begin with, of a protocol of one's own and of a change of another protocol, each with a test."""

from .skeletons import Skeleton, of_change, of_protocol

__all__ = ["Skeleton", "of_change", "of_protocol"]
