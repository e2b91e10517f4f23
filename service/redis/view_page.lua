-- A part of an index with its documents, all as of one moment.
-- KEYS  1 index   2 documents
-- ARGV  1 '' or the member behind which it begins   2 most members   3 '1' for backwards, else '0'
-- Answers  {members, bodies, members smaller than the first, members of smaller sort keys}
local members
if ARGV[3] == '1' then
  local from = ARGV[1] == '' and '+' or '(' .. ARGV[1]
  members = redis.call('ZREVRANGEBYLEX', KEYS[1], from, '-', 'LIMIT', 0, ARGV[2])
else
  local from = ARGV[1] == '' and '-' or '(' .. ARGV[1]
  members = redis.call('ZRANGEBYLEX', KEYS[1], from, '+', 'LIMIT', 0, ARGV[2])
end
if #members == 0 then return {{}, {}, 0, 0} end
local ids = {}
for i, member in ipairs(members) do ids[i] = string.match(member, '^[^|]*|(.*)$') end
return {
  members,
  redis.call('HMGET', KEYS[2], unpack(ids)),
  redis.call('ZLEXCOUNT', KEYS[1], '-', '(' .. members[1]),
  redis.call('ZLEXCOUNT', KEYS[1], '-', '(' .. string.match(members[1], '^[^|]*|')),
}
