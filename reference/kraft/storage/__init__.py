"""Functions of kafka-storage: formatted directories, meta.properties, the bootstrap checkpoint, a controller's disk.

`formatter` writes what a cluster begins with, `start_check` has the checks of a node before it starts, `info` describes
directories, `layout` writes a controller's whole metadata directory as Kafka lays it out.

`layout.py` writes the same bytes as Kafka from batches, snapshots and quorum state, indexes included. Everything is
checked before the first byte, each file is written whole or not at all, and meta.properties comes last. No function
reads a clock or a random generator of its own.
"""

from .bootstrap import bootstrap_records, read_bootstrap
from .ensemble import Ensemble, load_ensemble, verify
from .errors import StorageError
from .formatter import FormatReport, FormatRequest, FormattedDirectory, format_storage
from .info import StorageInfo, storage_info
from .meta_properties import META_PROPERTIES, MetaProperties, read_meta_properties, write_meta_properties
from .releases import default_level, effective_levels, parse_features, release_level
from .server_properties import ServerProperties, parse_server_properties, read_server_properties
from .start_check import check_start, check_start_on_disk
from .uuids import is_reserved, random_directory_id, random_uuid
from .voters import Voter, parse_voters, voters_record

__all__ = [
    "META_PROPERTIES",
    "Ensemble",
    "FormatReport",
    "FormatRequest",
    "FormattedDirectory",
    "MetaProperties",
    "ServerProperties",
    "StorageError",
    "StorageInfo",
    "Voter",
    "bootstrap_records",
    "check_start",
    "check_start_on_disk",
    "default_level",
    "effective_levels",
    "format_storage",
    "is_reserved",
    "load_ensemble",
    "parse_features",
    "parse_server_properties",
    "parse_voters",
    "random_directory_id",
    "random_uuid",
    "read_bootstrap",
    "read_meta_properties",
    "read_server_properties",
    "release_level",
    "storage_info",
    "verify",
    "voters_record",
    "write_meta_properties",
]
