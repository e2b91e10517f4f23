-- The floor of one command: a version check, then each event to the meeting's stream, and a full
-- copy to the partition's feed.
--
-- KEYS  1 the meeting's stream   2 the feed
-- ARGV  1 expected version, -1 for any   2 meeting   then one event each
-- Answers the new version, or -version - 1 where it is another than expected.

local version = redis.call('XLEN', KEYS[1])
local expected = tonumber(ARGV[1])
if expected >= 0 and expected ~= version then return -version - 1 end
for i = 3, #ARGV do
  version = version + 1
  redis.call('XADD', KEYS[1], version .. '-0', 'e', ARGV[i])
  redis.call('XADD', KEYS[2], '*', 'm', ARGV[2], 'v', version, 'e', ARGV[i])
end
return version
