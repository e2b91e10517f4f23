-- How far the archive has looked at a feed: never back.
-- KEYS  1 passed      ARGV  1 position
if tonumber(redis.call('GET', KEYS[1]) or '0') < tonumber(ARGV[1]) then
  redis.call('SET', KEYS[1], ARGV[1])
end
return 1
