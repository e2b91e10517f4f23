"""The examples of the document: calls recorded from tests of the true app, under openapi/examples.

Nothing of them is written by hand, and a test records them anew. Where the folder is missing the
document is the same without them.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

Schema = dict[str, Any]
FOLDER = Path(__file__).parents[2] / "openapi" / "examples"
CALLS = FOLDER / "calls"
PROBLEMS = FOLDER / "problems.json"
_REF = "#/components/examples/"


@cache
def _calls(operation: str) -> dict[str, Schema]:
    path = CALLS / f"{operation}.json"
    found: dict[str, Schema] = json.loads(path.read_bytes()) if path.exists() else {}
    return found


@cache
def _problems() -> dict[str, Schema]:
    found: dict[str, Schema] = json.loads(PROBLEMS.read_bytes()) if PROBLEMS.exists() else {}
    return found


def add_examples(document: Schema) -> None:
    """Put the recorded calls where they belong, in place."""
    shown: set[str] = set()
    for path in document["paths"].values():
        for operation in path.values():
            for name, call in _calls(operation["operationId"]).items():
                _add(operation, name, call)
            for answer in operation["responses"].values():
                shown.update(_add_problems(answer))
    told = {
        code: {"summary": call["answer"]["title"], "value": call["answer"]}
        for code, call in _problems().items()
        if code in shown
    }
    if told:
        document["components"]["examples"] = told


def _add(operation: Schema, name: str, call: Schema) -> None:
    summary = {"summary": call["summary"]}
    if "body" in call and "requestBody" in operation:
        content = operation["requestBody"]["content"]["application/json"]
        content.setdefault("examples", {})[name] = {**summary, "value": call["body"]}
    answer = operation["responses"].get(str(call["status"]), {}).get("content", {})
    if "answer" in call and call["media"] in answer:
        content = answer[call["media"]]
        content.setdefault("examples", {})[name] = {**summary, "value": call["answer"]}


def _add_problems(answer: Schema) -> list[str]:
    """Refer to the example of each code that the answer may have; these codes."""
    told = [code for code in answer.get("x-codes", []) if code in _problems()]
    for form in answer["content"].values() if told else ():
        form["examples"] = {code: {"$ref": _REF + code} for code in told}
    return told
