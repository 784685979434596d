import type { Posting } from '#shared/access/access-of.ts'
import { lockRole } from '#shared/access/account-locks.ts'
import { insertAuditEntry } from '#shared/audit/audit-log.ts'
import { insertSystemMessage } from '#shared/channels/system-message.ts'
import { channelIdFromName } from '#shared/domain/channel-name.ts'
import type { PublicChannelPayload } from '#shared/domain/payloads/channels.ts'
import { hasRight, isAdmin } from '#shared/domain/roles.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { OF_OWN_CHANNELS } from '#shared/notices/invalidations.ts'
import { runTransaction } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { type Made, madeOnce } from '../../middleware/made-once.ts'
import { markRead } from '../read-state/read-marker.ts'
import { applyPosting } from './apply-posting.ts'
import { insertManager } from './insert-manager.ts'
import { decide, findPublicChannels, findTakenId, insertPublicChannel } from './queries.ts'

export interface ChannelDraft {
  id: ChannelId | undefined
  name: string
  topic: string | null
  description: string | null
  posting: Posting
  isDefault: boolean
  clientId: string | undefined
}

/** Makes a public channel; the maker has joined and manages it. */
export function createPublicChannel(
  stores: Stores,
  maker: Username,
  address: string | undefined,
  draft: ChannelDraft,
): Promise<Made> {
  return madeOnce(stores.db, maker, '/public_channels', draft.clientId, async keep => {
    const scope = ({ channel }: PublicChannelPayload) => ({
      channel,
      besides: [{ collections: OF_OWN_CHANNELS, ...(draft.isDefault ? {} : { users: [maker] }) }],
    })
    const body = await runTransaction(stores, 'createChannel', scope, async tx => {
      const channel = await insert(stores, tx, maker, draft)
      await insertManager(tx, channel, maker)
      await decide(tx, channel, [maker], true, false)
      await insertSystemMessage(tx, channel, `${maker} made this channel.`)
      if (draft.posting !== 'everyone') await applyPosting(tx, channel)
      await markRead(tx, maker, channel)
      await insertAuditEntry(tx, {
        actor: maker,
        actorKind: 'person',
        address,
        action: 'channel.created',
        channel,
        detail: draft.posting === 'everyone' ? {} : { posting: draft.posting },
      })
      const made = await publicChannelOf({ ...stores, db: tx }, maker, channel)
      await keep(tx, { status: 201, body: made })
      return made
    })
    return { status: 201, body }
  })
}

async function insert(stores: Stores, tx: Db, maker: Username, draft: ChannelDraft): Promise<ChannelId> {
  const role = await lockRole(tx, maker)
  if (role === undefined) throw errors.signedOut()
  if (!hasRight(role, 'create_channels', stores.settings.current) || (draft.isDefault && !isAdmin(role)))
    throw errors.forbidden()
  const { topic, description, posting, isDefault, name } = draft
  const wanted = draft.id ?? channelIdFromName(name)
  for (let number = 1; number <= MOST_NUMBER; number++) {
    const channel = wanted === '' ? `channel-${number}` : wanted
    const taken = await findTakenId(stores, tx, channel)
    const isFree = taken === undefined
    if (
      isFree &&
      (await insertPublicChannel(tx, { channel, name, topic, description, posting, isDefault, maker }))
    )
      return channel
    if (wanted !== '') throw idTaken(channel, taken?.isArchived ?? false)
  }
  throw errors.missing('id')
}

/** Names without a letter of ASCII get a number; beyond this, the client must give an id. */
const MOST_NUMBER = 1_000

const idTaken = (channel: ChannelId, isArchived: boolean) =>
  errors.coded(
    409,
    'conflict',
    isArchived ? `#${channel} exists and is archived.` : `There is a channel #${channel} already.`,
  )

export async function publicChannelOf(
  stores: Stores,
  viewer: Username,
  channel: ChannelId,
): Promise<PublicChannelPayload> {
  const [found] = await findPublicChannels(stores, viewer, {
    q: undefined,
    withArchived: true,
    sort: 'name',
    after: undefined,
    limit: 1,
    only: channel,
  })
  if (!found) throw errors.notFound()
  const { place: _, ...payload } = found
  return payload
}
