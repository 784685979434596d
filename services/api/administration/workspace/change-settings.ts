import * as v from 'valibot'
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
import { lockAdmin } from '../../middleware/administration.ts'
import * as f from '../../middleware/fields.ts'

const settingOf = (name: SettingName) =>
  f.mayBeNull(v.custom<unknown>(value => isUsable(name, value), `invalid: $ takes ${takenBy(name)}`))

/** Values by name; null goes back to the file. */
export const SETTINGS = v.strictObject(
  Object.fromEntries(SETTING_NAMES.map(name => [name, settingOf(name)])),
  'invalid: no setting named $',
)

/** New values by key; undefined goes back to the file. */
type Change = [key: WebSetting, value: unknown]

/** Changes all given settings, or none. Each has an entry in the audit log. */
export async function changeSettings(
  stores: Stores,
  actor: Actor,
  given: v.InferOutput<typeof SETTINGS>,
): Promise<void> {
  const changes = changesIn(given, key => stores.settings.isLocked(key))
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

/** Throws for the first key that cannot be changed here. */
function changesIn(given: Record<string, unknown>, isLocked: (key: string) => boolean): Change[] {
  return Object.entries(given).map(([key, value]) => {
    if (!isWebSetting(key) || isLocked(key))
      throw errors.coded(403, 'forbidden', `${key} can only be changed in settings.json`)
    return [key, value === null ? undefined : value]
  })
}
