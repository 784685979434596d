-- Stores a link card with its picture; evicts the oldest cards beyond the limit.
--   KEYS[1]  list of the ids of cards, oldest first
--   KEYS[2]  the card: hash of `card`, its JSON, and `picture`, the id of its picture or empty
--   KEYS[3]  the picture: its bytes
--   ARGV     1 id of the card, 2 its JSON, 3 id of the picture or empty, 4 its bytes, 5 seconds both live,
--            6 cards kept at most, 7 and 8 key prefixes of cards and of pictures
--   returns  the number of cards
local function forget(id)
  local picture = redis.call('hget', ARGV[7] .. id, 'picture')
  if picture and picture ~= '' then redis.call('del', ARGV[8] .. picture) end
  redis.call('del', ARGV[7] .. id)
end

forget(ARGV[1])
redis.call('hset', KEYS[2], 'card', ARGV[2], 'picture', ARGV[3])
redis.call('expire', KEYS[2], ARGV[5])
if ARGV[3] ~= '' then redis.call('set', KEYS[3], ARGV[4], 'ex', ARGV[5]) end

redis.call('lrem', KEYS[1], 0, ARGV[1])
redis.call('rpush', KEYS[1], ARGV[1])
if redis.call('llen', KEYS[1]) > tonumber(ARGV[6]) then
  -- Expired cards take no place.
  for _, id in ipairs(redis.call('lrange', KEYS[1], 0, -1)) do
    if redis.call('exists', ARGV[7] .. id) == 0 then redis.call('lrem', KEYS[1], 0, id) end
  end
end
while redis.call('llen', KEYS[1]) > tonumber(ARGV[6]) do forget(redis.call('lpop', KEYS[1])) end
return redis.call('llen', KEYS[1])
