import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { axeFindings } from '#shared/test-kit/axe.ts'
import type { BadProxy } from '#shared/test-kit/bad-proxy.ts'
import { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import type { FullStack } from '#shared/test-kit/full-stack.ts'
import type { NetworkLink } from '#shared/test-kit/network-link.ts'
import { PASSWORD, type Person } from '#shared/test-kit/person.ts'
import { startService } from '#shared/test-kit/processes.ts'
import { weakNetwork } from './weak-network.fixture.ts'

describe('writing on a weak network', function () {
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

  it('messages written offline survive a reload, and arrive once, in order, in their channel', async () => {
    await net.isKept('general')
    await net.isKept(den)
    await eventually(async () =>
      expect(await page.evaluate(async () => Boolean(await caches.match('/')))).to.equal(true),
    )
    await link.cut()
    await ada.say('away 1')
    await ada.say('away 2')
    await net.open('den')
    await net.attach('boat.png')
    await ada.say('away in the den 3')
    await net.open('general')
    await ada.say('away 4')
    await eventually(async () => expect(await net.pendings().count()).to.be.greaterThan(0))

    await page.reload()
    await ada.row('Welcome to bothy, ada!').waitFor()
    expect(await net.shownTexts('away ')).to.equal(3)
    await ada.row('Will be sent when the connection is back').first().waitFor()
    // Written after the reload, still offline.
    await ada.say('away 5')
    expect(await net.textsOf('general', 'away')).to.deep.equal([])

    await link.mend()
    await net.nothingPending()
    expect(await net.textsOf('general', 'away')).to.deep.equal(['away 1', 'away 2', 'away 4', 'away 5'])
    expect(await net.textsOf(den, 'away')).to.deep.equal(['away in the den 3'])
    await eventually(async () => {
      const images = (await bob.messages(den)).filter(row => row.filename !== null)
      expect(images.length).to.equal(1)
    }, 60_000)
    expect(await net.shownTexts('away ')).to.equal(4)
    await net.open('den')
    await net.nothingPending()
    expect(await page.locator('article .image-attachment-open img').count()).to.equal(1)
  })

  it('two tabs send the messages of both, each once and in the order of writing', async () => {
    await net.open('general')
    const second = await page.context().newPage()
    await second.goto('/#/c/general')
    await second.locator('[data-region=composer] textarea').waitFor()
    await ada.row('away 5').waitFor()
    const say = async (on: Page, text: string) => {
      await on.locator('[data-region=composer] textarea').fill(text)
      await on.locator('[data-region=composer] textarea').press('Enter')
    }
    await link.cut()
    for (let i = 1; i <= 6; i++) await say(i % 2 ? page : second, `both ${i}`)
    const before = proxy.count(/^POST \/send/)
    await link.mend()
    await net.nothingPending()
    await net.nothingPending(second)
    const expected = [1, 2, 3, 4, 5, 6].map(i => `both ${i}`)
    expect((await net.textsOf('general', 'both')).toSorted()).to.deep.equal(expected)
    expect(proxy.count(/^POST \/send/) - before).to.equal(6)
    for (const one of [page, second])
      await eventually(async () => expect(await net.shownTexts('both ', one)).to.equal(6))
    await second.close()
  })

  it('tabs over plain http do the same without locks', async () => {
    const dora = await stack.user('dora', link.url)
    await dora.page.context().addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })
    })
    await dora.signUp(PASSWORD)
    const second = new BrowserUser('dora', dora.page.context(), await dora.page.context().newPage())
    await second.page.goto('/#/c/general')
    await second.composer.waitFor()
    await second.row('Welcome to bothy, dora!').waitFor()
    await link.cut()
    for (let i = 1; i <= 4; i++) await (i % 2 ? dora : second).say(`plain ${i}`)
    const before = proxy.count(/^POST \/send/)
    await link.mend()
    for (const one of [dora, second]) {
      await net.nothingPending(one.page)
      await eventually(async () => expect(await net.shownTexts('plain ', one.page)).to.equal(4))
    }
    expect((await net.textsOf('general', 'plain')).toSorted()).to.deep.equal(
      [1, 2, 3, 4].map(i => `plain ${i}`),
    )
    expect(proxy.count(/^POST \/send/) - before).to.equal(4)
    await dora.leave()
  })

  it('a browser without storage still sends messages while the page is open', async () => {
    const erin = await stack.user('erin', link.url)
    await erin.page.context().addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('not here', 'SecurityError')
      }
    })
    await erin.signUp(PASSWORD)
    await erin.row('Welcome to bothy, erin!').waitFor()
    await link.cut()
    await erin.say('kept nowhere 1')
    await erin.say('kept nowhere 2')
    await erin.row('kept nowhere 2').waitFor()
    await link.mend()
    await net.nothingPending(erin.page)
    expect(await net.textsOf('general', 'kept')).to.deep.equal(['kept nowhere 1', 'kept nowhere 2'])
    expect(erin.complaints).to.deep.equal([])
    await erin.leave()
  })

  it('a lost response does not duplicate a message', async () => {
    proxy.losesAnswersOf = /^\/send/
    await ada.say('lost 1')
    await eventually(() => expect(proxy.count(/^POST \/send/)).to.be.greaterThan(1))
    await eventually(async () => expect(await net.textsOf('general', 'lost')).to.deep.equal(['lost 1']))
    proxy.mend()
    await ada.say('lost 2')
    await net.nothingPending()
    expect(await net.textsOf('general', 'lost')).to.deep.equal(['lost 1', 'lost 2'])
    expect(await net.shownTexts('lost ')).to.equal(2)
  })

  it('a server killed while it receives a message stores it once in the end', async () => {
    for (const round of [1, 2, 3]) {
      const sent = page.waitForRequest(/\/send\//)
      await ada.composer.fill(`killed ${round}`)
      await ada.composer.press('Enter')
      await sent
      await stack.api[0]!.kill()
      stack.api[0] = await startService('api', stack.backing.env)
      await net.nothingPending()
    }
    expect(await net.textsOf('general', 'killed')).to.deep.equal(['killed 1', 'killed 2', 'killed 3'])
    expect(await net.shownTexts('killed ')).to.equal(3)
  })

  it('images show their upload progress, and an upload can be cancelled', async () => {
    proxy.stalls = /^\/send/
    await net.attach('one.png', 'two.png', 'three.png')
    await ada.say('three of them 1')
    const bars = page.getByRole('progressbar')
    await eventually(async () => expect(await bars.count()).to.equal(3))
    const tray = (await axeFindings(page)).filter(finding => /class="(up|rm|pg|send-st)/.test(finding))
    expect(tray).to.deep.equal([])
    await page.getByRole('button', { name: 'Cancel the upload of two.png' }).click()
    await eventually(async () => expect(await bars.count()).to.equal(2))
    const before = (await bob.messages('general')).length
    proxy.mend()
    await net.nothingPending()
    await eventually(async () => {
      const rows = (await bob.messages('general')).slice(before)
      expect(rows.map(row => row.filename === null)).to.deep.equal([true, false, false])
    })
    expect(await bars.count()).to.equal(0)
  })

  it('a refused message shows the reason, and the next one is sent all the same', async () => {
    proxy.fails = { path: /^\/send/, status: 413 }
    await ada.say('refused 1')
    await page.getByText('Not sent: the server did not accept it.').waitFor()
    proxy.mend()
    await page.locator('nav a.sidebar-row', { hasText: 'den' }).click()
    await page
      .locator('nav a.sidebar-row', { hasText: 'general' })
      .getByRole('img', { name: 'Message not sent' })
      .waitFor()
    await page.locator('nav a.sidebar-row', { hasText: 'general' }).click()
    await ada.say('refused 2')
    await eventually(async () => expect(await net.textsOf('general', 'refused')).to.deep.equal(['refused 2']))
    await page.reload()
    await ada.row('refused 1').getByRole('button', { name: 'Try again' }).click()
    await net.nothingPending()
    expect(await net.textsOf('general', 'refused')).to.deep.equal(['refused 2', 'refused 1'])
  })
})
