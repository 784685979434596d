import { expect } from 'chai'
import type { Page } from 'playwright-core'
import type { BadProxy } from '#shared/test-kit/bad-proxy.ts'
import type { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import type { FullStack } from '#shared/test-kit/full-stack.ts'
import type { NetworkLink } from '#shared/test-kit/network-link.ts'
import { PASSWORD, Person } from '#shared/test-kit/person.ts'
import { weakNetwork } from './weak-network.fixture.ts'

describe('reading on a weak network', function () {
  this.timeout(240_000)
  this.bail(true)
  let net: Awaited<ReturnType<typeof weakNetwork>>
  let stack: FullStack
  let proxy: BadProxy
  let link: NetworkLink
  let ada: BrowserUser
  let page: Page
  let bob: Person
  let den: string

  before(async () => {
    net = await weakNetwork()
    ;({ stack, proxy, link, ada, bob, den } = net)
    page = ada.page
  })
  after(() => net?.close())

  it('a broken response counts as a failure, and can be requested again', async () => {
    proxy.breaksAnswersOf = /^\/messages\/random/
    await page.evaluate(() => {
      location.hash = '#/c/random'
    })
    const again = page.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    proxy.mend()
    // Also requested whenever the stream is back.
    await eventually(async () => {
      if ((await again.count()) > 0) await again.click({ timeout: 1_000 })
      await bob.send('random', 'whole')
      await ada.row('whole').first().waitFor({ timeout: 2_000 })
    }, 60_000)
    await net.open('general')
    expect(ada.complaints).to.deep.equal([])
  })

  it('changes during an outage appear afterwards: edits, reactions, removals, and a thousand rows', async () => {
    const cleo = await stack.person('cleo')
    const edited = await bob.send('general', 'before the edit')
    const removed = await bob.send('general', 'soon removed')
    const liked = await bob.send('general', 'to be liked')
    await cleo.send('general', 'from cleo, who leaves for good')
    for (const text of ['before the edit', 'soon removed', 'to be liked', 'from cleo'])
      await ada.row(text).waitFor()
    await link.cut()
    await bob.edit(edited, 'after the edit')
    await bob.delete(removed)
    await bob.react(liked, 'thumbs_up')
    const gone = await cleo.postJson('/delete_account', { type: 'hard', password: PASSWORD })
    expect(gone.status).to.equal(200)
    for (let from = 0; from < 520; from += 20)
      await Promise.all(Array.from({ length: 20 }, (_, i) => bob.send('general', `flood ${from + i}`)))
    await bob.send('general', 'after the flood')
    await link.mend()
    await ada.row('after the flood').waitFor()
    // Up to where the flood began, through the rows that load there.
    await eventually(async () => {
      await page.evaluate(() =>
        document.querySelector('[data-region=messages] [role=feed]')?.scrollIntoView(),
      )
      await page.locator('article').first().scrollIntoViewIfNeeded()
      expect(await ada.row('after the edit').count()).to.equal(1)
    }, 60_000)
    expect(await ada.row('soon removed').count()).to.equal(0)
    expect(await ada.row('from cleo').count()).to.equal(0)
    expect(await ada.row('to be liked').getByRole('button', { pressed: false }).count()).to.be.greaterThan(0)
  })

  it('a proxy that holds back the stream is detected, and polling replaces the stream until it is fixed', async () => {
    // At the end of the list, where new rows are visible.
    await ada.say('caught up')
    await net.nothingPending()
    await page.reload()
    await ada.row('caught up').waitFor()
    proxy.holdsStreams = true
    await link.cut()
    await link.mend()
    await eventually(() => expect(proxy.count(/^GET \/typing/)).to.be.greaterThan(0), 60_000)
    await bob.send('general', 'by asking')
    await ada.row('by asking').waitFor()
    await ada.say('and back')
    await net.nothingPending()
    expect(await net.banner().count()).to.equal(0)
    await net.open('den')
    await bob.send(den, 'also elsewhere')
    await ada.row('also elsewhere').waitFor()
    await net.open('general')

    proxy.mend()
    const before = proxy.count(/^GET \/events/)
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await eventually(() => expect(proxy.count(/^GET \/events/)).to.be.greaterThan(before))
    await bob.send('general', 'by the stream')
    await ada.row('by the stream').waitFor()
    // From here on polling would not help.
    proxy.fails = { path: /^\/messages/, status: 503 }
    await bob.send('general', 'by the stream alone')
    await ada.row('by the stream alone').waitFor()
    proxy.mend()
  })

  it('too many tabs are reported, and the client polls', async () => {
    proxy.refusesStreams = 429
    await link.cut()
    await link.mend()
    await page.getByText('bothy is open in many tabs').waitFor()
    await bob.send('general', 'in the crowd')
    await ada.row('in the crowd').waitFor()
    proxy.mend()
    await net.banner().waitFor({ state: 'hidden' })
  })

  it('a lasting outage is reported with the name of the server and a way to retry at once', async () => {
    await page.clock.install()
    await page.reload()
    await ada.row('in the crowd').waitFor()
    await link.cut()
    await page.clock.runFor(3_000)
    expect(await net.banner().count()).to.equal(0)
    await page.clock.runFor(4_000)
    await page.getByText('Reconnecting. You can keep writing').waitFor()
    await page.clock.runFor(30_000)
    await page.getByText(`No connection to ${new URL(link.url).host}.`).waitFor()
    await link.mend()
    await page.getByRole('button', { name: 'Try now' }).click()
    await net.banner().waitFor({ state: 'hidden' })
  })

  it('a session that ended elsewhere keeps the draft and the unsent messages', async () => {
    await page.clock.resume()
    await link.cut()
    await ada.say('after signing in 1')
    await ada.composer.fill('a draft')
    await eventually(async () => {
      const draft = await page.evaluate(() => localStorage.getItem('bothy draft ada general'))
      expect(draft).to.equal('a draft')
    })
    const [session] = (await page.context().cookies()).filter(({ name }) => name === 'session')
    const elsewhere = new Person('ada', stack.url)
    elsewhere.cookie = `session=${session!.value}`
    await elsewhere.fetch('/logout')
    await link.mend()
    await page.getByRole('dialog', { name: 'You were signed out' }).waitFor()
    await eventually(async () => {
      const names = await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))
      expect(names).to.not.include('bothy cache ada')
    })
    expect(await net.textsOf('general', 'after signing')).to.deep.equal([])
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('Username').fill('ada')
    await page.locator('input[name=password]').fill(PASSWORD)
    await page.locator('form .button-primary').click()
    await ada.composer.waitFor()
    expect(await ada.composer.inputValue()).to.equal('a draft')
    await eventually(async () =>
      expect(await net.textsOf('general', 'after signing')).to.deep.equal(['after signing in 1']),
    )
    await net.nothingPending()
    expect(ada.complaints).to.deep.equal([])
  })
})
