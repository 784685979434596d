import * as v from 'valibot'
import { uuidFrom } from '#shared/domain/units.ts'
import { LONGEST_DISPLAY_NAME, usernameFrom } from '#shared/domain/username.ts'
import { rateLimits } from '#shared/http/rate-limits.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { formBody } from '../../middleware/body-readers.ts'
import { endpoint, page, redirect } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'
import { sendPage } from '../../pages/page.ts'
import { stringsFor } from '../../pages/strings.ts'
import { accountForms, addressOf, displayName, next, signedOut } from '../forms.ts'
import { findInvitation, placeOf, shownInvitation } from '../invites/invitation.ts'
import { type SignUpForm, signUpPage, signUpPendingPage, signUpRefusedPage } from '../pages.ts'
import { noteArrival } from '../sign-in/failure-delay.ts'
import { enterByName, enterSignedUp } from './enter-signed-up.ts'
import { freeNamesLike } from './free-names.ts'
import { signUpRefusal, unmetRules } from './sign-up.ts'

/** Reasons for which the form is shown again. */
type Again = Pick<SignUpForm, 'unmet' | 'problem' | 'free'>
const isApproved = ({ settings }: Stores) => settings.current.signup_mode === 'approval'

const SIGN_UP = f.fields({
  display_name: displayName,
  username: f.formText,
  password: f.formText,
  confirm_password: f.formText,
  invite: f.formText,
  client_id: v.pipe(f.anything, v.transform(uuidFrom)),
  next,
  csrf_token: f.anything,
})

export const signUpEndpoints = [
  endpoint(
    'GET /signup',
    {
      summary: 'Shows the sign-up page.',
      who: 'anybody',
      errors: 'text',
      first: [signedOut],
      query: f.fields({ next }),
      answers: { 200: page, 302: redirect },
    },
    async ({ stores, config, req, res, query: { next } }) => {
      const forms = accountForms(config)
      const refusal = signUpRefusal(stores, '')
      if (refusal !== undefined)
        return sendPage(req, res, config, signUpRefusedPage(stringsFor(req), refusal))
      forms.show(req, res, form => signUpPage({ ...form, next, isApproved: isApproved(stores) }))
    },
  ),

  endpoint(
    'POST /signup',
    {
      summary: 'Makes an account.',
      who: 'anybody',
      limit: 'by address',
      errors: 'text',
      first: [signedOut, noteArrival],
      body: formBody(SIGN_UP),
      answers: { 200: page, 302: redirect },
    },
    async ({ stores, config, req, res, body }) => {
      const forms = accountForms(config)
      const { display_name: displayName, username: typed, password, invite, client_id: clientId, next } = body
      const made = usernameFrom(displayName)
      const isMade = made !== '' && (typed === '' || typed === made)
      const username = isMade ? made : typed
      const invitation = invite === '' ? undefined : await findInvitation(stores, invite)
      const again = async (more: Again, status?: number) => {
        const invited = invitation && (await shownInvitation(stores, invitation))
        const fixed = {
          next,
          displayName,
          username,
          invite,
          invited,
          isApproved: invite === '' && isApproved(stores),
        }
        forms.show(req, res, form => signUpPage({ ...form, ...fixed, ...more }), status)
      }
      if (forms.checkToken(req, body.csrf_token) === 'wrong')
        return again({ problem: stringsFor(req).staleForm }, 403)
      const { signUp: strings } = stringsFor(req)
      const refusal = signUpRefusal(stores, invite)
      if (refusal !== undefined) return again({ problem: strings.refusals[refusal] })
      if (displayName.length > LONGEST_DISPLAY_NAME) return again({ problem: strings.nameProblem })

      const unmet = unmetRules(username, password, body.confirm_password).filter(
        // A made name that is reserved gets a number.
        rule => !(isMade && rule === 'reserved'),
      )
      if (unmet.length > 0) return again({ unmet })
      // Counted here: correcting a form is free, probing which names are taken is not.
      await rateLimits(stores)(['account', addressOf(req), 3])
      // Read before the invitation is used, perhaps for the last time.
      const place = invitation ? await placeOf(stores, invitation) : ''
      const person = {
        username,
        displayName,
        password,
        clientId,
        invite,
        network: addressOf(req),
        address: req.ip,
      }
      const enter = isMade ? enterByName : enterSignedUp
      const outcome = await enter(stores, config, req, res, person)
      if (outcome === 'taken') {
        return again({ unmet: ['taken'], free: await freeNamesLike(stores.db, username) })
      }
      if (outcome === 'pending') return sendPage(req, res, config, signUpPendingPage(stringsFor(req)))
      if (outcome !== 'active') return again({ problem: strings.refusals[outcome] })
      res.redirect(302, invitation ? `/?joined${place}` : next)
    },
  ),
]
