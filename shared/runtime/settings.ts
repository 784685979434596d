import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import * as v from 'valibot'
import { isName } from '#shared/domain/one-line.ts'
import type { NumberBounds } from '#shared/domain/payloads/administration.ts'
import { GROUPS, type Group, SIGNUP_MODES } from '#shared/domain/roles.ts'
import { log } from './log.ts'
import { nearest } from './variable-names.ts'
import { type Fault, inWords, reasonOf, shown } from './variables.ts'

/** Every number of a setting, so that the file, the client and the documents have the same bounds. */
function number(bounds: NumberBounds) {
  const { least, most, isAbove, orZero, isWhole } = bounds
  const isWithin = (value: number) =>
    (value === 0 && orZero === true) ||
    ((isAbove ? value > least : value >= least) && value <= most && (!isWhole || Number.isInteger(value)))
  return v.pipe(v.number(), v.check(isWithin), v.metadata({ bounds, takes: sentenceOf(bounds) }))
}

function sentenceOf({ least, most, isAbove, orZero, isWhole }: NumberBounds): string {
  const range = isAbove ? `above ${least}, at most ${most}` : `from ${least} to ${most}`
  return `${orZero ? '0 or ' : ''}a ${isWhole ? 'whole ' : ''}number ${range}`
}

const whole = (least: number, most: number) => number({ least, most, isWhole: true })
const positive = (most: number) => number({ least: 0, most, isAbove: true })

const takes = <Input>(sentence: string) => v.metadata<Input, { takes: string }>({ takes: sentence })
const oneOf = <const Words extends readonly string[]>(words: Words) =>
  v.pipe(v.picklist(words), takes(words.join(' or ')))
const flag = v.pipe(v.boolean(), takes('true or false'))

/** A list with bounds of its items. */
const list = <Item extends v.GenericSchema<string, string>>(item: Item, most: number, sentence: string) =>
  v.pipe(v.array(item), v.maxLength(most), v.readonly(), takes(sentence))

const YEAR_MINUTES = 365 * 24 * 60
/** Days and GiB beyond which a retention keeps all anyway. */
const CENTURY_DAYS = 36_500
const MOST_GB = 1_000_000

/**
 * A public channel's name must not look like a DM or private channel, and must be a path segment that no client or
 * proxy rewrites: letters and digits of any script, and single spaces, dots, dashes and underscores between them.
 */
