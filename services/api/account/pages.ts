import { randomUUID } from 'node:crypto'
import { signInPath } from '#shared/domain/next-path.ts'
import type { PasswordRule } from '#shared/domain/password.ts'
import { html } from '../pages/html.ts'
import { icons } from '../pages/icons.ts'
import type { Page } from '../pages/page.ts'
import type { PageStrings } from '../pages/strings.ts'
import {
  formNotice,
  nameField,
  newPasswordFields,
  nextField,
  passwordInput,
  tokenField,
  usernameField,
  usernameHint,
} from './form-fields.ts'
import type { ShownInvitation } from './invites/invitation.ts'
import type { SignUpRule } from './sign-up/sign-up.ts'

interface LogInForm {
  strings: PageStrings
  csrfToken: string
  username?: string
  problem?: string
  /** The account is locked: a reset is the other way in. */
  isLocked?: boolean
  /** Path after signing in. */
  next?: string
}

export function logInPage({
  strings,
  csrfToken,
  username = '',
  problem,
  isLocked = false,
  next = '/',
}: LogInForm): Page {
  const isPasswordNext = problem !== undefined && username !== ''

  return {
    title: strings.logIn.tab,
    main: html`<div><h1>${strings.logIn.title}</h1></div>
<p class="account-page-intro">${strings.logIn.lede}</p>
${problem !== undefined && html`<p class="form-notice" role="alert" id="form-notice">${icons.alert}${problem}</p>`}
${isLocked && html`<p class="hint"><a href="/forgot-password">${strings.logIn.resetInstead}</a></p>`}
<form class="form" method="post" action="/login">
${tokenField(csrfToken)}
${nextField(next)}
${usernameField(strings, { value: username, isRequired: true, isFocused: !isPasswordNext })}
<div class="field field-with-link"><label for="password">${strings.password}</label>
${passwordInput(strings, { name: 'password', autocomplete: 'current-password', isRequired: true, isFocused: isPasswordNext, describedBy: problem === undefined ? undefined : 'form-notice' })}
<a href="/forgot-password">${strings.logIn.forgotIt}</a></div>
<button class="button button-primary button-large button-block" data-busy="${strings.logIn.busy}">${strings.logIn.button}</button>
</form>
<p class="hint other-page">${strings.logIn.newHere} <a href="${signInPath('/signup', next)}">${strings.logIn.create}</a></p>`,
  }
}

export interface SignUpForm {
  strings: PageStrings
  csrfToken: string
  displayName?: string
  username?: string
  /** Rules not met, in the order of the form. */
  unmet?: readonly SignUpRule[]
  problem?: string
  next?: string
  /** Code of the invitation, and its contents unless it is not valid. */
  invite?: string
  invited?: ShownInvitation | undefined
  /** Names that are free in place of a taken one. */
  free?: readonly string[]
  /** An administrator approves the account. */
  isApproved?: boolean
}

export function signUpPage({
  strings,
  csrfToken,
  displayName = '',
  username = '',
  unmet = [],
  problem,
  next = '/',
  invite = '',
  invited,
  free = [],
  isApproved = false,
}: SignUpForm): Page {
  const ofUsername = unmet.filter(rule => ['pattern', 'reserved', 'taken'].includes(rule))
  const isPasswordWrong = ofUsername.length === 0 && unmet.length > 0
  const isFresh = unmet.length === 0 && problem === undefined
  return {
    title: strings.signUp.title,
    main: html`${invited && inviterLine(strings, invited)}
<div><h1>${invited ? strings.invitation.heading : strings.signUp.title}</h1></div>
<p class="account-page-intro">${invited ? strings.invitation.lede : strings.signUp.lede}</p>
${invited?.role === 'guest' && guestLines(strings, invited)}
${isApproved && html`<p class="hint">${strings.signUp.approved}</p>`}
${formNotice(problem)}
<form class="form" method="post" action="/signup" novalidate>
${tokenField(csrfToken)}
${invite !== '' && html`<input type="hidden" name="invite" value="${invite}">`}
${nextField(next)}
<input type="hidden" name="client_id" value="${randomUUID()}">
${nameField(strings, { value: displayName, isFocused: isFresh })}
${usernameField(strings, { value: username, isFocused: ofUsername.length > 0, problems: ofUsername, hint: usernameHint(strings, unmet), free })}
${newPasswordFields(strings, { labels: [strings.password, strings.signUp.repeat], unmet, isFocused: isPasswordWrong, repeat: invited ? 'without script' : 'always' })}
<button class="button button-primary button-large button-block" data-busy="${strings.signUp.busy}">${invited ? strings.invitation.button : strings.signUp.button}</button>
</form>
<p class="hint other-page">${strings.signUp.haveOne} <a href="${signInPath('/login', invite === '' ? next : `/invite/${invite}`)}">${strings.logIn.button}</a></p>`,
  }
}

