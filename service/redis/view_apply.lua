-- A batch's changes and its partition's checkpoint: both or neither.
-- A script that fails midway keeps what it wrote. So every check stands before the first write, the
-- first write is an HSET that changes nothing (a full memory, a replica or a failed disk refuses the
-- whole), and the checkpoint moves last: what is done twice until then is done once.
--
-- KEYS  1 meta   2 at   3 documents   4 names of indexes   5… the indexes that are changed
-- ARGV  1 generation   2 partition   3 first   4 last position   5 revision, '' for none
--       6 mark of the last entry, '' for none
--       7 number of bodies, then that many id, body
--       then number of ids to remove, then those ids
--       then for each index of KEYS its name, number of members to add, those, number to drop, those
-- Answers  'APPLIED', 'SKIP', 'GAP', 'STALE', 'GONE'

if redis.call('HEXISTS', KEYS[1], 'v' .. ARGV[1]) == 0 then return 'GONE' end
local at = redis.call('HGET', KEYS[2], ARGV[2])
local position = tonumber(at or '0')
local first = tonumber(ARGV[3])
if first <= position then return 'SKIP' end
if first ~= position + 1 then return 'GAP' end
if ARGV[5] ~= '' then
  local applied, all = 0, redis.call('HGETALL', KEYS[2])
  for i = 1, #all, 2 do
    if string.match(all[i], '^%d+$') then applied = applied + tonumber(all[i + 1]) end
  end
  if applied ~= tonumber(ARGV[5]) then return 'STALE' end
end

local next_argument = 7
local function take()
  next_argument = next_argument + 1
  return ARGV[next_argument - 1]
end

redis.call('HSET', KEYS[2], ARGV[2], at or '0')
for _ = 1, tonumber(take()) do
  local id = take()
  redis.call('HSET', KEYS[3], id, take())
end
for _ = 1, tonumber(take()) do redis.call('HDEL', KEYS[3], take()) end
for i = 5, #KEYS do
  local name = take()
  redis.call('SADD', KEYS[4], name)
  for _ = 1, tonumber(take()) do redis.call('ZADD', KEYS[i], '0', take()) end
  for _ = 1, tonumber(take()) do redis.call('ZREM', KEYS[i], take()) end
  if redis.call('EXISTS', KEYS[i]) == 0 then redis.call('SREM', KEYS[4], name) end
end
redis.call('HDEL', KEYS[2], 's' .. ARGV[2])
if ARGV[6] == '' then
  redis.call('HDEL', KEYS[2], 'm' .. ARGV[2])
  redis.call('HSET', KEYS[2], ARGV[2], ARGV[4])
else
  redis.call('HSET', KEYS[2], 'm' .. ARGV[2], ARGV[6], ARGV[2], ARGV[4])
end
return 'APPLIED'
