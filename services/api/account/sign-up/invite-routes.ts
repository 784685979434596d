import { rateLimits } from '#shared/http/rate-limits.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { FILE_ANSWERS, serveFile } from '../../files/serve-file.ts'
import { formBody } from '../../middleware/body-readers.ts'
import { endpoint, page, redirect } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'
import { sendPage } from '../../pages/page.ts'
import { stringsFor } from '../../pages/strings.ts'
import { accountForms, addressOf, next, type PageCall } from '../forms.ts'
import {
  acceptInvitation,
  findInvitation,
  pictureOf,
  placeOf,
  shownInvitation,
} from '../invites/invitation.ts'
import { acceptInvitePage, inviteRefusedPage, signUpPage, signUpRefusedPage } from '../pages.ts'
import { signUpRefusal } from './sign-up.ts'

async function refuse({ stores, config, req, res }: PageCall) {
  await rateLimits(stores)(['account', `links:${addressOf(req)}`, 2])
  sendPage(req, res, config, inviteRefusedPage(stringsFor(req)))
}

/** The page behind an invitation: sign-up for strangers, a button for members. */
export const inviteEndpoints = [
  endpoint(
    'GET /invite/:code',
    {
      summary: 'Shows the page of an invitation.',
      who: 'anybody',
      errors: 'text',
      query: f.fields({ next }),
      answers: { 200: page },
    },
    async ({ stores, config, req, res, viewer, params, query: { next } }) => {
      const forms = accountForms(config)
      const { code } = params
      const invite = await findInvitation(stores, code, viewer)
      if (!invite) return refuse({ stores, config, req, res })
      const invited = await shownInvitation(stores, invite)
      if (viewer !== undefined) return forms.show(req, res, form => acceptInvitePage({ ...form, invited }))
      const strings = stringsFor(req)
      const refusal = signUpRefusal(stores, code)
      if (refusal !== undefined) return sendPage(req, res, config, signUpRefusedPage(strings, refusal))
      forms.show(req, res, form => signUpPage({ ...form, next, invite: code, invited }))
    },
  ),

  endpoint(
    'GET /invite/:code/picture',
    {
      summary: 'Gives the avatar of the person who invites.',
      who: 'anybody',
      errors: 'text',
      answers: FILE_ANSWERS,
      fails: [404],
    },
    async ({ stores, req, res, viewer, params }) => {
      const invite = await findInvitation(stores, params.code, viewer)
      const file = invite && (await pictureOf(stores, invite))
      if (file === undefined) throw errors.notFound()
      await serveFile(req, res, stores.files, file, {
        'Content-Type': 'image/jpeg',
        'Cache-Control': 'private, no-cache',
      })
    },
  ),

  endpoint(
    'POST /invite/:code',
    {
      summary: 'Takes an invitation with the account that is signed in.',
      who: 'anybody',
      limit: ['other'],
      errors: 'text',
      body: formBody(f.fields({ csrf_token: f.anything })),
      answers: { 302: redirect, 200: page },
    },
    async ({ stores, req, res, viewer, params, config, body }) => {
      const forms = accountForms(config)
      const code = params.code
      if (viewer === undefined) return res.redirect(302, '/login')
      const invite = await findInvitation(stores, code, viewer)
      if (!invite) return refuse({ stores, config, req, res })
      if (forms.checkToken(req, body.csrf_token) !== 'valid') {
        const invited = await shownInvitation(stores, invite)
        const problem = stringsFor(req).staleForm
        return forms.show(req, res, form => acceptInvitePage({ ...form, invited, problem }), 403)
      }
      const place = await placeOf(stores, invite)
      if (!(await acceptInvitation(stores, code, viewer, req.ip))) return refuse({ stores, config, req, res })
      res.redirect(302, `/${place}`)
    },
  ),
]
