"""The embedder that comes with Leadline reads what is installed, and no network."""

import socket
from importlib.machinery import ModuleSpec
from pathlib import Path

import numpy as np
import pytest

from leadline.errors import InputError
from leadline.hashing import file_sha256
from leadline.plugins import resolve
from leadline.retrieval import embedders
from leadline.retrieval.embedders import WORDLLAMA, WordLlama, WordLlamaParameters

TEXTS = ["The help desk opens at nine.", "", "  \n", "Öffnungszeiten?", "crane " * 3000]


@pytest.fixture(scope="module")
def installed() -> WordLlama:
    pytest.importorskip("tokenizers", reason="the extra wordllama is not installed")
    found: WordLlama = WORDLLAMA.build(WordLlamaParameters())
    return found


def test_a_blank_text_is_zeros_and_no_other(installed: WordLlama) -> None:
    vectors = installed.embed(TEXTS, role="passage")
    assert vectors.shape == (5, 256)
    assert vectors.dtype == np.float32
    assert vectors.any(axis=1).tolist() == [True, False, False, True, True]


def test_the_batch_changes_no_byte(installed: WordLlama) -> None:
    together = installed.embed(TEXTS, role="passage")
    alone = [installed.embed([text], role="question")[0] for text in TEXTS]
    assert together.tobytes() == np.stack(alone).tobytes()
    turned = installed.embed(TEXTS[::-1], role="passage")
    assert together.tobytes() == turned[::-1].tobytes()


def test_a_text_is_near_another_that_says_the_same(installed: WordLlama) -> None:
    asked, near, far = installed.embed(
        ["When does the desk open?", "The desk opens at nine.", "A crane lifts steel."],
        role="passage",
    )
    assert asked @ near > asked @ far


@pytest.mark.parametrize("dimension", [64, 128, 256])
def test_a_smaller_model_is_the_beginning_of_the_larger(
    installed: WordLlama, dimension: int
) -> None:
    small = WORDLLAMA.build(WordLlamaParameters(dimension))  # type: ignore[arg-type]
    assert small.identity()["dimension"] == dimension
    vectors = small.embed(TEXTS, role="passage")
    whole = installed.embed(TEXTS, role="passage")
    assert vectors.tobytes() == whole[:, :dimension].tobytes()


def test_it_agrees_with_the_package_it_reads(installed: WordLlama) -> None:
    """The mean of the tokens' vectors, but for float32 rounding."""
    from safetensors.numpy import load_file  # noqa: PLC0415 -- an extra
    from tokenizers import Tokenizer  # noqa: PLC0415 -- an extra

    folder = installed.folder
    table = load_file(folder / "weights" / "l2_supercat_256.safetensors")
    tokenizer = Tokenizer.from_file(
        str(folder / "tokenizers" / "l2_supercat_tokenizer_config.json")
    )
    tokens = tokenizer.encode(TEXTS[0], add_special_tokens=False).ids
    mean = table["embedding.weight"][tokens].astype(np.float32).mean(axis=0)
    found = installed.embed(TEXTS[:1], role="passage")[0]
    assert found == pytest.approx(mean, abs=1e-6)


def test_it_says_which_files_it_read(installed: WordLlama) -> None:
    identity = installed.identity()
    weights = installed.folder / "weights" / "l2_supercat_256.safetensors"
    assert identity["model"] == "wordllama l2_supercat"
    assert identity["sha256"] == file_sha256(weights)


def test_no_network_is_used(
    installed: WordLlama, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        message = "the network was asked for"
        raise AssertionError(message)

    monkeypatch.setattr(socket, "socket", refuse)
    fresh = WORDLLAMA.build(WordLlamaParameters(64))
    assert fresh.embed(["desk"], role="question").any()


def test_a_missing_package_is_answered_with_the_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(embedders, "find_spec", lambda _: None)
    part = resolve("embedder", "wordllama", {}, base=tmp_path, where="embedder")
    with pytest.raises(InputError) as refused:
        part.build()
    assert str(refused.value) == (
        'the embedder "wordllama" is not installed. '
        "Run: pip install 'leadline[wordllama]'"
    )


def test_a_package_without_weights_is_answered_with_the_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    spec = ModuleSpec("wordllama", None, origin=str(tmp_path / "__init__.py"))
    monkeypatch.setattr(embedders, "find_spec", lambda _: spec)
    with pytest.raises(InputError, match=r"has no weights/l2.*Run: pip install"):
        WORDLLAMA.build(WordLlamaParameters())
