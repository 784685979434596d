import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { dirname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as v from 'valibot'
import { isDatabaseUrl } from '#shared/runtime/database-url.ts'
import { bucketFault } from './bucket-address.ts'
import { LOG_LEVELS } from './log.ts'
import { isRedisUrl } from './redis-url.ts'

/** The root folder of the installation, which contains package.json. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..')

export const PASSWORD_ITERATIONS = 600_000

/** An integer within bounds. */
const integer = (least: number, most: number) =>
  v.pipe(
    v.string(),
    v.check(
      text => Number.isInteger(Number(text)) && Number(text) >= least && Number(text) <= most,
      ({ input }) => `an integer from ${least} to ${most} is wanted, not “${input}”`,
    ),
    v.transform(Number),
  )

const ratio = v.pipe(
  v.string(),
  v.check(
    text => text.trim() !== '' && Number(text) >= 0 && Number(text) <= 1,
    ({ input }) => `a number from 0 to 1 is wanted, not “${input}”`,
  ),
  v.transform(Number),
)

/** A list separated by commas or white space. */
const list = (isValid: (entry: string) => boolean, wanted: string) =>
  v.pipe(
    v.string(),
    v.transform(text => text.split(/[\s,]+/).filter(entry => entry !== '')),
    v.checkItems(isValid, ({ input }) => `${wanted} are wanted, not “${input}”`),
    v.readonly(),
  )

const file = v.pipe(
  v.string(),
  v.transform(path => resolve(ROOT, path)),
)

const webAddress = v.pipe(
  v.string(),
  v.check(
    text => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
    ({ input }) => `an http or https address is wanted, not “${input}”`,
  ),
  v.transform(text => new URL(text)),
)

/** A folder as a path, or the address of a bucket. */
const folderOrBucket = v.pipe(
  v.string(),
  v.check(
    text => !text.startsWith('s3:') || bucketFault(text) === undefined,
    ({ input }) => bucketFault(input) ?? '',
  ),
  v.transform(text => (text.startsWith('s3:') ? text : resolve(ROOT, text))),
)

/** A name, or an IPv6 address in brackets; without a port. */
const HOST = /^(?:[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?|\[[0-9a-f:.]+\])$/

const isFilesAddress = (text: string) =>
  text.startsWith('file://') ||
  (text.startsWith('s3:') && URL.canParse(text) && bucketFault(text) === undefined)

/** Shorter keys could be guessed. */
const LEAST_SECRET = 32
const secret = v.pipe(
  v.string(),
  v.minLength(
    LEAST_SECRET,
    ({ input }) => `at least ${LEAST_SECRET} characters are needed, ${input.length} were given`,
  ),
)

const DATABASE_URL_WANTED =
  'postgres://user:password@host:port/database is wanted; several hosts as host1:port,host2:port, with target_session_attrs=read-write or none'

/** Variables of the environment, with their defaults. An empty one counts as missing. */
export const VARIABLES = {
  // No message repeats these two: they have passwords.
  DATABASE_URL: v.pipe(v.string(), v.check(isDatabaseUrl, DATABASE_URL_WANTED)),
  /** Past a pooler, for what needs a session: migrations, the schedule, backups. With it, DATABASE_URL is a pooler's. */
  DATABASE_DIRECT_URL: v.optional(v.pipe(v.string(), v.check(isDatabaseUrl, DATABASE_URL_WANTED))),
  /** Most connections of a process to DATABASE_URL. */
  DATABASE_POOL_SIZE: v.optional(integer(2, 500), '10'),
  REDIS_URL: v.pipe(
    v.string(),
    v.check(
      isRedisUrl,
      'redis://host:port is wanted, or the sentinels as redis+sentinel://host1:port,host2:port/name; rediss encrypts; Redis Cluster is not supported',
    ),
  ),
  LOG_LEVEL: v.optional(
    v.pipe(
      v.string(),
      v.check(
        text => LOG_LEVELS.includes(text),
        ({ input }) => `debug, info, warn or error is wanted, not “${input}”`,
      ),
    ),
    'info',
  ),
  /** Prefix of every Redis key, so that several installations (and tests) can share one Redis. */
  REDIS_PREFIX: v.optional(v.string(), 'bothy:'),
  /** TCP port of this process; 0 takes a free port. */
  PORT: v.optional(integer(0, 65_535), '0'),
  /** TCP port of GET /metrics of this process (shared/runtime/metrics.ts); without it there are no metrics. */
  METRICS_PORT: v.optional(integer(1, 65_535)),
  /** `file:///…`, or `s3://bucket/prefix?endpoint=…&region=…` (shared/runtime/bucket-address.ts). */
  FILES_URL: v.optional(
    v.pipe(
      v.string(),
      v.check(isFilesAddress, 'file:///folder or s3://bucket/prefix?endpoint=https://…&region=… is wanted'),
    ),
    pathToFileURL(resolve(ROOT, '.data/files')).href,
  ),
  SETTINGS_FILE: v.optional(file, 'settings.json'),
  /** The STUN responder's public port; without it, the setting `stun_port` applies. */
  STUN_PORT: v.optional(integer(1, 65_535)),
  /** Addresses to listen on; without any, all, but serving only the local network. */
  STUN_BIND: v.optional(
    list(entry => isIP(entry) !== 0, 'addresses'),
    '',
  ),
  STUN_WORKERS: v.optional(integer(1, 64), '1'),
  /** The address in the users' browsers, if known: decides `Secure` cookies and the accepted `Origin`. */
  PUBLIC_URL: v.optional(webAddress),
  /** Port of the front door, for links in the log without PUBLIC_URL. */
  PUBLISHED_PORT: v.optional(integer(1, 65_535), '3000'),
  /** Further host names under which requests are served (shared/http/hosts.ts). */
  ALLOWED_HOSTS: v.optional(
    v.pipe(
      v.string(),
      v.toLowerCase(),
      list(host => HOST.test(host), 'host names without a port'),
    ),
    '',
  ),
  /** The certificate of an own authority, for /trust: a file, or an http address (services/api/pages/authority.ts). */
  AUTHORITY_CERTIFICATE: v.optional(v.string()),
  /** Number of trusted proxies in front: express' `trust proxy`. */
  TRUST_PROXY: v.optional(integer(0, 10), '0'),
  /** Id of a run of the whole stack, set by its starter; see shared/service-start/service-membership.ts. */
  STACK_ID: v.optional(v.string()),
  /** Folder or bucket of the nightly backups; without it the janitor makes none. */
  BACKUP_DIR: v.optional(folderOrBucket),
  /** With a bucket: folder of this machine for uploads in progress; without it, one for temporary files. */
  INCOMING_DIR: v.optional(file),
  /** Keys of the bucket in FILES_URL or BACKUP_DIR. */
  AWS_ACCESS_KEY_ID: v.string(),
  AWS_SECRET_ACCESS_KEY: v.string(),
  AWS_SESSION_TOKEN: v.optional(v.string()),
  /** Encrypts backups. */
  BACKUP_PASSPHRASE: v.optional(v.string()),
  /** Collector of traces by OTLP over HTTP; without it there are none (shared/runtime/tracing.ts). */
  OTEL_EXPORTER_OTLP_ENDPOINT: v.optional(webAddress),
  /** Part of the traces that is sent. */
  OTEL_TRACES_SAMPLER_ARG: v.optional(ratio, '1'),
  /** PBKDF2 iterations; lower than the default only for tests and load runs. */
  PASSWORD_ITERATIONS: v.optional(integer(1, 5_000_000), String(PASSWORD_ITERATIONS)),
}

export type Config = ReturnType<typeof readConfig>

/** Variables of every process. */
const COMMON = ['LOG_LEVEL', 'METRICS_PORT'] as const

/** Mistakes of the operator, in words. */
export class ConfigurationError extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`Configuration:\n  ${faults.join('\n  ')}`)
    this.faults = faults
  }
}

