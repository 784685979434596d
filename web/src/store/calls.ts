/** Calls and screen shares, as far as all parts of the client need them. */
import { signal } from '@preact/signals'
import type { CallStatePayload, IncomingCallPayload, ScreensharePayload } from '#shared/domain/payloads.ts'
import type { ChannelId } from '#shared/domain/units.ts'

export const incoming = signal<IncomingCallPayload[]>([])
export const shares = signal<ReadonlyMap<ChannelId, ScreensharePayload[]>>(new Map())

/** The running call of the open channel, for late joiners (decisions, Calls). */
export const channelCall = signal<CallStatePayload | undefined>(undefined)

/** Channel of the call that this tab is in. */
export const ownCallChannel = signal<ChannelId | undefined>(undefined)
/** Channel in which this tab shares its screen. */
export const ownShareChannel = signal<ChannelId | undefined>(undefined)

/** Channels with other people, who could answer. */
export const isCallable = (channel: ChannelId) =>
  channel.startsWith('private:') || (channel.startsWith('dm:') && channel.split(':').length > 2)
