"""Files of a ZooKeeper-era cluster: state-change.log, controller.log, the history of its znodes.

Everything is read from text, and written to it, exactly; nothing here knows a rule of the protocol.
"""

from .causes import Cause, cause_of, thrown
from .controller_log import ControllerEntry, ControllerLog, read_controller_log
from .entries import Entry, Record, Sender, Unparsed, said, text_of, time_text
from .messages import Message
from .recording import BrokerLog, EpochLines, Gathered, ZkRecording, gather, read_recording, recording_size
from .state_change import read_state_change, write_state_change
from .values import BrokerState, LeaderAndIsr, LeaderIsrAndControllerEpoch, ReplicaAssignment, TopicPartition
from .znode_data import Reading, data_of, path_of, reading_of
from .znode_tree import Mismatch, Znode, ZnodeTree, read_znodes
from .znodes import Operation, Transaction, read_znode_history, write_znode_history

__all__ = [
    "BrokerLog",
    "BrokerState",
    "Cause",
    "ControllerEntry",
    "ControllerLog",
    "Entry",
    "EpochLines",
    "Gathered",
    "LeaderAndIsr",
    "LeaderIsrAndControllerEpoch",
    "Message",
    "Mismatch",
    "Operation",
    "Reading",
    "Record",
    "ReplicaAssignment",
    "Sender",
    "TopicPartition",
    "Transaction",
    "Unparsed",
    "ZkRecording",
    "Znode",
    "ZnodeTree",
    "cause_of",
    "data_of",
    "gather",
    "path_of",
    "read_controller_log",
    "read_recording",
    "read_state_change",
    "read_znode_history",
    "read_znodes",
    "reading_of",
    "recording_size",
    "said",
    "text_of",
    "thrown",
    "time_text",
    "write_state_change",
    "write_znode_history",
]