const CHANNEL_NAME =
  /^(?=.{1,64}$)[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*(?:[ .][\p{L}\p{N}_-][\p{L}\p{M}\p{N}_-]*)*$/u

const CHANNEL = v.pipe(v.string(), v.normalize('NFC'), v.regex(CHANNEL_NAME))
/** Channels of the file. */
const MOST_CHANNELS = 1_000

const MOST_COUNT = 1_000_000_000
const LONGEST_WINDOW = 31 * 24 * 3_600

const RATE_TAKES = `[count, seconds]: whole numbers from 1 to ${MOST_COUNT} and from 1 to ${LONGEST_WINDOW}`

/** A count per number of seconds. */
const RATE = v.pipe(
  v.strictTuple([whole(1, MOST_COUNT), whole(1, LONGEST_WINDOW)]),
  v.readonly(),
  takes(RATE_TAKES),
)
export type Rate = v.InferOutput<typeof RATE>

const rate = (count: number, seconds: number) => v.optional(RATE, [count, seconds])

/** Units, costs and keys: services/api/middleware/rate-limits.ts. */
const RATES = v.object({
  login: rate(60, 60),
  account: rate(60, 3600),
  send: rate(240, 60),
  change: rate(240, 60),
  other: rate(300, 60),
  command: rate(60, 60),
  reports: rate(240, 60),
  manage: rate(4_000, 3600),
  /** MiB. */
  files: rate(2_048, 3600),
  search: rate(120, 60),
  /** KiB of media. */
  calls: rate(30_720, 60),
  requests: rate(6_000, 60),
  /** Requests with a token, in place of `requests`. */
  token: rate(600, 60),
  /** Posts to the address of a hook. */
  hook: rate(60, 60),
  anonymous: rate(3_000, 60),
})
export type RateName = keyof typeof RATES.entries

/** Limits of releases before 0.2.0, by the limit that replaces them. */
const FORMER_RATES: { [name in RateName]?: readonly string[] } = {
  account: ['signup', 'reset', 'password'],
  send: ['send_burst', 'text', 'mass_mention', 'forward'],
  change: ['rename'],
  other: ['mark_read', 'mark_all'],
  reports: ['typing', 'presence'],
  manage: ['create_channel', 'add_member', 'invitation', 'avatar', 'admin', 'backup'],
  files: ['upload', 'upload_day', 'upload_mib'],
  search: ['link_preview'],
  calls: ['call', 'invite', 'signal', 'media'],
  requests: ['read', 'write', 'file', 'stream'],
  anonymous: ['client_error', 'stun'],
}

/** Characters of names that people read. */
const LONGEST_NAME = 80
const name = v.pipe(
  v.string(),
  v.normalize('NFC'),
  v.maxLength(LONGEST_NAME),
  v.check(isName),
  takes(`one line of 1 to ${LONGEST_NAME} characters`),
)

export const FILE_TYPES = ['all', 'images'] as const
/** Hours of the day in UTC; −1 is never. */
const HOUR = whole(-1, 23)
const KEEP = v.pipe(
  v.strictObject({ daily: whole(1, 3_650), weekly: whole(0, 520) }),
  v.readonly(),
  takes('{"daily": 1 to 3650, "weekly": 0 to 520}, whole numbers'),
)

const group = (byDefault: Group) => v.optional(oneOf(GROUPS), byDefault)

/** In MiB. Larger images are files like any other, because removing their metadata would take too much memory. */
export const LARGEST_IMAGE = 32
/** MiB of a file, 100 GiB. */
const LARGEST_UPLOAD = 102_400

/** Settings that an operator may change at run time, with their defaults. */
const NETWORKS = list(
  v.pipe(v.string(), v.maxLength(255)),
  1_000,
  'a list of at most 1000 hosts and networks of at most 255 characters',
)

const SETTINGS = v.object({
  channels: v.optional(list(CHANNEL, MOST_CHANNELS, `a list of at most ${MOST_CHANNELS} names of channels`), [
    'general',
  ]),
  /** 0 and less never lock (interface 5.5). */
  max_login_attempts: v.optional(whole(-1_000, 1_000), 5),
  lockout_duration_minutes: v.optional(positive(YEAR_MINUTES), 15),
  max_upload_size_mb: v.optional(positive(LARGEST_UPLOAD), 25),
  max_avatar_size_mb: v.optional(positive(LARGEST_IMAGE), 5),
  max_request_size_mb: v.optional(positive(LARGEST_UPLOAD), 16),
  max_message_chars: v.optional(whole(1, 100_000), 10_000),
  rate_limit_enabled: v.optional(flag, true),
  rate_limits: v.optional(
    v.pipe(RATES, v.readonly(), takes('an object with [count, seconds] for each limit')),
    {},
  ),
  max_event_streams_per_user: v.optional(whole(1, 1_000), 12),
  /** Uploads are refused below this share of free space on the file store's disk; 0 disables the check. */
  min_free_disk_percent: v.optional(number({ least: 0, most: 100 }), 5),
  /** Megabytes per second and collection above which a gateway sends the collection less often. */
  wire_budget_mb_s: v.optional(positive(100_000), 5),
  /** Less would sign out the administrator who sets it. */
  session_idle_minutes: v.optional(number({ least: 5, most: YEAR_MINUTES }), 14 * 24 * 60),
  stun_port: v.optional(whole(1, 65_535), 3478),
  /** Non-public hosts and networks that link cards may reach (allow-list.ts). */
  preview_allow: v.optional(NETWORKS, []),
  /** The same for hooks and commands, whose requests are POST with a body that people wrote. */
  hooks_allow: v.optional(NETWORKS, []),
  /**
   * Days for which messages are kept; 0 keeps them for ever. Here and below a wrong value must not delete what was just
   * written.
   */
  retention_days: v.optional(number({ least: 1, most: CENTURY_DAYS, orZero: true }), 0),
  /** GiB of attachments above which the oldest are deleted; 0 keeps all. */
  retention_max_gb: v.optional(number({ least: 0.1, most: MOST_GB, orZero: true }), 0),
  workspace_name: v.optional(name, 'bothy'),
  /** Colour in place of the teal, `#rrggbb`; null keeps the teal. */
  accent: v.optional(
    v.pipe(
      v.nullable(v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/i))),
      takes('a colour such as "#016367", or null'),
    ),
    null,
  ),
  signup_mode: v.optional(oneOf(SIGNUP_MODES), 'open'),
  read_receipts: v.optional(flag, true),
  link_previews: v.optional(flag, true),
  /** Keeps the earlier versions of edited texts; turning it off deletes them. */
  keep_edits: v.optional(flag, false),
  /** Days for which entries of the audit log are kept; 0 keeps them for ever. */
  audit_retention_days: v.optional(number({ least: 30, most: CENTURY_DAYS, orZero: true }), 730),
  /** The first account of a fresh server owns it. */
  first_account_is_owner: v.optional(flag, true),
  /** Settings that cannot be changed in the client. */
  locked_settings: v.optional(
    list(v.pipe(v.string(), v.maxLength(64)), 100, 'a list of at most 100 names of settings'),
    [],
  ),
  /** Log lines of requests and failed log-ins have the client's address. */
  log_addresses: v.optional(flag, false),
  /** How long a password is remembered for acts that need it. */
  confirm_minutes: v.optional(positive(24 * 60), 15),
  who_invites: group('admins'),
  who_creates_channels: group('members'),
  who_mentions_everyone: group('members'),
  who_adds_emoji: group('members'),
  who_makes_tokens: group('members'),
  who_makes_bots: group('admins'),
  who_makes_hooks: group('members'),
  /** `POST /mcp` is open: assistants act by tokens. */
  mcp_enabled: v.optional(flag, false),
  /** People from which on a client asks before it sends a mention of everyone or of a group. */
  mention_guard: v.optional(whole(1, 1_000_000), 10),
  /** Files that clients with `files=all` may send. */
  file_types: v.optional(oneOf(FILE_TYPES), 'all'),
  /** MiB that a person may upload in 24 hours; 0 is no limit. */
  user_upload_mb_per_day: v.optional(number({ least: 0, most: 10_000_000 }), 0),
  /** Hour of the nightly backup, UTC; −1 makes none. */
  backup_hour: v.optional(HOUR, 2),
  /** Backups that are kept: one of each of the last days and weeks that have one. */
  backup_keep: v.optional(KEEP, { daily: 7, weekly: 4 }),
})
export type Settings = Readonly<v.InferOutput<typeof SETTINGS>>

