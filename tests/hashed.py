"""A tiny embedder whose vectors come from hashes: nothing to load, no chance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from leadline.hashing import Json, text_sha256
from leadline.plugins import Plugin
from leadline.retrieval.base import Role
from leadline.text import unicode_words


@dataclass(frozen=True)
class HashedParameters:
    """``model`` is the seed of every word's vector."""

    model: str = "hashed"
    dimension: int = 8


@dataclass(frozen=True)
class Hashed:
    """The mean of its words' vectors, each taken from the word's sha256."""

    parameters: HashedParameters = field(default_factory=HashedParameters)
    embedded: list[str] = field(default_factory=list)
    """Every text that was embedded, in order."""

    def identity(self) -> Mapping[str, Json]:
        model = self.parameters.model
        return {
            "model": model,
            "dimension": self.parameters.dimension,
            "sha256": text_sha256(model),
        }

    def embed(self, texts: Sequence[str], *, role: Role) -> NDArray[np.float32]:
        self.embedded.extend(texts)
        result = np.zeros((len(texts), self.parameters.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in unicode_words(text):
                digest = text_sha256(f"{self.parameters.model} {word}")
                raw = np.frombuffer(bytes.fromhex(digest), np.uint8)
                result[row] += (
                    raw[: self.parameters.dimension].astype(np.float32) - 127.5
                )
        return result


PLUGIN = Plugin("embedder", HashedParameters, Hashed)
