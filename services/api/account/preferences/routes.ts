import * as v from 'valibot'
import { emptyRecord } from '#shared/collections/collection.ts'
import type { PreferencesPayload } from '#shared/domain/payloads/account.ts'
import { runStatement, unchanged } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { jsonBody } from '../../middleware/body-readers.ts'
import { endpoint, nothing, payload } from '../../middleware/endpoint.ts'
import { preferencesOf, setPreferences } from './queries.ts'

/** Interface 16.2. */
export const preferencesEndpoints = [
  endpoint(
    'GET /preferences',
    { who: 'signed in', answers: { 200: payload<PreferencesPayload>('PreferencesPayload') } },
    async ({ stores, viewer }) => preferencesOf(stores.db, viewer),
  ),

  endpoint(
    'PATCH /preferences',
    { who: 'signed in', limit: [['change', 8]], body: jsonBody(), answers: { 204: nothing }, fails: [400] },
    async ({ stores, req, viewer }) => {
      const patch = patchIn(req.body)
      const [name, scope] = Object.hasOwn(patch, 'share_read')
        ? (['shareRead', {}] as const)
        : (['setPreferences', { users: [viewer] }] as const)
      await runStatement(stores, name, scope, async db =>
        (await setPreferences(db, viewer, patch)) ? undefined : unchanged,
      )
    },
  ),
]

const SIDEBAR = v.strictObject({ sort: v.picklist(['recent', 'name']), hide_read: v.boolean() })

const CHECKS: { [K in keyof PreferencesPayload]: { isValid: (value: unknown) => boolean; rule: string } } = {
  share_read: { isValid: value => typeof value === 'boolean', rule: 'true or false' },
  owner_card: { isValid: value => typeof value === 'boolean', rule: 'true or false' },
  fold_replies: { isValid: value => typeof value === 'boolean', rule: 'true or false' },
  sidebar: {
    isValid: value => v.is(SIDEBAR, value),
    rule: '{sort: "recent" or "name", hide_read: true or false}',
  },
}

/** null goes back to the default. */
function patchIn(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw errors.coded(400, 'invalid', 'preferences must be an object')
  const patch = emptyRecord<unknown>()
  for (const [key, value] of Object.entries(body)) {
    const check = Object.hasOwn(CHECKS, key) ? CHECKS[key as keyof PreferencesPayload] : undefined
    if (!check) throw errors.coded(400, 'invalid', `no preference named ${key.slice(0, 40).toWellFormed()}`)
    if (value !== null && !check.isValid(value))
      throw errors.coded(400, 'invalid', `${key} must be ${check.rule}`)
    patch[key] = value
  }
  return patch
}
