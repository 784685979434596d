/** What the viewer does to messages that are there: shown at once, taken back if the server refuses. */
import type { MessagePayload } from '#shared/rules/payloads.ts'
import { showToast } from '../feedback/feedback.ts'
import { type Channel, channelOf } from '../store/channels.ts'
import { changedTs } from '../store/messages.ts'
import { toggled } from '../store/selectors.ts'
import { viewer } from '../store/store.ts'
import { words } from '../words.ts'
import * as endpoints from './endpoints.ts'

const queues = new Map<number, Promise<void>>()

export function editMessage(row: MessagePayload, text: string) {
  const patch = { content: text, edited: 1, edited_ts: row.edited_ts ?? row.ts } as const
  return change(row, patch, () => endpoints.edit(row.id, text), words.actions.notEdited)
}

export function deleteMessage(row: MessagePayload) {
  const patch = { deleted: 1, content: null, filename: null, reactions: null, mentions: null } as const
  return change(row, patch, () => endpoints.remove(row.id), words.actions.notDeleted)
}

export function toggleReaction(row: MessagePayload, name: string) {
  const patch = { reactions: toggled(row, name, viewer) }
  return change(row, patch, () => endpoints.react(row.id, name), words.actions.notReacted)
}

/** One after the other for each message, so that two presses on a reaction arrive in their order. */
async function change(
  row: MessagePayload,
  patch: Partial<MessagePayload>,
  ask: () => Promise<unknown>,
  refused: string,
) {
  const channel = channelOf(row.channel)
  const guess = { base: changedTs(row), patch: { ...channel.guesses.value.get(row.id)?.patch, ...patch } }
  channel.guesses.value = new Map(channel.guesses.value).set(row.id, guess)
  const turn = (queues.get(row.id) ?? Promise.resolve()).then(async () => {
    try {
      await ask()
    } catch (error) {
      if (!(error instanceof endpoints.Failure)) throw error
      takeBack(channel, row.id)
      showToast(refused, { icon: 'alert' })
    }
  })
  queues.set(row.id, turn)
  await turn
  if (queues.get(row.id) === turn) queues.delete(row.id)
}

function takeBack(channel: Channel, id: number) {
  const guesses = new Map(channel.guesses.value)
  guesses.delete(id)
  channel.guesses.value = guesses
}
