import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { dirname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bucketFault } from './bucket-address.ts'
import { isDatabaseUrl } from './database-url.ts'
import { isRedisUrl } from './redis-url.ts'

/**
 * The catalogue of variables: which values are allowed, and how a wrong one is told. Processes, `npm start` and `doctor`
 * share it. It imports no package, because `npm start` reads it before packages are installed.
 */

/** The root folder of the installation, which contains package.json. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..')

export const PASSWORD_ITERATIONS = 600_000

/** Levels of LOG_LEVEL. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** The form of a value. */
interface Form<T> {
  /** Completes the sentence “Allowed: …”. */
  allowed: string
  /** undefined for a text that is not of this form. */
  read(text: string): T | undefined
  /** The reason, if more can be said; without secrets. */
  reason?(text: string): string | undefined
}

export interface Variable<T> {
  form: Form<unknown>
  isNeeded: boolean
  /** The text that applies if the variable is missing or empty. */
  byDefault: string | undefined
  /** Type of the value; undefined at run time. */
  value?: T
}

const needed = <T>(form: Form<T>): Variable<T> => ({ form, isNeeded: true, byDefault: undefined })
const optional = <T>(form: Form<T>): Variable<T | undefined> => ({
  form,
  isNeeded: false,
  byDefault: undefined,
})
const withDefault = <T>(form: Form<T>, byDefault: string): Variable<T> => ({
  form,
  isNeeded: false,
  byDefault,
})

const integer = (least: number, most: number): Form<number> => ({
  allowed: `an integer from ${least} to ${most}`,
  read: text => {
    const number = /^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN
    return number >= least && number <= most ? number : undefined
  },
})

/** A list separated by commas or white space. */
const list = (isValid: (entry: string) => boolean, allowed: string): Form<readonly string[]> => ({
  allowed,
  read: text => {
    const entries = text.split(/[\s,]+/).filter(entry => entry !== '')
    return entries.every(isValid) ? entries : undefined
  },
})

const checked = (allowed: string, isValid: (text: string) => boolean): Form<string> => ({
  allowed,
  read: text => (isValid(text) ? text : undefined),
})

const anyText = (allowed: string) => checked(allowed, () => true)

const PATH = /^(?![a-z][a-z0-9+.-]+:)[^\0]+$/i
const isPath = (text: string) => PATH.test(text)

/** A path, relative to the root folder. */
const path = (allowed: string): Form<string> => ({
  allowed,
  read: text => (isPath(text) ? resolve(ROOT, text) : undefined),
})

const webAddress: Form<URL> = {
  allowed: 'an http or https address, such as https://chat.example.org',
  read: text => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    return url && /^https?:$/.test(url.protocol) ? url : undefined
  },
}

const BUCKET = 's3://bucket/prefix?endpoint=https://s3.example.org&region=eu-central-1'

const bucketReason = (text: string) => (text.startsWith('s3:') ? bucketFault(text) : undefined)

const folderOrBucket: Form<string> = {
  reason: bucketReason,
  allowed: `a folder, such as /mnt/backups, or a bucket, such as ${BUCKET}`,
  read: text => {
    if (text.startsWith('s3:')) return bucketFault(text) === undefined ? text : undefined
    return isPath(text) ? resolve(ROOT, text) : undefined
  },
}

const isFolderAddress = (text: string) => {
  try {
    return text.startsWith('file://') && fileURLToPath(text) !== ''
  } catch {
    return false
  }
}

const filesAddress: Form<string> = {
  ...checked(
    `a folder, such as file:///srv/bothy/files, or a bucket, such as ${BUCKET}`,
    text => isFolderAddress(text) || (text.startsWith('s3:') && bucketFault(text) === undefined),
  ),
  reason: bucketReason,
}

const databaseAddress = checked(
  'postgres://user:password@host:port/database; several hosts as host1:port,host2:port, with target_session_attrs=read-write or without it',
  isDatabaseUrl,
)

const redisAddress = checked(
  'redis://user:password@host:port, or the sentinels as redis+sentinel://host1:port,host2:port/name; rediss encrypts; Redis Cluster is not supported',
  isRedisUrl,
)

