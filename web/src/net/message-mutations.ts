/**
 * The viewer's changes to stored messages: shown at once and rolled back if the server refuses. After a network error
 * they are retried a few times, then rolled back and reported: the screen must not show changes that are not stored.
 */
import type { MessagePayload } from '#shared/domain/payloads.ts'
import type { Milliseconds } from '#shared/domain/units.ts'
import { type Channel, channelOf } from '../store/channels.ts'
import { changedTs } from '../store/messages.ts'
import { verdictOf } from '../store/pending.ts'
import { type Report, report } from '../store/reports.ts'
import { hasReacted, toggled } from '../store/selectors.ts'
import { viewer } from '../store/store.ts'
import * as endpoints from './endpoints.ts'
import { tolerateFailure } from './failure.ts'

const WAITS: Milliseconds[] = [1_000, 2_000, 4_000]

const queues = new Map<number, Promise<void>>()

export function editMessage(row: MessagePayload, text: string) {
  const patch = { content: text, edited: 1, edited_ts: row.edited_ts ?? row.ts } as const
  return change(row, patch, () => patiently(() => endpoints.edit(row.id, text)), {
    what: 'edit-refused',
    row,
    text,
  })
}

export function deleteMessage(row: MessagePayload) {
  const patch = { deleted: 1, content: null, filename: null, reactions: null, mentions: null } as const
  return change(row, patch, () => patiently(() => endpoints.remove(row.id)), { what: 'deletion-refused' })
}

export function toggleReaction(row: MessagePayload, name: string) {
  const patch = { reactions: toggled(row, name, viewer) }
  const on = hasReacted({ ...row, ...patch }, name, viewer)
  const ask = () => patiently(() => endpoints.react(row.id, name, on))
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
  const guess = { base: changedTs(row), patch: { ...channel.guesses.value.get(row.id)?.patch, ...patch } }
  channel.guesses.value = new Map(channel.guesses.value).set(row.id, guess)
  const turn = (queues.get(row.id) ?? Promise.resolve()).then(async () => {
    try {
      await ask()
    } catch (error) {
      tolerateFailure(error)
      takeBack(channel, row.id)
      report(refused)
    }
  })
  queues.set(row.id, turn)
  await turn
  if (queues.get(row.id) === turn) queues.delete(row.id)
}

/** Retries; for idempotent requests only. */
async function patiently(ask: () => Promise<unknown>) {
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

function takeBack(channel: Channel, id: number) {
  const guesses = new Map(channel.guesses.value)
  guesses.delete(id)
  channel.guesses.value = guesses
}
