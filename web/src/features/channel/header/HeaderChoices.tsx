import type { ChannelId } from '#shared/domain/units.ts'
import { strings } from '../../../i18n/i18n.ts'
import { channelChoices } from '../../../store/sidebar/channel-choices.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { part } from '../../../ui/part.ts'

export const headerMenu = part<typeof import('./header-menu.tsx')>()

/** The star and the bell of a channel in the own sidebar. */
export function HeaderChoices({ channel }: { channel: ChannelId }) {
  const choice = channelChoices.value?.get(channel)
  if (!choice) return null
  const { favourite, level, muted_until: muted } = choice
  const isQuiet = muted !== null || level === 'nothing'
  return (
    <>
      <IconButton
        icon="star"
        label={strings.header.favourite}
        aria-pressed={favourite}
        class="channel-header-choice"
        onClick={() => headerMenu.use(module => module.toggleFavourite(channel))}
      />
      <IconButton
        icon={isQuiet ? 'bell-off' : 'bell'}
        label={strings.header.notify}
        aria-haspopup="menu"
        class="channel-header-choice"
        onClick={event => {
          const button = event.currentTarget
          headerMenu.use(module => module.openLevelMenu(button, channel))
        }}
      />
    </>
  )
}
