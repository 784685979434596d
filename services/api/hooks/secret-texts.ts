import { createHash, randomBytes, randomInt } from 'node:crypto'

/** Characters of the secret part of an address, of 36: 165 bits. */
const LENGTH = 32
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** The secret part of the address of a hook: one path segment, as the libraries of Mattermost build it. */
export const newHookToken = (): string =>
  Array.from({ length: LENGTH }, () => LETTERS[randomInt(36)]).join('')

export const isHookToken = (text: string): boolean => /^[a-z0-9]{32}$/.test(text)

export const hashOfHookToken = (text: string): Buffer => createHash('sha256').update(text).digest()

/** A secret by which others sign: `whsec_` and 32 bytes in base64, as Standard Webhooks writes it. */
export const newSignSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** A secret that another program made: 8 to 200 visible characters and spaces. */
export const isSignSecret = (text: string): boolean => /^[^\p{C}\p{Zl}\p{Zp}]{8,200}$/u.test(text)

/** Bytes of the shortest key that Standard Webhooks allows. */
const LEAST_KEY = 24

/** The key of Standard Webhooks; undefined for a secret in another form, whose bytes would be few or none. */
export function standardKey(secret: string): Buffer | undefined {
  const [, text] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? []
  const key = Buffer.from(text ?? '', 'base64')
  return key.length < LEAST_KEY ? undefined : key
}

/** Binds the sealed secret to its row (shared/stores/secrets.ts). */
export const purposeOfSignSecret = (id: number): string => `hooks_in:${id}:sign`
