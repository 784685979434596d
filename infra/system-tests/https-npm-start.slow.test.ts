import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkServerIdentity, connect } from 'node:tls'
import { promisify } from 'node:util'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { ROOT } from '#shared/runtime/config.ts'
import { launchBrowser } from '#shared/test-kit/browser.ts'
import { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { PASSWORD } from '#shared/test-kit/person.ts'
import { Product } from '#shared/test-kit/product.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { startChild, stopChild, temporaryFolder } from '../processes/children.ts'
import { freePort } from '../processes/free-port.ts'
import { findCaddy } from './caddy.fixture.ts'

const NAME = 'chat.lan'
/** In the example file, and nobody's here: the browser finds both on this machine. */
const ADDRESS = '192.168.1.20'

/** infra/settings/npm-start.Caddyfile and the variables of docs/operations.md, section 3. */
describe('https in front of npm start', function () {
  this.timeout(240_000)
  const folder = temporaryFolder('bothy-caddy-')
  let backing: TestBacking
  let product: Product
  let browser: Browser
  let caddy: ReturnType<typeof startChild>
  let [https, http] = [0, 0]

  before(async function () {
    const program = await findCaddy()
    if (program === undefined) {
      console.log('  (https is not tried: no caddy on the PATH, in CADDY or from Debian)')
      return this.skip()
    }
    const ports = await Promise.all([freePort(), freePort(), freePort()])
    ;[https, http] = ports
    backing = await testBacking()
    product = new Product(join(folder.path, 'data'), {
      ...backing.env,
      PUBLIC_URL: `https://${NAME}:${https}`,
      TRUST_PROXY: '1',
      AUTHORITY_CERTIFICATE: `http://127.0.0.1:${ports[2]}/authority.crt`,
    })
    const { host } = new URL(await product.start())
    const file = join(folder.path, 'Caddyfile')
    const text = readFileSync(join(ROOT, 'infra/settings/npm-start.Caddyfile'), 'utf8')
      .replace(
        '{\n',
        `{\n\tadmin off\n\tdefault_bind 127.0.0.1\n\thttps_port ${https}\n\thttp_port ${http}\n`,
      )
      .replaceAll('127.0.0.1:3000', host)
      .replaceAll(':2080', `:${ports[2]}`)
      .replaceAll('/var/lib/caddy/.local/share', folder.path)
    writeFileSync(file, text)
    caddy = startChild(program, ['run', '--config', file, '--adapter', 'caddyfile'], {
      env: { PATH: process.env['PATH'], HOME: folder.path, XDG_DATA_HOME: folder.path },
      stdio: 'ignore',
    })
    await eventually(async () => expect((await plain('/trust')).status).to.equal(200), 60_000)
  })
  after(async () => {
    await browser?.close()
    if (caddy) await stopChild(caddy)
    await product?.stop()
    await backing?.drop()
    folder.remove()
  })

  const plain = (path: string) => fetch(`http://127.0.0.1:${http}${path}`, { redirect: 'manual' })
  const root = () => readFileSync(join(folder.path, 'caddy/pki/authorities/local/root.crt'), 'utf8')

  it('has certificates of its authority for the name and for the address', async () => {
    for (const [host, servername] of [
      [NAME, NAME],
      [ADDRESS, ''],
    ] as const) {
      await eventually(async () => {
        const socket = connect({
          host: '127.0.0.1',
          port: https,
          servername,
          ca: root(),
          checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate),
        })
        const fault = await new Promise<Error | undefined>(done => {
          socket.once('secureConnect', () => done(undefined))
          socket.once('error', done)
        })
        socket.destroy()
        expect(fault, host).to.equal(undefined)
      }, 60_000)
    }
  })

  it('leads from plain http to https, and offers the authority', async () => {
    expect((await plain('/login')).status).to.equal(308)
    expect(await (await plain('/trust')).text()).to.include(`https://${NAME}:${https}`)
    await eventually(async () => {
      const pem = await (await plain('/trust/bothy-authority.pem')).text()
      expect(pem.trim()).to.equal(root().trim())
    }, 60_000)
  })

  it('brings messages to people by name and by address, with calls and notifications', async () => {
    browser = await launchBrowser([
      `--host-resolver-rules=MAP ${NAME} 127.0.0.1, MAP ${ADDRESS} 127.0.0.1`,
      // The test above has looked at the certificates.
      '--ignore-certificate-errors',
    ])
    const people: BrowserUser[] = []
    for (const [name, host] of [
      ['ada', NAME],
      ['bob', ADDRESS],
    ] as const) {
      const user = await BrowserUser.take(browser, name, `https://${host}:${https}`)
      await user.signUp(PASSWORD)
      people.push(user)
      const allowed = await user.page.evaluate(
        '[isSecureContext, typeof navigator.mediaDevices.getUserMedia]',
      )
      expect(allowed, host).to.deep.equal([true, 'function'])
      const cookies = await user.page.context().cookies()
      expect(cookies.find(cookie => cookie.name === 'session')?.secure, host).to.equal(true)
    }
    await people[0]!.say('warm in here')
    await people[1]!.row('warm in here').waitFor()
  })

  it('is upgraded, with the smoke test', async () => {
    const env = {
      ...process.env,
      ...backing.env,
      BOTHY_DATA: join(folder.path, 'data'),
      BACKUP_DIR: join(folder.path, 'backups'),
      DATABASE_ADMIN_URL: backing.adminDatabaseUrl,
      PUBLIC_URL: `https://${NAME}:${https}`,
      TRUST_PROXY: '1',
    }
    const args = [join(ROOT, 'infra/tools/admin.ts'), 'upgrade', ROOT, '--despite-faults']
    const { stderr } = await promisify(execFile)(process.execPath, args, { env })
    expect(stderr).to.include('Smoke test: sign in')
  })
})
