import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { ROOT, VARIABLES } from '#shared/runtime/config.ts'
import { DEFAULTS, type Settings, settingsFrom } from '#shared/runtime/settings.ts'
import { misspelledVariables } from '#shared/runtime/variable-names.ts'
import { examineBucket } from './bucket.ts'
import { type Finding, fault, good, reasonOf, skipped, warning } from './finding.ts'

const GIB = 2 ** 30
/** Below this, the next large upload or migration may fill a disk. */
const LEAST_FREE = GIB
const LEAST_SECRET = 32

/** The variables of the environment, each in words. */
export function examineVariables(env: NodeJS.ProcessEnv): Finding[] {
  const faults = Object.entries(VARIABLES).flatMap(([name, schema]) => {
    const value = env[name] || undefined
    if (value === undefined) return []
    const parsed = v.safeParse(schema, value)
    return parsed.success ? [] : [`${name}: ${parsed.issues[0].message}`]
  })
  if (faults.length > 0)
    return [fault('variables', faults.join('; '), 'Correct them in .env or the shell, then restart.')]
  const misspelled = misspelledVariables(env)
  if (misspelled.length > 0)
    return [
      warning('variables', misspelled.join(' '), 'Correct the names in .env or the shell, then restart.'),
    ]
  return [good('variables', 'are usable')]
}

/** settings.json: the same reader as that of the processes. */
export function examineSettings(file: string): Finding[] {
  if (!existsSync(file)) return [good('settings', `no ${file}: all defaults`)]
  try {
    const { warnings } = settingsFrom(JSON.parse(readFileSync(file, 'utf8')))
    if (warnings.length === 0) return [good('settings', `${file} is usable`)]
    return [
      warning(
        'settings',
        `${file}: ${warnings.join('; ')}`,
        'Correct these values; until then their defaults apply.',
      ),
    ]
  } catch (err) {
    return [
      fault(
        'settings',
        `${file}: ${reasonOf(err)}`,
        'Correct the file: at the next start all defaults would apply.',
      ),
    ]
  }
}

/** The key of the session cookies, and who can read it. */
export function examineSecrets(env: NodeJS.ProcessEnv, file: string): Finding[] {
  const part = 'secrets'
  const given = env['SESSION_SECRET']
  if (!given && !existsSync(file))
    return [
      warning(
        part,
        `${file} is missing: the next start makes a key, with which former sessions end`,
        'Nothing on a new server; else bring the file back from a backup.',
      ),
    ]
  const text = given ?? readFileSync(file, 'utf8').trim()
  if (text.length < LEAST_SECRET)
    return [
      fault(
        part,
        `the session key has ${text.length} characters`,
        `Make one with at least ${LEAST_SECRET}: openssl rand -base64 32.`,
      ),
    ]
  // In a container, the volume decides who may read it.
  const isPrivate = given || env['PUBLISHED_PORT'] || (statSync(file).mode & 0o007) === 0
  if (!isPrivate) return [warning(part, `everybody on this machine may read ${file}`, `chmod 600 ${file}`)]
  return [good(part, 'the session key is long enough, and private')]
}

/** The folder of the uploads: there, writable, with room. */
export async function examineFiles(filesUrl: string): Promise<Finding[]> {
  const part = 'files'
  if (filesUrl.startsWith('s3:')) return [await examineBucket(part, filesUrl)]
  const folder = fileURLToPath(filesUrl)
  if (!existsSync(folder)) return [skipped(part, `${folder} is made at the first start`)]
  const probe = join(folder, `.doctor-${randomUUID()}`)
  try {
    await writeFile(probe, 'x', { flush: true })
    await rm(probe)
  } catch (err) {
    return [
      fault(
        part,
        `${folder} cannot be written: ${reasonOf(err)}`,
        'Mount it, or give it to the account of the processes.',
      ),
    ]
  }
  return [good(part, `${folder} can be written`), await roomIn('room for files', folder)]
}

export async function roomIn(part: string, folder: string): Promise<Finding> {
  if (!existsSync(folder)) return skipped(part, `${folder} does not exist yet`)
  const { bavail, blocks, bsize } = await statfs(folder)
  const free = bavail * bsize
  const percent = (bavail / blocks) * 100
  const found = `${(free / GIB).toFixed(1)} GiB are free (${percent.toFixed(0)} %) at ${folder}`
  if (free < LEAST_FREE || percent < DEFAULTS.min_free_disk_percent)
    return fault(part, found, 'Make room: below 5 % uploads are refused, and PostgreSQL stops at 0.')
  if (percent < 2 * DEFAULTS.min_free_disk_percent) return warning(part, found, 'Make room, or add a disk.')
  return good(part, found)
}

/** The front door: answers if bothy runs here, else its ports are free. */
export async function examinePorts(address: string | undefined, env: NodeJS.ProcessEnv): Promise<Finding[]> {
  if (address !== undefined) return [await answering(address)]
  // In a container, people come through another one.
  if (env['PUBLISHED_PORT']) return [skipped('ports', 'the front door is another container')]
  const port = Number(env['PORT'] || 3000)
  return [
    (await isFree(port))
      ? good('ports', `TCP ${port} is free`)
      : warning('ports', `TCP ${port} is taken`, 'Set another PORT; npm start else takes the next free one.'),
  ]
}

async function answering(address: string): Promise<Finding> {
  try {
    const response = await fetch(new URL('/readyz?stores', address), { signal: AbortSignal.timeout(5_000) })
    const text = (await response.text()).trim()
    if (response.ok) return good('front door', `${address} answers`)
    return fault('front door', `${address}: ${text}`, 'See the logs of the processes, and this list.')
  } catch (err) {
    return fault(
      'front door',
      `${address} does not answer: ${reasonOf(err)}`,
      'See the logs of the processes.',
    )
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise(done => {
    const server = createServer()
    server.once('error', () => done(false))
    server.listen(port, () => server.close(() => done(true)))
  })
}

/** The UDP port of STUN: that of the environment, else that of settings.json. */
export function stunPortOf(env: NodeJS.ProcessEnv): number {
  return Number(env['STUN_PORT'] || (givenSettings(env)?.stun_port ?? DEFAULTS.stun_port))
}

/** The usable values of settings.json; undefined without a usable file. */
export function givenSettings(env: NodeJS.ProcessEnv): Partial<Settings> | undefined {
  try {
    return settingsFrom(JSON.parse(readFileSync(settingsFileOf(env), 'utf8'))).given
  } catch {
    return undefined
  }
}

export const settingsFileOf = (env: NodeJS.ProcessEnv): string =>
  resolve(ROOT, env['SETTINGS_FILE'] || 'settings.json')
