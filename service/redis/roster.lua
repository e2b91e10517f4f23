-- Brings the roster of one partition on: some meetings join, some are over.
-- KEYS  1 roster
-- ARGV  1 position of the feed before, -1 to write the roster anew   2 position after
--       3 how many join, then these, then those that are over
-- Answers  1, also where another reactor has brought it further; 0 where it is lost or behind: then
--          the caller writes it anew.
local before, after = tonumber(ARGV[1]), tonumber(ARGV[2])
if before < 0 then
  redis.call('DEL', KEYS[1])
else
  local at = tonumber(redis.call('HGET', KEYS[1], '@') or '-1')
  if at < before then return 0 end
  if at > after then return 1 end
end
local last_to_join = 3 + tonumber(ARGV[3])
for i = 4, #ARGV do
  if i <= last_to_join then
    redis.call('HSET', KEYS[1], ARGV[i], '')
  else
    redis.call('HDEL', KEYS[1], ARGV[i])
  end
end
redis.call('HSET', KEYS[1], '@', ARGV[2])
return 1
