import { insertAuditEntry } from '#shared/audit/audit-log.ts'
import { insertSystemMessage } from '#shared/channels/system-message.ts'
import type { EventName } from '#shared/domain/payloads/events.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { OF_OWN_CHANNELS } from '#shared/notices/invalidations.ts'
import { runTransaction, unchanged } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { updateName } from '../private/update-name.ts'
import { applyPosting } from '../public/apply-posting.ts'
import { archivedError } from '../public/locked-channel.ts'
import { lockedChannel, type ManagedChannel } from './locked-channel.ts'
import { isIn, markReadForEverybody, type Properties, propertiesOf, updateProperties } from './queries.ts'

/** The fields that a request gives. */
export type ChannelPatch = Partial<Properties>

export interface Editor {
  name: Username
  address: string | undefined
  /** The operator's command, which reaches every channel; `name` is for the line in the channel. */
  isOperator?: true
}

/** Managers change everything, others who have joined and may write only the topic. Unchanged values are not announced. */
export async function changeChannel(
  stores: Stores,
  editor: Editor,
  text: string,
  patch: ChannelPatch,
): Promise<void> {
  const scope = ({ channel, ofEverybody }: Changed) => ({
    channel,
    ...(ofEverybody === undefined ? {} : { besides: [{ collections: ofEverybody }] }),
  })
  await stores.rowLockQueues.run(text.slice(0, 100), () =>
    runTransaction(stores, 'changeChannel', scope, async tx => {
      const channel = await lockedChannel(stores, tx, editor.name, text)
      checkRights(channel, patch, await isIn(tx, channel, editor.name))
      const before = await propertiesOf(tx, channel.id)
      const shown = before.name ?? channel.id
      const after = { ...before, ...patch, name: patch.name ?? before.name }
      if (isEqual({ ...before, name: shown }, { ...after, name: after.name ?? shown })) return unchanged
      await updateProperties(tx, channel.id, after)
      if (channel.privateId !== undefined && after.name !== null)
        await updateName(tx, channel.privateId, after.name)
      await announce(tx, channel, editor, { ...before, name: shown }, after)
      if (after.is_default && !before.is_default) await markReadForEverybody(tx, channel.id)
      return { channel: channel.id, ofEverybody: ofEverybody(channel, before, after) }
    }),
  )
}

interface Changed {
  channel: ChannelId
  ofEverybody: readonly EventName[] | undefined
}

/** Global collections that change for everybody. Notices of private channels name those of the members. */
function ofEverybody({ kind }: ManagedChannel, before: Properties, after: Properties) {
  if (before.is_default !== after.is_default) return OF_OWN_CHANNELS
  const isShown = before.name !== after.name || before.posting !== after.posting
  return kind === 'public' && isShown ? (['sidebar'] as const) : undefined
}

function checkRights(channel: ManagedChannel, patch: ChannelPatch, hasJoined: boolean) {
  if (channel.isArchived) throw archivedError()
  const isTopicAlone = Object.keys(patch).every(field => field === 'topic')
  const mayWrite = hasJoined && channel.role !== 'guest' && channel.posting === 'everyone'
  if (!channel.manages && !(isTopicAlone && mayWrite)) throw errors.forbidden()
  if (patch.is_default === undefined) return
  if (!channel.isAdmin) throw errors.forbidden()
  if (channel.kind !== 'public') throw errors.invalid('default is a property of public channels')
  if (channel.isConfigured) throw errors.invalid('default cannot change: the channel is in the settings file')
}

const FIELDS = ['name', 'topic', 'description', 'posting', 'is_default'] as const

const isEqual = (one: Properties, other: Properties) => FIELDS.every(field => one[field] === other[field])

/** The lines in the channel, and the entry of the audit log. */
async function announce(
  tx: Db,
  { id }: ManagedChannel,
  { name: editor, address }: Editor,
  before: Properties,
  after: Properties,
) {
  const line = (content: string) => insertSystemMessage(tx, id, `${editor} ${content}`)
  if (after.name !== null && after.name !== before.name) await line(`renamed the channel to “${after.name}”.`)
  if (after.topic !== before.topic)
    await line(after.topic === null ? 'took the topic away.' : `set the topic: ${after.topic}`)
  if (after.posting === before.posting) return
  await line(after.posting === 'managers' ? 'made this channel read-only.' : 'lets everybody write again.')
  await applyPosting(tx, id)
  await insertAuditEntry(tx, {
    actor: editor,
    actorKind: 'person',
    address,
    action: 'channel.posting',
    channel: id,
    detail: { posting: after.posting },
  })
}
