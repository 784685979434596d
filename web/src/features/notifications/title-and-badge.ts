/** Window title, the amber dot in the favicon, and the badge of the installed app (ui.md 6.5). */
import { effect } from '@preact/signals'
import { strings } from '../../i18n/i18n.ts'
import { leads } from '../../net/tabs/leader.ts'
import { ownCallChannel } from '../../store/calls.ts'
import { current } from '../../store/channels/channels.ts'
import { nameOf } from '../../store/channels/names.ts'
import { tolerate } from '../../store/device/tolerate.ts'
import { workspaceName } from '../../store/store.ts'
import unreadLogo from '../../ui/logo-unread.svg?url'
import { waiting } from './waiting.ts'

export function showTitle() {
  effect(() => {
    const { value: count } = waiting
    document.title = count > 0 ? `(${count}) ${place()}` : place()
  })
}

function place(): string {
  const office = workspaceName.value
  if (ownCallChannel.value) return `${strings.calls.title(nameOf(ownCallChannel.value))} · ${office}`
  return current.value ? `${nameOf(current.value.id)} · ${office}` : office
}

export function showBadges() {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  const logo = link?.getAttribute('href')
  effect(() => {
    const href = waiting.value > 0 ? unreadLogo : logo
    if (link && href && link.getAttribute('href') !== href) link.href = href
  })
  const leading = leads('notify')
  effect(() => {
    if (leading.value) void badgeTheApp(waiting.value)
  })
}

/** The system may lack badges, or a profile may forbid them. */
async function badgeTheApp(count: number) {
  try {
    await (count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.())
  } catch (error) {
    tolerate(error, DOMException)
  }
}
