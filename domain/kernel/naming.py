"""Names of people and things, as they may be (contract, Names)."""

import unicodedata

NAME_MAX = 40
UNASSIGNED = "Cn"
_HIDDEN = frozenset(("Cc", "Cf", "Co", "Cs"))


def name_fault(name: str, *, unassigned: bool = False) -> str | None:
    """What is wrong with a name, as a sentence; None where nothing is.

    Args:
        name: as it was given.
        unassigned: whether it may have characters that this release's Unicode does not know: what
            was written by a later one may.
    """
    if not 1 <= len(name) <= NAME_MAX:
        return f"A name has 1 to {NAME_MAX} characters."
    if not unicodedata.is_normalized("NFC", name):
        return "A name is in Unicode's normal form C."
    categories = {unicodedata.category(char) for char in name}
    if categories & _HIDDEN or (UNASSIGNED in categories and not unassigned):
        return "A name has no control, format, private or unassigned characters."
    if name[0].isspace() or name[-1].isspace():
        return "A name has no space at either end."
    return None
