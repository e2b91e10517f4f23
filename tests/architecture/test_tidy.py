"""Sizes, docstrings, and what no source may hold. The ratchets only ever get shorter."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.registry import GAMES

ROOT = Path(__file__).parents[2]
SOURCES = ("domain", "projections", "service")
FILE_MAX, TABLE_MAX, FUNCTION_MAX = 250, 600, 70
TABLES = frozenset(("board.py", "commands.py", "events.py", "reasons.py", "schemas.py"))
"""Files that only list what there is."""

LONG_FILES: dict[str, int] = {
    "service/handling.py": 271,
}
LONG_FUNCTIONS: dict[str, int] = {}

UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK|NotImplementedError)\b")
MACHINE = re.compile(r"(?<![\w.])/(work|home|root|Users)/")

Function = ast.FunctionDef | ast.AsyncFunctionDef


def sources(*folders: str) -> list[Path]:
    """All Python files of these folders."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def name_of(path: Path) -> str:
    """The path from the root."""
    return path.relative_to(ROOT).as_posix()


def functions(path: Path) -> Iterator[Function]:
    """All functions of a file, methods and inner ones too."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, Function):
            yield node


def test_no_file_is_too_long() -> None:
    """CONTRIBUTING: 250 lines; tables and tests 600."""
    too_long = {}
    for path in sources(*SOURCES, "tests"):
        short = name_of(path)
        table = short.startswith("tests/") or path.name in TABLES
        count = len(path.read_text().splitlines())
        if count > LONG_FILES.get(short, TABLE_MAX if table else FILE_MAX):
            too_long[short] = count
    assert not too_long


def test_no_function_is_too_long() -> None:
    """CONTRIBUTING: 70 lines."""
    too_long = {}
    for path in sources(*SOURCES, "tests"):
        for node in functions(path):
            short = f"{name_of(path)}:{node.name}"
            count = (node.end_lineno or node.lineno) - node.lineno + 1
            if count > LONG_FUNCTIONS.get(short, FUNCTION_MAX):
                too_long[short] = count
    assert not too_long


def test_the_ratchets_hold_what_is_still_too_long_and_no_more() -> None:
    """A file that was cut leaves its list."""
    for short, allowed in LONG_FILES.items():
        assert FILE_MAX < len((ROOT / short).read_text().splitlines()) <= allowed, short
    known = {
        f"{name_of(path)}:{node.name}": (node.end_lineno or node.lineno) - node.lineno + 1
        for path in sources(*SOURCES)
        for node in functions(path)
    }
    for short, allowed in LONG_FUNCTIONS.items():
        assert FUNCTION_MAX < known[short] <= allowed, short


def test_everything_public_says_what_it_means() -> None:
    """CONTRIBUTING: modules, classes and functions have docstrings."""
    silent = []
    for path in sources(*SOURCES):
        tree = ast.parse(path.read_text())
        if path.read_text().strip() and not ast.get_docstring(tree):
            silent.append(name_of(path))
        silent.extend(f"{name_of(path)}:{name}" for name in undocumented(tree))
    assert not silent


def undocumented(tree: ast.Module | ast.ClassDef) -> Iterator[str]:
    """Public classes, functions and methods without a docstring."""
    for node in tree.body:
        if not isinstance(node, ast.ClassDef | Function) or node.name.startswith("_"):
            continue
        if not ast.get_docstring(node) and not overload(node):
            yield node.name
        if isinstance(node, ast.ClassDef):
            yield from undocumented(node)


def overload(node: ast.ClassDef | Function) -> bool:
    """Whether it is only another signature."""
    return any(isinstance(d, ast.Name) and d.id == "overload" for d in node.decorator_list)


def test_every_test_module_says_what_it_holds() -> None:
    """CONTRIBUTING"""
    silent = [
        name_of(path)
        for path in sources("tests")
        if path.name.startswith("test_") and not ast.get_docstring(ast.parse(path.read_text()))
    ]
    assert not silent


@pytest.mark.parametrize("pattern", [UNFINISHED, MACHINE], ids=["unfinished", "machine"])
def test_no_source_is_unfinished_or_speaks_of_one_machine(pattern: re.Pattern[str]) -> None:
    """CONTRIBUTING"""
    found = {
        f"{name_of(path)}:{number}"
        for folder in SOURCES
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".lua", ".md")
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if pattern.search(line)
    }
    assert not found


def test_what_all_games_share_names_none() -> None:
    """Design, Laws: a fifth game touches no other folder."""
    shared = [
        path
        for path in sources("domain", "projections")
        if not name_of(path).startswith("domain/games/")
    ]
    named = {
        name_of(path)
        for path in shared
        for game in GAMES
        if re.search(rf"\b({game}|{game.replace('-', '_')})\b", code_of(path).lower())
    }
    assert not named


def code_of(path: Path) -> str:
    """A file without its docstrings and comments, in which a game may be an example."""
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | Function) and ast.get_docstring(node):
            node.body[0] = ast.Pass()
    return ast.unparse(tree)
