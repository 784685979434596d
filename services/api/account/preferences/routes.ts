import * as v from 'valibot'
import { PreferencesPayload } from '#shared/domain/payloads/account.ts'
import { runStatement, unchanged } from '#shared/notices/write.ts'
import { jsonObject } from '../../middleware/body-readers.ts'
import { endpoint, nothing, payload } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'
import { preferencesOf, setPreferences } from './queries.ts'

const SIDEBAR = v.strictObject({ sort: v.picklist(['recent', 'name']), hide_read: v.boolean() })
const flag = f.mayBeNull(v.boolean(f.invalid('true or false')))

/** null goes back to the default. */
const PREFERENCES = v.strictObject(
  {
    share_read: flag,
    owner_card: flag,
    fold_replies: flag,
    sidebar: f.mayBeNull(
      v.custom<unknown>(
        value => v.is(SIDEBAR, value),
        f.invalid('{sort: "recent" or "name", hide_read: true or false}'),
      ),
    ),
  } satisfies Record<keyof PreferencesPayload, unknown>,
  'invalid: no preference named $',
)

/** Interface 16.2. */
export const preferencesEndpoints = [
  endpoint(
    'GET /preferences',
    {
      summary: 'Gives the preferences of the person.',
      who: 'signed in',
      answers: { 200: payload(PreferencesPayload) },
    },
    async ({ stores, viewer }) => preferencesOf(stores.db, viewer),
  ),

  endpoint(
    'PATCH /preferences',
    {
      summary: 'Changes the preferences of the person.',
      who: 'signed in',
      limit: [['change', 8]],
      body: jsonObject(PREFERENCES, 'preferences'),
      answers: { 204: nothing },
      fails: [400],
    },
    async ({ stores, viewer, body: patch }) => {
      const [name, scope] = Object.hasOwn(patch, 'share_read')
        ? (['shareRead', {}] as const)
        : (['setPreferences', { users: [viewer] }] as const)
      await runStatement(stores, name, scope, async db =>
        (await setPreferences(db, viewer, patch)) ? undefined : unchanged,
      )
    },
  ),
]
