-- Takes tokens of all limits, or of none.
--   KEYS[i]        counter of the i-th limit: tokens taken in its window; expires with the window
--   ARGV[3i-2]     tokens to take
--   ARGV[3i-1]     tokens in a window
--   ARGV[3i]       seconds a window lasts
--   returns        0 if taken, otherwise the milliseconds until the exceeded limit resets
local wait = 0
for i, key in ipairs(KEYS) do
  local taken = tonumber(redis.call('get', key) or '0')
  if taken + tonumber(ARGV[3 * i - 2]) > tonumber(ARGV[3 * i - 1]) then
    local left = redis.call('pttl', key)
    if left < 0 then left = ARGV[3 * i] * 1000 end
    wait = math.max(wait, left, 1)
  end
end
if wait > 0 then return wait end
for i, key in ipairs(KEYS) do
  local tokens = tonumber(ARGV[3 * i - 2])
  if redis.call('incrby', key, tokens) == tokens then redis.call('expire', key, ARGV[3 * i]) end
end
return 0
