import type { Request } from 'express'
import { renderSVG } from 'uqr'
import type { Person } from '#shared/access/person.ts'
import type { Page } from '#shared/domain/payloads/page.ts'
import { isAdmin } from '#shared/domain/roles.ts'
import { idFrom } from '#shared/domain/units.ts'
import type { Config } from '#shared/runtime/config.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { actorOf, viewingPerson } from '../../middleware/administration.ts'
import { jsonBody } from '../../middleware/body-readers.ts'
import { content, endpoint, nothing, payload } from '../../middleware/endpoint.ts'
import { originForOthers } from '../../middleware/origin.ts'
import { checkInviter, validityNow } from './invitation.ts'
import { makeInvitation } from './make-invitation.ts'
import { type InvitePage, type InviteRow, inviteById, invitesOf } from './queries.ts'
import { revokeInvitation } from './revoke-invitation.ts'

/** Modules of white around the code. */
const QR_MARGIN = 4
const USUAL_ITEMS = 50
const MOST_ITEMS = 200

type InvitePayload = InviteRow & { url: string }

const urlOf = ({ req, config }: { req: Request; config: Config }) => {
  const origin = originForOthers(req, config)
  return (code: string) => `${origin}/invite/${code}`
}

/** Interface 16.4: invitations for those who may invite. The pages are in account/sign-up/invite-routes.ts. */
export const inviteEndpoints = [
  endpoint(
    'POST /invites',
    {
      who: 'inviter',
      limit: [['manage', 60]],
      body: jsonBody(),
      answers: {
        201: payload<{ id: number; code: string; url: string }>('{ id: number; code: string; url: string }'),
      },
      fails: [400, 403, 409],
    },
    async ({ stores, config, req, res }) => {
      const { username } = await inviter(stores, req)
      const { status, body } = await makeInvitation(
        stores,
        username,
        actorOf(req),
        req.body,
        urlOf({ req, config }),
      )
      res.status(status).json(body)
    },
  ),

  endpoint(
    'GET /invites',
    {
      who: 'inviter',
      answers: { 200: payload<Page<InvitePayload>>('Page<InvitePayload>') },
      fails: [400, 403],
    },
    async ({ stores, config, req }) => {
      const viewer = await inviter(stores, req)
      const page = pageIn(req.query, isAdmin(viewer.role) ? undefined : viewer.username)
      const { items, more } = await invitesOf(stores.db, page, validityNow(stores))
      const next = more ? String(items.at(-1)!.id) : null
      const url = urlOf({ req, config })
      return {
        items: items.map(({ code, ...invite }) => ({
          ...{ id: invite.id, code, url: url(code) },
          ...invite,
        })),
        next,
      }
    },
  ),

  endpoint(
    'GET /invites/:id/qr.svg',
    {
      who: 'inviter',
      answers: { 200: content('image/svg+xml', 'the address as a QR code') },
      fails: [403, 404],
    },
    async ({ stores, config, req, res, params }) => {
      const { code } = await ownInvite(stores, await inviter(stores, req), params.id)
      res
        .type('image/svg+xml')
        .set('Content-Security-Policy', "default-src 'none'; sandbox")
        .send(
          renderSVG(urlOf({ req, config })(code), {
            border: QR_MARGIN,
            whiteColor: '#fff',
            blackColor: '#000',
          }),
        )
    },
  ),

  endpoint(
    'DELETE /invites/:id',
    { who: 'signed in', limit: ['other'], answers: { 204: nothing }, fails: [404] },
    async ({ stores, req, params }) => {
      const { id, created_by } = await ownInvite(stores, await viewingPerson(stores, req), params.id)
      await revokeInvitation(stores, actorOf(req), { id, created_by })
    },
  ),
]

/** The viewer, who may invite; 403 `forbidden` for others. */
async function inviter(stores: Stores, req: Request): Promise<Person> {
  const person = await viewingPerson(stores, req)
  checkInviter(stores, person.role)
  return person
}

/** An invitation of the viewer, for administrators of anybody; 404 for others. */
async function ownInvite(stores: Stores, viewer: Person, idText: unknown): Promise<InviteRow> {
  const id = idFrom(idText)
  const invite = id === undefined ? undefined : await inviteById(stores.db, id, validityNow(stores))
  if (!invite || (invite.created_by !== viewer.username && !isAdmin(viewer.role))) throw errors.notFound()
  return invite
}

function pageIn({ state, limit, cursor }: Request['query'], maker: InvitePage['maker']): InvitePage {
  if (state !== undefined && state !== 'valid') throw errors.invalid('state must be valid')
  const most = limit === undefined ? USUAL_ITEMS : idFrom(limit)
  if (most === undefined || most > MOST_ITEMS)
    throw errors.invalid(`limit must be a number from 1 to ${MOST_ITEMS}`)
  const before = cursor === undefined ? undefined : idFrom(cursor)
  if (cursor !== undefined && before === undefined) throw errors.invalid('cursor must be that of a page')
  return { maker, validOnly: state === 'valid', before, limit: most }
}
