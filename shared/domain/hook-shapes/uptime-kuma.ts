/** Webhooks of Uptime Kuma in its form "application/json". */
import type { HookShape } from './shape.ts'
import { addressOf, card, excerpt, heading, keyOf, objectAt, plain, textAt } from './words.ts'

export const uptimeKuma: HookShape = {
  name: 'uptime_kuma',
  isIn: ({ body }) => 'heartbeat' in body && 'monitor' in body,
  convert: ({ body }) => {
    const message = textAt(body, 'msg')
    const status = textAt(body, 'heartbeat.status')
    const monitor = objectAt(body, 'monitor')
    // Tests of the notification and notices of certificates have no heartbeat.
    if (status === undefined) return { text: plain(message), cards: [] }
    if (status !== '0' && status !== '1') return { ignored: status === '3' ? 'maintenance' : 'pending' }
    const name = (monitor && textAt(monitor, 'name')) ?? 'Monitor'
    const seconds = Number(textAt(body, 'heartbeat.duration')) || 0
    const isUp = status === '1'
    const key = keyOf('monitor', (monitor && textAt(monitor, 'id')) ?? name)
    return {
      text: '',
      cards: [
        card({
          color: isUp ? 'good' : 'danger',
          title: heading(`${isUp ? 'Up' : 'Down'}: ${name}`),
          url: addressOf(monitor && textAt(monitor, 'url')),
          text: excerpt(textAt(body, 'heartbeat.msg')),
          // Since the heartbeat before this one.
          footer: isUp && seconds > 0 ? `after ${inWords(seconds)}` : undefined,
        }),
      ],
      incident: { key, state: isUp ? 'recovered' : 'failing' },
    }
  },
}

function inWords(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`
  return seconds < 3600 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}
