/** Groups of alerts, as Alertmanager and Grafana send them. */
import type { Fields } from '../slack-values.ts'
import type { HookMessage, HookShape } from './shape.ts'
import {
  addressOf,
  card,
  excerpt,
  heading,
  keyOf,
  line,
  lines,
  listAt,
  listed,
  objectAt,
  plain,
  textAt,
} from './words.ts'

const MOST_ALERTS = 10
const MOST_LABELS = 10

export const grafana: HookShape = {
  name: 'grafana',
  isIn: ({ body }) => Array.isArray(body['alerts']) && 'orgId' in body,
  convert: ({ body }) => group(body, textAt(body, 'title')),
}

export const alertmanager: HookShape = {
  name: 'alertmanager',
  isIn: ({ body }) => body['version'] === '4' && Array.isArray(body['alerts']),
  convert: ({ body }) => group(body, undefined),
}

function group(body: Fields, title: string | undefined): HookMessage {
  const alerts = listAt(body, 'alerts')
  const isResolved = textAt(body, 'status') === 'resolved'
  const firing = alerts.filter(alert => textAt(alert, 'status') !== 'resolved')
  const total = alerts.length + (Number(textAt(body, 'truncatedAlerts')) || 0)
  const common = labelsOf(objectAt(body, 'commonLabels'))
  const name = common.get('alertname') ?? labelsOf(objectAt(body, 'groupLabels')).get('alertname') ?? 'Alerts'
  const state = isResolved ? 'Resolved' : `Firing (${firing.length})`
  const first = alerts[0] ?? {}
  const summary = wordsOf(objectAt(body, 'commonAnnotations'))
  const lineOf = (alert: Fields) => ownOf(alert, common, summary)
  // The labels and words of a single alert are the common ones.
  const isListed = total > 1 || lineOf(first) !== ''
  return {
    text: '',
    cards: [
      card({
        color: isResolved ? 'good' : 'danger',
        title: heading(title ?? `${state}: ${name}`),
        url: addressOf(textAt(first, 'generatorURL')) ?? addressOf(textAt(body, 'externalURL')),
        text: lines(
          excerpt(summary),
          isListed && listed(alerts, MOST_ALERTS, alert => line(stateOf(alert), lineOf(alert)), total),
        ),
        fields: [...common]
          .filter(([label]) => label !== 'alertname')
          .slice(0, MOST_LABELS)
          .map(([label, value]) => ({ title: plain(label), value: plain(value), short: true })),
        links: linksOf(first, body),
      }),
    ],
    incident: {
      key: keyOf('alerts', textAt(body, 'receiver'), textAt(body, 'groupKey')),
      state: isResolved ? 'recovered' : 'failing',
    },
  }
}

const stateOf = (alert: Fields) => (textAt(alert, 'status') === 'resolved' ? '- Resolved:' : '- Firing:')

const wordsOf = (annotations: Fields | undefined): string | undefined =>
  annotations && (textAt(annotations, 'summary') ?? textAt(annotations, 'description'))

/** `instance=db-1 The disk is full`, without what all alerts of the group have. */
function ownOf(alert: Fields, common: ReadonlyMap<string, string>, summary: string | undefined): string {
  const own = [...labelsOf(objectAt(alert, 'labels'))].filter(([label, value]) => common.get(label) !== value)
  const names = own.slice(0, MOST_LABELS).map(([label, value]) => `${label}=${value}`)
  const words = wordsOf(objectAt(alert, 'annotations'))
  return line(plain(names.join(' ')), words !== summary && plain(words))
}

/** Labels that are no text are left out. */
function labelsOf(labels: Fields | undefined): Map<string, string> {
  const texts = Object.entries(labels ?? {}).filter(([, value]) => typeof value === 'string')
  return new Map(texts as [string, string][])
}

function linksOf(alert: Fields, body: Fields): { text: string; url: string }[] {
  const runbook = textAt(alert, 'annotations.runbook_url')
  const external = textAt(body, 'externalURL')
  const links: [string, string | undefined][] = [
    ['Runbook', runbook],
    ['Dashboard', textAt(alert, 'dashboardURL')],
    ['Panel', textAt(alert, 'panelURL')],
    ['Silence', textAt(alert, 'silenceURL')],
    ['Alerts', external],
  ]
  return links.flatMap(([text, address]) => {
    const url = addressOf(address)
    return url === undefined ? [] : [{ text, url }]
  })
}
