import { expect } from 'chai'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { gone, showHomeOnPhone, shown } from '#shared/test-kit/visible.ts'

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

  it('count a channel from the message that was clicked with Alt', async () => {
    await open('general')
    await open('deploys')
    await ada.row('second').click({ modifiers: ['Alt'] })
    await shown(count('deploys').getByText('3'))
    await shown(ada.page.locator('.new-messages-line'))
    await open('general')
    await open('deploys')
    await ada.page.mouse.move(620, 400)
    await ada.row('fourth').click()
    await gone(count('deploys'))
  })

  it('keep the line of a message that was marked as unread while the channel was loading', async () => {
    const { page } = ada
    const held: Record<string, () => void> = {}
    const hold = (path: string) =>
      page.route(new RegExp(path), async route => {
        await new Promise<void>(resolve => {
          held[path] = resolve
        })
        await route.continue()
      })
    const isAsked = (path: string) => eventually(async () => expect(held).to.have.property(path))
    await open('general')
    await hold('/read_receipts/deploys')
    await hold('/mark_unread/deploys')
    await row('deploys').click()
    await isAsked('/read_receipts/deploys')
    await ada.row('second').click({ modifiers: ['Alt'] })
    await isAsked('/mark_unread/deploys')
    await shown(page.locator('.new-messages-line'))
    // A frame of the sidebar that does not know of the mark yet.
    await ada.http.mute('design', { muted_for_minutes: -1 })
    await shown(row('design').getByRole('img', { name: 'Muted' }))
    const answered = page.waitForResponse(/\/read_receipts\/deploys/)
    held['/read_receipts/deploys']!()
    await (await answered).finished()
    await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
    await shown(page.locator('.new-messages-line'))
    held['/mark_unread/deploys']!()
    await shown(count('deploys').getByText('3'))
    expect(await page.locator('.new-messages-line').count()).to.equal(1)
    await page.unrouteAll({ behavior: 'wait' })
    await ada.http.mute('design', { muted_for_minutes: 0 })
    await gone(row('design').getByRole('img', { name: 'Muted' }))
    await open('general')
    await open('deploys')
    await page.mouse.move(600, 400)
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

  it('lead to the drafts with their texts, of which one is discarded with Undo', async () => {
    await ada.composer.fill('a *thought* for later')
    await open('design')
    const drafts = ada.page.locator('nav button.sidebar-row', { hasText: 'Drafts and scheduled' })
    expect(await drafts.locator('.unread-count').textContent()).to.equal('1')
    await drafts.click()
    const draft = ada.page.getByRole('listitem').filter({ hasText: 'a thought for later' })
    await shown(draft)
    expect(await draft.locator('b').textContent()).to.equal('general')
    await expectAccessible(ada.page)
    await draft.getByRole('button', { name: 'Discard the draft in #general' }).click()
    await gone(drafts)
    await ada.page.locator('.toast-action').click()
    await shown(drafts)
    await draft.getByRole('link').click()
    await shown(ada.heading.getByText('general'))
    expect(await ada.composer.inputValue()).to.equal('a *thought* for later')
  })

  it('have the menu as a sheet after a long press on a phone', async () => {
    const { page } = ada
    await showHomeOnPhone(page)
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
