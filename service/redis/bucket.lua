-- Take tokens out of a bucket that fills by itself, or promise one; the time is that of Redis.
-- A call that gets no token is promised the next one that nobody else is, at a moment in whole
-- seconds from now. Promised tokens are kept for calls that come when a promise is due. So many
-- callers may share a bucket: each that waits as told finds its token.
-- Moments are microseconds since 1970; the bucket is the one at which it will be full, and is gone
-- by then: a full bucket is as one that never was.
--
-- KEYS  1 the bucket (string)   2 its promises (sorted set: a name of no meaning, when it is due)
-- ARGV  1 its size   2 microseconds in which an empty one fills   3 how many tokens are asked for
--       4 how many promises it makes at most
-- Answers {taken, whole tokens left, wait, shut}, the last two in microseconds, see service.limits.

-- A promise is kept for callers that come so late.
local LATE = 2000000
local SECOND = 1000000

local size, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local step = window / size
local clock = redis.call('TIME')
local now = clock[1] * SECOND + clock[2]
local full = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '0'))
local tokens = math.floor((window - (full - now)) / step + 0.000001)
local promised = redis.call('ZCARD', KEYS[2])
local due = 0
if promised > 0 then
  promised = promised - redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - LATE)
  due = redis.call('ZCOUNT', KEYS[2], '-inf', now)
end

local taken = 0
local free = tokens - promised
if free >= 1 then
  -- A part of what is there, so that other processes find some too.
  taken = math.min(tonumber(ARGV[3]), math.max(1, math.floor(free / 8)))
  free = free - taken
elseif due >= 1 and tokens >= 1 then
  redis.call('ZPOPMIN', KEYS[2])
  promised = promised - 1
  taken, free = 1, 0
end
if taken > 0 then
  full = full + taken * step
  redis.call('SET', KEYS[1], string.format('%.2f', full), 'PX', math.ceil((full - now) / 1000))
  return {taken, free, math.ceil(full - window + (promised + free + 1) * step - now), 0}
end

local wait = math.max(0, full - window + (promised + 1) * step - now)
if promised >= tonumber(ARGV[4]) then
  -- Nothing changes before the next promise is due.
  local shut = 0
  if due == 0 then shut = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2] - now end
  return {0, 0, math.ceil(wait), shut}
end
wait = math.max(1, math.ceil(wait / SECOND)) * SECOND
redis.call('ZADD', KEYS[2], string.format('%.0f', now + wait),
  string.format('%.2f', full + promised * step))
redis.call('PEXPIRE', KEYS[2], math.ceil((wait + SECOND + LATE) / 1000))
return {0, 0, wait, 0}
