"""What may be logged of an error that was not foreseen."""

from typing import Any


def fault(error: BaseException) -> dict[str, Any]:
    """The kind and the place of an error; its words may hold what nobody may know."""
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    place = f"{at.tb_frame.f_globals.get('__name__')}:{at.tb_lineno}" if at else None
    return {"error": type(error).__name__, "place": place}
