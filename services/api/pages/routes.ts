import type { Username } from '#shared/domain/units.ts'
import { VERSION } from '#shared/runtime/version.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { csrfToken } from '../middleware/csrf.ts'
import { endpoint, page, redirect } from '../middleware/endpoint.ts'
import { clientPage } from './client-page.ts'
import { firstLists } from './first-lists.ts'
import { type Html, html } from './html.ts'
import { accentLink, hostOf, sendPage, wayBack } from './page.ts'
import { stringsFor } from './strings.ts'

/** /, /about, /forgot-password and the assets of the signed-out pages. */
export const pageEndpoints = [
  endpoint(
    'GET /',
    {
      summary: 'Shows the client, or leads to the sign-in page.',
      who: 'anybody',
      errors: 'text',
      answers: { 302: redirect, 200: page },
    },
    async ({ stores, req, res, viewer }) => {
      if (viewer === undefined) return res.redirect(302, '/login')
      const page = await clientPage(headFor(stores, viewer, csrfToken(req), await firstLists(stores, viewer)))
      res.set('Cache-Control', 'no-store').type('html').send(page)
    },
  ),

  endpoint(
    'GET /about',
    { summary: 'Shows the page about this server.', who: 'anybody', errors: 'text', answers: { 200: page } },
    async ({ config, req, res }) => {
      const { about, back } = stringsFor(req)
      const [before, after] = about.server(VERSION)
      sendPage(req, res, config, {
        title: about.link,
        main: html`${wayBack(req, back)}
<div><h1>${about.title}</h1></div>
<div class="prose">
<p>${about.what}</p>
<p>${about.name}</p>
<p>${before}<b>${hostOf(req, config)}</b>${after}</p>
</div>`,
      })
    },
  ),

  endpoint(
    'GET /forgot-password',
    { summary: 'Shows how to get a new password.', who: 'anybody', errors: 'text', answers: { 200: page } },
    async ({ config, req, res }) => {
      const { forgot, back } = stringsFor(req)
      sendPage(req, res, config, {
        title: forgot.title,
        main: html`${wayBack(req, back)}
<div><h1>${forgot.title}</h1></div>
<div class="prose">
<p>${forgot.ask}</p>
<p>${forgot.link}</p>
</div>`,
      })
    },
  ),
]

const headFor = ({ settings }: Stores, viewer: Username, token: string, lists: Html | undefined) =>
  html`<meta name="csrf-token" content="${token}"><meta name="viewer" content="${viewer}">${accentLink(settings.current.accent)}${lists}`
