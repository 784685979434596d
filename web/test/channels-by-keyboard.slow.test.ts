import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { focusIsOn, gone, shown } from '#shared/test-kit/visible.ts'
import { hidden, stopsOf } from './focus.fixture.ts'

/** Nothing here uses a pointer. */
describe('channel browser, new channel, details and status by keyboard, in both themes and on a phone', function () {
  this.timeout(300_000)
  let stack: FullStack
  let ada: SignedIn
  let page: Page

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'design'] } })
    ada = await stack.signedIn('ada')
    const bob = await stack.person('bob')
    page = ada.page
    const made = await bob.postJson('/public_channels', { name: 'North bank', topic: 'Fourteen gauges' })
    expect(made.status).to.equal(201)
    await bob.send('north-bank', 'first round on Monday')
    await shown(ada.composer)
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
    expect(stops.length).to.be.at.least(least)
    expect(hidden(stops)).to.deep.equal([])
  }
  const fromMenu = async (name: string) => {
    await ada.button('Browse or create channels').focus()
    await press('Enter')
    await focusIsOn(page, '[role=menuitem]')
    await page.getByRole('menuitem', { name }).focus()
    await press('Enter')
  }

  it('a channel is found in the browser, joined and opened', async () => {
    await fromMenu('Browse channels')
    await focusIsOn(page, '.browse-field input')
    await shown(page.locator('.browse-row', { hasText: 'North bank' }))
    await expectUsable(8)
    await page.locator('.browse-field input').focus()
    await page.keyboard.type('gauges')
    await shown(page.getByText('1 of 3 channels', { exact: true }))
    await press('Control+Enter')
    await shown(ada.sidebarRow('North bank'))
    await press('Enter')
    await shown(ada.row('first round on Monday'))
    await focusIsOn(page, '[data-region=composer] textarea')
  })

  it('a channel is made, with a private one in between', async () => {
    await fromMenu('New channel')
    await focusIsOn(page, 'dialog[open] input')
    await page.keyboard.type('South bank')
    await expectUsable(6)
    const everyone = ada.dialog.getByRole('radio', { name: /^Everyone/ })
    await everyone.focus()
    await press('ArrowRight')
    await eventually(async () =>
      expect(await ada.dialog.getByRole('radio', { name: /^Private/ }).isChecked()).to.equal(true),
    )
    await expectUsable(5)
    await ada.dialog.getByRole('radio', { name: /^Private/ }).focus()
    await press('ArrowLeft')
    await eventually(async () => expect(await everyone.isChecked()).to.equal(true))
    await ada.dialog.getByLabel('Name').focus()
    await press('Enter')
    await shown(ada.heading.getByText('South bank'))
    await gone(ada.dialog)
  })

  it('the details are opened, read tab by tab, changed and left', async () => {
    await press('Control+.')
    await shown(ada.panel.getByRole('tab', { name: 'About', selected: true }))
    await expectUsable(8)
    for (const tab of ['people', 'pins', 'files']) {
      await page.locator('[role=tab][aria-selected=true]').focus()
      await press('ArrowRight')
      await focusIsOn(page, `#details-tab-${tab}`)
      await expectUsable(4)
    }
    await page.locator('#details-tab-files').focus()
    await press('Home')
    await focusIsOn(page, '#details-tab-about')
    await press('End')
    await focusIsOn(page, '#details-tab-files')
    await press('Home')
    await focusIsOn(page, '#details-tab-about')
    await ada.panel.getByRole('button', { name: 'Edit: Topic' }).focus()
    await press('Enter')
    await page.keyboard.type('Two gauges')
    await press('Enter')
    await shown(page.locator('.channel-header-topic', { hasText: 'Two gauges' }))
    await press('Escape')
    await gone(ada.panel)
  })

  it('a status is set from the foot of the sidebar, which gets the focus back', async () => {
    const open = async () => {
      await page.locator('.sidebar-me-person').focus()
      await press('Enter')
      await focusIsOn(page, ':is([role=menuitem], [role=menuitemradio])')
      await page.getByRole('menuitem', { name: 'Set a status' }).focus()
      await press('Enter')
      await focusIsOn(page, '.status-dialog-field input')
    }
    await open()
    await expectUsable(8)
    await press('Escape')
    await gone(ada.dialog)
    await open()
    await page.keyboard.type('On the bench')
    await press('Enter')
    await shown(page.locator('.sidebar-me').getByText('On the bench'))
    await gone(ada.dialog)
    await focusIsOn(page, '.sidebar-me-person')
  })

  it('the menu of the channels follows the rights of the viewer while it is open', async () => {
    const allow = (who: string) =>
      stack.backing.settings({ channels: ['general', 'design'], who_creates_channels: who })
    const cleo = await stack.signedIn('cleo')
    const item = (name: string) => cleo.page.getByRole('menuitem', { name })
    allow('admins')
    await eventually(async () => {
      await cleo.button('Browse or create channels').focus()
      await cleo.page.keyboard.press('Enter')
      await shown(item('New section'))
      const count = await item('New channel').count()
      if (count > 0) await cleo.page.keyboard.press('Escape')
      expect(count).to.equal(0)
    })
    allow('members')
    await shown(item('New channel'))
    await cleo.leave()
  })

  it('the fields of a new channel follow each other without a hole, in both languages (client review 36)', async () => {
    const german = await stack.signedIn(ada.http, () => localStorage.setItem('bothy language', 'de'))
    await shown(german.composer)
    for (const { page, opener, item, words } of [
      {
        page: ada.page,
        opener: 'Browse or create channels',
        item: 'New channel',
        words: ['Name', 'What is it for? Optional'],
      },
      {
        page: german.page,
        opener: 'Kanäle finden oder anlegen',
        item: 'Neuer Kanal',
        words: ['Name', 'Wofür ist er? Optional'],
      },
    ]) {
      await page.getByRole('button', { name: opener }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('menuitem', { name: item }).focus()
      await page.keyboard.press('Enter')
      const fields = page.locator('dialog[open] .field')
      await shown(fields.first())
      const seen = await fields.evaluateAll(all =>
        all.map(field => ({
          top: field.getBoundingClientRect().top,
          end: field.querySelector('.input')!.getBoundingClientRect().bottom,
          label: field.querySelector('label')?.textContent,
        })),
      )
      expect(seen.slice(0, 2).map(({ label }) => label)).to.deep.equal(words)
      expect(seen[1]!.top - seen[0]!.end, 'px from the name to its follower').to.be.within(8, 24)
      await page.keyboard.press('Escape')
      await gone(page.locator('dialog[open]'))
    }
    expect(german.complaints).to.deep.equal([])
    await german.page.context().close()
  })
})
