-- Readers turn to another generation, unless it is behind the one they use; that one and whatever
-- older one is still being built are given up.
-- KEYS  1 meta   2 at of the new one   3 at of the live one (of the new one where none is live)
-- ARGV  1 new generation   2 live generation, '' for none   3 number of partitions
-- Answers  1, or 0 where nothing was changed
local live = redis.call('HGET', KEYS[1], 'live') or ''
if live ~= ARGV[2] or redis.call('HEXISTS', KEYS[1], 'v' .. ARGV[1]) == 0 then return 0 end
if live ~= '' and redis.call('HGET', KEYS[1], 'invalid') ~= live then
  for partition = 0, tonumber(ARGV[3]) - 1 do
    local field = string.format('%d', partition)
    local new = tonumber(redis.call('HGET', KEYS[2], field) or '0')
    if new < tonumber(redis.call('HGET', KEYS[3], field) or '0') then return 0 end
  end
end
local meta = redis.call('HGETALL', KEYS[1])
redis.call('HSET', KEYS[1], 'live', ARGV[1])
for i = 1, #meta, 2 do
  local number = string.match(meta[i], '^v(%d+)$')
  if number and (number == live or tonumber(number) < tonumber(ARGV[1])) then
    redis.call('HSET', KEYS[1], 'left' .. number, '1')
    redis.call('HDEL', KEYS[1], 'v' .. number)
  end
end
redis.call('HDEL', KEYS[1], 'invalid')
return 1
