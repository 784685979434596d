/** Outcomes that `net` reports and the user is told of. `features/reports` puts them into words. */
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { ChannelId } from '#shared/domain/units.ts'

export type Report =
  | { what: 'messages-arrived'; rows: MessagePayload[] }
  | { what: 'message-missing' | 'malformed-response' }
  | { what: 'page-not-loaded'; channel: ChannelId }
  | { what: 'upload-finished' | 'message-not-sent' | 'connection-lost' }
  | { what: 'edit-refused'; row: MessagePayload; text: string }
  | { what: 'deletion-refused' | 'reaction-refused' }
  | { what: 'channel-lost' | 'channel-left' | 'channel-not-left'; name: string }
  | { what: 'channel-not-joined' | 'channel-not-changed'; name: string }
  | { what: 'public-channel-left' | 'channel-archived'; name: string; undo: () => void }
  | { what: 'people-skipped'; names: string[] }
  /** `missed`: value of the header `X-Mention-Missed` (interface 15.3). */
  | { what: 'mention-missed'; channel: ChannelId; missed: string }

let listener: (report: Report) => void = () => {}

export function report(outcome: Report) {
  listener(outcome)
}

/** There is one listener. */
export function onReport(listen: (report: Report) => void) {
  listener = listen
}
