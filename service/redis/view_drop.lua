-- The live generation is marked invalid; one that is being built is given up.
-- KEYS  1 meta      ARGV  1 generation
local live = redis.call('HGET', KEYS[1], 'live')
if live == ARGV[1] then
  redis.call('HSET', KEYS[1], 'invalid', ARGV[1])
elseif redis.call('HEXISTS', KEYS[1], 'v' .. ARGV[1]) == 1 then
  redis.call('HSET', KEYS[1], 'left' .. ARGV[1], '1')
  redis.call('HDEL', KEYS[1], 'v' .. ARGV[1])
end
return 1
