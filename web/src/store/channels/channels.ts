/** State of each channel opened in this tab. It stays when another channel is opened. */
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { SeenMessage } from '#shared/domain/deltas.ts'
import { changeTime } from '#shared/domain/message-rows.ts'
import type { ChannelInfoPayload } from '#shared/domain/payloads/channels.ts'
import type { MessagePayload, RepliesCount } from '#shared/domain/payloads/messages.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import { type Item, itemsOf, type ShownRow } from '../messages/items.ts'
import type { MessageWindow } from '../messages/messages.ts'
import type { Pending } from '../messages/pending.ts'
import { people, viewer } from '../store.ts'
import { foldReplies } from '../threads/fold-replies.ts'
import { withoutFolded } from '../threads/folded-replies.ts'
import { readThreads } from '../threads/read-threads.ts'
import { newReplies } from '../threads/reply-counts.ts'
import { isDm, isPrivate, othersIn } from './names.ts'

/** An optimistic change of a row, shown until the row comes back from the server. */
export interface OptimisticUpdate {
  base: Seconds
  patch: Partial<MessagePayload>
}

export interface ScrollPosition {
  key: string
  /** Distance of the row from the top of the list, in px. */
  offset: number
  at: number
}

export interface Channel {
  id: ChannelId
  state: Signal<'new' | 'loading' | 'ready' | 'failed' | 'forbidden'>
  /** The rows of the live window come from this device's cache; the server has not been asked since. */
  isStale: Signal<boolean>
  /** Re-anchor counter: each increment scrolls the list to its initial position, the New line or the end. */
  reanchorCount: Signal<number>
  /** The newest rows, which frames keep up to date. */
  liveWindow: Signal<MessageWindow | undefined>
  /** An older part of the history, shown instead of the live window. */
  historyWindow: Signal<MessageWindow | undefined>
  optimisticUpdates: Signal<ReadonlyMap<number, OptimisticUpdate>>
  pending: Signal<Pending[]>
  /** By key: replaced by a frame before the response. Not shown, but sent until the server confirms. */
  unconfirmed: Map<string, Pending>
  receipts: Signal<Map<Username, Seconds>>
  /**
   * In channels with many readers: reader counts of the newest messages. `receipts` then holds only the viewer's own.
   */
  seen: Signal<ReadonlyMap<number, SeenMessage> | undefined>
  /** Replies counted since the row of their root was read, by its id. Other rows have their count in `extra`. */
  replyCounts: Signal<ReadonlyMap<number, RepliesCount | undefined>>
  typing: Signal<Username[]>
  /** People who can be mentioned, except the viewer. */
  members: ReadonlySignal<Username[]>
  /**
   * Members of a private channel, from the server; those of other channels follow from the name and the list of people.
   */
  serverMembers: Signal<Username[]>
  /** Properties and the viewer's rights; undefined until the stream has sent them. */
  info: Signal<ChannelInfoPayload | undefined>
  /** The viewer's read marker when the channel was opened: the New line stands after it. */
  unreadAfter: Signal<Seconds | undefined>
  /** The time up to which the viewer had read when the channel was loaded: later replies are not folded. */
  foldsUpTo: Signal<Seconds>
  /** The row at the top when the channel was left, unless the end was in view; timed by the local clock. */
  scrollPosition: ScrollPosition | undefined
  /** A message to scroll to and to highlight. */
  reveal: Signal<{ id: number } | undefined>
  replyTo: Signal<number | undefined>
  editing: Signal<number | undefined>
  /** Arrival of the newest row, by the local clock. */
  newestAt: number
  /** Rows that began as pending ones keep their key and, for images, their local picture. */
  keys: Map<number, string>
  pictures: Map<string, string>
  items: ReadonlySignal<Item[]>
  /** New replies by the root of their thread, for the line under it. */
  newReplies: ReadonlySignal<ReadonlyMap<number, number>>
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

function newChannel(id: ChannelId): Channel {
  const liveWindow = signal<MessageWindow | undefined>(undefined)
  const historyWindow = signal<MessageWindow | undefined>(undefined)
  const optimisticUpdates = signal<ReadonlyMap<number, OptimisticUpdate>>(new Map())
  const pending = signal<Pending[]>([])
  const unreadAfter = signal<Seconds | undefined>(undefined)
  const foldsUpTo = signal<Seconds>(Infinity)
  const editing = signal<number | undefined>(undefined)
  const keys = new Map<number, string>()
  const serverMembers = signal<Username[]>([])

  const rows = computed(() => {
    const shownWindow = historyWindow.value ?? liveWindow.value
    const shown = (shownWindow?.rows ?? []).map(row =>
      shownRow(row, optimisticUpdates.value.get(row.id), keys.get(row.id)),
    )
    const waiting = shownWindow?.isLive
      ? pending.value.map(one => ({ key: one.key, row: one.row, pending: one }))
      : []
    return [...shown, ...waiting]
  })

  return {
    id,
    liveWindow,
    historyWindow,
    optimisticUpdates,
    pending,
    unconfirmed: new Map(),
    unreadAfter,
    foldsUpTo,
    keys,
    state: signal('new'),
    isStale: signal(false),
    reanchorCount: signal(0),
    info: signal(undefined),
    receipts: signal(new Map()),
    seen: signal(undefined),
    replyCounts: signal(new Map()),
    typing: signal([]),
    serverMembers,
    members: computed(() => (isDm(id) ? othersIn(id) : isPrivate(id) ? serverMembers.value : people.value)),
    reveal: signal(undefined),
    replyTo: signal(undefined),
    editing,
    newestAt: 0,
    scrollPosition: undefined,
    pictures: new Map(),
    items: computed(() => {
      const isWhole = (historyWindow.value ?? liveWindow.value)?.complete ?? true
      const readUpTo = Math.min(foldsUpTo.value, unreadAfter.value ?? Infinity)
      const shown = foldReplies.value
        ? withoutFolded(rows.value, { viewer, readUpTo, editing: editing.value })
        : rows.value
      return itemsOf(shown, viewer, unreadAfter.value, isWhole)
    }),
    newReplies: computed(() =>
      unreadAfter.value === undefined
        ? NO_REPLIES
        : newReplies(
            [liveWindow, historyWindow].flatMap(side => side.value?.rows ?? []),
            viewer,
            unreadAfter.value,
            readThreads.value,
          ),
    ),
    findRow: wanted => rows.value.find(shown => shown.row.id === wanted)?.row,
  }
}

const NO_REPLIES: ReadonlyMap<number, number> = new Map()

const updatedRows = new WeakMap<MessagePayload, { update: OptimisticUpdate; row: MessagePayload }>()

/** Returns the same object while nothing changed, so that the row is not rendered again. */
export function shownRow(
  row: MessagePayload,
  update: OptimisticUpdate | undefined,
  key: string | undefined,
): ShownRow {
  return {
    key: key ?? `m${row.id}`,
    row: update && changeTime(row) <= update.base ? withUpdate(row, update) : row,
  }
}

function withUpdate(row: MessagePayload, update: OptimisticUpdate): MessagePayload {
  const made = updatedRows.get(row)
  if (made?.update === update) return made.row
  const next = { ...row, ...update.patch }
  updatedRows.set(row, { update, row: next })
  return next
}
