import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { MessagePayload } from '#shared/domain/payloads.ts'
import { strings } from '../../i18n/i18n.ts'
import { type ShownRow, welcomedIn } from '../../store/items.ts'
import { viewer } from '../../store/store.ts'
import { MessageBody } from './MessageBody.tsx'
import { type SystemMessage, systemMessageOf } from './system-messages.ts'

export function systemMessageIcon(row: MessagePayload): string {
  const icons = {
    welcome: 'user-plus',
    joined: 'user-plus',
    added: 'user-plus',
    left: 'logout',
    renamed: 'pencil',
    call: 'phone',
    missed: 'phone-down',
  }
  const message = systemMessageOf(row.content, viewer)
  return message ? icons[message.kind] : 'info'
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

const joinedIn = (rows: ShownRow[]) => rows.map(({ row }) => welcomedIn(row.content) ?? '')

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
  switch (message.kind) {
    case 'welcome':
      return strings.systemMessage.welcome(message.who)
    case 'joined':
      return strings.systemMessage.joined(message.who)
    case 'added':
      return strings.systemMessage.added(message.who, message.whom)
    case 'left':
      return strings.systemMessage.left(message.who)
    case 'renamed':
      return strings.systemMessage.renamed(message.who, message.name)
    case 'call':
      return strings.systemMessage.call(message.minutes)
    case 'missed':
      return strings.systemMessage.missed(message.who)
  }
}

/** Placeholder of a name, as its place in the sentence depends on the language. */
const MARK = '\u0001'

function Sentence({ message }: { message: SystemMessage }) {
  const names = Object.entries(message).filter(([key]) => key !== 'kind' && key !== 'minutes')
  const marked = Object.fromEntries(names.map(([key], at) => [key, `${MARK}${at}${MARK}`]))
  const parts = systemMessageSentence({ ...message, ...marked }).split(MARK)
  return <>{parts.map((part, at) => (at % 2 === 0 ? part : <b key={at}>{names[Number(part)]?.[1]}</b>))}</>
}
