"""Embedders that come with Leadline; their packages are extras.

``wordllama`` averages the vectors of a text's tokens: the ``l2_supercat`` weights of
the WordLlama project, read from the installed package's own files, without importing
it and without any network. The weights are float16, so the sums of a text's vectors
are exact in float64, and neither their order nor the batch can change a bit.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from leadline.errors import InputError
from leadline.hashing import Json, file_sha256
from leadline.plugins import Plugin
from leadline.retrieval.base import Role

INSTALL = "pip install 'leadline[wordllama]'"
_WEIGHTS = Path("weights", "l2_supercat_256.safetensors")
_TOKENIZER = Path("tokenizers", "l2_supercat_tokenizer_config.json")


@dataclass(frozen=True, slots=True)
class WordLlamaParameters:
    """``dimension``: how many of each vector's 256 components are used, from the first.

    The model was trained so that its first 64 or 128 are a model of their own.
    """

    dimension: Literal[64, 128, 256] = 256


@dataclass(frozen=True)
class WordLlama:
    """The embedder; questions and passages are embedded alike."""

    parameters: WordLlamaParameters
    folder: Path
    """Of the installed package."""

    def identity(self) -> Mapping[str, Json]:
        """The model, and the hashes of the two files that make it up."""
        return self._identity

    @cached_property
    def _identity(self) -> Mapping[str, Json]:
        return {
            "model": "wordllama l2_supercat",
            "dimension": self.parameters.dimension,
            "sha256": file_sha256(self.folder / _WEIGHTS),
            "tokenizer_sha256": file_sha256(self.folder / _TOKENIZER),
        }

    def embed(self, texts: Sequence[str], *, role: Role) -> NDArray[np.float32]:  # noqa: ARG002 -- the protocol's
        """Average the tokens' vectors; a blank text is a row of zeros."""
        result = np.zeros((len(texts), self.parameters.dimension), dtype=np.float32)
        found = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        for row, (text, tokens) in enumerate(zip(texts, found, strict=True)):
            if text.strip() and tokens.ids:
                result[row] = self._weights[tokens.ids].sum(axis=0) / len(tokens.ids)
        return result

    @cached_property
    def _weights(self) -> NDArray[np.float64]:
        from safetensors.numpy import load_file  # noqa: PLC0415 -- an extra

        table = load_file(self.folder / _WEIGHTS)["embedding.weight"]
        return table[:, : self.parameters.dimension].astype(np.float64)

    @cached_property
    def _tokenizer(self) -> Any:  # noqa: ANN401 -- an extra's type
        from tokenizers import Tokenizer  # noqa: PLC0415 -- an extra

        tokenizer = Tokenizer.from_file(str(self.folder / _TOKENIZER))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer


def wordllama(parameters: WordLlamaParameters) -> WordLlama:
    """Find the installed package; nothing is loaded yet.

    Raises:
        InputError: it is not installed, or came without its weights.
    """
    spec = find_spec("wordllama")
    if spec is None or spec.origin is None:
        message = f'the embedder "wordllama" is not installed. Run: {INSTALL}'
        raise InputError(message)
    folder = Path(spec.origin).parent
    for path in (_WEIGHTS, _TOKENIZER):
        if not (folder / path).is_file():
            message = (
                f"the installed wordllama has no {path.as_posix()}, which the embedder "
                f'"wordllama" reads. Run: {INSTALL}'
            )
            raise InputError(message)
    return WordLlama(parameters, folder)


WORDLLAMA = Plugin("embedder", WordLlamaParameters, wordllama)
