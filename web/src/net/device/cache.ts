/**
 * The last view, kept on this device per person until the session ends: painted before the server responds, and when it
 * does not (ui.md 6.1). The user's own unsent text is kept elsewhere (drafts, outbox).
 */
import { batch, effect } from '@preact/signals'
import type { DmPayload, PrivateChannelPayload } from '#shared/domain/payloads/channels.ts'
import type { ClientConfigPayload } from '#shared/domain/payloads/client.ts'
import type { CustomEmojiPayload, MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { PersonPayload } from '#shared/domain/payloads/people.ts'
import type { ChannelId, Milliseconds, Username } from '#shared/domain/units.ts'
import { type Channel, current } from '../../store/channels/channels.ts'
import { persisted } from '../../store/device/persisted.ts'
import { customEmoji } from '../../store/messages/custom-emoji.ts'
import { newestPage } from '../../store/messages/messages.ts'
import { changePeople, everyPerson, peopleVersion } from '../../store/people/people.ts'
import { nameColors, pictured } from '../../store/people/profiles.ts'
import {
  channelUnreads,
  config,
  dms,
  people,
  privateChannels,
  publicChannels,
  started,
  viewer,
} from '../../store/store.ts'
import { forgetStoredDrafts } from '../../store/writing/drafts.ts'
import { forgetAvatars } from './avatar-cache.ts'
import { database, forgetDatabase } from './indexed-db.ts'

const ROWS = 60
const CHANNELS = 30
const SAVED_AFTER: Milliseconds = 1_000
/** sw.js finds the databases by this prefix and deletes them at sign-out. */
const NAME = 'bothy cache '
const owner = persisted('bothy cached')

interface Lists {
  build: string
  channels: ChannelId[]
  closed: PrivateChannelPayload[]
  conversations: DmPayload[]
  unreads: [ChannelId, number][]
}

/** Stored apart from the lists, which change with every message. */
interface Office {
  build: string
  names: Username[]
  /** Profiles of those who have more than a name. */
  profiles: PersonPayload[]
  colors: [Username, string][]
  faces: Username[]
  emoji: CustomEmojiPayload[]
  config: ClientConfigPayload
}

interface Page {
  build: string
  id: ChannelId
  at: Milliseconds
  rows: MessagePayload[]
}

/** Entries of another build are ignored: their fields may have another meaning. */
const build =
  document.querySelector('script[type=module][src]')?.getAttribute('src')?.replace(/^.*\//, '') ?? ''

const db = database(NAME + viewer, created => {
  created.createObjectStore('lists')
  created.createObjectStore('channels', { keyPath: 'id' }).createIndex('at', 'at')
})

const hasMore = ({ display_name, status, role, kind, active }: PersonPayload) =>
  display_name !== null || status !== null || role === 'guest' || kind === 'bot' || !active

let forgotten = false

/** True if lists were kept and the server has not sent its own yet. */
export async function paintLists(): Promise<boolean> {
  forgetOthers()
  const [lists, office] = await Promise.all([
    db.run<Lists>('lists', 'readonly', store => store.get('lists')),
    db.run<Office>('lists', 'readonly', store => store.get('office')),
  ])
  if (lists?.build !== build || forgotten) return false
  const isCurrent = started.peek() === 'ready'
  batch(() => {
    if (!isCurrent) {
      publicChannels.value = lists.channels
      privateChannels.value = lists.closed
      dms.value = lists.conversations
      channelUnreads.value = new Map(lists.unreads)
    }
    if (office?.build === build) paintOffice(office)
    started.value = 'ready'
  })
  return !isCurrent
}

function paintOffice(office: Office) {
  if (people.peek().length === 0) people.value = office.names
  if (peopleVersion.peek() === 0) changePeople(office.profiles, [])
  if (nameColors.peek().size === 0) nameColors.value = new Map(office.colors)
  if (config.peek().version === '') config.value = office.config
  if (customEmoji.peek().size === 0) customEmoji.value = new Map(office.emoji.map(one => [one.name, one]))
  if (pictured.peek().size === 0) pictured.value = new Set(office.faces)
}

/** For a channel without rows in this page. The server's response may arrive first. */
export async function paintRows(channel: Channel) {
  const page = await db.run<Page>('channels', 'readonly', store => store.get(channel.id))
  if (page?.build !== build || page.rows.length === 0) return
  if (channel.liveWindow.peek() || channel.state.peek() !== 'loading' || forgotten) return
  batch(() => {
    channel.liveWindow.value = newestPage(page.rows, 0)
    channel.isStale.value = true
  })
}

/** Saves changes of the view from now on, a moment after each. */
export function startKeeping() {
  later(() => {
    const lists: Lists = {
      build,
      channels: publicChannels.value,
      closed: privateChannels.value,
      conversations: dms.value,
      unreads: [...channelUnreads.value],
    }
    return { of: 'lists', save: () => keepLists(lists) }
  })
  later(() => {
    const office: Office = {
      build,
      names: people.value,
      profiles: peopleVersion.value === 0 ? [] : [...everyPerson()].filter(hasMore),
      colors: [...nameColors.value],
      faces: [...pictured.value],
      emoji: [...customEmoji.value.values()],
      config: config.value,
    }
    return { of: 'office', save: () => db.run('lists', 'readwrite', store => store.put(office, 'office')) }
  })
  later(() => {
    const channel = current.value
    const live = channel?.liveWindow.value
    if (!channel || !live || live.rows.length === 0 || channel.isStale.value) return undefined
    const page: Page = { build, id: channel.id, at: Date.now(), rows: live.rows.slice(-ROWS) }
    return { of: page.id, save: () => keepPage(page) }
  })
}

/** At sign-out, here or in another tab: the next user of this browser must not read the messages of others. */
export function forgetCache(): Promise<void> {
  forgotten = true
  return forgetDatabase(NAME + viewer)
}

interface Change {
  of: string
  save: () => Promise<unknown>
}

/** Debounces writes; continuous changes are written at intervals. */
function later(look: () => Change | undefined) {
  const changed = new Map<string, Change>()
  const write = () => {
    if (!forgotten) for (const { save } of changed.values()) void save()
    changed.clear()
  }
  effect(() => {
    const change = look()
    if (!change) return
    if (changed.size === 0) setTimeout(write, SAVED_AFTER)
    changed.set(change.of, change)
  })
}

async function keepLists(lists: Lists) {
  await db.run('lists', 'readwrite', store => store.put(lists, 'lists'))
  // Drops lost private channels and closed conversations.
  const known = new Set<ChannelId>([
    ...lists.channels,
    ...lists.closed.map(one => one.channel),
    ...lists.conversations.map(one => one.channel),
  ])
  await db.run('channels', 'readwrite', store => {
    const keys = store.getAllKeys()
    keys.onsuccess = () => {
      for (const id of keys.result as ChannelId[]) if (!known.has(id)) store.delete(id)
    }
    return keys
  })
}

async function keepPage(page: Page) {
  await db.run('channels', 'readwrite', store => {
    const put = store.put(page)
    const byAge = store.index('at').getAllKeys()
    byAge.onsuccess = () => {
      for (const id of byAge.result.slice(0, -CHANNELS)) store.delete(id)
    }
    return put
  })
}

/** Deletes the caches of other users who did not sign out. */
function forgetOthers() {
  const last = owner.read()
  if (last && last !== viewer) {
    void forgetDatabase(NAME + last)
    forgetAvatars()
    forgetStoredDrafts(last)
  }
  owner.write(viewer)
}