/** A name, or an IPv6 address in brackets; without a port. */
const HOST = /^(?:[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?|\[[0-9a-f:.]+\])$/

const hostNames: Form<readonly string[]> = {
  ...list(host => HOST.test(host), 'host names without a port, separated by commas'),
  read: text => list(host => HOST.test(host), '').read(text.toLowerCase()),
}

/** Digits and dots alone are an address, and no name. */
const listenHost = checked(
  'an address or host name of this machine, such as 127.0.0.1; 0.0.0.0 or nothing for all',
  text => isIP(text) !== 0 || (/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) && !/^[\d.]+$/.test(text)),
)

/** Shorter keys could be guessed. */
const LEAST_SECRET = 32
const secret = checked(
  `at least ${LEAST_SECRET} characters, such as those of “openssl rand -base64 32”`,
  text => text.length >= LEAST_SECRET,
)

/** Variables of the environment, with their defaults. An empty one counts as missing. */
export const VARIABLES = {
  DATABASE_URL: needed(databaseAddress),
  /** Past a pooler, for what needs a session: migrations, the schedule, backups. With it, DATABASE_URL is a pooler's. */
  DATABASE_DIRECT_URL: optional(databaseAddress),
  /** For restores: a role that may create databases. */
  DATABASE_ADMIN_URL: optional(databaseAddress),
  /** Most connections of a process to DATABASE_URL. */
  DATABASE_POOL_SIZE: withDefault(integer(2, 500), '10'),
  REDIS_URL: needed(redisAddress),
  /** `npm start` with a given Redis: addresses of the two processes that have users of their own. */
  PREVIEWS_REDIS_URL: optional(redisAddress),
  THUMBNAILS_REDIS_URL: optional(redisAddress),
  LOG_LEVEL: withDefault(
    checked('debug, info, warn or error', text => LOG_LEVELS.includes(text)),
    'info',
  ),
  /** Prefix of every Redis key, so that several installations (and tests) can share one Redis. */
  REDIS_PREFIX: withDefault(
    checked('at most 100 letters, digits and signs, without spaces and * ? [ ] \\', text =>
      /^[^\s*?[\]\\\p{Cc}]{0,100}$/u.test(text),
    ),
    'bothy:',
  ),
  /** TCP port of this process; 0 takes a free port. */
  PORT: withDefault(integer(0, 65_535), '0'),
  /** The address to listen on; without it all, as in a container. */
  LISTEN_HOST: optional(listenHost),
  /** Where the front door listens, set by `npm start`: links for people of the office (office-host.ts). */
  FRONT_DOOR_HOST: optional(listenHost),
  /** TCP port of GET /metrics of this process (shared/runtime/metrics.ts); without it there are no metrics. */
  METRICS_PORT: optional(integer(1, 65_535)),
  /** `file:///…`, or `s3://bucket/prefix?endpoint=…&region=…` (shared/runtime/bucket-address.ts). */
  FILES_URL: withDefault(filesAddress, pathToFileURL(resolve(ROOT, '.data/files')).href),
  SETTINGS_FILE: withDefault(path('the path of a file, such as settings.json'), 'settings.json'),
  /** The STUN responder's public port; without it, the setting `stun_port` applies. */
  STUN_PORT: optional(integer(1, 65_535)),
  /** Addresses to listen on; without any, all, but serving only the local network. */
  STUN_BIND: withDefault(
    list(entry => isIP(entry) !== 0, 'IP addresses of this machine, separated by commas; 0.0.0.0,:: for all'),
    '',
  ),
  STUN_WORKERS: withDefault(integer(1, 64), '1'),
  /** The address in the users' browsers, if known: decides `Secure` cookies and the accepted `Origin`. */
  PUBLIC_URL: optional(webAddress),
  /** Port of the front door, for links in the log and the host that hooks are told, without PUBLIC_URL. */
  PUBLISHED_PORT: withDefault(integer(1, 65_535), '3000'),
  /** Further host names under which requests are served (shared/http/hosts.ts). */
  ALLOWED_HOSTS: withDefault(hostNames, ''),
  /** The certificate of an own authority, for /trust (services/api/pages/authority.ts). */
  AUTHORITY_CERTIFICATE: optional(
    checked(
      'the path of a certificate, or an http address of one',
      text => isPath(text) || webAddress.read(text) !== undefined,
    ),
  ),
  /** Number of trusted proxies in front: express' `trust proxy`. */
  TRUST_PROXY: withDefault(integer(0, 10), '0'),
  /** Id of a run of the whole stack, set by its starter; see shared/service-start/service-membership.ts. */
  STACK_ID: optional(anyText('any text')),
  /** Signs session cookies and form tokens; without it, a file has it (config.ts). */
  SESSION_SECRET: optional(secret),
  SESSION_SECRET_PREVIOUS: optional(secret),
  /** Encrypts the secrets in the database; without it, SESSION_SECRET does (shared/stores/secrets.ts). */
  SECRETS_KEY: optional(secret),
  /** Folder or bucket of the nightly backups; without it the janitor makes none. */
  BACKUP_DIR: optional(folderOrBucket),
  /** With a bucket: folder of this machine for uploads in progress; without it, one for temporary files. */
  INCOMING_DIR: optional(path('the path of a folder, such as /var/tmp/bothy')),
  /** Keys of the bucket in FILES_URL or BACKUP_DIR. */
  AWS_ACCESS_KEY_ID: needed(anyText('the id of a key of the bucket')),
  AWS_SECRET_ACCESS_KEY: needed(anyText('a key of the bucket')),
  AWS_SESSION_TOKEN: optional(anyText('a token of the bucket')),
  /** Encrypts backups. */
  BACKUP_PASSPHRASE: optional(anyText('any text')),
  /** Threads of a process for files, name look-ups, compression and password hashes; read by Node. */
  UV_THREADPOOL_SIZE: withDefault(integer(1, 1_024), '4'),
  /** PBKDF2 iterations; lower than the default only for tests and load runs. */
  PASSWORD_ITERATIONS: withDefault(integer(1, 5_000_000), String(PASSWORD_ITERATIONS)),
  /** Data folder of `npm start`. */
  BOTHY_DATA: optional(path('the path of a folder, such as .data')),
} as const

