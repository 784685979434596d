import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import {
  contentOf,
  type Fault,
  inWords,
  PASSWORD_ITERATIONS,
  ROOT,
  reasonOf,
  shownOf,
  VARIABLES,
  type VariableName,
  variablesIn,
} from './variables.ts'

export { PASSWORD_ITERATIONS, ROOT }

export type Config = ReturnType<typeof readConfig>

/** Variables of every process: those that its parts read are checked with the others, so that all faults are told at once. */
const COMMON = ['PORT', 'LISTEN_HOST', 'METRICS_PORT', 'LOG_LEVEL', 'UV_THREADPOOL_SIZE'] as const

/** Mistakes of the operator, in words. */
export class ConfigurationError extends Error {
  /** Each fault with its next step, in a line. */
  readonly faults: readonly string[]
  readonly details: readonly Fault[]

  constructor(faults: readonly Fault[]) {
    const lines = faults.map(inWords)
    super(`Configuration:\n  ${lines.join('\n  ')}`)
    this.faults = lines
    this.details = faults
  }
}

/** The configuration of `api`. Reports all faults together (style 18). */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const faults: Fault[] = []
  const config = configIn(env, faults)
  bucketFaults(env, faults, [config.filesUrl])
  throwFaults(faults)
  return Object.freeze(config)
}

export type GatewayConfig = ReturnType<typeof readGatewayConfig>

/** The configuration of `events`, which has neither the files, nor the keys of their bucket and of stored secrets. */
export const readGatewayConfig = (env: NodeJS.ProcessEnv = process.env) => ({
  ...readConfig({ ...env, FILES_URL: undefined, SECRETS_KEY: undefined, SECRETS_KEY_FILE: undefined }),
  filesUrl: undefined,
})

/** The configuration of `janitor`, which makes backups too. */
export function readJanitorConfig(env: NodeJS.ProcessEnv = process.env) {
  const faults: Fault[] = []
  const config = configIn(env, faults)
  const { BACKUP_DIR, BACKUP_PASSPHRASE } = variablesIn(env, faults, ['BACKUP_DIR', 'BACKUP_PASSPHRASE'])
  bucketFaults(env, faults, [config.filesUrl, BACKUP_DIR])
  throwFaults(faults)
  return Object.freeze({
    ...config,
    /** Where backups are, and how. */
    backup: { address: BACKUP_DIR, passphrase: BACKUP_PASSPHRASE },
  })
}

function configIn(env: NodeJS.ProcessEnv, faults: Fault[]) {
  const variables = variablesIn(env, faults, [
    'DATABASE_URL',
    'DATABASE_DIRECT_URL',
    'DATABASE_POOL_SIZE',
    'REDIS_URL',
    'REDIS_PREFIX',
    'FILES_URL',
    'SETTINGS_FILE',
    'STUN_PORT',
    'PUBLIC_URL',
    'PUBLISHED_PORT',
    'FRONT_DOOR_HOST',
    'ALLOWED_HOSTS',
    'AUTHORITY_CERTIFICATE',
    'TRUST_PROXY',
    'STACK_ID',
    'PASSWORD_ITERATIONS',
    'SECRETS_KEY',
    ...COMMON,
  ])
  return {
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
    /** Where the front door listens; undefined where another one than that of `npm start` is in front. */
    frontDoorHost: variables.FRONT_DOOR_HOST,
    allowedHosts: variables.ALLOWED_HOSTS,
    authorityCertificate: variables.AUTHORITY_CERTIFICATE,
    trustProxy: variables.TRUST_PROXY,
    stackId: variables.STACK_ID,
    passwordIterations: variables.PASSWORD_ITERATIONS,
    /** Signs session cookies and form tokens. */
    sessionSecret: sessionSecret(env, faults),
    /** A former `sessionSecret`: its signatures are accepted, and renewed with the current one. */
    previousSessionSecret: previousSessionSecret(env, faults),
    /** Encrypts the secrets in the database; undefined where `sessionSecret` does. */
    secretsKey: variables.SECRETS_KEY,
  }
}

/** The address to listen on; undefined means all, as in a container. */
export const readHost = (env: NodeJS.ProcessEnv = process.env): string | undefined =>
  checkedVariables(env, ['LISTEN_HOST']).LISTEN_HOST

/** The port of GET /metrics; undefined without metrics. */
export function readMetricsPort(env: NodeJS.ProcessEnv = process.env): number | undefined {
  return checkedVariables(env, ['METRICS_PORT']).METRICS_PORT
}

/** The configuration of `previews`: no database, no session secret, no files. */
export function readCardsConfig(env: NodeJS.ProcessEnv = process.env) {
  const variables = checkedVariables(env, ['REDIS_URL', 'REDIS_PREFIX', 'SETTINGS_FILE', ...COMMON])
  return {
    redisUrl: variables.REDIS_URL,
    redisPrefix: variables.REDIS_PREFIX,
    port: variables.PORT,
    settingsFile: variables.SETTINGS_FILE,
  }
}

