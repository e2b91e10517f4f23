-- A piece of a feed that stands in the archive leaves Redis. All or nothing.
-- KEYS  1 feed   2 pieces                                            (of one partition)
-- ARGV  1 its first position   2 its last   3 how it is noted: "<last>|" and its hash
-- Answers  1: done, 0: the feed does not begin there, or would be left empty
local before = redis.call('LRANGE', KEYS[2], -1, -1)[1]
local first = before and tonumber(string.match(before, '^(%d+)|')) + 1 or 1
if first ~= tonumber(ARGV[1]) then return 0 end
local function held(position)
  local id = string.format('%d-0', position)
  return #redis.call('XRANGE', KEYS[1], id, id) == 1
end
local last = tonumber(ARGV[2])
if not (held(first) and held(last) and held(last + 1)) then return 0 end
redis.call('RPUSH', KEYS[2], ARGV[3])
redis.call('XTRIM', KEYS[1], 'MINID', string.format('%d-0', last + 1))
return 1