export type VariableName = keyof typeof VARIABLES
export type Variables = {
  [Name in VariableName]: (typeof VARIABLES)[Name] extends Variable<infer T> ? T : never
}

/** Variables that may be in a file, named by `<name>_FILE`. */
export const SECRETS = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_ADMIN_URL',
  'REDIS_URL',
  'SECRETS_KEY',
  'BACKUP_PASSPHRASE',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
] as const satisfies readonly VariableName[]

const isInFile = (name: VariableName) => (SECRETS as readonly string[]).includes(name)

/** A mistake of the operator: both parts are sentences, and have no secrets. */
export interface Fault {
  /** The variable or key, its value, what is wrong, what is allowed. */
  found: string
  /** The next step. */
  next: string
}

export const inWords = ({ found, next }: Fault): string => `${found} ${next}`

/**
 * Returns the values of these variables. Each that is missing or wrong adds to `faults`; the result is complete only
 * without faults.
 */
export function variablesIn<Name extends VariableName>(
  env: NodeJS.ProcessEnv,
  faults: Fault[],
  names: readonly Name[],
): Pick<Variables, Name> {
  const values: Partial<Record<string, unknown>> = {}
  for (const name of names) {
    const { form, isNeeded, byDefault } = VARIABLES[name]
    const given = givenIn(env, name, faults)
    const text = given.text ?? byDefault
    if (text !== undefined) {
      values[name] = form.read(text)
      if (values[name] === undefined) faults.push(wrong(name, text, given.file))
    } else if (isNeeded && !given.isFault) faults.push(missing(name))
  }
  return values as Pick<Variables, Name>
}

/** Faults of the variables that are given; a missing one is none. */
export function faultsOfGiven(env: NodeJS.ProcessEnv): Fault[] {
  const faults: Fault[] = []
  const names = (Object.keys(VARIABLES) as VariableName[]).filter(
    name => env[name] || (isInFile(name) && env[`${name}_FILE`]),
  )
  variablesIn(env, faults, names)
  return faults
}

/** The value of a variable, or the content of the file that `<name>_FILE` names; undefined for neither. */
export function variableText(name: VariableName, env: NodeJS.ProcessEnv = process.env): string | undefined {
  return givenIn(env, name, []).text
}

