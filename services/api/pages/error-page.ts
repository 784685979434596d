import type { Request } from 'express'
import { viewerIn } from '#shared/http/sessions.ts'
import type { Config } from '#shared/runtime/config.ts'
import type { ErrorPage } from '../middleware/errors.ts'
import { html } from './html.ts'
import { sendPage } from './page.ts'
import { stringsFor } from './strings.ts'

/** Without the styles, which a foreign host name does not get either, a page would be worse than its sentence. */
const AS_TEXT = 421

export function errorPage(config: Pick<Config, 'publicUrl'>): ErrorPage {
  return (req, res, { status, headers }) => {
    if (status < 400 || status === AS_TEXT || !isNavigation(req)) return false
    const { errors, back, logIn } = stringsFor(req)
    const isSignedIn = viewerIn(req) !== undefined
    const { title, more } = errors.of[status] ?? (status >= 500 ? errors.server : errors.request)
    res.set(headers)
    const id = res.locals['requestId'] as string
    sendPage(req, res, config, {
      title,
      status,
      main: html`<div><h1>${title}</h1></div>
<p class="account-page-intro" role="alert">${more}</p>
${status >= 500 && html`<p class="account-page-intro">${errors.id(id)}</p>`}
<a class="button button-primary button-large button-block" href="/">${isSignedIn ? back.toChat : logIn.button}</a>`,
    })
    return true
  }
}

/** Only browsers that open a page ask for HTML by name. */
function isNavigation(req: Request) {
  const destination = req.get('Sec-Fetch-Dest')
  return (
    (destination === undefined || destination === 'document') &&
    (req.get('Accept')?.includes('text/html') ?? false)
  )
}
