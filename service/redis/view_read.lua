-- What a fold asks for, and how far the generation is in the same moment.
-- KEYS  1 at   2 documents   3 an index, or none
-- ARGV  1 partition
--       with an index: 2 from which member on, as ZRANGEBYLEX takes it   3 most members
--       without: 2… ids
-- Answers  {position of the partition, entries applied in all, members, bodies}
local position, applied = 0, 0
local at = redis.call('HGETALL', KEYS[1])
for i = 1, #at, 2 do
  if string.match(at[i], '^%d+$') then applied = applied + tonumber(at[i + 1]) end
  if at[i] == ARGV[1] then position = tonumber(at[i + 1]) end
end
local ids, members = {}, {}
if KEYS[3] then
  members = redis.call('ZRANGEBYLEX', KEYS[3], ARGV[2], '+', 'LIMIT', 0, ARGV[3])
  for i, member in ipairs(members) do ids[i] = string.match(member, '^[^|]*|(.*)$') end
else
  for i = 2, #ARGV do ids[i - 1] = ARGV[i] end
end
if #ids == 0 then return {position, applied, {}, {}} end
return {position, applied, members, redis.call('HMGET', KEYS[2], unpack(ids))}
