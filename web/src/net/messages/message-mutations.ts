/**
 * The viewer's changes to stored messages: shown at once and rolled back if the server refuses. After a network error
 * they are retried a few times, then rolled back and reported: the screen must not show changes that are not stored.
 */
import { changeTime } from '#shared/domain/message-rows.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { reactionKey } from '#shared/domain/reactions.ts'
import type { Milliseconds } from '#shared/domain/units.ts'
import { type Channel, channelOf } from '../../store/channels/channels.ts'
import { verdictOf } from '../../store/messages/pending.ts'
import { hasReacted, toggled } from '../../store/messages/selectors.ts'
import { type Report, report } from '../../store/reports.ts'
import { viewer } from '../../store/store.ts'
import * as endpoints from '../requests/endpoints.ts'
import { tolerateFailure } from '../requests/failure.ts'

const WAITS: Milliseconds[] = [1_000, 2_000, 4_000]

const queues = new Map<number, Promise<void>>()

export function editMessage(row: MessagePayload, text: string) {
  // The text is no longer a forwarded one.
  const { forward, ...extra } = row.extra ?? {}
  const about = { content: text, edited: 1, edited_ts: row.edited_ts ?? row.ts } as const
  const patch = forward ? { ...about, extra } : about
  return change(row, patch, () => withRetries(() => endpoints.edit(row, text)), {
    what: 'edit-refused',
    row,
    text,
  })
}

const TOMBSTONE = { deleted: 1, content: null, filename: null, reactions: null, mentions: null } as const

export function deleteMessage(row: MessagePayload) {
  return change(row, TOMBSTONE, () => withRetries(() => endpoints.remove(row.id)), {
    what: 'deletion-refused',
  })
}

/** Removes a message of somebody else. */
export function moderate(row: MessagePayload, reason: string) {
  const ask = () => endpoints.postJson(`/moderate/delete/${row.id}`, reason === '' ? {} : { reason })
  const patch = { ...TOMBSTONE, extra: { removed_by: viewer } }
  return change(row, patch, () => withRetries(ask), { what: 'deletion-refused' })
}

export function toggleReaction(row: MessagePayload, reaction: string) {
  const name = reactionKey(reaction)
  const patch = { reactions: toggled(row, name, viewer) }
  const on = hasReacted({ ...row, ...patch }, name, viewer)
  const ask = () => withRetries(() => endpoints.react(row.id, name, on))
  return change(row, patch, ask, { what: 'reaction-refused' })
}

/** Serializes the changes of a message, so that two presses on a reaction arrive in order. */
async function change(
  row: MessagePayload,
  patch: Partial<MessagePayload>,
  ask: () => Promise<unknown>,
  refused: Report,
) {
  const channel = channelOf(row.channel)
  const updates = channel.optimisticUpdates
  const update = { base: changeTime(row), patch: { ...updates.value.get(row.id)?.patch, ...patch } }
  updates.value = new Map(updates.value).set(row.id, update)
  const turn = (queues.get(row.id) ?? Promise.resolve()).then(async () => {
    try {
      await ask()
    } catch (error) {
      tolerateFailure(error)
      rollBack(channel, row.id)
      report(refused)
    }
  })
  queues.set(row.id, turn)
  await turn
  if (queues.get(row.id) === turn) queues.delete(row.id)
}

/** Retries; for idempotent requests only. */
async function withRetries(ask: () => Promise<unknown>) {
  for (const wait of WAITS) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof endpoints.Failure) || verdictOf(error.status, Infinity) !== 'away') throw error
      await new Promise(resolve => setTimeout(resolve, wait))
    }
  }
  return ask()
}

function rollBack({ optimisticUpdates }: Channel, id: number) {
  const updates = new Map(optimisticUpdates.value)
  updates.delete(id)
  optimisticUpdates.value = updates
}
