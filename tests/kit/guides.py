"""Guides as tests: every file they show is written, every command run, every call made.

- `python NAME.py` blocks are files to save.
- `console` blocks are commands after `$ `, each followed by what it prints.
- `http` blocks are calls, each followed by a block that begins with `HTTP/1.1`: its answer.

`<name>` stands for a value that the first place gives and later ones repeat; in what a program
prints `…` stands for any text and a line of it for any lines; in JSON `"…"` stands for further
fields or items. Other blocks are faults: nothing is shown that isn't run.
"""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
from markdown_it import MarkdownIt
from msgspec import Struct

from tests.kit.programs import MODULES, PATIENCE, ROOT

SHOWN = "127.0.0.1:8080"
"""Where the guides say that the server is."""

REST = "…"
_NAME = re.compile(r"<([a-z]+)>")


class Block(Struct, frozen=True):
    """A block of code of a guide."""

    kind: str
    name: str
    text: str
    line: int


def blocks(guide: str) -> list[Block]:
    """Every block of code, in order."""
    found = []
    for token in MarkdownIt("commonmark").parse(guide):
        if token.type in ("fence", "code_block"):
            kind, _, name = token.info.partition(" ")
            found.append(Block(kind, name, token.content, (token.map or [0])[0] + 1))
    return found