export const DEFAULTS: Settings = v.parse(SETTINGS, {})

export type SettingName = keyof Settings
export const SETTING_NAMES = Object.keys(DEFAULTS) as SettingName[]

/** Settings that the client may change; the others are in the file only. */
export const WEB_SETTINGS = [
  'workspace_name',
  'accent',
  'signup_mode',
  'who_invites',
  'who_creates_channels',
  'who_mentions_everyone',
  'who_adds_emoji',
  'who_makes_tokens',
  'who_makes_bots',
  'who_makes_hooks',
  'mcp_enabled',
  'read_receipts',
  'link_previews',
  'keep_edits',
  'mention_guard',
  'audit_retention_days',
  'max_upload_size_mb',
  'max_request_size_mb',
  'max_avatar_size_mb',
  'file_types',
  'user_upload_mb_per_day',
  'max_message_chars',
  'max_login_attempts',
  'lockout_duration_minutes',
  'session_idle_minutes',
  'retention_days',
  'retention_max_gb',
] as const satisfies readonly SettingName[]

export type WebSetting = (typeof WEB_SETTINGS)[number]

export const isWebSetting = (key: string): key is WebSetting =>
  (WEB_SETTINGS as readonly string[]).includes(key)

/** In the file and in the client alike. */
export const isUsable = (key: SettingName, value: unknown): boolean =>
  v.is(SETTINGS.entries[key].wrapped, value)

/** The values of a setting in words: "a number from 5 to 525600". */
export const takenBy = (key: SettingName): string => aboutOf(key).takes

/** The bounds of a setting that is a number. */
export const boundsOf = (key: SettingName): NumberBounds | undefined => aboutOf(key).bounds

