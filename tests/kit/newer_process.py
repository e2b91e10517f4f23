"""A part of a newer release as a process; see tests.kit.api_process."""

import sys

from tests.kit.releases import install, newer

if __name__ == "__main__":
    install(newer(with_old_code=False))
    from tests.kit.api_process import main

    sys.exit(main(*sys.argv[1:]))
