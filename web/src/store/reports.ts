/** Outcomes that `net` reports and the user is told of. `features/reports` puts them into words. */
import type { MessagePayload } from '#shared/domain/payloads.ts'

export type Report =
  | { what: 'messages-arrived'; rows: MessagePayload[] }
  | { what: 'message-missing' | 'page-not-loaded' | 'malformed-response' }
  | { what: 'upload-finished' | 'message-not-sent' | 'connection-lost' }
  | { what: 'edit-refused'; row: MessagePayload; text: string }
  | { what: 'deletion-refused' | 'reaction-refused' }
  | { what: 'channel-lost' | 'channel-left'; name: string }
  | { what: 'channel-not-left' }
  | { what: 'people-skipped'; names: string[] }

let listener: (report: Report) => void = () => {}

export function report(outcome: Report) {
  listener(outcome)
}

/** There is one listener. */
export function onReport(listen: (report: Report) => void) {
  listener = listen
}
