import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto'
import { Transform } from 'node:stream'
import { promisify } from 'node:util'

/**
 * Encryption of backups by a passphrase. scrypt makes a key of it, HKDF a key per stored file, and AES-256-GCM seals the
 * file in chunks of 64 KiB. The nonce counts the chunks and marks the last one, so that a chunk that was changed, moved,
 * repeated or cut off fails to open. The name of the file is part of its key, and with a part of a backup the id of the
 * backup, so that they cannot be exchanged. An HMAC by the same key authenticates the manifest, which names all of them.
 */

/** Parameters of scrypt, with a salt in base64. A target keeps its salt while the passphrase stays. */
export interface KeySalt {
  salt: string
  n: number
  r: number
  p: number
}

/** Parameters of scrypt for every backup. */
export const COST = { n: 2 ** 15, r: 8, p: 1 }
const CHUNK = 64 * 1024
const TAG = 16
const FILE_SALT = 16
const MAGIC = Buffer.from('bothy-sealed-1\n')

export const newSalt = (): KeySalt => ({ salt: randomBytes(16).toString('base64'), ...COST })

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)

/** The key of a passphrase. */
export class Key {
  readonly salt: KeySalt
  readonly #master: Buffer

  private constructor(salt: KeySalt, master: Buffer) {
    this.salt = salt
    this.#master = master
  }

  static async of(passphrase: string, salt: KeySalt): Promise<Key> {
    const { n, r, p } = salt
    const cost = { N: n, r, p, maxmem: 256 * n * r }
    return new Key(salt, await derive(passphrase, Buffer.from(salt.salt, 'base64'), 32, cost))
  }

  /** Tells whether a passphrase is the same, without the passphrase. */
  get check(): string {
    return this.#hash('check').subarray(0, 8).toString('hex')
  }

  matches(check: string): boolean {
    return isEqual(this.check, check)
  }

  /** Authenticates the text of a manifest. */
  sign(manifest: string): string {
    return this.#hash(`manifest ${manifest}`).toString('hex')
  }

  signed(manifest: string, signature: string): boolean {
    return isEqual(this.sign(manifest), signature)
  }

  /** A name that tells nothing about the given one. */
  nameFor(name: string): string {
    return this.#hash(`name ${name}`).toString('hex')
  }

  /** Encrypts a stream; `label` names it. */
  seal(label: string): Transform {
    const salt = randomBytes(FILE_SALT)
    const key = this.#fileKey(label, salt)
    let count = 0
    const work = (chunk: Buffer, isLast: boolean) => {
      const cipher = createCipheriv('aes-256-gcm', key, nonce(count++, isLast))
      return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
    }
    return inChunks({ size: CHUNK, before: Buffer.concat([MAGIC, salt]), work })
  }

  /** Decrypts a stream; fails at the first chunk that is not as sealed. */
  open(label: string): Transform {
    let key: Buffer
    let count = 0
    const work = (chunk: Buffer, isLast: boolean) => {
      const text = chunk.subarray(0, Math.max(chunk.length - TAG, 0))
      const decipher = createDecipheriv('aes-256-gcm', key, nonce(count++, isLast), { authTagLength: TAG })
      decipher.setAuthTag(chunk.subarray(text.length))
      return Buffer.concat([decipher.update(text), decipher.final()])
    }
    const takeHead = (head: Buffer) => {
      if (!head.subarray(0, MAGIC.length).equals(MAGIC)) throw new Error('not sealed')
      key = this.#fileKey(label, head.subarray(MAGIC.length))
    }
    return inChunks({ size: CHUNK + TAG, head: MAGIC.length + FILE_SALT, takeHead, work })
  }

  #hash(text: string): Buffer {
    return createHmac('sha256', this.#master).update(text).digest()
  }

  #fileKey(label: string, salt: Buffer): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#master, salt, `bothy backup ${label}`, 32))
  }
}

function isEqual(ours: string, theirs: string): boolean {
  const [one, other] = [Buffer.from(ours), Buffer.from(theirs)]
  return one.length === other.length && timingSafeEqual(one, other)
}

function nonce(count: number, isLast: boolean): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeUIntBE(count, 0, 6)
  bytes[11] = isLast ? 1 : 0
  return bytes
}

interface Chunked {
  size: number
  /** Output before the first chunk. */
  before?: Buffer
  /** Bytes of the input that `takeHead` gets. */
  head?: number
  takeHead?(head: Buffer): void
  work(chunk: Buffer, isLast: boolean): Buffer
}

/** Calls `work` with chunks of this size; the last one is shorter or empty. */
function inChunks({ size, before, head = 0, takeHead, work }: Chunked): Transform {
  let rest: Buffer = Buffer.alloc(0)
  let isBegun = false
  const begin = (stream: Transform) => {
    if (isBegun) return true
    if (rest.length < head) return false
    if (before) stream.push(before)
    takeHead?.(rest.subarray(0, head))
    rest = rest.subarray(head)
    isBegun = true
    return true
  }
  return new Transform({
    transform(data: Buffer, _, done) {
      attempt(done, () => {
        rest = rest.length === 0 ? data : Buffer.concat([rest, data])
        if (!begin(this)) return
        // A full chunk may be the last one: it waits for what follows.
        while (rest.length > size) {
          this.push(work(rest.subarray(0, size), false))
          rest = rest.subarray(size)
        }
      })
    },
    flush(done) {
      attempt(done, () => {
        if (!begin(this)) throw new Error('too short')
        this.push(work(rest, true))
      })
    },
  })
}

function attempt(done: (err?: Error) => void, work: () => void) {
  try {
    work()
  } catch (err) {
    return done(err as Error)
  }
  done()
}
