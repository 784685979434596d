/** The actions on a message, used by the toolbar, the menu, the sheet on a phone and keys. */
import { signal } from '@preact/signals'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { composerField } from '../../common/composer-field.ts'
import { copyToClipboard } from '../../common/copy-to-clipboard.ts'
import { strings } from '../../i18n/i18n.ts'
import { deleteMessage, toggleReaction } from '../../net/messages/message-mutations.ts'
import { channelOf } from '../../store/channels/channels.ts'
import { isSystemMessage } from '../../store/messages/items.ts'
import { isPage, isPhone, panel, viewer } from '../../store/store.ts'
import { foldReplies } from '../../store/threads/fold-replies.ts'
import { openBox } from '../../store/writing/edits.ts'
import { closePopover, openPopover } from '../../ui/Popover.tsx'
import { besideThread, openThread } from '../threads/open-threads.ts'
import { deleting } from './deleting.ts'
import type { PickerProps } from './emoji/EmojiPicker.tsx'
import { emojiPicker } from './open-emoji-picker.ts'
import { isReadOnly, mayPost } from './read-only.ts'

export const canReply = (row: MessagePayload) => !isReadOnly(channelOf(row.channel))

/** Where the person may write: a new text could announce something as well. */
export function canEdit(row: MessagePayload) {
  return (
    row.sender === viewer &&
    row.filename === null &&
    row.deleted === 0 &&
    row.id > 0 &&
    mayPost(channelOf(row.channel))
  )
}

export function canDelete(row: MessagePayload) {
  return row.sender === viewer && row.deleted === 0 && row.id > 0
}

/** Removing a message of somebody else. */
export function canRemove(row: MessagePayload) {
  const may = channelOf(row.channel).info.value?.may ?? []
  return (
    may.includes('delete_others') &&
    row.sender !== viewer &&
    row.deleted === 0 &&
    row.id > 0 &&
    !isSystemMessage(row)
  )
}

export function canPin(row: MessagePayload) {
  const may = channelOf(row.channel).info.value?.may ?? []
  return may.includes('post') && row.deleted === 0 && row.id > 0
}

/** On a phone an open thread covers the channel, as the page of threads does: the composer of the thread replies. */
const coversChannel = () => besideThread.peek() !== undefined || (panel.peek() === 'thread' && isPhone.peek())

export function replyTo(row: MessagePayload) {
  if (coversChannel()) return document.querySelector<HTMLElement>('.thread-composer textarea')?.focus()
  // There the reply is seen.
  if (foldReplies.peek()) return openThread(row.channel, row.extra?.thread ?? row.id, 'composer')
  channelOf(row.channel).replyTo.value = row.id
  composerField()?.focus()
}

export function edit(row: MessagePayload) {
  if (!canEdit(row)) return
  const channel = channelOf(row.channel)
  // The channel draws the box of a row that it has, unless a page covers it.
  if (coversChannel() && !isPage.peek() && channel.findRow(row.id)) panel.value = undefined
  openBox(channel, row.id)
}

export function askToDelete(row: MessagePayload, atOnce = false) {
  if (!canDelete(row) && !canRemove(row)) return
  if (atOnce && canDelete(row)) void deleteMessage(row)
  else deleting.value = row
}

export function copyText(row: MessagePayload) {
  void copyToClipboard(row.content ?? '', strings.actions.textCopied)
}

export function copyLink(row: MessagePayload) {
  void copyToClipboard(`${location.origin}/m/${row.id}`, strings.actions.linkCopied)
}

const picker = signal<PickerProps>({ offer: 'all', onPick: () => {} })

function Picker() {
  const EmojiPicker = emojiPicker.get('EmojiPicker')
  return EmojiPicker ? <EmojiPicker {...picker.value} /> : null
}

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
  openPopover(anchor, label, () => <Picker />)
}
