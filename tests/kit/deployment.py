"""The files of deploy/ as their programs read them, and what they start, on free ports."""

import configparser
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml
from markdown_it import MarkdownIt

from service import cli
from service.embedded import die_with_parent
from service.redis.server import await_answer, find_server
from tests.kit.programs import MODULES, ROOT

DEPLOY = ROOT / "deploy"
PASSWORD = "0123456789abcdef"
"""What tests set where deploy/.env would."""

_VARIABLE = re.compile(r"\$\$|\$\{(\w+)(?:(:-|:\?)([^}]*))?\}")


def interpolated(text: str, env: Mapping[str, str]) -> str:
    """A compose file's text with its variables, as Compose puts them in.

    Raises:
        KeyError: one is required and not set.
    """

    def value(found: re.Match[str]) -> str:
        name, sign, rest = found[1], found[2], found[3]
        if name is None:
            return "$"
        return env.get(name) or (rest if sign == ":-" else env[name])

    return _VARIABLE.sub(value, text)


def compose(*files: str, **env: str) -> dict[str, Any]:
    """Compose files of deploy/ put over each other."""
    told: dict[str, Any] = {}
    for file in files:
        text = interpolated((DEPLOY / file).read_text(), {"REDIS_PASSWORD": PASSWORD, **env})
        told = _over(told, yaml.safe_load(text))
    return told


def _over(below: Any, above: Any) -> Any:
    """Compose's way of merging: maps by key, lists added, all else replaced."""
    if isinstance(below, dict) and isinstance(above, dict):
        both = {name: _over(below[name], above[name]) for name in below if name in above}
        return {**below, **above, **both}
    if isinstance(below, list) and isinstance(above, list):
        return below + above
    return above


def units() -> dict[str, dict[str, dict[str, list[str]]]]:
    """The systemd units by file name: section -> name -> its values in order."""
    return {path.name: _unit(path) for path in sorted((DEPLOY / "systemd").iterdir())}


def _unit(path: Path) -> dict[str, dict[str, list[str]]]:
    """A unit; systemd lets a name come several times, which configparser refuses."""
    text = path.read_text()
    seen: dict[str, int] = {}

    def numbered(found: re.Match[str]) -> str:
        seen[found[1]] = seen.get(found[1], 0) + 1
        return f"{found[1]}#{seen[found[1]]}="

    parser = configparser.ConfigParser(
        delimiters=("=",), comment_prefixes=("#",), interpolation=None, strict=True
    )
    parser.optionxform = str  # type: ignore[assignment,method-assign] # names keep their capitals
    parser.read_string(re.sub(r"^(\w+)=", numbered, text, flags=re.MULTILINE))
    told: dict[str, dict[str, list[str]]] = {}
    for section in parser.sections():
        for name, value in parser[section].items():
            told.setdefault(section, {}).setdefault(name.partition("#")[0], []).append(value)
    return told


def unit_environment(service: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The variables that a unit sets."""
    return dict(shlex.split(line)[0].split("=", 1) for line in service.get("Environment", ()))


def beside_python(name: str) -> str:
    """A program that was installed with the tests."""
    return str(Path(sys.executable).with_name(name))


def parsed(words: list[str]) -> Any:
    """The words of a command as `homestretch` understands them; SystemExit where it does not."""
    return cli._parser(words[0], cli._module(words[0])).parse_args(words)


class ToldRedis:
    """The redis-server of the tests, started by words that stand in a file of deploy/.

    Args:
        words: its arguments: a configuration file, and options that win over it.
        folder: where it keeps its data.
        port: the loopback port on which it listens.
        program: which redis-server.
    """

    def __init__(
        self, words: Sequence[str], folder: Path, port: int, program: Path | None = None
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.port = port
        # Redis goes into each folder that it is told, so only the last may be named.
        there = (words.index("--dir"), words.index("--dir") + 2) if "--dir" in words else (0, 0)
        kept = [*words[: there[0]], *words[there[1] :]]
        self._words = [*kept, "--dir", str(folder), "--bind", "127.0.0.1", "--port", str(port)]
        self._program = program or find_server()
        self.child: subprocess.Popen[bytes] | None = None

    def start(self) -> "ToldRedis":
        """Start it and wait until it answers."""
        with (self.folder / "redis.log").open("ab") as log:
            self.child = subprocess.Popen(
                [self._program, *self._words],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=die_with_parent(),  # noqa: PLW1509 - tests start it from one thread
            )
        await_answer(f"redis://127.0.0.1:{self.port}", self.child)
        return self

    def kill(self) -> None:
        """End it without a chance to write anything."""
        assert self.child is not None
        self.child.kill()
        self.child.wait()

    def stop(self) -> None:
        """End it as an operator does; its exit code must be that of a good end."""
        if self.child is not None and self.child.poll() is None:
            self.child.terminate()
            assert self.child.wait(60) == 0


def shell_blocks(section: str, language: str = "sh") -> list[str]:
    """The blocks of the runbook in a section and those below it."""
    tokens = MarkdownIt().parse((DEPLOY / "runbook.md").read_text())
    found, inside = [], None
    for token, following in pairwise(tokens):
        if token.type == "heading_open":
            if following.content == section:
                inside = token.tag
            elif inside is not None and token.tag <= inside:
                return found
        elif inside is not None and token.type == "fence" and token.info == language:
            found.append(token.content)
    assert inside is not None, f"the runbook has no section {section!r}"
    return found


def run_shell(text: str, env: Mapping[str, str], cwd: Path = ROOT, seconds: float = 120) -> str:
    """What a block of the runbook prints; it must end well.

    `homestretch`, `python3` and `redis-cli` are those of the tests.
    """
    done = subprocess.run(
        ["sh", "-euc", text],
        env=run_env(env),
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def run_env(env: Mapping[str, str]) -> dict[str, str]:
    """The environment of an operator on this machine, with these variables."""
    programs = [str(Path(sys.executable).parent), str(find_server().parent)]
    clean = {key: value for key, value in os.environ.items() if "HOMESTRETCH" not in key}
    path = os.pathsep.join([*programs, clean["PATH"]])
    return {**clean, "PATH": path, "PYTHONPATH": MODULES, **env}
