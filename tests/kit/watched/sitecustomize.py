"""Read first by every Python that a test starts: this folder is on its PYTHONPATH.

Where one becomes an API process, in whatever way it was started, its app is wrapped in `Checked`
(tests.kit.answers), and what it answers against the document ends in a file of the folder that
UNDECLARED_ANSWERS names. All other processes import nothing for it.
"""

import os
import sys
from typing import Any

MODULE = "service.http.app"


class Wrapping:
    """A finder that finds nothing; it lets the one module be found as usual, and wraps what it has.

    Args:
        folder: where faults are written.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def find_spec(self, name: str, _path: Any = None, _target: Any = None) -> Any:
        """As `sys.meta_path` has it."""
        if name != MODULE:
            return None
        from importlib.util import find_spec

        sys.meta_path.remove(self)  # type: ignore[arg-type]
        spec = find_spec(name)
        assert spec is not None
        assert spec.loader is not None
        run = spec.loader.exec_module

        def run_and_wrap(module: Any) -> None:
            run(module)
            module.create_app = self._checked(module.create_app)

        spec.loader.exec_module = run_and_wrap  # type: ignore[method-assign]
        return spec

    def _checked(self, create_app: Any) -> Any:
        def create_checked_app(deps: Any) -> Any:
            from pathlib import Path

            from tests.kit.answers import FAULTS, Checked

            return Checked(create_app(deps), Path(self._folder) / FAULTS)

        return create_checked_app


if told := os.environ.get("UNDECLARED_ANSWERS"):
    sys.meta_path.insert(0, Wrapping(told))  # type: ignore[arg-type]
