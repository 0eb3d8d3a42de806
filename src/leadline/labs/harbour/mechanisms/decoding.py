"""Decoding: a toy language model that has counted which word follows which.

It has no weights and no meaning. What it shows is decoding: the same counts give the
likeliest text (greedy), or any text that the counts allow (sampling), and temperature
decides how often the less likely word is taken.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from leadline.text import ascii_words
from mechanisms.chunking import sentences
from records import Handbook

MECHANISM = (
    "counts of word pairs in the current public passages (a toy language model, no "
    "neural network); greedy decoding, and sampling from counts ** (1 / temperature) "
    "with a fixed seed"
)
TEMPERATURES = (0.5, 1.0, 2.0)
SEED = 7
MOST_WORDS = 18
START, END = "<start>", "<end>"

Pairs = Mapping[str, Counter[str]]


def counted(handbook: Handbook) -> Pairs:
    """Word -> how often each word follows it, sentence by sentence."""
    pairs: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for text in handbook.view.searchable:
        for span in sentences(text):
            words = [START, *ascii_words(text[span.start : span.end]), END]
            for word, following in pairwise(words):
                pairs[word][following] += 1
    return pairs


def greedy(pairs: Pairs) -> str:
    """The likeliest next word each time; between equals the first of the alphabet."""
    words = [START]
    while len(words) <= MOST_WORDS:
        following = min(pairs[words[-1]].items(), key=lambda one: (-one[1], one[0]))[0]
        if following == END:
            break
        words.append(following)
    return " ".join(words[1:])


def sampled(pairs: Pairs, *, temperature: float, seed: int) -> str:
    """A next word by chance each time, weighted by count ** (1 / temperature)."""
    generator = np.random.default_rng(seed)
    words = [START]
    while len(words) <= MOST_WORDS:
        names = sorted(pairs[words[-1]])
        weights = np.array([pairs[words[-1]][one] for one in names]) ** (
            1 / temperature
        )
        sums = np.cumsum(weights)
        place = int(np.searchsorted(sums, generator.random() * sums[-1], side="right"))
        if names[place] == END:
            break
        words.append(names[place])
    return " ".join(words[1:])


def run(handbook: Handbook, _question_id: str | None) -> dict[str, Any]:
    """Decode from one model in several ways."""
    pairs = counted(handbook)
    return {
        "mechanism": MECHANISM,
        "seed": SEED,
        "most_words": MOST_WORDS,
        "after_the_word_desk": dict(
            sorted(pairs["desk"].items(), key=lambda one: (-one[1], one[0]))
        ),
        "greedy": greedy(pairs),
        "sampled": {
            f"temperature {temperature:g}": sampled(
                pairs, temperature=temperature, seed=SEED
            )
            for temperature in TEMPERATURES
        },
        "look_at": "Every pair of words stands in the handbook, and hardly a sentence "
        "does: fluent is not supported.",
    }
