import { joinedChannels, publicChannels } from '#shared/access/public-channels.ts'
import { type Actor, insertAuditEntry } from '#shared/audit/audit-log.ts'
import { isAdmin, maySetRole, type Role } from '#shared/domain/roles.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import type { EndedToken } from '#shared/http/tokens.ts'
import { runTransaction, unchanged } from '#shared/notices/write.ts'
import { keepOwner } from '#shared/ownership/ownership.ts'
import { endEventsForAdmins, endRightsOfHooks, passBots, passHooks } from '#shared/ownership/pass-bots.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { afterEnding, endTokensOf } from '../account/tokens/end-tokens.ts'
import { markJoined } from '../channels/read-state/read-marker.ts'
import {
  type AccountFields,
  hasClosedChannels,
  keepOnly,
  rejoinDefaults,
  setFields,
  setRole,
} from './queries.ts'
import { lockTarget } from './target.ts'

export interface PersonChange {
  role: Role | undefined
  /** The public channels of a guest. */
  channels: ChannelId[] | undefined
  fields: AccountFields
}

/** Changes role and profile together or not at all, with one entry in the audit log. */
export async function changePerson(
  stores: Stores,
  actor: Actor,
  name: Username,
  { role, channels, fields }: PersonChange,
): Promise<void> {
  const write = role === undefined ? 'changePerson' : 'changeAccess'
  const ended: EndedToken[] = []
  const scope = async () => ({
    ...(role === undefined && { users: [name] }),
    ...(await afterEnding(stores, name, ended)),
  })
  await runTransaction(stores, write, scope, async tx => {
    const { actor: admin, target } = await lockTarget(tx, actor, name)
    const from = target.role
    const to = role ?? from
    if (target.kind === 'bot' && isAdmin(to))
      throw errors.coded(403, 'forbidden', 'A bot is a member or a guest.')
    if (role !== undefined && !maySetRole(admin.role, from, to))
      throw errors.coded(403, 'forbidden', 'You cannot give this role.')
    if (to !== from) await exchangeRole(stores, tx, name, from, to, channels)
    // Guests have no tokens; bots that are guests do.
    if (to === 'guest' && from !== to && target.kind === 'person')
      ended.push(...(await endTokensOf(stores, tx, name)))
    const isNewProfile = await setFields(tx, name, fields)
    if (to === from && !isNewProfile) return unchanged
    await insertAuditEntry(tx, {
      ...actor,
      action: to === from ? 'person.profile' : 'person.role',
      target: name,
      detail: {
        ...(to === from ? {} : { from, to }),
        ...(isNewProfile ? { fields: Object.keys(fields) } : {}),
      },
    })
    if (isAdmin(from) && !isAdmin(to)) {
      await endEventsForAdmins(tx, actor, name)
      await endRightsOfHooks(tx, actor, name)
    }
    if (to === 'guest' && from !== to) await passHooks(tx, actor, name, await passBots(tx, actor, name))
    return undefined
  })
}

async function exchangeRole(
  stores: Stores,
  tx: Db,
  name: Username,
  from: Role,
  to: Role,
  channels: ChannelId[] | undefined,
) {
  if (from === 'owner') await keepOwner(tx, name)
  if (to === 'guest') {
    if (channels === undefined || (channels.length === 0 && !(await hasClosedChannels(tx, name))))
      throw errors.missing('channels')
    await checkPublic({ ...stores, db: tx }, channels)
    const before = await joinedChannels({ ...stores, db: tx }, name)
    await keepOnly(tx, name, channels, stores.clock.now())
    await markJoined(
      tx,
      [name],
      channels.filter(channel => !before.includes(channel)),
    )
  }
  if (from === 'guest') {
    const before = await joinedChannels({ ...stores, db: tx }, name)
    await rejoinDefaults(tx, name)
    const defaults = (await publicChannels({ ...stores, db: tx })).filter(({ isDefault }) => isDefault)
    const joined = defaults.map(({ channel }) => channel).filter(channel => !before.includes(channel))
    await markJoined(tx, [name], joined)
  }
  await setRole(tx, name, to)
}

/** Throws unless these are public channels that are not archived. */
export async function checkPublic(stores: Stores, channels: readonly ChannelId[]): Promise<void> {
  const known = new Set((await publicChannels(stores)).map(({ channel }) => channel))
  if (!channels.every(channel => known.has(channel)))
    throw errors.invalid('channels must be ids of public channels')
}
