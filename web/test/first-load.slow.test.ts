import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import type { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, startFullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD, type Person } from '#shared/test-kit/person.ts'

/** JavaScript that the page names, in bytes (ui.md 10). Browsers accept Brotli over HTTPS only, and from localhost. */
const LARGEST = { brotli: 70 * 1024, gzip: 81 * 1024 }

/** Records the moment at which messages are shown and the composer accepts input. */
const WATCH = `{
  const look = () => {
    const isThere = document.querySelector('[data-region=composer] textarea') && document.querySelector('#messages article[data-message-id]')
    if (isThere) globalThis.shownAt = performance.now()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}`

/** Requests before and after the first screen (ui.md 6.1 and 10). */
describe('the first load', function () {
  this.timeout(180_000)
  let stack: FullStack
  let ada: BrowserUser
  let bob: Person
  let den: string

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'design'] } })
    bob = await stack.person('bob')
    ada = await stack.user('ada')
    await ada.signUp(PASSWORD)
    const made = await bob.postJson('/private_channels/create', { name: 'den', members: ['ada'] })
    den = ((await made.json()) as { channel: string }).channel
    await bob.send(den, 'in the den')
    await bob.send('dm:ada:bob', 'just us')
    await bob.send('general', 'a link: http://127.0.0.1/weir')
    for (let i = 0; i < 70; i++) await bob.send('design', `unread ${i}.`)
  })
  after(() => stack?.close())

  /** A page with ada's session on a new device. */
  async function emptyPage() {
    const context = await stack.browser.newContext({
      storageState: await ada.page.context().storageState(),
      baseURL: stack.url,
      viewport: { width: 1280, height: 800 },
    })
    return context.newPage()
  }

  /** Removes the lists from the page, as when the server could not collect them in time. */
  const withoutLists = (page: Page) =>
    page.route('**/', async route => {
      const response = await route.fetch()
      const body = (await response.text()).replace(/<script [^>]*id="lists">.*?<\/script>/s, '')
      await route.fulfill({ response, body })
    })

  /** A busy server sends a page without the lists; then another device opens it. */
  async function pageWithLists(hash: string): Promise<Page> {
    for (;;) {
      const page = await emptyPage()
      await page.addInitScript(WATCH)
      const response = await page.goto(`/${hash}`)
      if ((await response!.text()).includes('id="lists"')) return page
      await page.context().close()
    }
  }

  async function onAnotherDevice(hash: string, see: (page: Page) => Promise<void>) {
    const page = await pageWithLists(hash)
    await eventually(async () => expect(await page.evaluate('globalThis.shownAt')).to.be.a('number'))
    await see(page)
    await page.context().close()
  }

  const asked = (page: Page, when = 'true') =>
    page.evaluate<string[]>(
      `performance.getEntriesByType('resource').filter(entry => ${when}).map(entry => entry.name.replace(location.origin, ''))`,
    )
  const beforeItWasShown = 'entry.startTime < shownAt'
  const kindOf = (address: string) =>
    address.replace(/^\/assets\/(.*)-[\w-]{8}(\.\w+)$/, '$1$2').replace(/\?.*/, '')

  it('fetches nothing that the first screen does not need until it is shown', async () => {
    await onAnotherDevice('#/c/general', async page => {
      const files = (await asked(page, beforeItWasShown)).map(kindOf)
      expect(new Set(files)).to.deep.equal(
        new Set([
          'theme.js',
          'index.js',
          'index.css',
          'en.js',
          'hanken-grotesk-latin-wght-normal.woff2',
          '/messages/general',
          '/read_receipts/general',
          ...files.filter(file => file === 'logo.svg'),
        ]),
      )
    })
  })

  it('has at most 70 KB of compressed JavaScript, and 81 KB over plain HTTP', async () => {
    const page = await emptyPage()
    await page.goto('/')
    const scripts = await page.evaluate(() =>
      [...document.scripts].flatMap(script => (script.src ? [script.src] : [])),
    )
    const bodies = await Promise.all(scripts.map(async src => (await page.request.get(src)).body()))
    const sizeWith = (compress: (body: Buffer) => Buffer) =>
      bodies.reduce((sum, body) => sum + compress(body).length, 0)
    expect(scripts).to.have.length(2)
    expect(sizeWith(body => brotliCompressSync(body))).to.be.within(1, LARGEST.brotli)
    expect(sizeWith(body => gzipSync(body))).to.be.within(1, LARGEST.gzip)
    await page.context().close()
  })

  /** `arrive` lets the page have the second entry. */
  async function pageWithoutSecondEntry() {
    const page = await emptyPage()
    let arrive = () => {}
    const held = new Promise<void>(resolve => {
      arrive = resolve
    })
    await page.route('**/after-first-screen-*.js', async route => {
      await held
      await route.continue()
    })
    await page.goto('/#/c/general')
    return { page, arrive: () => arrive() }
  }

  it('sends before the second entry is there; once it is, chords act and a row under the pointer has its toolbar', async () => {
    const { page, arrive } = await pageWithoutSecondEntry()
    const field = page.locator('[data-region=composer] textarea')
    await field.fill('an early bird')
    await page.keyboard.press('Enter')
    await page.locator('article[data-pending=sent]', { hasText: 'an early bird' }).waitFor()
    await page.locator('article', { hasText: 'an early bird' }).hover()
    await page.keyboard.type('loud')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('and quiet')
    await page.keyboard.press('Shift+Home')
    await page.keyboard.press('Control+b')
    arrive()
    await eventually(async () => expect(await field.inputValue()).to.equal('loud\n*and quiet*'))
    await page.locator('article', { hasText: 'an early bird' }).getByRole('toolbar').waitFor()
    await page.context().close()
  })

  it('opens the menu of a row that was pressed before its code was there', async () => {
    const { page, arrive } = await pageWithoutSecondEntry()
    await page.locator('[data-channel="design"]').click({ button: 'right' })
    arrive()
    await page.getByRole('menu', { name: 'Actions for #design' }).waitFor()
    await page.context().close()
  })

  it('fetches the rest afterwards by itself', async () => {
    await onAnotherDevice('#/c/general', async page => {
      await eventually(async () =>
        expect((await asked(page)).map(kindOf)).to.include.members(['after-first-screen.js', '/people']),
      )
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    })
  })

  it('requests the rows of the open channel once, and no lists', async () => {
    const places = ['#/c/general', '#/c/design', `#/p/${den.replace('private:', '')}`, '#/d/bob,ada', '']
    for (const place of places)
      await onAnotherDevice(place, async page => {
        await eventually(async () => expect((await asked(page)).map(kindOf)).to.include('/people'))
        const all = await asked(page)
        const rows = all.filter(address => address.startsWith('/messages/'))
        expect(rows, place || 'nothing named').to.have.length(1)
        if (place === '#/c/design') expect(rows[0]).to.match(/limit=90&extra=1$/)
        for (const list of ['/channels', '/private_channels', '/dms', '/channel_unreads'])
          expect(all.map(kindOf)).to.not.include(list)
      })
  })

  it('shows everything in a window that is visible according to the browser but gets no frames', async () => {
    const page = await emptyPage()
    await page.addInitScript('globalThis.requestAnimationFrame = () => 0')
    await page.goto('/#/c/design')
    await page.locator('#messages article', { hasText: 'unread 69.' }).waitFor({ state: 'attached' })
    await bob.send('design', 'and one more')
    await page.locator('#messages article', { hasText: 'and one more' }).waitFor({ state: 'attached' })
    await page.context().close()
  })

  it('does not depend on the browser’s databases, which keep the cached view', async () => {
    const page = await emptyPage()
    await page.addInitScript('IDBFactory.prototype.open = () => new EventTarget()')
    await withoutLists(page)
    await page.goto('/#/c/general')
    await page.locator('[data-region=composer] textarea').fill('written without a database')
    await page.keyboard.press('Enter')
    await page.locator('article:not([data-pending])', { hasText: 'written without a database' }).waitFor()
    await page.context().close()
  })

  it('retries where a busy server could not respond', async () => {
    const page = await emptyPage()
    await withoutLists(page)
    let refused = 0
    await page.route('**/channels', route =>
      refused++ === 0 ? route.fulfill({ status: 503, body: 'busy' }) : route.continue(),
    )
    await page.goto('/#/c/general')
    await page.locator('[data-region=composer] textarea').waitFor()
    expect(refused).to.be.greaterThan(1)
    await page.context().close()
  })

  it('keeps no lists in the page for moments without a server', async () => {
    await ada.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await ada.page.reload()
    await eventually(async () => {
      const kept = await ada.page.evaluate(async () => (await caches.match('/'))?.text())
      expect(kept).to.include('name="viewer"').and.not.include('id="lists"')
    })
    expect(ada.complaints).to.deep.equal([])
  })
})
