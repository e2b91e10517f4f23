"""What a projection is: a pure fold of facts into documents, with a name and a version.

A view is a set of documents and of indexes over them. Folding a batch of facts needs documents that
the view holds; a fold asks for them by yielding a Fetch or a Since, is sent the answer, and returns
the changes. So it never waits, and the same fold runs over Redis, memory or a test's dictionary.
"""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct

from domain.kernel.message import Event
from projections.facts import Fact

D = TypeVar("D")
_BETWEEN = "|"


def member(key: str, document: str) -> str:
    """How a document stands in an index: its sort key, which holds no "|", then its id."""
    return f"{key}{_BETWEEN}{document}"


def document_of(place: str) -> str:
    """The id of the document that stands at this place of an index."""
    return place.partition(_BETWEEN)[2]


def first_of_key(place: str) -> str:
    """What stands before all places of an index that have this one's sort key."""
    return place.partition(_BETWEEN)[0] + _BETWEEN


Places = tuple[tuple[str, str], ...]
"""Of a document among the indexes: (index, member)."""


class Change(Struct, frozen=True):
    """What becomes of one document; doing it twice is doing it once.

    Args:
        id: of the document.
        body: its new content; None where it is removed.
        add: places it takes, as (index, member).
        drop: places it leaves, likewise.
    """

    id: str
    body: bytes | None
    add: Places = ()
    drop: Places = ()


class Changes(Struct, frozen=True):
    """What a batch does to a view.

    Args:
        changes: at most one a document.
        shared: whether it rests on documents that batches of other partitions change too; such a
            batch counts only if no other of that kind was applied since its documents were read.
    """

    changes: tuple[Change, ...]
    shared: bool = False


class Fetch(Struct, frozen=True):
    """Asks for documents by id; the answer holds every id, None where there is none."""

    ids: tuple[str, ...]


class Since(Struct, frozen=True):
    """Asks for all documents of an index from a member on; answered in the index's order."""

    index: str
    start: str


Answer = Mapping[str, bytes | None]
Steps = Generator[Fetch | Since, Answer, Changes]
"""A fold on its way: it asks, is answered, and at last returns what changes."""


class Projection(Struct, frozen=True, kw_only=True):
    """A read model.

    Args:
        name: of the view it makes.
        version: of its fold and of the form of its documents; another one means a rebuild.
        handles: the facts it looks at; the others pass without being decoded.
        passing: whether it also hears of the games' own events (by their heading alone).
        initial: (meeting id) -> the document of a meeting before its first fact.
        evolve: (document, fact) -> None: folds one fact into the document, in place.
        fold: (facts of one partition, in order) -> the steps to their changes.
        seeds: documents that the view has from the start.
        foresee: (meetings in order) -> what the fold asks first, whatever the facts of these are;
            None where that depends on the facts. So it is looked up while the facts are read.
    """

    name: str
    version: str
    handles: frozenset[type[Event]]
    passing: bool = False
    initial: Callable[[str], Any]
    evolve: Callable[[Any, Any], None]
    fold: Callable[[Sequence[Fact]], Steps]
    seeds: tuple[Change, ...] = ()
    foresee: Callable[[Sequence[str]], Fetch] | None = None


class Form(Struct, Generic[D], frozen=True, kw_only=True):
    """How documents of one kind are written, read and placed.

    Args:
        prefix: of their ids in the view.
        decode: (body) -> document.
        encode: (document) -> body, or None where it is not kept any longer.
        places: (document) -> the sort key by index.
    """

    prefix: str
    decode: Callable[[bytes], D]
    encode: Callable[[D], bytes | None]
    places: Callable[[D], Mapping[str, str]]

    def change(self, id_: str, old: bytes | None, new: D) -> Change | None:
        """The change from the body that the view holds to this document; None if there is none."""
        body = self.encode(new)
        if body == old:
            return None
        left = {} if old is None else self.places(self.decode(old))
        taken = {} if body is None else self.places(new)
        if left == taken:
            return Change(id=id_, body=body)
        return Change(id=id_, body=body, add=_but(taken, left, id_), drop=_but(left, taken, id_))


def _but(some: Mapping[str, str], others: Mapping[str, str], id_: str) -> Places:
    """The places among some that are not among others, as (index, member), in order."""
    return tuple(sorted((index, member(key, id_)) for index, key in some.items() - others.items()))


def changes_of(form: Form[D], old: Answer, documents: Mapping[str, D]) -> tuple[Change, ...]:
    """The changes of documents that were folded, by id, from what the view held of them."""
    made: Iterable[Change | None] = (
        form.change(id_, old[id_], document) for id_, document in documents.items()
    )
    return tuple(change for change in made if change is not None)


def fold_meetings(
    form: Form[D],
    initial: Callable[[str], D],
    evolve: Callable[[D, Any], None],
    facts: Sequence[Fact],
) -> Generator[Fetch, Answer, tuple[Answer, dict[str, D]]]:
    """Fold facts into one document a meeting: what the view held, and the documents after, by id.

    This part is the same in every view whose documents belong to one meeting each.
    """
    ids = tuple(dict.fromkeys(form.prefix + fact.meeting for fact in facts))
    if not ids:
        return {}, {}
    held = yield Fetch(ids)
    documents: dict[str, D] = {}
    for fact in facts:
        id_ = form.prefix + fact.meeting
        document = documents.get(id_)
        if document is None:
            body = held[id_]
            document = initial(fact.meeting) if body is None else form.decode(body)
            documents[id_] = document
        evolve(document, fact)
    return held, documents
