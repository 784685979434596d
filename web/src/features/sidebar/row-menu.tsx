/** The menu of a channel in the sidebar. */
import type { ChannelId } from '#shared/domain/units.ts'
import { levelItems, muteItem } from '../../common/channel-level.ts'
import { closeConversation } from '../../common/close-conversation.ts'
import { copyToClipboard } from '../../common/copy-to-clipboard.ts'
import { markAllRead, markChannelRead, markChannelUnread } from '../../common/mark-read.ts'
import { strings } from '../../i18n/i18n.ts'
import { leavePublicChannel } from '../../net/channels/public-channels.ts'
import { chooseForChannel, forgetPositions } from '../../net/channels/sidebar-changes.ts'
import { isDm, isPrivate, nameOf } from '../../store/channels/names.ts'
import { hashOf } from '../../store/route.ts'
import { choiceOf, markedUnread, sections } from '../../store/sidebar/channel-choices.ts'
import { dms, isMac, isPhone, mentions, publicChannels, unreadIn } from '../../store/store.ts'
import { announce } from '../../ui/feedback.ts'
import { type MenuItem, MenuItems } from '../../ui/Menu.tsx'
import { closePopover, openPopover } from '../../ui/Popover.tsx'
import { openLeaveDialog } from '../browse/open-browse.ts'
import { newSection } from './own-sections.tsx'

export function openRowMenu(row: HTMLElement, channel: ChannelId) {
  closePopover()
  const sheet = isPhone.peek()
  const label = strings.rowMenu.actions(nameOf(channel))
  openPopover(
    row,
    label,
    close => (
      <>
        {sheet && <p class="bottom-sheet-title">{nameOf(channel)}</p>}
        <MenuItems close={close} items={itemsFor(row, channel)} label={sheet ? label : undefined} />
      </>
    ),
    { role: sheet ? 'dialog' : 'menu', sheet },
  )
}

function itemsFor(row: HTMLElement, channel: ChannelId): MenuItem[] {
  const texts = strings.rowMenu
  const isUnread =
    unreadIn(channel) > 0 ||
    markedUnread(channel) !== undefined ||
    mentions.value.some(mention => mention.channel === channel)
  const items: MenuItem[] = [
    isUnread
      ? { label: texts.markRead, icon: 'check', run: () => void markChannelRead(channel) }
      : { label: texts.markUnread, icon: 'unread', run: () => void markChannelUnread(channel) },
    { label: texts.markAllRead, icon: 'checks', keys: allReadKeys(), run: () => void markAllRead() },
    { ...muteItem(channel), apart: true },
    { label: texts.notify, icon: 'bell', more: () => levelItems(channel) },
    favouriteItem(channel),
    { label: texts.moveTo, icon: 'list', more: () => placeItems(row, channel) },
    { label: texts.copyLink, icon: 'link', apart: true, run: () => copyLink(channel) },
  ]
  if (publicChannels.value.includes(channel))
    items.push({ label: strings.joining.leave, icon: 'logout', run: () => void leavePublicChannel(channel) })
  if (isPrivate(channel)) {
    const run = () => openLeaveDialog(channel)
    items.push({ label: strings.joining.leave, icon: 'logout', run })
  }
  if (isDm(channel) && dms.value.some(dm => dm.channel === channel))
    items.push({ label: texts.close, icon: 'x', run: () => closeConversation(channel) })
  return items
}

function favouriteItem(channel: ChannelId): MenuItem {
  const texts = strings.rowMenu
  const { favourite } = choiceOf(channel)
  return {
    label: favourite ? texts.noFavourite : texts.favourite,
    icon: 'star',
    run: () => void chooseForChannel(channel, { favourite: !favourite }),
  }
}

function placeItems(row: HTMLElement, channel: ChannelId): MenuItem[] {
  const texts = strings.rowMenu
  const { section, favourite } = choiceOf(channel)
  const isIn = (id: number | null) => !favourite && section === id
  const move = async (id: number | null, place: string) => {
    // A row that was moved within its place.
    const isMoved = isIn(id) && choiceOf(channel).position !== null
    if (
      isMoved
        ? await forgetPositions([channel], nameOf(channel))
        : await chooseForChannel(channel, { favourite: false, section: id })
    )
      announce(texts.movedTo(nameOf(channel), place))
  }
  return [
    ...sections.value.map(({ id, name }) => ({
      label: name,
      checked: isIn(id),
      run: () => void move(id, name),
    })),
    { label: texts.usualPlace, checked: isIn(null), run: () => void move(null, texts.usualPlace) },
    { label: strings.sections.make, icon: 'plus', apart: true, run: () => newSection(row, channel) },
  ]
}

const allReadKeys = () => `${isMac ? '⇧' : `${strings.keys.shift} `}${strings.keys.esc}`

function copyLink(channel: ChannelId) {
  void copyToClipboard(`${location.origin}${location.pathname}${hashOf(channel)}`, strings.actions.linkCopied)
}
