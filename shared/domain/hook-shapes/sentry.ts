/** Webhooks of Sentry: those of its integrations, and those of its former plug-in. */
import type { Fields } from '../slack-values.ts'
import { type Converted, type HookInput, type HookShape, headerIn } from './shape.ts'
import { addressOf, card, excerpt, heading, keyOf, line, objectAt, plain, textAt } from './words.ts'

export const sentry: HookShape = {
  name: 'sentry',
  isIn: input => resourceOf(input) !== undefined || isOfPlugin(input.body),
  convert: input => {
    const { body } = input
    const resource = resourceOf(input)
    if (resource === undefined) return ofPlugin(body)
    const action = textAt(body, 'action')
    const data = objectAt(body, 'data') ?? {}
    if (resource === 'issue' && action !== undefined && Object.hasOwn(ISSUES, action))
      return issue(data, ISSUES[action]!)
    if (resource === 'event_alert' && action === 'triggered') return eventAlert(data)
    if (resource === 'metric_alert') return metricAlert(data, action ?? '')
    return { ignored: line(resource, action?.slice(0, 80)) }
  },
}

const resourceOf = (input: HookInput) => headerIn(input, 'sentry-hook-resource')
const isOfPlugin = (body: Fields) => 'project_name' in body && 'culprit' in body

const ISSUES: Record<string, string> = {
  created: 'New',
  resolved: 'Resolved',
  unresolved: 'Open again',
}

function issue(data: Fields, state: string): Converted {
  const of = objectAt(data, 'issue') ?? {}
  return {
    text: '',
    cards: [
      card({
        color: state === 'Resolved' ? 'good' : 'danger',
        title: heading(`${state}: ${textAt(of, 'title') ?? 'issue'}`),
        url: addressOf(textAt(of, 'web_url')) ?? addressOf(textAt(of, 'permalink')),
        text: plain(textAt(of, 'culprit')),
        footer: plain(line(textAt(of, 'project.name') ?? textAt(of, 'project.slug'), textAt(of, 'shortId'))),
      }),
    ],
    incident: {
      key: keyOf('issue', textAt(of, 'id')),
      state: state === 'Resolved' ? 'recovered' : 'failing',
    },
  }
}

function eventAlert(data: Fields): Converted {
  const event = objectAt(data, 'event') ?? {}
  const level = textAt(event, 'level')
  return {
    text: '',
    cards: [
      card({
        color: colorOf(level),
        title: heading(textAt(event, 'title') ?? 'Event'),
        url: addressOf(textAt(event, 'web_url')),
        text: plain(textAt(event, 'culprit')),
        footer: plain(textAt(data, 'triggered_rule')),
      }),
    ],
  }
}

function metricAlert(data: Fields, action: string): Converted {
  // `open`: no trigger of the rule names a level.
  const color = { critical: 'danger', open: 'danger', warning: 'warning', resolved: 'good' }[action]
  if (color === undefined) return { ignored: `metric_alert ${action.slice(0, 80)}` }
  return {
    text: '',
    cards: [
      card({
        color,
        title: heading(textAt(data, 'description_title') ?? textAt(data, 'metric_alert.title') ?? action),
        url: addressOf(textAt(data, 'web_url')),
        text: excerpt(textAt(data, 'description_text')),
      }),
    ],
    incident: {
      key: keyOf('metric', textAt(data, 'metric_alert.id')),
      state: action === 'resolved' ? 'recovered' : 'failing',
    },
  }
}

function ofPlugin(body: Fields): Converted {
  const title = textAt(body, 'event.title') ?? textAt(body, 'message') ?? textAt(body, 'culprit')
  return {
    text: '',
    cards: [
      card({
        color: colorOf(textAt(body, 'level')),
        title: heading(title ?? 'Event'),
        url: addressOf(textAt(body, 'url')),
        text: plain(textAt(body, 'culprit')),
        footer: plain(textAt(body, 'project_name')),
      }),
    ],
  }
}

const colorOf = (level: string | undefined) =>
  level === 'warning' || level === 'info' ? 'warning' : 'danger'
