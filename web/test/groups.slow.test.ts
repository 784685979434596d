import { expect } from 'chai'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { focusIsOn, gone, shown } from '#shared/test-kit/visible.ts'

describe('groups in the client (interface 15.3)', function () {
  this.timeout(300_000)
  let stack: FullStack
  let ada: SignedIn
  let bob: SignedIn
  let cleo: Person

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'design'], mention_guard: 2 } })
    ada = await stack.signedIn('ada')
    bob = await stack.signedIn('bob')
    cleo = await stack.person('cleo')
    await stack.person('dora')
  })
  after(() => stack?.close())

  const question = (user: SignedIn) => user.page.getByRole('alertdialog')
  const option = (user: SignedIn, name: string) => user.page.getByRole('option', { name })
  const chip = (user: SignedIn, text: string) => user.row(text).locator('.mention')
  const pick = async (user: SignedIn, name: string) => {
    await user.page.keyboard.type(name)
    await shown(option(user, name))
    await user.page.keyboard.press('Enter')
    await shown(user.button(`Remove ${name}`))
  }
  const stored = async (channel: string, text: string) =>
    (await ada.http.messages(channel)).find(row => row.content?.includes(text))!

  it('are made in Administration by keyboard: the handle follows the name until it is typed', async () => {
    await ada.page.goto('/#/admin/groups')
    await shown(ada.page.getByText('No groups yet.'))
    await expectAccessible(ada.page)
    await ada.button('New group').click()
    await focusIsOn(ada.page, 'dialog input')
    await ada.page.keyboard.type('Design team')
    await eventually(async () =>
      expect(await ada.dialog.getByLabel('Handle').inputValue()).to.equal('design-team'),
    )
    await ada.page.keyboard.press('Tab')
    await ada.page.keyboard.type('bob')
    await ada.page.keyboard.press('Tab')
    await focusIsOn(ada.page, '.group-dialog-people button')
    await ada.page.keyboard.press('Tab')
    await pick(ada, 'bob')
    await pick(ada, 'cleo')
    await ada.button('Create group').click()
    await shown(ada.dialog.getByText('@bob is taken'))
    await expectAccessible(ada.page)
    await ada.dialog.getByLabel('Handle').fill('design')
    await ada.button('Create group').click()
    await gone(ada.dialog)
    await shown(
      ada.page.getByRole('listitem').filter({ hasText: '@design Design team' }).getByText('bob and cleo'),
    )
    await expectAccessible(ada.page)
    await ada.page.keyboard.press('Escape')
  })

  it('are completed in the composer, shown as a chip, and open their members', async () => {
    await bob.composer.pressSequentially('plans for @Des')
    await shown(option(bob, 'design').getByText('Design team · 2 people'))
    await bob.page.keyboard.press('Enter')
    await eventually(async () => expect(await bob.composer.inputValue()).to.equal('plans for @design '))
    await bob.page.keyboard.press('Enter')
    await shown(chip(ada, 'plans for'))
    await shown(bob.row('plans for').locator('.mention.is-viewer'))
    expect((await stored('general', 'plans for')).mentions).to.equal('["bob","cleo"]')
    await chip(ada, 'plans for').click()
    await shown(ada.dialog.getByText('Design team'))
    await shown(ada.dialog.getByText('cleo'))
    await expectAccessible(ada.page)
    await ada.page.keyboard.press('Escape')
    await ada.choose('plans for', '@design')
    await shown(ada.dialog.getByText('Design team'))
    await ada.page.keyboard.press('Escape')
  })

  it('tell the sender who is not in the channel, and add them', async () => {
    const den = await ada.http.createPrivateChannel('den', ['bob'])
    await ada.sidebarRow('den').click()
    await shown(ada.heading.getByText('den'))
    await ada.say('look, @design people')
    await shown(ada.page.getByText('1 person of @design is not in this channel.'))
    expect((await cleo.fetch(`/messages/${den}`)).status).to.equal(403)
    await ada.button('Add them').click()
    await shown(ada.page.getByText('Added 1 person to den.'))
    expect((await cleo.fetch(`/messages/${den}`)).status).to.equal(200)
  })

  it('tell who is not in the channel after an edit, too', async () => {
    const edited = await ada.http.createPrivateChannel('den of edits', ['bob'])
    const id = await ada.http.send(edited, 'nobody yet')
    await ada.sidebarRow('den of edits').click()
    await ada.row('nobody yet').focus()
    await ada.page.keyboard.press('e')
    await ada.page.locator(`[data-message-id="${id}"] textarea`).fill('now @design people')
    await ada.page.keyboard.press('Enter')
    await shown(ada.page.getByText('1 person of @design is not in this channel.'))
  })

  it('ask before they tell more people than the workspace allows', async () => {
    await ada.http.patchJson('/groups/design', { add: ['dora'] })
    await ada.sidebarRow('general').click()
    await shown(ada.heading.getByText('general'))
    await ada.composer.pressSequentially('@des')
    await shown(option(ada, 'design').getByText('Design team · 3 people'))
    await ada.composer.fill('@design without a sound')
    await ada.composer.press('Enter')
    await shown(question(ada).getByText('@design notifies 3 people'))
    await expectAccessible(ada.page)
    await ada.button('Send without notifying').click()
    await shown(ada.row('without a sound'))
    await eventually(async () =>
      expect(await stored('general', 'without a sound')).to.include({ mentions: null }),
    )
    await ada.composer.fill('@design with a sound')
    await ada.composer.press('Enter')
    await ada.button('Notify 3').click()
    await shown(chip(ada, 'with a sound'))
    expect((await stored('general', 'with a sound')).mentions).to.equal('["bob","cleo","dora"]')
  })

  it('ask before a message of later tells more people than the workspace allows', async () => {
    await ada.composer.fill('@design will hear')
    await ada.button('Send later').click()
    await shown(question(ada).getByText('@design notifies 3 people'))
    await ada.button('Notify 3').click()
    await shown(ada.page.getByRole('menuitem').first())
    expect(await question(ada).count()).to.equal(0)
    await ada.page.keyboard.press('Escape')
    await eventually(async () => expect(await ada.composer.inputValue()).to.equal('@design will hear'))
    await ada.composer.fill('/schedule 2h @design in silence')
    await ada.composer.press('Enter')
    await shown(question(ada).getByText('@design notifies 3 people'))
    await ada.button('Send without notifying').click()
    await eventually(async () => {
      const { items } = await ada.http.get<{ items: { text: string }[] }>('/scheduled')
      expect(items.map(({ text }) => text)).to.deep.equal(['@\u2060design in silence'])
    })
    expect(await ada.composer.inputValue()).to.equal('')
  })

  it('ask before @everyone in a channel that some have joined, however many bots are elsewhere', async () => {
    await ada.http.postJson('/public_channels', { name: 'quarry' })
    await ada.http.postJson('/public_channels/quarry/add', { usernames: ['bob', 'cleo', 'dora'] })
    for (const username of ['bot-1', 'bot-2', 'bot-3']) await ada.http.postJson('/bots', { username })
    await ada.page.goto('/#/c/quarry')
    await shown(ada.page.locator('.channel-header-members', { hasText: '4 people' }))
    await ada.composer.fill('@everyone comes')
    await ada.composer.press('Enter')
    await shown(question(ada))
    await ada.button('Notify 3').click()
    await shown(ada.row('comes'))
  })

  it('are filled by their members, and renamed and deleted by administrators', async () => {
    await chip(bob, 'with a sound').first().click()
    await shown(bob.page.locator('.group-card').getByText('@design · 3 people'))
    await bob.button('Change').click()
    const dialog = bob.page.getByRole('dialog', { name: 'Change @design' })
    await shown(dialog)
    expect(await dialog.getByLabel('Handle').count()).to.equal(0)
    await dialog.getByRole('button', { name: 'Remove dora' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await gone(dialog)
    await ada.page.goto('/#/admin/groups')
    await shown(ada.page.getByText('bob, cleo'))
    await ada.button('Change @design').click()
    await ada.dialog.getByLabel('Handle').fill('makers')
    await ada.button('Save').click()
    await shown(ada.page.getByRole('listitem').filter({ hasText: '@makers' }))
    await ada.button('Delete @makers').click()
    await focusIsOn(ada.page, '.dialog .button-danger')
    await ada.page.keyboard.press('Enter')
    await shown(ada.page.getByText('No groups yet.'))
    await eventually(async () => {
      await bob.composer.fill('')
      await bob.composer.pressSequentially('@mak')
      expect(await option(bob, 'makers').count()).to.equal(0)
    })
    expect(await chip(bob, 'with a sound').count(), 'old messages keep the chip').to.be.greaterThan(0)
  })

  it('are chips without a list for guests', async () => {
    await ada.http.postJson('/groups', { handle: 'crew', name: 'Crew', members: ['bob', 'cleo'] })
    await ada.http.send('general', 'for the @crew')
    const guest = await stack.person('eva')
    await ada.http.patchJson('/admin/people/eva', { role: 'guest', channels: ['general'] })
    const eva = await stack.signedIn(guest)
    await shown(chip(eva, 'for the'))
    await chip(eva, 'for the').click()
    await eva.page.keyboard.press('Tab')
    expect(await eva.dialog.count()).to.equal(0)
    expect(await chip(eva, 'for the').getAttribute('title')).to.equal(null)
    expect([...ada.complaints, ...bob.complaints, ...eva.complaints]).to.deep.equal([])
  })
})
