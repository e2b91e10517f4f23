-- Keeps a snapshot unless a later one is kept. One of the same version is replaced: its form may be
-- a newer release's.
-- KEYS  1 snapshot      ARGV  1 version   2 value, which begins with "<version>|"
local kept = string.match(redis.call('GETRANGE', KEYS[1], 0, 20), '^(%d+)|')
if kept and tonumber(kept) > tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
return 1
