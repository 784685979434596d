import { randomBytes } from 'node:crypto'
import { chownSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { runToEnd, temporaryFolder } from '../processes/children.ts'
import { fail } from '../processes/fail.ts'
import { freePort } from '../processes/free-port.ts'
import { createCluster, programsFor, type Serving, serveWhenFree } from './postgres.ts'
import { LOCAL_TLS } from './redis-sentinels.ts'
import type { Served } from './restart-store.ts'
import { silence } from './silence.ts'
import { type Account, privateFolder, storeAccount } from './store-account.ts'

/** Time for the standby to connect, and for its promotion. */
const WITHIN = 60_000

export interface PostgresPair {
  /** Both servers in one address. */
  url: string
  primaryUrl: string
  standbyUrl: string
  killPrimary(): Promise<void>
  /** The primary neither answers nor closes a connection, until the returned function is called. */
  silencePrimary(): () => void
  /** The former primary comes back, unaware of its successor. */
  startFormerPrimary(): Promise<void>
  /** Returns when the standby takes writes. */
  promote(): Promise<void>
  stop(): Promise<void>
}

/**
 * A primary and a streaming standby, for tests. A commit is acknowledged when the standby shows it. The package has no
 * pg_basebackup, so the standby begins as a copy of the stopped primary. `isEncrypted`: `url` asks for encrypted connections,
 * which need the authority in LOCAL_TLS.
 */
export async function startPostgresPair({ isEncrypted = false } = {}): Promise<PostgresPair> {
  const account = storeAccount()
  const { path: place, remove } = temporaryFolder('bothy-postgres-pair-')
  privateFolder(place, account)
  const programs = await programsFor(account, place)
  const password = randomBytes(18).toString('base64url')
  const encryption = isEncrypted ? encryptionIn(place, account) : []
  const common = { programs, account, password }
  const ofPrimary: Serving = {
    ...common,
    data: join(place, 'a'),
    log: join(place, 'a.log'),
    settings: ['fsync=off', ...encryption],
    port: await freePort(),
  }
  const running = new Set<Served>()
  const serve = async (serving: Serving) => {
    const served = await serveWhenFree(serving)
    running.add(served)
    return served
  }
  const end = async (served: Served, how: 'stop' | 'kill') => {
    running.delete(served)
    await served[how]()
  }
  const resumes = new Set<() => void>()
  const stop = async () => {
    for (const resume of resumes) resume()
    await Promise.all([...running].map(served => end(served, 'kill')))
    remove()
  }
  try {
    await createCluster(programs, ofPrimary.data, account, password, ['--no-sync'])
    await end(await serve(ofPrimary), 'stop')
    const ofStandby = {
      ...ofPrimary,
      data: join(place, 'b'),
      log: join(place, 'b.log'),
      port: await freePort(),
    }
    const copied = await runToEnd('cp', ['-a', ofPrimary.data, ofStandby.data])
    if (!copied.ok) fail(copied.output)
    rmSync(join(ofStandby.data, 'postmaster.pid'), { force: true })
    const signal = join(ofStandby.data, 'standby.signal')
    writeFileSync(signal, '')
    if (account) chownSync(signal, account.uid, account.gid)
    const synchronous = ['synchronous_commit=remote_apply', 'synchronous_standby_names=b']
    const primary = await serve({ ...ofPrimary, settings: [...ofPrimary.settings, ...synchronous] })
    const source = `host=127.0.0.1 port=${ofPrimary.port} user=bothy password=${password} application_name=b`
    const standby = await serve({
      ...ofStandby,
      settings: [...ofStandby.settings, `primary_conninfo=${source}`],
    })
    await until(primary.url, `select sync_state = 'sync' as yes from pg_stat_replication`)
    return {
      url: `postgres://bothy:${password}@127.0.0.1:${ofPrimary.port},127.0.0.1:${ofStandby.port}/bothy?target_session_attrs=read-write${isEncrypted ? '&sslmode=verify-full' : ''}`,
      primaryUrl: primary.url,
      standbyUrl: standby.url,
      killPrimary: () => end(primary, 'kill'),
      silencePrimary: () => {
        const resume = silence(primary.pid)
        resumes.add(resume)
        return resume
      },
      startFormerPrimary: async () => void (await serve(ofPrimary)),
      promote: () => until(standby.url, 'select pg_promote(true, 30) as yes'),
      stop,
    }
  } catch (err) {
    await stop()
    throw err
  }
}

function encryptionIn(place: string, account: Account | undefined): string[] {
  const file = join(place, 'tls.pem')
  writeFileSync(file, readFileSync(LOCAL_TLS), { mode: 0o600 })
  if (account) chownSync(file, account.uid, account.gid)
  return ['ssl=on', `ssl_cert_file=${file}`, `ssl_key_file=${file}`]
}

async function until(url: string, question: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const last = Date.now() + WITHIN; ; await pause(50)) {
      const { rows } = await client.query<{ yes: boolean }>(question)
      if (rows[0]?.yes) return
      if (Date.now() > last) fail(`PostgreSQL never said yes to: ${question}`)
    }
  } finally {
    await client.end()
  }
}
