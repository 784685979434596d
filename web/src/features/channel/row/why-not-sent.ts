import { strings } from '../../../i18n/i18n.ts'
import { nameOf } from '../../../store/channels/names.ts'
import { isOld, type Pending } from '../../../store/messages/pending.ts'

type Sentence = (found: string[], failed: Pending) => string

/** The bodies with which the server refuses a message (interface 7), and the sentences for them. */
const SENTENCES: [RegExp, Sentence][] = [
  [/^empty$/, (_, { file }) => (file ? strings.refused.notAPicture(file.name) : strings.refused.empty)],
  [/^message too long \(max (\d+)/, ([, most]) => strings.refused.tooLong(Number(most))],
  [
    /^(?:file|request) too large \(max (\d+(?:\.\d+)?)/,
    ([, megabytes], { file }) => strings.refused.tooLarge(file?.name ?? '', Number(megabytes)),
  ],
  [
    /^storage full: you can upload (\d+(?:\.\d+)?)/,
    ([, megabytes]) => strings.refused.quota(Number(megabytes)),
  ],
  [/^file type not allowed/, (_, { file }) => strings.refused.notAllowed(file?.name ?? '')],
  [/^storage full/, (_, { file }) => strings.refused.noRoom(file?.name ?? '')],
  [/^(forbidden|not found)$/, (_, { channel }) => strings.refused.forbidden(nameOf(channel))],
  [/^no account named (.+)$/, ([, name]) => strings.refused.noAccount(name!)],
  [/^a direct message has at most (\d+) people/, ([, most]) => strings.refused.tooManyPeople(Number(most))],
]

export function whyNotSent(failed: Pending, now: number): string {
  const { reason } = failed
  if (!reason) return isOld(failed, now) ? strings.list.notSentOld : strings.list.notSent
  for (const [words, sentence] of SENTENCES) {
    const found = words.exec(reason)
    if (found) return sentence(found, failed)
  }
  return strings.refused.other
}
