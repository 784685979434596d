import { randomUUID } from 'node:crypto'
import type { TestedHookPayload } from '#shared/domain/payloads/hooks-out.ts'
import type { Milliseconds } from '#shared/domain/units.ts'
import { sendOutgoing } from '#shared/jobs/outgoing-job.ts'
import { requestOf } from '#shared/jobs/webhook-request.ts'
import type { Config } from '#shared/runtime/config.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { secretsUnder } from '#shared/stores/secrets.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { purposeOf } from './make-hook.ts'
import type { HookRow } from './queries.ts'

const TIMEOUT: Milliseconds = 10_000

/** Sends one event `test`, which is no delivery, and tells what came back. */
export async function testHook(stores: Stores, config: Config, hook: HookRow): Promise<TestedHookPayload> {
  const secrets = secretsUnder(config)
  const secret = secrets.open(hook.secret_enc, purposeOf(hook.id, 'secret'))
  const verifyToken = secrets.open(hook.verify_token_enc, purposeOf(hook.id, 'verify_token'))
  if (secret === null || verifyToken === null)
    throw errors.coded(
      409,
      'conflict',
      'The secret cannot be read with the key of this server: make a new one.',
    )
  const now = stores.clock.now()
  const { headers, body } = requestOf(
    { format: hook.format, secrets: [secret], verifyToken },
    randomUUID(),
    {
      type: 'test',
      timestamp: new Date(now * 1_000).toISOString(),
      data: { id: 0, channel: 'test', sender: hook.bot, content: 'A test of bothy.', ts: now },
    },
    now,
    new URL(config.address).host,
  )
  const started = performance.now()
  const answer = await sendOutgoing(stores, 'test', {
    url: hook.url,
    method: 'POST',
    headers,
    body: Buffer.from(body).toString('base64'),
    timeout_ms: TIMEOUT,
    guard: 'hooks',
  })
  const ms = Math.round(performance.now() - started)
  return 'error' in answer ? { status: null, ms, error: answer.error } : { status: answer.status, ms }
}
