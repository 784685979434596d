import { fieldsIn, isForm, payloadOf } from '#shared/domain/json-payload.ts'
import { type Fields, InvalidPayload } from '#shared/domain/slack-values.ts'
import { Refusal } from './refusals.ts'

/** The object of a body: JSON, a form with `payload`, or JSON under another type, as curl sends it without a header. */
export const objectIn = (bytes: Buffer, type: string | undefined): Fields => fieldsIn(jsonIn(bytes, type))

/** The text of `objectIn`: the body or its `payload`. */
export function jsonIn(bytes: Buffer, type: string | undefined): string {
  const text = decoded(bytes).trim()
  if (text === '') throw new Refusal('no_text')
  return isForm(type) && !text.startsWith('{') ? payloadOf(text) : text
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new InvalidPayload('body')
  }
}
