import type { Request } from 'express'
import { personOf } from '#shared/access/person.ts'
import { LONGEST_DISPLAY_NAME, usernameFrom } from '#shared/domain/username.ts'
import { rateLimits } from '#shared/http/rate-limits.ts'
import { isClaimable } from '#shared/ownership/claim-codes.ts'
import { isUsable } from '#shared/runtime/settings.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { formBody } from '../../middleware/body-readers.ts'
import { endpoint, page, redirect } from '../../middleware/endpoint.ts'
import { sendPage } from '../../pages/page.ts'
import { stringsFor } from '../../pages/strings.ts'
import { accountForms, addressOf, displayNameOf, type PageCall, textOf } from '../forms.ts'
import { beginSession } from '../sessions/begin-session.ts'
import { enterNewAccount } from '../sign-in/enter.ts'
import { noteArrival } from '../sign-in/failure-delay.ts'
import { claimAs, claimWithNewAccount } from './claim.ts'
import { becomeOwnerPage, claimPage, claimRefusedPage } from './claim-pages.ts'
import { type SignUpRule, unmetRules } from './sign-up.ts'

const canName = ({ settings }: Stores) => !settings.isLocked('workspace_name')

/** True for the person whose earlier request with the code was carried out, but whose response was lost. */
async function isOwnersRepetition({ stores, config, req, res, viewer }: PageCall): Promise<boolean> {
  if (viewer !== undefined) return (await personOf(stores.db, viewer))?.role === 'owner'
  if (accountForms(config).checkToken(req) === 'wrong') return false
  const typed = { username: usernameIn(req), password: textOf(req, 'password') }
  return (await enterNewAccount(stores, config, req, res, typed)) === 'active'
}

/** The page behind the link that makes the first owner. */
export const claimEndpoints = [
  endpoint(
    'GET /claim/:code',
    { who: 'anybody', errors: 'text', answers: { 200: page } },
    async ({ stores, config, req, res, viewer, params }) => {
      const forms = accountForms(config)
      if (await isClaimable(stores.db, params.code)) {
        if (viewer !== undefined) return forms.show(req, res, form => becomeOwnerPage({ ...form, viewer }))
        return forms.show(req, res, form => claimPage({ ...form, canName: canName(stores) }))
      }
      await rateLimits(stores)(['account', `links:${addressOf(req)}`, 2])
      sendPage(req, res, config, claimRefusedPage(stringsFor(req)))
    },
  ),

  endpoint(
    'POST /claim/:code',
    {
      who: 'anybody',
      limit: 'by address',
      errors: 'text',
      first: [noteArrival],
      body: formBody(),
      answers: { 200: page, 302: redirect },
    },
    async ({ stores, config, req, res, viewer, params }) => {
      const forms = accountForms(config)
      const code = params.code
      const refuse = async () => {
        await rateLimits(stores)(['account', `links:${addressOf(req)}`, 2])
        sendPage(req, res, config, claimRefusedPage(stringsFor(req)))
      }
      const leadInOr = async (otherwise: () => unknown) => {
        if (await isOwnersRepetition({ stores, config, req, res, viewer })) return res.redirect(302, '/')
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
      const workspaceName = canName(stores) ? workspaceNameIn(req) : ''
      const again = (more: { unmet?: SignUpRule[]; problem?: string }, status?: number) =>
        forms.show(
          req,
          res,
          form =>
            claimPage({ ...form, canName: canName(stores), displayName, username, workspaceName, ...more }),
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
      await rateLimits(stores)(['account', `links:${addressOf(req)}`, 2])
      const owner = {
        username,
        displayName,
        password,
        workspaceName,
        network: addressOf(req),
        address: req.ip,
      }
      const outcome = await claimWithNewAccount(stores, config, code, owner)
      if (outcome === 'taken') return leadInOr(() => again({ unmet: ['taken'] }))
      if (outcome === 'refused')
        return leadInOr(() => sendPage(req, res, config, claimRefusedPage(stringsFor(req))))
      await beginSession(stores, req, username)
      res.redirect(302, '/')
    },
  ),
]

/** As typed, else made from the name. */
const usernameIn = (req: Request) => textOf(req, 'username') || usernameFrom(displayNameOf(req))

const workspaceNameIn = (req: Request) => textOf(req, 'workspace_name').normalize('NFC').trim()
