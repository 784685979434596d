import type { Application, Request, Response } from 'express'
import { viewerIn } from '#shared/http/sessions.ts'
import type { Config } from '#shared/runtime/config.ts'
import { DEFAULTS } from '#shared/runtime/settings.ts'
import type { WorkspaceSettings } from '#shared/stores/workspace-settings.ts'
import { assets, scene } from './assets.ts'
import { type Html, html, raw } from './html.ts'
import { icons } from './icons.ts'
import { type PageStrings, stringsFor } from './strings.ts'

export interface Page {
  /** Without the name of the workspace, which follows it. */
  title: string
  main: Html
  /** At the end, in place of the link to the page about bothy. */
  foot?: string
  /** Default 200. */
  status?: number
}

/** Sends a signed-out page: a form on one edge, the scene on the other, without the client. */
export function sendPage(req: Request, res: Response, config: Pick<Config, 'publicUrl'>, page: Page) {
  res
    .status(page.status ?? 200)
    // Under `no-referrer` browsers send `Origin: null` with a form, which middleware/csrf.ts must refuse.
    .set('Referrer-Policy', 'same-origin')
    .set('Cache-Control', 'no-store')
    .vary('Accept-Language')
    .type('html')
    .send(framed(page, stringsFor(req), hostOf(req, config), req.path, lookOf(res)).text)
}

/** Name, logo and colour of the workspace. */
export interface Look {
  name: string
  logo: string | undefined
  accent: string | null
}

/** Called once: all signed-out pages of the app show the look of its workspace. */
export function setLook(app: Application, settings: WorkspaceSettings) {
  app.locals['look'] = (): Look => ({
    name: settings.current.workspace_name,
    logo: settings.logo,
    accent: settings.current.accent,
  })
}

const lookOf = (res: Response): Look =>
  res.app.locals['look']?.() ?? { name: DEFAULTS.workspace_name, logo: undefined, accent: null }

/** Replaces the teal; nothing without an accent. */
export const accentLink = (accent: string | null) =>
  accent !== null &&
  html`
<link rel="stylesheet" href="/workspace_accent.css?v=${accent.slice(1).toLowerCase()}">`

/** The public host name of this server. */
export const hostOf = (req: Request, { publicUrl }: Pick<Config, 'publicUrl'>): string =>
  publicUrl?.host ?? req.host ?? ''

/** Leads to the sign-in page, or into the chat. */
export const wayBack = (req: Request, strings: PageStrings['back']) =>
  viewerIn(req) === undefined
    ? html`<a class="button button-quiet back-link" href="/login">${icons.back}${strings.toSignIn}</a>`
    : html`<a class="button button-quiet back-link" href="/">${icons.back}${strings.toChat}</a>`

const logo = html`<svg class="logo" viewBox="0 0 32 32" aria-hidden="true" focusable="false"><path class="logo-house" d="M13.3 4.1a4.2 4.2 0 0 1 5.4 0l7.7 6.5A4.6 4.6 0 0 1 28 14.1v6.7a4.7 4.7 0 0 1-4.7 4.7h-9.2l-5.3 4.2a1.15 1.15 0 0 1-1.86-.9v-3.6A4.7 4.7 0 0 1 4 20.8v-6.7c0-1.35.59-2.63 1.6-3.5z"/><rect class="logo-window" x="11.25" y="12" width="9.5" height="9" rx="1.7"/><path class="logo-line" d="M16 12v9M11.25 16.5h9.5" stroke-width="1.7" fill="none"/></svg>`

const framed = (
  { title, main, foot }: Page,
  strings: PageStrings,
  host: string,
  path: string,
  look: Look,
) => html`<!doctype html>
<html lang="${strings.language}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>${title} · ${look.name}</title>
<link rel="preload" href="${assets.font.path}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${assets.styles.path}">${accentLink(look.accent)}
<link rel="icon" type="image/svg+xml" href="${assets.logo.path}">
<script src="${assets.script.path}" defer></script>
</head>
<body>
<div class="account-page">
<div class="account-page-side">
<header class="account-page-brand">${look.logo === undefined ? logo : html`<img class="logo" src="/workspace_logo?v=${look.logo}" alt="">`}<span>${look.name}</span></header>
<main class="account-page-form">
${main}
</main>
<footer class="account-page-foot"><span class="account-page-host">${host}</span>
${foot === undefined ? html`<a href="/about"${path === '/about' && html` aria-current="page"`}>${strings.about.link}</a>` : html`<span>${foot}</span>`}</footer>
</div>
<div class="account-page-scene"><div class="account-page-picture">${raw(scene)}</div></div>
</div>
</body>
</html>
`
