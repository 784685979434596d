/** Values in payloads of foreign programs: scalars are text, null is absent, other types are a fault. */

/** A value of a wrong type in a field that counts. Hooks respond `invalid_payload`. */
export class InvalidPayload extends Error {}

export type Fields = Record<string, unknown>

/** Undefined for an absent text, the empty one included. */
export function textIn(fields: Fields, name: string): string | undefined {
  const value = own(fields, name)
  if (value === undefined) return undefined
  if (typeof value === 'object') throw new InvalidPayload(name)
  return String(value) || undefined
}

export function objectIn(fields: Fields, name: string): Fields | undefined {
  const value = own(fields, name)
  if (value === undefined) return undefined
  if (!isFields(value)) throw new InvalidPayload(name)
  return value
}

/** Empty for an absent list. */
export function listIn(fields: Fields, name: string): Fields[] {
  const value = own(fields, name)
  if (value === undefined) return []
  if (!Array.isArray(value) || !value.every(isFields)) throw new InvalidPayload(name)
  return value
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const own = (fields: Fields, name: string) =>
  Object.hasOwn(fields, name) ? (fields[name] ?? undefined) : undefined
