import type { Milliseconds, Username } from '#shared/domain/units.ts'
import { log } from '#shared/runtime/log.ts'
import {
  type GivenSettings,
  isUsable,
  isWebSetting,
  type SettingName,
  type Settings,
  type SettingsFile,
  settingsOf,
  type WebSetting,
} from '#shared/runtime/settings.ts'
import type { Db } from './postgres.ts'

const LOOK_EVERY: Milliseconds = 1_000

/** Key of the row with the logo, which is no setting. */
export const LOGO = 'logo'

/** Where the value of a setting comes from. */
export type SettingSource = 'default' | 'file' | 'web'

/**
 * The settings of a process with a database: values chosen in the client win over those of the file. The table has a
 * few rows, so reading it each second finds every change, in every process.
 */
export class WorkspaceSettings {
  readonly #db: Db
  readonly #file: SettingsFile
  readonly #changed = new Set<() => void>()
  #web: GivenSettings = {}
  #current: Settings
  #logo: string | undefined
  /** The rows last read, to detect a change. */
  #rows = '[]'
  #timer: NodeJS.Timeout | undefined
  #isReading = false
  /** Numbers of the newest read begun, and of the newest applied. */
  #begun = 0
  #applied = 0

  constructor(db: Db, file: SettingsFile) {
    this.#db = db
    this.#file = file
    this.#current = file.current
    file.onChange(() => this.#merge())
  }

  get current(): Settings {
    return this.#current
  }

  sourceOf(key: SettingName): SettingSource {
    if (Object.hasOwn(this.#web, key) && !this.isLocked(key)) return 'web'
    return Object.hasOwn(this.#file.given, key) ? 'file' : 'default'
  }

  /** Name of the file with the logo. */
  get logo(): string | undefined {
    return this.#logo
  }

  /** The value that counts without the client. */
  fileValueOf(key: SettingName): unknown {
    return this.#file.current[key]
  }

  /** True for a setting that the operator keeps out of the client. */
  isLocked(key: string): boolean {
    return this.#file.current.locked_settings.includes(key)
  }

  onChange(listener: () => void): () => void {
    this.#changed.add(listener)
    return () => this.#changed.delete(listener)
  }

  async start(): Promise<void> {
    await this.refresh()
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY)
    this.#timer.unref()
  }

  stop() {
    clearInterval(this.#timer)
    this.#file.stop()
  }

  /** Reads the values of the client now. */
  async refresh(): Promise<void> {
    const number = ++this.#begun
    const { rows } = await this.#db.query<{ key: string; value: unknown }>(
      'select key, value from workspace_settings order by key',
    )
    // A read that began before a change may return after the one that found it.
    if (number < this.#applied) return
    this.#applied = number
    const text = JSON.stringify(rows)
    if (text === this.#rows) return
    this.#rows = text
    this.#web = Object.fromEntries(usableAmong(rows))
    this.#logo = rows.find(({ key }) => key === LOGO)?.value as string | undefined
    this.#merge()
  }

  /** While the database is away, the values last read stay. */
  async #look() {
    if (this.#isReading) return
    this.#isReading = true
    try {
      await this.refresh()
    } catch (err) {
      log.debug({ err }, 'settings not read')
    } finally {
      this.#isReading = false
    }
  }

  #merge() {
    const web = Object.entries(this.#web).filter(([key]) => !this.isLocked(key))
    this.#current = settingsOf({ ...this.#file.given, ...Object.fromEntries(web) })
    for (const listener of this.#changed) listener()
  }
}

/** Returns the usable values of the client by key, and the logo, and keeps others from changing any until the transaction ends. */
export async function webSettingsForUpdate(tx: Db): Promise<Map<string, unknown>> {
  await tx.query('lock table workspace_settings in share row exclusive mode')
  const { rows } = await tx.query<{ key: string; value: unknown }>(
    'select key, value from workspace_settings',
  )
  const logo = rows.find(({ key }) => key === LOGO)
  return new Map([...usableAmong(rows), ...(logo ? [[LOGO, logo.value] as const] : [])])
}

/** A value may come from a version with other bounds. */
const usableAmong = (rows: { key: string; value: unknown }[]): [key: string, value: unknown][] =>
  rows
    .filter(({ key, value }) => isWebSetting(key) && isUsable(key, value))
    .map(({ key, value }) => [key, value])

/** Sets a value; undefined goes back to that of the file. */
export async function putWebSetting(
  tx: Db,
  key: WebSetting | typeof LOGO,
  value: unknown,
  by: Username,
): Promise<void> {
  if (value === undefined) {
    await tx.query('delete from workspace_settings where key = $1', [key])
    return
  }
  await tx.query(
    `insert into workspace_settings (key, value, changed_by, changed_ts)
     values ($1, $2, $3, extract(epoch from clock_timestamp()))
     on conflict (key) do update
        set value = excluded.value, changed_by = excluded.changed_by, changed_ts = excluded.changed_ts`,
    [key, JSON.stringify(value), by],
  )
}
