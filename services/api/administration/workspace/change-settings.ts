import { type Actor, insertAuditEntry } from '#shared/audit/audit-log.ts'
import type { Username } from '#shared/domain/units.ts'
import { runTransaction } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import {
  boundsOf,
  isUsable,
  isWebSetting,
  SETTING_NAMES,
  type SettingName,
  takenBy,
  type WebSetting,
} from '#shared/runtime/settings.ts'
import { hideVersions } from '#shared/stores/hidden-versions.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { putWebSetting, webSettingsForUpdate } from '#shared/stores/workspace-settings.ts'
import { lockAdmin } from '../../people/target.ts'

/** New values by key; undefined goes back to the file. */
type Change = [key: WebSetting, value: unknown]

/** Changes all given settings, or none. Each has an entry in the audit log. */
export async function changeSettings(stores: Stores, actor: Actor, body: unknown): Promise<void> {
  const changes = changesIn(body, key => stores.settings.isLocked(key))
  const isRequestSizeGiven = changes.some(([key]) => key === 'max_request_size_mb')
  await runTransaction(stores, 'changeSettings', {}, async tx => {
    await lockAdmin(tx, actor)
    const web = await webSettingsForUpdate(tx)
    const effective = (key: SettingName) => (web.has(key) ? web.get(key) : stores.settings.fileValueOf(key))
    for (const [key, value] of changes) {
      const old = effective(key)
      const next = value === undefined ? stores.settings.fileValueOf(key) : value
      await putWebSetting(tx, key, value, actor.actor)
      if (key === 'keep_edits' && next === false) await hideVersions(tx)
      const isRaised = key === 'max_upload_size_mb' && value !== undefined && !isRequestSizeGiven
      const raised = isRaised ? await raiseRequestSize(stores, tx, value, actor.actor) : {}
      const detail = { old, new: next, ...raised }
      await insertAuditEntry(tx, { ...actor, action: 'setting.changed', target: key, detail })
    }
  })
  await stores.settings.refresh()
}

/** A request carries the file and a little more, so that the largest file alone decides. */
async function raiseRequestSize({ settings }: Stores, tx: Db, megabytes: unknown, by: Username) {
  if (settings.isLocked('max_request_size_mb')) return {}
  const { most } = boundsOf('max_request_size_mb')!
  const needed = Math.min(Math.ceil(Number(megabytes)) + 1, most)
  const web = await webSettingsForUpdate(tx)
  const now = Number(web.get('max_request_size_mb') ?? settings.fileValueOf('max_request_size_mb'))
  if (now >= needed) return {}
  await putWebSetting(tx, 'max_request_size_mb', needed, by)
  return { max_request_size_mb: needed }
}

/** Throws for the first key that is unknown, has a bad value, or cannot be changed here. */
function changesIn(body: unknown, isLocked: (key: string) => boolean): Change[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw errors.invalid('settings must be an object')
  const given = Object.entries(body)
  for (const [key, value] of given) {
    if (!(SETTING_NAMES as string[]).includes(key))
      throw errors.invalid(`no setting named ${key.slice(0, 40).toWellFormed()}`)
    const name = key as SettingName
    if (value !== null && !isUsable(name, value)) throw errors.invalid(`${key} takes ${takenBy(name)}`)
  }
  return given.map(([key, value]) => {
    if (!isWebSetting(key) || isLocked(key))
      throw errors.coded(403, 'forbidden', `${key} can only be changed in settings.json`)
    return [key, value === null ? undefined : value]
  })
}
