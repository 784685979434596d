import { expect } from 'chai'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { FAKE_DEVICES } from '#shared/test-kit/browser.ts'
import type { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD } from '#shared/test-kit/person.ts'
import { focusIsOn, gone, shown } from '#shared/test-kit/visible.ts'
import { hidden, stopOf, stopsOf } from './focus.fixture.ts'

/** Nothing here uses a pointer. */
describe('the whole client by keyboard', function () {
  this.timeout(240_000)
  let stack: FullStack
  let ada: BrowserUser
  let bob: SignedIn
  let page: Page

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'design'] }, chromium: FAKE_DEVICES })
    const person = await stack.person('ada')
    bob = await stack.signedIn('bob')
    await bob.http.send('general', 'who has the key? @ada')
    const own = await person.send('general', 'it is under the third stone')
    await bob.http.react(own, 'eyes')
    const picture = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#5f8a94' } })
      .png()
      .toBuffer()
    await bob.http.sendImages('general', [{ name: 'weir.png', bytes: picture }], 'two pictures')
    await bob.http.sendImages('general', [{ name: 'gauge.png', bytes: picture }], 'the second')
    await bob.http.send('dm:ada:bob', 'hello ada')
    ada = await stack.user('ada')
    page = ada.page
  })
  after(() => stack?.close())

  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  /** The focus is on something that is drawn, and not on the page. */
  const isVisible = (where: string) =>
    eventually(async () => {
      const stop = await stopOf(page)
      expect(stop, `${where}: the focus is lost`).to.not.equal(undefined)
      expect(stop!.isVisible, `${where}: no focus is drawn on ${stop!.name}`).to.equal(true)
    })
  const isInComposer = () => focusIsOn(page, '[data-region=composer] textarea')
  const toMessage = async (text: string) => {
    await ada.row(text).focus()
    await isVisible(text)
  }
  const isOnMessage = (text: string) =>
    eventually(async () => expect(await ada.row(text).evaluate(one => one.matches(':focus'))).to.equal(true))

  it('the sign-in page leads through its fields and links', async () => {
    await page.goto('/login')
    const stops = await stopsOf(page)
    expect(stops.length).to.be.at.least(4)
    expect(hidden(stops)).to.deep.equal([])
    await page.reload()
    await page.getByLabel('Username').focus()
    await page.keyboard.type('ada')
    await press('Tab')
    await page.keyboard.type(PASSWORD)
    await press('Enter')
    await isInComposer()
  })

  it('Tab leads through all regions, forwards and back, and shows each stop', async () => {
    for (const key of ['Tab', 'Shift+Tab']) {
      const stops = await stopsOf(page, key)
      const regions = new Set(stops.map(({ inside }) => inside))
      expect([...regions], key).to.include.members(['sidebar', 'header', 'messages', 'composer'])
      expect(hidden(stops), key).to.deep.equal([])
      await page.locator('[data-region=composer] textarea').focus()
    }
  })

  it('F6 leads through all regions', async () => {
    const seen: string[] = []
    for (let at = 0; at < 4; at++) {
      await press('F6')
      await isVisible('F6')
      seen.push((await stopOf(page))!.inside)
    }
    expect(seen.sort()).to.deep.equal(['composer', 'header', 'messages', 'sidebar'])
  })

  it('the sidebar opens channels, and its menus return the focus to the row', async () => {
    await ada.sidebarRow('design').focus()
    await press('Shift+F10')
    await shown(page.getByRole('menu'))
    await isVisible('the menu of a row')
    await press('ArrowDown', 'Escape')
    await gone(page.getByRole('menu'))
    await eventually(async () =>
      expect(await ada.sidebarRow('design').evaluate(one => one.matches(':focus'))).to.equal(true),
    )
    await press('Enter')
    await shown(ada.heading.getByText('design'))
    await isInComposer()
    await page.keyboard.type('a draft')
    await page.locator('nav button', { hasText: 'Drafts' }).focus()
    await press('Enter')
    await isVisible('the page of drafts')
    await press('Escape')
    await isVisible('after the page of drafts')
    await ada.sidebarRow('general').focus()
    await press('Enter')
    await isInComposer()
    for (const name of ['Status and sign out', 'Notifications are on']) {
      const opener = page
        .locator('.sidebar-me')
        .getByRole('button', { name })
        .or(page.locator('.sidebar-me button'))
        .first()
      await opener.focus()
      await press('Enter')
      await isVisible(name)
      await press('Escape')
      await isVisible(`after ${name}`)
    }
  })

  it('the actions of a message return the focus to the message', async () => {
    await toMessage('under the third stone')
    await press('Shift+F10')
    await shown(page.getByRole('menu', { name: 'Message actions' }))
    await isVisible('the menu of a message')
    await press('Escape')
    await isOnMessage('under the third stone')
    await press('a')
    await focusIsOn(page, '.emoji-picker input')
    await isVisible('the reaction picker')
    await press('Escape')
    await isOnMessage('under the third stone')
    await press('Delete')
    await shown(ada.dialog)
    await isVisible('the question before a deletion')
    await press('Escape')
    await isOnMessage('under the third stone')
    await press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Reactions' }).focus()
    await press('Enter')
    await shown(page.locator('.popover', { hasText: 'Reactions' }))
    await isVisible('the people of the reactions')
    await press('Escape')
    await isOnMessage('under the third stone')
    await press('e')
    await focusIsOn(page, '.edit-box textarea')
    const box = await stopsOf(page, 'Tab', 4)
    expect(hidden(box)).to.deep.equal([])
    await page.locator('.edit-box textarea').focus()
    await press('Escape')
    await isVisible('after an edit')
    await toMessage('who has the key?')
    await press('r')
    await isInComposer()
    await press('Escape')
    await isInComposer()
  })

  it('the viewer goes on with the arrows, and returns the focus to its picture', async () => {
    const picture = ada.row('two pictures').locator('.image-attachment-open').first()
    await picture.focus()
    await isVisible('a picture')
    await press('Enter')
    await shown(ada.dialog)
    const isInside = () => eventually(async () => expect((await stopOf(page))?.inside).to.equal('dialog'))
    await isInside()
    await shown(ada.dialog.getByText('1 of 2'))
    await press('ArrowRight')
    await shown(ada.dialog.getByText('2 of 2'))
    await isInside()
    const stops = await stopsOf(page, 'Tab', 12)
    // The picture has the whole window, and no ring.
    expect(hidden(stops.filter(({ name }) => !name.startsWith('div Image from')))).to.deep.equal([])
    expect(new Set(stops.map(({ inside }) => inside))).to.deep.equal(new Set(['dialog']))
    await press('Escape')
    await gone(ada.dialog)
    await isVisible('after the viewer')
  })

  it('search and activity are walked with the arrows, and closed with Esc', async () => {
    await press('Control+Shift+F')
    await focusIsOn(page, '[data-region=panel] input')
    await page.keyboard.type('key')
    await shown(ada.panel.locator('.result'))
    expect(hidden(await stopsOf(page, 'Tab', 8))).to.deep.equal([])
    await page.locator('[data-region=panel] input').focus()
    await press('ArrowDown', 'Enter')
    await isVisible('after a result')
    await press('Control+Shift+F')
    await focusIsOn(page, '[data-region=panel] input')
    await press('Escape')
    await gone(ada.panel)
    await isVisible('after the search')
    await press('Control+Shift+M')
    await shown(ada.panel.locator('.result'))
    await isVisible('activity')
    expect(hidden(await stopsOf(page, 'Tab', 6))).to.deep.equal([])
    await ada.panel.locator('.result').first().focus()
    await press('Enter')
    await isVisible('after an entry of the activity')
    await ada.panel.getByRole('tab', { name: 'All' }).focus()
    await press('ArrowRight')
    await isVisible('the next tab')
    await press('Escape')
    await gone(ada.panel)
    await isVisible('after the activity')
    await press('Control+.')
    await shown(ada.panel)
    await isVisible('people')
    expect(hidden(await stopsOf(page, 'Tab', 4))).to.deep.equal([])
    await press('Control+.')
    await gone(ada.panel)
    await isVisible('after people')
  })

  it('dialogs keep the focus, and return it', async () => {
    await page.locator('[data-region=composer] textarea').focus()
    for (const keys of ['Control+k', 'Control+Shift+K', 'Control+/']) {
      await press(keys)
      await shown(ada.dialog)
      const stops = await stopsOf(page, 'Tab', 30)
      expect(stops.length, keys).to.be.at.least(1)
      // The field of Jump has the width of its dialog, and only the caret shows the focus.
      expect(hidden(stops.filter(({ name }) => name !== 'input Jump to')), keys).to.deep.equal([])
      await press('Escape')
      await gone(ada.dialog)
      await isInComposer()
    }
    const gear = page.getByRole('button', { name: 'Settings' })
    await gear.focus()
    await press('Enter')
    await shown(ada.dialog)
    for (const name of [
      'Profile',
      'Appearance',
      'Notifications',
      'Calls and devices',
      'Keyboard',
      'Password',
      'Sessions',
      'Delete account',
    ]) {
      await ada.dialog.getByRole('button', { name, exact: true }).focus()
      await press('Enter')
      await isVisible(name)
      const stops = await stopsOf(page, 'Tab', 40)
      expect(hidden(stops), name).to.deep.equal([])
    }
    await press('Escape')
    await gone(ada.dialog)
    await isVisible('after the settings')
  })

  it('the sheet of shortcuts says each thing once, beside its keys, in both languages (client review 37)', async () => {
    const german = await stack.signedIn(bob.http, () => localStorage.setItem('bothy language', 'de'))
    for (const { page, name } of [
      { page: ada.page, name: 'Keyboard shortcuts' },
      { page: german.page, name: 'Tastenkürzel' },
    ]) {
      await shown(page.locator('[data-region=composer] textarea'))
      await page.keyboard.press('Control+/')
      const sheet = page.getByRole('dialog', { name })
      await shown(sheet)
      const rows = await sheet.locator('dl > div').evaluateAll(divs =>
        divs.map(div => {
          const range = document.createRange()
          range.selectNodeContents(div.querySelector('dd')!)
          const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
          return { text: div.querySelector('dd')!.textContent, lines: lines.size }
        }),
      )
      const texts = rows.map(({ text }) => text)
      expect(texts).to.have.length.above(50)
      expect(texts.filter((text, at) => texts.indexOf(text) < at)).to.deep.equal([])
      expect(rows.filter(({ lines }) => lines > 2)).to.deep.equal([])
      await page.keyboard.press('Escape')
      await gone(sheet)
    }
    expect(german.complaints).to.deep.equal([])
    await german.page.context().close()
  })

  it('a call is started, steered, made small and left', async () => {
    await page.goto('/#/d/ada,bob')
    await shown(ada.heading.getByText('bob'))
    await page.getByRole('button', { name: 'Start a voice call' }).focus()
    await press('Enter')
    await shown(page.locator('.stage'))
    await isVisible('an outgoing call')
    await bob.page.getByRole('alertdialog').waitFor()
    await bob.page.keyboard.press('Alt+Enter')
    await bob.page.locator('.stage').waitFor()
    await shown(page.locator('.stage [data-person=bob]'))
    await isVisible('an answered call')
    await page.locator('.call-controls button').first().focus()
    const stops = await stopsOf(page, 'Tab', 40)
    expect(hidden(stops)).to.deep.equal([])
    await page.locator('.stage').getByRole('button', { name: 'Choose microphone and speaker' }).focus()
    await press('Enter')
    await isVisible('the devices')
    await press('Escape')
    await isVisible('after the devices')
    await page.locator('.stage').getByRole('button', { name: 'Add people' }).focus()
    await press('Enter')
    await shown(page.getByRole('dialog').getByLabel('Add people'))
    await isVisible('adding people')
    await press('Escape')
    await gone(page.getByRole('dialog'))
    await isVisible('after adding people')
    await page.locator('.stage').getByRole('button', { name: 'Keep the call in a corner' }).focus()
    await press('Enter')
    await shown(page.locator('.mini-call'))
    await isVisible('a small call')
    await page.locator('.mini-call').getByRole('button', { name: 'Back to the call' }).focus()
    await press('Enter')
    await shown(page.locator('.stage'))
    await isVisible('a large call')
    await page.locator('.stage').getByRole('button', { name: 'Hang up' }).focus()
    await press('Enter')
    await gone(page.locator('.stage'))
    await isVisible('after the call')
  })

  it('unknown addresses and channels can be left', async () => {
    await page.goto('/#/nonsense')
    await shown(page.getByText('There is nothing at this address'))
    const stops = await stopsOf(page)
    expect(stops.map(({ name }) => name)).to.include('a Go to #general')
    expect(hidden(stops)).to.deep.equal([])
  })
})
