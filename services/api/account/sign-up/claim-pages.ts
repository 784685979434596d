import type { Username } from '#shared/domain/units.ts'
import { html } from '../../pages/html.ts'
import { icons } from '../../pages/icons.ts'
import type { Page } from '../../pages/page.ts'
import type { PageStrings } from '../../pages/strings.ts'
import {
  formNotice,
  nameField,
  newPasswordFields,
  tokenField,
  usernameField,
  usernameHint,
} from '../form-fields.ts'
import type { SignUpRule } from './sign-up.ts'

interface ClaimForm {
  strings: PageStrings
  csrfToken: string
  /** False if the operator has set the name. */
  canName: boolean
  workspaceName?: string
  displayName?: string
  username?: string
  unmet?: readonly SignUpRule[]
  problem?: string
}

/** Posts to its own address, so the code does not appear in the HTML. */
export function claimPage({
  strings,
  csrfToken,
  canName,
  workspaceName = '',
  displayName = '',
  username = '',
  unmet = [],
  problem,
}: ClaimForm): Page {
  const ofUsername = unmet.filter(rule => ['pattern', 'reserved', 'taken'].includes(rule))
  const isPasswordWrong = ofUsername.length === 0 && unmet.length > 0
  const isFresh = problem === undefined && unmet.length === 0 && username === ''
  const { claim } = strings
  return {
    title: claim.title,
    foot: claim.printed,
    main: html`<div><h1>${claim.title}</h1></div>
<p class="account-page-intro">${claim.lede}</p>
${formNotice(problem)}
<form class="form" method="post" novalidate>
${tokenField(csrfToken)}
${
  canName &&
  html`<div class="field"><label for="workspace_name">${claim.name}</label>
<div class="input"><input id="workspace_name" name="workspace_name" value="${workspaceName}" maxlength="80" autocomplete="organization" aria-describedby="workspace-name-hint"${isFresh && html` autofocus`}></div>
<span class="hint" id="workspace-name-hint">${claim.nameHint}</span></div>`
}
${nameField(strings, { value: displayName, isFocused: isFresh && !canName })}
${usernameField(strings, { label: claim.username, value: username, isFocused: ofUsername.length > 0, problems: ofUsername, hint: usernameHint(strings, unmet) })}
${newPasswordFields(strings, { labels: [strings.password, strings.signUp.repeat], unmet, isFocused: isPasswordWrong, repeat: 'without script' })}
<button class="button button-primary button-large button-block" data-busy="${claim.busy}">${claim.button}</button>
</form>
<p class="hint">${claim.more}</p>`,
  }
}

interface BecomeOwner {
  strings: PageStrings
  csrfToken: string
  viewer: Username
  problem?: string
}

export function becomeOwnerPage({ strings, csrfToken, viewer, problem }: BecomeOwner): Page {
  const { claim } = strings
  return {
    title: claim.title,
    main: html`<div><h1>${claim.title}</h1></div>
<p class="account-page-intro">${claim.asUser[0]}<b>${viewer}</b>${claim.asUser[1]} ${claim.role}</p>
${formNotice(problem)}
<form class="form" method="post">
${tokenField(csrfToken)}
<button class="button button-primary button-large button-block" data-busy="${claim.becomeBusy}">${claim.become}</button>
</form>`,
  }
}

/** The same page for all invalid links. */
export function claimRefusedPage({ claim, back }: PageStrings): Page {
  return {
    title: claim.refused,
    main: html`<a class="button button-quiet back-link" href="/login">${icons.back}${back.toSignIn}</a>
<div><h1>${claim.refused}</h1></div>
<p class="account-page-intro" role="alert">${claim.refusedWhy}</p>`,
  }
}
