/** An entry of the audit log in words. Detail that this client does not know is shown as it is. */

import type { AuditPayload } from '#shared/domain/payloads/administration.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { strings } from '../../i18n/i18n.ts'
import { settingName, shownValue } from './setting-texts.ts'

type ChannelName = (channel: ChannelId) => string
type Act = Pick<AuditPayload, 'action' | 'target' | 'detail'>

/** The person or thing acted on, and the change of a role or setting. */
export function targetText(
  { action, target, detail }: Act,
  personName: (username: string) => string = String,
): string | undefined {
  const texts = strings.audit
  if (target === null) return undefined
  const name = target === LOGO ? strings.workspaceSettings.logo : settingName(target)
  const [before, after] = changeIn({ action, target, detail })
  const shown = () => {
    if (action === 'setting.changed') return name
    if (action.startsWith('invite.')) return texts.link(target)
    return OF_PEOPLE.test(action) ? personName(target) : target
  }
  if (before === undefined || after === undefined || before === after) return shown()
  return before === target ? texts.change(before, after) : `${shown()}, ${texts.change(before, after)}`
}

/** Names and values of the detail: before and after, then the others in its order. */
export function fieldsOf(act: Act, channelName: ChannelName): [string, string][] {
  const texts = strings.audit
  const isSetting = act.action === 'setting.changed'
  // The database keeps keys by their length.
  const keys = [...BEFORE, ...AFTER].filter(key => key in act.detail)
  const others = Object.keys(act.detail).filter(key => !keys.includes(key))
  return [...keys, ...others].map(key => {
    const value = act.detail[key]
    if (BEFORE.includes(key)) return [texts.before, valueText(act, key, value, channelName)]
    if (AFTER.includes(key)) return [texts.after, valueText(act, key, value, channelName)]
    return [
      isSetting ? settingName(key) : (texts.fields[key] ?? key),
      valueText(act, key, value, channelName),
    ]
  })
}

/** Actions whose target is a username. */
const OF_PEOPLE = /^(?:person|owner|login|token|bot)\./
const LOGO = 'logo'
const BEFORE = ['from', 'old']
const AFTER = ['to', 'new']

function changeIn(act: Act): [string?, string?] {
  const value = (keys: string[]) => {
    const key = keys.find(one => one in act.detail)
    return key === undefined ? undefined : valueText(act, key, act.detail[key])
  }
  return [value(BEFORE), value(AFTER)]
}

function valueText(
  { action, target }: Act,
  key: string,
  value: unknown,
  channelName: ChannelName = String,
): string {
  const texts = strings.audit
  if (action === 'setting.changed') {
    if (target === LOGO) return value ? texts.picture : strings.workspaceSettings.none
    return shownValue(BEFORE.includes(key) || AFTER.includes(key) ? (target ?? '') : key, value)
  }
  if (Array.isArray(value))
    return (
      value.map(one => (key === 'channels' ? channelName(one) : wordOf(key, one))).join(', ') ||
      strings.workspaceSettings.none
    )
  if (isChange(value)) return texts.change(value.from, value.to)
  return wordOf(action === 'person.role' && key !== 'fields' ? 'role' : key, value)
}

const isChange = (value: unknown): value is { from: string; to: string } =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value

function wordOf(key: string, value: unknown): string {
  const { roles, deletions, displayName, jobTitle, email } = strings.administration
  const { description, picture } = strings.bots
  if (typeof value === 'boolean') return value ? strings.audit.yes : strings.audit.no
  if (typeof value === 'number') return strings.workspaceSettings.number(value)
  if (typeof value !== 'string') return JSON.stringify(value)
  const words: Record<string, Record<string, string>> = {
    role: roles,
    fields: { display_name: displayName, title: jobTitle, email, description, avatar: picture },
    type: { soft: deletions.soft.name, hard: deletions.hard.name },
    posting: { managers: strings.adminChannels.managersWrite, everyone: strings.adminChannels.everyone },
    state: strings.audit.states,
  }
  return words[key]?.[value] ?? value
}
