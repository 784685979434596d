import { readPort } from '#shared/kernel/config.ts'
import { Health, healthServer } from '#shared/kernel/health.ts'
import { listener, run } from '#shared/kernel/lifecycle.ts'

const health = new Health()

// The tasks come with what they tidy up: calls, signals, reset tokens, orphaned files.
await run([listener(healthServer(health), readPort()), { name: 'health', stop: () => health.drain() }])
