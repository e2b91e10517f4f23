-- Put a new value in the place of an old one in one step.
-- KEYS: 1 the record
-- ARGV: 1 the old value ('' for none yet)  2 the new value
-- Answers 1, or 0 where something else stands there. The new value already there is a success: the
-- answer to an earlier call was lost on its way.
local now = redis.call('GET', KEYS[1]) or ''
if now == ARGV[2] then return 1 end
if now ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
return 1
