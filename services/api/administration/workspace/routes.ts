import * as v from 'valibot'
import { payloadFor } from '#shared/collections/collection.ts'
import { workspace } from '#shared/collections/workspace.ts'
import { ACCENT, accentSheet } from '#shared/domain/accent.ts'
import { RetentionPreview, SettingPayload, WorkspacePayload } from '#shared/domain/payloads/administration.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { FILE_ANSWERS, serveFile } from '../../files/serve-file.ts'
import { actorOf } from '../../middleware/administration.ts'
import { longReadsAtOnce } from '../../middleware/at-once.ts'
import { logoUpload, uploadsOf } from '../../middleware/bodies.ts'
import { filesBody, jsonObject } from '../../middleware/body-readers.ts'
import { content, endpoint, nothing, payload } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'
import { withinTime } from '../../middleware/within-time.ts'
import { changeSettings, SETTINGS } from './change-settings.ts'
import { listSettings } from './list-settings.ts'
import { putLogo, removeLogo } from './logo.ts'
import { previewRetention, WISH } from './retention-preview.ts'

/** The version in an address. */
const REVISION = f.fields({ v: f.anything })

/** Logo and colour, also on pages without a session. */
export const workspaceLookEndpoints = [
  endpoint(
    'GET /workspace_logo',
    {
      summary: 'Gives the logo of the workspace.',
      who: 'anybody',
      within: 'anywhere',
      errors: 'text',
      query: REVISION,
      answers: FILE_ANSWERS,
      fails: [404],
    },
    async ({ stores, req, res, query }) => {
      const { logo } = stores.settings
      if (logo === undefined) throw errors.notFound()
      await serveFile(req, res, stores.files, logo, {
        'Content-Type': 'image/webp',
        'Cache-Control': query.v === logo ? 'public, max-age=31536000, immutable' : 'no-cache',
      })
    },
  ),

  endpoint(
    'GET /workspace_accent.css',
    {
      summary: 'Gives the accent colour of the workspace as a style sheet.',
      who: 'anybody',
      within: 'anywhere',
      errors: 'text',
      query: REVISION,
      answers: { 200: content('text/css', 'the accent') },
      fails: [404],
    },
    async ({ res, query }) => {
      // Any colour: a process may not know the newest setting yet.
      const accent = `#${query.v}`
      if (!ACCENT.test(accent)) throw errors.notFound()
      res.set('Cache-Control', 'public, max-age=31536000, immutable').type('css').send(accentSheet(accent))
    },
  ),
]

const UNCOUNTED = 'Counting what would be deleted takes too long. Try again when the server is less busy.'

/** Interface 17.2. */
export const workspaceEndpoints = [
  endpoint(
    'GET /workspace',
    {
      summary: 'Gives the name, look and rules of the workspace.',
      who: 'signed in',
      within: 'anywhere',
      answers: { 200: payload(WorkspacePayload) },
    },
    async ({ stores, viewer }) => payloadFor(workspace, stores, viewer),
  ),

  endpoint(
    'GET /admin/settings',
    {
      summary: 'Lists the settings of the server.',
      who: 'admin',
      answers: { 200: payload(v.strictObject({ items: v.array(SettingPayload) })) },
    },
    async ({ stores }) => ({ items: listSettings(stores.settings) }),
  ),

  endpoint(
    'GET /admin/retention',
    {
      summary: 'Tells how much a shorter retention would delete.',
      who: 'admin',
      limit: ['search'],
      query: WISH,
      answers: { 200: payload(RetentionPreview) },
      fails: [400, 503],
    },
    async ({ stores, viewer, query: wish }) => {
      const preview = () => withinTime(stores, UNCOUNTED, limited => previewRetention(limited, wish))
      return await longReadsAtOnce(stores)(viewer, preview)
    },
  ),

  endpoint(
    'PATCH /admin/settings',
    {
      summary: 'Changes settings of the server.',
      who: 'admin',
      limit: ['manage'],
      isConfirmed: true,
      body: jsonObject(SETTINGS, 'settings'),
      answers: { 204: nothing },
      fails: [400, 403],
    },
    async ({ stores, req, body }) => {
      await changeSettings(stores, actorOf(req), body)
    },
  ),

  endpoint(
    'POST /admin/logo',
    {
      summary: 'Sets the logo of the workspace.',
      who: 'admin',
      limit: ['manage', 'files'],
      body: filesBody(logoUpload, 'logo', f.fields({})),
      answers: { 204: nothing },
      fails: [400, 403, 413],
    },
    async ({ stores, req }) => {
      await putLogo(stores, actorOf(req), uploadsOf(req)[0])
    },
  ),

  endpoint(
    'DELETE /admin/logo',
    {
      summary: 'Removes the logo of the workspace.',
      who: 'admin',
      limit: ['manage'],
      answers: { 204: nothing },
      fails: [403],
    },
    async ({ stores, req }) => {
      await removeLogo(stores, actorOf(req))
    },
  ),
]
