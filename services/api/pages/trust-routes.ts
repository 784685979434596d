import type { Request } from 'express'
import type { Config } from '#shared/runtime/config.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { content, endpoint, page } from '../middleware/endpoint.ts'
import { type Authority, authorityOf } from './authority.ts'
import { type Html, html } from './html.ts'
import { sendPage, wayBack } from './page.ts'
import { stringsFor } from './strings.ts'
import { SYSTEMS, type System, type TrustStrings, trustStringsFor } from './trust-strings.ts'

async function found(config: Config): Promise<Authority> {
  const it = await authorityOf(config).read()
  if (it === undefined) throw errors.notFound()
  return it
}

/**
 * /trust: helps to install the certificate of the authority that signed this server's. The front door serves it over
 * plain HTTP, too, since devices need it before they trust https. It reads nothing of the office.
 */
export const trustEndpoints = [
  endpoint(
    'GET /trust',
    {
      summary: 'Shows how to trust the certificate of this server.',
      who: 'anybody',
      errors: 'text',
      answers: { 200: page },
    },
    async ({ config, req, res }) => {
      const strings = trustStringsFor(req)
      const known = await authorityOf(config).read()
      const https = config.publicUrl?.protocol === 'https:' ? config.publicUrl.href : undefined
      res.vary('User-Agent')
      sendPage(req, res, config, {
        title: known ? strings.title : strings.tab,
        main: html`${wayBack(req, stringsFor(req).back)}
${known ? installation(req, strings, known, https) : nothingToInstall(req.secure, strings, https)}`,
      })
    },
  ),

  // Browsers and systems install a file of this type; Linux wants text.
  endpoint(
    'GET /trust/bothy-authority.crt',
    {
      summary: 'Gives the certificate of the authority, in DER.',
      who: 'anybody',
      errors: 'text',
      answers: { 200: content('application/x-x509-ca-cert', 'the certificate') },
      fails: [404],
    },
    async ({ config, res }) => {
      res.type('application/x-x509-ca-cert').send((await found(config)).der)
    },
  ),

  endpoint(
    'GET /trust/bothy-authority.pem',
    {
      summary: 'Gives the certificate of the authority, in PEM.',
      who: 'anybody',
      errors: 'text',
      answers: { 200: content('application/x-pem-file', 'the certificate') },
      fails: [404],
    },
    async ({ config, res }) => {
      // Without this Safari and Firefox show the text.
      res.set('Content-Disposition', 'attachment; filename="bothy-authority.pem"')
      res.type('application/x-pem-file').send((await found(config)).pem)
    },
  ),
]

const installation = (req: Request, strings: TrustStrings, known: Authority, https: string | undefined) =>
  html`<div><h1>${strings.title}</h1></div>
<div class="prose"><p>${strings.why}</p></div>
<h2>1. ${strings.compare}</h2>
<div class="prose">
<p>${strings.careful}</p>
<p><b>${strings.fingerprint}</b><br><code class="fingerprint">${inLines(known.fingerprint)}</code></p>
<p>${strings.expires(known.expires.toISOString().slice(0, 10))}</p>
</div>
<h2>2. ${strings.install}</h2>
<a class="button button-primary button-large button-block" href="/trust/bothy-authority.crt">${strings.download}</a>
<div class="systems">
${SYSTEMS.map(system => stepsOf(system, strings, system === systemOf(req)))}
</div>
<div class="prose">
<p><a href="/trust/bothy-authority.pem">${strings.pem}</a></p>
${https && html`<p>${strings.afterwards} <a href="${https}">${https}</a></p>`}
</div>`

/** Four groups of eight pairs, as people read them to each other. */
const inLines = (fingerprint: string) =>
  fingerprint.match(/(?:..:?){1,8}/g)!.map((part, i) => html`${i > 0 && html`<br>`}${part.replace(/:$/, '')}`)

const stepsOf = (system: System, strings: TrustStrings, isOpen: boolean) =>
  html`<details${isOpen && html` open`}><summary>${strings.names[system]}</summary>
<ol>${strings.steps[system].map(step => html`<li>${marked(step)}</li>`)}</ol></details>`

/** Text between backticks as code. */
const marked = (text: string): Html[] =>
  text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))

function nothingToInstall(isSecure: boolean, { nothing }: TrustStrings, https: string | undefined) {
  if (isSecure)
    return html`<div><h1>${nothing.secure}</h1></div>
<div class="prose"><p>${nothing.secureMore}</p></div>`
  return html`<div><h1>${nothing.plain}</h1></div>
<div class="prose">
${https ? html`<p>${nothing.elsewhere} <a href="${https}">${https}</a></p>` : html`<p>${nothing.plainMore}</p>`}
<p>${nothing.operator}</p>
</div>`
}

/** The system whose steps the page opens at first. */
function systemOf(req: Request): System | undefined {
  const agent = req.get('User-Agent') ?? ''
  if (/iPhone|iPad/.test(agent)) return 'ios'
  if (agent.includes('Android')) return 'android'
  if (/Firefox/.test(agent) && agent.includes('Linux')) return 'firefox'
  if (agent.includes('Windows')) return 'windows'
  if (agent.includes('Macintosh')) return 'mac'
  return agent.includes('Linux') ? 'linux' : undefined
}
