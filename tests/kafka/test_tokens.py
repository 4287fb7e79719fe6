"""Finding D32: a delegation token is looked up in an image that is behind; Kafka 4.4.0's classes and the reference."""

import json
import random
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import pytest

from fencepost.reference.kraft import levels
from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.controller.features import FeatureControlManager
from fencepost.reference.kraft.controller.security import SecurityManagers
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.timeline import SnapshotRegistry

pytestmark = pytest.mark.kafka

MAIN = "org.apache.kafka.controller.PublishedTokens"
SETTINGS = Settings(delegation_token_secret_key="key")
Answer = list[Any]
ISSUED, REMOVED, NOTHING = ["NONE", "Token"], ["NONE", "RemoveToken"], ["DELEGATION_TOKEN_NOT_FOUND"]


class Reference:
    """The reference's manager, its published state being the one at the last "publish"."""

    def __init__(self) -> None:
        self.registry = SnapshotRegistry()
        features = FeatureControlManager(self.registry, levels.SUPPORTED_FEATURES)
        features.replay({"name": levels.METADATA_VERSION, "featureLevel": levels.LATEST_PRODUCTION})
        self.tokens = SecurityManagers(self.registry, features, SETTINGS, random.Random(1)).tokens
        self.epoch, self.hmac = 0, b""
        self.registry.create(0)
        self.tokens.published = lambda: self.epoch

    def answer(self, word: str) -> Answer:
        """Return the error and the records of a request, as `PublishedTokens.java` tells them."""
        match word:
            case "create":
                result = self.tokens.create(m.CreateDelegationTokenRequest(by="User:alice"))
                self.hmac = result.response.hmac
            case "renew":
                result = self.tokens.renew(m.RenewDelegationTokenRequest(by="User:alice", hmac=self.hmac))
            case "remove":
                request = m.ExpireDelegationTokenRequest(by="User:alice", hmac=self.hmac, expiry_period_ms=-1)
                result = self.tokens.expire(request)
            case _:
                self.epoch += 1
                self.registry.create(self.epoch)
                return []
        for record in result.records:
            self.tokens.replay(record)
        kinds = ["Token" if one.type == "DELEGATION_TOKEN_RECORD" else "RemoveToken" for one in result.records]
        return [result.response.error.name, *kinds]


def told(answers: list[Any]) -> list[Any]:
    """Return what `PublishedTokens.java` printed with the records' names as here."""
    short = {"DelegationTokenRecord": "Token", "RemoveDelegationTokenRecord": "RemoveToken"}
    return [[short.get(word, word) for word in one] if isinstance(one, list) else one for one in answers]


Ask = Callable[[str, Sequence[str]], list[str]]


def asked_of_kafka(asked: Ask, lines: Sequence[Sequence[str]]) -> list[list[Any]]:
    """Return what Kafka's manager answers to each line."""
    return [told(json.loads(one)) for one in asked(MAIN, [json.dumps(line) for line in lines])]


def test_a_removed_token_is_removed_again_and_comes_back(asked: Ask) -> None:
    """Until the removal is published, it is written again, and a renewal writes the token anew: the image has it."""
    begins = ["create", "publish", "remove"]
    lines = [[*begins, "remove"], [*begins, "renew", "publish"], [*begins, "publish", "remove", "renew"]]
    twice, back, gone = asked_of_kafka(asked, lines)
    assert twice == [ISSUED, [], REMOVED, REMOVED, False]
    assert back == [ISSUED, [], REMOVED, ISSUED, [], True]
    assert gone == [ISSUED, [], REMOVED, [], NOTHING, NOTHING, False]


def test_the_reference_answers_the_same(asked: Ask) -> None:
    """In every order of four requests and publications behind the first two, all answers are those of Kafka."""
    lines = [["create", "publish", *more] for more in product(["publish", "remove", "renew"], repeat=4)]
    for line, kafka in zip(lines, asked_of_kafka(asked, lines), strict=True):
        reference = Reference()
        found = [reference.answer(word) for word in line]
        assert [*found, bool(len(reference.tokens.records))] == kafka, line
