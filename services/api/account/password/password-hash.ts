import { pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { type Config, PASSWORD_ITERATIONS } from '#shared/runtime/config.ts'
import { log } from '#shared/runtime/log.ts'
import { type Askers, HashQueue, hashesAtOnce } from './hash-queue.ts'

const SALT_BYTES = 16
const HASH_BYTES = 32
/** A record with more iterations is not ours, and would block a thread for a minute. */
const MOST_ITERATIONS = 5_000_000

const derive = promisify(pbkdf2)
/** Threads of Node's pool: 4 unless UV_THREADPOOL_SIZE is set. */
const threads = Number(process.env['UV_THREADPOOL_SIZE']) || 4
const queue = new HashQueue(hashesAtOnce(availableParallelism(), threads))

interface PasswordRecord {
  iterations: number
  salt: Buffer
  hash: Buffer
}

/** Returns the stored form: `pbkdf2-sha256$<iterations>$<salt base64>$<hash base64>`. */
export async function hashPassword(
  password: string,
  iterations: number,
  askers: Askers = [],
): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await pbkdf2Sha256(password, salt, iterations, askers)
  return `pbkdf2-sha256$${iterations}$${salt.toString('base64')}$${hash.toString('base64')}`
}

export type Verdict = 'wrong' | 'right' | 'right, but cheap'

/**
 * Verifies a password against a stored record. A missing or malformed record takes as long and is `wrong`, so that the
 * duration does not reveal which names exist.
 */
export async function verifyPassword(
  password: string,
  stored: string | undefined,
  iterations: number,
  askers: Askers = [],
): Promise<Verdict> {
  const record = stored === undefined ? undefined : recordFrom(stored)
  const { salt, hash, iterations: cost } = record ?? { ...DUMMY, iterations }
  const isRight = timingSafeEqual(await pbkdf2Sha256(password, salt, cost, askers), hash)
  if (!record || !isRight) {
    queue.noteFailure(askers)
    return 'wrong'
  }
  return record.iterations < iterations ? 'right, but cheap' : 'right'
}

const DUMMY = { salt: Buffer.alloc(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES) }

/** Strict: accepts only the canonical form. */
export function recordFrom(stored: string): PasswordRecord | undefined {
  const [, count, saltText, hashText] =
    /^pbkdf2-sha256\$([1-9][0-9]{0,6})\$([A-Za-z0-9+/]{22}==)\$([A-Za-z0-9+/]{43}=)$/.exec(stored) ?? []
  if (count === undefined || saltText === undefined || hashText === undefined) return undefined
  const iterations = Number(count)
  if (iterations > MOST_ITERATIONS) return undefined
  return { iterations, salt: Buffer.from(saltText, 'base64'), hash: Buffer.from(hashText, 'base64') }
}

function pbkdf2Sha256(password: string, salt: Buffer, iterations: number, askers: Askers) {
  return queue.run(askers, () => derive(password, salt, iterations, HASH_BYTES, 'sha256'))
}

/** Logged at every start, so that a cheap test setting does not go unnoticed in production. */
export function warnIfCheap({ passwordIterations }: Pick<Config, 'passwordIterations'>) {
  if (passwordIterations >= PASSWORD_ITERATIONS) return
  log.warn(
    { iterations: passwordIterations, default: PASSWORD_ITERATIONS },
    'PASSWORD_ITERATIONS is for tests: hashes are cheap to guess',
  )
}
