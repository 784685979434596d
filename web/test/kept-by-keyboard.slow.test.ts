import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { focusIsOn, gone, shown } from '#shared/test-kit/visible.ts'
import { hidden, stopsOf } from './focus.fixture.ts'

/** Nothing here uses a pointer. */
describe('Later, Scheduled, pins, files, versions, threads and search by keyboard, in both themes and on a phone', function () {
  this.timeout(300_000)
  let stack: FullStack
  let ada: SignedIn
  let bob: Person
  let page: Page

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'design'], keep_edits: true } })
    ada = await stack.signedIn('ada')
    bob = await stack.person('bob')
    page = ada.page
    const root = await bob.send('general', 'where is the long cable?')
    await ada.http.send('general', 'in the boat', { reply_to_id: String(root) })
    await bob.send('general', 'under the mast', { reply_to_id: String(root) })
    await bob.sendFiles('general', [
      { name: 'mast plan.pdf', bytes: '%PDF-1.4\n%%EOF\n' },
      { name: 'readings.csv', bytes: 'a,b\n' },
    ])
    const edited = await bob.send('general', 'the boat leaves at two')
    await stack.backing.admin(`update messages set ts = ts - 120 where id = ${edited}`)
    await bob.edit(edited, 'the boat leaves at three')
    await bob.send('general', 'the last message')
    // The time of a message never changes but here: the tab has not seen the former one.
    await page.reload()
    await shown(ada.row('the last message'))
  })
  after(() => stack?.close())
  afterEach(() => expect(ada.complaints).to.deep.equal([]))

  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  /** Each stop of the focus is drawn, and axe finds nothing: wide and on a phone, dark and light. */
  async function expectUsable(least: number) {
    for (const size of [
      { width: 390, height: 844 },
      { width: 1280, height: 800 },
    ]) {
      await page.setViewportSize(size)
      await expectAccessible(page)
    }
    const stops = await stopsOf(page)
    expect(stops.length, stops.map(({ name }) => name).join(', ')).to.be.at.least(least)
    expect(hidden(stops)).to.deep.equal([])
  }
  const entry = (text: string) => ada.panel.locator('li', { hasText: text })

  it('S keeps a message, H reminds of it and D is done with it', async () => {
    await ada.row('the last message').focus()
    await press('s')
    await page.goto('/#/saved')
    const kept = entry('the last message')
    await shown(kept)
    await focusIsOn(page, '.page-choice')
    await expectUsable(8)
    await kept.locator('a').focus()
    await press('h')
    await shown(page.getByRole('menuitem', { name: /^In an hour/ }))
    await expectAccessible(page)
    await press('ArrowDown', 'Enter')
    await shown(ada.panel.getByText('Coming up'))
    await entry('the last message').locator('a').focus()
    await press('d')
    await gone(entry('the last message'))
    await press('Escape')
    await gone(ada.panel)
  })

  it('arrows, J and K, Home and End move among what is kept', async () => {
    const texts = ['the last message', 'in the boat', 'the boat leaves at three']
    await page.goto('/#/c/general')
    for (const text of texts) {
      await ada.row(text).last().focus()
      await press('s')
      await shown(page.getByText('Saved for later'))
    }
    await page.goto('/#/saved')
    const link = (at: number) => ada.panel.locator('li a').nth(at)
    await shown(link(texts.length - 1))
    await link(0).focus()
    for (const [key, at] of [
      ['ArrowDown', 1],
      ['j', 2],
      ['ArrowDown', 2],
      ['ArrowUp', 1],
      ['k', 0],
      ['End', 2],
      ['Home', 0],
    ] as const) {
      await press(key)
      await eventually(async () =>
        expect(await link(at).evaluate(element => element === document.activeElement), key).to.equal(true),
      )
    }
    for (let left = texts.length; left > 0; left--) {
      await link(0).focus()
      await press('d')
      await eventually(async () => expect(await ada.panel.locator('li').count()).to.equal(left - 1))
    }
    await press('Escape')
    await gone(ada.panel)
  })

  it('a text is sent later, changed and cancelled', async () => {
    await ada.composer.focus()
    await page.keyboard.type('for tomorrow')
    await press('Control+Shift+Enter')
    await shown(page.getByRole('menuitem', { name: /^Tomorrow/ }))
    await expectAccessible(page)
    await press('ArrowDown', 'Enter')
    await eventually(async () => expect(await ada.composer.inputValue()).to.equal(''))
    await page.goto('/#/scheduled')
    await shown(entry('for tomorrow'))
    await expectUsable(6)
    await entry('for tomorrow').getByRole('button', { name: 'Edit the text' }).focus()
    await press('Enter')
    await focusIsOn(page, '.scheduled-editor textarea')
    await press('End')
    await page.keyboard.type(' at nine')
    await press('Tab', 'Enter')
    await shown(entry('for tomorrow at nine'))
    await entry('for tomorrow at nine').getByRole('button', { name: 'Cancel sending' }).focus()
    await press('Enter')
    await gone(entry('for tomorrow at nine'))
    await press('Escape')
  })

  it('P pins, and the details show pins and files', async () => {
    await page.goto('/#/c/general')
    await ada.row('the last message').last().focus()
    await press('p')
    await shown(page.getByRole('button', { name: 'Pins: 1 message' }))
    await page.getByRole('button', { name: 'Pins: 1 message' }).focus()
    await press('Enter')
    await shown(ada.panel.getByRole('button', { name: 'Unpin' }))
    await expectUsable(8)
    await ada.panel.getByRole('tab', { name: /^Pins/ }).focus()
    await press('ArrowRight')
    await shown(ada.panel.locator('.files-text', { hasText: 'mast plan.pdf' }))
    await focusIsOn(page, '#details-tab-files')
    await expectUsable(8)
    await ada.panel.getByLabel('Find by name').focus()
    await page.keyboard.type('mast')
    await gone(ada.panel.locator('.files-text', { hasText: 'readings.csv' }))
    await press('Escape')
  })

  it('earlier versions open from (edited) and close with Escape', async () => {
    await page.goto('/#/c/general')
    const button = ada.row('the boat leaves at three').getByRole('button', { name: '(edited)' })
    await button.focus()
    await press('Enter')
    await shown(page.getByRole('list', { name: 'Versions of this message' }))
    await expectAccessible(page)
    await press('Escape')
    await gone(page.getByRole('list', { name: 'Versions of this message' }))
    expect(await button.evaluate(one => one.matches(':focus'))).to.equal(true)
  })

  it('the list of threads leads to a thread, and T to that of a message', async () => {
    await page.goto('/#/threads')
    await shown(ada.panel.locator('.thread-item'))
    await focusIsOn(page, '.thread-item')
    await expectUsable(7)
    await ada.panel.locator('.thread-item').first().focus()
    await press('Enter')
    const thread = page.locator('.thread-panel')
    await shown(thread.locator('article', { hasText: 'under the mast' }))
    await expectUsable(8)
    await press('Escape')
    await gone(thread)
    await focusIsOn(page, '.thread-item')
    await press('Escape')
    await gone(ada.panel)
  })

  it('a search with filters is written, narrowed and opened', async () => {
    await page.goto('/#/search/from%3Abob%20in%3Ageneral%20boat%20-cable')
    await shown(ada.panel.locator('.result', { hasText: 'the boat leaves at three' }))
    await expectUsable(8)
    const filter = ada.panel.locator('.search-filters button').nth(2)
    await filter.focus()
    await press('Enter')
    await shown(page.getByRole('option').first())
    await expectAccessible(page)
    await press('Escape')
    await ada.panel.getByRole('combobox').first().focus()
    await press('ArrowDown', 'Enter')
    await shown(page.locator('article.is-flashing', { hasText: 'the boat leaves at three' }))
  })
})
