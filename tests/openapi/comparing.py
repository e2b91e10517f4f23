"""What would break those who rely on an older document: renamed, removed or narrowed things.

Requests: whatever was taken is still taken. Answers: whatever is given can be taken by who knew the
older form: every field is still there, of a form that it had; fields, words of a set and members of
a union told apart by a word may be added (contract, Names). Stored events are held both ways: new
code reads old logs, old verifiers read new ones. Each break is a sentence that begins with where.
"""

from collections.abc import Iterator
from typing import Any, Literal

from service.http.finishing import REF, names_in

Schema = dict[str, Any]
Way = Literal["sent", "answered"]
METHODS = ("get", "put", "post", "delete", "patch")
_ANYTHING: Schema = {}


def documents(old: Schema, new: Schema) -> list[str]:
    """The breaks from one OpenAPI document to another."""
    found = [f"{path}: is gone" for path in old["paths"] if path not in new["paths"]]
    for name in old["components"]["schemas"]:
        if name not in new["components"]["schemas"]:
            found.append(f"component {name}: is gone")
    comparison = _Comparison(old, new, _touched(old, new))
    for path, calls in old["paths"].items():
        for method in METHODS:
            if method not in calls or path not in new["paths"]:
                continue
            at = f"{method.upper()} {path}"
            if method not in new["paths"][path]:
                found.append(f"{at}: is gone")
                continue
            found += comparison.operation(calls[method], new["paths"][path][method], at)
    return list(dict.fromkeys(found))


def events(old: Schema, new: Schema) -> list[str]:
    """The breaks from one events.json to another."""
    found = [f"{name}: is gone" for name in old if name not in new]
    for name in old.keys() & new.keys():
        if old[name] == new[name]:
            continue
        comparison = _Comparison(old[name], new[name])
        for way in ("sent", "answered"):
            found += comparison.schema(old[name], new[name], way, name)
    return sorted(dict.fromkeys(found))


def _touched(old: Schema, new: Schema) -> set[str]:
    """The references to components that are other now, or need one that is."""
    before, now = old["components"]["schemas"], new["components"]["schemas"]
    needs = {name: names_in(schema) for name, schema in before.items()}
    found = {name for name, schema in before.items() if now.get(name) != schema}
    while more := {name for name in needs if needs[name] & found} - found:
        found |= more
    return {REF + name for name in found}


