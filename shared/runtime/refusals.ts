import { Counter } from 'prom-client'
import type { RateName } from './settings.ts'

/** Limits besides the rate limits, which have the names of the settings. */
const LIMITS = [
  'turns',
  'sign_in_queue',
  'requests_at_once',
  'uploads_at_once',
  'streams',
  'storage_full',
  'upload_quota',
] as const

export type Limit = (typeof LIMITS)[number] | RateName

const refused = new Counter({
  name: 'bothy_refused_total',
  help: 'Requests refused because a limit was reached.',
  labelNames: ['limit'],
})
for (const limit of LIMITS) refused.labels(limit).inc(0)

export const countRefusal = (limit: Limit): void => refused.labels(limit).inc()
