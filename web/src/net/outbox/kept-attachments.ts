/**
 * Files of the next messages, kept on this device like drafts and in agreement between tabs. Beyond the limits, or
 * without storage, they live as long as the page.
 */
import { batch } from '@preact/signals'
import type { ChannelId } from '#shared/domain/units.ts'
import { viewer } from '../../store/store.ts'
import { type Attachment, attachments, setAttachments } from '../../store/writing/attachments.ts'
import { database, forgetDatabase } from '../device/indexed-db.ts'
import { uuid } from '../requests/uuid.ts'
import { tabChannel } from '../tabs/tab-channel.ts'

const MOST_FILES = 30
const MOST_BYTES = 100 * 1024 * 1024

const NAME = `bothy attachments ${viewer}`
const db = database(NAME, created => {
  created.createObjectStore('files', { keyPath: 'key' })
})
const tabs = tabChannel<'changed'>(NAME)

type Kept = Omit<Attachment, 'preview'>

/** Keys of files that are stored. */
const durable = new Set<string>()
let lastOrder = 0

/** Adds files to the next message of a channel and returns them. */
export function attach(channel: ChannelId, files: File[]): Attachment[] {
  const added = files.map(file => {
    // Based on the clock, so that the order holds across tabs.
    lastOrder = Math.max(lastOrder + 1, Date.now() * 1_000)
    return { key: uuid(), channel, order: lastOrder, file, preview: URL.createObjectURL(file) }
  })
  setAttachments(channel, [...(attachments.peek().get(channel) ?? []), ...added])
  void keep(added)
  return added
}

/** Removes files that were sent or discarded. */
export function detach(channel: ChannelId, gone: Attachment[]) {
  const keys = new Set(gone.map(one => one.key))
  for (const one of gone) URL.revokeObjectURL(one.preview)
  setAttachments(
    channel,
    (attachments.peek().get(channel) ?? []).filter(one => !keys.has(one.key)),
  )
  void discard(keys)
}

/** Reads the files kept by an earlier page, then follows the other tabs. */
export function restoreAttachments() {
  tabs.listen(() => void restore())
  void restore()
}

/** The account is deleted. */
export const forgetAttachments = () => forgetDatabase(NAME)

async function keep(added: Attachment[]) {
  for (const { preview: _, ...one } of added) {
    if (!hasRoomFor(one)) continue
    const key = await db.run('files', 'readwrite', store => store.put(one satisfies Kept))
    if (key === undefined) continue
    durable.add(one.key)
    // Sent or discarded in the meantime.
    if (!all().some(other => other.key === one.key)) await discard(new Set([one.key]))
  }
  tabs.post('changed')
}

async function discard(keys: ReadonlySet<string>) {
  for (const key of keys) {
    durable.delete(key)
    await db.run('files', 'readwrite', store => store.delete(key))
  }
  tabs.post('changed')
}

async function restore() {
  const stored = await db.run<Kept[]>('files', 'readonly', store => store.getAll())
  if (!stored) return
  const known = new Map(all().map(one => [one.key, one]))
  const kept = new Set(stored.map(one => one.key))
  const gone = [...durable].filter(key => !kept.has(key))
  const stays = [...known.values()].filter(one => !gone.includes(one.key))
  const isNew = (one: Kept) => !known.has(one.key)
  const added = stored.filter(isNew).map(one => ({ ...one, preview: URL.createObjectURL(one.file) }))
  for (const key of gone) {
    durable.delete(key)
    const one = known.get(key)
    if (one) URL.revokeObjectURL(one.preview)
  }
  for (const key of kept) durable.add(key)
  if (gone.length + added.length === 0) return
  const next = [...stays, ...added].toSorted((a, b) => a.order - b.order)
  batch(() => {
    for (const id of new Set([...attachments.peek().keys(), ...next.map(one => one.channel)]))
      setAttachments(
        id,
        next.filter(one => one.channel === id),
      )
  })
}

const all = () => [...attachments.peek().values()].flat()

function hasRoomFor({ file }: Kept) {
  const kept = all().filter(one => durable.has(one.key))
  const bytes = kept.reduce((sum, one) => sum + one.file.size, 0)
  return kept.length < MOST_FILES && bytes + file.size <= MOST_BYTES
}
