import { X509Certificate } from 'node:crypto'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Config, ROOT } from '#shared/runtime/config.ts'
import { log } from '#shared/runtime/log.ts'

/** The authority that signed this server's certificate, and that devices must trust once. */
export interface Authority {
  /** SHA-256, upper-case hexadecimal digits in pairs with colons. */
  fingerprint: string
  expires: Date
  /** Its certificate alone, whatever else its file contains. */
  der: Buffer
  pem: string
}

/** Bytes; a certificate has less than 2 KB. */
const LONGEST = 64 * 1024
/** Milliseconds. */
const FETCHED_WITHIN = 2_000
const KEPT = { found: 60_000, missing: 5_000 }

/**
 * Reads AUTHORITY_CERTIFICATE: a file, or an address of the front door, which creates the authority at its first start.
 * Read again when a minute has passed, so that a new authority needs no restart.
 */
export class AuthorityCertificate {
  readonly #place: string | undefined
  #reading: Promise<Authority | undefined> = Promise.resolve(undefined)
  #rereadAt = 0

  constructor(place: string | undefined) {
    this.#place = place
  }

  /** Undefined without AUTHORITY_CERTIFICATE, and while there is no usable certificate. */
  read(): Promise<Authority | undefined> {
    const place = this.#place
    if (place === undefined || performance.now() < this.#rereadAt) return this.#reading
    this.#rereadAt = Number.POSITIVE_INFINITY
    this.#reading = contentOf(place)
      .then(authorityIn)
      .catch(err => {
        log.warn({ err }, 'certificate of the authority not readable')
        return undefined
      })
      .then(found => {
        this.#rereadAt = performance.now() + (found ? KEPT.found : KEPT.missing)
        return found
      })
    return this.#reading
  }
}

const known = new WeakMap<Config, AuthorityCertificate>()

/** The authority of a process. */
export function authorityOf(config: Config): AuthorityCertificate {
  const it = known.get(config) ?? new AuthorityCertificate(config.authorityCertificate)
  known.set(config, it)
  return it
}

async function contentOf(place: string): Promise<Buffer> {
  if (/^https?:/.test(place)) {
    const response = await fetch(place, { signal: AbortSignal.timeout(FETCHED_WITHIN), redirect: 'error' })
    if (!response.ok) throw new Error(`status ${response.status}`)
    return bounded(response.body ?? [])
  }
  await using file = await open(resolve(ROOT, place))
  const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST), 0, LONGEST, 0)
  return buffer.subarray(0, bytesRead)
}

async function bounded(stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of stream) {
    parts.push(part)
    length += part.length
    if (length > LONGEST) throw new Error(`more than ${LONGEST} bytes`)
  }
  return Buffer.concat(parts)
}

/** Throws unless the first certificate is one of an authority. */
export function authorityIn(content: Buffer): Authority {
  const certificate = new X509Certificate(content)
  if (!certificate.ca) throw new Error('not the certificate of an authority')
  return {
    fingerprint: certificate.fingerprint256,
    expires: new Date(certificate.validTo),
    der: certificate.raw,
    pem: certificate.toString(),
  }
}
