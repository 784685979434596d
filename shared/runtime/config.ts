import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { dirname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** The root folder of the installation, which contains package.json. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..')

export interface Config {
  databaseUrl: string
  redisUrl: string
  /** Prefix of every Redis key, so that several installations (and tests) can share one Redis. */
  redisPrefix: string
  /** TCP port of this process; 0 takes a free port. */
  port: number
  /** Signs session cookies and form tokens. */
  sessionSecret: string
  /** A former `sessionSecret`: its signatures are accepted, and renewed with the current one. */
  previousSessionSecret: string | undefined
  /** `file:///…` */
  filesUrl: string
  settingsFile: string
  /** The STUN responder's public port, from STUN_PORT; else the setting `stun_port` applies. */
  stunPort: number | undefined
  /** The address in the users' browsers, if known: decides `Secure` cookies and the accepted `Origin`. */
  publicUrl: URL | undefined
  /** Further host names, in lower case, under which requests are served (shared/http/hosts.ts). */
  allowedHosts: readonly string[]
  /** Number of trusted proxies in front: express' `trust proxy`. */
  trustProxy: number
  /** Id of a run of the whole stack, set by its starter; see shared/notices/service-start.ts. */
  stackId: string | undefined
  /** PBKDF2 iterations; lower than the default only for tests and load runs. */
  passwordIterations: number
}

export const PASSWORD_ITERATIONS = 600_000

/** The only reader of the environment. Reports all faults together (style 18). */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Readonly<Config> {
  const faults: string[] = []
  const config: Config = {
    databaseUrl: required(env, 'DATABASE_URL', faults),
    redisUrl: required(env, 'REDIS_URL', faults),
    redisPrefix: env['REDIS_PREFIX'] ?? 'bothy:',
    port: integer(env, 'PORT', 0, 0, 65_535, faults),
    sessionSecret: sessionSecret(env, faults),
    previousSessionSecret: previousSessionSecret(env, faults),
    filesUrl: filesUrl(env, faults),
    settingsFile: settingsFile(env),
    stunPort: stunPort(env, faults),
    publicUrl: url(env, 'PUBLIC_URL', faults),
    allowedHosts: allowedHosts(env, faults),
    trustProxy: integer(env, 'TRUST_PROXY', 0, 0, 10, faults),
    stackId: env['STACK_ID'] || undefined,
    passwordIterations: integer(env, 'PASSWORD_ITERATIONS', PASSWORD_ITERATIONS, 1, 5_000_000, faults),
  }
  if (faults.length > 0) throw new Error(`Configuration:\n  ${faults.join('\n  ')}`)
  return Object.freeze(config)
}

/** The address to listen on; undefined means all, as in a container. */
export const readHost = (env: NodeJS.ProcessEnv = process.env): string | undefined =>
  env['LISTEN_HOST'] || undefined

/** The configuration of a process without stores. */
export function readPort(env: NodeJS.ProcessEnv = process.env): number {
  const faults: string[] = []
  const port = integer(env, 'PORT', 0, 0, 65_535, faults)
  if (faults.length > 0) throw new Error(`Configuration:\n  ${faults.join('\n  ')}`)
  return port
}

interface WorkerConfig {
  redisUrl: string
  redisPrefix: string
  port: number
}

/** The configuration of `previews`: no database, no session secret, no files. */
export function readCardsConfig(
  env: NodeJS.ProcessEnv = process.env,
): WorkerConfig & { settingsFile: string } {
  return { ...readWorkerConfig(env), settingsFile: settingsFile(env) }
}

/** The configuration of `thumbnails`: no database, no session secret, no settings. */
export function readThumbnailsConfig(
  env: NodeJS.ProcessEnv = process.env,
): WorkerConfig & { filesUrl: string } {
  const faults: string[] = []
  return { ...readWorkerConfig(env, faults), filesUrl: checked(filesUrl(env, faults), faults) }
}

function readWorkerConfig(env: NodeJS.ProcessEnv, faults: string[] = []): WorkerConfig {
  const config = {
    redisUrl: required(env, 'REDIS_URL', faults),
    redisPrefix: env['REDIS_PREFIX'] ?? 'bothy:',
    port: integer(env, 'PORT', 0, 0, 65_535, faults),
  }
  return checked(config, faults)
}

function checked<T>(config: T, faults: string[]): T {
  if (faults.length > 0) throw new Error(`Configuration:\n  ${faults.join('\n  ')}`)
  return config
}

export interface StunConfig {
  settingsFile: string
  /** Set by the environment, since a container's port is published outside too. */
  udpPort: number | undefined
  /** Addresses to listen on; if empty, all, but serving only the local network. */
  bind: readonly string[]
  workers: number
}

/** The configuration of the STUN responder, which has no stores. */
export function readStunConfig(env: NodeJS.ProcessEnv = process.env): StunConfig {
  const faults: string[] = []
  const bind = (env['STUN_BIND'] ?? '').split(/[\s,]+/).filter(address => address !== '')
  for (const address of bind) {
    if (!isIP(address)) faults.push(`STUN_BIND: addresses are wanted, not “${address}”`)
  }
  const config = {
    settingsFile: settingsFile(env),
    udpPort: stunPort(env, faults),
    bind,
    workers: integer(env, 'STUN_WORKERS', 1, 1, 64, faults),
  }
  if (faults.length > 0) throw new Error(`Configuration:\n  ${faults.join('\n  ')}`)
  return config
}

function filesUrl(env: NodeJS.ProcessEnv, faults: string[]) {
  const address = env['FILES_URL'] ?? pathToFileURL(resolve(ROOT, '.data/files')).href
  if (!address.startsWith('file://')) faults.push('FILES_URL: a file:// address is wanted')
  return address
}

const settingsFile = (env: NodeJS.ProcessEnv) => resolve(ROOT, env['SETTINGS_FILE'] || 'settings.json')

/** Undefined if the setting `stun_port` applies. */
function stunPort(env: NodeJS.ProcessEnv, faults: string[]) {
  return env['STUN_PORT'] ? integer(env, 'STUN_PORT', 0, 1, 65_535, faults) : undefined
}

function required(env: NodeJS.ProcessEnv, name: string, faults: string[]) {
  const value = env[name] || fileContent(env[`${name}_FILE`], faults)
  if (!value) faults.push(`${name} is missing`)
  return value ?? ''
}

function fileContent(path: string | undefined, faults: string[]) {
  if (!path) return undefined
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (err) {
    faults.push(`${path} cannot be read: ${(err as Error).message}`)
    return undefined
  }
}

function integer(
  env: NodeJS.ProcessEnv,
  name: string,
  fallback: number,
  least: number,
  most: number,
  faults: string[],
) {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (Number.isInteger(value) && value >= least && value <= most) return value
  faults.push(`${name}: an integer from ${least} to ${most} is wanted, not “${text}”`)
  return fallback
}

function url(env: NodeJS.ProcessEnv, name: string, faults: string[]) {
  const text = env[name]
  if (!text) return undefined
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text)
  faults.push(`${name}: an http or https address is wanted, not “${text}”`)
  return undefined
}

