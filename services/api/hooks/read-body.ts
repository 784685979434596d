import express, { type Request, type Response } from 'express'
import { Refusal } from './refusals.ts'

const MOST_BYTES = 256 * 1_024
const MOST_DEPTH = 20

const raw = express.raw({ type: () => true, limit: MOST_BYTES, inflate: false })

export type JsonObject = Record<string, unknown>

/** The bytes of a request of any type; undefined for none. */
export function readBytes(req: Request, res: Response): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    raw(req, res, (err?: unknown) => {
      if (err === undefined) resolve(bytesOf(req))
      else
        reject(
          new Refusal((err as { status?: number }).status === 413 ? 'payload_too_large' : 'invalid_payload'),
        )
    })
  })
}

const bytesOf = ({ body }: Request): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))

/**
 * The object of a body: JSON, a form with `payload`, or JSON under another type, as curl sends it without a header. Texts are
 * storable: without NUL and halves of surrogate pairs.
 */
export function objectIn(bytes: Buffer, type: string | undefined): JsonObject {
  const value = parsed(jsonIn(bytes, type))
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isDeep(value, MOST_DEPTH))
    throw new Refusal('invalid_payload')
  return value as JsonObject
}

/** The text of `objectIn`: the body or its `payload`. */
export function jsonIn(bytes: Buffer, type: string | undefined): string {
  if (bytes.length === 0) throw new Refusal('no_text')
  const text = decoded(bytes).trim()
  if (text === '') throw new Refusal('no_text')
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(type ?? '')
  return isForm && !text.startsWith('{') ? payloadOf(text) : text
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Refusal('invalid_payload')
  }
}

function payloadOf(form: string): string {
  const payload = new URLSearchParams(form).get('payload')
  if (payload === null) throw new Refusal('invalid_payload')
  return payload
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json, (_key, value: unknown) =>
      typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value,
    )
  } catch {
    // Malformed, or nested so deep that the parser gives up.
    throw new Refusal('invalid_payload')
  }
}

/** `levels`: objects and lists within each other. */
function isDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some(inner => isDeep(inner, levels - 1))
}
