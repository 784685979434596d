import { useComputed } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { Avatar, PersonName } from '../../../common/Avatar.tsx'
import { reportBroken } from '../../../common/Guarded.tsx'
import { hookParts } from '../../../common/hook-parts.ts'
import { PersonTag, RoleTag, StatusMark } from '../../../common/StatusMark.tsx'
import { strings } from '../../../i18n/i18n.ts'
import { channelOf } from '../../../store/channels/channels.ts'
import { firstScreen } from '../../../store/first-screen.ts'
import { isUnreadable, type RowItem, rowsOf, type ShownRow, sameItem } from '../../../store/messages/items.ts'
import { concerns, type Readers, reactionsOf } from '../../../store/messages/selectors.ts'
import { displayed } from '../../../store/people/people.ts'
import { viewer, workspace } from '../../../store/store.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { memo } from '../../../ui/memo.ts'
import { part } from '../../../ui/part.ts'
import { laterPart } from '../../later/open-later.ts'
import { CardBelow } from '../cards/CardBelow.tsx'
import { Gallery } from '../cards/ImageAttachment.tsx'
import { isPicture } from '../cards/picture.ts'
import { forwardCard } from '../open-forward.ts'
import { openVersions } from '../open-versions.ts'
import { BrokenRow } from './BrokenRow.tsx'
import { MessageBody } from './MessageBody.tsx'
import { MessageTime } from './MessageTime.tsx'
import { PersonButton } from './PersonButton.tsx'
import { ReactionBar } from './ReactionBar.tsx'
import { ReadReceipts } from './ReadReceipts.tsx'
import { ReplyQuote } from './ReplyQuote.tsx'
import type { RowProps } from './row-props.ts'
import {
  JoinedPeople,
  joinedSentence,
  SystemMessageText,
  systemMessageIcon,
  systemMessageSentence,
} from './SystemMessageText.tsx'
import { systemMessageOf } from './system-messages.ts'
import { ThreadSummary } from './ThreadSummary.tsx'
import './MessageRow.css'

export const sendState = part<typeof import('./SendState.tsx')>()
export const rowToolbar = part<typeof import('./RowToolbar.tsx')>()
export const editBox = part<typeof import('../composer/EditBox.tsx')>()

export const MessageRow = memo(
  Row,
  (a, b) =>
    sameItem(a.item, b.item) &&
    a.before === b.before &&
    a.hover === b.hover &&
    a.isActive === b.isActive &&
    a.stop === b.stop &&
    a.flash === b.flash &&
    a.editing === b.editing &&
    a.memberCount === b.memberCount &&
    a.replies === b.replies &&
    a.newReplies === b.newReplies &&
    a.isOpened === b.isOpened &&
    sameReaders(a.readers, b.readers),
  { fallback: BrokenRow, onError: error => reportBroken('row', error) },
)

const sameReaders = (a: Readers | undefined, b: Readers | undefined) =>
  a?.count === b?.count && a?.message === b?.message && String(a?.names) === String(b?.names)

function Row(props: RowProps) {
  const { item, before, readers, memberCount, stop, flash, hover, isActive, editing, channel } = props
  const isHovered = useComputed(() => hover?.value === item.key)
  const active = isHovered.value || (isActive && hover?.value === undefined)
  const rows = rowsOf(item)
  const { row, pending } = rows[0]!
  if (isUnreadable(row)) return <BrokenRow {...props} />
  const classes = [
    'message-row',
    classOf(item),
    readers && 'has-readers',
    flash && 'is-flashing',
    active && 'is-hover',
    props.isOpened && 'is-thread-open',
  ]
    .filter(Boolean)
    .join(' ')
  const hasToolbar = active && item.kind === 'message' && !pending && !editing
  const Toolbar = hasToolbar ? rowToolbar.get('RowToolbar') : undefined
  return (
    <article
      class={classes}
      data-key={item.key}
      data-item={item.key}
      data-message-id={row.id > 0 ? row.id : undefined}
      data-pending={pending ? pending.state : undefined}
      tabIndex={stop ? 0 : -1}
      aria-setsize={-1}
      aria-label={labelOf(item, before)}
    >
      <Content {...props} />
      {readers && item.kind !== 'system' && <ReadReceipts readers={readers} of={memberCount} />}
      {Toolbar && <Toolbar channel={channel} row={rows[0]!.row} />}
    </article>
  )
}

