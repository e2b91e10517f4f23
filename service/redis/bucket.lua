-- Take tokens out of a bucket that fills by itself up to its size; the time is that of Redis.
-- KEYS: 1 the bucket (hash: n tokens, t when that was so, in ms)
-- ARGV: 1 its size  2 milliseconds in which an empty one fills  3 how many tokens are asked for
-- Answers {taken, whole tokens left, ms until one more is there}.
local size, window, asked = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local kept = redis.call('HMGET', KEYS[1], 'n', 't')
local tokens, at = tonumber(kept[1]) or size, tonumber(kept[2]) or now
tokens = math.min(size, tokens + math.max(0, now - at) * size / window)
local taken = math.min(asked, math.floor(tokens))
tokens = tokens - taken
redis.call('HSET', KEYS[1], 'n', string.format('%.6f', tokens), 't', string.format('%.0f', now))
redis.call('PEXPIRE', KEYS[1], window)
local left = math.floor(tokens)
return {taken, left, math.ceil((left + 1 - tokens) * window / size)}
