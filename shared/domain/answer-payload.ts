import { type Fields, InvalidPayload, isFields } from './slack-values.ts'

const MOST_DEPTH = 20

/**
 * The answer of a program: JSON, a form with `payload`, or plain text. Undefined for an empty body; throws `InvalidPayload`.
 * Texts are storable: without NUL and halves of surrogate pairs.
 */
export function answerIn(body: string, type: string | undefined): Fields | undefined {
  const text = body.trim()
  if (text === '') return undefined
  const isJson = /\bjson\b/i.test(type ?? '') || text.startsWith('{')
  if (isJson) return objectIn(text)
  if (!/^application\/x-www-form-urlencoded\b/i.test(type ?? '')) return { text: storable(text) }
  const payload = new URLSearchParams(text).get('payload')
  if (payload === null) throw new InvalidPayload('payload')
  return objectIn(payload)
}

const storable = (text: string) => text.replaceAll('\0', '').toWellFormed()

function objectIn(json: string): Fields {
  let value: unknown
  try {
    value = JSON.parse(json, (_key, inner: unknown) => (typeof inner === 'string' ? storable(inner) : inner))
  } catch {
    // Malformed, or nested so deep that the parser gives up.
    throw new InvalidPayload('body')
  }
  if (!isFields(value) || isDeep(value, MOST_DEPTH)) throw new InvalidPayload('body')
  return value
}

function isDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some(inner => isDeep(inner, levels - 1))
}
