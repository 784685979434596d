import { type Request, type Response, Router } from 'express'
import { personOf } from '#shared/access/person.ts'
import { LONGEST_DISPLAY_NAME, usernameFrom } from '#shared/domain/username.ts'
import { rateLimits } from '#shared/http/rate-limits.ts'
import { viewerIn } from '#shared/http/sessions.ts'
import { isClaimable } from '#shared/ownership/claim-codes.ts'
import type { Config } from '#shared/runtime/config.ts'
import { isUsable } from '#shared/runtime/settings.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { fields } from '../../middleware/bodies.ts'
import { sendPage } from '../../pages/page.ts'
import { stringsFor } from '../../pages/strings.ts'
import { addressOf, displayNameOf, type Forms, textOf } from '../forms.ts'
import { beginSession } from '../sessions/begin-session.ts'
import { enterNewAccount } from '../sign-in/enter.ts'
import { noteArrival } from '../sign-in/failure-delay.ts'
import { claimAs, claimWithNewAccount } from './claim.ts'
import { becomeOwnerPage, claimPage, claimRefusedPage } from './claim-pages.ts'
import { type SignUpRule, unmetRules } from './sign-up.ts'

/** The page behind the link that makes the first owner. */
export function claimRoutes(stores: Stores, config: Config, forms: Forms): Router {
  const limit = rateLimits(stores)
  const routes = Router()
  const canName = () => !stores.settings.isLocked('workspace_name')

  /** True for the person whose earlier request with the code was carried out, but whose response was lost. */
  async function isOwnersRepetition(req: Request, res: Response): Promise<boolean> {
    const viewer = viewerIn(req)
    if (viewer !== undefined) return (await personOf(stores.db, viewer))?.role === 'owner'
    if (forms.checkToken(req) === 'wrong') return false
    const typed = { username: usernameIn(req), password: textOf(req, 'password') }
    return (await enterNewAccount(stores, config, req, res, typed)) === 'active'
  }

  routes.get('/claim/:code', async (req, res) => {
    const viewer = viewerIn(req)
    if (await isClaimable(stores.db, req.params.code)) {
      if (viewer !== undefined) return forms.show(req, res, form => becomeOwnerPage({ ...form, viewer }))
      return forms.show(req, res, form => claimPage({ ...form, canName: canName() }))
    }
    await limit(['reset', addressOf(req)])
    sendPage(req, res, config, claimRefusedPage(stringsFor(req)))
  })

  routes.post('/claim/:code', noteArrival, fields, async (req, res) => {
    const code = req.params['code'] as string
    const viewer = viewerIn(req)
    const refuse = async () => {
      await limit(['reset', addressOf(req)])
      sendPage(req, res, config, claimRefusedPage(stringsFor(req)))
    }
    const leadInOr = async (otherwise: () => unknown) => {
      if (await isOwnersRepetition(req, res)) return res.redirect(302, '/')
      await otherwise()
    }
    if (!(await isClaimable(stores.db, code))) return leadInOr(refuse)

    if (viewer !== undefined) {
      if (forms.checkToken(req) !== 'valid') {
        const problem = stringsFor(req).staleForm
        return forms.show(req, res, form => becomeOwnerPage({ ...form, viewer, problem }), 403)
      }
      if (!(await claimAs(stores, code, viewer, req.ip))) return leadInOr(refuse)
      return res.redirect(302, '/')
    }

    const displayName = displayNameOf(req)
    const username = usernameIn(req)
    const password = textOf(req, 'password')
    const workspaceName = canName() ? workspaceNameIn(req) : ''
    const again = (more: { unmet?: SignUpRule[]; problem?: string }, status?: number) =>
      forms.show(
        req,
        res,
        form => claimPage({ ...form, canName: canName(), displayName, username, workspaceName, ...more }),
        status,
      )
    if (forms.checkToken(req) === 'wrong') return again({ problem: stringsFor(req).staleForm }, 403)
    if (workspaceName !== '' && !isUsable('workspace_name', workspaceName))
      return again({ problem: stringsFor(req).claim.nameProblem })
    if (displayName.length > LONGEST_DISPLAY_NAME)
      return again({ problem: stringsFor(req).signUp.nameProblem })
    const unmet = unmetRules(username, password, textOf(req, 'confirm_password'))
    if (unmet.length > 0) return again({ unmet })
    // Counted here: correcting a form is free, a hash is not.
    await limit(['reset', addressOf(req)])
    const owner = { username, displayName, password, workspaceName, network: addressOf(req), address: req.ip }
    const outcome = await claimWithNewAccount(stores, config, code, owner)
    if (outcome === 'taken') return leadInOr(() => again({ unmet: ['taken'] }))
    if (outcome === 'refused')
      return leadInOr(() => sendPage(req, res, config, claimRefusedPage(stringsFor(req))))
    await beginSession(stores, req, username)
    res.redirect(302, '/')
  })

  return routes
}

/** As typed, else made from the name. */
const usernameIn = (req: Request) => textOf(req, 'username') || usernameFrom(displayNameOf(req))

const workspaceNameIn = (req: Request) => textOf(req, 'workspace_name').normalize('NFC').trim()
