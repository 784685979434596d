/** What the client knows of each channel that was opened in this tab. It stays when another is opened. */
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { SeenMessage } from '#shared/rules/deltas.ts'
import type { MessagePayload } from '#shared/rules/payloads.ts'
import type { ChannelId, Seconds, Username } from '#shared/rules/units.ts'
import { type Item, itemsOf, type ShownRow } from './items.ts'
import { changedTs, type Log } from './messages.ts'
import { isDm, isPrivate, othersIn } from './names.ts'
import type { Pending } from './pending.ts'
import { people, viewer } from './store.ts'

/** What the viewer has just done to a row, shown until the row itself comes back changed. */
export interface Guess {
  base: Seconds
  patch: Partial<MessagePayload>
}

export interface Place {
  key: string
  /** How far below the top of the list the row begins. */
  offset: number
  at: number
}

export interface Channel {
  id: ChannelId
  state: Signal<'new' | 'loading' | 'ready' | 'failed' | 'forbidden'>
  /** The live rows are what this device remembers; the server has not been asked since. */
  kept: Signal<boolean>
  /** Counts how often the list was to find its place anew: at the New line, or at the end. */
  landings: Signal<number>
  /** The newest rows. */
  live: Signal<Log | undefined>
  /** A stretch of history that is looked at instead. */
  aside: Signal<Log | undefined>
  guesses: Signal<ReadonlyMap<number, Guess>>
  pending: Signal<Pending[]>
  receipts: Signal<Map<Username, Seconds>>
  /** Of a channel with many readers: how many have read each of its newest messages, in place of `receipts`, which are then the viewer's own. */
  seen: Signal<ReadonlyMap<number, SeenMessage> | undefined>
  typing: Signal<Username[]>
  /** People who can be mentioned, the viewer aside. */
  members: ReadonlySignal<Username[]>
  /** The same of a private channel, as the server says: of any other they follow from its name and the list of people. */
  toldMembers: Signal<Username[]>
  /** The viewer's watermark when the channel was opened: the New line stands after it. */
  unreadAfter: Signal<Seconds | undefined>
  /** The row at the top when the channel was left, unless its end was in view; on this machine's clock. */
  place: Place | undefined
  /** A message to scroll to and to flash. */
  reveal: Signal<{ id: number } | undefined>
  replyTo: Signal<number | undefined>
  editing: Signal<number | undefined>
  /** When the newest row came, on this machine's clock. */
  newestAt: number
  /** Rows that began as pending ones keep their key and, if they are images, their local picture. */
  keys: Map<number, string>
  pictures: Map<string, string>
  items: ReadonlySignal<Item[]>
  findRow: (id: number) => MessagePayload | undefined
}

const channels = new Map<ChannelId, Channel>()

export function channelOf(id: ChannelId): Channel {
  const known = channels.get(id)
  if (known) return known
  const channel = newChannel(id)
  channels.set(id, channel)
  return channel
}

export function everyChannel(): Iterable<Channel> {
  return channels.values()
}

export const current = signal<Channel | undefined>(undefined)

/** Where something of the viewer's was not sent and waits for a word. */
export const notSent = signal<ReadonlySet<ChannelId>>(new Set())

function newChannel(id: ChannelId): Channel {
  const live = signal<Log | undefined>(undefined)
  const aside = signal<Log | undefined>(undefined)
  const guesses = signal<ReadonlyMap<number, Guess>>(new Map())
  const pending = signal<Pending[]>([])
  const unreadAfter = signal<Seconds | undefined>(undefined)
  const keys = new Map<number, string>()
  const toldMembers = signal<Username[]>([])

  const rows = computed(() => {
    const log = aside.value ?? live.value
    const shown = (log?.rows ?? []).map(row => shownRow(row, guesses.value.get(row.id), keys.get(row.id)))
    const waiting = log?.live ? pending.value.map(one => ({ key: one.key, row: one.row, pending: one })) : []
    return [...shown, ...waiting]
  })

  return {
    id,
    live,
    aside,
    guesses,
    pending,
    unreadAfter,
    keys,
    state: signal('new'),
    kept: signal(false),
    landings: signal(0),
    receipts: signal(new Map()),
    seen: signal(undefined),
    typing: signal([]),
    toldMembers,
    members: computed(() => (isDm(id) ? othersIn(id) : isPrivate(id) ? toldMembers.value : people.value)),
    reveal: signal(undefined),
    replyTo: signal(undefined),
    editing: signal(undefined),
    newestAt: 0,
    place: undefined,
    pictures: new Map(),
    items: computed(() => {
      const isWhole = (aside.value ?? live.value)?.complete ?? true
      return itemsOf(rows.value, viewer, unreadAfter.value, isWhole)
    }),
    findRow: wanted => rows.value.find(shown => shown.row.id === wanted)?.row,
  }
}

const guessed = new WeakMap<MessagePayload, { guess: Guess; row: MessagePayload }>()

/** The same objects as long as nothing changed, so that an untouched row is not drawn again. */
function shownRow(row: MessagePayload, guess: Guess | undefined, key: string | undefined): ShownRow {
  return {
    key: key ?? `m${row.id}`,
    row: guess && changedTs(row) <= guess.base ? withGuess(row, guess) : row,
  }
}

function withGuess(row: MessagePayload, guess: Guess): MessagePayload {
  const made = guessed.get(row)
  if (made?.guess === guess) return made.row
  const next = { ...row, ...guess.patch }
  guessed.set(row, { guess, row: next })
  return next
}
