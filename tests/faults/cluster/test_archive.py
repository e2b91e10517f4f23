"""Old logs move from a Cluster as they do from one Redis: the same cases, unchanged."""

from tests.service.archive.test_archiving import (  # noqa: F401 - collected here
    folder,
    log,
    test_a_log_that_has_moved_takes_no_event_and_no_snapshot_of_it_is_left,
    test_a_second_walk_finds_nothing_and_goes_on_when_a_meeting_ends,
    test_of_two_machines_that_share_no_folder_one_alone_gets_the_archive,
    test_readers_see_every_line_while_logs_move,
    test_two_movers_at_once_do_what_one_does,
    test_what_is_damaged_is_refused_said_and_healed_by_the_right_file,
)
