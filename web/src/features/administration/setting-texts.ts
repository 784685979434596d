import { strings } from '../../i18n/i18n.ts'

/** A setting that this client does not know has its key as name. */
export const settingName = (key: string) => strings.workspaceSettings.settings[key]?.name ?? key

/** A value with its unit. */
export function shownValue(key: string, value: unknown): string {
  const say = strings.workspaceSettings
  if (value === null) return key === 'accent' ? say.teal : say.none
  if (typeof value === 'boolean') return value ? say.on : say.off
  if (typeof value === 'string') return say.choices[value] ?? value
  if (typeof value === 'number') return [say.number(value), say.units[key]].filter(Boolean).join(' ')
  if (Array.isArray(value)) return value.length === 0 ? say.none : value.join(', ')
  return JSON.stringify(value)
}