const aboutOf = (key: SettingName) =>
  v.getMetadata(SETTINGS.entries[key].wrapped) as { takes: string; bounds?: NumberBounds }

/** Usable values, by key. */
export type GivenSettings = Readonly<Record<string, unknown>>

/** Merges values over the defaults. */
export const settingsOf = (given: GivenSettings): Settings => v.parse(SETTINGS, given)

const MIB = 1024 * 1024
/** Bytes for boundaries, headers and the other form fields beside a file. */
export const FORM_OVERHEAD = 64 * 1024

/** The largest file of at most this size that fits into a request. */
export const maxFileBytes = (settings: Settings, megabytes = settings.max_upload_size_mb): number =>
  Math.floor(Math.min(megabytes * MIB, settings.max_request_size_mb * MIB - FORM_OVERHEAD))

/** MiB of the largest file that may be uploaded in parts. */
export const maxUpload = ({ max_upload_size_mb, file_types }: Settings): number =>
  file_types === 'images' ? Math.min(max_upload_size_mb, LARGEST_IMAGE) : max_upload_size_mb
export const maxUploadBytes = (settings: Settings): number => Math.floor(maxUpload(settings) * MIB)

interface ReadSettings {
  settings: Settings
  given: GivenSettings
  faults: Fault[]
}

/** Reads the text of the file; throws for one that is no JSON. */
export function settingsIn(text: string, file: string): ReadSettings {
  try {
    return settingsFrom(JSON.parse(text), file)
  } catch (err) {
    throw new SettingsFault({
      found: `${file} is no JSON: ${shown(reasonOf(err))}. Allowed: an object {"setting": value, …}.`,
      next: 'Correct the file; until then nothing of it applies anew.',
    })
  }
}

/** The file cannot be used at all. */
export class SettingsFault extends Error {
  readonly fault: Fault

  constructor(fault: Fault) {
    super(fault.found)
    this.fault = fault
  }
}

/** Invalid values fall back individually, each with an entry in `faults`. */
export function settingsFrom(parsed: unknown, file = 'settings.json'): ReadSettings {
  const told = new Faults(file)
  if (!isRecord(parsed)) told.add('', parsed, 'an object {"setting": value, …}', 'Correct the file')

  const usable: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(isRecord(parsed) ? parsed : {})) {
    if (!Object.hasOwn(SETTINGS.entries, name)) {
      told.addUnknown(name, value, SETTING_NAMES)
      continue
    }
    const key = name as SettingName
    if (key === 'channels' && Array.isArray(value)) usable[key] = usableChannels(value, told)
    else if (key === 'rate_limits' && isRecord(value)) usable[key] = usableRates(value, told)
    // A list would pass for an object without limits.
    else if (isUsable(key, value) && key !== 'rate_limits') usable[key] = value
    else told.add(key, value, takenBy(key), `Correct it; until then its default applies`)
  }
  const settings = settingsOf(usable)
  for (const name of settings.locked_settings)
    if (!Object.hasOwn(SETTINGS.entries, name)) told.addUnknown('locked_settings', name, SETTING_NAMES)
  return { settings, given: usable, faults: told.faults }
}

/** Undefined for a list without valid names. An empty list is a choice (interface 4.1: no welcome message). */
function usableChannels(values: unknown[], told: Faults): string[] | undefined {
  const names = values.flatMap(value => {
    const name = v.safeParse(CHANNEL, value)
    if (name.success) return [name.output]
    told.add(
      'channels',
      value,
      '"name" of 1 to 64 letters and digits, with single spaces, dots, dashes or underscores between them',
      'Correct the name; until then there is no such channel',
    )
    return []
  })
  const channels = [...new Set(names)]
  if (channels.length > MOST_CHANNELS)
    told.add('channels', channels.length, `at most ${MOST_CHANNELS} names`, 'Remove some; the first are used')
  return channels.length === 0 && values.length > 0 ? undefined : channels.slice(0, MOST_CHANNELS)
}

