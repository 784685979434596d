import { expect } from 'chai'
import type { Page } from 'playwright-core'
import type { SidebarPayload } from '#shared/domain/payloads/sidebar.ts'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { focusIsOn, gone, shown } from '#shared/test-kit/visible.ts'

describe('the order of the sidebar', function () {
  this.timeout(240_000)
  let stack: FullStack
  let ada: SignedIn
  let bob: Person

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'design', 'deploys'] } })
    bob = await stack.person('bob')
    ada = await stack.signedIn('ada')
  })
  after(async () => {
    expect(ada?.complaints ?? []).to.deep.equal([])
    await stack?.close()
  })

  const row = (name: string) => ada.sidebarRow(name)
  const menuOf = async (name: string) => {
    await row(name).click({ button: 'right' })
    await shown(ada.page.getByRole('menu', { name: `Actions for #${name}` }))
  }
  const choose = async (name: string, item: string) => {
    await menuOf(name)
    await ada.page.getByRole('menuitem', { name: item }).click()
  }
  const open = async (name: string) => {
    await row(name).click()
    await shown(ada.heading.getByText(name))
  }

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
    await ada.button('Browse or create channels').click()
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
    for (const page of [other, ada.page]) await holds(page, 'Channels', ['design', 'general'])
    await focusIsOn(ada.page, 'nav a[href="#/c/design"]')
    await ada.page.keyboard.press('Alt+Shift+PageUp')
    await holds(other, 'North bank', ['deploys', 'design'])
    await row('design').dragTo(row('deploys'), { targetPosition: { x: 40, y: 4 } })
    await holds(other, 'North bank', ['design', 'deploys'])

    const made = await ada.http.postJson('/sections', { name: 'Lab' })
    const head = (name: string) => section(ada.page, name).locator('.sidebar-section-head')
    await head('Lab').dragTo(head('North bank'), { targetPosition: { x: 40, y: 4 } })
    await eventually(async () => {
      const { sections } = await ada.http.get<SidebarPayload>('/sidebar')
      expect(sections.map(({ name }) => name)).to.deep.equal(['Lab', 'North bank'])
    })
    const { id } = (await made.json()) as { id: number }
    await ada.http.fetch(`/sections/${id}`, { method: 'DELETE' })
    await gone(section(ada.page, 'Lab'))

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
    await ada.button('Browse or create channels').click()
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
    await ada.page.getByRole('menuitem', { name: 'Remove section' }).click()
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
      await ada.button('Browse or create channels').click()
      await ada.page.getByRole(role, { name }).click()
    }
    await look('menuitemcheckbox', 'Hide what is read')
    await holds(ada.page, 'South bank', ['deploys'])
    await ada.page.reload()
    await holds(ada.page, 'South bank', ['deploys'])
    await look('menuitemcheckbox', 'Hide what is read')
    await holds(ada.page, 'South bank', ['design', 'deploys'])
    // Rows moved by hand lose their place only after a question.
    const question = ada.page.getByText('that you moved by hand will stand in this order, too.')
    await look('menuitemradio', 'By name')
    await shown(question)
    await ada.button('Cancel').click()
    await look('menuitemradio', 'By name')
    await shown(question)
    await ada.button('By name').click()
    await eventually(async () => {
      expect(await ada.http.get('/preferences')).to.deep.include({
        sidebar: { sort: 'name', hide_read: false },
      })
      const { channels } = await ada.http.get<SidebarPayload>('/sidebar')
      expect(channels.filter(one => one.position !== null)).to.deep.equal([])
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
})
