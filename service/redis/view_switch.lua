-- Readers turn to another generation, unless it is behind the one they use.
-- KEYS  1 meta   2 at of the new one   3 at of the live one
-- ARGV  1 new generation   2 live generation   3 number of partitions
-- Answers  1, or 0 where nothing was changed
local meta = redis.call('HMGET', KEYS[1], 'live', 'v' .. ARGV[1], 'invalid')
if meta[1] ~= ARGV[2] or not meta[2] then return 0 end
if meta[3] ~= ARGV[2] then
  for partition = 0, tonumber(ARGV[3]) - 1 do
    local field = string.format('%d', partition)
    local new = tonumber(redis.call('HGET', KEYS[2], field) or '0')
    if new < tonumber(redis.call('HGET', KEYS[3], field) or '0') then return 0 end
  end
end
redis.call('HSET', KEYS[1], 'live', ARGV[1], 'left' .. ARGV[2], '1')
redis.call('HDEL', KEYS[1], 'v' .. ARGV[2], 'invalid')
return 1