function Content({ channel, item, editing, replies, newReplies }: RowProps) {
  if (item.kind === 'system') {
    const last = item.rows.at(-1)!.row
    const time = <MessageTime row={last} place="message-row-system-time" />
    return (
      <>
        <Icon name={systemMessageIcon(item.shown.row)} size={16} />
        <div class="message-row-body">
          {item.rows.length > 1 ? (
            <JoinedPeople rows={item.rows}>{time}</JoinedPeople>
          ) : (
            <SystemMessageText row={item.shown.row}>{time}</SystemMessageText>
          )}
        </div>
      </>
    )
  }
  if (item.kind === 'deleted')
    return (
      <Deleted rows={item.rows}>
        {replies && (
          <ThreadSummary channel={channel} id={item.rows[0]!.row.id} replies={replies} fresh={newReplies} />
        )}
      </Deleted>
    )
  const { row, pending } = item.shown
  const rows = rowsOf(item)
  const isFirst = item.first
  const edited = row.edited === 1 && <Edited row={row} />
  const Box = editing ? editBox.get('EditBox') : undefined
  const Drawn = row.extra?.forward
    ? forwardCard.get('Forwarded', firstScreen)
    : row.extra?.cards && hookParts.get('WithCards', firstScreen)
  const State = rows.some(one => one.pending) ? sendState.get('SendState') : undefined
  const Pinned = row.extra?.pinned ? laterPart.get('PinnedBy') : undefined
  return (
    <>
      {Pinned && <Pinned row={row} />}
      {row.reply_to_id !== null && !item.sameParent && <ReplyQuote channel={channel} id={row.reply_to_id} />}
      {isFirst ? <Picture row={row} /> : <MessageTime row={row} place="message-row-gutter" />}
      <div class="message-row-body">
        {isFirst && <Head row={item.shown} />}
        {Box ? (
          <Box channel={channel} row={row} />
        ) : Drawn ? (
          <Drawn row={row} hasFile={item.images.length > 0}>
            {edited}
          </Drawn>
        ) : (
          row.content && <MessageBody row={row}>{edited}</MessageBody>
        )}
        {row.content && !pending && !row.extra?.cards && <CardBelow row={row} />}
        {item.images.length > 0 && <Gallery channel={channel} images={item.images} />}
        {rows.map(one => (
          <ReactionBar key={one.key} row={one.row} />
        ))}
        {replies && <ThreadSummary channel={channel} id={row.id} replies={replies} fresh={newReplies} />}
        {State && <State channel={channel} rows={rows} key={pending ? pending.state : 'done'} />}
      </div>
    </>
  )
}

/** A button while earlier versions are kept. */
function Edited({ row }: { row: MessagePayload }) {
  const label = strings.list.editedAt(row.edited_ts ?? row.ts)
  const look = { class: 'message-row-edited', title: label }
  if (!workspace.value?.keep_edits) return <span {...look}>{strings.list.edited}</span>
  return (
    <button type="button" {...look} onClick={event => openVersions(event.currentTarget, label, row.id)}>
      {strings.list.edited}
    </button>
  )
}

function Picture({ row: { sender, extra } }: { row: MessagePayload }) {
  const Sign = extra?.bot?.emoji ? hookParts.get('HookSign', firstScreen) : undefined
  return (
    <PersonButton name={sender}>
      {Sign ? <Sign emoji={extra!.bot!.emoji!} bot={sender} /> : <Avatar name={sender} />}
    </PersonButton>
  )
}

/** In a channel of announcements the role of the sender stands beside the name. */
function Head({ row: { row } }: { row: ShownRow }) {
  const info = channelOf(row.channel).info.value
  return (
    <div class="message-row-head">
      <PersonButton name={row.sender} words={row.extra?.bot?.name}>
        <PersonName name={row.sender} words={row.extra?.bot?.name} />
      </PersonButton>
      <PersonTag name={row.sender} isBot={!!row.extra?.bot} />
      <StatusMark name={row.sender} />
      <MessageTime row={row} place="message-row-head-time" />
      {info?.posting === 'managers' && (
        <RoleTag name={row.sender} isManager={info.managers.includes(row.sender)} />
      )}
    </div>
  )
}

function Deleted({ rows, children }: { rows: ShownRow[]; children: ComponentChildren }) {
  const { row } = rows[0]!
  if (rows.length > 1) {
    return (
      <div class="message-row-body">
        <div class="message-text">
          <Icon name="trash" size={14} />
          {strings.list.deletedMany(rows.length)}
        </div>
      </div>
    )
  }
  return (
    <>
      <Picture row={row} />
      <div class="message-row-body">
        <Head row={rows[0]!} />
        <div class="message-text">
          <Icon name="trash" size={14} />
          {goneText(row)}
        </div>
        {children}
      </div>
    </>
  )
}

function goneText({ extra }: MessagePayload) {
  const by = extra?.removed_by
  return by ? strings.list.removedBy(displayed(by)) : strings.list.deleted
}

function classOf(item: RowItem): string {
  if (item.kind === 'system') return 'is-system'
  if (item.kind === 'deleted') return item.rows.length > 1 ? 'is-deleted is-folded' : 'is-deleted is-first'
  const { row, pending } = item.shown
  return [
    item.first && 'is-first',
    item.sameParent && 'is-same-parent',
    concerns(row, viewer) && 'is-mention',
    pending && pending.state !== 'sent' && pending.state !== 'failed' && 'is-sending',
  ]
    .filter(Boolean)
    .join(' ')
}

function labelOf(item: RowItem, before: string): string {
  const rows = rowsOf(item)
  const { row } = rows[0]!
  const parts = [before, row.extra?.bot?.name ?? displayed(row.sender), strings.time(row.ts)]
  if (item.kind === 'message' && item.sameParent) parts.push(strings.replies.folded)
  const message = item.kind === 'system' && systemMessageOf(row.content, viewer)
  if (item.kind === 'deleted')
    parts.push(rows.length > 1 ? strings.list.deletedMany(rows.length) : goneText(row))
  else if (item.kind === 'system' && rows.length > 1) parts.push(joinedSentence(rows))
  else if (row.content) parts.push(message ? systemMessageSentence(message) : row.content)
  if (row.edited === 1 && item.kind === 'message') parts.push(strings.list.editedAt(row.edited_ts ?? row.ts))
  if (row.extra?.pinned) parts.push(strings.pins.by(displayed(row.extra.pinned.by)))
  if (item.kind === 'message') {
    const pictures = item.images.filter(one => isPicture(one.row)).length
    if (pictures > 0) parts.push(strings.list.images(pictures))
    if (item.images.length > pictures) parts.push(strings.list.files(item.images.length - pictures))
    const reactions = rows.reduce((sum, one) => sum + reactionsOf(one.row).length, 0)
    if (reactions > 0) parts.push(strings.list.reactions(reactions))
  }
  return parts.filter(Boolean).join(', ')
}
