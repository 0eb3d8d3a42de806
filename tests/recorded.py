"""A comparison recorded with another implementation: the figures that must come out.

Four questions over three passages of one version; a fourth passage, of another version,
is counted in the statistics and may not be returned.
"""

OTHER = (
    "shutil.copyfile(src, dst) copies one file to another path and returns dst. "
    "Permissions and timestamps stay behind; shutil.copy2 keeps them. "
    "The destination is overwritten unless both names are identical."
)
TEXTS = {
    "json-text": (
        "json.dumps(obj, ensure_ascii=True) returns a JSON string. Setting "
        "ensure_ascii=False leaves non-ASCII characters in that string. It does "
        "not write a file or select the encoding used by a file writer."
    ),
    "path-read": (
        "Path.read_text(encoding=None, errors=None) opens a file, returns its "
        'text as a string and closes the file. Set encoding="utf-8" when '
        "reading a UTF-8 file."
    ),
    "path-write": (
        "Path.write_text(data, encoding=None, errors=None, newline=None) writes "
        'text to a file and closes it. Set encoding="utf-8" to select UTF-8. An '
        "existing file is overwritten. The method returns the number of "
        "characters written."
    ),
}
QUERIES = {
    "utf8-write": "How do I explicitly select UTF-8 when saving text with pathlib?",
    "replace-file": "Will write_text replace the contents of an existing file?",
    "json-result-type": "Does json.dumps produce text or a bytes object?",
    "backup-schedule": "How frequently does our cloud provider back up these files?",
}
LEXICAL = {
    "utf8-write": [
        ("path-read", -0.8901430296001853),
        ("path-write", -4.904418516387322e-06),
        ("json-text", -9.765013054830289e-07),
    ],
    "replace-file": [
        ("path-write", -2.3976548397386743),
        ("path-read", -4.084683995209214e-06),
        ("json-text", -3.3056246724488786e-06),
    ],
    "json-result-type": [
        ("json-text", -3.628237730877387),
        ("path-read", -3.0341221974564053e-06),
        ("path-write", -2.263641817358195e-06),
    ],
    "backup-schedule": [("json-text", -0.8273874668010814)],
}
"""FTS5's own scores, smaller is better."""
VECTOR = {
    "utf8-write": [
        ("path-read", 0.637539995393079),
        ("path-write", 0.5762678845903342),
        ("json-text", 0.4948350231504922),
    ],
    "replace-file": [
        ("path-write", 0.6357498076122466),
        ("path-read", 0.5547892797395033),
        ("json-text", 0.36746132784169144),
    ],
    "json-result-type": [
        ("json-text", 0.652333570145617),
        ("path-read", 0.42563890525675496),
        ("path-write", 0.4145266500154773),
    ],
    "backup-schedule": [
        ("path-read", 0.3202785226491292),
        ("path-write", 0.26563513588901855),
        ("json-text", 0.2488070454064458),
    ],
}
"""Cosines."""
FUSED = {
    "utf8-write": [
        ("path-read", 0.03278688524590164, 0.01639344262295082, 0.01639344262295082),
        ("path-write", 0.03225806451612903, 0.016129032258064516, 0.016129032258064516),
        ("json-text", 0.031746031746031744, 0.015873015873015872, 0.015873015873015872),
    ],
    "replace-file": [
        ("path-write", 0.03278688524590164, 0.01639344262295082, 0.01639344262295082),
        ("path-read", 0.03225806451612903, 0.016129032258064516, 0.016129032258064516),
        ("json-text", 0.031746031746031744, 0.015873015873015872, 0.015873015873015872),
    ],
    "json-result-type": [
        ("json-text", 0.03278688524590164, 0.01639344262295082, 0.01639344262295082),
        ("path-read", 0.03225806451612903, 0.016129032258064516, 0.016129032258064516),
        (
            "path-write",
            0.031746031746031744,
            0.015873015873015872,
            0.015873015873015872,
        ),
    ],
    "backup-schedule": [
        ("json-text", 0.032266458495966696, 0.01639344262295082, 0.015873015873015872),
        ("path-read", 0.01639344262295082, 0.0, 0.01639344262295082),
        ("path-write", 0.016129032258064516, 0.0, 0.016129032258064516),
    ],
}
"""Source, fused score, and what the lexical and the vector branch added."""
RERANKED = {
    "utf8-write": [
        ("path-read", 0.3333333333333333, ("8", "text", "utf", "when")),
        ("path-write", 0.3333333333333333, ("8", "select", "text", "utf")),
        ("json-text", 0.08333333333333333, ("select",)),
    ],
    "replace-file": [
        ("path-write", 0.7, ("an", "existing", "file", "of", "text", "the", "write")),
        ("path-read", 0.3, ("file", "text", "the")),
        ("json-text", 0.3, ("file", "the", "write")),
    ],
    "json-result-type": [
        ("json-text", 0.5555555555555556, ("a", "does", "dumps", "json", "or")),
        ("path-read", 0.2222222222222222, ("a", "text")),
        ("path-write", 0.2222222222222222, ("a", "text")),
    ],
    "backup-schedule": [
        ("json-text", 0.1, ("does",)),
        ("path-read", 0.0, ()),
        ("path-write", 0.0, ()),
    ],
}
"""Source, coverage, matched words."""
