/** Muting a channel: no sound and no pop-up, and a quiet row in the sidebar. */
import type { SidebarChannelPayload } from '#shared/domain/payloads/sidebar.ts'
import type { ChannelId, Milliseconds, Seconds } from '#shared/domain/units.ts'
import { strings } from '../i18n/i18n.ts'
import { tolerateFailure } from '../net/requests/failure.ts'
import { muteChannel } from '../net/requests/lazy-endpoints.ts'
import { nameOf } from '../store/channels/names.ts'
import { tomorrowMorning } from '../store/preferences/preference-values.ts'
import { guessChoice, mutedUntil } from '../store/sidebar/channel-choices.ts'
import { showToast } from '../ui/feedback.ts'

type Until = SidebarChannelPayload['muted_until']

const HOUR: Milliseconds = 3_600_000

export const muteForAnHour = (channel: ChannelId) => change(channel, (Date.now() + HOUR) / 1_000)
export const muteUntilTomorrow = (channel: ChannelId) => change(channel, tomorrowMorning(new Date()) / 1_000)
export const muteUntil = (channel: ChannelId, until: Seconds) => change(channel, until)
export const muteForever = (channel: ChannelId) => change(channel, 'forever')
export const unmuteChannel = (channel: ChannelId) => change(channel, null)

async function change(channel: ChannelId, until: Until) {
  const before = mutedUntil(channel)
  const name = nameOf(channel)
  if (!(await set(channel, until))) return
  const texts = strings.rowMenu
  const done =
    until === null
      ? texts.unmuted(name)
      : until === 'forever'
        ? texts.muted(name)
        : texts.mutedUntil(name, until)
  showToast(done, {
    icon: until === null ? 'bell' : 'bell-off',
    action: { label: strings.undo, run: () => void set(channel, isOver(before) ? null : before) },
  })
}

const isOver = (until: Until) => typeof until === 'number' && until * 1_000 <= Date.now()

async function set(channel: ChannelId, until: Until): Promise<boolean> {
  const before = mutedUntil(channel)
  guessChoice(channel, { muted_until: until })
  try {
    await muteChannel(channel, until)
    return true
  } catch (error) {
    tolerateFailure(error)
    guessChoice(channel, { muted_until: before })
    showToast(strings.sidebar.notChanged(nameOf(channel)))
    return false
  }
}
