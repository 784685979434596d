/** Calls, screen shares and their signals. */
import type { CallState, ParticipantRole, ParticipantState } from '../calls.ts'
import type { ChannelId, Seconds, Username } from '../units.ts'

export interface ScreensharePayload {
  share_id: string
  channel: ChannelId
  sharer: Username
  started_ts: Seconds
}

export interface IncomingCallPayload {
  call_id: string
  channel: ChannelId
  initiator: Username
  started_ts: Seconds
}

/** POST /calls/initiate (interface 4.8). */
export interface NewCallPayload {
  call_id: string
  /** Everybody invited, the caller first. */
  participants: Username[]
}

/** POST /calls/<call_id>/accept: the participants who accepted. */
export interface AcceptedCallPayload {
  status: 'ok'
  participants: Username[]
}

/** GET /calls/<call_id>/state (interface 4.8). */
export interface CallStatePayload {
  call_id: string
  channel: ChannelId
  initiator: Username
  state: CallState
  started_ts: Seconds
  answered_ts: Seconds | null
  ended_ts: Seconds | null
  /** Empty without a share. */
  screenshare_user: Username | ''
  participants: CallParticipantPayload[]
}

export interface CallParticipantPayload {
  username: Username
  role: ParticipantRole
  state: ParticipantState
  joined_ts: Seconds | null
  left_ts: Seconds | null
  invited_ts: Seconds
}

/** GET /running_calls (an extension): a call in progress that the viewer may join, or is asked into. */
export interface RunningCallPayload {
  call_id: string
  channel: ChannelId
  initiator: Username
  state: 'ringing' | 'active'
  /** Begun with the camera. */
  video: boolean
  started_ts: Seconds
  answered_ts: Seconds | null
  /** When it stops to ring for the viewer; null when it does not ring for them. */
  rings_until: Seconds | null
  /** Present and pending participants in the order of their first invitation. */
  participants: { username: Username; state: 'accepted' | 'pending' }[]
}

export type SignalType = 'offer' | 'answer' | 'ice_candidate'

/** GET /calls/<call_id>/signals and GET /screenshare/<share_id>/signals. */
export interface SignalPayload {
  id: number
  from: Username
  type: SignalType
  payload: Record<string, unknown>
  ts: Seconds
}

/** GET /calls/<call_id>/media (interface 4.10); `data` and `init` are base64. */
export interface MediaPayload {
  mime_type: string | null
  init: string | null
  chunks: { seq: number; data: string }[]
}

/** GET /screenshare/<share_id>/media. */
export interface ShareMediaPayload extends MediaPayload {
  active: boolean
}