class _Comparison:
    """Two documents side by side; references are looked up each in its own.

    Args:
        touched: the references that need a look; None for all.
    """

    def __init__(self, old: Schema, new: Schema, touched: set[str] | None = None) -> None:
        self._old, self._new, self._touched = old, new, touched
        self._seen: set[tuple[str, str, Way]] = set()

    # ------------------------------------------------------------------ operations

    def operation(self, old: Schema, new: Schema, at: str) -> Iterator[str]:
        """The breaks of one operation."""
        if old["operationId"] != new["operationId"]:
            yield f"{at}: operationId {old['operationId']} is now {new['operationId']}"
        if old.get("tags") != new.get("tags"):
            yield f"{at}: tags {old.get('tags')} are now {new.get('tags')}"
        if any(way not in new.get("security", [{}]) for way in old.get("security", [{}])):
            yield f"{at}: a way to call it is gone from security"
        yield from self._parameters(old.get("parameters", []), new.get("parameters", []), at)
        yield from self._request(old.get("requestBody"), new.get("requestBody"), at)
        yield from self._responses(old["responses"], new["responses"], at)

    def _parameters(self, old: list[Schema], new: list[Schema], at: str) -> Iterator[str]:
        before = {(p["in"], p["name"]): p for p in old}
        now = {(p["in"], p["name"]): p for p in new}
        for key, parameter in before.items():
            where = f"{at} {key[0]} parameter {key[1]}"
            if key not in now:
                yield f"{where}: is gone"
                continue
            yield from self.schema(parameter["schema"], now[key]["schema"], "sent", where)
        for key, parameter in now.items():
            needed = parameter.get("required") and not before.get(key, {}).get("required")
            if needed and key[0] != "path":
                yield f"{at} {key[0]} parameter {key[1]}: is needed now"

    def _request(self, old: Schema | None, new: Schema | None, at: str) -> Iterator[str]:
        if old is not None and new is None:
            yield f"{at} body: is gone"
        if new is not None and new.get("required") and not (old or {}).get("required"):
            yield f"{at} body: is needed now"
        if old is not None and new is not None:
            yield from self._content(old["content"], new["content"], "sent", f"{at} body")

    def _responses(self, old: Schema, new: Schema, at: str) -> Iterator[str]:
        for status in new:
            if status not in old and int(status) < 400:
                yield f"{at} {status}: is a new answer of a call that is done"
        for status, answer in old.items():
            where = f"{at} {status}"
            if status not in new:
                yield f"{where}: is gone"
                continue
            now = new[status]
            for code in answer.get("x-codes", []):
                if code not in now.get("x-codes", []):
                    yield f"{where}: code {code} is gone"
            for name, header in answer.get("headers", {}).items():
                if name not in now.get("headers", {}):
                    yield f"{where} header {name}: is gone"
                    continue
                before = self._looked_up(header, self._old)
                after = self._looked_up(now["headers"][name], self._new)
                if before.get("required") and not after.get("required"):
                    yield f"{where} header {name}: may be missing now"
            yield from self._content(
                answer.get("content", {}), now.get("content", {}), "answered", where
            )

    def _content(self, old: Schema, new: Schema, way: Way, at: str) -> Iterator[str]:
        for media, form in old.items():
            if media not in new:
                yield f"{at} {media}: is gone"
            else:
                yield from self.schema(form["schema"], new[media]["schema"], way, at)

    # ------------------------------------------------------------------ schemas

    def schema(self, old: Schema, new: Schema, way: Way, at: str) -> Iterator[str]:
        """The breaks of one schema."""
        names = old.get("$ref"), new.get("$ref")
        if None not in names:
            if names[0] != names[1]:
                yield f"{at}: {_last(names[0])} is now {_last(names[1])}"
            same = names[0] == names[1] and self._touched is not None
            key = (str(names[0]), str(names[1]), way)
            if key in self._seen or (same and names[0] not in self._touched):
                return
            self._seen.add(key)
            at = f"{_last(names[0])} ({way})"
        old, new = self._looked_up(old, self._old), self._looked_up(new, self._new)
        before, now = _alternatives(old), _alternatives(new)
        if len(before) == len(now) == 1:
            yield from self._plain(before[0], now[0], way, at)
        elif "discriminator" in old:
            yield from self._told_apart(old, new, way, at)
        elif way == "sent":
            for form in before:
                yield from self._closest(form, now, way, at)
        else:
            for form in now:
                yield from self._closest(form, before, way, at)

    def _looked_up(self, schema: Schema, document: Schema) -> Schema:
        while "$ref" in schema:
            found: Any = document
            for part in schema["$ref"].removeprefix("#/").split("/"):
                found = found[part]
            beside = {key: value for key, value in schema.items() if key != "$ref"}
            schema = {**found, **beside}
        return schema

    def _told_apart(self, old: Schema, new: Schema, way: Way, at: str) -> Iterator[str]:
        by = old["discriminator"]["propertyName"]
        now = new.get("discriminator", {})
        if now.get("propertyName") != by:
            yield f"{at}: is no longer told apart by {by}"
            return
        for word, reference in old["discriminator"]["mapping"].items():
            if word not in now["mapping"]:
                yield f"{at}: {word} is gone"
            else:
                yield from self.schema({"$ref": reference}, {"$ref": now["mapping"][word]}, way, at)

    def _closest(self, form: Schema, others: list[Schema], way: Way, at: str) -> Iterator[str]:
        """The breaks against the alternative that has the fewest; none is looked up for ever."""
        tries = []
        for other in others:
            seen = set(self._seen)
            pair = (form, other) if way == "sent" else (other, form)
            tries.append(list(self.schema(*pair, way, at)))
            if not tries[-1]:
                return
            self._seen = seen
        yield from min(tries, key=len)

    def _plain(self, old: Schema, new: Schema, way: Way, at: str) -> Iterator[str]:
        wide, narrow = (new, old) if way == "sent" else (old, new)
        yield from _types(wide, narrow, at)
        yield from _words(old, new, way, at)
        yield from _bounds(wide, narrow, at)
        if old.get("default") != new.get("default") and "default" in old:
            yield f"{at}: the default is no longer {old['default']!r}"
        if way == "sent" and "not" in new and new["not"] != old.get("not"):
            yield f"{at}: other values are excluded now"
        yield from self._object(old, new, way, at)
        if "items" in wide:
            pair = (old.get("items", _ANYTHING), new.get("items", _ANYTHING))
            yield from self.schema(*pair, way, f"{at}[]")

    def _object(self, old: Schema, new: Schema, way: Way, at: str) -> Iterator[str]:
        before, now = old.get("properties", {}), new.get("properties", {})
        for name, form in before.items():
            if name not in now:
                yield f"{at}.{name}: is gone"
            else:
                yield from self.schema(form, now[name], way, f"{at}.{name}")
        had, has = set(old.get("required", ())), set(new.get("required", ()))
        for name in sorted(has - had if way == "sent" else had & set(now) - has):
            yield f"{at}.{name}: " + ("is needed now" if way == "sent" else "may be missing now")
        yield from self._rest(old, new, way, f"{at}.*")
        for pattern, form in old.get("patternProperties", {}).items():
            if pattern not in new.get("patternProperties", {}):
                yield f"{at}./{pattern}/: is gone"
            else:
                now_form = new["patternProperties"][pattern]
                yield from self.schema(form, now_form, way, f"{at}./{pattern}/")

    def _rest(self, old: Schema, new: Schema, way: Way, at: str) -> Iterator[str]:
        """The breaks of fields that are not named."""
        before = old.get("additionalProperties", True)
        now = new.get("additionalProperties", True)
        wide, narrow = (now, before) if way == "sent" else (before, now)
        if wide is False and narrow is not False:
            yield f"{at}: is closed now" if way == "sent" else f"{at}: is open now"
        elif isinstance(wide, dict) and narrow is not False:
            forms = [_ANYTHING if form is True else form for form in (before, now)]
            yield from self.schema(forms[0], forms[1], way, at)


