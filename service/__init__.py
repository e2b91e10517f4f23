"""Everything that waits, fails or is configured: HTTP, jobs, the log in Redis, the command line."""
