import { readPort } from '#shared/kernel/config.ts'
import { Health, healthServer } from '#shared/kernel/health.ts'
import { listener, run } from '#shared/kernel/lifecycle.ts'

const health = new Health()

// The responder on UDP comes with the calls that need it.
await run([listener(healthServer(health), readPort()), { name: 'health', stop: () => health.drain() }])
