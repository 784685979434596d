import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Config } from '#shared/runtime/config.ts'

/**
 * Secrets that the server must read back, for columns `…_enc`: AES-256-GCM under a key that HKDF derives from `SECRETS_KEY`,
 * else from `SESSION_SECRET`. A purpose (`hooks_in:7:sign`) binds a value to its row and column: in another place it does
 * not open. Form: the version, the nonce of 12 bytes, the encrypted text, the tag of 16 bytes.
 */
export interface Secrets {
  seal(text: string, purpose: string): Buffer
  /** Null for what no key of this server opens. */
  open(sealed: Buffer, purpose: string): string | null
  /** The value under the current key; undefined if it is that already, or does not open. */
  renewed(sealed: Buffer, purpose: string): Buffer | undefined
}

type Keys = Pick<Config, 'secretsKey' | 'sessionSecret' | 'previousSessionSecret'>

const VERSION = 1
const NONCE = 12
const TAG = 16
const LEAST = 1 + NONCE + TAG

const derived = new WeakMap<object, Secrets>()

/** Derives the keys once for a configuration. */
export function secretsUnder(config: Keys): Secrets {
  let secrets = derived.get(config)
  if (!secrets) {
    secrets = madeFrom(config)
    derived.set(config, secrets)
  }
  return secrets
}

/** The first key seals. All open, so that a value outlives a new key, and the step from one variable to the other. */
function madeFrom({ secretsKey, sessionSecret, previousSessionSecret }: Keys): Secrets {
  const keys = [secretsKey, sessionSecret, previousSessionSecret]
    .filter(text => text !== undefined)
    .map(text => Buffer.from(hkdfSync('sha256', text, '', 'bothy secrets', 32)))
  const [current] = keys as [Buffer, ...Buffer[]]
  return {
    seal: (text, purpose) => sealed(current, text, purpose),
    open(value, purpose) {
      for (const key of keys) {
        const text = opened(key, value, purpose)
        if (text !== null) return text
      }
      return null
    },
    renewed(value, purpose) {
      if (opened(current, value, purpose) !== null) return undefined
      const text = this.open(value, purpose)
      return text === null ? undefined : sealed(current, text, purpose)
    },
  }
}

function sealed(key: Buffer, text: string, purpose: string): Buffer {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose))
  const body = [cipher.update(text, 'utf8'), cipher.final()]
  return Buffer.concat([Buffer.from([VERSION]), nonce, ...body, cipher.getAuthTag()])
}

function opened(key: Buffer, value: Buffer, purpose: string): string | null {
  if (value.length < LEAST || value[0] !== VERSION) return null
  const end = value.length - TAG
  const cipher = createDecipheriv('aes-256-gcm', key, value.subarray(1, 1 + NONCE), { authTagLength: TAG })
    .setAAD(Buffer.from(purpose))
    .setAuthTag(value.subarray(end))
  const text = cipher.update(value.subarray(1 + NONCE, end))
  try {
    return Buffer.concat([text, cipher.final()]).toString()
  } catch {
    // Another key, another purpose, or a changed value.
    return null
  }
}