interface Given {
  text?: string | undefined
  /** The file that has the text. */
  file?: string
  isFault?: boolean
}

function givenIn(env: NodeJS.ProcessEnv, name: VariableName, faults: Fault[]): Given {
  // An empty prefix is a choice.
  if (name === 'REDIS_PREFIX') return { text: env[name] }
  if (env[name]) return { text: env[name] }
  const file = isInFile(name) ? env[`${name}_FILE`] : undefined
  if (!file) return {}
  const text = contentOf(`${name}_FILE`, file, faults)
  return text === undefined ? { isFault: true } : { text, file }
}

/** The content of a file that a variable names, without white space around it; undefined with a fault. */
export function contentOf(variable: string, file: string, faults: Fault[]): string | undefined {
  const fault = (reason: string) =>
    `${variable}=${shown(file)}: ${reason}. Allowed: the path of a file with the value, which this account may read.`
  const next = 'Correct the path, or the rights of the file.'
  try {
    const text = readFileSync(file, 'utf8').trim()
    if (text !== '') return text
    faults.push({ found: fault('the file is empty'), next })
  } catch (err) {
    faults.push({ found: fault(`the file cannot be read (${reasonOf(err)})`), next })
  }
  return undefined
}

/** The fault of a value that is not of the form of its variable. */
function wrong(name: VariableName, text: string, file: string | undefined): Fault {
  const { form, isNeeded } = VARIABLES[name]
  const from = file === undefined ? '' : ` in the file ${shown(file)} of ${name}_FILE`
  const reason = form.reason?.(text)
  const because = reason === undefined ? '' : ` (${shown(reason)})`
  return {
    found: `${name}=${shownOf(name, text)}${from} is not usable${because}. Allowed: ${form.allowed}.`,
    next: isNeeded ? 'Correct it.' : 'Correct or remove it.',
  }
}

/** The fault of a value of the right form which leads to nothing that can be used. */
export function unusable(name: VariableName, text: string, reason: string, next: string): Fault {
  return {
    found: `${name}=${shownOf(name, text)}: ${reason}. Allowed: ${VARIABLES[name].form.allowed}.`,
    next,
  }
}

const missing = (name: VariableName): Fault => ({
  found: `${name} is missing. Allowed: ${VARIABLES[name].form.allowed}.`,
  next: isInFile(name) ? `Set it, or name a file that has it in ${name}_FILE.` : 'Set it.',
})

/** Values that are secrets, or contain them. */
const ADDRESSES: readonly VariableName[] = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_ADMIN_URL',
  'REDIS_URL',
  'PREVIEWS_REDIS_URL',
  'THUMBNAILS_REDIS_URL',
]
const KEYS: readonly VariableName[] = [
  'SESSION_SECRET',
  'SESSION_SECRET_PREVIOUS',
  'SECRETS_KEY',
  'BACKUP_PASSPHRASE',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
]

/** A value for people, without its secrets. */
export function shownOf(name: VariableName, text: string): string {
  if (KEYS.includes(name)) return `(${text.length} characters)`
  return ADDRESSES.includes(name) ? shownAddress(text) : shown(withoutPasswords(text))
}

/** An address of a store: what may be a password is left out, even where the address is malformed. */
function shownAddress(text: string): string {
  const [, scheme, rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)(.*)$/is.exec(text) ?? []
  if (scheme === undefined) return `(${text.length} characters)`
  if (rest.includes('@')) return shown(withoutPasswords(text))
  // `user:password` without a host reads like host and port.
  return shown(withoutPasswords(`${scheme}${rest.replace(/:[^/,]*/g, ':…')}`))
}

const withoutPasswords = (text: string) =>
  text.replace(/([?&][^=&]*(?:password|secret|key|token)[^=&]*=)[^&]*/gi, '$1…').replace(/\/\/.*@/s, '//…@')

const LONGEST = 100

/** Shortens a text to a line of bounded length. */
export function shown(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line
}

/** The first line of an error, which may have others with values. */
export function reasonOf(err: unknown): string {
  const { message, code } = err as NodeJS.ErrnoException
  return (message || code || String(err)).split('\n', 1)[0]!
}
