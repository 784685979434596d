import type { ComponentChildren } from 'preact'
import type { MessagePayload } from '#shared/domain/payloads.ts'
import { strings } from '../../i18n/i18n.ts'
import { MessageBody } from './MessageBody.tsx'
import { type Notice, noticeOf } from './notices.ts'

export function noticeIcon(row: MessagePayload): string {
  const icons = { added: 'user-plus', left: 'logout', renamed: 'pencil' }
  const notice = noticeOf(row.content)
  return notice ? icons[notice.kind] : 'info'
}

/** Shows a notice in the viewer's language; an unknown one stays as the service wrote it. */
export function NoticeText({ row, children }: { row: MessagePayload; children: ComponentChildren }) {
  const notice = noticeOf(row.content)
  if (!notice) return <MessageBody row={row}>{children}</MessageBody>
  return (
    <div class="message-text" dir="auto">
      <p>
        <Sentence notice={notice} />
        {children}
      </p>
    </div>
  )
}

export function noticeSentence(notice: Notice): string {
  switch (notice.kind) {
    case 'added':
      return strings.notice.added(notice.who, notice.whom)
    case 'left':
      return strings.notice.left(notice.who)
    case 'renamed':
      return strings.notice.renamed(notice.who, notice.name)
  }
}

/** Placeholder of a name, as its place in the sentence depends on the language. */
const MARK = '\u0001'

function Sentence({ notice }: { notice: Notice }) {
  const names = Object.entries(notice).filter(([key]) => key !== 'kind')
  const marked = Object.fromEntries(names.map(([key], at) => [key, `${MARK}${at}${MARK}`]))
  const parts = noticeSentence({ ...notice, ...marked }).split(MARK)
  return <>{parts.map((part, at) => (at % 2 === 0 ? part : <b key={at}>{names[Number(part)]?.[1]}</b>))}</>
}
