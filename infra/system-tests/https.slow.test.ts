import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '#shared/test-kit/browser.ts'
import { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { PASSWORD } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { hasApt, unpackedEnvironment, unpackPackage } from '../dev-stores/debian.ts'
import { findOnPath } from '../dev-stores/redis.ts'
import { temporaryFolder } from '../processes/children.ts'
import { DATA } from '../processes/data-folder.ts'
import { freePort } from '../processes/free-port.ts'
import { findCaddy, type RunningCaddy, startCaddy } from './caddy.fixture.ts'

/** A name and an address (TEST-NET, nobody's) of a local network; the browser finds both on this machine. */
const NAME = 'chat.lan'
const ADDRESS = '192.0.2.10'
const MAPPED = [`--host-resolver-rules=MAP ${NAME} 127.0.0.1, MAP ${ADDRESS} 127.0.0.1`]

/** infra/Caddyfile with an own authority, as infra/compose.https.yml starts it, and a browser that trusts it or not. */
describe('https in a local network', function () {
  this.timeout(240_000)
  let program: string
  let backing: TestBacking
  let caddy: RunningCaddy
  const services: RunningService[] = []
  const browsers: Browser[] = []
  const home = temporaryFolder('bothy-home-')
  let [https, http, inside] = [0, 0, 0]
  const ports = (text: string) =>
    text.replace('admin off', `admin off\n\thttps_port ${https}\n\thttp_port ${http}`)

  before(async function () {
    const found = await findCaddy()
    if (found === undefined) {
      console.log('  (https is not tried: no caddy on the PATH, in CADDY or from Debian)')
      return this.skip()
    }
    program = found
    ;[https, http, inside] = [await freePort(), await freePort(), await freePort()]
    backing = await testBacking()
    const env = {
      ...backing.env,
      PUBLIC_URL: `https://${NAME}:${https}`,
      AUTHORITY_CERTIFICATE: `http://127.0.0.1:${inside}/authority.crt`,
      TRUST_PROXY: '1',
    }
    services.push(...(await Promise.all([startService('api', env), startService('events', env)])))
    caddy = await start({ CERTIFICATE: 'authority' })
  })
  after(async () => {
    await Promise.all(browsers.map(browser => browser.close()))
    await caddy?.stop()
    await Promise.all(services.map(service => service.stop()))
    await backing?.drop()
    home.remove()
  })

  const start = (env: NodeJS.ProcessEnv, edit = ports) =>
    startCaddy(program, {
      api: new URL(services[0]!.url).port,
      events: new URL(services[1]!.url).port,
      env: {
        SITE_ADDRESS: `${NAME}, ${ADDRESS}`,
        DEFAULT_SNI: ADDRESS,
        PLAIN_ADDRESS: 'http://',
        ...env,
      },
      edit,
      insidePort: inside,
      probe: `http://127.0.0.1:${http}/trust`,
    })
  const open = async (env = {}) => {
    const browser = await launchBrowser(MAPPED, env)
    browsers.push(browser)
    return browser
  }
  const plain = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${http}${path}`, { redirect: 'manual', ...init })
  const root = () => readFileSync(join(caddy.data, 'caddy/pki/authorities/local/root.crt'), 'utf8')

  it('is refused by a browser that does not know the authority', async () => {
    const page = await (await open()).newPage()
    for (const host of [NAME, ADDRESS]) {
      const error = await page.goto(`https://${host}:${https}/login`).catch(String)
      expect(error, host).to.include('ERR_CERT_AUTHORITY_INVALID')
    }
  })

  it('leads from plain http to https, except for the page that helps to trust it', async () => {
    const away = await plain('/login?next=x')
    expect([away.status, away.headers.get('Location')]).to.deep.equal([308, 'https://127.0.0.1/login?next=x'])
    expect((await plain('/trust', { method: 'POST' })).status).to.equal(308)
    for (const path of ['/channels', '/trusty', '/events', '/version'])
      expect((await plain(path)).status, path).to.equal(308)
    const page = await (await browsers[0]!.newContext()).newPage()
    const broken: string[] = []
    page.on('requestfailed', request => broken.push(request.url()))
    await page.goto(`http://${NAME}:${http}/trust`)
    await page.getByRole('heading', { name: 'Trust this server' }).waitFor()
    const size = await page.evaluate('getComputedStyle(document.querySelector("h1")).fontSize')
    expect(size, 'with its style sheet').to.equal('30px')
    expect(broken).to.deep.equal([])
    expect(await page.context().cookies()).to.deep.equal([])
  })

  it('gives the certificate of the authority over plain http, and no key', async () => {
    const pem = await (await plain('/trust/bothy-authority.pem')).text()
    expect(pem.trim()).to.equal(root().trim())
    const { headers } = await plain('/trust/bothy-authority.crt')
    expect(headers.get('Content-Type')).to.equal('application/x-x509-ca-cert')
    for (const path of [
      '/root.key',
      '/intermediate.key',
      '/authority.crt/../root.key',
      '/authority.crt/root.key',
    ])
      expect(await (await fetch(`http://127.0.0.1:${inside}${path}`)).text(), path).to.not.include('KEY')
  })

  it('works by name and by address once the authority is trusted', async function () {
    const certutil = await findCertutil()
    if (certutil === undefined) {
      console.log('  (a browser that trusts the authority is not tried: no certutil, no apt)')
      return this.skip()
    }
    const database = join(home.path, '.pki/nssdb')
    mkdirSync(database, { recursive: true })
    const run = (...args: string[]) => {
      const { status, stderr } = spawnSync(certutil.program, ['-d', `sql:${database}`, ...args], {
        input: root(),
        encoding: 'utf8',
        env: { ...process.env, ...certutil.env },
      })
      expect(status, stderr).to.equal(0)
    }
    run('-N', '--empty-password')
    run('-A', '-t', 'C,,', '-n', 'bothy')
    const browser = await open({ HOME: home.path })
    const people: BrowserUser[] = []
    for (const [name, host] of [
      ['ada', NAME],
      ['bob', ADDRESS],
    ] as const) {
      const user = await BrowserUser.take(browser, name, `https://${host}:${https}`)
      await user.signUp(PASSWORD)
      people.push(user)
      const allowed = await user.page.evaluate(
        '[isSecureContext, typeof navigator.mediaDevices.getUserMedia, typeof Notification.permission]',
      )
      expect(allowed, host).to.deep.equal([true, 'function', 'string'])
      await user.page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
      const cookies = await user.page.context().cookies()
      expect(cookies.find(cookie => cookie.name === 'session')?.secure, host).to.equal(true)
    }
    await people[0]!.say('warm in here')
    await people[1]!.row('warm in here').waitFor()
    await people[1]!.page.goto(`https://${ADDRESS}:${https}/trust`)
    await people[1]!.page.getByText('Fingerprint (SHA-256)').waitFor()
  })

  it('takes a certificate of one’s own, and offers the authority beside it', async () => {
    const { path: folder, remove } = temporaryFolder('bothy-certificate-')
    // Issued by the authority above; Caddy does not know it as its own here.
    const issued = join(caddy.data, `caddy/certificates/local/${NAME}/${NAME}`)
    cpSync(`${issued}.crt`, join(folder, 'certificate.pem'))
    cpSync(`${issued}.key`, join(folder, 'key.pem'))
    cpSync(join(caddy.data, 'caddy/pki/authorities/local/root.crt'), join(folder, 'root.crt'))
    const before = root()
    await caddy.stop()
    caddy = await start({ CERTIFICATE: 'file', SITE_ADDRESS: NAME, DEFAULT_SNI: NAME }, text =>
      ports(text).replaceAll(' /certificate', ` ${folder}`),
    )
    expect(existsSync(join(caddy.data, 'caddy/certificates/local'))).to.equal(false)
    const browser = existsSync(join(home.path, '.pki')) ? browsers.at(-1)! : undefined
    const page = await browser?.newPage()
    await page?.goto(`https://${NAME}:${https}/login`)
    await page?.getByRole('heading', { name: 'Sign in' }).waitFor()
    const offered = await (await fetch(`http://127.0.0.1:${inside}/authority.crt`)).text()
    expect(offered.trim()).to.equal(before.trim())
    remove()
  })
})

/** NSS' tool, from Debian's package where there is apt. */
async function findCertutil(): Promise<{ program: string; env: NodeJS.ProcessEnv } | undefined> {
  const found = findOnPath('certutil')
  if (found) return { program: found, env: {} }
  if (!hasApt()) return undefined
  const folder = join(DATA, 'certutil')
  const program = join(folder, 'usr/bin/certutil')
  if (!existsSync(program)) await unpackPackage('libnss3-tools', folder)
  return { program, env: unpackedEnvironment(folder) }
}