/** The limits of a guest, in plain words. */
const guestLines = ({ invitation }: PageStrings, { channels }: ShownInvitation) =>
  html`<div class="prose"><p>${channels.length > 0 ? invitation.guest : invitation.guestAlone}</p>
${channelList(channels)}</div>`

const channelList = (channels: readonly string[]) =>
  channels.length > 0 && html`<ul>${channels.map(name => html`<li>${name}</li>`)}</ul>`

/** The inviter, with their picture or the first letter of their name. */
const inviterLine = ({ invitation }: PageStrings, { inviter, workspace, picture }: ShownInvitation) =>
  html`<div class="invited">
${picture === undefined ? html`<span class="invited-face" aria-hidden="true">${[...inviter][0]?.toUpperCase()}</span>` : html`<img class="invited-face" src="${picture}" alt="">`}
<p>${invitation.by(inviter, workspace)}</p></div>`

/** A page with one sentence in place of the form. */
const sentencePage = (
  { signUp, back }: PageStrings,
  { title = signUp.title, sentence, isNews = false }: { title?: string; sentence: string; isNews?: boolean },
): Page => ({
  title,
  main: html`<a class="button button-quiet back-link" href="/login">${icons.back}${back.toSignIn}</a>
<div><h1>${title}</h1></div>
<p class="account-page-intro"${isNews && html` role="status"`}>${sentence}</p>`,
})

export const signUpRefusedPage = (strings: PageStrings, refusal: 'closed' | 'uninvited'): Page =>
  sentencePage(strings, {
    sentence: refusal === 'closed' ? strings.signUp.refusals.closed : strings.signUp.byInvitation,
  })

export const signUpPendingPage = (strings: PageStrings): Page =>
  sentencePage(strings, {
    title: strings.signUp.pendingTitle,
    sentence: strings.signUp.pending,
    isNews: true,
  })

export const inviteRefusedPage = (strings: PageStrings): Page =>
  sentencePage(strings, {
    title: strings.signUp.refusedTitle,
    sentence: `${strings.signUp.refusals['bad invitation']} ${strings.signUp.askAgain}`,
  })

interface AcceptForm {
  strings: PageStrings
  csrfToken: string
  invited: ShownInvitation
  problem?: string
}

/** For somebody who is signed in. */
export function acceptInvitePage({ strings, csrfToken, invited, problem }: AcceptForm): Page {
  const { invitation } = strings
  const { channels } = invited
  return {
    title: invitation.title,
    main: html`<a class="button button-quiet back-link" href="/">${icons.back}${strings.back.toChat}</a>
${inviterLine(strings, invited)}
<div><h1>${invitation.title}</h1></div>
${channels.length > 0 && html`<div class="prose"><p>${invitation.channels}</p>${channelList(channels)}</div>`}
${formNotice(problem)}
<form class="form" method="post">
${tokenField(csrfToken)}
<button class="button button-primary button-large button-block" data-busy="${invitation.busy}">${invitation.button}</button>
</form>`,
  }
}

interface ResetForm {
  strings: PageStrings
  csrfToken: string
  username: string
  unmet?: readonly PasswordRule[]
  problem?: string
}

/** Posts to its own address, so the reset token does not appear in the HTML. */
export function resetPage({ strings, csrfToken, username, unmet = [], problem }: ResetForm): Page {
  return {
    title: strings.reset.title,
    main: html`<div><h1>${strings.reset.title}</h1></div>
<p class="account-page-intro">${strings.reset.lede[0]}<b>${username}</b>${strings.reset.lede[1]}</p>
${formNotice(problem)}
<form class="form" method="post" novalidate>
${tokenField(csrfToken)}
${newPasswordFields(strings, { labels: [strings.reset.password, strings.reset.repeat], unmet, isFocused: problem === undefined })}
<button class="button button-primary button-large button-block" data-busy="${strings.reset.busy}">${strings.reset.button}</button>
</form>`,
  }
}

export function resetDonePage({ reset, logIn }: PageStrings): Page {
  return {
    title: reset.done,
    main: html`<div><h1>${reset.done}</h1></div>
<p class="account-page-intro" role="status">${reset.doneMore}</p>
<a class="button button-primary button-large button-block" href="/login">${logIn.button}</a>`,
  }
}

/** The same page for all invalid links: the reason is for the owner only. */
export function resetRefusedPage({ reset, back }: PageStrings): Page {
  return {
    title: reset.refused,
    main: html`<a class="button button-quiet back-link" href="/login">${icons.back}${back.toSignIn}</a>
<div><h1>${reset.refused}</h1></div>
<div class="prose" role="alert">
<p>${reset.refusedWhy}</p>
<p>${reset.refusedWhat}</p>
</div>`,
  }
}
