import * as v from 'valibot'
import { visibleAmong } from '#shared/access/visible-people.ts'
import { emptyRecord } from '#shared/collections/collection.ts'
import { SettingsPayload } from '#shared/domain/payloads/account.ts'
import { ProfilePayload } from '#shared/domain/payloads/people.ts'
import { Username } from '#shared/domain/payloads/values.ts'
import { shownPresence } from '#shared/domain/presence.ts'
import { isUsername } from '#shared/domain/username.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { FILE_ANSWERS, serveFile } from '../../files/serve-file.ts'
import { avatarUpload, uploadsOf } from '../../middleware/bodies.ts'
import { filesBody, jsonOrFormBody } from '../../middleware/body-readers.ts'
import { endpoint, nothing, payload } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'
import { sendValidated } from '../../middleware/validated.ts'
import { putAvatar, removeAvatar } from './avatar.ts'
import { avatarOf, nameColors, profileOf, setNameColor, settingsOf, usersWithAvatar } from './queries.ts'

const isColor = (value: unknown) => typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value)

/** Undefined leaves the colour unchanged, null is the default (interface 4.5). */
const color = v.pipe(
  v.nullish(v.custom<string>(color => color === '' || isColor(color), '$ must be #rrggbb')),
  v.transform(color => (color === '' ? null : color)),
)

/** Interface 4.5. */
export const settingsEndpoints = [
  endpoint(
    'GET /settings',
    {
      summary: 'Gives the colour and avatar of the person.',
      who: 'signed in',
      errors: 'text',
      answers: { 200: payload(SettingsPayload) },
    },
    async ({ stores, viewer }) =>
      (await settingsOf(stores.db, viewer)) ?? { name_color: null, avatar_file: null },
  ),

  endpoint(
    'POST /settings',
    {
      summary: 'Sets the name colour of the person.',
      who: 'signed in',
      limit: ['other'],
      errors: 'text',
      body: jsonOrFormBody(f.fields({ name_color: color })),
      answers: { 204: nothing },
      fails: [400],
    },
    async ({ stores, req, viewer, body: { name_color: color } }) => {
      // A list has no fields, and no colour either.
      if (Array.isArray(req.body)) throw errors.invalidColor()
      if (color !== undefined) await setNameColor(stores.db, viewer, color)
    },
  ),

  endpoint(
    'GET /user_colors',
    {
      summary: 'Lists the name colours of all accounts.',
      who: 'signed in',
      within: 'anywhere',
      errors: 'text',
      answers: { 200: payload(v.record(v.string(), v.string())), 304: nothing },
    },
    async ({ stores, req, res, viewer }) => {
      const colors = emptyRecord<string>()
      const chosen = await nameColors(stores.db)
      const visible = new Set(
        await visibleAmong(
          stores,
          viewer,
          chosen.map(({ username }) => username),
        ),
      )
      for (const { username, name_color } of chosen) if (visible.has(username)) colors[username] = name_color
      sendValidated(req, res, colors)
    },
  ),

  endpoint(
    'GET /user_avatars',
    {
      summary: 'Lists the accounts that have an avatar.',
      who: 'signed in',
      within: 'anywhere',
      errors: 'text',
      answers: { 200: payload(v.array(Username)), 304: nothing },
    },
    async ({ stores, req, res, viewer }) => {
      sendValidated(req, res, await visibleAmong(stores, viewer, await usersWithAvatar(stores.db)))
    },
  ),

  endpoint(
    'GET /avatar/:username',
    {
      summary: 'Gives the avatar of an account.',
      who: 'signed in',
      within: 'anywhere',
      errors: 'text',
      answers: FILE_ANSWERS,
      fails: [404],
    },
    async ({ stores, req, res, viewer, params }) => {
      const found = await visibleOne(stores, viewer, params.username, avatarOf)
      await serveFile(req, res, stores.files, found.file, {
        'Content-Type': 'image/jpeg',
        // Cached but revalidated: the address stays the same when the picture changes.
        'Cache-Control': 'private, no-cache',
      })
    },
  ),

  endpoint(
    'POST /avatar',
    {
      summary: 'Sets the avatar of the person.',
      who: 'signed in',
      limit: [['manage', 60], 'files'],
      errors: 'text',
      body: filesBody(avatarUpload, 'avatar', f.fields({})),
      answers: { 204: nothing },
      fails: [400, 413],
    },
    async ({ stores, req, viewer }) => {
      await putAvatar(stores, viewer, uploadsOf(req)[0])
    },
  ),

  endpoint(
    'DELETE /avatar',
    {
      summary: 'Removes the avatar of the person.',
      who: 'signed in',
      limit: ['other'],
      errors: 'text',
      answers: { 204: nothing },
    },
    async ({ stores, viewer }) => {
      await removeAvatar(stores, viewer)
    },
  ),

  endpoint(
    'GET /profile/:username',
    {
      summary: 'Gives the profile of an account.',
      who: 'signed in',
      within: 'anywhere',
      errors: 'text',
      answers: { 200: payload(ProfilePayload) },
      fails: [404],
    },
    async ({ stores, viewer, params }) => {
      const { presence, ...profile } = await visibleOne(stores, viewer, params.username, profileOf)
      const state = (presence && shownPresence(presence, stores.clock.now())) ?? 'offline'
      return { ...profile, state } satisfies ProfilePayload
    },
  ),
]

/**
 * Finds something of the person in the path; 404 for people whom the viewer does not see. Asks for unknown names too, so
 * that the time of a response does not tell a guest who exists.
 */
async function visibleOne<T extends { username: Username }>(
  stores: Stores,
  viewer: Username,
  name: string,
  find: (db: Db, name: string) => Promise<T | undefined>,
): Promise<T> {
  if (!isUsername(name)) throw errors.notFound()
  const found = await find(stores.db, name)
  const visible = await visibleAmong(stores, viewer, [found?.username ?? name])
  if (!found || visible.length === 0) throw errors.notFound()
  return found
}
