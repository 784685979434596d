import { existsSync, mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { ROOT } from '#shared/runtime/config.ts'
import { launchBrowser } from '#shared/test-kit/browser.ts'
import { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { Person } from '#shared/test-kit/person.ts'
import { Product } from '#shared/test-kit/product.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'

describe('npm run dev', function () {
  this.timeout(300_000)
  let backing: TestBacking
  let data: string
  let product: Product
  let browser: Browser
  let ada: BrowserUser

  before(async function () {
    if (!existsSync('/proc/self/stat')) this.skip()
    backing = await testBacking()
    data = mkdtempSync(join(tmpdir(), 'bothy-dev-'))
    product = new Product(data, { ...backing.env }, 'dev')
    const url = await product.start()
    browser = await launchBrowser()
    ada = await BrowserUser.take(browser, 'ada', url)
    await ada.openAs(await new Person('ada', url).signUp())
  })
  after(async () => {
    await browser?.close()
    await product?.stop()
    if (data) rmSync(data, { recursive: true, force: true })
    await backing?.drop()
  })

  /** Touches a source file, as an editor that saves it unchanged. */
  const save = (path: string) => utimesSync(join(ROOT, path), new Date(), new Date())
  const pidsOf = (service: string) =>
    product
      .processes()
      .filter(
        ({ command }) => command.includes(`services/${service}/main.ts`) && !command.includes('--watch '),
      )
      .map(({ pid }) => pid)

  it('serves the client with its event stream', async () => {
    await ada.say('from the sources')
    await ada.page.locator('article:not([data-pending])', { hasText: 'from the sources' }).waitFor()
    expect(ada.complaints).to.deep.equal([])
  })

  it('updates a saved component without a reload', async () => {
    await ada.composer.fill('a draft')
    await ada.page.evaluate('globalThis.isSamePage = true')
    const updated = ada.page.waitForEvent('console', message => /hot updated/.test(message.text()))
    save('web/src/ui/IconButton.tsx')
    await updated
    expect(await ada.page.evaluate('globalThis.isSamePage')).to.equal(true)
    expect(await ada.composer.inputValue()).to.equal('a draft')
  })

  it('restarts only the service whose file is saved', async () => {
    const before = { api: pidsOf('api'), events: pidsOf('events') }
    expect(before.api).to.have.length(1)
    save('services/api/main.ts')
    await eventually(() => {
      expect(pidsOf('api')).to.have.length(1)
      expect(pidsOf('api')).to.not.deep.equal(before.api)
    }, 60_000)
    await ada.say('after the restart')
    await ada.page.locator('article:not([data-pending])', { hasText: 'after the restart' }).waitFor()
    expect(pidsOf('events')).to.deep.equal(before.events)
  })
})
