import type { ComponentChildren } from 'preact'
import type { MessagePayload } from '#shared/domain/payloads.ts'
import { strings } from '../../i18n/i18n.ts'
import { MessageBody } from './MessageBody.tsx'
import { type SystemMessage, systemMessageOf } from './system-messages.ts'

export function systemMessageIcon(row: MessagePayload): string {
  const icons = { added: 'user-plus', left: 'logout', renamed: 'pencil' }
  const message = systemMessageOf(row.content)
  return message ? icons[message.kind] : 'info'
}

/** Shows a system message in the viewer's language; an unknown one stays as the service wrote it. */
export function SystemMessageText({ row, children }: { row: MessagePayload; children: ComponentChildren }) {
  const message = systemMessageOf(row.content)
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

export function systemMessageSentence(message: SystemMessage): string {
  switch (message.kind) {
    case 'added':
      return strings.systemMessage.added(message.who, message.whom)
    case 'left':
      return strings.systemMessage.left(message.who)
    case 'renamed':
      return strings.systemMessage.renamed(message.who, message.name)
  }
}

/** Placeholder of a name, as its place in the sentence depends on the language. */
const MARK = '\u0001'

function Sentence({ message }: { message: SystemMessage }) {
  const names = Object.entries(message).filter(([key]) => key !== 'kind')
  const marked = Object.fromEntries(names.map(([key], at) => [key, `${MARK}${at}${MARK}`]))
  const parts = systemMessageSentence({ ...message, ...marked }).split(MARK)
  return <>{parts.map((part, at) => (at % 2 === 0 ? part : <b key={at}>{names[Number(part)]?.[1]}</b>))}</>
}
