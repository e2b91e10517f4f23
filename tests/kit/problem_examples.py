"""The examples of problems that the pages /problems/<code> show: real ones, and still fresh.

Every test that gets a problem which is an example holds it against the example. With the variable
RECORD_PROBLEMS the tests write it anew instead (`sh run problems`).
"""

import json
import os
import re
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[2] / "service" / "http" / "problem_examples.json"
_MEETING = re.compile(r"\bm[0-9a-f]{16}\b")
_EMPTIED: dict[str, Any] = {"events": [], "parts": {}, "version": 7}
"""Members that are another each time -> what stands for them in an example."""


@cache
def examples() -> dict[str, Any]:
    """All examples by code."""
    found: dict[str, Any] = json.loads(FILE.read_text())
    return found


def hold(call: str, body: Any, problem: dict[str, Any], usual: str | None = None) -> None:
    """A problem that a test got: the example of its code must be such a one.

    Args:
        call: method and path, as the document has it.
        body: what was sent, None where that does not matter.
        problem: the document.
        usual: the detail that the code mostly has; one that says more is an example where there
            is no usual one, and may be another each time.
    """
    plain = {**problem, **{k: v for k, v in _EMPTIED.items() if k in problem}}
    varied = usual is not None and problem["detail"] != usual
    made = {"call": call, "problem": plain}
    if body is not None:
        made["body"] = json.loads(_MEETING.sub("m0123456789abcdef", json.dumps(body)))
    if os.environ.get("RECORD_PROBLEMS"):
        _record(plain["code"], made, varied)
        return
    known = examples().get(plain["code"])
    assert known is not None, f"{plain['code']} has no example: run `sh run problems`"
    if known["problem"].get("rule") == plain.get("rule"):
        if varied:
            plain["detail"] = known["problem"]["detail"]
        assert known["problem"] == plain, "the example is no more fresh: run `sh run problems`"


_kept: dict[str, tuple[bool, bool, str, int, str]] = {}
"""Of each code that was recorded: its example's place in the order."""


def _record(code: str, made: dict[str, Any], varied: bool) -> None:
    """Keep the example that comes first: made for its code, usual, then by rule and body.

    It is the same in every run.
    """
    text = json.dumps(made, sort_keys=True)
    order = ("body" in made, varied, made["problem"].get("rule", ""), len(text), text)
    if code not in _kept or order < _kept[code]:
        _kept[code] = order
        known = json.loads(FILE.read_text()) if FILE.exists() else {}
        known[code] = made
        FILE.write_text(json.dumps(known, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
