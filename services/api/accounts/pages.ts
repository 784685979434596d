import { PASSWORD_RULES, type PasswordRule } from '#shared/rules/password.ts'
import { type Html, html } from '../pages/html.ts'
import { icons } from '../pages/icons.ts'
import type { Page } from '../pages/page.ts'
import { type SignUpRule, sentenceOf } from './sign-up.ts'

interface LogInForm {
  csrfToken: string
  username?: string
  problem?: string
}

export function logInPage({ csrfToken, username = '', problem }: LogInForm): Page {
  return {
    title: 'Sign in · bothy',
    main: html`<div><h1>Come on in</h1></div>
<p class="lede">Sign in to chat with your team.</p>
${problem !== undefined && html`<p class="notice" role="alert" tabindex="-1" autofocus>${icons.alert}${problem}</p>`}
<form class="form" method="post" action="/login">
${tokenField(csrfToken)}
${usernameField({ value: username, isRequired: true, isFocused: problem === undefined })}
<div class="field with-link"><label for="password">Password</label>
${passwordInput({ name: 'password', autocomplete: 'current-password', isRequired: true })}
<a href="/forgot-password">Forgot it?</a></div>
<button class="btn btn-primary btn-lg btn-block" data-busy="Signing in…">Sign in</button>
</form>
<p class="hint other">New here? <a href="/signup">Create an account</a></p>`,
  }
}

interface SignUpForm {
  csrfToken: string
  username?: string
  /** Rules that were not met, in the order of the form. */
  unmet?: readonly SignUpRule[]
  problem?: string
}

export function signUpPage({ csrfToken, username = '', unmet = [], problem }: SignUpForm): Page {
  const ofUsername = unmet.filter(rule => ['pattern', 'reserved', 'taken'].includes(rule))
  const isPasswordWrong = ofUsername.length === 0 && unmet.length > 0
  return {
    title: 'Create your account · bothy',
    main: html`<div><h1>Create your account</h1></div>
<p class="lede">A username and a password. No email needed.</p>
${problem !== undefined && html`<p class="notice" role="alert" tabindex="-1" autofocus>${icons.alert}${problem}</p>`}
<form class="form" method="post" action="/signup" novalidate>
${tokenField(csrfToken)}
${usernameField({ value: username, isFocused: !isPasswordWrong && problem === undefined, problems: ofUsername, hint: usernameHint })}
${newPasswordFields({ labels: ['Password', 'Repeat the password'], unmet, isFocused: isPasswordWrong })}
<button class="btn btn-primary btn-lg btn-block" data-busy="Creating your account…">Create account</button>
</form>
<p class="hint other">Already have one? <a href="/login">Sign in</a></p>`,
  }
}

interface ResetForm {
  csrfToken: string
  username: string
  unmet?: readonly PasswordRule[]
  problem?: string
}

/** The address of the form is that of the page: the token is not written into it. */
export function resetPage({ csrfToken, username, unmet = [], problem }: ResetForm): Page {
  return {
    title: 'Choose a new password · bothy',
    main: html`<div><h1>Choose a new password</h1></div>
<p class="lede">For the account <b>${username}</b>. This link works once.</p>
${problem !== undefined && html`<p class="notice" role="alert" tabindex="-1" autofocus>${icons.alert}${problem}</p>`}
<form class="form" method="post" novalidate>
${tokenField(csrfToken)}
${newPasswordFields({ labels: ['New password', 'Repeat it'], unmet, isFocused: problem === undefined })}
<button class="btn btn-primary btn-lg btn-block" data-busy="Setting it…">Set password</button>
</form>`,
  }
}

export function resetDonePage(): Page {
  return {
    title: 'Password changed · bothy',
    main: html`<div><h1>Password changed</h1></div>
<p class="lede" role="status">You can sign in now.</p>
<a class="btn btn-primary btn-lg btn-block" href="/login">Sign in</a>`,
  }
}

/** One page for every link that opens nothing: which of the reasons it is concerns only its owner. */
export function resetRefusedPage(): Page {
  return {
    title: 'This link does not work · bothy',
    main: html`<a class="btn btn-quiet back" href="/login">${icons.back}Sign in</a>
<div><h1>This link does not work</h1></div>
<div class="prose" role="alert">
<p>A reset link works once and for 24 hours. This one has been used, has run out, was replaced by a newer one, or is not complete.</p>
<p>Ask whoever runs this server for a new one. If it was you who used it, sign in with your new password.</p>
</div>`,
  }
}

