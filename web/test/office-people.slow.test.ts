import { expect } from 'chai'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { gone, shown } from '#shared/test-kit/visible.ts'

describe('people in the client', function () {
  this.timeout(300_000)
  let stack: FullStack
  let janitor: RunningService
  /** The owner. */
  let ada: SignedIn
  let bob: SignedIn
  let cleo: Person
  let dora: Person
  const DM = 'dm:ada:bob'

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'design'] } })
    janitor = await startService('janitor', stack.backing.env)
    ada = await stack.signedIn('ada')
    bob = await stack.signedIn('bob')
    cleo = await stack.person('cleo')
    dora = await stack.person('dora')
    await dora.patchJson('/me', { display_name: 'Dora Quill' })
    for (const name of ['emil', 'finn']) await stack.person(name)
  })
  after(async () => {
    expect([...(ada?.complaints ?? []), ...(bob?.complaints ?? [])]).to.deep.equal([])
    await janitor?.stop()
    await stack?.close()
  })

  const menuItem = (user: SignedIn, name: string | RegExp) => user.page.getByRole('menuitem', { name })
  const directRow = (user: SignedIn, channel = DM) => user.page.locator(`nav [data-channel="${channel}"]`)
  const nameAt = (user: SignedIn, text: string) => user.row(text).locator('.person-name').first()

  it('are shown by their display names, which others see at once', async () => {
    await bob.http.send('general', 'the gauge is back')
    await bob.http.send(DM, 'a word in private')
    await shown(nameAt(ada, 'the gauge is back').getByText('bob'))
    await bob.http.patchJson('/me', {
      display_name: 'Robert Vale',
      title: 'Field engineer',
      timezone: 'Asia/Tokyo',
    })
    await shown(nameAt(ada, 'the gauge is back').getByText('Robert Vale'))
    await shown(directRow(ada).getByText('Robert Vale'))
    await nameAt(ada, 'the gauge is back').click()
    const card = ada.page.locator('.profile-card')
    await shown(card.getByText('@bob'))
    await shown(card.getByText('Field engineer'))
    await shown(card.getByText(/\d+:\d\d( [AP]M)? there \(Asia\/Tokyo\)/))
    await expectAccessible(ada.page)
    await ada.page.keyboard.press('Escape')
    await shown(bob.page.locator('.sidebar-me').getByText('Robert Vale'))
  })

  it('are completed and found by display name and username; a mention has the username', async () => {
    await ada.composer.fill('hello @rob')
    await shown(ada.page.getByRole('option', { name: /Robert Vale/ }))
    await ada.page.keyboard.press('Enter')
    await eventually(async () => expect(await ada.composer.inputValue()).to.equal('hello @bob '))
    await ada.composer.fill('')
    for (const words of ['vale', 'bob']) {
      await ada.page.keyboard.press('Control+k')
      await ada.page.getByRole('combobox', { name: 'Jump to' }).fill(words)
      await shown(ada.page.getByRole('option', { name: /Robert Vale/ }))
      await ada.page.keyboard.press('Escape')
    }
    await ada.page.getByRole('button', { name: /, \d+ here$/ }).click()
    await ada.panel.getByLabel('Find people').fill('vale')
    await eventually(async () => expect(await ada.panel.locator('.option').count()).to.equal(1))
    await expectAccessible(ada.page)
    await ada.page.keyboard.press('Escape')
  })

  it('have their usernames, too, while two of them have the same display name', async () => {
    await cleo.patchJson('/me', { display_name: 'Robert Vale' })
    await shown(nameAt(ada, 'the gauge is back').getByText('Robert Vale (bob)'))
    await cleo.patchJson('/me', { display_name: null })
    await shown(nameAt(ada, 'the gauge is back').getByText('Robert Vale', { exact: true }))
  })

  it('set a status in a dialog, which others see and which ends at its time', async () => {
    await bob.page.locator('.sidebar-me-person').click()
    await menuItem(bob, 'Set a status').click()
    await bob.dialog.getByRole('button', { name: /^🍲 Lunch/ }).click()
    await bob.dialog.getByLabel('Pause notifications too').check()
    await expectAccessible(bob.page)
    await bob.dialog.getByRole('button', { name: 'Set status' }).click()
    await shown(bob.page.locator('.sidebar-me').getByText('Lunch'))
    await shown(bob.button('Notifications paused'))
    await shown(directRow(ada).getByRole('img', { name: 'Lunch, Notifications paused' }))
    const { people } = await ada.http.get<{ people: { username: string; status: { until: number } }[] }>(
      '/people',
    )
    const { until } = people.find(one => one.username === 'bob')!.status
    expect(until - Date.now() / 1_000).to.be.within(1_500, 1_800)

    const soon = Date.now() / 1_000 + 10
    await bob.http.fetch('/status', {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ text: 'Back in a moment', until: soon }),
    })
    const set = Date.now() / 1_000
    await shown(directRow(ada).getByRole('img', { name: 'Back in a moment' }))
    const arrival = Date.now() / 1_000 - set
    await gone(directRow(ada).getByRole('img', { name: 'Back in a moment' }))
    // On a loaded machine each change of the page takes long.
    expect(Date.now() / 1_000 - soon).to.be.within(-1, 2 + 4 * arrival)
    await gone(bob.page.locator('.sidebar-me').getByText('Back in a moment'))
  })

  it('lose a message to a moderator, with the moderator’s name in its place', async () => {
    await bob.http.send('general', 'the password is swordfish')
    await shown(ada.row('swordfish'))
    await bob.row('swordfish').hover()
    await bob.row('swordfish').getByRole('button', { name: 'More actions' }).click()
    await shown(menuItem(bob, 'Delete'))
    expect(await menuItem(bob, 'Remove…').count()).to.equal(0)
    await bob.page.keyboard.press('Escape')
    await ada.choose('swordfish', 'Remove…')
    await ada.dialog.getByLabel('Reason (for the audit log)').fill('It held a password')
    await expectAccessible(ada.page)
    await ada.dialog.getByRole('button', { name: 'Remove', exact: true }).click()
    await gone(bob.row('swordfish'))
    await shown(bob.page.locator('article').getByText('Removed by ada'))
    await bob.page.reload()
    await shown(bob.page.locator('article').getByText('Removed by ada'))
    const { items } = await ada.http.get<{ items: { detail: object }[] }>('/admin/audit?action=message')
    expect(items[0]!.detail).to.deep.include({ reason: 'It held a password' })
  })

  it('have their topic set and changed in place by a member', async () => {
    await bob.sidebarRow('design').click()
    // The first change is on its way for longer than the second one.
    const { promise: first, resolve: letFirst } = Promise.withResolvers<void>()
    let isFirst = true
    await bob.page.route('**/channel_info/design', async route => {
      if (route.request().method() === 'PATCH' && isFirst) {
        isFirst = false
        await first
      }
      await route.continue()
    })
    await bob.button('Add a topic').click()
    await bob.page.getByLabel('Topic', { exact: true }).fill('Enclosures')
    await bob.page.keyboard.press('Enter')
    await bob.button('Topic: Enclosures. Edit').click()
    await bob.page.getByLabel('Topic', { exact: true }).fill('Enclosures and labels')
    await bob.page.keyboard.press('Enter')
    await shown(bob.button('Topic: Enclosures and labels. Edit'))
    letFirst()
    await bob.button('Topic: Enclosures and labels. Edit').click()
    await bob.page.keyboard.type('something else')
    await bob.page.keyboard.press('Escape')
    await shown(bob.button('Topic: Enclosures and labels. Edit'))
    await eventually(async () =>
      expect(await ada.http.get('/channel_info/design')).to.deep.include({ topic: 'Enclosures and labels' }),
    )
    await bob.page.unroute('**/channel_info/design')
  })

  it('link to a channel that they have not joined, by its id', async () => {
    await ada.http.postJson('/public_channels', { name: 'Nördlich' })
    await ada.http.postJson('/public_channels', { name: 'Nordfahrt', posting: 'managers' })
    await bob.page.reload()
    await bob.composer.fill('see ~nord')
    const option = bob.page.getByRole('option')
    const megaphone = bob.page.locator('[href="#i-megaphone"]')
    await shown(option.filter({ hasText: 'Nordfahrt', has: megaphone }))
    await bob.composer.fill('see ~nördl')
    await shown(option.filter({ hasText: 'Nördlich', hasNot: megaphone }))
    await bob.page.keyboard.press('Enter')
    await eventually(async () => expect(await bob.composer.inputValue()).to.equal('see #nordlich '))
    await bob.page.keyboard.press('Enter')
    await bob.row('see').getByRole('link', { name: '#nordlich' }).click()
    await shown(bob.page.getByText('You are looking at #Nördlich.'))
  })

  it('are loaded later if the first request failed', async () => {
    await ada.page.context().route('**/people', route => route.abort(), { times: 1 })
    const failed = ada.page.waitForEvent('requestfailed', request => request.url().endsWith('/people'))
    await ada.page.reload()
    await failed
    await bob.http.patchJson('/me', { display_name: 'Robert V.' })
    await shown(nameAt(ada, 'the gauge is back').getByText('Robert V.'))
  })

  it('become guests and lose the open channel at once, and see the people of a channel that they get', async () => {
    await dora.send('design', 'the labels are printed')
    await dora.postJson('/public_channels/general/leave', {})
    await bob.sidebarRow('design').click()
    await shown(bob.heading.getByText('design'))
    const change = (body: object) => ada.http.patchJson('/admin/people/bob', body)
    expect((await change({ role: 'guest', channels: ['general'] })).status).to.equal(204)
    await gone(bob.sidebarRow('design'))
    await shown(bob.heading.getByText('general'))
    await shown(bob.composer)
    expect(await bob.page.locator('[role=alert]').count()).to.equal(0)
    await ada.sidebarRow('general').click()
    await shown(ada.page.getByText('Includes guests'))
    await ada.page.setViewportSize({ width: 390, height: 844 })
    await shown(ada.page.locator('.channel-header h1').getByText('Includes guests'))
    await expectAccessible(ada.page)
    await ada.page.setViewportSize({ width: 1280, height: 800 })
    await shown(ada.row('the gauge is back').locator('.person-tag', { hasText: 'guest' }))
    await expectAccessible(ada.page)

    const added = await ada.http.postJson('/public_channels/design/add', { usernames: ['bob'] })
    expect(added.status).to.equal(200)
    await bob.sidebarRow('design').click()
    await shown(nameAt(bob, 'the labels are printed').getByText('Dora Quill'))
    expect((await change({ role: 'member' })).status).to.equal(204)
    await shown(bob.sidebarRow('design'))
    await gone(ada.page.getByText('Includes guests'))
  })

  it('come into the sight of a guest, and leave it, as they join and leave a channel of the guest', async () => {
    await dora.postJson('/public_channels/design/leave', {})
    const guest = await stack.person('gwen')
    const made = await ada.http.patchJson('/admin/people/gwen', { role: 'guest', channels: ['design'] })
    expect(made.status).to.equal(204)
    const gwen = await stack.signedIn(guest)
    await shown(gwen.heading.getByText('design'))
    const options = gwen.page.getByRole('option')
    await gwen.composer.fill('@bo')
    await shown(options.filter({ hasText: '@bob' }))
    await gwen.composer.fill('@quill')
    await gone(options)
    await dora.postJson('/public_channels/design/join', {})
    await shown(options.filter({ hasText: 'Dora Quill' }))
    await dora.postJson('/public_channels/design/leave', {})
    await gone(options)
    expect(gwen.complaints).to.deep.equal([])
    await gwen.page.close()
    await dora.postJson('/public_channels/design/join', {})
  })

  it('are followed through a renaming in the tabs of others', async () => {
    await directRow(ada).click()
    await shown(ada.row('a word in private'))
    await bob.http.patchJson('/me', { display_name: null })
    await shown(nameAt(ada, 'a word in private').getByText('bob', { exact: true }))
    const renamed = await ada.http.postJson('/admin/people/bob/rename', { username: 'robert' })
    expect(renamed.status).to.equal(202)
    await shown(nameAt(ada, 'a word in private').getByText('robert'))
    await shown(directRow(ada, 'dm:ada:robert'))
    await shown(bob.page.getByRole('dialog', { name: 'You were signed out' }))
    await ada.say('hello again')
    await shown(ada.page.locator('article:not([data-pending])', { hasText: 'hello again' }))
  })

  it('are grey and marked in their profile after they are deactivated', async () => {
    await ada.sidebarRow('general').click()
    await cleo.send('general', 'goodbye')
    await ada.http.postJson('/admin/people/cleo/deactivate', {})
    await shown(ada.row('goodbye').locator('.person-name.is-gone'))
    await nameAt(ada, 'goodbye').click()
    await shown(ada.page.locator('.profile-card').getByText('(deactivated)'))
    await expectAccessible(ada.page)
  })
})
