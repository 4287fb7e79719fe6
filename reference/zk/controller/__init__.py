"""The controller of the ZooKeeper era: one event thread, two state machines, and the operations built of them.

Read `controller` (how one is elected, resigns, and takes events), then `operations`, then the state machines.
"""

from .controller import Controller
from .event_thread import EventThread
from .shared import Shared

__all__ = ["Controller", "EventThread", "Shared"]
