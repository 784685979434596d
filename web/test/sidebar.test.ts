import { expect } from 'chai'
import type { Page } from 'playwright-core'
import type { SidebarPayload } from '#shared/domain/payloads.ts'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { focusIsOn, gone, shown } from '#shared/test-kit/visible.ts'

describe('the rows of the sidebar', function () {
  this.timeout(120_000)
  let stack: FullStack
  let ada: SignedIn
  let bob: Person
  const DM = 'dm:ada:bob'

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'design', 'deploys'] } })
    bob = await stack.person('bob')
    ada = await stack.signedIn('ada')
  })
  after(async () => {
    expect(ada?.complaints ?? []).to.deep.equal([])
    await stack?.close()
  })

  it('do not show the own state as offline after a reload', async () => {
    const state = ada.page.locator('.sidebar-me-text')
    await shown(state.getByText('Active'))
    await ada.page.context().addInitScript(() => {
      const seen: string[] = []
      Object.assign(globalThis, { seen })
      const look = () => seen.push(document.querySelector('.sidebar-me-text')?.textContent ?? '')
      new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true })
    })
    await ada.page.reload()
    await shown(state.getByText('Active'))
    await shown(ada.row('Welcome to bothy, ada!'))
    const seen = await ada.page.evaluate<string[]>('seen')
    expect(seen.filter(text => text.includes('Offline'))).to.deep.equal([])
  })

  const row = (name: string) => ada.sidebarRow(name)
  const count = (name: string) => row(name).locator('.unread-count')
  const menuOf = async (name: string) => {
    await row(name).click({ button: 'right' })
    await shown(ada.page.getByRole('menu', { name: `Actions for #${name}` }))
  }
  const choose = async (name: string, item: string) => {
    await menuOf(name)
    await ada.page.getByRole('menuitem', { name: item }).click()
  }
  const mute = async (name: string, item: string) => {
    await choose(name, 'Mute')
    await ada.page.getByRole('menuitem', { name: item }).click()
  }
  const weightOf = (name: string) =>
    row(name).evaluate(element => Number(getComputedStyle(element).fontWeight))
  const open = async (name: string) => {
    await row(name).click()
    await shown(ada.heading.getByText(name))
  }

  it('have a menu by right click that marks as read and as unread', async () => {
    await bob.send('design', 'one')
    await bob.send('design', 'two')
    await shown(count('design').getByText('2'))
    await menuOf('design')
    await expectAccessible(ada.page)
    await ada.page.getByRole('menuitem', { name: 'Mark as read' }).click()
    await gone(count('design'))
    await choose('design', 'Mark as unread')
    await shown(count('design').getByText('1'))
  })

  it('are read one by one, and Undo restores the count', async () => {
    await bob.send('design', 'three')
    await shown(count('design').getByText('2'))
    await choose('design', 'Mark as read')
    await shown(ada.page.locator('.toast', { hasText: '#design is read.' }))
    await gone(count('design'))
    await ada.page.locator('.toast-action', { hasText: 'Undo' }).click()
    await shown(count('design').getByText('2'))
    await ada.page.reload()
    await shown(count('design').getByText('2'))
  })

  it('copy the link of a channel, and close a conversation', async () => {
    await ada.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await choose('design', 'Copy link')
    await shown(ada.page.locator('.toast', { hasText: 'Link copied' }))
    expect(await ada.page.evaluate(() => navigator.clipboard.readText())).to.match(/\/#\/c\/design$/)
    await bob.send(DM, 'hello')
    const direct = ada.page.locator(`[data-channel="${DM}"]`)
    await direct.click({ button: 'right' })
    await ada.page.getByRole('menuitem', { name: 'Close conversation' }).click()
    await gone(direct)
    await ada.page.locator('.toast-action').click()
    await shown(direct)
  })

  it('count a channel from the message that U has marked, until it is left and opened again', async () => {
    await bob.send('deploys', 'first')
    await bob.send('deploys', 'second')
    await bob.send('deploys', 'third')
    await open('deploys')
    await shown(ada.row('third'))
    await ada.page.mouse.move(600, 400)
    await ada.row('third').click()
    await gone(count('deploys'))
    await ada.row('second').focus()
    await ada.page.keyboard.press('u')
    await shown(count('deploys').getByText('2'))
    await shown(ada.page.locator('.new-messages-line'))
    await ada.page.mouse.move(620, 420)
    await bob.send('deploys', 'fourth')
    await shown(count('deploys').getByText('3'))

    await open('general')
    expect(await count('deploys').textContent()).to.equal('3')
    await open('deploys')
    await shown(ada.page.locator('.new-messages-line'))
    await ada.page.mouse.move(600, 400)
    await ada.row('fourth').click()
    await gone(count('deploys'))
  })

  it('are all read with Shift+Esc, and Undo restores every count', async () => {
    await open('general')
    await bob.send('design', 'more')
    await bob.send('deploys', 'hello @ada')
    await shown(row('deploys').locator('.is-mention'))
    const before = await count('design').textContent()
    await ada.page.keyboard.press('Shift+Escape')
    await gone(count('design'))
    await gone(row('deploys').locator('.is-mention'))
    await ada.page.locator('.toast-action', { hasText: 'Undo' }).click()
    await shown(row('deploys').locator('.is-mention'))
    await eventually(async () => expect(await count('design').textContent()).to.equal(before))
    await ada.page.keyboard.press('Shift+Escape')
    await gone(count('design'))
  })

  it('are dim and not bold in a muted channel, with a pill for a mention by name alone', async () => {
    const quiet = await weightOf('design')
    await mute('design', 'Mute until I turn it on')
    await shown(row('design').getByRole('img', { name: 'Muted' }))
    await bob.send('design', 'for @everyone')
    await shown(count('design').getByText('1'))
    expect(await weightOf('design')).to.equal(quiet)
    expect(await row('design').locator('.is-mention').count()).to.equal(0)
    expect(await ada.page.title()).to.not.match(/^\(/)
    await bob.send('design', 'for @ada')
    await shown(row('design').locator('.is-mention').getByText('@1'))
    await ada.page.reload()
    await shown(row('design').getByRole('img', { name: 'Muted' }))
    await choose('design', 'Unmute')
    await gone(row('design').getByRole('img', { name: 'Muted' }))
    await shown(row('design').locator('.is-mention').getByText('@2'))
    await choose('design', 'Mark as read')
  })

  const section = (page: Page, name: string) =>
    page
      .locator('.sidebar-section')
      .filter({ has: page.getByRole('button', { name: new RegExp(`^${name}`) }) })
  const namesIn = (page: Page, name: string) =>
    section(page, name)
      .locator('[data-channel] .sidebar-row-label')
      .evaluateAll(labels => labels.map(label => label.textContent))
  const holds = (page: Page, name: string, rows: string[]) =>
    eventually(async () => expect(await namesIn(page, name)).to.deep.equal(rows))

  it('are put into own sections, which all tabs show', async () => {
    const other = await ada.page.context().newPage()
    await other.goto('/')
    await ada.button('Browse or make channels').click()
    await ada.page.getByRole('menuitem', { name: 'New section' }).click()
    await ada.page.getByLabel('New section').last().fill('North bank')
    await expectAccessible(ada.page)
    await ada.page.keyboard.press('Enter')
    await shown(section(other, 'North bank').getByText('Nothing here yet.'))
    await choose('deploys', 'Move to')
    await ada.page.getByRole('menuitemradio', { name: 'North bank' }).click()
    await holds(other, 'North bank', ['deploys'])
    await holds(other, 'Channels', ['general', 'design'])

    await row('design').focus()
    await ada.page.keyboard.press('Alt+Shift+PageUp')
    await holds(other, 'Channels', ['design', 'general'])
    await focusIsOn(ada.page, 'nav a[href="#/c/design"]')
    await ada.page.keyboard.press('Alt+Shift+PageUp')
    await holds(other, 'North bank', ['deploys', 'design'])
    await row('design').dragTo(row('deploys'), { targetPosition: { x: 40, y: 4 } })
    await holds(other, 'North bank', ['design', 'deploys'])

    await section(ada.page, 'North bank')
      .getByRole('button', { name: /^North bank/ })
      .click()
    await holds(other, 'North bank', [])
    await other.reload()
    await shown(section(other, 'North bank'))
    expect(await namesIn(other, 'North bank')).to.deep.equal([])
    await other.close()
  })

  it('leave the focus on the head of a folded section that they are moved into by the keyboard', async () => {
    const head = section(ada.page, 'North bank').getByRole('button', { name: /^North bank/ })
    await head.click()
    await row('deploys').focus()
    await ada.page.keyboard.press('Alt+Shift+PageDown')
    await holds(ada.page, 'Channels', ['deploys', 'general'])
    await head.click()
    await holds(ada.page, 'North bank', [])
    await row('deploys').focus()
    await ada.page.keyboard.press('Alt+Shift+PageUp')
    await holds(ada.page, 'Channels', ['general'])
    await focusIsOn(ada.page, 'nav h2 button[aria-expanded="false"]')
  })

  it('keep the form of a new section, with its name, when the server refuses it', async () => {
    await ada.page.route('**/sections', route => route.fulfill({ status: 503, body: 'busy' }))
    await ada.button('Browse or make channels').click()
    await ada.page.getByRole('menuitem', { name: 'New section' }).click()
    const field = ada.page.getByLabel('New section').last()
    await field.fill('Moorings')
    await field.press('Enter')
    await shown(ada.page.getByRole('alert').getByText('The name could not be saved.'))
    expect(await field.inputValue()).to.equal('Moorings')
    await ada.page.unroute('**/sections')
    await ada.button('Cancel').click()
    await gone(field)
  })

  it('go back to their usual places when a section is taken away, which Undo takes back', async () => {
    await ada.button('Actions for the section North bank').click()
    await expectAccessible(ada.page)
    await ada.page.getByRole('menuitem', { name: 'Rename' }).click()
    await ada.page.getByLabel('Rename').last().fill('South bank')
    await ada.page.keyboard.press('Enter')
    await ada.button('Actions for the section South bank').click()
    await ada.page.getByRole('menuitem', { name: 'Take the section away' }).click()
    await gone(section(ada.page, 'South bank'))
    await holds(ada.page, 'Channels', ['general', 'design', 'deploys'])
    await ada.button('Undo').click()
    await shown(section(ada.page, 'South bank'))
    await holds(ada.page, 'Channels', ['general'])
    await section(ada.page, 'South bank')
      .getByRole('button', { name: /^South bank/ })
      .click()
    await holds(ada.page, 'South bank', ['design', 'deploys'])
  })

  it('are first as favourites, and a refused change is taken back with a notice', async () => {
    await open('deploys')
    await ada.button('Favourite').click()
    await holds(ada.page, 'Favourites', ['deploys'])
    expect(await ada.button('Favourite').getAttribute('aria-pressed')).to.equal('true')
    expect(await ada.page.locator('.sidebar-section').first().textContent()).to.include('Favourites')
    await ada.page.route('**/channel_prefs/*', route => route.fulfill({ status: 503, body: 'busy' }))
    await ada.button('Favourite').click()
    await shown(ada.page.locator('.toast', { hasText: '#deploys could not be changed.' }))
    await holds(ada.page, 'Favourites', ['deploys'])
    await ada.page.unroute('**/channel_prefs/*')
    // The toast covers the button.
    await ada.button('Favourite').press('Enter')
    await gone(section(ada.page, 'Favourites'))
  })

  it('are sorted by name and hide what is read, as a preference of the person', async () => {
    await open('general')
    await bob.send('deploys', 'news')
    const look = async (role: 'menuitemradio' | 'menuitemcheckbox', name: string) => {
      await ada.button('Browse or make channels').click()
      await ada.page.getByRole(role, { name }).click()
    }
    await look('menuitemcheckbox', 'Hide what is read')
    await holds(ada.page, 'South bank', ['deploys'])
    await ada.page.reload()
    await holds(ada.page, 'South bank', ['deploys'])
    await look('menuitemcheckbox', 'Hide what is read')
    await holds(ada.page, 'South bank', ['design', 'deploys'])
    await look('menuitemradio', 'By name')
    expect(await ada.http.get('/preferences')).to.deep.include({
      sidebar: { sort: 'name', hide_read: false },
    })
    await look('menuitemradio', 'Newest first')
    await choose('deploys', 'Mark as read')
  })

  it('have a level of notifications, in the menu and at the bell of the channel', async () => {
    await choose('design', 'Notify')
    await ada.page.getByRole('menuitemradio', { name: 'Mentions only' }).click()
    const levelOf = async () =>
      (await ada.http.get<SidebarPayload>('/sidebar')).channels.find(one => one.channel === 'design')?.level
    await eventually(async () => expect(await levelOf()).to.equal('mentions'))
    await open('design')
    await ada.button('Notifications of this channel').click()
    await shown(ada.page.getByRole('menuitemradio', { name: 'Mentions only', checked: true }))
    await ada.page.getByRole('menuitemradio', { name: 'As chosen for all channels' }).click()
    await eventually(async () => expect(await levelOf()).to.equal('default'))
    await open('general')
  })

  it('show an open panel lighter than the open channel', async () => {
    const panelRow = ada.page.locator('nav button.sidebar-row', { hasText: 'Activity' })
    await panelRow.click()
    await shown(ada.panel)
    const shadow = (of: typeof panelRow) => of.evaluate(element => getComputedStyle(element).boxShadow)
    expect(await shadow(panelRow)).to.equal('none')
    expect(await shadow(row('general'))).to.not.equal('none')
    await panelRow.click()
    await gone(ada.panel)
  })

  it('list drafts with their text, and discard one with Undo', async () => {
    await ada.composer.fill('a *thought* for later')
    await open('design')
    const drafts = ada.page.locator('nav button.sidebar-row', { hasText: 'Drafts' })
    await drafts.click()
    const draft = ada.page.getByRole('listitem').filter({ hasText: 'a thought for later' })
    await shown(draft)
    expect(await draft.locator('b').textContent()).to.equal('general')
    await expectAccessible(ada.page)
    await draft.getByRole('button', { name: 'Discard the draft in #general' }).click()
    await gone(drafts)
    await ada.page.locator('.toast-action').click()
    await drafts.click()
    await draft.getByRole('link').click()
    await shown(ada.heading.getByText('general'))
    expect(await ada.composer.inputValue()).to.equal('a *thought* for later')
  })

  it('have the menu as a sheet after a long press on a phone', async () => {
    const { page } = ada
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/#/')
    const link = page.locator('[data-channel="design"]')
    await link.dispatchEvent('pointerdown', { pointerType: 'touch', bubbles: true })
    await shown(page.getByRole('dialog', { name: 'Actions for #design' }))
    await link.dispatchEvent('pointerup', { pointerType: 'touch', bubbles: true })
    await expectAccessible(page)
    await page.getByRole('menuitem', { name: 'Mute', exact: true }).click()
    await expectAccessible(page)
    await page.getByRole('menuitem', { name: 'Mute for 1 hour' }).click()
    await shown(link.getByRole('img', { name: 'Muted' }))
  })

  it('show a person whose tab was closed as offline at once', async () => {
    const cleo = await stack.signedIn('cleo')
    const state = async () => (await bob.get<Record<string, string>>('/online_users'))['cleo']
    await eventually(async () => expect(await state()).to.equal('active'))
    await cleo.page.close({ runBeforeUnload: true })
    await eventually(async () => expect(await state()).to.equal('offline'))
  })
})
