import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { strings } from '../../../i18n/i18n.ts'
import { type ShownRow, welcomedIn } from '../../../store/messages/items.ts'
import { displayed } from '../../../store/people/people.ts'
import { viewer, workspaceName } from '../../../store/store.ts'
import { MessageBody } from './MessageBody.tsx'
import { namesIn, type SystemMessage, systemMessageOf } from './system-messages.ts'

export function systemMessageIcon(row: MessagePayload): string {
  const icons: Partial<Record<SystemMessage['kind'], string>> = {
    welcome: 'user-plus',
    joined: 'user-plus',
    added: 'user-plus',
    renamed: 'pencil',
    topic: 'pencil',
    call: 'phone',
    missed: 'phone-down',
    unanswered: 'phone-down',
  }
  const message = systemMessageOf(row.content, viewer)
  return (message && icons[message.kind]) ?? 'info'
}

/** Shows a system message in the viewer's language; an unknown one stays as the service wrote it. */
export function SystemMessageText({ row, children }: { row: MessagePayload; children: ComponentChildren }) {
  const message = systemMessageOf(row.content, viewer)
  if (!message) return <MessageBody row={row}>{children}</MessageBody>
  return (
    <div class="message-text" dir="auto">
      <p>
        <Sentence message={message} />
        {children}
      </p>
    </div>
  )
}

/** People named in the line of a run of welcomes. */
const NAMED = 2

const joinedIn = (rows: ShownRow[]) => rows.map(({ row }) => displayed(welcomedIn(row.content) ?? ''))

export function joinedSentence(rows: ShownRow[]): string {
  const names = joinedIn(rows)
  const named = names.length > NAMED + 1 ? names.slice(0, NAMED) : names
  return strings.systemMessage.joinedMany(named, names.length - named.length)
}

/** A run of welcomes as one line, which a press expands to all names. */
export function JoinedPeople({ rows, children }: { rows: ShownRow[]; children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false)
  const names = joinedIn(rows)
  return (
    <div class="message-text" dir="auto">
      <p>
        {isOpen ? strings.systemMessage.joinedMany(names, 0) : joinedSentence(rows)}
        {names.length > NAMED + 1 && (
          <button
            type="button"
            class="joined-people-toggle"
            tabIndex={-1}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? strings.systemMessage.showFewer : strings.systemMessage.showAll}
          </button>
        )}
        {children}
      </p>
    </div>
  )
}

export const systemMessageSentence = (message: SystemMessage): string =>
  message.kind === 'call'
    ? strings.systemMessage.call(message.minutes)
    : sentenceOf(message, displayed(message.who), whatIn(message))

type OfPerson = Exclude<SystemMessage, { kind: 'call' }>

function sentenceOf(message: OfPerson, who: string, what: string): string {
  const say = strings.systemMessage
  if (message.kind === 'plain') return say.plain(who, message.act)
  if (message.kind === 'welcome') return say.welcome(who, workspaceName.value)
  return say[message.kind](who, what)
}

/** The part of the sentence beside the acting person: people, a name of the channel, or a topic. */
function whatIn(message: OfPerson): string {
  if (!('what' in message)) return ''
  const { kind, what } = message
  const isPeople = kind === 'added' || kind === 'removed'
  return isPeople ? strings.systemMessage.names(namesIn(what).map(displayed)) : what
}

/** Stand for the person and the rest, as their places in the sentence depend on the language. */
const WHO = '\u{E000}'
const WHAT = '\u{E001}'

function Sentence({ message }: { message: SystemMessage }) {
  if (message.kind === 'call') return <>{systemMessageSentence(message)}</>
  const shown = (part: string) => {
    if (part === WHO) return <b>{displayed(message.who)}</b>
    return part === WHAT ? <b>{whatIn(message)}</b> : part
  }
  return <>{sentenceOf(message, WHO, WHAT).split(MARKS).map(shown)}</>
}

const MARKS = new RegExp(`([${WHO}${WHAT}])`)
