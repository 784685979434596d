import { expect } from 'chai'
import type { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
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
  tones,
} from './calls.fixture.ts'

/** Calls that are answered, declined, missed, or placed by both at once. */
describe('rings of calls between two people in browsers', function () {
  this.timeout(240_000)
  this.bail(true)
  let calls: Calls<'ada' | 'bob'>
  let ada: BrowserUser
  let bob: BrowserUser

  before(async () => {
    calls = await startCalls('ada', 'bob')
    ;({ ada, bob } = calls.people)
  })
  after(() => calls?.end())

  it('can be declined, and the caller is told', async () => {
    await call(ada, bob)
    await card(bob).getByRole('button', { name: 'Decline' }).click()
    await hidden(ada)
    await ada.page.getByText('bob declined').first().waitFor()
    expect(await card(bob).count()).to.equal(0)
  })

  it('that nobody answers end by themselves', async () => {
    await call(ada, bob)
    await calls.db.query(`update calls set started_ts = started_ts - 31 where state = 'ringing'`)
    await calls.db.query(`update call_participants set invited_ts = invited_ts - 31`)
    await hidden(ada)
    await ada.page.getByText('No answer').first().waitFor()
    await card(bob).waitFor({ state: 'detached' })
    await ada.row('Nobody answered your call.').first().waitFor()
  })

  it('that two people place to each other at once become a single call', async () => {
    await Promise.all([go(ada, 'ada', 'bob'), go(bob, 'ada', 'bob')])
    await Promise.all([ada, bob].map(user => button(user, 'Start a voice call').click()))
    await Promise.all([flows(ada, 1), flows(bob, 1)])
    await inStage(bob, 'Hang up').click()
    await Promise.all([hidden(ada), hidden(bob)])
  })

  it('are answered in one of several tabs, and close in the others', async () => {
    const second = await bob.page.context().newPage()
    await second.addInitScript(rememberConnections)
    await second.goto('/#/c/general')
    await second.locator('[data-region=composer] textarea').waitFor()
    await call(ada, bob)
    await second.getByRole('alertdialog').waitFor()
    // bob has pressed keys in the first tab only: that one may sound, and does it alone.
    await eventually(async () => expect(await tones(bob.page)).to.be.above(0))
    expect(await tones(second)).to.equal(0)
    await card(bob).getByRole('button', { name: 'Answer' }).click()
    await second.getByRole('alertdialog').waitFor({ state: 'detached' })
    await flows(ada, 1)
    await inStage(ada, 'Hang up').click()
    await hidden(bob)
    await second.close()
  })

  it('show in another tab of the same person that they are in a call, which can be left from there', async () => {
    const second = await bob.page.context().newPage()
    await second.goto('/#/c/general')
    const strip = second.locator('.call-bar')
    await call(ada, bob)
    await card(bob).getByRole('button', { name: 'Answer' }).click()
    await flows(ada, 1)
    await strip.getByText('In a call in another tab').waitFor()
    await second.locator('[aria-label="Call running, 2 people"]').waitFor()
    await strip.getByRole('button', { name: 'Hang up' }).click()
    await Promise.all([ada, bob].map(hidden))
    await strip.waitFor({ state: 'detached' })
    await second.close()
  })

  it('begun with the camera are announced as video calls', async () => {
    await call(ada, bob, 'video')
    await card(bob).getByText('Video call').waitFor()
    await looksGood(bob)
    await card(bob).getByRole('button', { name: 'Decline' }).click()
    await hidden(ada)
  })

  it('make no page complain', () => {
    expect([...ada.complaints, ...bob.complaints]).to.deep.equal([])
  })
})
