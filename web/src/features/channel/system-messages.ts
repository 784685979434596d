/** Parses the text of a system message, so that it can be shown in any language (decisions, System identity). Pure. */
import { welcomedIn } from '../../store/items.ts'

export type SystemMessage =
  | { kind: 'welcome'; who: string }
  | { kind: 'joined'; who: string }
  | { kind: 'added'; who: string; whom: string }
  | { kind: 'left'; who: string }
  | { kind: 'renamed'; who: string; name: string }
  | { kind: 'call'; minutes: number }
  | { kind: 'missed'; who: string }

const ADDED = /^([A-Za-z0-9_-]{1,32}) added ([A-Za-z0-9_-]{1,32}) to the channel\.$/
const LEFT = /^([A-Za-z0-9_-]{1,32}) left the channel\.$/
const CALL = /^Call, (\d{1,6}) min\.$/
const MISSED = /^Missed call from ([A-Za-z0-9_-]{1,32})\.$/
const RENAMED = /^([A-Za-z0-9_-]{1,32}) renamed the channel to “(.+)”\.$/s

/** Undefined for a text that is shown unchanged. The welcome greets the newcomer; for others it is a notice. */
export function systemMessageOf(content: string | null, viewer: string): SystemMessage | undefined {
  const text = content ?? ''
  const who = welcomedIn(text)
  if (who !== undefined) return { kind: who === viewer ? 'welcome' : 'joined', who }
  const added = ADDED.exec(text)
  if (added) return { kind: 'added', who: added[1]!, whom: added[2]! }
  const left = LEFT.exec(text)
  if (left) return { kind: 'left', who: left[1]! }
  const call = CALL.exec(text)
  if (call) return { kind: 'call', minutes: Number(call[1]) }
  const missed = MISSED.exec(text)
  if (missed) return { kind: 'missed', who: missed[1]! }
  const renamed = RENAMED.exec(text)
  return renamed ? { kind: 'renamed', who: renamed[1]!, name: renamed[2]! } : undefined
}

/** True if the history begins with the viewer's own joining, so that earlier messages are hidden from them. */
export function beginsWithJoining(firstContent: string | null | undefined, viewer: string): boolean {
  const message = systemMessageOf(firstContent ?? null, viewer)
  return message?.kind === 'added' && message.whom === viewer
}
