import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { faultsOfEntries } from '#shared/runtime/allow-list.ts'
import { ROOT, secretIn } from '#shared/runtime/config.ts'
import { DEFAULTS, type Settings, SettingsFault, settingsFrom, settingsIn } from '#shared/runtime/settings.ts'
import { type Fault, unusable } from '#shared/runtime/variables.ts'
import { type Finding, fault, good, ofFault, skipped, warning, whyNot } from './finding.ts'
import { examineFolder } from './folders.ts'
import { usableValue } from './variables.ts'

/** settings.json: the same reader as that of the processes. */
export function examineSettings(file: string, env: NodeJS.ProcessEnv): Finding[] {
  const part = 'settings'
  if (!existsSync(file)) {
    // The image names a file that an office may do without.
    if (!env['SETTINGS_FILE'] || env['PUBLISHED_PORT']) return [good(part, `no ${file}: all defaults`)]
    const next = 'Correct it, or make the file: until then all defaults apply.'
    return [ofFault(part, 'warning')(unusable('SETTINGS_FILE', file, 'the file does not exist', next))]
  }
  try {
    const { settings, faults } = settingsIn(readFileSync(file, 'utf8'), file)
    faults.push(...faultsOfEntries('preview_allow', settings), ...faultsOfEntries('hooks_allow', settings))
    return faults.length === 0 ? [good(part, `${file} is usable`)] : faults.map(ofFault(part, 'warning'))
  } catch (err) {
    if (err instanceof SettingsFault) return [ofFault(part)(err.fault)]
    const next = 'Correct its rights: at the next start all defaults would apply.'
    return [fault(part, `${file} cannot be read: ${whyNot(err)}`, next)]
  }
}

/** The key of the session cookies, and who can read it. */
export function examineSecrets(env: NodeJS.ProcessEnv, file: string): Finding[] {
  const part = 'secrets'
  // A short one is told with the other variables.
  if (env['SESSION_SECRET'])
    return usableValue(env, 'SESSION_SECRET') === undefined
      ? [skipped(part, 'SESSION_SECRET is not usable')]
      : [good(part, 'the session key is long enough, and private')]
  if (!existsSync(file))
    return [
      warning(
        part,
        `${file} is missing: the next start makes a key, with which former sessions end`,
        'Nothing on a new server; else bring the file back from a backup.',
      ),
    ]
  const faults: Fault[] = []
  secretIn('SESSION_SECRET', file, faults)
  if (faults.length > 0) return faults.map(ofFault(part))
  // In a container, the volume decides who may read it.
  const isPrivate = env['PUBLISHED_PORT'] || (statSync(file).mode & 0o007) === 0
  if (!isPrivate) return [warning(part, `everybody on this machine may read ${file}`, `chmod 600 ${file}`)]
  return [good(part, 'the session key is long enough, and private')]
}

/** The data folder that BOTHY_DATA names; without it that of the clone is made at the first start. */
export async function examineData(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const text = env['BOTHY_DATA']
  const path = usableValue(env, 'BOTHY_DATA')
  if (!text || path === undefined) return []
  return [await examineFolder({ part: 'data', variable: 'BOTHY_DATA', text, path })]
}

/** The front door: answers if bothy runs here, else its ports are free. */
export async function examinePorts(address: string | undefined, env: NodeJS.ProcessEnv): Promise<Finding[]> {
  if (address !== undefined) return [await answering(address)]
  // In a container, people come through another one.
  if (env['PUBLISHED_PORT']) return [skipped('ports', 'the front door is another container')]
  return [
    await examinePort('PORT', env['PORT'] ? usableValue(env, 'PORT') : 3000),
    await examinePort('METRICS_PORT', usableValue(env, 'METRICS_PORT')),
  ].flat()
}

async function examinePort(variable: 'PORT' | 'METRICS_PORT', port: number | undefined): Promise<Finding[]> {
  if (port === undefined) return []
  if (await isFree(port)) return [good('ports', `TCP ${port} is free`)]
  const next =
    variable === 'PORT'
      ? 'Set another one; npm start else takes the next free one.'
      : 'Set another one: the process ends without it.'
  return [
    ofFault('ports', 'warning')(unusable(variable, String(port), 'another program has this port', next)),
  ]
}

async function answering(address: string): Promise<Finding> {
  try {
    const response = await fetch(new URL('/readyz?stores', address), { signal: AbortSignal.timeout(5_000) })
    const text = (await response.text()).trim()
    if (response.ok) return good('front door', `${address} answers`)
    return fault('front door', `${address}: ${text}`, 'See the logs of the processes, and this list.')
  } catch (err) {
    return fault('front door', `${address} does not answer: ${whyNot(err)}`, 'See the logs of the processes.')
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
  return usableValue(env, 'STUN_PORT') ?? givenSettings(env)?.stun_port ?? DEFAULTS.stun_port
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
