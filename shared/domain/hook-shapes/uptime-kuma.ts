/** Webhooks of Uptime Kuma in its form "application/json". */
import type { Fields } from '../slack-values.ts'
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
          footer: isUp ? outageIn(body) : undefined,
        }),
      ],
      incident: { key, state: isUp ? 'recovered' : 'failing' },
    }
  },
}

/** Undefined before version 2.1: `duration` is the time since the heartbeat before, failed ones included. */
function outageIn(body: Fields): string | undefined {
  const [from, to] = ['heartbeat.lastDownTime', 'heartbeat.time'].map(path => timeOf(textAt(body, path)))
  const seconds = (to! - from!) / 1000
  return seconds > 0 ? `after ${inWords(seconds)}` : undefined
}

/** Of `2026-11-01 08:00:00.000`, in UTC; NaN for another form. */
const timeOf = (text = '') =>
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,3})?$/.test(text)
    ? Date.parse(`${text.replace(' ', 'T')}Z`)
    : Number.NaN

function inWords(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`
  return seconds < 3600 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}
