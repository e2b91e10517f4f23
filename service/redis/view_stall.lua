-- A partition of a generation stands still.
-- KEYS  1 meta   2 at      ARGV  1 generation   2 partition   3 the note
if redis.call('HEXISTS', KEYS[1], 'v' .. ARGV[1]) == 1 then
  redis.call('HSET', KEYS[2], 's' .. ARGV[2], ARGV[3])
end
return 1
