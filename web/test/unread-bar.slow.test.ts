import { expectAccessible } from '#shared/test-kit/axe.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { gone, shown } from '#shared/test-kit/visible.ts'

describe('unread messages out of view', function () {
  this.timeout(240_000)
  let stack: FullStack
  let ada: SignedIn
  let bob: SignedIn

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'design'] } })
    ada = await stack.signedIn('ada')
    bob = await stack.signedIn('bob')
    await bob.sidebarRow('general').click()
    await shown(bob.heading.getByText('general'))
    await bob.http.markRead('design')
    for (let at = 0; at < 60; at++) await ada.http.send('design', `unread note ${at}`)
  })
  after(() => stack?.close())

  const bar = () => bob.page.locator('.unread-bar')
  const badge = () => bob.sidebarRow('design').locator('.unread-count')
  const prefer = async (choice: string) => {
    await bob.page.goto('/#/settings/appearance')
    await bob.page.getByText(choice, { exact: true }).click()
    await bob.page.keyboard.press('Escape')
    await gone(bob.dialog)
  }

  it('a bar says how many are new and since when, and marks them as read', async () => {
    await shown(badge().getByText('60'))
    await bob.sidebarRow('design').click()
    await shown(bob.row('unread note 0'))
    await shown(bar().getByText(/^60 new since \d+:\d\d/))
    await expectAccessible(bob.page)
    await bob.page.mouse.move(600, 400)
    await bob.page.mouse.wheel(0, 500)
    await shown(bar())
    await bar().getByRole('button', { name: 'Mark as read' }).click()
    await gone(bar())
    await gone(badge())
    await gone(bob.page.locator('.new-messages-line'))
    await bob.page.locator('.toast-action', { hasText: 'Undo' }).click()
    await shown(badge().getByText('60'))
    await shown(bar().getByText(/^60 new since/))
    await bar().getByRole('button', { name: 'Mark as read' }).click()
    await gone(badge())
  })

  it('channels open at the newest message, and are read only by hand, if so chosen', async () => {
    await prefer('Newest')
    await prefer('Only by hand')
    await bob.sidebarRow('general').click()
    for (let at = 60; at < 100; at++) await ada.http.send('design', `unread note ${at}`)
    await bob.sidebarRow('design').click()
    await shown(bob.row('unread note 99'))
    await bob.page.mouse.move(600, 400)
    await bob.page.mouse.move(610, 410)
    await shown(bar().getByText(/^40 new since/))
    await bar()
      .getByRole('button', { name: /new since/ })
      .click()
    await shown(bob.page.locator('article.is-flashing', { hasText: 'unread note 60' }))
    await bob.sidebarRow('general').click()
    await shown(badge())
    await bob.sidebarRow('design').click()
    await bar().getByRole('button', { name: 'Mark as read' }).click()
    await gone(badge())
    await gone(bar())
  })
})
