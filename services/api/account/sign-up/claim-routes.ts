import * as v from 'valibot'
import { personOf } from '#shared/access/person.ts'
import { LONGEST_DISPLAY_NAME, usernameFrom } from '#shared/domain/username.ts'
import { rateLimits } from '#shared/http/rate-limits.ts'
import { isClaimable } from '#shared/ownership/claim-codes.ts'
import { isUsable } from '#shared/runtime/settings.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { formBody } from '../../middleware/body-readers.ts'
import { endpoint, page, redirect } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'
import { sendPage } from '../../pages/page.ts'
import { stringsFor } from '../../pages/strings.ts'
import { accountForms, addressOf, displayName, type PageCall } from '../forms.ts'
import { beginSession } from '../sessions/begin-session.ts'
import { enterNewAccount } from '../sign-in/enter.ts'
import { noteArrival } from '../sign-in/failure-delay.ts'
import { claimAs, claimWithNewAccount } from './claim.ts'
import { becomeOwnerPage, claimPage, claimRefusedPage } from './claim-pages.ts'
import { type SignUpRule, unmetRules } from './sign-up.ts'

const canName = ({ settings }: Stores) => !settings.isLocked('workspace_name')

const CLAIM = v.pipe(
  f.fields({
    display_name: displayName,
    username: f.formText,
    password: f.formText,
    confirm_password: f.formText,
    workspace_name: v.pipe(
      f.formText,
      v.transform(text => text.normalize('NFC').trim()),
    ),
    csrf_token: f.anything,
  }),
  // As typed, else made from the name.
  v.transform(claim => ({ ...claim, username: claim.username || usernameFrom(claim.display_name) })),
)
type Claim = v.InferOutput<typeof CLAIM>

/** True for the person whose earlier request with the code was carried out, but whose response was lost. */
async function isOwnersRepetition(
  { stores, config, req, res, viewer }: PageCall,
  { csrf_token: token, username, password }: Claim,
): Promise<boolean> {
  if (viewer !== undefined) return (await personOf(stores.db, viewer))?.role === 'owner'
  if (accountForms(config).checkToken(req, token) === 'wrong') return false
  return (await enterNewAccount(stores, config, req, res, { username, password })) === 'active'
}

/** The page behind the link that makes the first owner. */
export const claimEndpoints = [
  endpoint(
    'GET /claim/:code',
    {
      summary: 'Shows the page for the first owner.',
      who: 'anybody',
      errors: 'text',
      answers: { 200: page },
    },
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
      summary: 'Makes the account of the first owner.',
      who: 'anybody',
      limit: 'by address',
      errors: 'text',
      first: [noteArrival],
      body: formBody(CLAIM),
      answers: { 200: page, 302: redirect },
    },
    async ({ stores, config, req, res, viewer, params: { code }, body }) => {
      const forms = accountForms(config)
      const refuse = async () => {
        await rateLimits(stores)(['account', `links:${addressOf(req)}`, 2])
        sendPage(req, res, config, claimRefusedPage(stringsFor(req)))
      }
      const leadInOr = async (otherwise: () => unknown) => {
        if (await isOwnersRepetition({ stores, config, req, res, viewer }, body))
          return res.redirect(302, '/')
        await otherwise()
      }
      if (!(await isClaimable(stores.db, code))) return leadInOr(refuse)

      if (viewer !== undefined) {
        if (forms.checkToken(req, body.csrf_token) !== 'valid') {
          const problem = stringsFor(req).staleForm
          return forms.show(req, res, form => becomeOwnerPage({ ...form, viewer, problem }), 403)
        }
        if (!(await claimAs(stores, code, viewer, req.ip))) return leadInOr(refuse)
        return res.redirect(302, '/')
      }

      const { display_name: displayName, username, password } = body
      const workspaceName = canName(stores) ? body.workspace_name : ''
      const again = (more: { unmet?: SignUpRule[]; problem?: string }, status?: number) =>
        forms.show(
          req,
          res,
          form =>
            claimPage({ ...form, canName: canName(stores), displayName, username, workspaceName, ...more }),
          status,
        )
      if (forms.checkToken(req, body.csrf_token) === 'wrong')
        return again({ problem: stringsFor(req).staleForm }, 403)
      if (workspaceName !== '' && !isUsable('workspace_name', workspaceName))
        return again({ problem: stringsFor(req).claim.nameProblem })
      if (displayName.length > LONGEST_DISPLAY_NAME)
        return again({ problem: stringsFor(req).signUp.nameProblem })
      const unmet = unmetRules(username, password, body.confirm_password)
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
