/** Unsent text by channel, kept on this device and shared among tabs. */
import { computed, signal } from '@preact/signals'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import { persistedGroup } from '../device/persisted.ts'
import { knownNames, privateChannels, viewer } from '../store.ts'
import { attachments } from './attachments.ts'

const textsOf = (name: Username) => persistedGroup(`bothy draft ${name} `)
const timesOf = (name: Username) => persistedGroup(`bothy draft-time ${name} `)

const stored = textsOf(viewer)

export const drafts = signal<ReadonlyMap<ChannelId, string>>(stored.readAll())

/** The key of the text and the files of a reply in a thread. No channel has it as its id. */
export const threadDraft = (root: number, channel: ChannelId) => `${OF_THREAD}${root} ${channel}`
const OF_THREAD = 'thread '
export const isOfThread = (key: string): boolean => key.startsWith(OF_THREAD)

/** `thread_id` is 0 for a message of the channel itself. Undefined for keys without a channel, as they were once. */
export function placeOfDraft(key: string): { channel: ChannelId; thread_id: number } | undefined {
  if (!isOfThread(key)) return { channel: key, thread_id: 0 }
  const [, root, channel] = /^thread (\d+) (.+)$/s.exec(key) ?? []
  return channel === undefined ? undefined : { channel, thread_id: Number(root) }
}

/** The root of a draft that is kept without its channel. */
export const rootOfOldDraft = (key: string): number | undefined =>
  /^thread \d+$/.test(key) ? Number(key.slice(OF_THREAD.length)) : undefined

/** Keys of begun messages: a text or files. */
const begun = computed(() => [...new Set([...drafts.value.keys(), ...attachments.value.keys()])])

/** Channels with a begun message of their own. */
export const draftChannels = computed(() => new Set(begun.value.filter(key => !isOfThread(key))))

/**
 * Keys of the drafts that are listed, those of threads after those of channels. A draft in a lost private channel is kept
 * for the day the viewer is added again. An archived one is listed with its draft.
 */
export const listedDrafts = computed(() => {
  const isListed = (channel: ChannelId | undefined) =>
    channel !== undefined &&
    (!channel.startsWith('private:') ||
      knownNames.value.has(channel) ||
      privateChannels.value.some(one => one.channel === channel))
  const keys = begun.value.filter(key => isListed(placeOfDraft(key)?.channel))
  return [...keys.filter(key => !isOfThread(key)), ...keys.filter(isOfThread)]
})

export function draftOf(channel: ChannelId): string {
  return drafts.value.get(channel) ?? ''
}

/** As the tabs share it, which another tab may have just changed. */
export const storedDraft = (channel: ChannelId) => stored.readAll().get(channel) ?? ''

/** By channel: when the draft was changed, and whether the server has it. */
export const draftTimes = timesOf(viewer)

/** The time given to drafts from before their times were kept. */
export const UNKNOWN_TIME: Seconds = 1

/** Until the listener is there: a draft of another device that arrives after the first keys is older than they are. */
let noteKept = (channel: ChannelId) => draftTimes.write(channel, String(Date.now() / 1000))
/** Called after a change by the viewer in this tab. There is one listener. */
export function onDraftKept(listener: (channel: ChannelId) => void) {
  noteKept = listener
}

export function keepDraft(channel: ChannelId, text: string) {
  if (draftOf(channel) === (text.trim() === '' ? '' : text)) return
  takeDraft(channel, text)
  noteKept(channel)
}

const composers = new Set<() => void>()
/** Composers keep their text after a pause of the keys; `keep` does it at once. Returns its undo. */
export function onLeaving(keep: () => void): () => void {
  composers.add(keep)
  return () => composers.delete(keep)
}

/** Keeps what was typed a moment ago. */
export function keepTyped() {
  for (const keep of composers) keep()
}
addEventListener('pagehide', keepTyped)

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

/** Ends the time of a draft that the server has. */
export const STORED = ' stored'

/** Removes the drafts of a person from this device, but not those that the server lacks. */
export function forgetStoredDrafts(name: Username) {
  const texts = textsOf(name)
  const times = timesOf(name)
  for (const [key, time] of times.readAll()) {
    if (!time.endsWith(STORED)) continue
    texts.remove(key)
    times.remove(key)
  }
}
