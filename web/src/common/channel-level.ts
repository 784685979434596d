/** Entries of menus for what a channel notifies of: mute and level. */
import { CHANNEL_LEVELS } from '#shared/domain/channel-level.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { strings } from '../i18n/i18n.ts'
import { chooseForChannel } from '../net/channels/sidebar-changes.ts'
import { choiceOf, isChannelMuted } from '../store/sidebar/channel-choices.ts'
import type { MenuItem } from '../ui/Menu.tsx'
import { muteForAnHour, muteForever, muteUntilTomorrow, unmuteChannel } from './mute-channel.ts'

export function muteItem(channel: ChannelId): MenuItem {
  const texts = strings.rowMenu
  if (isChannelMuted(channel))
    return { label: texts.unmute, icon: 'bell', run: () => void unmuteChannel(channel) }
  return { label: texts.mute, icon: 'bell-off', more: () => muteItems(channel) }
}

export function muteItems(channel: ChannelId): MenuItem[] {
  const texts = strings.rowMenu
  return [
    { label: texts.muteHour, icon: 'bell-off', run: () => void muteForAnHour(channel) },
    { label: texts.muteTomorrow, icon: 'bell-off', run: () => void muteUntilTomorrow(channel) },
    { label: texts.muteForever, icon: 'bell-off', run: () => void muteForever(channel) },
  ]
}

export function levelItems(channel: ChannelId): MenuItem[] {
  const { level } = choiceOf(channel)
  return CHANNEL_LEVELS.map(one => ({
    label: strings.rowMenu.levels[one],
    checked: one === level,
    run: () => void chooseForChannel(channel, { level: one }),
  }))
}