class Reader:
    """Does what a guide says, as a reader would.

    Args:
        folder: where files are saved and commands run.
        address: host and port of the server.
    """

    def __init__(self, folder: Path, address: str) -> None:
        self.folder = folder
        self.address = address
        self.known: dict[str, Any] = {}
        self._client = httpx.Client(base_url=f"http://{address}", timeout=PATIENCE, trust_env=False)
        self._shims()

    def read(self, guide: str) -> dict[str, int]:
        """Do everything that a guide shows; how many blocks of each kind there were."""
        done: dict[str, int] = {}
        unrun: set[str] = set()
        ahead = iter(blocks(guide))
        for block in ahead:
            done[block.kind] = done.get(block.kind, 0) + 1
            if block.kind == "python":
                assert re.fullmatch(r"\w+\.py", block.name), f"line {block.line}: no file's name"
                text = block.text.replace(SHOWN, self.address)
                (self.folder / block.name).write_text(text, encoding="utf-8")
                unrun.add(block.name)
            elif block.kind == "console":
                unrun -= {name for name in unrun if f"$ python {name}" in block.text}
                self._type(block)
            elif block.kind == "http":
                self._call(block, next(ahead))
            else:
                raise AssertionError(f"line {block.line}: what is a block of {block.kind!r}?")
        assert not unrun, f"never run: {unrun}"
        return done

    def close(self) -> None:
        """End its connection."""
        self._client.close()

    # ------------------------------------------------------------------ commands

    def _shims(self) -> None:
        """`python` and `homestretch` as a reader has them."""
        for name, what in (("python", ""), ("homestretch", "-m service.cli")):
            program = self.folder / "bin" / name
            program.parent.mkdir(parents=True, exist_ok=True)
            path = f"PYTHONPATH='{MODULES if what else ''}'"
            program.write_text(f'#!/bin/sh\n{path} exec "{sys.executable}" {what} "$@"\n')
            program.chmod(0o755)
        (self.folder / "openapi").symlink_to(ROOT / "openapi")

    def _type(self, block: Block) -> None:
        for command, printed in commands(block):
            known = _NAME.sub(lambda found: str(self.known[found[1]]), command)
            env = {k: v for k, v in os.environ.items() if "HOMESTRETCH" not in k}
            env |= {
                "PATH": f"{self.folder / 'bin'}:{env['PATH']}",
                "HOMESTRETCH_URL": f"http://{self.address}",
                "PYTHONIOENCODING": "utf-8",
                "COLUMNS": "200",
                "NO_PROXY": "*",
            }
            ran = subprocess.run(
                ["sh", "-c", known],
                cwd=self.folder,
                env=env,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
                timeout=PATIENCE,
            )
            told = f"line {block.line}: {known}\n{ran.stdout}"
            assert (ran.returncode == 0) == ("Error: " not in printed), told
            found = re.fullmatch(self._pattern(printed), ran.stdout.strip())
            assert found is not None, f"it should print\n{printed}\nbut: {told}"
            self.known |= found.groupdict()

    def _pattern(self, printed: str) -> str:
        """What a program prints, as a regular expression."""
        lines = []
        new: set[str] = set()
        for line in printed.splitlines():
            if line.strip() == REST:
                lines.append(r"(?:.*\n)*?.*")
                continue
            parts = re.split(r"(<[a-z]+>|…)", line)
            lines.append("".join(self._part(part, new) for part in parts))
        return r"[ ]*\n".join(lines)

    def _part(self, part: str, new: set[str]) -> str:
        if part == REST:
            return ".*"
        named = _NAME.fullmatch(part)
        if named is None:
            return re.escape(part)
        name = named[1]
        if name in self.known:
            return re.escape(str(self.known[name]))
        if name in new:
            return f"(?P={name})"
        new.add(name)
        return rf"(?P<{name}>\S+)"

    # ------------------------------------------------------------------ calls

    def _call(self, asked: Block, answered: Block) -> None:
        where = f"line {asked.line}"
        assert answered.text.startswith("HTTP/1.1 "), f"{where}: no answer stands behind the call"
        first, headers, body = parts_of(asked.text)
        method, _, path = first.partition(" ")
        path = _NAME.sub(lambda found: str(self.known[found[1]]), path)
        filled = {
            name: _NAME.sub(lambda found: str(self.known[found[1]]), text)
            for name, text in headers.items()
        }
        content = None if body is None else json.dumps(self._filled(json.loads(body)))
        until = time.monotonic() + PATIENCE
        while True:
            answer = self._client.request(method, path, headers=filled, content=content)
            before = dict(self.known)
            try:
                self._compare(answer, answered.text)
            except AssertionError as error:
                # What follows from others' moves comes when it comes; only looking may be repeated.
                self.known = before
                if method != "GET" or time.monotonic() > until:
                    told = f"{where}: {method} {path} -> {answer.status_code} {answer.text}"
                    raise AssertionError(f"{error}\n{told}") from error
                time.sleep(0.05)
            else:
                return

    def _filled(self, value: Any) -> Any:
        """A body with the values that are known by now."""
        if isinstance(value, dict):
            return {key: self._filled(part) for key, part in value.items()}
        if isinstance(value, list):
            return [self._filled(part) for part in value]
        named = _NAME.fullmatch(value) if isinstance(value, str) else None
        return value if named is None else self.known[named[1]]

    def _compare(self, answer: httpx.Response, text: str) -> None:
        first, headers, body = parts_of(text)
        assert first == f"HTTP/1.1 {answer.status_code} {answer.reason_phrase}", first
        for name, wanted in headers.items():
            found = re.fullmatch(self._pattern(wanted), answer.headers.get(name, ""))
            assert found is not None, f"{name}: {answer.headers.get(name)}"
            self.known |= found.groupdict()
        if body is not None:
            self._match(json.loads(body), answer.json(), "")

    def _match(self, wanted: Any, found: Any, at: str) -> None:
        """Hold a value against what the guide shows of it."""
        named = _NAME.fullmatch(wanted) if isinstance(wanted, str) else None
        if named is not None:
            known = self.known.setdefault(named[1], found)
            assert known == found, f"{at}: {found!r} is not {known!r}"
        elif isinstance(wanted, dict):
            assert isinstance(found, dict), f"{at} is {found!r}"
            names = wanted.keys() - {REST}
            assert names <= found.keys() if REST in wanted else names == found.keys(), (
                f"{at} has {list(found)}"
            )
            for name in names:
                self._match(wanted[name], found[name], f"{at}/{name}")
        elif isinstance(wanted, list):
            assert isinstance(found, list), f"{at} is {found!r}"
            told = [part for part in wanted if part != REST]
            assert len(told) == len(found) or (REST in wanted and len(told) < len(found)), (
                f"{at} has {len(found)} items"
            )
            for number, (part, item) in enumerate(zip(told, found, strict=False)):
                self._match(part, item, f"{at}/{number}")
        else:
            assert wanted == found, f"{at} is {found!r}"


def commands(block: Block) -> Iterator[tuple[str, str]]:
    """Each command of a block, and what it prints."""
    assert block.text.startswith("$ "), f"line {block.line}: no command"
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, printed = part.partition("\n")
        yield command, printed.strip()


def parts_of(text: str) -> tuple[str, dict[str, str], str | None]:
    """First line, headers and body of an exchange."""
    head, _, body = text.partition("\n\n")
    first, *rest = head.strip().splitlines()
    headers = {name: value for name, _, value in (line.partition(": ") for line in rest)}
    return first, headers, body if body.strip() else None
