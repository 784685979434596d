-- Claims a stream slot of a user, or renews the claim.
--   KEYS[1]  slots of the user: sorted set, stream id scored by the claim's expiry in seconds
--   ARGV     1 stream id, 2 now, 3 seconds a claim lasts, 4 slots per user
--   returns  1 claimed, 0 all taken
redis.call('zremrangebyscore', KEYS[1], '-inf', ARGV[2])
if not redis.call('zscore', KEYS[1], ARGV[1]) and redis.call('zcard', KEYS[1]) >= tonumber(ARGV[4]) then return 0 end
redis.call('zadd', KEYS[1], ARGV[2] + ARGV[3], ARGV[1])
redis.call('expire', KEYS[1], ARGV[3])
return 1
