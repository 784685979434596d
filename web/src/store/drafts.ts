/** Unsent text by channel, kept on this device and shared among tabs. */
import { computed, signal } from '@preact/signals'
import type { ChannelId } from '#shared/domain/units.ts'
import { attachments } from './attachments.ts'
import { persistedGroup } from './persisted.ts'
import { knownNames, privateChannels, viewer } from './store.ts'

const stored = persistedGroup(`bothy draft ${viewer} `)

export const drafts = signal<ReadonlyMap<ChannelId, string>>(stored.readAll())

/** The key of the draft of a thread. No channel has it as its id. */
export const threadDraft = (root: number) => `${OF_THREAD}${root}`
const OF_THREAD = 'thread '
export const isOfThread = (key: string): boolean => key.startsWith(OF_THREAD)

/** Channels with a begun message: a text or files. */
export const draftChannels = computed(
  () => new Set([...[...drafts.value.keys()].filter(key => !isOfThread(key)), ...attachments.value.keys()]),
)

/**
 * A draft in a lost private channel is kept for the day the viewer is added again. An archived one is listed with its
 * draft.
 */
export const channelsWithDraft = computed(() =>
  [...draftChannels.value].filter(
    channel =>
      !channel.startsWith('private:') ||
      knownNames.value.has(channel) ||
      privateChannels.value.some(one => one.channel === channel),
  ),
)

export function draftOf(channel: ChannelId): string {
  return drafts.value.get(channel) ?? ''
}

/** As the tabs share it, which another tab may have just changed. */
export const storedDraft = (channel: ChannelId) => stored.readAll().get(channel) ?? ''

/** By channel: when the draft was changed, and whether the server has it. */
export const draftTimes = persistedGroup(`bothy draft-time ${viewer} `)

let noteKept: (channel: ChannelId) => void = () => {}
/** Called after a change by the viewer in this tab. There is one listener. */
export function onDraftKept(listener: (channel: ChannelId) => void) {
  noteKept = listener
}

export function keepDraft(channel: ChannelId, text: string) {
  if (draftOf(channel) === text) return
  takeDraft(channel, text)
  // Those of threads stay on this device.
  if (!isOfThread(channel)) noteKept(channel)
}

/** A change by another device. */
export function takeDraft(channel: ChannelId, text: string) {
  const next = new Map(drafts.value)
  if (text.trim() === '') next.delete(channel)
  else next.set(channel, text)
  drafts.value = next
  if (text.trim() === '') stored.remove(channel)
  else stored.write(channel, text)
}

stored.onChange(() => {
  drafts.value = stored.readAll()
})
