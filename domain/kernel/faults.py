"""What does not fit a form, in plain words: the one place where msgspec's messages are read.

Its messages tell what is wrong and where; which words, fields or numbers would fit, the form tells.
"""

import difflib
import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from msgspec import ValidationError, inspect

AT = re.compile(r" - at `(?:key` in `)?\$([^`]*)`$")
STEP = re.compile(r"\.([^.\[]+)|\[(\d+)\]|(\[\.\.\.\])")
"""Of a path: a name, a place in a list, or a key of a map, which is not named."""
FIELD = re.compile(r"(?:unknown|required) field `(.*?)`(?= - at `\$|$)", re.DOTALL)

_TYPES = re.compile(r"Expected `([^`]*)`, got `([^`]*)`")
_BOUND = re.compile(r"Expected `(\w+)` (of length )?(<=|>=|<|>|==) (\S+)")
_WORD = re.compile(r"Invalid (?:enum )?value '?(.*?)'?$", re.DOTALL)

_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a string",
    "bool": "true or false",
    "null": "null",
    "array": "a list",
    "object": "an object",
}
_GOT = {**_KINDS, "int": "a number", "float": "a number with a fraction"}
_BOUNDS = {"<=": "at most", ">=": "at least", "<": "less than", ">": "more than", "==": "exactly"}

TOLD_MAX = 300
"""Most characters of words or fields that are all named; of more, those most alike."""
_GIVEN_MAX = 40
_ALIKE = 5


def in_words(error: ValidationError, form: Any, *, beside: Iterable[str] = ()) -> str:
    """What does not fit, as a sentence for whoever wrote the value.

    Args:
        error: what `msgspec.convert` raised.
        form: the type that was asked of it.
        beside: fields that may stand in the value too, though its form has them not.
    """
    message = str(error)
    at = AT.search(message)
    said = message[: at.start()] if at else message
    places = _places(_of(form), at[1] if at else "")
    if " - at `key` in `$" in message:
        places = [place.key_type for place in places if isinstance(place, inspect.DictType)]
    field = FIELD.search(message)
    if field and "unknown" in said:
        named = [*_fields(places), *(beside if not at else ())]
        return f"{_short(field[1])} is not a field here; {_choice('fields', field[1], named)}."
    if field:
        return f"The field {_short(field[1])} is missing."
    types, bound, word = _TYPES.match(said), _BOUND.match(said), _WORD.match(said)
    if types:
        return _other_type(types[1], types[2], _words(places))
    if bound:
        return _out_of_bounds(*bound.groups())
    if word:
        return f"{_short(word[1])} is not a word here; {_choice('words', word[1], _words(places))}."
    return f"{said[:200]}."


def choice(what: str, given: str, known: Iterable[str]) -> str:
    """A sentence about a word that is none of those known: which they are."""
    return f"{_short(given)} is not a {what} here; {_choice(what + 's', given, list(known))}."


def _other_type(expected: str, got: str, words: list[str]) -> str:
    wanted = expected.split(" | ")
    if "float" in wanted and "int" in wanted:
        wanted.remove("int")
    kinds = [_KINDS.get(name, name) for name in wanted]
    *most, last = kinds
    told = f"{', '.join(most)} or {last}" if most else last
    sentence = f"{told} is needed, not {_GOT.get(got, got)}"
    if "str" in wanted and words:
        sentence += f"; {_choice('words', '', words)}"
    return f"{sentence[0].upper()}{sentence[1:]}."


def _out_of_bounds(kind: str, length: str | None, sign: str, bound: str) -> str:
    number = f"{_BOUNDS[sign]} {bound.removesuffix('.0')}"
    if not length:
        return f"The number must be {number}."
    unit = {"str": "character", "array": "item"}.get(kind, "field")
    holder = {"str": "string", "array": "list"}.get(kind, "object")
    return f"The {holder} must have {number} {unit}{'' if bound == '1' else 's'}."


def _choice(what: str, given: str, known: list[str]) -> str:
    """Which there are, where they are not too long together; else those most alike."""
    if not known:
        return f"there are no {what}"
    order = _in_order(given, known)
    joined = ", ".join(known)
    if len(joined) > TOLD_MAX:
        alike = difflib.get_close_matches(given[:_GIVEN_MAX], known, _ALIKE, cutoff=0)
        joined = f"{', '.join(alike)} and {len(known) - len(alike)} more"
    return f"{what} here: {joined}{order}"


def _in_order(given: str, known: list[str]) -> str:
    """Where a word joins the right parts in another order: which it is."""
    if "+" not in given[:_GIVEN_MAX]:
        return ""
    parts = sorted(given[:_GIVEN_MAX].split("+"))
    same = next((word for word in known if sorted(word.split("+")) == parts), None)
    return f"; the order of a word's parts is fixed: {same}" if same else ""


def _short(given: str) -> str:
    return f"`{given if len(given) <= _GIVEN_MAX else given[:_GIVEN_MAX] + '…'}`"


@cache
def _of(form: Any) -> inspect.Type:
    return inspect.type_info(form)


def _places(form: inspect.Type, path: str) -> list[inspect.Type]:
    """The forms that may stand where a path leads to; none where it leads nowhere."""
    places = _flat(form)
    for name, _, unnamed in STEP.findall(path):
        inner: list[inspect.Type] = []
        for place in places:
            if name and isinstance(place, inspect.StructType):
                inner += [field.type for field in place.fields if field.encode_name == name]
                if place.tag_field == name:
                    inner.append(inspect.LiteralType((place.tag,)))
            elif isinstance(place, inspect.DictType) and (name or unnamed):
                inner.append(place.value_type)
            elif not name and isinstance(place, inspect.ListType | inspect.VarTupleType):
                inner.append(place.item_type)
        places = [flat for place in inner for flat in _flat(place)]
    return places


def _flat(form: inspect.Type) -> list[inspect.Type]:
    """A form without what says more about it; of one or another, each."""
    if isinstance(form, inspect.Metadata):
        return _flat(form.type)
    if isinstance(form, inspect.UnionType):
        return [flat for part in form.types for flat in _flat(part)]
    return [form]


def _fields(places: list[inspect.Type]) -> list[str]:
    names: dict[str, None] = {}
    for place in places:
        if isinstance(place, inspect.StructType):
            if place.tag_field:
                names[place.tag_field] = None
            names.update(dict.fromkeys(field.encode_name for field in place.fields))
    return list(names)


def _words(places: list[inspect.Type]) -> list[str]:
    """The words that may stand there, in alphabetical order."""
    literals = (place for place in places if isinstance(place, inspect.LiteralType))
    return [str(word) for place in literals for word in place.values]
