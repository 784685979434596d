import { expect } from 'chai'
import type { BrowserContextOptions, Page, Route } from 'playwright-core'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, startFullStack } from '#shared/test-kit/full-stack.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { gone, shown } from '#shared/test-kit/visible.ts'

const SECRET = 'heather'

describe('a failure shows a sentence and a button, never a blank page', function () {
  this.timeout(120_000)
  let stack: FullStack
  let ada: Person

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'design', 'empty'] } })
    await stack.person('bob')
    ada = await stack.person('ada')
    await ada.send('general', 'before')
    await ada.send('general', 'forged')
    await ada.send('general', 'after')
    await ada.send('design', `about ${SECRET}`)
  })
  after(() => stack?.close())

  /** A page of ada's without a service worker, whose requests a test could not intercept. */
  async function openPage(options: BrowserContextOptions = {}) {
    const context = await stack.browser.newContext({
      baseURL: stack.url,
      serviceWorkers: 'block',
      viewport: { width: 1280, height: 800 },
      ...options,
    })
    const [name, value] = ada.cookie.split('=') as [string, string]
    await context.addCookies([{ name, value, url: stack.url, httpOnly: true, sameSite: 'Lax' }])
    return context.newPage()
  }

  const composer = (page: Page) => page.locator('[data-region=composer] textarea')
  const reports = () =>
    stack.api[0]!.output()
      .split('\n')
      .filter(line => line.includes('"client error"'))
      .map(line => JSON.parse(line).report)
  const forge = (change: (rows: { content: unknown }[]) => unknown) => async (route: Route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: change(await response.json()) })
  }

  it('a malformed message is a sentence in its place, among the others', async () => {
    const page = await openPage()
    await page.route(
      '**/messages/general*',
      forge(rows =>
        rows.map(row => (row.content === 'forged' ? { ...row, content: { text: SECRET } } : row)),
      ),
    )
    await page.goto('/#/c/general')
    await shown(page.locator('article', { hasText: 'before' }))
    await shown(page.locator('article', { hasText: 'after' }))
    await shown(
      page
        .locator('article', { hasText: 'This message cannot be shown.' })
        .getByRole('button', { name: 'Reload' }),
    )
    await shown(composer(page))
    await expectAccessible(page)
    await eventually(() => expect(reports().map(one => one.place)).to.include('response'))
    await page.context().close()
  })

  it('a key in the message list that is pressed before its code is loaded acts then', async () => {
    const page = await openPage()
    const held = Promise.withResolvers<void>()
    await page.route('**/assets/after-first-screen-*.js', async route => {
      await held.promise
      await route.continue()
    })
    await page.goto('/#/c/general')
    await page.locator('article', { hasText: 'after' }).focus()
    await page.keyboard.press('ArrowUp')
    held.resolve()
    await eventually(async () =>
      expect(await page.evaluate(() => document.activeElement?.textContent)).to.contain('forged'),
    )
    await page.context().close()
  })

  it('a key whose code comes more than ten seconds later does nothing any more', async () => {
    const page = await openPage()
    const held = Promise.withResolvers<void>()
    await page.route('**/assets/after-first-screen-*.js', async route => {
      await held.promise
      await route.continue()
    })
    await page.goto('/#/c/general')
    const row = page.locator('article', { hasText: 'after' })
    await row.focus()
    await row.evaluate(article =>
      // As if it had been pressed long ago.
      article.dispatchEvent(
        Object.defineProperty(
          new KeyboardEvent('keydown', { key: 'k', code: 'KeyK', ctrlKey: true, bubbles: true }),
          'timeStamp',
          {
            value: performance.now() - 15_000,
          },
        ),
      ),
    )
    const code = page.waitForResponse('**/assets/after-first-screen-*.js')
    held.resolve()
    // Earlier, the next key would take the place of the first one.
    await page.evaluate(address => import(address).then(() => undefined), (await code).url())
    // The next key acts, which it would not beside the dialog of the first one.
    await eventually(async () => {
      await page.keyboard.press('Control+/')
      await eventually(async () =>
        expect(await page.locator('.keyboard-sheet-row').count()).to.be.greaterThan(0),
      )
    })
    await page.context().close()
  })

  it('a malformed list of messages offers to try again, which also happens by itself', async () => {
    const page = await openPage()
    await page.route(
      '**/messages/general*',
      forge(() => ({ not: 'a list' })),
    )
    await page.goto('/#/c/general')
    await shown(page.getByText('Could not load #general'))
    await shown(page.getByRole('button', { name: 'Try again' }))
    await page.unrouteAll()
    await shown(page.locator('article', { hasText: 'before' }))
    await page.context().close()
  })

  it('a malformed list of choices, in the page or requested, is a sentence with a button', async () => {
    const page = await openPage()
    await page.route('**/', async route => {
      const response = await route.fetch()
      const body = (await response.text()).replace(
        /"sidebar":\{"rev":\d+,"sections":\[\],"channels":/,
        '"sidebar":{"forged":',
      )
      await route.fulfill({ response, body })
    })
    await page.route('**/sidebar', route => route.fulfill({ json: { not: 'channels' } }))
    await page.goto('/#/c/general')
    await shown(page.getByText('The list of channels could not be loaded.'))
    await page.unroute('**/sidebar')
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await shown(page.locator('article', { hasText: 'before' }))
    await page.context().close()
  })

  it('malformed activity and search results are sentences with a button', async () => {
    const page = await openPage()
    const panel = page.locator('[data-region=panel]')
    await page.route('**/inbox*', route => route.fulfill({ json: { items: 'none' } }))
    await page.route('**/search?*', route => route.fulfill({ json: { items: [] } }))
    await page.goto('/#/mentions')
    await panel.getByRole('tab', { name: 'Replies' }).click()
    await shown(panel.getByText('The activity could not be loaded.'))
    await page.goto('/#/search/before')
    await shown(panel.getByRole('button', { name: 'Try again' }))
    await page.unrouteAll()
    await panel.getByRole('button', { name: 'Try again' }).click()
    await shown(panel.locator('.result', { hasText: 'before' }))
    await page.context().close()
  })

  it('the sidebar, a panel and a dialog that cannot be drawn leave the rest', async () => {
    const page = await openPage()
    const broken = page.getByText('Something broke here')
    await page.addInitScript(() => {
      const { createElementNS } = Document.prototype
      // An element that only the sidebar has at first.
      const fails = { tag: 'h2' }
      Object.assign(globalThis, { fails })
      Document.prototype.createElementNS = function (this: Document, space: string, name: string) {
        if (name === fails.tag) throw new RangeError('not drawn')
        return createElementNS.call(this, space, name)
      } as typeof createElementNS
    })
    const fail = (tag: string) => page.evaluate(`fails.tag = '${tag}'`)
    await page.goto('/#/c/general')
    await shown(page.locator('article', { hasText: 'after' }))
    await shown(page.locator('.app > .centred', { has: broken }).getByRole('button', { name: 'Reload' }))
    await expectAccessible(page)

    await fail('aside')
    await page.getByRole('button', { name: 'Details of this channel' }).click()
    await shown(page.locator('.app-sheet > .panel.centred', { has: broken }))
    await shown(page.locator('article', { hasText: 'after' }))
    await fail('')
    await page.goBack()
    await gone(page.locator('.app-sheet > .panel.centred'))

    await fail('dialog')
    await page.keyboard.press('Control+k')
    await shown(
      page.locator('.toast', { hasText: 'Something broke here' }).getByRole('button', { name: 'Reload' }),
    )
    await composer(page).fill('still here')
    await eventually(() =>
      expect(reports().map(one => one.place)).to.include.members(['sidebar', 'panel', 'dialog']),
    )
    await page.context().close()
  })

  it('an exception while drawing leaves the other regions, and the next channel works', async () => {
    const page = await openPage()
    await page.goto('/#/c/empty')
    await composer(page).waitFor()
    await page.evaluate(secret => {
      const { toISOString } = Date.prototype
      const { select } = Intl.PluralRules.prototype
      const fails = () => {
        throw new RangeError(`${secret} in an exception`)
      }
      Object.assign(globalThis, {
        breakRows: () => Object.assign(Date.prototype, { toISOString: fails }),
        breakRegion: () => Object.assign(Intl.PluralRules.prototype, { select: fails }),
        mend() {
          Object.assign(Date.prototype, { toISOString })
          Object.assign(Intl.PluralRules.prototype, { select })
        },
      })
    }, SECRET)
    await page.evaluate('breakRows()')
    await page.locator('nav a.sidebar-row', { hasText: 'design' }).click()
    await shown(page.locator('article', { hasText: 'This message cannot be shown.' }))
    await shown(composer(page))
    await page.evaluate('breakRegion()')
    await page.locator('nav a.sidebar-row', { hasText: 'general' }).click()
    await shown(page.getByText('Something broke here'))
    await shown(page.locator('.app-main').getByRole('button', { name: 'Reload' }))
    await page.evaluate('mend()')
    await page.locator('nav a.sidebar-row', { hasText: 'empty' }).click()
    await shown(composer(page))
    await gone(page.getByText('Something broke here'))
    await eventually(() => {
      expect(reports().map(one => one.place)).to.include.members(['row', 'channel'])
      const report = reports().find(one => one.place === 'channel')
      expect(report).to.include({ name: 'RangeError', message_class: 'other' })
      expect(report.stack[0]).to.match(/^index-[\w-]+\.js:\d+:\d+$/)
      expect(report.build).to.match(/^index-[\w-]+\.js$/)
    })
    expect(stack.api[0]!.output()).to.not.include(SECRET)
    await page.context().close()
  })

  it('a bundle that cannot be loaded leaves a card with a button, in the language of the browser', async () => {
    const page = await openPage({ locale: 'de-DE' })
    await page.route('**/assets/index-*.js', route => route.abort())
    await page.goto('/')
    await shown(page.getByRole('heading', { name: 'bothy ist nicht gestartet' }))
    await expectAccessible(page)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Neu laden' }).click()
    await shown(composer(page))
    await eventually(() => expect(reports().map(one => one.message_class)).to.include('not-loaded'))
    await page.context().close()
  })

  it('a bundle that takes longer than ten seconds is announced, and still starts', async () => {
    const page = await openPage()
    let deliver = () => {}
    const arrives = new Promise<void>(resolve => {
      deliver = resolve
    })
    await page.route('**/assets/index-*.js', async route => {
      await arrives
      await route.continue()
    })
    await page.clock.install()
    await page.goto('/', { waitUntil: 'commit' })
    await page.locator('.app-skeleton').waitFor({ state: 'attached' })
    await page.clock.fastForward(10_100)
    await shown(page.getByRole('heading', { name: 'bothy did not start' }))
    await shown(page.getByRole('button', { name: 'Reload' }))
    deliver()
    await shown(composer(page))
    await gone(page.getByRole('heading', { name: 'bothy did not start' }))
    await page.context().close()
  })

  it('without JavaScript there is a card that says so', async () => {
    const page = await openPage({ javaScriptEnabled: false })
    await page.goto('/')
    await shown(page.getByRole('heading', { name: 'bothy needs JavaScript' }))
    expect(await page.locator('.app-skeleton').isVisible()).to.equal(false)
    await page.context().close()
  })

  it('a part that cannot be loaded is a toast, and "Try again" opens it', async () => {
    const page = await openPage()
    await page.route('**/assets/after-first-screen-*.js', route => route.abort())
    await page.goto('/#/c/general')
    await composer(page).waitFor()
    await page.keyboard.press('Control+k')
    await shown(page.getByText('This part of bothy could not be loaded.'))
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await shown(page.getByPlaceholder('Channel, person or action'))
    await eventually(() =>
      expect(
        reports()
          .filter(one => one.place === 'part')
          .map(one => one.message_class),
      ).to.include('not-loaded'),
    )
    await page.context().close()
  })
})
