import {
  applyCounts,
  applyLists,
  applyPresence,
  applySeen,
  DELTA_NAMES,
  type DeltaName,
  type DeltaPayloads,
  dmsOf,
  hashOf,
  type ListsState,
  MOST_RECEIPTS,
  privateChannelsOf,
  type SeenState,
} from '#shared/domain/deltas.ts'
import type { ChannelUnreadsPayload } from '#shared/domain/payloads/channels.ts'
import type { ReadReceiptsPayload } from '#shared/domain/payloads/messages.ts'
import type { OnlineUsersPayload } from '#shared/domain/payloads/people.ts'
import type { Person } from './person.ts'
import type { RunningService } from './processes.ts'
import { openTab, type Tab } from './tab.ts'

/** A tab like the client's: applies the delta frames in order, across streams. */
export class DeltaTab {
  readonly person: Person
  channel: string
  tab!: Tab
  presence: OnlineUsersPayload | undefined
  counts: ChannelUnreadsPayload | undefined
  lists: ListsState | undefined
  seen: SeenState | undefined
  readonly hashes = new Map<string, string>()
  #applied = 0

  constructor(person: Person, channel: string) {
    this.person = person
    this.channel = channel
  }

  async open(gateway: RunningService, channel = this.channel): Promise<this> {
    if (channel !== this.channel) {
      this.hashes.delete('seen')
      this.seen = undefined
    }
    this.channel = channel
    const known = [...this.hashes].map(([event, hash]) => `${event}:${hash}`).join()
    this.tab = await openTab(gateway.url, this.person.cookie, { channel, deltas: DELTA_NAMES, known })
    this.#applied = 0
    return this
  }

  close() {
    this.apply()
    this.tab.close()
  }

  apply() {
    for (const { event, data } of this.tab.frames.slice(this.#applied)) {
      this.#applied++
      if (event === 'mentions') this.hashes.set(event, hashOf(data))
      if (!DELTA_NAMES.includes(event as DeltaName)) continue
      const delta = JSON.parse(data)
      this.hashes.set(event, delta.hash)
      if (event === 'presence') this.presence = applyPresence(this.presence, delta)
      if (event === 'counts') this.counts = applyCounts(this.counts, delta)
      if (event === 'lists') this.lists = applyLists(this.lists, delta)
      if (event === 'seen') this.seen = applySeen(this.seen, delta)
    }
  }

  /** Returns the events that differ from the responses of the endpoints. */
  async differences(): Promise<string[]> {
    const { person, channel } = this
    const answers = await Promise.all(
      [
        '/online_users',
        '/channel_unreads',
        '/dms',
        '/private_channels',
        '/unread_count',
        `/read_receipts/${channel}?most=${MOST_RECEIPTS}`,
      ].map(path => person.get(path)),
    )
    this.apply()
    const shown = [
      this.presence,
      this.counts,
      this.lists && dmsOf(this.lists),
      this.lists && privateChannelsOf(this.lists),
      this.lists && { count: this.lists.unread },
      this.seen?.receipts && withoutOwn(person, this.seen.receipts),
    ]
    return answers.flatMap((answer, i) => {
      const isReceipts = i === answers.length - 1
      const wanted = isReceipts ? withoutOwn(person, answer as ReadReceiptsPayload) : answer
      const [a, b] = [canonical(wanted), canonical(shown[i])]
      return a === b ? [] : [`${person.name} in ${channel}: ${b} instead of ${a}`]
    })
  }

  frames<N extends DeltaName>(event: N): DeltaPayloads[N][] {
    return this.tab.framesOf(event).map(({ data }) => JSON.parse(data))
  }
}

/** `most=` has the own watermark even where joining set it, which frames leave out. */
export function withoutOwn({ name }: Person, receipts: ReadReceiptsPayload): ReadReceiptsPayload {
  const { [name]: _own, ...others } = receipts
  return others
}

/** JSON with sorted keys: a state built from changes has no order. */
export function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value) ?? ''
  return JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
