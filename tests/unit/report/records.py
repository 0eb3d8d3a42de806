"""Records to lay out: a small one with known facts, and a hostile one."""

from dataclasses import replace

from leadline.files.record import PassageRow, Record
from leadline.hashing import text_sha256
from leadline.judging.compare import Status
from tests.unit.report.sketch import Sketch, passage, plugin, record_of

LIMITS = (
    "Descriptive results on three supported development questions, not a general "
    "search-quality estimate or model comparison."
)
HOSTILE = (
    '</script><script>document.title="pwned"</script><img src=x onerror=alert(1)>',
    '" onmouseover="alert(1)',
    "<!-- <script> & &amp;  ",
    "{{7*7}} ${7*7} <%= 7 %>",
    "javascript:alert(1)",
    "\x1b[2J\x1b]0;pwned\x07 \u202etxt.exe \u200b",
)


READ, WRITE, JSON = "path-read@3.12", "path-write@3.12", "json-text@3.12"
_PYTHON = "https://docs.python.org/3.12/library/"
PASSAGES = {
    READ: passage(
        "path-read",
        "Path.read_text(encoding=None, errors=None) opens a file, returns its text as "
        'a string and closes the file. Set encoding="utf-8" when reading a UTF-8 file.',
        url=_PYTHON + "pathlib.html#pathlib.Path.read_text",
    ),
    WRITE: passage(
        "path-write",
        "Path.write_text(data, encoding=None, errors=None, newline=None) writes text "
        'to a file and closes it. Set encoding="utf-8" to select UTF-8. An existing '
        "file is overwritten. The method returns the number of characters written.",
        url=_PYTHON + "pathlib.html#pathlib.Path.write_text",
    ),
    JSON: passage(
        "json-text",
        "json.dumps(obj, ensure_ascii=True) returns a JSON string. Setting "
        "ensure_ascii=False leaves non-ASCII characters in that string. It does not "
        "write a file or select the encoding used by a file writer.",
        url=_PYTHON + "json.html#json.dumps",
    ),
}
QUESTIONS = (
    ("utf8-write", "How do I explicitly select UTF-8 when saving text with pathlib?"),
    ("replace-file", "Will write_text replace the contents of an existing file?"),
    ("json-result-type", "Does json.dumps produce text or a bytes object?"),
    ("backup-schedule", "How frequently does our cloud provider back up these files?"),
)
LABELS: dict[str, tuple[Status, dict[str, float]]] = {
    "utf8-write": ("supported", {WRITE: 1.0}),
    "replace-file": ("supported", {WRITE: 1.0}),
    "json-result-type": ("supported", {JSON: 1.0}),
    "backup-schedule": ("unsupported-excluded", {}),
}
SCORES: dict[str, tuple[tuple[str, ...], dict[str, tuple[float, ...]]]] = {
    "utf8-write": (
        (READ, WRITE, JSON),
        {
            "lexical": (
                0.8901430296001853,
                4.904418516387322e-06,
                9.765013054830289e-07,
            ),
            "vector": (0.637539995393079, 0.5762678845903342, 0.4948350231504922),
            "rrf+coverage": (
                0.3333333333333333,
                0.3333333333333333,
                0.08333333333333333,
            ),
        },
    ),
    "replace-file": (
        (WRITE, READ, JSON),
        {
            "lexical": (
                2.3976548397386743,
                4.084683995209214e-06,
                3.3056246724488786e-06,
            ),
            "vector": (0.6357498076122466, 0.5547892797395033, 0.36746132784169144),
            "rrf+coverage": (0.7, 0.3, 0.3),
        },
    ),
    "json-result-type": (
        (JSON, READ, WRITE),
        {
            "lexical": (
                3.628237730877387,
                3.0341221974564053e-06,
                2.263641817358195e-06,
            ),
            "vector": (0.652333570145617, 0.42563890525675496, 0.4145266500154773),
            "rrf+coverage": (
                0.5555555555555556,
                0.2222222222222222,
                0.2222222222222222,
            ),
        },
    ),
}
_FUSED = (0.03278688524590164, 0.03225806451612903, 0.031746031746031744)
FOUR = (
    plugin("lexical", "fts5", prepared={"sqlite": "3.40.1", "tokenizer": "unicode61"}),
    plugin(
        "vector",
        "vector",
        embedder={"name": "recording"},
        prepared={
            "model": "wordllama-l2-256",
            "dimension": 256,
            "recording_sha256": text_sha256("recording"),
        },
    ),
    plugin("rrf", "rrf", "lexical", "vector", kind="fusion", rank_constant=60),
    plugin("rrf+coverage", "coverage", "rrf", kind="reranker", words="ascii"),
)


