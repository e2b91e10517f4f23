-- The events of one command: all of them or none.
-- A script that fails midway keeps what it wrote. So every check stands before the first write, and
-- the first write is an XADD: a full memory, a replica or a failed disk refuses the whole.
--
-- KEYS  1 log   2 head   3 key   4 feed                              (of one partition)
-- ARGV  1 expected version   2 expected hash (32 bytes)   3 command id   4 fingerprint
--       5 seconds that the command id is known   6 meeting
--       then for each event its canonical line and its hash (32 bytes)
-- Answers  {'OK', first, last}  {'KNOWN', first, last}  {'REUSED'}  {'AHEAD', version}
--          {'DIVERGED', what is wrong}

local known = redis.call('GET', KEYS[3])
if known then
  local fingerprint, first, last = string.match(known, '^(.*)|(%d+)|(%d+)$')
  if fingerprint ~= ARGV[4] then return {'REUSED'} end
  return {'KNOWN', tonumber(first), tonumber(last)}
end

local head = redis.call('HMGET', KEYS[2], 'v', 'h', 'a')
local version = tonumber(head[1] or '0')
local expected = tonumber(ARGV[1])
if version > expected then return {'AHEAD', version} end
if version < expected then return {'DIVERGED', 'it is behind its writer'} end
if (head[2] or string.rep('\0', 32)) ~= ARGV[2] then
  return {'DIVERGED', 'it has another history than its writer'}
end
if head[3] then return {'DIVERGED', 'it stands in the archive'} end
if redis.call('XLEN', KEYS[1]) ~= version then
  return {'DIVERGED', 'its stream and its head differ'}
end

-- The number is read by name and not from the length: it outlives a feed that was cut short.
local position = 0
local feed = redis.pcall('XINFO', 'STREAM', KEYS[4])
if feed.err then
  if not string.find(feed.err, 'no such key', 1, true) then return feed end
else
  for i = 1, #feed, 2 do
    if feed[i] == 'last-generated-id' then
      position = tonumber(string.match(feed[i + 1], '^%d+'))
    end
  end
end

local count = (#ARGV - 6) / 2
local function id(number) return string.format('%d-0', number) end
redis.call('XADD', KEYS[1], id(version + 1), 'd', ARGV[7], 'h', ARGV[8], 'c', ARGV[3])
for i = 2, count do
  redis.call('XADD', KEYS[1], id(version + i), 'd', ARGV[5 + 2 * i], 'h', ARGV[6 + 2 * i])
end
redis.call('XADD', KEYS[4], id(position + 1),
  'm', ARGV[6], 'v', string.format('%d', version + 1), 'n', string.format('%d', count))
redis.call('HSET', KEYS[2], 'v', string.format('%d', version + count), 'h', ARGV[#ARGV])
redis.call('SET', KEYS[3],
  string.format('%s|%d|%d', ARGV[4], version + 1, version + count), 'EX', ARGV[5])
return {'OK', version + 1, version + count}
