import { type Request, type Response, Router } from 'express'
import { rateLimits } from '#shared/http/rate-limits.ts'
import { viewerIn } from '#shared/http/sessions.ts'
import type { Config } from '#shared/runtime/config.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { acceptInvitation, findInvitation, shownInvitation } from '../invites/invitation.ts'
import { fields } from '../middleware/bodies.ts'
import { sendPage } from '../pages/page.ts'
import { stringsFor } from '../pages/strings.ts'
import { addressOf, type Forms } from './forms.ts'
import { acceptInvitePage, inviteRefusedPage, signUpPage, signUpRefusedPage } from './pages.ts'
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
    const { inviter, channels } = await shownInvitation(stores, invite)
    const workspace = stores.settings.current.workspace_name
    if (viewer !== undefined) {
      return forms.show(req, res, form => acceptInvitePage({ ...form, inviter, workspace, channels }))
    }
    const strings = stringsFor(req)
    const refusal = signUpRefusal(stores, code)
    if (refusal !== undefined) return sendPage(req, res, config, signUpRefusedPage(strings, refusal))
    const invitation = strings.invitation.by(inviter, workspace)
    forms.show(req, res, form => signUpPage({ ...form, invite: code, invitation }))
  })

  routes.post('/invite/:code', fields, async (req, res) => {
    const code = req.params['code'] as string
    const viewer = viewerIn(req)
    if (viewer === undefined) return res.redirect(302, '/login')
    const invite = await findInvitation(stores, code, viewer)
    if (!invite) return refuse(req, res)
    if (forms.checkToken(req) !== 'valid') {
      const shown = await shownInvitation(stores, invite)
      const workspace = stores.settings.current.workspace_name
      const problem = stringsFor(req).staleForm
      return forms.show(req, res, form => acceptInvitePage({ ...form, ...shown, workspace, problem }), 403)
    }
    if (!(await acceptInvitation(stores, code, viewer, req.ip))) return refuse(req, res)
    res.redirect(302, '/')
  })

  return routes
}
