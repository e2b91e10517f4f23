"""The form of a refusal, for all calls one and the same."""

from typing import Any

Schema = dict[str, Any]
_REF = "#/components/schemas/"

PROBLEM: Schema = {
    "description": "Why a call was refused (RFC 9457). GET /v1/problems lists every `code`.",
    "type": "object",
    "properties": {
        "type": {"type": "string", "format": "uri-reference"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string"},
        "rule": {"type": "string", "description": "Id of the rule of the game that refuses."},
        "pointer": {"type": "string", "description": "JSON pointer into the body."},
        "parameter": {"type": "string", "description": "The query parameter or header at fault."},
        "version": {"type": "integer", "description": "The viewer's version now."},
        "events": {
            "type": "array",
            "items": {"$ref": f"{_REF}Event"},
            "description": "What the seat has missed.",
        },
        "bucket": {"type": "string", "description": "The rate that is used up."},
        "body_bytes_max": {"type": "integer", "description": "Largest body that is taken."},
        "parts": {
            "type": "object",
            "additionalProperties": True,
            "description": "Every part, as GET /health/ready tells it.",
        },
    },
    "required": ["type", "title", "status", "detail", "code"],
}