# ---------------------------------------------------------------------- parts of a schema


def _last(reference: str | None) -> str:
    return str(reference).rpartition("/")[2]


def _alternatives(schema: Schema) -> list[Schema]:
    """The forms of a choice; a schema that is none is its only form."""
    if isinstance(schema.get("type"), list):
        return [{**schema, "type": kind} for kind in schema["type"]]
    for key in ("oneOf", "anyOf"):
        if key in schema:
            return list(schema[key])
    return [schema]


def _types(wide: Schema, narrow: Schema, at: str) -> Iterator[str]:
    taken, given = wide.get("type"), narrow.get("type")
    if taken in (None, given) or (taken, given) == ("number", "integer"):
        return
    yield f"{at}: {given or 'anything'} does not fit {taken}"


def _words(old: Schema, new: Schema, way: Way, at: str) -> Iterator[str]:
    before, now = _set_of(old), _set_of(new)
    if before is None and now is None:
        return
    if before is None:
        if way == "sent":
            yield f"{at}: takes only some words now"
    elif now is None:
        if way == "answered":
            yield f"{at}: may be any word now"
    else:
        for word in before:
            if word not in now:
                yield f"{at}: {word!r} is gone"
        if "const" in old and way == "answered" and len(now) > len(before):
            yield f"{at}: is no longer always {old['const']!r}"


def _set_of(schema: Schema) -> list[Any] | None:
    found = [schema["const"]] if "const" in schema else schema.get("enum")
    return None if found is None else list(found)


_LEAST = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_MOST = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_SAME = ("pattern", "format", "multipleOf", "uniqueItems")


def _bounds(wide: Schema, narrow: Schema, at: str) -> Iterator[str]:
    """Every bound of the form that takes must hold for the one that is given."""
    for key in (*_LEAST, *_MOST):
        if key in wide:
            bound, held = wide[key], narrow.get(key)
            if held is None or (held < bound if key in _LEAST else held > bound):
                yield f"{at}: {key} {held} does not fit {bound}"
    for key in _SAME:
        if key in wide and wide[key] != narrow.get(key) and wide[key] is not False:
            yield f"{at}: {key} {narrow.get(key)} does not fit {wide[key]}"
