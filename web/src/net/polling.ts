/** Polling where no stream gets through: the same payloads every few seconds (interface 6), most urgent first. */
import { batch } from '@preact/signals'
import { MOST_RECEIPTS } from '#shared/domain/deltas.ts'
import type { EventName } from '#shared/domain/payloads.ts'
import type { Milliseconds } from '#shared/domain/units.ts'
import { type Channel, current } from '../store/channels.ts'
import { session } from '../store/store.ts'
import * as endpoints from './endpoints.ts'
import { apply, type Payloads } from './frames.ts'
import { considerReading } from './read-marks.ts'

const EVERY: Milliseconds = 3_000
const EVERY_WHEN_HIDDEN: Milliseconds = 15_000
/** Payloads that are not urgent are polled every fourth round. */
const CALM_EVERY = 4
const FIRST_ROWS = 60

let timer: ReturnType<typeof setTimeout> | undefined
let round = 0
let running: { every: Milliseconds; onAnswer: (isThere: boolean) => void } | undefined

export const isPolling = () => running !== undefined

/** Reports after each round whether the server responded. */
export function startPolling(onAnswer: (isThere: boolean) => void, every = EVERY) {
  const isNew = !running
  running = { every, onAnswer }
  if (isNew) pollNow()
}

export function stopPolling() {
  running = undefined
  clearTimeout(timer)
}

export function pollNow() {
  clearTimeout(timer)
  round = 0
  void poll()
}

let turn = 0

async function poll() {
  const mine = ++turn
  const isThere = await ask(readyChannel(), round++ % CALM_EVERY === 0)
  // A newer round has begun, for example because another channel was opened.
  if (mine !== turn || !running || session.peek() === 'ended') return
  running.onAnswer(isThere)
  const every = document.hidden ? Math.max(EVERY_WHEN_HIDDEN, running.every) : running.every
  // Jitter: tabs that lost their streams together must not poll together.
  timer = setTimeout(() => void poll(), every * (0.8 + Math.random() * 0.4))
}

function readyChannel(): Channel | undefined {
  const channel = current.peek()
  return channel?.state.peek() === 'ready' && !channel.kept.peek() ? channel : undefined
}

type Answer = () => void

/** Each request may fail by itself. A refusal, for example of a lost channel, is also a response. */
async function ask(channel: Channel | undefined, isCalm: boolean): Promise<boolean> {
  const asked = [...(channel ? [messagesOf(channel)] : []), ...questions(channel, isCalm)]
  const settled = await Promise.allSettled(asked)
  batch(() => {
    for (const one of settled) if (one.status === 'fulfilled') one.value()
  })
  considerReading()
  const failures = settled.flatMap(one => (one.status === 'rejected' ? [one.reason] : []))
  for (const failure of failures) if (!(failure instanceof endpoints.Failure)) throw failure
  return settled.length > failures.length || failures.some(({ status }) => status > 0 && status < 500)
}

async function messagesOf(channel: Channel): Promise<Answer> {
  const cursor = channel.liveWindow.peek()?.cursor ?? 0
  const rows = await (cursor > 0
    ? endpoints.messagesAfter(channel.id, cursor)
    : endpoints.newestMessages(channel.id, FIRST_ROWS))
  return () => rows.length > 0 && apply('messages', rows, channel)
}

function questions(channel: Channel | undefined, isCalm: boolean): Promise<Answer>[] {
  const question = async <E extends EventName>(name: E, path: string): Promise<Answer> => {
    const payload = await endpoints.json<Payloads[E]>(path)
    return () => apply(name, payload, channel)
  }
  const asked = [question('incoming_calls', '/calls/incoming'), question('dms', '/dms')]
  asked.push(question('channel_unreads', '/channel_unreads'))
  if (channel) asked.push(question('typing', `/typing/${encodeURIComponent(channel.id)}`))
  if (!isCalm) return asked
  asked.push(question('private_channels', '/private_channels'), question('mentions', '/mentions'))
  asked.push(question('online_users', '/online_users'))
  if (channel) {
    const id = encodeURIComponent(channel.id)
    asked.push(question('read_receipts', `/read_receipts/${id}?most=${MOST_RECEIPTS}`))
    asked.push(question('screenshares', `/screenshare/active?channel=${id}`))
  }
  return asked
}
