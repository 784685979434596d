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
  stage,
  startCalls,
  tile,
} from './calls.fixture.ts'

/** Real media between real browsers, a profile for each person. */
describe('calls of a group in browsers', function () {
  this.timeout(480_000)
  this.bail(true)
  let calls: Calls<'ada' | 'bob' | 'cleo' | 'dora'>
  let ada: BrowserUser
  let bob: BrowserUser
  let cleo: BrowserUser
  let dora: BrowserUser

  before(async () => {
    calls = await startCalls('ada', 'bob', 'cleo', 'dora')
    ;({ ada, bob, cleo, dora } = calls.people)
  })
  after(() => calls?.end())

  const HERE = ['ada', 'bob', 'dora']
  async function endForAll(user: BrowserUser) {
    await inStage(user, 'More ways to hang up').click()
    await user.page.getByRole('menuitem', { name: 'End for everyone…' }).click()
    await user.page.getByRole('dialog').getByRole('button', { name: 'End for everyone' }).click()
  }
  const mark = (user: BrowserUser, name: string) =>
    user.page.getByRole('navigation').getByRole('img', { name, exact: true })

  it('add a third person, invited from elsewhere, as a mesh', async () => {
    await call(ada, bob)
    await card(bob).getByRole('button', { name: 'Answer' }).click()
    await flows(ada, 1)
    await inStage(ada, 'Add people').click()
    await ada.page.getByRole('combobox', { name: 'Add people' }).fill('cle')
    await looksGood(ada)
    await ada.page.keyboard.press('Enter')
    await card(cleo).getByRole('button', { name: 'Video' }).click()
    await stage(cleo).waitFor()
    await Promise.all([flows(ada, 2), flows(bob, 2), flows(cleo, 2)])
    await tile(bob, 'cleo').locator('video').waitFor()
    await looksGood(cleo)
    // cleo cannot read that conversation: the call is alone on the stage, and moves aside for another channel.
    await go(cleo, 'ada', 'cleo')
    await hidden(cleo)
    await cleo.page.locator('.mini-call').getByRole('button', { name: 'Back to the call' }).click()
    await stage(cleo).waitFor()
  })

  it('of three offer to leave, and ask before they end for everybody', async () => {
    await inStage(ada, 'More ways to hang up').click()
    await ada.page.getByRole('menuitem', { name: 'End for everyone…' }).click()
    const question = ada.page.getByRole('dialog', { name: 'End the call for everyone?' })
    await question.getByText('3 people are in this call.').waitFor()
    await looksGood(ada)
    const first = question.getByRole('button').first()
    expect(await first.textContent()).to.equal('Leave')
    expect(await first.evaluate(one => one === one.ownerDocument.activeElement)).to.equal(true)
    await ada.page.keyboard.press('Escape')
    await looksGood(ada)
    await inStage(ada, 'Leave').click()
    await hidden(ada)
    await tile(bob, 'ada').waitFor({ state: 'detached' })
    await Promise.all([flows(bob, 1), flows(cleo, 1)])
  })

  it('are left by closing the tab', async () => {
    await cleo.page.close({ runBeforeUnload: true })
    await hidden(bob)
    await bob.page
      .getByText(/^Call, \d+ min/)
      .first()
      .waitFor()
    const { rows } = await calls.db.query(`select state from calls where state in ('ringing', 'active')`)
    expect(rows).to.deep.equal([])
  })

  it('ring on for the others when one has answered, and show on the row of the conversation', async () => {
    await Promise.all([ada, bob].map(user => go(user, ...HERE)))
    await ada.say('all of us?')
    await go(dora)
    await button(ada, 'Start a voice call').click()
    await card(dora).waitFor()
    await card(bob).getByRole('button', { name: 'Answer' }).click()
    await flows(ada, 1)
    await mark(dora, 'Call running, 2 people').waitFor()
    await card(dora).getByText('bob is in the call already.').waitFor()
    expect(await card(dora).getByText('ada is calling').count()).to.equal(1)
    await looksGood(dora)
    await card(dora).getByRole('button', { name: 'Decline' }).click()
    await card(dora).waitFor({ state: 'detached' })
    await tile(ada, 'dora').waitFor({ state: 'detached' })
    expect(await mark(dora, 'Call running, 2 people').count()).to.equal(1)
  })

  it('can be joined later from the row of the conversation, and show people as being in a call', async () => {
    await dora.page
      .getByRole('navigation')
      .getByRole('link', { name: /Call running/ })
      .click()
    await dora.page.getByText('ada and bob are in a call.').waitFor()
    await dora.row('all of us?').waitFor()
    await looksGood(dora)
    await button(dora, 'Details of this channel').click()
    await dora.panel.getByRole('tab', { name: /^People/ }).click()
    await dora.panel.getByText('In a call').first().waitFor()
    await button(dora, 'Close details').click()
    await button(dora, 'Join').click()
    await Promise.all([flows(ada, 2), flows(bob, 2), flows(dora, 2)])
  })

  it('keep the tiles in their places as people answer', async () => {
    const order = () =>
      stage(ada)
        .locator('[data-person]')
        .evaluateAll(all => all.map(one => (one as HTMLElement).dataset['person']))
    // Media may flow before the stage learns who has joined.
    await tile(ada, 'dora').waitFor()
    expect(await order()).to.deep.equal(['bob', 'dora', 'ada'])
    await inStage(dora, 'Leave').click()
    await hidden(dora)
    await tile(ada, 'dora').waitFor({ state: 'detached' })
    await button(dora, 'Join').click()
    await Promise.all([flows(ada, 2), flows(bob, 2), flows(dora, 2)])
    await tile(ada, 'dora').waitFor()
    expect(await order()).to.deep.equal(['bob', 'dora', 'ada'])
  })

  it('wait for a person whose browser has crashed, and take them in again', async () => {
    await dora.page.goto('chrome://crash').catch(() => {})
    await tile(ada, 'dora').getByText('Lost dora. Trying again…').waitFor()
    await Promise.all([flows(ada, 1), flows(bob, 1)])
    const context = dora.page.context()
    dora = new BrowserUser('dora', context, await context.newPage())
    await dora.page.addInitScript(rememberConnections)
    await go(dora, 'ada', 'bob', 'dora')
    await button(dora, 'Join').click()
    await Promise.all([flows(ada, 2), flows(bob, 2), flows(dora, 2)])
    await endForAll(ada)
    await Promise.all([ada, bob, dora].map(hidden))
  })
  it('of three are left by a reload, and joined again from the conversation', async () => {
    const here = ['ada', 'bob', 'dora']
    await Promise.all([ada, bob, dora].map(user => go(user, ...here)))
    await button(ada, 'Start a voice call').click()
    await card(bob).getByRole('button', { name: 'Answer' }).click()
    await card(dora).getByRole('button', { name: 'Answer' }).click()
    await Promise.all([flows(ada, 2), flows(bob, 2), flows(dora, 2)])
    await bob.page.reload()
    for (const user of [ada, dora]) await tile(user, 'bob').waitFor({ state: 'detached' })
    await bob.page.getByText('ada and dora are in a call.').waitFor()
    await button(bob, 'Join').click()
    await Promise.all([flows(ada, 2), flows(bob, 2), flows(dora, 2)])
    expect(await card(dora).count(), 'rings').to.equal(0)
    await endForAll(bob)
    await Promise.all([ada, bob, dora].map(hidden))
  })

  it('that ring out leave their line unread for a person who missed them', async () => {
    await go(dora)
    await button(ada, 'Start a voice call').click()
    await card(bob).getByRole('button', { name: 'Answer' }).click()
    await flows(ada, 1)
    await card(dora).waitFor()
    await calls.db.query(`update calls set started_ts = started_ts - 31 where state = 'active'`)
    await calls.db.query(`update call_participants set invited_ts = invited_ts - 31`)
    await card(dora).waitFor({ state: 'detached' })
    await inStage(ada, 'Hang up').click()
    await Promise.all([ada, bob].map(hidden))
    await dora.page.getByRole('link', { name: /ada, bob.*unread message/ }).waitFor()
    await mark(dora, 'Call running, 2 people').waitFor({ state: 'detached' })
  })

  it('make no page complain', () => {
    expect([...ada.complaints, ...bob.complaints, ...cleo.complaints]).to.deep.equal([])
  })
})
