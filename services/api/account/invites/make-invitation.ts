import { randomInt } from 'node:crypto'
import * as v from 'valibot'
import { lockRole } from '#shared/access/account-locks.ts'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { type Actor, insertAuditEntry } from '#shared/audit/audit-log.ts'
import { isAdmin, type Role } from '#shared/domain/roles.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { type Db, inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import * as f from '../../middleware/fields.ts'
import { type Made, madeOnce } from '../../middleware/made-once.ts'
import { checkInviter } from './invitation.ts'
import { insertInvite, type NewInvite } from './queries.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const CODE_LENGTH = 16
const USUAL_HOURS = 168
const MOST_HOURS = 8_760
const MOST_USES = 10_000
const LONGEST_NOTE = 200
const MOST_CHANNELS = 50

export const INVITATION = f.fields({
  role: v.optional(
    v.pipe(v.string(f.REQUIRED), v.picklist(['member', 'guest'], f.invalid('member or guest'))),
    'member',
  ),
  channels: v.optional(
    v.pipe(
      v.custom<string[]>(channels => Array.isArray(channels) && channels.every(f.isText), f.REQUIRED),
      v.maxLength(MOST_CHANNELS, `invalid: $ has at most ${MOST_CHANNELS} entries`),
    ),
    [],
  ),
  /** 0: never expires. */
  expires_in_hours: v.optional(f.wholeNumber(0, MOST_HOURS), USUAL_HOURS),
  max_uses: f.mayBeNull(f.wholeNumber(1, MOST_USES)),
  note: f.mayBeNull(
    v.pipe(
      v.string(f.REQUIRED),
      v.trim(),
      v.check(text => text.length <= LONGEST_NOTE, f.tooLong(LONGEST_NOTE)),
      v.check(text => text.isWellFormed() && !text.includes('\0'), f.invalid('text')),
      v.transform(text => (text === '' ? null : text)),
    ),
  ),
  client_id: f.clientId,
})

/** Makes an invitation from the fields of a request. */
export async function makeInvitation(
  stores: Stores,
  maker: Username,
  actor: Actor,
  wish: v.InferOutput<typeof INVITATION>,
  urlOf: (code: string) => string,
): Promise<Made> {
  const { expires_in_hours: hours, max_uses = null, note = null, client_id: clientId } = wish
  const channels = await invitable(stores, maker, wish.channels)
  if (wish.role === 'guest' && channels.length === 0) throw errors.missing('channels')
  return madeOnce(stores.db, maker, '/invites', clientId, keep =>
    inTransaction(stores.pool, async tx => {
      const role = await lockInviter(stores, tx, maker)
      if (hours === 0 && !isAdmin(role))
        throw errors.coded(403, 'forbidden', 'Only administrators make invitations that do not expire.')
      const created_ts = stores.clock.now()
      const invite: NewInvite = {
        code: newCode(),
        role: wish.role,
        channels,
        note,
        created_by: maker,
        created_ts,
        expires_ts: hours === 0 ? null : created_ts + hours * 3600,
        max_uses,
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
