import { fieldsIn, isForm, payloadOf, storable } from './json-payload.ts'
import type { Fields } from './slack-values.ts'

/**
 * The answer of a program: JSON, a form with `payload`, or plain text. Undefined for an empty body; throws `InvalidPayload`.
 * Texts are storable.
 */
export function answerIn(body: string, type: string | undefined): Fields | undefined {
  const text = body.trim()
  if (text === '') return undefined
  if (/\bjson\b/i.test(type ?? '') || text.startsWith('{')) return fieldsIn(text)
  return isForm(type) ? fieldsIn(payloadOf(text)) : { text: storable(text) }
}
