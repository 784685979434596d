/** Parses the text of a system message, so that it can be shown in any language (interface 2.3). Pure. */
import { welcomedIn } from '../../../store/messages/items.ts'

/** Acts of a person in a channel, with a group for the rest of the line: a name, a topic or people. */
const ACTS = {
  added: /^added (.+?)(?: to the channel)?\.$/,
  removed: /^removed (.+) from the channel\.$/,
  renamed: /^renamed the channel to “(.+)”\.$/s,
  topic: /^set the topic: (.+)$/s,
}
export type Act = keyof typeof ACTS

/** Acts without a rest. */
const PLAIN_ACTS = [
  'left the channel.',
  'made this channel.',
  'took the topic away.',
  'made this channel read-only.',
  'lets everybody write again.',
  'archived this channel.',
  'brought this channel back.',
] as const
export type PlainAct = (typeof PLAIN_ACTS)[number]

export type SystemMessage =
  | { kind: 'welcome' | 'joined' | 'missed' | 'unanswered'; who: string }
  | { kind: 'call'; minutes: number }
  | { kind: Act; who: string; what: string }
  | { kind: 'plain'; who: string; act: PlainAct }

const LINE = /^([A-Za-z0-9_-]{1,32}) (.+)$/s
const CALL = /^Call, (\d{1,6}) min\.$/
const MISSED = /^Missed call from ([A-Za-z0-9_-]{1,32})\.$/

/** Undefined for a text that is shown unchanged. The welcome greets the newcomer; for others it is a notice. */
export function systemMessageOf(content: string | null, viewer: string): SystemMessage | undefined {
  const text = content ?? ''
  const who = welcomedIn(text)
  if (who !== undefined) return { kind: who === viewer ? 'welcome' : 'joined', who }
  const call = CALL.exec(text)
  if (call) return { kind: 'call', minutes: Number(call[1]) }
  const missed = MISSED.exec(text)
  if (missed) return { kind: missed[1] === viewer ? 'unanswered' : 'missed', who: missed[1]! }
  const line = LINE.exec(text)
  return line ? actIn(line[1]!, line[2]!) : undefined
}

function actIn(who: string, rest: string): SystemMessage | undefined {
  const act = PLAIN_ACTS.find(one => one === rest)
  if (act) return { kind: 'plain', who, act }
  for (const kind of Object.keys(ACTS) as Act[]) {
    const what = ACTS[kind].exec(rest)?.[1]
    if (what) return { kind, who, what }
  }
  return undefined
}

/** The people of the line, which the service lists in English. */
export const namesIn = (what: string): string[] => what.split(/, | and /)

/** True if the history begins with the viewer's own joining, so that earlier messages are hidden from them. */
export function beginsWithJoining(firstContent: string | null | undefined, viewer: string): boolean {
  const message = systemMessageOf(firstContent ?? null, viewer)
  return message?.kind === 'added' && message.what === viewer
}
