import { uuidFrom } from '#shared/domain/units.ts'
import { LONGEST_DISPLAY_NAME, usernameFrom } from '#shared/domain/username.ts'
import { rateLimits } from '#shared/http/rate-limits.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { formBody } from '../../middleware/body-readers.ts'
import { endpoint, page, redirect } from '../../middleware/endpoint.ts'
import { sendPage } from '../../pages/page.ts'
import { stringsFor } from '../../pages/strings.ts'
import { accountForms, addressOf, displayNameOf, nextOf, signedOut, textOf } from '../forms.ts'
import { findInvitation, placeOf, shownInvitation } from '../invites/invitation.ts'
import { type SignUpForm, signUpPage, signUpPendingPage, signUpRefusedPage } from '../pages.ts'
import { noteArrival } from '../sign-in/failure-delay.ts'
import { enterByName, enterSignedUp } from './enter-signed-up.ts'
import { freeNamesLike } from './free-names.ts'
import { signUpRefusal, unmetRules } from './sign-up.ts'

/** Reasons for which the form is shown again. */
type Again = Pick<SignUpForm, 'unmet' | 'problem' | 'free'>
const isApproved = ({ settings }: Stores) => settings.current.signup_mode === 'approval'

export const signUpEndpoints = [
  endpoint(
    'GET /signup',
    { who: 'anybody', errors: 'text', first: [signedOut], answers: { 200: page } },
    async ({ stores, config, req, res }) => {
      const forms = accountForms(config)
      const refusal = signUpRefusal(stores, '')
      if (refusal !== undefined)
        return sendPage(req, res, config, signUpRefusedPage(stringsFor(req), refusal))
      forms.show(req, res, form => signUpPage({ ...form, isApproved: isApproved(stores) }))
    },
  ),

  endpoint(
    'POST /signup',
    {
      who: 'anybody',
      limit: 'by address',
      errors: 'text',
      first: [signedOut, noteArrival],
      body: formBody(),
      answers: { 200: page, 302: redirect },
    },
    async ({ stores, config, req, res }) => {
      const forms = accountForms(config)
      const displayName = displayNameOf(req)
      const typed = textOf(req, 'username')
      const made = usernameFrom(displayName)
      const isMade = made !== '' && (typed === '' || typed === made)
      const username = isMade ? made : typed
      const password = textOf(req, 'password')
      const invite = textOf(req, 'invite')
      const invitation = invite === '' ? undefined : await findInvitation(stores, invite)
      const again = async (more: Again, status?: number) => {
        const invited = invitation && (await shownInvitation(stores, invitation))
        const fixed = {
          displayName,
          username,
          invite,
          invited,
          isApproved: invite === '' && isApproved(stores),
        }
        forms.show(req, res, form => signUpPage({ ...form, ...fixed, ...more }), status)
      }
      if (forms.checkToken(req) === 'wrong') return again({ problem: stringsFor(req).staleForm }, 403)
      const { signUp: strings } = stringsFor(req)
      const refusal = signUpRefusal(stores, invite)
      if (refusal !== undefined) return again({ problem: strings.refusals[refusal] })
      if (displayName.length > LONGEST_DISPLAY_NAME) return again({ problem: strings.nameProblem })

      const unmet = unmetRules(username, password, textOf(req, 'confirm_password')).filter(
        // A made name that is reserved gets a number.
        rule => !(isMade && rule === 'reserved'),
      )
      if (unmet.length > 0) return again({ unmet })
      // Counted here: correcting a form is free, probing which names are taken is not.
      await rateLimits(stores)(['account', addressOf(req), 3])
      // Read before the invitation is used, perhaps for the last time.
      const place = invitation ? await placeOf(stores, invitation) : ''
      const clientId = uuidFrom(textOf(req, 'client_id'))
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
      res.redirect(302, invitation ? `/?joined${place}` : nextOf(req))
    },
  ),
]
