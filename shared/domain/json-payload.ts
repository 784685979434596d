import { type Fields, InvalidPayload, isFields } from './slack-values.ts'

/** Objects and lists within each other. */
const MOST_DEPTH = 20

/** Throws `InvalidPayload` for what is no JSON object, or is nested deeper. Texts are storable. */
export function fieldsIn(json: string): Fields {
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

/** Without NUL and halves of surrogate pairs. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed()

function isDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some(inner => isDeep(inner, levels - 1))
}

export const isForm = (type: string | undefined): boolean =>
  /^application\/x-www-form-urlencoded\b/i.test(type ?? '')

/** The JSON in the field `payload` of a form, as Slack sends it. */
export function payloadOf(form: string): string {
  const payload = new URLSearchParams(form).get('payload')
  if (payload === null) throw new InvalidPayload('payload')
  return payload
}