/** The only reader of the environment. Reports all faults together (style 18). */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const faults: string[] = []
  const variables = variablesIn(env, faults, [
    'DATABASE_URL',
    'DATABASE_DIRECT_URL',
    'DATABASE_POOL_SIZE',
    'REDIS_URL',
    'REDIS_PREFIX',
    'PORT',
    'FILES_URL',
    'SETTINGS_FILE',
    'STUN_PORT',
    'PUBLIC_URL',
    'PUBLISHED_PORT',
    'ALLOWED_HOSTS',
    'AUTHORITY_CERTIFICATE',
    'TRUST_PROXY',
    'STACK_ID',
    'PASSWORD_ITERATIONS',
    ...COMMON,
  ])
  const secrets = {
    /** Signs session cookies and form tokens. */
    sessionSecret: sessionSecret(env, faults),
    /** A former `sessionSecret`: its signatures are accepted, and renewed with the current one. */
    previousSessionSecret: previousSessionSecret(env, faults),
  }
  throwFaults(faults)
  return Object.freeze({
    databaseUrl: variables.DATABASE_URL,
    /** Where a connection is a session of the server; undefined where those of `databaseUrl` are. */
    databaseDirectUrl: variables.DATABASE_DIRECT_URL,
    databasePoolSize: variables.DATABASE_POOL_SIZE,
    redisUrl: variables.REDIS_URL,
    redisPrefix: variables.REDIS_PREFIX,
    port: variables.PORT,
    filesUrl: variables.FILES_URL,
    settingsFile: variables.SETTINGS_FILE,
    stunPort: variables.STUN_PORT,
    publicUrl: variables.PUBLIC_URL,
    /** Where people reach this server, as far as it is known. */
    address: variables.PUBLIC_URL?.origin ?? `http://localhost:${variables.PUBLISHED_PORT}`,
    allowedHosts: variables.ALLOWED_HOSTS,
    authorityCertificate: variables.AUTHORITY_CERTIFICATE,
    trustProxy: variables.TRUST_PROXY,
    stackId: variables.STACK_ID,
    passwordIterations: variables.PASSWORD_ITERATIONS,
    ...secrets,
  })
}

