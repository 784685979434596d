import type { Seconds } from '#shared/domain/units.ts'
import type { Config } from '#shared/runtime/config.ts'
import { secretsUnder } from '#shared/stores/secrets.ts'

/** Time to begin the request with the bytes. */
const LIVES: Seconds = 10 * 60
const PURPOSE = 'slack_uploads'
/** Characters of a ticket at most, and more. */
const LONGEST = 400

/** The part of an upload address that is its only key. */
interface Ticket {
  /** The token that asked for it, and may end. */
  token: number
  upload: string
}

/** Seals the ticket of an upload: nothing is stored, and nobody else makes one. */
export function ticketFor(config: Config, now: Seconds, { token, upload }: Ticket): string {
  const until = Math.ceil(now) + LIVES
  return secretsUnder(config)
    .seal(JSON.stringify([token, upload, until]), PURPOSE)
    .toString('base64url')
}

/** Undefined for a text that is no ticket, and for one whose time is over. */
export function ticketIn(config: Config, now: Seconds, text: string): Ticket | undefined {
  if (text.length > LONGEST || !/^[\w-]+$/.test(text)) return undefined
  const json = secretsUnder(config).open(Buffer.from(text, 'base64url'), PURPOSE)
  if (json === null) return undefined
  const [token, upload, until] = JSON.parse(json) as [number, string, Seconds]
  return now < until ? { token, upload } : undefined
}
