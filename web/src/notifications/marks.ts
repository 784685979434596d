/** The amber dot in the window of the house, and the number on the installed app (ui.md 6.5). */
import { effect } from '@preact/signals'
import { leads } from '../server/leader.ts'
import unreadLogo from '../ui/logo-unread.svg?url'
import { waiting } from './waiting.ts'

export function showMarks() {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  const logo = link?.getAttribute('href')
  effect(() => {
    const href = waiting.value > 0 ? unreadLogo : logo
    if (link && href && link.getAttribute('href') !== href) link.href = href
  })
  const leading = leads('tell')
  effect(() => {
    if (leading.value) void badgeTheApp(waiting.value)
  })
}

/** The system may have none, or a profile may forbid it. */
async function badgeTheApp(count: number) {
  try {
    await (count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.())
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}
