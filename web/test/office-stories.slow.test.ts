import { expect } from 'chai'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD } from '#shared/test-kit/person.ts'
import { focusIsOn, gone, shown } from '#shared/test-kit/visible.ts'

/** Time within which a deactivated person loses access, ms. */
const AT_ONCE = 1_000
/** The best of several counts: a loaded machine makes single ones slow. */
const ATTEMPTS = 3

/** Whole stories of issue Office, from the first step to the last. */
describe('stories of an office', function () {
  this.timeout(300_000)
  let stack: FullStack
  let ada: SignedIn
  let bob: SignedIn

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general'] } })
    ada = await stack.signedIn('ada')
    bob = await stack.signedIn('bob')
  })
  after(() => stack?.close())

  const browsePage = (user: SignedIn) => user.page.getByRole('main', { name: 'Channels', exact: true })
  const found = (user: SignedIn, name: string) => browsePage(user).getByRole('row').filter({ hasText: name })
  const openMenu = async (user: SignedIn, item: string) => {
    await user.button('Browse or create channels').click()
    await user.page.getByRole('menuitem', { name: item }).click()
  }
  const browse = async (user: SignedIn, words: string) => {
    await openMenu(user, 'Browse channels')
    await focusIsOn(user.page, '.browse-field input')
    await user.page.keyboard.type(words)
  }

  it('a channel is created, described, announced in, archived, found and restored', async () => {
    await openMenu(ada, 'New channel')
    await ada.dialog.getByLabel('Name').fill('Notice board')
    await ada.dialog.getByRole('button', { name: 'Create channel' }).click()
    await shown(ada.heading.getByText('Notice board'))

    await ada.button('Details of this channel').click()
    await ada.panel.getByRole('button', { name: 'Edit: Topic' }).click()
    await ada.page.keyboard.type('Opening hours and keys')
    await ada.page.keyboard.press('Enter')
    await shown(ada.page.locator('.channel-header-topic', { hasText: 'Opening hours and keys' }))
    await ada.panel.getByRole('button', { name: 'Edit: Description' }).click()
    await ada.page.keyboard.type('What concerns the whole house.')
    await ada.page.keyboard.press('Control+Enter')
    await shown(ada.panel.getByText('What concerns the whole house.'))

    await ada.button('Edit the channel').click()
    await ada.dialog.getByLabel('Only managers write').check()
    await ada.dialog.getByRole('button', { name: 'Save' }).click()
    await gone(ada.dialog)
    await browse(bob, 'keys')
    await shown(found(bob, 'Notice board').getByText('Announcements'))
    await found(bob, 'Notice board').getByRole('button', { name: 'Join' }).click()
    await shown(bob.sidebarRow('Notice board'))
    await bob.sidebarRow('Notice board').click()
    await ada.say('the yard is closed on Monday')
    await shown(bob.row('the yard is closed on Monday'))
    await shown(bob.page.getByText('Only managers write here.'))
    expect(await bob.composer.count()).to.equal(0)

    await ada.panel.getByRole('button', { name: 'Archive' }).click()
    await shown(bob.page.getByText('You can read and search it. Nobody can write.'))
    await gone(bob.sidebarRow('Notice board'))

    await bob.sidebarRow('general').click()
    await browse(bob, 'notice')
    await browsePage(bob).getByRole('button', { name: 'Archived' }).click()
    await found(bob, 'Notice board').getByText('Notice board').click()
    await shown(bob.row('the yard is closed on Monday'))

    await ada.page.getByRole('button', { name: 'Unarchive' }).first().click()
    await shown(bob.sidebarRow('Notice board'))
    await shown(ada.composer)
    await ada.say('the yard is open again')
    await shown(bob.row('the yard is open again'))
  })

  it('a person who is typing is deactivated and loses the stream within a second', async () => {
    let best = Number.POSITIVE_INFINITY
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const cleo = await stack.signedIn(`cleo${attempt}`)
      await cleo.composer.pressSequentially('half a sent')
      await ada.http.postJson('/confirm', { password: PASSWORD })
      await ada.http.send('general', `attempt ${attempt}`)
      await shown(cleo.row(`attempt ${attempt}`))
      const ended = cleo.page.waitForEvent('requestfinished', request => request.url().includes('/events?'))
      const began = performance.now()
      const response = await ada.http.postJson(`/admin/people/cleo${attempt}/deactivate`, {})
      expect(response.status).to.be.within(200, 204)
      await ended
      const loss = performance.now() - began
      console.info(`      loss of the stream ${Math.round(loss)} ms`)
      best = Math.min(best, loss)
      expect((await cleo.http.fetch('/me')).status).to.equal(302)
      // The page learns it from its next request: a draft, or the stream that it opens again.
      await shown(cleo.page.getByText('You were signed out'))
      await cleo.leave()
    }
    expect(best, 'ms').to.be.below(AT_ONCE)
  })
})
