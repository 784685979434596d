import { REPLACED } from '#shared/domain/fold.ts'
import { PASSWORD_PATTERNS, PASSWORD_RULES, SHOWN_PASSWORD_RULES } from '#shared/domain/password.ts'
import { LONGEST_DISPLAY_NAME } from '#shared/domain/username.ts'
import { type Html, html } from '../pages/html.ts'
import { icons } from '../pages/icons.ts'
import type { PageStrings } from '../pages/strings.ts'
import type { SignUpRule } from './sign-up/sign-up.ts'

export const USERNAME_PATTERN = '^[A-Za-z0-9_-]{1,32}$'

/** A problem of the whole form, which takes the focus. */
export const formNotice = (problem: string | undefined) =>
  problem !== undefined &&
  html`<p class="form-notice" role="alert" tabindex="-1" autofocus>${icons.alert}${problem}</p>`

export const tokenField = (token: string) => html`<input type="hidden" name="csrf_token" value="${token}">`

/** The script of the page adds the fragment of its address, which the server does not see. */
export const nextField = (next: string) => html`<input type="hidden" name="next" value="${next}">`

export const usernameHint = ({ rules, signUp }: PageStrings, unmet: readonly SignUpRule[]) =>
  html`<span class="hint${unmet.includes('pattern') && ' is-unmet'}" id="username-hint" data-pattern="${USERNAME_PATTERN}" data-sentence="${rules.sentences.pattern}">${signUp.usernameHint}</span>`

/** The name of a person; the script makes the username from it. */
export const nameField = (
  { signUp }: PageStrings,
  { value, isFocused }: { value: string; isFocused: boolean },
) => html`<div class="field"><label for="display_name">${signUp.name}</label>
<div class="input"><input id="display_name" name="display_name" value="${value}" maxlength="${LONGEST_DISPLAY_NAME}" autocomplete="name" autocapitalize="words" spellcheck="false" aria-describedby="display-name-hint" data-letters="${JSON.stringify(REPLACED)}"${isFocused && html` autofocus`}></div>
<span class="hint" id="display-name-hint">${signUp.nameHint}</span></div>`

interface UsernameField {
  label?: string
  value: string
  hint?: Html
  isRequired?: boolean
  isFocused?: boolean
  problems?: readonly SignUpRule[]
  /** Names to take in place of the value. */
  free?: readonly string[]
}

export function usernameField(
  strings: PageStrings,
  { label = strings.username, value, hint, isRequired, isFocused, problems = [], free = [] }: UsernameField,
) {
  const about = html` aria-describedby="username-hint username-problems"`
  return html`<div class="field"><label for="username">${label}</label>
<div class="input"><input id="username" name="username" value="${value}" autocomplete="username" autocapitalize="none" autocorrect="off" spellcheck="false"${hint && about}${flags({ isRequired, isFocused, problems })}>
${hint && html`<span class="field-tick">${icons.checkLarge}</span>`}</div>
${hint}
${hint && problemsOf(strings, 'username', problems)}
${free.length > 0 && html`<p class="hint free-names">${strings.signUp.free} ${free.map(name => html`<button class="button" type="button" data-fill="username">${name}</button> `)}</p>`}</div>`
}

interface NewPasswordFields {
  labels: [password: string, confirmation: string]
  unmet: readonly SignUpRule[]
  /** True for the first invalid field. */
  isFocused: boolean
  /** The script hides the second field, and sends the password in it. */
  repeat?: 'always' | 'without script'
}

export function newPasswordFields(
  strings: PageStrings,
  { labels, unmet, isFocused, repeat = 'always' }: NewPasswordFields,
) {
  const ofConfirmation = unmet.filter(rule => rule === 'match')
  const ofPassword = unmet.filter(rule => rule !== 'match' && Object.hasOwn(PASSWORD_RULES, rule))
  const isSecond = ofPassword.length === 0 && ofConfirmation.length > 0
  return html`<div class="field"><label for="password">${labels[0]}</label>
${passwordInput(strings, { name: 'password', autocomplete: 'new-password', isFocused: isFocused && !isSecond, problems: ofPassword, describedBy: 'password-rules' })}
${passwordRules(strings, unmet)}
${problemsOf(strings, 'password', ofPassword)}</div>
<div class="field"${repeat === 'without script' && html` data-follows="password"`}><label for="confirm_password">${labels[1]}</label>
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

export function passwordInput(
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
    rule =>
      html`<li class="password-rule${unmet.includes(rule) && ' is-unmet'}" data-pattern="${PASSWORD_PATTERNS[rule]}" data-sentence="${rules.sentences[rule]}"><span class="password-rule-mark">${icons.check}</span><span>${rules.short[rule]}<span class="visually-hidden" data-met="${rules.met}" data-unmet="${rules.notMet}">${unmet.includes(rule) && rules.notMet}</span></span></li>`,
  )
  return html`<ul class="password-rules" id="password-rules" aria-label="${rules.label}">${items}</ul>`
}

/** Rules whose own text turns red. */
const SHOWN_RULES: ReadonlySet<SignUpRule> = new Set(['pattern', ...SHOWN_PASSWORD_RULES])

/** Sentences that repeat rules shown in red are for screen readers only. */
const problemsOf = (strings: PageStrings, name: string, rules: readonly SignUpRule[]) =>
  html`<div class="form-problems" id="${name}-problems" role="alert"${rules.every(rule => SHOWN_RULES.has(rule)) && html` data-repeats`}>${rules.map(rule => html`<span>${strings.rules.sentences[rule]}</span>`)}</div>`
