"""The OpenAPI document as one page that needs neither internet nor scripts."""

import json
from html import escape
from typing import Any

_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1rem 1.5rem;
color:#1d2021;background:#fdfcf9}
h1,h2{line-height:1.2}h2{border-bottom:1px solid #ccc;margin-top:2.5rem}
code,pre{font:14px/1.4 ui-monospace,monospace}pre{background:#f1efe8;overflow:auto;padding:.7rem}
summary{cursor:pointer;padding:.25rem 0}summary b{display:inline-block;width:4.5rem}
details{border-left:3px solid #d8d3c4;margin:.3rem 0;padding-left:.8rem}
table{border-collapse:collapse}td,th{border-bottom:1px solid #ddd;padding:.2rem .8rem .2rem 0;
text-align:left;vertical-align:top}a{color:#145a32}
"""


def render(document: dict[str, Any]) -> bytes:
    """The page of a document."""
    info = document["info"]
    parts = [
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        f"<title>{escape(info['title'])}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{escape(info['title'])} <small>{escape(info['version'])}</small></h1>",
        f"<p>{escape(info['description'])}</p>",
        '<p>For machines: <a href="/openapi.json">openapi.json</a>, ',
        '<a href="/v1/games">games</a>, <a href="/v1/problems">problems</a>, ',
        '<a href="/v1/limits">limits</a>.</p>',
    ]
    for tag in document["tags"]:
        parts.append(f"<h2>{escape(tag['name'].capitalize())}</h2>")
        parts.append(f"<p>{escape(tag['description'])}</p>")
        for path, methods in document["paths"].items():
            parts += [
                _operation(method, path, operation)
                for method, operation in methods.items()
                if tag["name"] in operation["tags"]
            ]
    parts.append("<h2>Schemas</h2>")
    for name, schema in document["components"]["schemas"].items():
        parts.append(
            f'<details id="{escape(name)}"><summary><code>{escape(name)}</code></summary>'
            f"{_words(schema.get('description'))}{_json(schema)}</details>"
        )
    parts.append("</body></html>\n")
    return "".join(parts).encode()


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    head = (
        f"<summary><b>{method.upper()}</b> <code>{escape(path)}</code> "
        f"{escape(operation['summary'])}</summary>"
    )
    body = [_words(operation.get("description")), _token(operation["security"])]
    if operation["parameters"]:
        body.append(_rows("Parameter", [_parameter(p) for p in operation["parameters"]]))
    if "requestBody" in operation:
        content = operation["requestBody"]["content"]["application/json"]
        body.append(f"<p>Body: {_schema(content['schema'])}</p>")
    answers = [
        (status, f"{escape(answer['description'])} {_contents(answer)}")
        for status, answer in operation["responses"].items()
    ]
    body.append(_rows("Answer", answers))
    return f'<details id="{escape(operation["operationId"])}">{head}{"".join(body)}</details>'


def _token(security: list[dict[str, Any]]) -> str:
    if not security:
        return "<p>No token is read.</p>"
    return "<p>A token may be given.</p>" if {} in security else "<p>A token is needed.</p>"


def _parameter(parameter: dict[str, Any]) -> tuple[str, str]:
    words = escape(parameter["description"])
    return parameter["name"], f"{words} <code>{escape(json.dumps(parameter['schema']))}</code>"


def _contents(answer: dict[str, Any]) -> str:
    contents = answer.get("content", {})
    return "; ".join(
        f"<code>{escape(media)}</code> {_schema(content['schema'])}"
        for media, content in contents.items()
    )


def _schema(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    if "oneOf" in schema:
        return " or ".join(_schema(part) for part in schema["oneOf"])
    return f"<code>{escape(json.dumps(schema))}</code>"


def _rows(head: str, rows: list[tuple[str, str]]) -> str:
    cells = "".join(f"<tr><td><code>{escape(n)}</code></td><td>{t}</td></tr>" for n, t in rows)
    return f"<table><tr><th>{head}</th><th></th></tr>{cells}</table>"


def _words(text: str | None) -> str:
    return f"<p>{escape(text)}</p>" if text else ""


def _json(schema: dict[str, Any]) -> str:
    return f"<pre>{escape(json.dumps(schema, indent=1, ensure_ascii=False))}</pre>"
