import { signInPath } from '#shared/domain/next-path.ts'
import { PASSWORD_RULES, type PasswordRule } from '#shared/domain/password.ts'
import { type Html, html } from '../pages/html.ts'
import { icons } from '../pages/icons.ts'
import type { Page } from '../pages/page.ts'
import type { PageStrings } from '../pages/strings.ts'
import type { SignUpRule } from './sign-up.ts'

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
    title: `${strings.logIn.tab} · bothy`,
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

interface SignUpForm {
  strings: PageStrings
  csrfToken: string
  username?: string
  /** Rules not met, in the order of the form. */
  unmet?: readonly SignUpRule[]
  problem?: string
  next?: string
}

export function signUpPage({
  strings,
  csrfToken,
  username = '',
  unmet = [],
  problem,
  next = '/',
}: SignUpForm): Page {
  const ofUsername = unmet.filter(rule => ['pattern', 'reserved', 'taken'].includes(rule))
  const isPasswordWrong = ofUsername.length === 0 && unmet.length > 0
  return {
    title: `${strings.signUp.title} · bothy`,
    main: html`<div><h1>${strings.signUp.title}</h1></div>
<p class="account-page-intro">${strings.signUp.lede}</p>
${problem !== undefined && html`<p class="form-notice" role="alert" tabindex="-1" autofocus>${icons.alert}${problem}</p>`}
<form class="form" method="post" action="/signup" novalidate>
${tokenField(csrfToken)}
${nextField(next)}
${usernameField(strings, { value: username, isFocused: !isPasswordWrong && problem === undefined, problems: ofUsername, hint: usernameHint(strings, unmet) })}
${newPasswordFields(strings, { labels: [strings.password, strings.signUp.repeat], unmet, isFocused: isPasswordWrong })}
<button class="button button-primary button-large button-block" data-busy="${strings.signUp.busy}">${strings.signUp.button}</button>
</form>
<p class="hint other-page">${strings.signUp.haveOne} <a href="${signInPath('/login', next)}">${strings.logIn.button}</a></p>`,
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
    title: `${strings.reset.title} · bothy`,
    main: html`<div><h1>${strings.reset.title}</h1></div>
<p class="account-page-intro">${strings.reset.lede[0]}<b>${username}</b>${strings.reset.lede[1]}</p>
${problem !== undefined && html`<p class="form-notice" role="alert" tabindex="-1" autofocus>${icons.alert}${problem}</p>`}
<form class="form" method="post" novalidate>
${tokenField(csrfToken)}
${newPasswordFields(strings, { labels: [strings.reset.password, strings.reset.repeat], unmet, isFocused: problem === undefined })}
<button class="button button-primary button-large button-block" data-busy="${strings.reset.busy}">${strings.reset.button}</button>
</form>`,
  }
}

export function resetDonePage({ reset, logIn }: PageStrings): Page {
  return {
    title: `${reset.done} · bothy`,
    main: html`<div><h1>${reset.done}</h1></div>
<p class="account-page-intro" role="status">${reset.doneMore}</p>
<a class="button button-primary button-large button-block" href="/login">${logIn.button}</a>`,
  }
}

/** The same page for all invalid links: the reason is for the owner only. */
export function resetRefusedPage({ reset, back }: PageStrings): Page {
  return {
    title: `${reset.refused} · bothy`,
    main: html`<a class="button button-quiet back-link" href="/login">${icons.back}${back.toSignIn}</a>
<div><h1>${reset.refused}</h1></div>
<div class="prose" role="alert">
<p>${reset.refusedWhy}</p>
<p>${reset.refusedWhat}</p>
</div>`,
  }
}

/** The rules as the page shows and its script checks them; accounts.test.ts compares them with shared/domain. */
export const SHOWN_PASSWORD_RULES = [
  { rule: 'length', pattern: '.{8}' },
  { rule: 'uppercase', pattern: '[A-Z]' },
  { rule: 'digit', pattern: '[0-9]' },
  { rule: 'special', pattern: '[!#-/:-@\\[\\]^-`{-~]' },
] as const

export const USERNAME_PATTERN = '^[A-Za-z0-9_-]{1,32}$'

const tokenField = (token: string) => html`<input type="hidden" name="csrf_token" value="${token}">`

/** The script of the page adds the fragment of its address, which the server does not see. */
const nextField = (next: string) => html`<input type="hidden" name="next" value="${next}">`

const usernameHint = ({ rules, signUp }: PageStrings, unmet: readonly SignUpRule[]) =>
  html`<span class="hint${unmet.includes('pattern') && ' is-unmet'}" id="username-hint" data-pattern="${USERNAME_PATTERN}" data-sentence="${rules.sentences.pattern}">${signUp.usernameHint}</span>`

