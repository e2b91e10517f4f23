-- A partition of a generation stands still, unless it has passed that position meanwhile.
-- KEYS  1 meta   2 at      ARGV  1 generation   2 partition   3 position   4 the note
if redis.call('HEXISTS', KEYS[1], 'v' .. ARGV[1]) == 1
    and tonumber(redis.call('HGET', KEYS[2], ARGV[2]) or '0') < tonumber(ARGV[3]) then
  redis.call('HSET', KEYS[2], 's' .. ARGV[2], ARGV[4])
end
return 1
