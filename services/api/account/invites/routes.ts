import type { Request } from 'express'
import { renderSVG } from 'uqr'
import type { Person } from '#shared/access/person.ts'
import { InvitePayload } from '#shared/domain/payloads/administration.ts'
import { pageOf } from '#shared/domain/payloads/page.ts'
import { isAdmin } from '#shared/domain/roles.ts'
import { idFrom } from '#shared/domain/units.ts'
import type { Config } from '#shared/runtime/config.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { actorOf, viewingPerson } from '../../middleware/administration.ts'
import { jsonObject } from '../../middleware/body-readers.ts'
import { content, endpoint, nothing, payload } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'
import { originForOthers } from '../../middleware/origin.ts'
import { checkInviter, validityNow } from './invitation.ts'
import { INVITATION, makeInvitation } from './make-invitation.ts'
import { type InviteRow, inviteById, invitesOf } from './queries.ts'
import { revokeInvitation } from './revoke-invitation.ts'

/** Modules of white around the code. */
const QR_MARGIN = 4

const urlOf = ({ req, config }: { req: Request; config: Config }) => {
  const origin = originForOthers(req, config)
  return (code: string) => `${origin}/invite/${code}`
}

const PAGE = f.fields({ state: f.word(['valid']), limit: f.limit(), cursor: f.idText('that of a page') })

/** Interface 16.4: invitations for those who may invite. The pages are in account/sign-up/invite-routes.ts. */
export const inviteEndpoints = [
  endpoint(
    'POST /invites',
    {
      summary: 'Makes an invitation.',
      who: 'inviter',
      scope: 'admin',
      limit: [['manage', 60]],
      body: jsonObject(INVITATION),
      answers: { 201: payload(InvitePayload) },
      fails: [400, 403, 409],
    },
    async call => {
      const { stores, config, req, res } = call
      const { username } = await inviter(stores, req)
      const url = urlOf({ req, config })
      const made = await makeInvitation(stores, username, actorOf(req), call.body, url)
      res.status(made.status).json(made.body)
    },
  ),

  endpoint(
    'GET /invites',
    {
      summary: 'Lists a page of the invitations.',
      who: 'inviter',
      scope: 'admin',
      query: PAGE,
      answers: { 200: payload(pageOf(InvitePayload)) },
      fails: [400, 403],
    },
    async call => {
      const { stores, config, req } = call
      const viewer = await inviter(stores, req)
      const { state, limit, cursor: before } = call.query
      const maker = isAdmin(viewer.role) ? undefined : viewer.username
      const page = { maker, validOnly: state === 'valid', before, limit }
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
      summary: 'Gives the address of an invitation as a QR code.',
      who: 'inviter',
      scope: 'admin',
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
    {
      summary: 'Ends an invitation.',
      who: 'signed in',
      scope: 'admin',
      limit: ['other'],
      answers: { 204: nothing },
      fails: [404],
    },
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
