import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD, Person } from '#shared/test-kit/person.ts'
import { focusIsOn, gone, shown } from '#shared/test-kit/visible.ts'
import { hidden, stopsOf } from './focus.fixture.ts'

/** Nothing here uses a pointer. In order: each test goes on where the one before ended. */
describe('the administration by keyboard alone, in both themes and on a phone', function () {
  this.timeout(300_000)
  let stack: FullStack
  let ada: SignedIn
  let page: Page

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'design'] } })
    ada = await stack.signedIn('ada')
    page = ada.page
    await ada.http.postJson('/confirm', { password: PASSWORD })
    for (const username of ['bob', 'cleo']) await ada.http.postJson('/admin/people', { username })
    await ada.http.patchJson('/admin/settings', { signup_mode: 'approval' })
    await eventually(async () =>
      expect(await ada.http.get('/workspace')).to.deep.include({ signup_mode: 'approval' }),
    )
    const waits = await new Person('ivo', stack.url).signUp().then(
      () => 'in',
      () => 'waits',
    )
    expect(waits).to.equal('waits')
    await page.goto('/#/c/general')
    await shown(ada.composer)
  })
  after(() => stack?.close())
  afterEach(() => expect(ada.complaints).to.deep.equal([]))

  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const hasFocus = (one: Locator) => one.first().evaluate(element => element === document.activeElement)
  const heading = (name: string) => page.getByRole('heading', { level: 1, name })
  /** Also the channel under the page has buttons, which cannot be reached. */
  const atHead = (name: string) => page.locator('.panel-head').getByRole('button', { name })
  const inDialog = (name: string) => ada.dialog.getByRole('button', { name })

  /** Presses the key until the element has the focus. */
  async function reach(one: Locator, key = 'Tab', most = 90) {
    await shown(one)
    for (let step = 0; !(await hasFocus(one)); step++) {
      expect(step, `${one} by ${key}`).to.be.below(most)
      await press(key)
    }
  }
  async function use(one: Locator, key = 'Enter') {
    await reach(one)
    await press(key)
  }
  async function pick(name: string) {
    await focusIsOn(page, '[role^=menuitem]')
    await reach(page.getByRole('menuitem', { name }), 'ArrowDown', 12)
    await press('Enter')
  }

  /** The sidebar is one stop of Tab, with arrows inside. */
  async function inSidebar(one: Locator) {
    await reach(page.locator('[data-region=sidebar] :is(a[href], button):not([tabindex="-1"])'))
    await press('Home')
    await reach(one, 'ArrowDown', 40)
    await press('Enter')
  }

  /** Goes there by the list of pages. */
  async function toPage(name: string) {
    await inSidebar(page.locator('.admin-nav').getByRole('link', { name, exact: name !== 'Approvals' }))
    await shown(heading(name))
  }

  /** Each stop of the focus is drawn, and axe finds nothing: on a phone and wide, dark and light. */
  async function expectUsable(least: number) {
    for (const size of [
      { width: 390, height: 844 },
      { width: 1280, height: 800 },
    ]) {
      await page.setViewportSize(size)
      await shown(page.locator(size.width < 640 ? '.admin-strip' : '.admin-nav'))
      await expectAccessible(page)
    }
    const stops = await stopsOf(page)
    expect(stops.length).to.be.at.least(least)
    expect(hidden(stops)).to.deep.equal([])
  }

  it('People is reached from the chat; a person is looked at, and deactivated with Delete', async () => {
    await inSidebar(page.locator('.sidebar-me-person'))
    await pick('Administration')
    await shown(heading('People'))
    await expectUsable(8)
    await reach(page.locator('button.admin-person'))
    await reach(page.locator('#person-bob'), 'ArrowDown', 5)
    await press('Enter')
    await shown(page.locator('#person-panel'))
    await expectAccessible(page)
    await press('Escape')
    await gone(page.locator('#person-panel'))
    await focusIsOn(page, '#person-bob')
    await press('ArrowDown')
    await focusIsOn(page, '#person-cleo')
    await press('Delete')
    await shown(ada.dialog)
    await expectAccessible(page)
    await use(inDialog('Deactivate'))
    await gone(page.locator('#person-cleo'))
  })

  it('Approvals: somebody is let in', async () => {
    await toPage('Approvals')
    await shown(ada.button('Approve: ivo'))
    await expectUsable(5)
    await use(ada.button('Approve: ivo'))
    await shown(page.getByText('Nobody waits for approval.'))
  })

  it('Groups: one is made', async () => {
    await toPage('Groups')
    await shown(page.getByText('No groups yet.'))
    await use(ada.button('New group'))
    await focusIsOn(page, 'dialog input')
    await page.keyboard.type('Design team')
    await reach(ada.dialog.getByRole('combobox'))
    await page.keyboard.type('bob')
    await shown(page.getByRole('option', { name: 'bob' }))
    await press('Enter')
    await use(inDialog('Create group'))
    await shown(page.getByText('@design-team'))
    await expectUsable(5)
  })

  it('Invitations: the mode is chosen, and a link is made and ended', async () => {
    await toPage('Invitations')
    await reach(page.locator('input[name=signup-mode]:checked'))
    await press('ArrowDown')
    await eventually(async () =>
      expect(await ada.http.get('/workspace')).to.deep.include({ signup_mode: 'closed' }),
    )
    await press('ArrowUp')
    await eventually(async () =>
      expect(await ada.http.get('/workspace')).to.deep.include({ signup_mode: 'approval' }),
    )
    await use(atHead('Invite people'))
    await use(inDialog('Create link'))
    await use(inDialog('Done'))
    const works = page.getByRole('table', { name: 'Links that work' })
    await shown(works)
    await expectUsable(8)
    await use(works.getByRole('button', { name: 'End this link' }))
    await shown(page.getByRole('table', { name: 'Ended' }))
    await gone(works)
  })

  it('Channels: one is made and archived', async () => {
    await toPage('Channels')
    await use(atHead('New channel'))
    await focusIsOn(page, 'dialog [name=name]')
    await page.keyboard.type('North bank')
    await press('Enter')
    // A new channel opens at once.
    await focusIsOn(page, '[data-region=composer] textarea')
    await inSidebar(page.locator('.sidebar-me-person'))
    await pick('Administration')
    await shown(page.locator('.admin-nav'))
    await toPage('Channels')
    const actions = ada.button('Actions for North bank')
    await shown(actions)
    await expectUsable(8)
    await use(actions)
    await pick('Archive')
    await gone(actions)
  })

  it('Settings: a name is given', async () => {
    await toPage('Settings')
    const name = page.locator('[data-setting=workspace_name] input')
    await expectUsable(15)
    await reach(name)
    await press('ControlOrMeta+A')
    await page.keyboard.type('Hill House')
    await press('Enter')
    await shown(page.getByText(/^Saved, /))
  })

  it('Ready for the office?: the checks are made again, and one leads to its page', async () => {
    await toPage('Ready for the office?')
    await use(ada.button('Check again'))
    await shown(page.locator('[data-check=live]').getByText('The live connection works.'))
    await expectUsable(5)
    await use(page.locator('[data-check=owners]').getByRole('button', { name: 'People' }))
    await shown(heading('People'))
  })

  it('Backups: says what is missing', async () => {
    await toPage('Backups')
    await shown(page.locator('.admin-callout, .backups-promise, .empty-state, .hint'))
    await expectUsable(3)
  })

  it('Statistics: the chart is opened as a table', async () => {
    await toPage('Statistics')
    await use(page.locator('main summary'))
    await shown(page.getByRole('row'))
    await expectUsable(3)
  })

  it('Audit log: an entry opens in place, and Escape leads back to the chat', async () => {
    await toPage('Audit log')
    await shown(page.getByText('Kept for 2 years'))
    const entry = page.locator('.audit-entry').filter({ hasText: 'Changed a setting' }).first()
    await shown(entry.getByText('127.0.0.1'))
    await use(entry.locator('summary'))
    await shown(entry.locator('dl').getByText('Before'))
    await expectUsable(8)
    await press('Escape')
    await shown(ada.sidebarRow('general'))
    await gone(page.locator('.admin-nav'))
  })
})
