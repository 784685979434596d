import { readPort } from '#shared/kernel/config.ts'
import { Health, healthServer } from '#shared/kernel/health.ts'
import { listener, run } from '#shared/kernel/lifecycle.ts'

const health = new Health()

// The worker itself comes with the previews; until then a preview is asked for and none is found.
await run([listener(healthServer(health), readPort()), { name: 'health', stop: () => health.drain() }])
