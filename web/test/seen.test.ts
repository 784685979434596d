import { expect } from 'chai'
import pg from 'pg'
import type { Locator } from 'playwright-core'
import { axeFindings } from '#shared/test-kit/axe.ts'
import { BadProxy } from '#shared/test-kit/bad-proxy.ts'
import type { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, startFullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD, type Person } from '#shared/test-kit/person.ts'

const MANY = Array.from({ length: 130 }, (_, at) => `reader-${String(at).padStart(3, '0')}`)

/** More people than the limit for individual read receipts (MOST_RECEIPTS). */
describe('the list of readers in a channel with many readers', function () {
  this.timeout(120_000)
  this.bail(true)
  let stack: FullStack
  let proxy: BadProxy
  let ada: BrowserUser
  let bob: Person
  let cleo: Person
  /** The received `seen` frames. */
  const seenFrames: string[] = []

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'design'] } })
    proxy = await BadProxy.to(stack.url)
    bob = await stack.person('bob')
    cleo = await stack.person('cleo')
    ada = await stack.user('ada', proxy.url)
    await ada.signUp(PASSWORD)
    const db = new pg.Client({ connectionString: stack.backing.env.DATABASE_URL })
    await db.connect()
    await db.query(
      `insert into users (username, password_hash, created_ts) select name, 'x', 0 from unnest($1::text[]) name`,
      [MANY],
    )
    await bob.send('general', 'an old one')
    for (let at = 0; at < 25; at++) await cleo.send('general', `between ${at}.`)
    await bob.send('general', 'for everybody')
    await db.query(
      `insert into read_watermarks (channel, username, last_read_ts, last_read_ord)
       select id, name, newest_ts, message_count from channels, unnest($1::text[]) name where id = 'general'`,
      [MANY],
    )
    await db.end()
    const chromium = await ada.page.context().newCDPSession(ada.page)
    await chromium.send('Network.enable')
    chromium.on('Network.eventSourceMessageReceived', ({ eventName, data }) => {
      if (eventName === 'seen') seenFrames.push(data)
    })
    await ada.page.goto('/#/c/general')
    await ada.page.reload()
  })
  after(async () => {
    proxy?.close()
    await stack?.close()
  })

  const shown = (locator: Locator) => locator.first().waitFor({ state: 'visible' })
  const gone = (locator: Locator) => locator.first().waitFor({ state: 'hidden' })
  const receipt = (text: string) => ada.row(text).locator('.seen')
  const popover = () => ada.page.getByRole('dialog', { name: /^Seen by/ })
  const people = () => popover().locator('button.option')

  it('is a count for the newest messages, with five names', async () => {
    await shown(ada.row('for everybody'))
    await shown(receipt('for everybody').getByText('Seen by 130'))
    expect(await receipt('for everybody').locator('.avatar').count()).to.be.within(1, 5)
    expect(await receipt('for everybody').getAttribute('title')).to.match(/^Seen by .+ and \d+ others$/)
    // cleo has read only up to her own message.
    await shown(receipt('between 24.').getByText('Seen by 131'))
    const body = seenFrames.at(-1)!
    expect(body.length).to.be.below(4_000)
    expect(JSON.parse(body).messages).to.have.length(20)
    await cleo.markRead('general')
    await shown(receipt('for everybody').getByText('Seen by 131'))
    await gone(receipt('between 24.'))
  })

  it('is a list of all names on request, page by page, by keyboard', async () => {
    await ada.composer.focus()
    await ada.page.keyboard.press('Shift+Tab')
    await ada.row('for everybody').focus()
    await ada.page.keyboard.press('ContextMenu')
    await ada.page.getByRole('menuitem', { name: /^Seen by/ }).press('Enter')
    await shown(people())
    await eventually(async () => expect(await popover().locator('button.option:focus').count()).to.equal(1))
    expect(await people().count()).to.be.within(100, 132)
    await ada.page.emulateMedia({ reducedMotion: 'reduce' })
    expect(await axeFindings(ada.page)).to.deep.equal([])
    await people().last().focus()
    await eventually(async () => expect(await people().count()).to.be.at.least(130))
    expect(await popover().locator('.popover-title').textContent()).to.match(/^Seen by 13\d of 13\d$/)
    await ada.page.keyboard.press('Escape')
    await gone(popover())
  })

  it('is requested for an older message only on demand', async () => {
    const asked = () => proxy.count(/^GET \/seen\//)
    const before = asked()
    await ada.row('an old one').scrollIntoViewIfNeeded()
    expect(await receipt('an old one').count()).to.equal(0)
    expect(asked()).to.equal(before)
    await ada.choose('an old one', 'Seen by…')
    await shown(people())
    expect(asked()).to.equal(before + 1)
    await ada.page.keyboard.press('Escape')
  })

  it('is reported as not loaded after an error, and requested again', async () => {
    proxy.fails = { path: /^\/seen\//, status: 503 }
    await ada.choose('an old one', 'Seen by…')
    await shown(popover().getByText('The readers of this message could not be loaded.'))
    await eventually(async () => expect(await popover().locator('button:focus').count()).to.equal(1))
    proxy.mend()
    await ada.page.keyboard.press('Enter')
    await shown(people())
    await ada.page.keyboard.press('Escape')
  })

  it('causes no error in the page', () => {
    expect(ada.complaints).to.deep.equal([])
  })
})
