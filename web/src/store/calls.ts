/** Calls and screen shares, as far as all parts of the client need them. */
import { computed, signal } from '@preact/signals'
import type { RunningCallPayload, ScreensharePayload } from '#shared/domain/payloads/calls.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { current } from './channels/channels.ts'
import { isDm, isPrivate, othersIn } from './channels/names.ts'
import { isBot } from './people/people.ts'
import { isChannelMuted } from './sidebar/channel-choices.ts'
import { viewer } from './store.ts'

/** As the server lists them; read `livingCalls`. */
const listed = signal<RunningCallPayload[]>([])
/** Ids of calls that this tab knows to be over before the list does. */
const over = signal<ReadonlySet<string>>(new Set())
/** Ids of calls that the viewer has left and whose list still names them. */
const departed = signal<ReadonlySet<string>>(new Set())
/** Rings that the viewer has answered or declined. A repeated invitation is another ring. */
const silenced = signal<ReadonlySet<string>>(new Set())

/** The calls in progress in the viewer's channels, and those into which they are invited from elsewhere. */
export const livingCalls = computed(() => listed.value.filter(({ call_id }) => !over.value.has(call_id)))

/** The calls that ring for the viewer. A muted channel does not ring: its row and its banner show the call. */
export const incoming = computed(() =>
  livingCalls.value.filter(
    call => call.rings_until !== null && !silenced.value.has(ringOf(call)) && !isChannelMuted(call.channel),
  ),
)

/** The call in progress in the open channel. */
export const channelCall = computed(() => callIn(current.value?.id))

/** Channel of the call that this tab is in. */
export const ownCallChannel = signal<ChannelId | undefined>(undefined)
/** Channel in which this tab shares its screen. */
export const ownShareChannel = signal<ChannelId | undefined>(undefined)

/** The call that the viewer is in from another tab or device. */
export const callElsewhere = computed(() =>
  ownCallChannel.value === undefined
    ? livingCalls.value.find(call => presentIn(call).includes(viewer) && !departed.value.has(call.call_id))
    : undefined,
)

/** People who are in a call of one of the viewer's channels. */
export const peopleInCalls = computed<ReadonlySet<Username>>(
  () => new Set(livingCalls.value.filter(({ state }) => state === 'active').flatMap(presentIn)),
)

export const shares = signal<ReadonlyMap<ChannelId, ScreensharePayload[]>>(new Map())

export function takeRunningCalls(calls: RunningCallPayload[]) {
  const stillIn = calls.filter(call => presentIn(call).includes(viewer)).map(({ call_id }) => call_id)
  if (departed.peek().size > 0) departed.value = new Set(stillIn.filter(id => departed.peek().has(id)))
  listed.value = calls
}

export const callIn = (channel: ChannelId | undefined) =>
  livingCalls.value.find(call => call.channel === channel)

export const presentIn = ({ participants }: RunningCallPayload): Username[] =>
  participants.filter(({ state }) => state === 'accepted').map(({ username }) => username)

export function silenceRing(callId: string) {
  const call = listed.peek().find(({ call_id }) => call_id === callId)
  if (call) silenced.value = new Set(silenced.peek()).add(ringOf(call))
}

export function noteOver(callId: string) {
  over.value = new Set(over.peek()).add(callId)
}

export function noteDeparture(callId: string) {
  departed.value = new Set(departed.peek()).add(callId)
}

const ringOf = ({ call_id, rings_until }: RunningCallPayload) => `${call_id} ${rings_until}`

/** Channels with other people, who could answer. */
export const isCallable = (channel: ChannelId) =>
  isPrivate(channel) || (isDm(channel) && othersIn(channel).some(name => !isBot(name)))
