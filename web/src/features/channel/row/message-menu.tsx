/** The menu of a message: a pop-over at a pointer, a sheet on a phone. */
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { emojiOf, QUICK } from '../../../common/emoji.ts'
import { markMessageUnread } from '../../../common/mark-read.ts'
import { strings } from '../../../i18n/i18n.ts'
import { toggleReaction } from '../../../net/messages/message-mutations.ts'
import type { Channel } from '../../../store/channels/channels.ts'
import { peopleIn } from '../../../store/channels/people-in.ts'
import { reactionsOf, readersOf } from '../../../store/messages/selectors.ts'
import { groupNamed } from '../../../store/people/groups.ts'
import { displayed } from '../../../store/people/people.ts'
import { isMac, isPhone, viewer } from '../../../store/store.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { type MenuItem, MenuItems } from '../../../ui/Menu.tsx'
import { openPopover, type Point } from '../../../ui/Popover.tsx'
import { openGroup } from '../../groups/open-groups.ts'
import { togglePin } from '../../later/open-later.ts'
import { saveItems } from '../../later/open-remind.ts'
import { hasProfile, openProfile } from '../../people/open-profile.ts'
import { openThread } from '../../threads/open-threads.ts'
import {
  askToDelete,
  canDelete,
  canEdit,
  canPin,
  canRemove,
  canReply,
  copyLink,
  copyText,
  edit,
  openReactionPicker,
  replyTo,
} from '../message-actions.tsx'
import { canForward, openForward } from '../open-forward.ts'
import { canReact } from '../read-only.ts'
import { MessageQuote } from './MessageQuote.tsx'
import { openReactions } from './ReactionPeople.tsx'
import { openSeenBy } from './ReadReceipts.tsx'
import { showParent } from './ReplyQuote.tsx'

export function showMessageMenu(anchor: HTMLElement, channel: Channel, row: MessagePayload, at?: Point) {
  const sheet = isPhone.peek()
  openPopover(
    anchor,
    strings.actions.label,
    close => (
      <>
        {sheet && <MessageQuote row={row} />}
        {sheet && canReact(row) && <QuickReactions anchor={anchor} row={row} close={close} />}
        <MenuItems
          close={close}
          items={itemsFor(anchor, channel, row)}
          label={sheet ? strings.actions.label : undefined}
        />
      </>
    ),
    { role: sheet ? 'dialog' : 'menu', sheet, at },
  )
}

function itemsFor(anchor: HTMLElement, channel: Channel, row: MessagePayload): MenuItem[] {
  const items: MenuItem[] = []
  if (canReply(row))
    items.push({
      label: strings.actions.reply,
      icon: 'reply',
      flip: true,
      keys: 'R',
      run: () => replyTo(row),
    })
  if (row.id > 0)
    items.push({
      label: strings.actions.thread,
      icon: 'thread',
      keys: 'T',
      run: () => openThread(channel.id, row.extra?.thread ?? row.id),
    })
  if (canForward(row))
    items.push({
      label: strings.forward.action,
      icon: 'forward',
      flip: true,
      keys: `${isMac ? '⇧' : `${strings.keys.shift} `}F`,
      run: () => openForward(row),
    })
  if (row.content)
    items.push({ label: strings.actions.copyText, icon: 'copy', keys: 'C', run: () => copyText(row) })
  items.push({ label: strings.actions.copyLink, icon: 'link', keys: 'L', run: () => copyLink(row) })
  if (row.id > 0 && !channel.info.value?.archived)
    items.push({
      label: strings.actions.markUnread,
      icon: 'unread',
      keys: 'U',
      run: () => markMessageUnread(row),
    })
  if (row.id > 0 && row.deleted === 0) items.push(...saveItems(anchor, row))
  if (canPin(row)) {
    const label = row.extra?.pinned ? strings.pins.unpin : strings.pins.pin
    items.push({ label, icon: 'pin', keys: 'P', run: () => togglePin(row) })
  }
  const parent = row.reply_to_id
  if (parent !== null)
    items.push({
      label: strings.actions.showParent,
      icon: 'chev-up',
      run: () => showParent(anchor, channel, parent),
    })
  const seen = readersItem(anchor, channel, row)
  if (seen) items.push(seen)
  if (reactionsOf(row).length > 0)
    items.push({
      label: strings.reaction.title,
      icon: 'smile',
      run: () => openReactions(anchor, channel, row.id),
    })
  if (hasProfile(row.sender))
    items.push({
      label: strings.profile.open(displayed(row.sender)),
      icon: 'user',
      run: () => openProfile(anchor, row.sender),
    })
  for (const handle of row.extra?.groups ?? [])
    if (groupNamed(handle))
      items.push({ label: `@${handle}`, icon: 'users', run: () => openGroup(anchor, handle) })
  if (canEdit(row))
    items.push({ label: strings.actions.edit, icon: 'pencil', keys: 'E', apart: true, run: () => edit(row) })
  if (canRemove(row))
    items.push({
      label: strings.deleting.remove,
      icon: 'trash',
      danger: true,
      apart: true,
      run: () => askToDelete(row),
    })
  if (canDelete(row)) {
    const run = () => askToDelete(row)
    items.push({
      label: strings.actions.delete,
      icon: 'trash',
      keys: strings.keys.delete,
      danger: true,
      apart: !canEdit(row),
      run,
    })
  }
  return items
}

/** Undefined without known readers. For an older message in a channel with many readers they are fetched on opening. */
function readersItem(anchor: HTMLElement, channel: Channel, row: MessagePayload): MenuItem | undefined {
  if (row.content_type === 'system') return undefined
  const of = peopleIn(channel) - 1
  const counts = channel.seen.value
  if (!counts) {
    if (row.id <= 0 || readersOf(row, channel.receipts.value, viewer).length === 0) return undefined
    // A watermark tells where a person is, not whether they had joined when the message came: the server knows.
    const run = () => openSeenBy(anchor, { names: [], message: row.id }, of)
    return { label: strings.seen.unknown, icon: 'checks', run }
  }
  if (row.id <= 0) return undefined
  const found = counts.get(row.id)
  if (found?.count === 0) return undefined
  const label = found ? strings.seen.short(found.count) : strings.seen.unknown
  const run = () =>
    openSeenBy(anchor, found ? { ...found, message: row.id } : { names: [], message: row.id }, of)
  return { label, icon: 'checks', run }
}

function QuickReactions({
  anchor,
  row,
  close,
}: {
  anchor: HTMLElement
  row: MessagePayload
  close: () => void
}) {
  const react = (name: string) => {
    close()
    void toggleReaction(row, name)
  }
  return (
    <div class="quick-reactions">
      {QUICK.map(name => (
        <button type="button" key={name} aria-label={strings.actions.react(name)} onClick={() => react(name)}>
          <em>{emojiOf(name)}</em>
        </button>
      ))}
      <button
        type="button"
        aria-label={strings.actions.addReaction}
        onClick={() => {
          close()
          openReactionPicker(anchor, row)
        }}
      >
        <Icon name="react" size={24} />
      </button>
    </div>
  )
}
