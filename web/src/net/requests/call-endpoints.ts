/** Interface 4.8 and 4.9, in a module of their own: fetched only when a call or a share begins. */
import type {
  AcceptedCallPayload,
  CallStatePayload,
  NewCallPayload,
  ScreensharePayload,
  SignalPayload,
  SignalType,
} from '#shared/domain/payloads/calls.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { json, postJson, whole } from './endpoints.ts'

/** Path of a signal inbox: `calls/<call_id>` or `screenshare/<share_id>`. */
export type SignalPath = `calls/${string}` | `screenshare/${string}`

/** `video`: begun with the camera (an extension). */
export const initiate = (channel: ChannelId, video: boolean) =>
  posted<NewCallPayload>('/calls/initiate', { channel, video })
export const accept = (call: string) => posted<AcceptedCallPayload>(`/calls/${call}/accept`, {})
/** An extension: members of the channel may join, even after they declined. */
export const join = (call: string) => posted<AcceptedCallPayload>(`/calls/${call}/join`, {})
export const callState = (call: string) => json<CallStatePayload>(`/calls/${call}/state`)
export const invite = (call: string, username: Username) => postJson(`/calls/${call}/invite`, { username })
export const claimScreen = (call: string, on: boolean) => postJson(`/calls/${call}/screenshare`, { on })
/** `leave` and `end` are idempotent. `keepalive` lets a closing page send them. */
export const partFrom = (call: string, verb: 'reject' | 'end' | 'leave', keepalive = false) =>
  postJson(`/calls/${call}/${verb}`, {}, { keepalive })

export const startShare = (channel: ChannelId) =>
  posted<{ share_id: string }>('/screenshare/start', { channel })
export const stopShare = (share: string, keepalive = false) =>
  postJson(`/screenshare/${share}/stop`, {}, { keepalive })
export const activeShares = (channel: ChannelId) =>
  json<ScreensharePayload[]>(`/screenshare/active?channel=${encodeURIComponent(channel)}`)

export const sendSignal = (of: SignalPath, signal: { to: Username; type: SignalType; payload: object }) =>
  postJson(`/${of}/signal`, signal)
export const signalsAfter = (of: SignalPath, after: number) =>
  json<SignalPayload[]>(`/${of}/signals?after=${after}`)

async function posted<T>(path: string, body: unknown): Promise<T> {
  return whole((await postJson(path, body)).json())
}
