import type { Redis } from 'ioredis'
import { reasonOf, unusable } from '#shared/runtime/variables.ts'
import { openRedis } from '#shared/stores/redis.ts'
import { whileRunning } from '../environment.ts'
import { type Finding, fault, good, ofFault, skipped, warning, whyNot } from './finding.ts'
import { usableValue } from './variables.ts'

const OLDEST = 6
const ANSWERS_WITHIN = 5_000

/** Redis: version, memory policy and durability; and the addresses of the processes with users of their own. */
export async function examineRedisServers(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const findings = await Promise.all([
    examineMain(env),
    ...(['PREVIEWS_REDIS_URL', 'THUMBNAILS_REDIS_URL'] as const).map(name => examineOther(env, name)),
  ])
  return findings.flat()
}

async function examineMain(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const isGiven = env['REDIS_URL'] || env['REDIS_URL_FILE']
  const url = isGiven ? usableValue(env, 'REDIS_URL') : whileRunning('redis-url')
  if (url === undefined)
    return isGiven
      ? [skipped('redis', 'its address is not usable')]
      : [fault('redis', 'REDIS_URL is not set, and npm start does not run here', 'Start bothy, or set it.')]
  return withRedis('REDIS_URL', url, async redis => {
    const info = await redis.info()
    return examine(
      Object.fromEntries(info.split(/\r?\n/).map(line => line.split(':', 2) as [string, string])),
    )
  })
}

async function examineOther(
  env: NodeJS.ProcessEnv,
  name: 'PREVIEWS_REDIS_URL' | 'THUMBNAILS_REDIS_URL',
): Promise<Finding[]> {
  const url = usableValue(env, name)
  if (url === undefined) return []
  return withRedis(name, url, async redis => {
    await redis.ping()
    return [good('redis', `${name} is usable`)]
  })
}

type Name = 'REDIS_URL' | 'PREVIEWS_REDIS_URL' | 'THUMBNAILS_REDIS_URL'

async function withRedis(
  name: Name,
  url: string,
  work: (redis: Redis) => Promise<Finding[]>,
): Promise<Finding[]> {
  const redis = openRedis(url)
  // `connect` itself says no more than that the connection is closed.
  let reason: Error | undefined
  for (const event of ['error', 'sentinelError'])
    redis.on(event, (err: Error) => {
      if (!/^All sentinels are unreachable/.test(err.message)) reason ??= err
    })
  try {
    // Not connectRedis: a service waits for its stores, a command says that they are away.
    await Promise.race([redis.connect(), late()])
    return await work(redis)
  } catch (err) {
    return [unreachable(name, url, reason ?? err)]
  } finally {
    redis.disconnect()
  }
}

const REFUSES = /^(WRONGPASS|NOAUTH|NOPERM|ERR (AUTH|invalid password|Client sent AUTH))/

function unreachable(name: Name, url: string, err: unknown): Finding {
  const { message = '' } = err as Error
  const [reason, next] = REFUSES.test(message)
    ? [`Redis refuses user or password (${reasonOf(err)})`, `Correct user and password in ${name}.`]
    : [
        `Redis cannot be used: ${whyNot(err)}`,
        `Correct host and port in ${name}, or start Redis; see its log.`,
      ]
  return ofFault('redis')(unusable(name, url, reason, next))
}

const late = () =>
  new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('no answer within 5 s')), ANSWERS_WITHIN).unref()
  })

/** From the lines of INFO. */
export function examine(info: Record<string, string | undefined>): Finding[] {
  const version = info['redis_version'] ?? '?'
  const findings: Finding[] = []
  if (info['cluster_enabled'] === '1')
    findings.push(fault('redis', `Redis ${version} is a cluster node`, 'Use one primary, or Redis Sentinel.'))
  else if (Number.parseInt(version, 10) < OLDEST)
    findings.push(fault('redis', `Redis ${version}`, `Use Redis ${OLDEST} or later, or Valkey.`))
  else findings.push(good('redis', `Redis ${version}`))

  const policy = info['maxmemory_policy']
  if (policy !== undefined && policy !== 'noeviction' && info['maxmemory'] !== '0')
    findings.push(
      fault(
        'redis memory',
        `maxmemory-policy is ${policy}: sessions and waiting jobs may vanish`,
        'Set maxmemory-policy noeviction.',
      ),
    )
  else if (info['maxmemory'] === '0')
    findings.push(
      warning(
        'redis memory',
        'there is no limit (maxmemory)',
        'Set maxmemory, below the memory of its machine or container.',
      ),
    )
  else findings.push(good('redis memory', `${info['used_memory_human']} of ${info['maxmemory_human']}`))

  if (info['aof_enabled'] === '1' && info['aof_last_write_status'] !== 'ok')
    findings.push(
      fault('redis disk', 'the last write of the append-only file failed', 'Make room on its disk.'),
    )
  else if (info['aof_enabled'] === '1')
    findings.push(good('redis disk', 'sessions survive a restart (appendonly)'))
  else
    findings.push(
      warning('redis disk', 'a restart of Redis signs everybody out (appendonly no)', 'Set appendonly yes.'),
    )
  return findings
}
