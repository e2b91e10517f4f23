"""How single games are drawn: one module for each, named as the game's folder, found by that name.

A module may have any of the functions of `service.terminal.plain` under the same name and with the
same meaning; what it has not is drawn plainly.
"""
