import { boundsOf, DEFAULTS, type SettingName } from '#shared/runtime/settings.ts'

/** Values at the bounds of a setting that is a number, and its default. */
export function valuesTaken(key: SettingName): unknown[] {
  const bounds = boundsOf(key)
  if (bounds === undefined) return [DEFAULTS[key]]
  const { least, most, isAbove, orZero } = bounds
  return [DEFAULTS[key], isAbove ? 0.001 : least, most, ...(orZero ? [0] : [])]
}

/** Below, above, of no range, and of other types. Values of JSON: no NaN and no infinities. */
export function valuesRefused(key: SettingName, isJson = false): unknown[] {
  const bounds = boundsOf(key)
  const typed = typeof DEFAULTS[key] === 'string' || key === 'accent' ? [7, true] : ['7', '']
  const others = [...typed, ...(Array.isArray(DEFAULTS[key]) ? [] : [[], [1]]), { a: 1 }]
  const objects =
    key === 'rate_limits'
      ? others.filter(value => !(value instanceof Object) || Array.isArray(value))
      : others
  if (bounds === undefined) return [...objects, ...(TOO_LONG[key] ?? [])]
  const { least, most, isAbove, isWhole } = bounds
  return [
    ...objects,
    isAbove ? least : least - (isWhole ? 1 : 0.001),
    least - 1_000,
    most + 1,
    1e12,
    1e300,
    Number.MAX_SAFE_INTEGER,
    true,
    ...(isWhole ? [least + 0.5] : []),
    ...(isJson ? [] : [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, null]),
  ].filter(value => !(value === 0 && bounds.orZero))
}

/** Texts and lists beyond their bounds. */
const TOO_LONG: Partial<Record<SettingName, unknown[]>> = {
  workspace_name: ['', 'x'.repeat(81), 'two\nlines', 'x'.repeat(10_000)],
  accent: ['', 'teal', '#12345', '#1234567'],
  signup_mode: ['', 'ajar'],
  who_invites: ['guests'],
  who_creates_channels: ['everybody'],
  who_mentions_everyone: [''],
  who_adds_emoji: ['owner'],
  who_makes_tokens: ['guests'],
  who_makes_bots: ['guests'],
  who_makes_hooks: ['guests'],
  file_types: ['none'],
  hooks_allow: [Array(1_001).fill('a'), ['a'.repeat(256)], [7]],
  preview_allow: [Array(1_001).fill('a'), ['a'.repeat(256)], [7]],
  locked_settings: [Array(101).fill('a'), ['a'.repeat(65)], [7]],
  backup_keep: [
    { daily: 0, weekly: 4 },
    { daily: 3_651, weekly: 4 },
    { daily: 7, weekly: 521 },
    { daily: 7 },
  ],
}
