/** The menu of a channel in the sidebar. */
import type { ChannelId } from '#shared/domain/units.ts'
import { closeConversation } from '../../common/close-conversation.ts'
import { copyToClipboard } from '../../common/copy-to-clipboard.ts'
import { markAllRead, markChannelRead, markChannelUnread } from '../../common/marking.ts'
import { muteForAnHour, muteForever, muteUntilTomorrow, unmuteChannel } from '../../common/mute-channel.ts'
import { strings } from '../../i18n/i18n.ts'
import { leavePublicChannel } from '../../net/public-channels.ts'
import { isChannelMuted, markedUnread } from '../../store/channel-choices.ts'
import { isDm, nameOf } from '../../store/names.ts'
import { hashOf } from '../../store/route.ts'
import { dms, isMac, isPhone, mentions, publicChannels, unreadIn } from '../../store/store.ts'
import { type MenuItem, MenuItems } from '../../ui/Menu.tsx'
import { closePopover, openPopover } from '../../ui/Popover.tsx'

export function openRowMenu(row: HTMLElement, channel: ChannelId) {
  closePopover()
  const sheet = isPhone.peek()
  const label = strings.sidebar.actions(nameOf(channel))
  openPopover(
    row,
    label,
    close => (
      <>
        {sheet && <p class="bottom-sheet-title">{nameOf(channel)}</p>}
        <MenuItems close={close} items={itemsFor(channel)} label={sheet ? label : undefined} />
      </>
    ),
    { role: sheet ? 'dialog' : 'menu', sheet },
  )
}

function itemsFor(channel: ChannelId): MenuItem[] {
  const say = strings.sidebar
  const isUnread =
    unreadIn(channel) > 0 ||
    markedUnread(channel) !== undefined ||
    mentions.value.some(mention => mention.channel === channel)
  const items: MenuItem[] = [
    isUnread
      ? { label: say.markRead, icon: 'check', run: () => void markChannelRead(channel) }
      : { label: say.markUnread, icon: 'unread', run: () => void markChannelUnread(channel) },
    { label: say.markAllRead, icon: 'checks', keys: allReadKeys(), run: () => void markAllRead() },
  ]
  if (isChannelMuted(channel))
    items.push({ label: say.unmute, icon: 'bell', apart: true, run: () => void unmuteChannel(channel) })
  else
    items.push(
      { label: say.muteHour, icon: 'bell-off', apart: true, run: () => void muteForAnHour(channel) },
      { label: say.muteTomorrow, icon: 'bell-off', run: () => void muteUntilTomorrow(channel) },
      { label: say.muteForever, icon: 'bell-off', run: () => void muteForever(channel) },
    )
  items.push({ label: say.copyLink, icon: 'link', apart: true, run: () => copyLink(channel) })
  if (publicChannels.value.includes(channel))
    items.push({ label: strings.joining.leave, icon: 'logout', run: () => void leavePublicChannel(channel) })
  if (isDm(channel) && dms.value.some(dm => dm.channel === channel))
    items.push({ label: say.close, icon: 'x', run: () => closeConversation(channel) })
  return items
}

const allReadKeys = () => `${isMac ? '⇧' : `${strings.keys.shift} `}${strings.keys.esc}`

function copyLink(channel: ChannelId) {
  void copyToClipboard(`${location.origin}${location.pathname}${hashOf(channel)}`, strings.actions.linkCopied)
}
