import { type Request, type Response, Router } from 'express'
import { rateLimits } from '#shared/http/rate-limits.ts'
import { viewerIn } from '#shared/http/sessions.ts'
import type { Config } from '#shared/runtime/config.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { serveFile } from '../../files/serve-file.ts'
import { fields } from '../../middleware/bodies.ts'
import { sendPage } from '../../pages/page.ts'
import { stringsFor } from '../../pages/strings.ts'
import { addressOf, type Forms } from '../forms.ts'
import {
  acceptInvitation,
  findInvitation,
  pictureOf,
  placeOf,
  shownInvitation,
} from '../invites/invitation.ts'
import { acceptInvitePage, inviteRefusedPage, signUpPage, signUpRefusedPage } from '../pages.ts'
import { signUpRefusal } from './sign-up.ts'

/** The page behind an invitation: sign-up for strangers, a button for members. */
export function inviteRoutes(stores: Stores, config: Config, forms: Forms): Router {
  const limit = rateLimits(stores)
  const routes = Router()

  async function refuse(req: Request, res: Response) {
    await limit(['reset', addressOf(req)])
    sendPage(req, res, config, inviteRefusedPage(stringsFor(req)))
  }

  routes.get('/invite/:code', async (req, res) => {
    const { code } = req.params
    const viewer = viewerIn(req)
    const invite = await findInvitation(stores, code, viewer)
    if (!invite) return refuse(req, res)
    const invited = await shownInvitation(stores, invite)
    if (viewer !== undefined) return forms.show(req, res, form => acceptInvitePage({ ...form, invited }))
    const strings = stringsFor(req)
    const refusal = signUpRefusal(stores, code)
    if (refusal !== undefined) return sendPage(req, res, config, signUpRefusedPage(strings, refusal))
    forms.show(req, res, form => signUpPage({ ...form, invite: code, invited }))
  })

  routes.get('/invite/:code/picture', async (req, res) => {
    const invite = await findInvitation(stores, req.params.code, viewerIn(req))
    const file = invite && (await pictureOf(stores, invite))
    if (file === undefined) throw errors.notFound()
    await serveFile(req, res, stores.files, file, {
      'Content-Type': 'image/jpeg',
      'Cache-Control': 'private, no-cache',
    })
  })

  routes.post('/invite/:code', fields, async (req, res) => {
    const code = req.params['code'] as string
    const viewer = viewerIn(req)
    if (viewer === undefined) return res.redirect(302, '/login')
    const invite = await findInvitation(stores, code, viewer)
    if (!invite) return refuse(req, res)
    if (forms.checkToken(req) !== 'valid') {
      const invited = await shownInvitation(stores, invite)
      const problem = stringsFor(req).staleForm
      return forms.show(req, res, form => acceptInvitePage({ ...form, invited, problem }), 403)
    }
    const place = await placeOf(stores, invite)
    if (!(await acceptInvitation(stores, code, viewer, req.ip))) return refuse(req, res)
    res.redirect(302, `/${place}`)
  })

  return routes
}
