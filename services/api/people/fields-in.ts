import { isRole, type Role } from '#shared/domain/roles.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Deletion } from '../account/deletion/delete-account.ts'
import { lineIn } from '../account/profile/profile-in.ts'
import type { AccountFields } from './queries.ts'

const MOST_CHANNELS = 50
const LONGEST_EMAIL = 254

/** Fields of a body, which must be an object. */
export function objectIn(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw errors.invalid('the body must be an object')
  return body as Record<string, unknown>
}

/** The given ones of display_name, title and email. */
export function accountFieldsIn({ display_name, title, email }: Record<string, unknown>): AccountFields {
  return {
    ...(display_name === undefined ? {} : { display_name: lineIn('display_name', display_name) }),
    ...(title === undefined ? {} : { title: lineIn('title', title) }),
    ...(email === undefined ? {} : { email: emailIn(email) }),
  }
}

function emailIn(value: unknown): string | null {
  if (value === null || value === '') return null
  if (typeof value !== 'string') throw errors.missing('email')
  const email = value.trim()
  if (email.length > LONGEST_EMAIL) throw errors.tooLong('email', LONGEST_EMAIL)
  // Only its delivery proves an address.
  if (!/^[\x21-\x3f\x41-\x7e]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(email))
    throw errors.invalid('email must be an address such as ines@example.org')
  return email
}

export function roleIn(value: unknown): Role | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string') throw errors.missing('role')
  if (!isRole(value)) throw errors.invalid('role must be owner, admin, member or guest')
  return value
}

/** Ids of channels, without duplicates; whether they exist is checked later. */
export function channelsIn(value: unknown): ChannelId[] | undefined {
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value)) throw errors.missing('channels')
  if (value.length > MOST_CHANNELS || !value.every(id => typeof id === 'string'))
    throw errors.invalid(`channels must be at most ${MOST_CHANNELS} ids of public channels`)
  return [...new Set(value as string[])]
}

export function deletionIn(value: unknown): Deletion {
  if (typeof value !== 'string') throw errors.missing('type')
  if (value !== 'soft' && value !== 'hard') throw errors.invalid('type must be soft or hard')
  return value
}
