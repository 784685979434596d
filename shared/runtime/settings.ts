import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import { log } from './log.ts'

/** A count per number of seconds. */
export type Rate = readonly [count: number, seconds: number]

/** Settings that an operator may change at run time (decisions, Settings and variables). */
export interface Settings {
  channels: readonly string[]
  max_login_attempts: number
  lockout_duration_minutes: number
  max_upload_size_mb: number
  max_avatar_size_mb: number
  max_request_size_mb: number
  max_message_chars: number
  rate_limit_enabled: boolean
  rate_limits: Readonly<Record<RateName, Rate>>
  max_event_streams_per_user: number
  /** Uploads are refused below this share of free space on the file store's disk; 0 disables the check. */
  min_free_disk_percent: number
  /** Megabytes per second and collection above which a gateway sends the collection less often. */
  wire_budget_mb_s: number
  session_idle_minutes: number
  stun_port: number
  /** Non-public hosts and networks that link cards may reach (services/previews/allow-list.ts). */
  preview_allow: readonly string[]
  /** Days for which messages are kept; 0 keeps them for ever. */
  retention_days: number
  /** GiB of attachments above which the oldest are deleted; 0 keeps all. */
  retention_max_gb: number
}

export type RateName = keyof typeof RATES

/** Units and keys: services/api/middleware/rate-limits.ts. */
const RATES = {
  login: [60, 60],
  signup: [20, 3600],
  reset: [30, 3600],
  password: [10, 3600],
  send: [240, 60],
  send_burst: [40, 5],
  /** KiB; messages of up to 1 KiB count for `send` only. */
  text: [2_048, 60],
  mass_mention: [10, 60],
  change: [240, 60],
  /** KiB of requests. */
  upload: [204_800, 600],
  upload_day: [512_000, 86_400],
  avatar: [60, 3600],
  create_channel: [60, 3600],
  add_member: [300, 3600],
  rename: [30, 600],
  link_preview: [60, 60],
  search: [120, 60],
  call: [20, 60],
  invite: [30, 60],
  signal: [1200, 60],
  /** KiB. */
  media: [30_720, 60],
  typing: [120, 60],
  presence: [120, 60],
  mark_read: [300, 60],
  other: [240, 60],
  write: [1_800, 60],
  read: [1_200, 60],
  file: [3_000, 60],
  stream: [600, 60],
  anonymous: [3_000, 60],
  /** Per address and STUN worker: an office behind a single address sends many requests when a meeting begins. */
  stun: [600, 10],
} satisfies Record<string, Rate>

export const DEFAULTS: Settings = {
  channels: ['general'],
  max_login_attempts: 5,
  lockout_duration_minutes: 15,
  max_upload_size_mb: 25,
  max_avatar_size_mb: 5,
  max_request_size_mb: 16,
  max_message_chars: 10_000,
  rate_limit_enabled: true,
  rate_limits: RATES,
  max_event_streams_per_user: 12,
  min_free_disk_percent: 5,
  wire_budget_mb_s: 5,
  session_idle_minutes: 14 * 24 * 60,
  stun_port: 3478,
  preview_allow: [],
  retention_days: 0,
  retention_max_gb: 0,
}

/** Invalid values fall back individually, each with an entry in `warnings`. */
export function settingsFrom(parsed: unknown): { settings: Settings; warnings: string[] } {
  const warnings: string[] = []
  const given = isRecord(parsed) ? parsed : {}
  if (!isRecord(parsed)) warnings.push('the file is not a JSON object')

  const pick = <T>(name: string, fallback: T, accept: (value: unknown) => value is T): T => {
    const value = given[name]
    if (value === undefined) return fallback
    if (accept(value)) return value
    warnings.push(`${name} is not usable`)
    return fallback
  }

  const settings: Settings = {
    channels: channelsFrom(given['channels'], warnings),
    max_login_attempts: pick('max_login_attempts', DEFAULTS.max_login_attempts, isInteger),
    lockout_duration_minutes: pick('lockout_duration_minutes', DEFAULTS.lockout_duration_minutes, isPositive),
    max_upload_size_mb: pick('max_upload_size_mb', DEFAULTS.max_upload_size_mb, isPositive),
    max_avatar_size_mb: pick('max_avatar_size_mb', DEFAULTS.max_avatar_size_mb, isPositive),
    max_request_size_mb: pick('max_request_size_mb', DEFAULTS.max_request_size_mb, isPositive),
    max_message_chars: pick('max_message_chars', DEFAULTS.max_message_chars, isPositiveInteger),
    rate_limit_enabled: pick('rate_limit_enabled', DEFAULTS.rate_limit_enabled, isBoolean),
    rate_limits: ratesFrom(given['rate_limits'], warnings),
    max_event_streams_per_user: pick(
      'max_event_streams_per_user',
      DEFAULTS.max_event_streams_per_user,
      isPositiveInteger,
    ),
    min_free_disk_percent: pick('min_free_disk_percent', DEFAULTS.min_free_disk_percent, isPercentage),
    wire_budget_mb_s: pick('wire_budget_mb_s', DEFAULTS.wire_budget_mb_s, isPositive),
    session_idle_minutes: pick('session_idle_minutes', DEFAULTS.session_idle_minutes, isPositive),
    stun_port: pick('stun_port', DEFAULTS.stun_port, isPort),
    preview_allow: pick('preview_allow', DEFAULTS.preview_allow, isTexts),
    retention_days: pick('retention_days', DEFAULTS.retention_days, isNotNegative),
    retention_max_gb: pick('retention_max_gb', DEFAULTS.retention_max_gb, isNotNegative),
  }
  return { settings, warnings }
}

