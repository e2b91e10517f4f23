-- A new generation, unless another is live than the caller saw or one of its version is being built.
-- KEYS  1 meta      ARGV  1 version   2 the generation that the caller saw live, '' for none
-- Answers  the generation's number, or false
local live = redis.call('HGET', KEYS[1], 'live') or ''
if live ~= ARGV[2] then return false end
local meta = redis.call('HGETALL', KEYS[1])
for i = 1, #meta, 2 do
  local number = string.match(meta[i], '^v(%d+)$')
  if number and number ~= live and meta[i + 1] == ARGV[1] then return tonumber(number) end
end
local number = redis.call('HINCRBY', KEYS[1], 'last', 1)
redis.call('HSET', KEYS[1], string.format('v%d', number), ARGV[1])
return number
