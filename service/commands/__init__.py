"""What `homestretch` can do: one module for each subcommand, named like it.

A module has `run(args, settings) -> exit code` and, where it takes arguments,
`add_arguments(parser)`. It is imported only when its subcommand is asked for.
"""


class CommandError(Exception):
    """A failure that its reader can mend: the text is shown alone, without a traceback."""
