"""Access control, SCRAM credentials, delegation tokens and client quotas: which manager replays which record."""

from __future__ import annotations

import base64
import random
from typing import TYPE_CHECKING

from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.settings import Settings

from .acls import AclControlManager
from .client_quotas import ClientQuotaControlManager
from .delegation_tokens import DelegationTokenControlManager
from .scram_credentials import ScramControlManager

if TYPE_CHECKING:
    from fencepost.reference.timeline import SnapshotRegistry

    from .features import FeatureControlManager


class SecurityManagers:
    """The four of them; nothing else that a controller decides depends on what they hold."""

    def __init__(
        self, registry: SnapshotRegistry, features: FeatureControlManager, settings: Settings, randomness: random.Random
    ) -> None:
        def new_id() -> str:
            """Draw an id as Kafka writes it: 128 bits in the URL's base 64."""
            return base64.urlsafe_b64encode(randomness.randbytes(16)).decode("ascii").rstrip("=")

        self.acls = AclControlManager(registry, features, new_id)
        self.scram = ScramControlManager(registry, features)
        self.tokens = DelegationTokenControlManager(registry, features, settings, new_id)
        self.quotas = ClientQuotaControlManager(registry)
        self._by_type = {
            "ACCESS_CONTROL_ENTRY_RECORD": self.acls.replay,
            "REMOVE_ACCESS_CONTROL_ENTRY_RECORD": self.acls.replay,
            "USER_SCRAM_CREDENTIAL_RECORD": self.scram.replay,
            "REMOVE_USER_SCRAM_CREDENTIAL_RECORD": self.scram.replay,
            "DELEGATION_TOKEN_RECORD": self.tokens.replay,
            "REMOVE_DELEGATION_TOKEN_RECORD": self.tokens.replay,
            "CLIENT_QUOTA_RECORD": self.quotas.replay,
        }
        self.types = frozenset(self._by_type)

    def replay(self, message: Message) -> None:
        """Apply a record of one of `types`."""
        self._by_type[message.type](message)