/** From the environment or a file; generated and stored on the first start. */
function sessionSecret(env: NodeJS.ProcessEnv, faults: string[]) {
  if (env['SESSION_SECRET']) return longEnough('SESSION_SECRET', env['SESSION_SECRET'], faults)
  const path = resolve(ROOT, env['SESSION_SECRET_FILE'] || '.data/session-secret')
  try {
    mkdirSync(dirname(path), { recursive: true })
    // Two processes may start at once: the second one reads the first one's file.
    writeFileSync(path, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 })
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'EEXIST') {
      faults.push(`SESSION_SECRET is missing and ${path} cannot be written: ${(err as Error).message}`)
      return ''
    }
  }
  return longEnough(`SESSION_SECRET_FILE (${path})`, readFileSync(path, 'utf8').trim(), faults)
}

function previousSessionSecret(env: NodeJS.ProcessEnv, faults: string[]) {
  const given = env['SESSION_SECRET_PREVIOUS']
  if (given) return longEnough('SESSION_SECRET_PREVIOUS', given, faults)
  const path = env['SESSION_SECRET_PREVIOUS_FILE']
  // Deployments name the file before it exists: the first key rotation creates it.
  if (!path || !existsSync(path)) return undefined
  return longEnough(`SESSION_SECRET_PREVIOUS_FILE (${path})`, fileContent(path, faults) ?? '', faults)
}

/** Shorter keys could be guessed. */
const LEAST_SECRET = 32

function longEnough(name: string, secret: string, faults: string[]) {
  if (secret.length < LEAST_SECRET) {
    faults.push(`${name}: at least ${LEAST_SECRET} characters are needed, ${secret.length} were given`)
  }
  return secret
}

/** A name, or an IPv6 address in brackets; without a port. */
const HOST = /^(?:[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?|\[[0-9a-f:.]+\])$/

function allowedHosts(env: NodeJS.ProcessEnv, faults: string[]) {
  const hosts = (env['ALLOWED_HOSTS'] ?? '')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(host => host !== '')
  for (const host of hosts) {
    if (!HOST.test(host)) faults.push(`ALLOWED_HOSTS: host names without a port are wanted, not “${host}”`)
  }
  return hosts
}
