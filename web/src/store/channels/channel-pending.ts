/** The pending messages of a channel, and their replacement by the rows of the server. */
import { signal } from '@preact/signals'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import type { ReconciledRows } from '../messages/messages.ts'
import { inOrder, matchPending, type Pending } from '../messages/pending.ts'
import type { Channel } from './channels.ts'

export type PendingChannel = Pick<Channel, 'id' | 'pending' | 'unconfirmed' | 'keys'>

/** Channels with messages that failed and wait for the user. */
export const notSent = signal<ReadonlySet<ChannelId>>(new Set())

/** Own rows replace the pending messages and take over their keys. */
export function reconcilePending(channel: PendingChannel, rows: MessagePayload[]): ReconciledRows {
  const unknown = rows.filter(row => !channel.keys.has(row.id))
  replace(channel, matchPending(channel.pending.peek(), unknown))
  return rows as ReconciledRows
}

function replace(channel: PendingChannel, matches: Map<string, MessagePayload>) {
  if (matches.size === 0) return
  for (const [key, row] of matches) channel.keys.set(row.id, key)
  const pending = channel.pending.peek()
  for (const one of pending)
    if (matches.has(one.key) && one.state !== 'sent') channel.unconfirmed.set(one.key, one)
  setPending(
    channel,
    pending.filter(one => !matches.has(one.key)),
  )
}

export function setPending(channel: PendingChannel, list: Pending[]) {
  channel.pending.value = list
  const hasFailed = list.some(one => one.state === 'failed')
  if (hasFailed === notSent.peek().has(channel.id)) return
  const all = new Set(notSent.peek())
  if (hasFailed) all.add(channel.id)
  else all.delete(channel.id)
  notSent.value = all
}

export function findPending(channel: PendingChannel, key: string): Pending | undefined {
  return channel.pending.peek().find(one => one.key === key) ?? channel.unconfirmed.get(key)
}

export function updatePending(channel: PendingChannel, key: string, change: Partial<Pending>) {
  const hidden = channel.unconfirmed.get(key)
  if (hidden) return void channel.unconfirmed.set(key, { ...hidden, ...change })
  setPending(
    channel,
    channel.pending.peek().map(one => (one.key === key ? { ...one, ...change } : one)),
  )
}

export function removePending(channel: PendingChannel, key: string) {
  const list = channel.pending.peek()
  if (list.some(one => one.key === key))
    setPending(
      channel,
      list.filter(one => one.key !== key),
    )
}

/** The message to be sent next, or the one whose large file is to be uploaded next, in the order of writing. */
export function nextPending(channel: PendingChannel, needsUpload: boolean): Pending | undefined {
  return inOrder([...channel.unconfirmed.values(), ...channel.pending.peek()]).find(
    one => one.state === 'waiting' && (one.needsUpload ?? false) === needsUpload,
  )
}
