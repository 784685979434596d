import { expect } from 'chai'
import type { Page } from 'playwright-core'
import type { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, startFullStack } from '#shared/test-kit/full-stack.ts'
import { anotherTab, crash, isIn, recordedUser, tabsThatNotify } from './notifications.fixture.ts'

/** ada has two tabs, and bob sees her presence. */
describe('the presence of a person with several tabs', function () {
  this.timeout(240_000)
  this.bail(true)
  let stack: FullStack
  let ada: BrowserUser
  let bob: BrowserUser
  let one: Page
  let two: Page

  before(async () => {
    stack = await startFullStack()
    ada = await recordedUser(stack, 'ada')
    bob = await recordedUser(stack, 'bob')
    two = ada.page
    await isIn(two, 'back')
  })
  after(() => stack?.close())

  /** A lost report is followed by another after half a minute. */
  const isSeen = (wanted: string, user = ada) =>
    eventually(async () => {
      const all = await (await bob.page.request.get('/online_users')).json()
      expect(all[user.name]).to.equal(wanted)
    }, 45_000)

  it('is the most active state of her tabs', async () => {
    await isSeen('hidden')
    one = await anotherTab(ada, '#/c/general')
    await isSeen('active')
    await isIn(two, 'front')
    await isIn(one, 'back')
    await one.close()
    await isIn(two, 'back')
    await isSeen('hidden')
  })

  it('is idle after five minutes without input in any tab, until the next input', async () => {
    await two.context().clock.install()
    one = await anotherTab(ada, '#/c/general')
    await two.reload()
    await two.locator('[data-region=composer] textarea').waitFor()
    // From here on both tabs measure idle time with the installed clock.
    await eventually(async () => expect(await two.evaluate(tabsThatNotify)).to.equal(2))
    await isSeen('active')
    await two.context().clock.fastForward('05:30')
    await isSeen('idle')
    await one.mouse.move(300, 300)
    await isSeen('active')
    await isIn(one, 'back')
    await isSeen('idle')
    await isIn(two, 'back')
    await isSeen('hidden')
  })

  it('drops the state of a crashed tab, long before it would expire', async () => {
    await isIn(one, 'front')
    await one.mouse.move(310, 310)
    await isSeen('active')
    await crash(one)
    await two.context().clock.resume()
    await isSeen('hidden')
  })

  it('is the status that she chose instead, also for herself in every tab', async () => {
    one = await anotherTab(ada, '#/c/general')
    await isIn(two, 'front')
    await one.locator('.sidebar-me-person').click()
    await one.getByRole('menuitem', { name: 'Active Automatic' }).click()
    expect(
      await one.locator('.menu .presence-dot').evaluateAll(dots => dots.map(dot => dot.className)),
    ).to.deep.equal(['presence-dot', 'presence-dot', 'presence-dot is-idle', 'presence-dot is-off'])
    await one.getByRole('menuitemradio', { name: 'Idle' }).click()
    await isSeen('idle')
    for (const page of [one, two]) await page.locator('.sidebar-me-text', { hasText: 'Idle' }).waitFor()
    await two.locator('.sidebar-me-person').click()
    await two.getByRole('menuitem', { name: /^Idle/ }).click()
    await two.getByRole('menuitemradio', { name: 'Idle', checked: true }).waitFor()
    await two.getByRole('menuitemradio', { name: 'Automatic' }).click()
    await isSeen('active')
  })

  it('causes no error in any page', () => {
    expect([...ada.complaints, ...bob.complaints]).to.deep.equal([])
  })
})