/**
 * A public channel's name must not look like a DM or private channel, and must be a path segment that no client or
 * proxy rewrites: letters and digits of any script, and single spaces, dots, dashes and underscores between them.
 */
const CHANNEL_NAME =
  /^(?=.{1,64}$)[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*(?:[ .][\p{L}\p{N}_-][\p{L}\p{M}\p{N}_-]*)*$/u

function channelsFrom(value: unknown, warnings: string[]): readonly string[] {
  if (value === undefined) return DEFAULTS.channels
  if (!Array.isArray(value)) {
    warnings.push('channels is not usable')
    return DEFAULTS.channels
  }
  const texts = value.filter(name => typeof name === 'string').map(name => name.normalize('NFC'))
  const names = texts.filter(name => CHANNEL_NAME.test(name))
  if (names.length < value.length) warnings.push('channels: some names are not usable')
  // An empty list is a choice (interface 4.1: no welcome message); a list without valid names is a fault.
  if (names.length === 0 && value.length > 0) return DEFAULTS.channels
  return [...new Set(names)]
}

function ratesFrom(value: unknown, warnings: string[]): Settings['rate_limits'] {
  if (value === undefined) return RATES
  if (!isRecord(value)) {
    warnings.push('rate_limits is not usable')
    return RATES
  }
  const rates: Record<RateName, Rate> = { ...RATES }
  for (const [name, rate] of Object.entries(value)) {
    if (Object.hasOwn(RATES, name) && isRate(rate)) rates[name as RateName] = rate
    else warnings.push(`rate_limits.${name} is not usable`)
  }
  return rates
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value)
const isPositive = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0
const isNotNegative = (value: unknown): value is number => value === 0 || isPositive(value)
const isPositiveInteger = (value: unknown): value is number => isInteger(value) && value > 0
const isPercentage = (value: unknown): value is number => isNotNegative(value) && value <= 100
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(text => typeof text === 'string')
const isPort = (value: unknown): value is number => isInteger(value) && value > 0 && value < 65_536
const isRate = (value: unknown): value is Rate =>
  Array.isArray(value) && value.length === 2 && value.every(isPositiveInteger)

/** Watches the settings file, so that a change applies to the next request, in every process. */
export class SettingsFile {
  #current: Settings
  readonly #path: string
  readonly #changed = new Set<() => void>()

  constructor(path: string) {
    this.#path = path
    this.#current = this.#read()
    // Polled, because editors replace the file, and mounted files send no events.
    watchFile(path, { interval: 500, persistent: false }, () => {
      this.#current = this.#read()
      for (const listener of this.#changed) listener()
    })
  }

  get current(): Settings {
    return this.#current
  }

  onChange(listener: () => void): () => void {
    this.#changed.add(listener)
    return () => this.#changed.delete(listener)
  }

  stop() {
    unwatchFile(this.#path)
  }

  #read(): Settings {
    let text: string
    try {
      text = readFileSync(this.#path, 'utf8')
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code !== 'ENOENT') log.warn({ err }, 'settings file not readable')
      return DEFAULTS
    }
    let parsed: unknown
    try {
      parsed = JSON.parse(text)
    } catch {
      // Half-written or broken: keep the current settings, or the defaults at the first read.
      log.warn({ file: this.#path }, 'settings file is no JSON')
      return this.#current ?? DEFAULTS
    }
    const { settings, warnings } = settingsFrom(parsed)
    for (const warning of warnings) log.warn({ warning }, 'settings file: default used')
    return settings
  }
}
