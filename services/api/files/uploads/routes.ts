import { shownFileName } from '#shared/domain/file-types.ts'
import { UploadPayload } from '#shared/domain/payloads/files.ts'
import { uuidFrom } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { jsonBody } from '../../middleware/body-readers.ts'
import { endpoint, nothing, payload } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'
import { appendPart } from './append-part.ts'
import { beginUpload } from './begin-upload.ts'
import { cancelUpload } from './cancel-upload.ts'
import { partsAtOnce, room } from './upload-file.ts'

const UPLOAD = f.fields({
  name: f.needed(f.text()),
  size: f.wholeNumber(0, Number.MAX_SAFE_INTEGER, f.invalid('a number of bytes')),
})

/** Uploads in parts, for files of any size over any line (interface 13.1). */
export const uploadEndpoints = [
  endpoint(
    'PUT /uploads/:id',
    {
      summary: 'Begins the upload of a file in parts.',
      who: 'signed in',
      within: 'anywhere',
      limit: ['other'],
      body: jsonBody(UPLOAD),
      answers: { 200: payload(UploadPayload) },
      fails: [400, 409, 413],
    },
    async ({ stores, viewer, params, body: { name, size } }) => {
      const wanted = { id: newIdIn(params.id), originalName: shownFileName(name), size }
      return await beginUpload(stores, viewer, wanted, room(stores))
    },
  ),

  endpoint(
    'PATCH /uploads/:id',
    {
      summary: 'Stores a part of an upload.',
      who: 'signed in',
      within: 'anywhere',
      limit: ['files'],
      ownBody: ['application/octet-stream'],
      answers: { 200: payload(UploadPayload) },
      fails: [400, 404, 409, 413],
    },
    async ({ stores, req, viewer, params }) => {
      const offset = req.get('Upload-Offset')
      if (offset === undefined || !/^\d{1,15}$/.test(offset)) throw errors.missing('Upload-Offset')
      const id = knownIdIn(params.id)
      const announced = Number(req.headers['content-length'] ?? 0)
      const part = { id, offset: Number(offset), bytes: req, announced }
      return await partsAtOnce(stores)(viewer, () => appendPart(stores, viewer, part, room(stores)))
    },
  ),

  endpoint(
    'DELETE /uploads/:id',
    {
      summary: 'Ends an upload and removes its parts.',
      who: 'signed in',
      within: 'anywhere',
      limit: ['other'],
      answers: { 204: nothing },
      fails: [404],
    },
    async ({ stores, viewer, params }) => {
      await cancelUpload(stores, viewer, knownIdIn(params.id))
    },
  ),
]

function newIdIn(text: unknown): string {
  const id = uuidFrom(text)
  if (id === undefined) throw errors.invalid('the id of an upload must be a UUID')
  return id
}

function knownIdIn(text: unknown): string {
  const id = uuidFrom(text)
  if (id === undefined) throw errors.notFound()
  return id
}