/** The configuration of `previews-pictures`: no database, no session secret, no settings. */
export function readPicturesConfig(env: NodeJS.ProcessEnv = process.env) {
  const faults: Fault[] = []
  const variables = variablesIn(env, faults, ['REDIS_URL', 'REDIS_PREFIX', 'FILES_URL', ...COMMON])
  bucketFaults(env, faults, [variables.FILES_URL])
  throwFaults(faults)
  return {
    redisUrl: variables.REDIS_URL,
    redisPrefix: variables.REDIS_PREFIX,
    port: variables.PORT,
    filesUrl: variables.FILES_URL,
  }
}

/** The folder of backups where BACKUP_DIR is not set, beside the other data of `npm start`. */
export const backupFolderIn = (dataFolder: string): string => resolve(dataFolder, 'backups')

const BUCKET_KEYS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'] as const

export interface BucketKeys {
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string | undefined
}

/** The keys of a bucket; wanted only where an address is one. */
export function readBucketKeys(env: NodeJS.ProcessEnv = process.env): BucketKeys {
  const variables = checkedVariables(env, BUCKET_KEYS)
  return {
    accessKeyId: variables.AWS_ACCESS_KEY_ID,
    secretAccessKey: variables.AWS_SECRET_ACCESS_KEY,
    sessionToken: variables.AWS_SESSION_TOKEN,
  }
}

/** Where uploads in progress lie before a bucket has them. */
export const readIncomingFolder = (env: NodeJS.ProcessEnv = process.env): string | undefined =>
  checkedVariables(env, ['INCOMING_DIR']).INCOMING_DIR

/** The keys of a bucket, and the folder beside it, where one of the addresses is a bucket. */
function bucketFaults(env: NodeJS.ProcessEnv, faults: Fault[], addresses: (string | undefined)[]) {
  if (addresses.some(address => address?.startsWith('s3:')))
    variablesIn(env, faults, [...BUCKET_KEYS, 'INCOMING_DIR'])
}

/** The configuration of the STUN responder, which has no stores. */
export function readStunConfig(env: NodeJS.ProcessEnv = process.env) {
  const variables = checkedVariables(env, [
    'SETTINGS_FILE',
    'STUN_PORT',
    'STUN_BIND',
    'STUN_WORKERS',
    ...COMMON,
  ])
  return {
    settingsFile: variables.SETTINGS_FILE,
    /** Set by the environment, since a container's port is published outside too. */
    udpPort: variables.STUN_PORT,
    bind: variables.STUN_BIND,
    workers: variables.STUN_WORKERS,
    port: variables.PORT,
  }
}

function checkedVariables<Name extends VariableName>(env: NodeJS.ProcessEnv, names: readonly Name[]) {
  const faults: Fault[] = []
  const variables = variablesIn(env, faults, names)
  throwFaults(faults)
  return variables
}

function throwFaults(faults: Fault[]) {
  if (faults.length > 0) throw new ConfigurationError(faults)
}

/** From the environment or a file; generated and stored on the first start. */
function sessionSecret(env: NodeJS.ProcessEnv, faults: Fault[]): string {
  if (env['SESSION_SECRET']) return variablesIn(env, faults, ['SESSION_SECRET']).SESSION_SECRET ?? ''
  const path = resolve(ROOT, env['SESSION_SECRET_FILE'] || '.data/session-secret')
  try {
    mkdirSync(dirname(path), { recursive: true })
    // Two processes may start at once: the second one reads the first one's file.
    writeFileSync(path, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 })
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'EEXIST') {
      removePart(path)
      faults.push({
        found: `SESSION_SECRET_FILE=${path}: the file is missing and cannot be made (${reasonOf(err)}). Allowed: the path of a file that this account may write, or SESSION_SECRET.`,
        next: 'Correct the path, or the rights of its folder.',
      })
      return ''
    }
  }
  return secretIn('SESSION_SECRET', path, faults) ?? ''
}

/** A full disk leaves an empty file, which the next start would read. */
function removePart(path: string) {
  try {
    rmSync(path, { force: true })
  } catch {
    // Its folder cannot be used at all.
  }
}

function previousSessionSecret(env: NodeJS.ProcessEnv, faults: Fault[]): string | undefined {
  const name = 'SESSION_SECRET_PREVIOUS'
  if (env[name]) return variablesIn(env, faults, [name])[name]
  const path = env[`${name}_FILE`]
  // Deployments name the file before it exists: the first key rotation creates it.
  if (!path || !existsSync(path)) return undefined
  return secretIn(name, path, faults)
}

/** The secret in a file, which must be as long as one in the environment. */
export function secretIn(
  name: 'SESSION_SECRET' | 'SESSION_SECRET_PREVIOUS',
  path: string,
  faults: Fault[],
): string | undefined {
  const text = contentOf(`${name}_FILE`, path, faults)
  const { form } = VARIABLES[name]
  if (text !== undefined && form.read(text) === undefined)
    faults.push({
      found: `${name}_FILE=${path}: the file has a key of ${shownOf(name, text)}. Allowed: ${form.allowed}.`,
      next: 'Put a longer key into the file.',
    })
  return text
}