def golden(**changes: object) -> Record:
    """Four configurations over four questions: the recorded comparison."""
    rankings: dict[str, dict[str, list[tuple[str, float]]]] = {
        "lexical": {"backup-schedule": [(JSON, 0.8273874668010814)]},
        "vector": {
            "backup-schedule": [
                (READ, 0.3202785226491292),
                (WRITE, 0.26563513588901855),
                (JSON, 0.2488070454064458),
            ]
        },
        "rrf": {
            "backup-schedule": [
                (JSON, 0.032266458495966696),
                (READ, 0.01639344262295082),
                (WRITE, 0.016129032258064516),
            ]
        },
        "rrf+coverage": {"backup-schedule": [(JSON, 0.1), (READ, 0.0), (WRITE, 0.0)]},
    }
    for question_id, (order, scores) in SCORES.items():
        for name, found in (*scores.items(), ("rrf", _FUSED)):
            rankings[name][question_id] = list(zip(order, found, strict=True))
    sketch = Sketch(
        name="Python notes, four ways",
        limits=LIMITS,
        scope="Four original development cases; no held-out queries; no tuning.",
        questions=QUESTIONS,
        passages=PASSAGES,
        rankings=rankings,
        labels=LABELS,
        measures=("R@1", "RR@1", "R@2", "RR@2"),
        configurations=FOUR,
        statistics="snapshot",
        policy='{"version":"3.12"}',
        legacy={
            WRITE: "path-write:b71a2d18a53d86bf",
            JSON: "json-text:8a17e251a41ccb3b",
        },
    )
    return record_of(replace(sketch, **changes))  # type: ignore[arg-type]


def nothing_supported() -> Record:
    """Only unanswerable questions: no mean exists."""
    return golden(labels={one: ("unsupported-excluded", {}) for one, _ in QUESTIONS})


def hostile() -> Record:
    """Every text, id, name and address tries to be more than text."""
    passages = {
        f"{HOSTILE[i]}@{i}": PassageRow(
            source_id=HOSTILE[i],
            version=HOSTILE[(i + 1) % 6],
            url=(
                "javascript:alert(1)",
                'https://x.example/"><script>alert(1)</script>',
            )[i % 2],
            title=HOSTILE[(i + 2) % 6],
            start=0,
            end=9,
            text_sha256=text_sha256(str(i)),
            source_text_sha256=text_sha256(str(i)),
            text=f"{HOSTILE[i]} words {HOSTILE[(i + 3) % 6]}",
        )
        for i in range(6)
    }
    ids = list(passages)
    names = (HOSTILE[0], HOSTILE[1])
    questions = tuple((f"{text}#{i}", text) for i, text in enumerate(HOSTILE))
    statuses: tuple[Status, ...] = (
        *("supported",) * 3,
        "unsupported-excluded",
        "nothing-relevant",
        "unjudged",
    )
    return record_of(
        Sketch(
            name=HOSTILE[0],
            scope=HOSTILE[1],
            limits=HOSTILE[2],
            questions=questions,
            passages=passages,
            rankings={
                name: {
                    one: [(ids[(i + j) % 6], 1.0 - j / 10) for j in range(3 - shift)]
                    for i, (one, _) in enumerate(questions)
                }
                for shift, name in enumerate(names)
            },
            labels={
                one: (
                    statuses[i],
                    {ids[(i + 1 + i % 2) % 6]: 1.0}
                    if statuses[i] == "supported"
                    else {},
                )
                for i, (one, _) in enumerate(questions)
            },
            measures=("RR@2", "R@2"),
            configurations=[
                plugin(names[0], HOSTILE[3], option=HOSTILE[4]),
                plugin(names[1], HOSTILE[5], prepared={HOSTILE[2]: HOSTILE[0]}),
            ],
            policy='{"status":"</script><b>"}',
            legacy=dict.fromkeys(ids, HOSTILE[0]),
        )
    )
