/** Calls, screen shares and their signals. */
import * as v from 'valibot'
import { CALL_STATES, PARTICIPANT_ROLES, PARTICIPANT_STATES } from '../calls.ts'
import { ChannelId, Seconds, Username, wholeNumber } from './values.ts'

export const ScreensharePayload = v.strictObject({
  share_id: v.string(),
  channel: ChannelId,
  sharer: Username,
  started_ts: Seconds,
})
export type ScreensharePayload = v.InferOutput<typeof ScreensharePayload>

export const IncomingCallPayload = v.strictObject({
  call_id: v.string(),
  channel: ChannelId,
  initiator: Username,
  started_ts: Seconds,
})
export type IncomingCallPayload = v.InferOutput<typeof IncomingCallPayload>

/** POST /calls/initiate (interface 4.8). */
export const NewCallPayload = v.strictObject({
  call_id: v.string(),
  /** Everybody invited, the caller first. */
  participants: v.array(Username),
})
export type NewCallPayload = v.InferOutput<typeof NewCallPayload>

/** POST /calls/<call_id>/accept: the participants who accepted. */
export const AcceptedCallPayload = v.strictObject({
  status: v.literal('ok'),
  participants: v.array(Username),
})
export type AcceptedCallPayload = v.InferOutput<typeof AcceptedCallPayload>

export const CallParticipantPayload = v.strictObject({
  username: Username,
  role: v.picklist(PARTICIPANT_ROLES),
  state: v.picklist(PARTICIPANT_STATES),
  joined_ts: v.nullable(Seconds),
  left_ts: v.nullable(Seconds),
  invited_ts: Seconds,
})
export type CallParticipantPayload = v.InferOutput<typeof CallParticipantPayload>

/** GET /calls/<call_id>/state (interface 4.8). */
export const CallStatePayload = v.strictObject({
  call_id: v.string(),
  channel: ChannelId,
  initiator: Username,
  state: v.picklist(CALL_STATES),
  started_ts: Seconds,
  answered_ts: v.nullable(Seconds),
  ended_ts: v.nullable(Seconds),
  /** Empty without a share. */
  screenshare_user: v.union([Username, v.literal('')]),
  participants: v.array(CallParticipantPayload),
})
export type CallStatePayload = v.InferOutput<typeof CallStatePayload>

/** GET /running_calls (an extension): a call in progress that the viewer may join, or is asked into. */
export const RunningCallPayload = v.strictObject({
  call_id: v.string(),
  channel: ChannelId,
  initiator: Username,
  state: v.picklist(['ringing', 'active']),
  /** Begun with the camera. */
  video: v.boolean(),
  started_ts: Seconds,
  answered_ts: v.nullable(Seconds),
  /** When it stops to ring for the viewer; null when it does not ring for them. */
  rings_until: v.nullable(Seconds),
  /** Present and pending participants in the order of their first invitation. */
  participants: v.array(v.strictObject({ username: Username, state: v.picklist(['accepted', 'pending']) })),
})
export type RunningCallPayload = v.InferOutput<typeof RunningCallPayload>

export const SignalType = v.picklist(['offer', 'answer', 'ice_candidate'])
export type SignalType = v.InferOutput<typeof SignalType>

/** GET /calls/<call_id>/signals and GET /screenshare/<share_id>/signals. */
export const SignalPayload = v.strictObject({
  id: wholeNumber,
  from: Username,
  type: SignalType,
  payload: v.record(v.string(), v.unknown()),
  ts: Seconds,
})
export type SignalPayload = v.InferOutput<typeof SignalPayload>

/** GET /calls/<call_id>/media (interface 4.10); `data` and `init` are base64. */
export const MediaPayload = v.strictObject({
  mime_type: v.nullable(v.string()),
  init: v.nullable(v.string()),
  chunks: v.array(v.strictObject({ seq: wholeNumber, data: v.string() })),
})
export type MediaPayload = v.InferOutput<typeof MediaPayload>

/** GET /screenshare/<share_id>/media. */
export const ShareMediaPayload = v.strictObject({
  ...MediaPayload.entries,
  active: v.boolean(),
})
export type ShareMediaPayload = v.InferOutput<typeof ShareMediaPayload>
