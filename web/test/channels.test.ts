import { expect } from 'chai'
import type { PublicChannelsPage } from '#shared/domain/payloads/channels.ts'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { focusIsOn, gone, shown } from '#shared/test-kit/visible.ts'

describe('public channels in the client', function () {
  this.timeout(120_000)
  let stack: FullStack
  let olga: Person
  let ada: SignedIn
  let bob: SignedIn

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'design'] } })
    olga = await stack.person('olga')
    await stack.person('cleo')
    ada = await stack.signedIn('ada')
    bob = await stack.signedIn('bob')
  })
  after(() => stack?.close())

  const menuItem = (user: SignedIn, name: string) => user.page.getByRole('menuitem', { name })
  const browsePage = (user: SignedIn) => user.page.getByRole('main', { name: 'Channels', exact: true })
  const found = (user: SignedIn, name: string) => browsePage(user).getByRole('row').filter({ hasText: name })
  const picked = (user: SignedIn) => browsePage(user).getByRole('row', { selected: true })

  async function browse(user: SignedIn) {
    await user.button('Browse or create channels').click()
    await menuItem(user, 'Browse channels').click()
    await focusIsOn(user.page, '.browse-field input')
  }

  it('are made in a dialog: the maker writes there, and others find them', async () => {
    await ada.button('Browse or create channels').click()
    await menuItem(ada, 'New channel').click()
    await ada.dialog.getByLabel('Name').fill('North bank')
    await shown(ada.dialog.getByText(/Address: .*#\/c\/north-bank$/))
    await ada.dialog.getByLabel('What is it for?').fill('Fourteen gauges')
    await expectAccessible(ada.page)
    await ada.dialog.getByRole('button', { name: 'Create channel' }).click()
    await ada.page.waitForURL(/#\/c\/north-bank$/)
    await shown(ada.heading.getByText('North bank'))
    await shown(ada.sidebarRow('North bank'))
    await ada.say('first round on Monday')
    expect(await bob.sidebarRow('North bank').count()).to.equal(0)
    await browse(bob)
    await shown(found(bob, 'North bank').getByText('Fourteen gauges'))
    await expectAccessible(bob.page)
    await bob.page.keyboard.press('Escape')
    await gone(browsePage(bob))
  })

  it('refuse a name that is taken with a sentence, and keep what was typed', async () => {
    await ada.sidebarRow('general').click()
    await shown(ada.heading.getByText('general'))
    await ada.button('Browse or create channels').click()
    await menuItem(ada, 'New channel').click()
    await ada.dialog.getByLabel('Name').fill('north bank')
    await ada.page.keyboard.press('Enter')
    await shown(ada.dialog.getByText('There is a channel called “north bank” already'))
    expect(await ada.dialog.getByLabel('Name').inputValue()).to.equal('north bank')
    await ada.dialog.getByRole('button', { name: 'Open it' }).click()
    await shown(ada.heading.getByText('North bank'))
    await gone(ada.dialog)
    // The others read it without having joined: they are not “here”.
    await shown(ada.page.locator('.channel-header-members', { hasText: /^1 person$/ }))
    expect(await ada.page.locator('.channel-header-members .avatar').count()).to.equal(0)
  })

  it('tell while a name is typed that a channel with a close name is there', async () => {
    await ada.button('Browse or create channels').click()
    await menuItem(ada, 'New channel').click()
    await ada.dialog.getByLabel('Name').fill('North banks')
    await shown(ada.dialog.getByText('Close to #North bank, where one person is.'))
    await expectAccessible(ada.page)
    await ada.dialog.getByLabel('Name').fill('Northern lights')
    await gone(ada.dialog.getByText('Close to #North bank'))
    for (const slip of ['edsign', 'desing', 'deisgn']) {
      await ada.dialog.getByLabel('Name').fill('bank')
      await gone(ada.dialog.getByText('Close to #design'))
      await ada.dialog.getByLabel('Name').fill(slip)
      await shown(ada.dialog.getByText('Close to #design'))
    }
    await ada.dialog.getByLabel('Name').fill('Design')
    await shown(ada.dialog.getByText('There is a channel #design already.'))
    await expectAccessible(ada.page)
    await ada.dialog.getByLabel('Name').fill('desing')
    await ada.dialog.getByRole('link', { name: 'Open #design' }).click()
    await shown(ada.heading.getByText('design'))
    await gone(ada.dialog)
  })

  it('are found by a part of the name or topic, opened as a preview, and joined by keyboard', async () => {
    await bob.page.route(/\/public_channels\?(?!.*q=)/, async route => {
      await bob.page.locator('.browse-field input').evaluate(field => {
        return new Promise<void>(done => {
          const isTyped = () => (field as HTMLInputElement).value === 'gaug'
          if (isTyped()) return done()
          field.addEventListener('input', () => isTyped() && done())
        })
      })
      return route.fallback()
    })
    await browse(bob)
    await bob.page.keyboard.type('gaug')
    await shown(found(bob, 'North bank').locator('mark', { hasText: 'gaug' }))
    await gone(found(bob, 'design'))
    // Also if the words were typed before the whole list was there.
    await shown(browsePage(bob).getByText('1 of 3 channels', { exact: true }))
    await bob.page.unroute(/\/public_channels\?(?!.*q=)/)
    await shown(picked(bob).filter({ hasText: 'North bank' }))
    await bob.page.keyboard.press('Enter')
    await shown(bob.row('first round on Monday'))
    await shown(bob.page.getByText('You are looking at #North bank.'))
    expect(await bob.composer.count()).to.equal(0)
    await bob.button('Join').click()
    await shown(bob.composer)
    await shown(bob.sidebarRow('North bank'))
  })

  it('are counted by the server where the list is longer than a page', async () => {
    await bob.page.route(/\/public_channels\?/, async route => {
      const asked = new URL(route.request().url()).searchParams
      // The rows behind the first page do not come.
      if (asked.has('cursor')) return
      const response = await route.fetch()
      const page = (await response.json()) as PublicChannelsPage
      if (asked.has('q')) return route.fulfill({ response, json: page })
      expect(page.counts?.open).to.equal(page.items.length)
      const counts = { open: 460, joined: 30, archived: 4 }
      await route.fulfill({ response, json: { ...page, next: 'more', counts } })
    })
    await browse(bob)
    await shown(found(bob, 'design'))
    await bob.page.keyboard.type('gaug')
    await shown(browsePage(bob).getByText('1 of 460 channels', { exact: true }))
    await bob.page.unroute(/\/public_channels\?/)
    await bob.page.keyboard.press('Enter')
    await shown(bob.row('first round on Monday'))
  })

  it('are picked by the arrows in the field, which keeps the focus and names the row', async () => {
    await browse(bob)
    const field = browsePage(bob).getByRole('combobox', { name: 'Find channels', expanded: true })
    const rows = browsePage(bob).getByRole('row')
    await shown(rows.nth(2))
    const names = await rows.locator('b').allTextContents()
    const at = async (index: number) => {
      await shown(picked(bob).locator('b', { hasText: names[index]! }))
      const named = await field.getAttribute('aria-activedescendant')
      expect(await bob.page.locator(`[id="${named}"] b`).textContent()).to.equal(names[index])
      await focusIsOn(bob.page, '.browse-field input')
    }
    await at(0)
    for (const index of [1, 2, 2]) {
      await bob.page.keyboard.press('ArrowDown')
      await at(index)
    }
    await bob.page.keyboard.press('ArrowUp')
    await at(1)
    await expectAccessible(bob.page)
    await bob.page.keyboard.type('zz')
    await shown(browsePage(bob).getByRole('combobox', { expanded: false }))
    await bob.page.keyboard.press('Backspace')
    await bob.page.keyboard.press('Backspace')
    await at(0)
    await bob.page.keyboard.press('ArrowDown')
    await bob.page.keyboard.press('Enter')
    await shown(bob.heading.getByText(names[1]!))
    await bob.sidebarRow('North bank').click()
  })

  it('are left from the menu of their row, and Undo joins again', async () => {
    await bob.sidebarRow('North bank').click({ button: 'right' })
    await menuItem(bob, 'Leave channel').click()
    await gone(bob.sidebarRow('North bank'))
    await bob.button('Undo').click()
    await shown(bob.sidebarRow('North bank'))
  })

  it('are joined in the list without leaving it, with Ctrl+Enter', async () => {
    await bob.sidebarRow('North bank').click({ button: 'right' })
    await menuItem(bob, 'Leave channel').click()
    await gone(bob.sidebarRow('North bank'))
    await browse(bob)
    await bob.page.keyboard.type('north')
    await shown(found(bob, 'North bank').getByRole('button', { name: 'Join North bank' }))
    await bob.page.keyboard.press('Control+Enter')
    await shown(found(bob, 'North bank').getByText('Joined'))
    await shown(found(bob, 'North bank').getByText('Open', { exact: true }))
    await shown(bob.sidebarRow('North bank'))
    await bob.page.keyboard.press('Escape')
  })

  it('show their new name, topic and rights at once in open tabs', async () => {
    await bob.sidebarRow('North bank').click()
    await shown(bob.composer)
    await ada.sidebarRow('North bank').click()
    await ada.button('Details of this channel').click()
    await ada.button('Edit the channel').click()
    await ada.dialog.getByLabel('Name').fill('North bank gauges')
    await ada.dialog.getByLabel('Topic').fill('Round on Mondays')
    await ada.dialog.getByLabel('Only managers write').check()
    await expectAccessible(ada.page)
    await ada.dialog.getByRole('button', { name: 'Save' }).click()
    const megaphone = '[href="#i-megaphone"]'
    await eventually(async () => {
      expect(await bob.sidebarRow('North bank gauges').locator(megaphone).count()).to.equal(1)
      expect(await bob.heading.locator(megaphone).count()).to.equal(1)
    })
    await shown(bob.heading.getByText('North bank gauges'))
    await shown(bob.page.locator('.channel-header-topic', { hasText: 'Round on Mondays' }))
    await shown(bob.page.getByText('Only managers write here.'))
    expect(await bob.composer.count()).to.equal(0)
    await bob.button('Who are the managers?').click()
    await shown(bob.panel.locator('.option', { hasText: 'ada' }).getByText('Manager'))
    await bob.button('Close details').click()
    await shown(ada.composer)
    await olga.send('north-bank', 'the yard is closed')
    const tagOf = (text: string) => bob.row(text).locator('.message-row-head .person-tag')
    await shown(tagOf('first round on Monday').getByText('Manager'))
    await shown(tagOf('the yard is closed').getByText('Owner'))
    await bob.sidebarRow('general').click()
    await shown(bob.heading.getByText('general'))
    await shown(bob.page.locator('article'))
    expect(
      await bob.page.locator('.person-tag').count(),
      'roles in a channel where everybody writes',
    ).to.equal(0)
    await bob.sidebarRow('North bank gauges').click()
    const skipLink = (user: SignedIn) => user.page.getByRole('link', { name: 'Skip to composer' })
    expect(await skipLink(bob).count(), 'link to a composer that is not there').to.equal(0)
    expect(await skipLink(ada).count()).to.equal(1)
  })

  it('have their details in tabs: topic edited in place, level and favourite, people', async () => {
    await ada.sidebarRow('general').press('Enter')
    await focusIsOn(ada.page, '[data-region=composer] textarea')
    await ada.sidebarRow('North bank gauges').press('Enter')
    await focusIsOn(ada.page, '[data-region=composer] textarea')
    await ada.panel.getByRole('button', { name: 'Edit: Topic' }).click()
    await ada.page.keyboard.press('Control+a')
    await ada.page.keyboard.type('Round on Fridays')
    await ada.page.keyboard.press('Enter')
    await shown(bob.page.locator('.channel-header-topic', { hasText: 'Round on Fridays' }))
    await ada.panel.getByRole('button', { name: 'Add to favourites' }).click()
    await shown(
      ada.page.locator('[data-place="favourites"] [data-channel]', { hasText: 'North bank gauges' }),
    )
    await ada.panel.getByRole('button', { name: 'In your favourites' }).click()
    await ada.panel.getByRole('radio', { name: 'Mentions only' }).check()
    await shown(ada.panel.locator('.details-facts', { hasText: /Made by\s*ada, / }))
    await shown(ada.panel.locator('.details-facts', { hasText: /Kept for\s*Always/ }))
    await expectAccessible(ada.page)
    const tab = await ada.panel.getByRole('tab', { name: 'About' }).boundingBox()
    expect(tab?.height, 'height of a tab').to.be.within(28, 44)
    await ada.panel.getByRole('tab', { name: 'About' }).press('ArrowRight')
    await focusIsOn(ada.page, '#details-tab-people')
    await shown(ada.panel.locator('.option', { hasText: 'made this channel' }).getByText('ada'))
    await bob.http.putJson('/status', { text: 'At the weir' })
    await shown(ada.panel.locator('.option', { hasText: 'bob' }).getByText('At the weir'))
    await bob.http.fetch('/status', { method: 'DELETE' })
    expect(await ada.panel.locator('.option', { hasText: 'cleo' }).count(), 'who has not joined').to.equal(0)
    await ada.panel.getByRole('button', { name: 'Add someone' }).click()
    await ada.dialog.getByRole('combobox').fill('cleo')
    await ada.page.keyboard.press('Enter')
    await ada.dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await shown(ada.panel.locator('.option', { hasText: 'cleo' }))
    const actions = (item: string) =>
      ada.panel
        .getByRole('button', { name: 'Actions for cleo' })
        .click()
        .then(() => menuItem(ada, item).click())
    await actions('Make a manager')
    await shown(ada.panel.locator('.option', { hasText: 'cleo' }).getByText('Manager'))
    await expectAccessible(ada.page)
    await actions('Remove from the channel')
    await gone(ada.panel.locator('.option', { hasText: 'cleo' }))
    await ada.page.reload()
    await shown(ada.panel.getByRole('tab', { name: /^People/, selected: true }))
    await expectAccessible(ada.page)
    await ada.page.keyboard.press('Control+.')
    await gone(ada.panel)
    await ada.page.keyboard.press('Control+.')
    await shown(ada.panel.getByRole('tab', { name: 'About', selected: true }))
  })

  it('are archived and brought back: nobody writes meanwhile, and the history stays', async () => {
    await ada.panel.getByRole('button', { name: 'Archive' }).click()
    await shown(bob.page.getByText('You can read and search it. Nobody can write.'))
    await gone(bob.sidebarRow('North bank gauges'))
    await browse(bob)
    await bob.button('Archived').click()
    await shown(found(bob, 'North bank gauges'))
    await bob.page.keyboard.press('Escape')
    await ada.button('Browse or create channels').click()
    await menuItem(ada, 'New channel').click()
    await ada.dialog.getByLabel('Name').fill('North bank')
    const archived = { hasText: '#North bank gauges exists and is archived.' }
    await shown(ada.dialog.getByRole('status').filter(archived))
    await ada.page.keyboard.press('Enter')
    await shown(ada.dialog.getByRole('alert').filter(archived))
    await ada.dialog.getByRole('button', { name: 'Unarchive' }).click()
    await gone(ada.dialog)
    await shown(bob.sidebarRow('North bank gauges'))
    await shown(ada.composer)
  })

  it('can all be left, and then the sidebar leads to those that can be joined', async () => {
    for (const name of ['general', 'design', 'North bank gauges']) {
      await bob.sidebarRow(name).click({ button: 'right' })
      await menuItem(bob, 'Leave channel').click()
      await gone(bob.sidebarRow(name))
    }
    await bob.page.getByRole('navigation').getByRole('button', { name: 'Browse channels' }).click()
    await shown(found(bob, 'design'))
    await expectAccessible(bob.page)
    await bob.button('Join design').click()
    await shown(bob.sidebarRow('design'))
    await gone(bob.page.getByRole('navigation').getByRole('button', { name: 'Browse channels' }))
  })

  it('are made with Ctrl+Enter without the people that were chosen', async () => {
    await ada.button('Browse or create channels').click()
    await menuItem(ada, 'New channel').click()
    await ada.dialog.getByLabel('Name').fill('Quiet corner')
    await ada.dialog.getByRole('combobox', { name: 'Add people' }).fill('cleo')
    await ada.page.keyboard.press('Enter')
    await shown(ada.dialog.getByText('Ctrl+Enter creates the channel without adding anybody.'))
    await expectAccessible(ada.page)
    await ada.page.keyboard.press('Control+Enter')
    await shown(ada.heading.getByText('Quiet corner'))
    const { items } = await ada.http.get<{ items: { username: string }[] }>('/channel_people/quiet-corner')
    expect(items.map(({ username }) => username)).to.deep.equal(['ada'])
  })
})
