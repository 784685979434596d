import { randomInt } from 'node:crypto'
import { lockRole } from '#shared/access/account-locks.ts'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { type Actor, insertAuditEntry } from '#shared/audit/audit-log.ts'
import { isAdmin, type Role } from '#shared/domain/roles.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { type Db, inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { type Made, madeOnce, onceIdIn } from '../../middleware/made-once.ts'
import { checkInviter } from './invitation.ts'
import { insertInvite, type NewInvite } from './queries.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const CODE_LENGTH = 16
const USUAL_HOURS = 168
const MOST_HOURS = 8_760
const MOST_USES = 10_000
const LONGEST_NOTE = 200
const MOST_CHANNELS = 50

/** Makes an invitation from the fields of a request; throws a 400 for the first bad one. */
export async function makeInvitation(
  stores: Stores,
  maker: Username,
  actor: Actor,
  body: unknown,
  urlOf: (code: string) => string,
): Promise<Made> {
  const wish = wishIn(body)
  const clientId = onceIdIn(wish.client_id)
  const channels = await invitable(stores, maker, wish.channels)
  if (wish.role === 'guest' && channels.length === 0) throw errors.missing('channels')
  return madeOnce(stores.db, maker, '/invites', clientId, keep =>
    inTransaction(stores.pool, async tx => {
      const role = await lockInviter(stores, tx, maker)
      if (wish.hours === 0 && !isAdmin(role))
        throw errors.coded(403, 'forbidden', 'Only administrators make invitations that do not expire.')
      const created_ts = stores.clock.now()
      const invite: NewInvite = {
        code: newCode(),
        role: wish.role,
        channels,
        note: wish.note,
        created_by: maker,
        created_ts,
        expires_ts: wish.hours === 0 ? null : created_ts + wish.hours * 3600,
        max_uses: wish.maxUses,
      }
      const id = await insertInvite(tx, invite)
      const detail = { role: invite.role, channels }
      await insertAuditEntry(tx, { ...actor, action: 'invite.created', target: String(id), detail })
      const { code, ...rest } = invite
      const made = { status: 201, body: { id, code, url: urlOf(code), ...rest, uses: 0, valid: true } }
      await keep(tx, made)
      return made
    }),
  )
}

/** The role of the maker, who may invite and keeps the role until the transaction ends. */
async function lockInviter(stores: Stores, tx: Db, maker: Username): Promise<Role> {
  const role = await lockRole(tx, maker)
  if (role === undefined) throw errors.signedOut()
  checkInviter(stores, role)
  return role
}

const newCode = () => Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

interface Wish {
  role: 'member' | 'guest'
  channels: string[]
  /** 0: never expires. */
  hours: number
  maxUses: number | null
  note: string | null
  client_id: unknown
}

function wishIn(body: unknown): Wish {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw errors.invalid('the body must be an object')
  const given = body as Record<string, unknown>
  const {
    role = 'member',
    channels = [],
    expires_in_hours = USUAL_HOURS,
    max_uses = null,
    note = null,
  } = given
  if (typeof role !== 'string') throw errors.missing('role')
  if (role !== 'member' && role !== 'guest') throw errors.invalid('role must be member or guest')
  if (!Array.isArray(channels) || !channels.every(channel => typeof channel === 'string'))
    throw errors.missing('channels')
  if (channels.length > MOST_CHANNELS) throw errors.invalid(`channels has at most ${MOST_CHANNELS} entries`)
  const hours = integerIn('expires_in_hours', expires_in_hours, 0, MOST_HOURS)
  const maxUses = max_uses === null ? null : integerIn('max_uses', max_uses, 1, MOST_USES)
  return { role, channels, hours, maxUses, note: noteIn(note), client_id: given['client_id'] }
}

function integerIn(field: string, value: unknown, least: number, most: number): number {
  if (typeof value !== 'number') throw errors.missing(field)
  if (!Number.isInteger(value) || value < least || value > most)
    throw errors.invalid(`${field} must be a whole number from ${least} to ${most}`)
  return value
}

function noteIn(value: unknown): string | null {
  if (value === null) return null
  if (typeof value !== 'string') throw errors.missing('note')
  const text = value.trim()
  if (text.length > LONGEST_NOTE) throw errors.tooLong('note', LONGEST_NOTE)
  if (text.includes('\0') || !text.isWellFormed()) throw errors.invalid('note must be text')
  return text === '' ? null : text
}

/** The channels in canonical form. Hidden channels look like missing ones. */
async function invitable(stores: Stores, maker: Username, channels: string[]): Promise<ChannelId[]> {
  const ids = new Set<ChannelId>()
  for (const text of channels) {
    const channel = await findReadableChannel(stores, maker, text)
    if (!channel || channel.kind === 'dm' || channel.isArchived)
      throw errors.invalid('channels must be channels that you can read')
    ids.add(channel.id)
  }
  return [...ids]
}
