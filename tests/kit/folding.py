"""A view as a dictionary: how tests fold without any store."""

from collections.abc import Sequence

from msgspec import Struct, field

from projections.facts import Fact
from projections.projection import Answer, Changes, Fetch, Projection, Since, document_of


class Shelf(Struct, kw_only=True):
    """The documents and indexes of one view, and a fold's questions answered from them."""

    documents: dict[str, bytes] = field(default_factory=dict)
    indexes: dict[str, list[str]] = field(default_factory=dict)

    def fold(self, projection: Projection, facts: Sequence[Fact]) -> Changes:
        """Fold facts and keep what they change."""
        steps = projection.fold(facts)
        try:
            question = next(steps)
            while True:
                question = steps.send(self.answer(question))
        except StopIteration as done:
            changes: Changes = done.value
            self.apply(changes)
            return changes

    def answer(self, question: Fetch | Since) -> Answer:
        """What the documents say."""
        if isinstance(question, Fetch):
            return {id_: self.documents.get(id_) for id_ in question.ids}
        members = self.indexes.get(question.index, [])
        behind = [document_of(member) for member in members if member >= question.start]
        return {id_: self.documents.get(id_) for id_ in behind}

    def apply(self, changes: Changes) -> None:
        """Keep what changes."""
        for change in changes.changes:
            if change.body is None:
                self.documents.pop(change.id)
            else:
                self.documents[change.id] = change.body
            for index, member in change.drop:
                self.indexes[index].remove(member)
            for index, member in change.add:
                self.indexes[index] = sorted([*self.indexes.get(index, []), member])
        self.indexes = {index: members for index, members in self.indexes.items() if members}

    @staticmethod
    def of(projection: Projection) -> "Shelf":
        """A view before its first fact."""
        shelf = Shelf()
        shelf.apply(Changes(projection.seeds))
        return shelf
