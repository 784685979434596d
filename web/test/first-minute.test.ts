import { expect } from 'chai'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { gone, shown } from '#shared/test-kit/visible.ts'

describe('the first minute in an empty office', function () {
  this.timeout(120_000)
  let stack: FullStack
  let ada: SignedIn

  before(async () => {
    // Browsers resolve names below `localhost` to this machine.
    stack = await startFullStack({
      settings: { channels: ['general', 'design'] },
      env: { FRONT_DOOR_HOST: 'office.localhost' },
    })
    ada = await stack.signedIn('ada')
  })
  after(async () => {
    expect(ada?.complaints ?? []).to.deep.equal([])
    await stack?.close()
  })

  const steps = () => ada.page.locator('.first-steps')

  it('offers the address for the others, a picture and notifications', async () => {
    const { page } = ada
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const address = stack.url.replace(/127\.0\.0\.1|localhost/, 'office.localhost')
    await shown(steps().getByText(address))
    await expectAccessible(page)
    await steps().getByRole('button', { name: 'Copy address' }).click()
    await shown(page.locator('.toast', { hasText: 'Address copied' }))
    expect(await page.evaluate(() => navigator.clipboard.readText())).to.equal(address)
    await steps().getByRole('button', { name: 'Choose picture' }).click()
    await shown(page.getByRole('heading', { name: 'Profile' }))
    await page.goBack()
    await steps().getByRole('button', { name: 'Notifications' }).click()
    await shown(page.getByRole('heading', { name: 'Notifications' }))
    await page.goBack()
    await gone(page.getByRole('dialog'))
  })

  it('says how to begin a conversation, while there is none', async () => {
    const hint = ada.page.getByText('Nobody yet. Start with the plus.')
    await shown(hint)
    const bob = await stack.person('bob')
    await bob.send('dm:ada:bob', 'hello')
    await gone(hint)
  })

  it('is over with the first message of a person', async () => {
    await shown(steps())
    await ada.say('This is for everything.')
    await gone(steps())
    await ada.sidebarRow('design').click()
    await shown(ada.page.getByText('This is the start of #design'))
    expect(await steps().count()).to.equal(0)
  })
})
