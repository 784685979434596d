import { strings } from '../../i18n/i18n.ts'

/** A setting that this client does not know has its key as name. */
export const settingName = (key: string) => strings.workspaceSettings.settings[key]?.name ?? key

/** A value with its unit. */
export function shownValue(key: string, value: unknown): string {
  const texts = strings.workspaceSettings
  if (value === null) return key === 'accent' ? texts.teal : texts.none
  if (typeof value === 'boolean') return value ? texts.on : texts.off
  if (typeof value === 'string') return texts.choices[value] ?? value
  if (typeof value === 'number') return [texts.number(value), texts.units[key]].filter(Boolean).join(' ')
  if (Array.isArray(value)) return value.length === 0 ? texts.none : value.join(', ')
  return JSON.stringify(value)
}
