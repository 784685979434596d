import { openRedis } from '#shared/stores/redis.ts'
import { type Finding, fault, good, reasonOf, warning } from './finding.ts'

const OLDEST = 6
const ANSWERS_WITHIN = 5_000

/** Redis: version, memory policy and durability. */
export async function examineRedis(url: string | undefined): Promise<Finding[]> {
  if (url === undefined)
    return [
      fault('redis', 'REDIS_URL is not set, and npm start does not run here', 'Start bothy, or set it.'),
    ]
  const redis = openRedis(url)
  try {
    // Not connectRedis: a service waits for its stores, a command says that they are away.
    await Promise.race([redis.connect(), late()])
    const info = await redis.info()
    return examine(
      Object.fromEntries(info.split(/\r?\n/).map(line => line.split(':', 2) as [string, string])),
    )
  } catch (err) {
    return [fault('redis', `Redis cannot be used: ${reasonOf(err)}`, 'Look at its log, and at REDIS_URL.')]
  } finally {
    redis.disconnect()
  }
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
