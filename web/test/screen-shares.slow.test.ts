import { expect } from 'chai'
import { BrowserUser } from '#shared/test-kit/browser-user.ts'
import {
  button,
  type Calls,
  call,
  card,
  flows,
  go,
  hidden,
  inStage,
  looksGood,
  rememberConnections,
  startCalls,
} from './calls.fixture.ts'

/** Real media between real browsers, a profile for each person. */
describe('screen shares in browsers', function () {
  this.timeout(240_000)
  this.bail(true)
  let calls: Calls<'ada' | 'bob' | 'dora'>
  let ada: BrowserUser
  let bob: BrowserUser
  let dora: BrowserUser

  before(async () => {
    calls = await startCalls('ada', 'bob', 'dora')
    ;({ ada, bob, dora } = calls.people)
  })
  after(() => calls?.end())

  it('show on the stage of a call; the latest sharer holds it', async () => {
    await call(ada, bob)
    await card(bob).getByRole('button', { name: 'Answer' }).click()
    await flows(ada, 1)
    await inStage(ada, 'Share your screen').click()
    await bob.page.locator('[data-screen-of="ada"] video').waitFor()
    await flows(bob, 1, 2)
    await inStage(bob, 'Actual size').click()
    await looksGood(bob)
    await inStage(bob, 'Share your screen').click()
    await ada.page.locator('[data-screen-of="bob"] video').waitFor()
    await ada.page.getByText('You are sharing your screen').waitFor({ state: 'detached' })
    await flows(ada, 1, 2)
    await inStage(bob, 'Stop sharing').first().click()
    await ada.page.locator('[data-screen-of]').waitFor({ state: 'detached' })
    await inStage(ada, 'Hang up').click()
    await Promise.all([ada, bob].map(hidden))
  })

  it('with several viewers, one of them in two tabs, need no call', async () => {
    const here = ['ada', 'bob', 'dora']
    await go(bob, ...here)
    await bob.say('look at this')
    await button(bob, 'Share your screen').click()
    await bob.page.getByText('You are sharing.').waitFor()
    await Promise.all([go(ada, ...here), go(dora, ...here)])
    await ada.page.getByText('bob is sharing a screen.').waitFor()
    await looksGood(ada)
    for (const user of [ada, dora]) {
      await button(user, 'Watch').click()
      await user.page.locator('[data-screen-of="bob"] video').waitFor()
    }
    await Promise.all([flows(ada, 1), flows(dora, 1)])
    await looksGood(ada)

    const context = ada.page.context()
    const second = new BrowserUser('ada', context, await context.newPage())
    await second.page.addInitScript(rememberConnections)
    await go(second, ...here)
    await button(second, 'Watch').click()
    await flows(second, 1)
    await flows(ada, 1)
    await second.page.reload()
    await button(second, 'Watch').click()
    await Promise.all([flows(second, 1), flows(ada, 1), flows(dora, 1)])
    await second.page.close()
    await bob.page.locator('.banner.is-share').getByRole('button', { name: 'Stop' }).click()
    await Promise.all([hidden(ada), hidden(dora)])
    await ada.page.getByText('bob is sharing a screen.').waitFor({ state: 'detached' })
  })

  it('make no page complain', () => {
    expect([...ada.complaints, ...bob.complaints, ...dora.complaints]).to.deep.equal([])
  })
})
