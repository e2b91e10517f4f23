-- What the store says it is; an empty one becomes a log.
-- KEYS  1 meta      ARGV  1 how many keys other masters hold   then field, value … of a new store
-- Answers  the fields and values kept, or {} where the store holds things but no log
local meta = redis.call('HGETALL', KEYS[1])
if #meta == 0 and redis.call('DBSIZE') + ARGV[1] == 0 then
  for i = 2, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
  meta = redis.call('HGETALL', KEYS[1])
end
return meta