/** The rules as the page shows them and its script checks them; accounts.test.ts holds them to shared/rules. */
export const SHOWN_PASSWORD_RULES = [
  { rule: 'length', words: '8 characters or more', pattern: '.{8}' },
  { rule: 'uppercase', words: 'One capital letter', pattern: '[A-Z]' },
  { rule: 'digit', words: 'One digit', pattern: '[0-9]' },
  { rule: 'special', words: 'One symbol, like ! or -', pattern: '[!#-/:-@\\[\\]^-`{-~]' },
] as const

export const USERNAME_PATTERN = '^[A-Za-z0-9_-]{1,32}$'

const tokenField = (token: string) => html`<input type="hidden" name="csrf_token" value="${token}">`

const usernameHint = html`<span class="hint" id="username-hint" data-pattern="${USERNAME_PATTERN}" data-sentence="${sentenceOf('pattern')}">Letters, digits, hyphens and underscores, up to 32.</span>`

interface UsernameField {
  value: string
  hint?: Html
  isRequired?: boolean
  isFocused?: boolean
  problems?: readonly SignUpRule[]
}

function usernameField({ value, hint, isRequired, isFocused, problems = [] }: UsernameField) {
  const about = html` aria-describedby="username-hint username-problems"`
  return html`<div class="field"><label for="username">Username</label>
<div class="input"><input id="username" name="username" value="${value}" autocomplete="username" autocapitalize="none" autocorrect="off" spellcheck="false"${hint && about}${flags({ isRequired, isFocused, problems })}>
${hint && html`<span class="tick">${icons.checkLarge}</span>`}</div>
${hint}
${hint && problemsOf('username', problems)}</div>`
}

interface NewPasswordFields {
  labels: [password: string, confirmation: string]
  unmet: readonly SignUpRule[]
  /** On the first of the two that is to be corrected. */
  isFocused: boolean
}

function newPasswordFields({ labels, unmet, isFocused }: NewPasswordFields) {
  const ofConfirmation = unmet.filter(rule => rule === 'match')
  const ofPassword = unmet.filter(rule => rule !== 'match' && Object.hasOwn(PASSWORD_RULES, rule))
  const isSecond = ofPassword.length === 0 && ofConfirmation.length > 0
  return html`<div class="field"><label for="password">${labels[0]}</label>
${passwordInput({ name: 'password', autocomplete: 'new-password', isFocused: isFocused && !isSecond, problems: ofPassword, describedBy: 'password-rules' })}
${passwordRules(unmet)}
${problemsOf('password', ofPassword)}</div>
<div class="field"><label for="confirm_password">${labels[1]}</label>
${passwordInput({ name: 'confirm_password', autocomplete: 'new-password', isFocused: isFocused && isSecond, problems: ofConfirmation })}
<span hidden data-same="password" data-sentence="${sentenceOf('match')}"></span>
${problemsOf('confirm_password', ofConfirmation)}</div>`
}

interface PasswordInput {
  name: string
  autocomplete: string
  describedBy?: string
  isRequired?: boolean
  isFocused?: boolean
  problems?: readonly SignUpRule[]
}

function passwordInput({
  name,
  autocomplete,
  describedBy,
  isRequired,
  isFocused,
  problems = [],
}: PasswordInput) {
  const about = [describedBy, !isRequired && `${name}-problems`].filter(Boolean).join(' ')
  return html`<div class="input"><input id="${name}" name="${name}" type="password" autocomplete="${autocomplete}"${about && html` aria-describedby="${about}"`}${flags({ isRequired, isFocused, problems })}><button class="ib show" type="button" aria-label="Show password" aria-controls="${name}" hidden>${icons.eye}${icons.eyeOff}</button></div>`
}

function flags({ isRequired = false, isFocused = false, problems = [] }: Partial<UsernameField>) {
  return [
    isRequired && html` required`,
    isFocused && html` autofocus`,
    problems.length > 0 && html` aria-invalid="true"`,
  ]
}

function passwordRules(unmet: readonly SignUpRule[]) {
  const items = SHOWN_PASSWORD_RULES.map(
    ({ rule, words, pattern }) =>
      html`<li class="rule${unmet.includes(rule) && ' bad'}" data-pattern="${pattern}" data-sentence="${sentenceOf(rule)}"><span class="b">${icons.check}</span><span>${words}<span class="vh">${unmet.includes(rule) && ', not met yet'}</span></span></li>`,
  )
  return html`<ul class="rules" id="password-rules" aria-label="Password rules">${items}</ul>`
}

const problemsOf = (name: string, rules: readonly SignUpRule[]) =>
  html`<div class="problems" id="${name}-problems" role="alert">${rules.map(rule => html`<span>${sentenceOf(rule)}</span>`)}</div>`
