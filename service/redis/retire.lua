-- A log that stands in the archive leaves Redis; its head stays and says so. All or nothing.
-- The first write frees memory, so that this works where memory is full.
-- KEYS  1 log   2 head   3 snapshot                                  (of one partition)
-- ARGV  1 version   2 hash (32 bytes) of the head that the archived log ends in
-- Answers  1: done, 0: it was before, -1: the log has another head or length now
local head = redis.call('HMGET', KEYS[2], 'v', 'h', 'a')
if head[1] ~= ARGV[1] or head[2] ~= ARGV[2] then return -1 end
if head[3] then return 0 end
if redis.call('XLEN', KEYS[1]) ~= tonumber(ARGV[1]) then return -1 end
redis.call('DEL', KEYS[1], KEYS[3])
redis.call('HSET', KEYS[2], 'a', '1')
return 1
