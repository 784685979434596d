import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Request, Router } from 'express'
import { viewerIn } from '#shared/http/sessions.ts'
import { type Config, ROOT } from '#shared/kernel/config.ts'
import type { Username } from '#shared/rules/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { csrfToken } from '../middleware/csrf.ts'
import { assetRoutes } from './assets.ts'
import { clientPage } from './client-page.ts'
import { html } from './html.ts'
import { icons } from './icons.ts'
import { hostOf, sendPage } from './page.ts'

/** /, /about, /forgot-password and what the signed-out pages load. */
export function pageRoutes(_stores: Stores, config: Config): Router {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const routes = Router()
  routes.use(assetRoutes())

  routes.get('/', async (req, res) => {
    const viewer = viewerIn(req)
    if (viewer === undefined) return res.redirect(302, '/login')
    const page = await clientPage(headFor(viewer, csrfToken(req)))
    res.set('Cache-Control', 'no-store').type('html').send(page)
  })

  routes.get('/about', (req, res) => {
    sendPage(req, res, config, {
      title: 'What is bothy?',
      main: html`${wayBack(req)}
<div><h1>Team chat, under your roof</h1></div>
<div class="prose">
<p>bothy is team chat that runs on your own machine. Messages, files and calls stay on your network.</p>
<p>A bothy is a small hut in the hills, left unlocked for anyone who needs it. No services, no landlord, a fire if you light one.</p>
<p>This server is <b>${hostOf(req, config)}</b>, version ${version}.</p>
</div>`,
    })
  })

  routes.get('/forgot-password', (req, res) => {
    sendPage(req, res, config, {
      title: 'Forgot your password? · bothy',
      main: html`${wayBack(req)}
<div><h1>Forgot your password?</h1></div>
<div class="prose">
<p>Whoever runs this server can make you a reset link. Ask them in person or on another channel you trust.</p>
<p>The link works once and expires. It lets you choose a new password; your messages stay as they are.</p>
</div>`,
    })
  })

  return routes
}

const wayBack = (req: Request) =>
  viewerIn(req) === undefined
    ? html`<a class="btn btn-quiet back" href="/login">${icons.back}Sign in</a>`
    : html`<a class="btn btn-quiet back" href="/">${icons.back}Back to the chat</a>`

const headFor = (viewer: Username, token: string) =>
  html`<meta name="csrf-token" content="${token}"><meta name="viewer" content="${viewer}">`