/** The address to listen on; undefined means all, as in a container. */
export const readHost = (env: NodeJS.ProcessEnv = process.env): string | undefined =>
  env['LISTEN_HOST'] || undefined

/** The configuration of a process without stores. */
export function readPort(env: NodeJS.ProcessEnv = process.env): number {
  return checkedVariables(env, ['PORT']).PORT
}

/** The port of GET /metrics; undefined without metrics. */
export function readMetricsPort(env: NodeJS.ProcessEnv = process.env): number | undefined {
  return checkedVariables(env, ['METRICS_PORT']).METRICS_PORT
}

export function readTracingConfig(env: NodeJS.ProcessEnv = process.env) {
  const variables = checkedVariables(env, ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_TRACES_SAMPLER_ARG'])
  return { endpoint: variables.OTEL_EXPORTER_OTLP_ENDPOINT, ratio: variables.OTEL_TRACES_SAMPLER_ARG }
}

/** The configuration of `previews`: no database, no session secret, no files. */
export function readCardsConfig(env: NodeJS.ProcessEnv = process.env) {
  const variables = checkedVariables(env, ['REDIS_URL', 'REDIS_PREFIX', 'PORT', 'SETTINGS_FILE', ...COMMON])
  return {
    redisUrl: variables.REDIS_URL,
    redisPrefix: variables.REDIS_PREFIX,
    port: variables.PORT,
    settingsFile: variables.SETTINGS_FILE,
  }
}

/** The configuration of `thumbnails`: no database, no session secret, no settings. */
export function readThumbnailsConfig(env: NodeJS.ProcessEnv = process.env) {
  const variables = checkedVariables(env, ['REDIS_URL', 'REDIS_PREFIX', 'PORT', 'FILES_URL', ...COMMON])
  return {
    redisUrl: variables.REDIS_URL,
    redisPrefix: variables.REDIS_PREFIX,
    port: variables.PORT,
    filesUrl: variables.FILES_URL,
  }
}

/** The folder of backups where BACKUP_DIR is not set, beside the other data of `npm start`. */
export const backupFolderIn = (dataFolder: string): string => resolve(dataFolder, 'backups')

/** Where the janitor keeps backups, and how. */
export function readBackupConfig(env: NodeJS.ProcessEnv = process.env) {
  const variables = checkedVariables(env, ['BACKUP_DIR', 'BACKUP_PASSPHRASE'])
  return { address: variables.BACKUP_DIR, passphrase: variables.BACKUP_PASSPHRASE }
}

export interface BucketKeys {
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string | undefined
}

/** The keys of a bucket; wanted only where an address is one. */
export function readBucketKeys(env: NodeJS.ProcessEnv = process.env): BucketKeys {
  const variables = checkedVariables(env, ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'])
  return {
    accessKeyId: variables.AWS_ACCESS_KEY_ID,
    secretAccessKey: variables.AWS_SECRET_ACCESS_KEY,
    sessionToken: variables.AWS_SESSION_TOKEN,
  }
}

/** Where uploads in progress lie before a bucket has them. */
export const readIncomingFolder = (env: NodeJS.ProcessEnv = process.env): string | undefined =>
  checkedVariables(env, ['INCOMING_DIR']).INCOMING_DIR

export type StunConfig = ReturnType<typeof readStunConfig>

/** The configuration of the STUN responder, which has no stores. */
export function readStunConfig(env: NodeJS.ProcessEnv = process.env) {
  const variables = checkedVariables(env, [
    'SETTINGS_FILE',
    'STUN_PORT',
    'STUN_BIND',
    'STUN_WORKERS',
    'PORT',
    ...COMMON,
  ])
  return {
    settingsFile: variables.SETTINGS_FILE,
    /** Set by the environment, since a container's port is published outside too. */
    udpPort: variables.STUN_PORT,
    bind: variables.STUN_BIND,
    workers: variables.STUN_WORKERS,
  }
}

type Variables = { [Name in keyof typeof VARIABLES]: v.InferOutput<(typeof VARIABLES)[Name]> }

function checkedVariables<Name extends keyof Variables>(env: NodeJS.ProcessEnv, names: readonly Name[]) {
  const faults: string[] = []
  const variables = variablesIn(env, faults, names)
  throwFaults(faults)
  return variables
}

function throwFaults(faults: string[]) {
  if (faults.length > 0) throw new ConfigurationError(faults)
}

/** The result is complete only without faults. */
function variablesIn<Name extends keyof Variables>(
  env: NodeJS.ProcessEnv,
  faults: string[],
  names: readonly Name[],
): Pick<Variables, Name> {
  const found: Partial<Record<string, unknown>> = {}
  for (const name of names) {
    const value = textOf(env, name, faults)
    const parsed = v.safeParse(VARIABLES[name], value)
    if (parsed.success) found[name] = parsed.output
    else faults.push(value === undefined ? `${name} is missing` : `${name}: ${parsed.issues[0].message}`)
  }
  return found as Pick<Variables, Name>
}

/** Variables that may be in a file, named by `<name>_FILE`. */
export const SECRETS = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'REDIS_URL',
  'BACKUP_PASSPHRASE',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
]

function textOf(env: NodeJS.ProcessEnv, name: keyof Variables, faults: string[]) {
  // An empty prefix is a choice.
  if (name === 'REDIS_PREFIX') return env[name]
  const isSecret = SECRETS.includes(name)
  return env[name] || (isSecret ? fileContent(env[`${name}_FILE`], faults) : undefined) || undefined
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
      // A full disk leaves an empty file, which the next start would read.
      rmSync(path, { force: true })
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

function longEnough(name: string, value: string, faults: string[]) {
  const parsed = v.safeParse(secret, value)
  if (!parsed.success) faults.push(`${name}: ${parsed.issues[0].message}`)
  return value
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