function usableRates(values: Record<string, unknown>, told: Faults) {
  told.addFormerRates(Object.keys(values))
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => {
      const isKnown = Object.hasOwn(RATES.entries, name)
      if (!isKnown && !isFormerRate(name))
        told.addUnknown(`rate_limits.${name}`, value, Object.keys(RATES.entries))
      else if (isKnown && !v.is(RATE, value))
        told.add(
          `rate_limits.${name}`,
          value,
          RATE_TAKES,
          'Correct it; until then the default of this limit applies',
        )
      return isKnown && v.is(RATE, value)
    }),
  )
}

const isFormerRate = (name: string) => Object.values(FORMER_RATES).some(names => names.includes(name))

/** Most faults that are listed; the last line tells how many more there are. */
const MOST_FAULTS = 50

class Faults {
  readonly #file: string
  readonly #faults: Fault[] = []
  #more = 0

  constructor(file: string) {
    this.#file = file
  }

  get faults(): Fault[] {
    if (this.#more === 0) return this.#faults
    const found = `${this.#file} has ${this.#more} further keys or values that are not usable.`
    return [...this.#faults, { found, next: 'Correct those above first.' }]
  }

  add(key: string, value: unknown, allowed: string, next: string) {
    const given = `${key === '' ? '' : `${shown(key)}=`}${shown(JSON.stringify(value) ?? String(value))}`
    this.#push({ found: `${given} in ${this.#file} is not usable. Allowed: ${allowed}.`, next: `${next}.` })
  }

  addUnknown(key: string, value: unknown, known: readonly string[]) {
    // In a list the value, in a group the part after its point.
    const name = typeof value === 'string' && key === 'locked_settings' ? value : key.replace(/^.*\./s, '')
    const meant = nearest(name, known)
    this.#push({
      found: `${shown(key)}=${shown(JSON.stringify(value))} in ${this.#file} is no setting. Allowed: the keys in “Settings” of infra/README.md.`,
      next: meant === undefined ? 'Correct or remove it.' : `Is ${meant} meant?`,
    })
  }

  /** Adds a single fault for all former names. */
  addFormerRates(names: readonly string[]) {
    const replaced = Object.entries(FORMER_RATES).flatMap(([by, all]) => {
      const given = all.filter(name => names.includes(name))
      return given.length === 0 ? [] : [`${given.join(', ')} (now ${by})`]
    })
    if (replaced.length === 0) return
    this.#push({
      found: `rate_limits in ${this.#file} has former names, which are ignored: ${replaced.join('; ')}. Allowed: the limits in “Rate limits” of infra/README.md.`,
      next: 'Remove them; where a default does not fit, set the limit in brackets.',
    })
  }

  #push(fault: Fault) {
    if (this.#faults.length < MOST_FAULTS) this.#faults.push(fault)
    else this.#more++
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The message of the log line with faults of the file; the same in every process that reads it. */
export const SETTINGS_NOT_USABLE = 'settings not usable'

/** Watches the settings file, so that a change applies to the next request, in every process. */
export class SettingsFile {
  #current: Settings
  #given: GivenSettings = {}
  readonly #path: string
  readonly #changed = new Set<() => void>()
  #wasRead = false

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

  /** The usable values of the file, without defaults. */
  get given(): GivenSettings {
    return this.#given
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
      const { code } = err as NodeJS.ErrnoException
      // Replaced at this moment, on a volume that is away, or of another account: keep the current settings.
      if (this.#wasRead || code !== 'ENOENT')
        this.#tell([
          {
            found: `${this.#path} cannot be read (${reasonOf(err)}). Allowed: a file that this account may read.`,
            next: 'Bring it back, or correct its rights; until then nothing changes.',
          },
        ])
      return this.#current ?? DEFAULTS
    }
    this.#wasRead = true
    try {
      const { settings, given, faults } = settingsIn(text, this.#path)
      this.#tell(faults)
      this.#given = given
      return settings
    } catch (err) {
      if (!(err instanceof SettingsFault)) throw err
      // Half-written or broken: keep the current settings, or the defaults at the first read.
      this.#tell([err.fault])
      return this.#current ?? DEFAULTS
    }
  }

  /** Logs all faults in a line. */
  #tell(faults: readonly Fault[]) {
    if (faults.length > 0) log.warn({ faults: faults.map(inWords) }, SETTINGS_NOT_USABLE)
  }
}