interface UsernameField {
  value: string
  hint?: Html
  isRequired?: boolean
  isFocused?: boolean
  problems?: readonly SignUpRule[]
}

function usernameField(
  strings: PageStrings,
  { value, hint, isRequired, isFocused, problems = [] }: UsernameField,
) {
  const about = html` aria-describedby="username-hint username-problems"`
  return html`<div class="field"><label for="username">${strings.username}</label>
<div class="input"><input id="username" name="username" value="${value}" autocomplete="username" autocapitalize="none" autocorrect="off" spellcheck="false"${hint && about}${flags({ isRequired, isFocused, problems })}>
${hint && html`<span class="field-tick">${icons.checkLarge}</span>`}</div>
${hint}
${hint && problemsOf(strings, 'username', problems)}</div>`
}

interface NewPasswordFields {
  labels: [password: string, confirmation: string]
  unmet: readonly SignUpRule[]
  /** True for the first invalid field. */
  isFocused: boolean
}

function newPasswordFields(strings: PageStrings, { labels, unmet, isFocused }: NewPasswordFields) {
  const ofConfirmation = unmet.filter(rule => rule === 'match')
  const ofPassword = unmet.filter(rule => rule !== 'match' && Object.hasOwn(PASSWORD_RULES, rule))
  const isSecond = ofPassword.length === 0 && ofConfirmation.length > 0
  return html`<div class="field"><label for="password">${labels[0]}</label>
${passwordInput(strings, { name: 'password', autocomplete: 'new-password', isFocused: isFocused && !isSecond, problems: ofPassword, describedBy: 'password-rules' })}
${passwordRules(strings, unmet)}
${problemsOf(strings, 'password', ofPassword)}</div>
<div class="field"><label for="confirm_password">${labels[1]}</label>
${passwordInput(strings, { name: 'confirm_password', autocomplete: 'new-password', isFocused: isFocused && isSecond, problems: ofConfirmation })}
<span hidden data-same="password" data-sentence="${strings.rules.sentences.match}"></span>
${problemsOf(strings, 'confirm_password', ofConfirmation)}</div>`
}

interface PasswordInput {
  name: string
  autocomplete: string
  describedBy?: string | undefined
  isRequired?: boolean
  isFocused?: boolean
  problems?: readonly SignUpRule[]
}

function passwordInput(
  strings: PageStrings,
  { name, autocomplete, describedBy, isRequired, isFocused, problems = [] }: PasswordInput,
) {
  const about = [describedBy, !isRequired && `${name}-problems`].filter(Boolean).join(' ')
  return html`<div class="input"><input id="${name}" name="${name}" type="password" autocomplete="${autocomplete}"${about && html` aria-describedby="${about}"`}${flags({ isRequired, isFocused, problems })}><button class="icon-button show-password" type="button" aria-label="${strings.show}" data-other="${strings.hide}" aria-controls="${name}" hidden>${icons.eye}${icons.eyeOff}</button></div>`
}

function flags({ isRequired = false, isFocused = false, problems = [] }: Partial<UsernameField>) {
  return [
    isRequired && html` required`,
    isFocused && html` autofocus`,
    problems.length > 0 && html` aria-invalid="true"`,
  ]
}

function passwordRules({ rules }: PageStrings, unmet: readonly SignUpRule[]) {
  const items = SHOWN_PASSWORD_RULES.map(
    ({ rule, pattern }) =>
      html`<li class="password-rule${unmet.includes(rule) && ' is-unmet'}" data-pattern="${pattern}" data-sentence="${rules.sentences[rule]}"><span class="password-rule-mark">${icons.check}</span><span>${rules.short[rule]}<span class="visually-hidden" data-met="${rules.met}" data-unmet="${rules.notMet}">${unmet.includes(rule) && rules.notMet}</span></span></li>`,
  )
  return html`<ul class="password-rules" id="password-rules" aria-label="${rules.label}">${items}</ul>`
}

/** Rules whose own text turns red. */
const SHOWN_RULES: ReadonlySet<SignUpRule> = new Set([
  'pattern',
  ...SHOWN_PASSWORD_RULES.map(({ rule }) => rule),
])

/** Sentences that repeat rules shown in red are for screen readers only. */
const problemsOf = (strings: PageStrings, name: string, rules: readonly SignUpRule[]) =>
  html`<div class="form-problems" id="${name}-problems" role="alert"${rules.every(rule => SHOWN_RULES.has(rule)) && html` data-repeats`}>${rules.map(rule => html`<span>${strings.rules.sentences[rule]}</span>`)}</div>`
