-- Takes tokens of all limits, or of none.
--   KEYS[i]        counter of the i-th limit: tokens taken in its window; expires with the window
--   ARGV[3i-2]     tokens to take
--   ARGV[3i-1]     tokens in a window
--   ARGV[3i]       seconds a window lasts
--   returns        {wait, taken 1, left 1, taken 2, left 2, …}: wait is 0 if taken, otherwise the milliseconds until the exceeded limit
--                  resets; then of each limit the tokens taken in its window, and the milliseconds until that ends
local wait = 0
local standing = { 0 }
for i, key in ipairs(KEYS) do
  local taken = tonumber(redis.call('get', key) or '0')
  if taken + tonumber(ARGV[3 * i - 2]) > tonumber(ARGV[3 * i - 1]) then
    local left = redis.call('pttl', key)
    if left < 0 then left = ARGV[3 * i] * 1000 end
    wait = math.max(wait, left, 1)
  end
end
standing[1] = wait
for i, key in ipairs(KEYS) do
  local taken
  if wait > 0 then
    taken = tonumber(redis.call('get', key) or '0')
  else
    local tokens = tonumber(ARGV[3 * i - 2])
    taken = redis.call('incrby', key, tokens)
    if taken == tokens then redis.call('expire', key, ARGV[3 * i]) end
  end
  local left = redis.call('pttl', key)
  if left < 0 then left = ARGV[3 * i] * 1000 end
  standing[2 * i] = taken
  standing[2 * i + 1] = left
end
return standing
