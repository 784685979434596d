import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { MessagePayload } from '#shared/domain/payloads.ts'
import { strings } from '../../i18n/i18n.ts'
import { type ShownRow, welcomedIn } from '../../store/items.ts'
import { displayed } from '../../store/people.ts'
import { viewer } from '../../store/store.ts'
import { MessageBody } from './MessageBody.tsx'
import { namesIn, type SystemMessage, systemMessageOf } from './system-messages.ts'

export function systemMessageIcon(row: MessagePayload): string {
  const icons: Partial<Record<SystemMessage['kind'], string>> = {
    welcome: 'user-plus',
    joined: 'user-plus',
    added: 'user-plus',
    removed: 'logout',
    left: 'logout',
    renamed: 'pencil',
    topic: 'pencil',
    made: 'plus',
    readOnly: 'lock',
    call: 'phone',
    missed: 'phone-down',
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

export function systemMessageSentence(message: SystemMessage): string {
  const say = strings.systemMessage
  switch (message.kind) {
    case 'welcome':
    case 'joined':
    case 'missed':
      return say[message.kind](message.who)
    case 'call':
      return say.call(message.minutes)
    default:
      return say[message.kind](message.who, whatIn(message))
  }
}

/** The part of the sentence beside the acting person. */
const whatIn = ({ kind, what }: Extract<SystemMessage, { what: string }>) =>
  kind === 'added' || kind === 'removed' ? strings.systemMessage.names(namesIn(what)) : what

/** Placeholder of a name, as its place in the sentence depends on the language. */
const MARK = '\u0001'

function Sentence({ message }: { message: SystemMessage }) {
  if (message.kind === 'call') return <>{systemMessageSentence(message)}</>
  const shown = 'what' in message ? { who: message.who, what: whatIn(message) } : { who: message.who }
  const names = Object.entries(shown)
  const marked = Object.fromEntries(names.map(([key], at) => [key, `${MARK}${at}${MARK}`]))
  const parts = systemMessageSentence({ ...message, ...marked }).split(MARK)
  const nameAt = (at: number) => {
    const [key, value] = names[at] ?? []
    return key === 'name' ? value : displayed(value ?? '')
  }
  return <>{parts.map((part, at) => (at % 2 === 0 ? part : <b key={at}>{nameAt(Number(part))}</b>))}</>
}
