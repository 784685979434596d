/** The actions on a message, used by the toolbar, the menu, the sheet on a phone and keys. */
import { signal } from '@preact/signals'
import type { MessagePayload } from '#shared/domain/payloads.ts'
import { composerField } from '../../common/composer-field.ts'
import { copyToClipboard } from '../../common/copy-to-clipboard.ts'
import { markMessageUnread } from '../../common/mark-read.ts'
import { strings } from '../../i18n/i18n.ts'
import { deleteMessage, toggleReaction } from '../../net/message-mutations.ts'
import { type Channel, channelOf } from '../../store/channels.ts'
import { openBox } from '../../store/edits.ts'
import { readersOf } from '../../store/selectors.ts'
import { isPhone, viewer } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Lazy, lazyComponent } from '../../ui/lazy.tsx'
import { type MenuItem, MenuItems } from '../../ui/Menu.tsx'
import { closePopover, openPopover } from '../../ui/Popover.tsx'
import { hasProfile, openProfile } from '../people/open-profile.ts'
import type { PickerProps } from './emoji/EmojiPicker.tsx'
import { emojiOf, QUICK } from './emoji.ts'
import { MessageQuote } from './MessageQuote.tsx'
import { openSeenBy } from './ReadReceipts.tsx'
import { showParent } from './ReplyQuote.tsx'

/** The message whose deletion is being confirmed. */
export const deleting = signal<MessagePayload | undefined>(undefined)

export function canEdit(row: MessagePayload) {
  return row.sender === viewer && row.filename === null && row.deleted === 0 && row.id > 0
}

export function canDelete(row: MessagePayload) {
  return row.sender === viewer && row.deleted === 0 && row.id > 0
}

export function replyTo(row: MessagePayload) {
  channelOf(row.channel).replyTo.value = row.id
  composerField()?.focus()
}

export function edit(row: MessagePayload) {
  if (canEdit(row)) openBox(channelOf(row.channel), row.id)
}

export function askToDelete(row: MessagePayload, atOnce = false) {
  if (!canDelete(row)) return
  if (atOnce) void deleteMessage(row)
  else deleting.value = row
}

export function copyText(row: MessagePayload) {
  void copyToClipboard(row.content ?? '', strings.actions.textCopied)
}

export function copyLink(row: MessagePayload) {
  void copyToClipboard(`${location.origin}/m/${row.id}`, strings.actions.linkCopied)
}

const picker = signal<PickerProps>({ offer: 'all', onPick: () => {} })
const EmojiPicker = lazyComponent(() =>
  import('./emoji/EmojiPicker.tsx').then(module => () => <module.EmojiPicker {...picker.value} />),
)

export function openReactionPicker(anchor: HTMLElement, row: MessagePayload) {
  const onPick = (name: string, keepOpen: boolean) => {
    void toggleReaction(channelOf(row.channel).findRow(row.id) ?? row, name)
    if (!keepOpen) closePopover()
  }
  openPicker(anchor, strings.picker.label, { offer: 'reactions', onPick })
}

/** Offers all emoji for a text; `pick` receives the character. */
export function openEmojiPicker(anchor: HTMLElement, pick: PickerProps['onPick']) {
  openPicker(anchor, strings.picker.emojiLabel, { offer: 'all', onPick: pick })
}

function openPicker(anchor: HTMLElement, label: string, props: PickerProps) {
  picker.value = props
  openPopover(anchor, label, () => <Lazy of={EmojiPicker} />)
}

export function openMessageMenu(anchor: HTMLElement, channel: Channel, row: MessagePayload) {
  const sheet = isPhone.peek()
  openPopover(
    anchor,
    strings.actions.label,
    close => (
      <>
        {sheet && <MessageQuote row={row} />}
        {sheet && <QuickReactions anchor={anchor} row={row} close={close} />}
        <MenuItems
          close={close}
          items={itemsFor(anchor, channel, row)}
          label={sheet ? strings.actions.label : undefined}
        />
      </>
    ),
    { role: sheet ? 'dialog' : 'menu', sheet },
  )
}

function itemsFor(anchor: HTMLElement, channel: Channel, row: MessagePayload): MenuItem[] {
  const items: MenuItem[] = [
    { label: strings.actions.reply, icon: 'reply', flip: true, keys: 'R', run: () => replyTo(row) },
  ]
  if (row.content)
    items.push({ label: strings.actions.copyText, icon: 'copy', keys: 'C', run: () => copyText(row) })
  items.push({ label: strings.actions.copyLink, icon: 'link', keys: 'L', run: () => copyLink(row) })
  if (row.id > 0)
    items.push({
      label: strings.actions.markUnread,
      icon: 'unread',
      keys: 'U',
      run: () => markMessageUnread(row),
    })
  const parent = row.reply_to_id
  if (parent !== null)
    items.push({
      label: strings.actions.showParent,
      icon: 'chev-up',
      run: () => showParent(anchor, channel, parent),
    })
  const seen = readersItem(anchor, channel, row)
  if (seen) items.push(seen)
  if (hasProfile(row.sender))
    items.push({
      label: strings.profile.open(row.sender),
      icon: 'user',
      run: () => openProfile(anchor, row.sender),
    })
  if (canEdit(row))
    items.push({ label: strings.actions.edit, icon: 'pencil', keys: 'E', apart: true, run: () => edit(row) })
  if (canDelete(row)) {
    const run = () => askToDelete(row)
    items.push({
      label: strings.actions.delete,
      icon: 'trash',
      keys: 'Del',
      danger: true,
      apart: !canEdit(row),
      run,
    })
  }
  return items
}

/** Undefined without known readers. For an older message in a channel with many readers they are fetched on opening. */
function readersItem(anchor: HTMLElement, channel: Channel, row: MessagePayload): MenuItem | undefined {
  const of = channel.members.value.length
  const counts = channel.seen.value
  if (!counts) {
    const names = readersOf(row, channel.receipts.value, viewer)
    if (names.length === 0) return undefined
    const run = () => openSeenBy(anchor, { names, count: names.length }, of)
    return { label: strings.seen.short(names.length), icon: 'checks', run }
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
