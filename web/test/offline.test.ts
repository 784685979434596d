import { expect } from 'chai'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { axeFindings } from '#shared/test-kit/axe.ts'
import { BadProxy } from '#shared/test-kit/bad-proxy.ts'
import { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, startFullStack } from '#shared/test-kit/full-stack.ts'
import { NetworkLink } from '#shared/test-kit/network-link.ts'
import { PASSWORD, Person } from '#shared/test-kit/person.ts'
import { startService } from '#shared/test-kit/processes.ts'

/** Reading and writing on a bad network. Chain: browser, link, proxy, front door. */
describe('the client on a weak network', function () {
  this.timeout(120_000)
  this.bail(true)
  let stack: FullStack
  let proxy: BadProxy
  let link: NetworkLink
  let ada: BrowserUser
  let page: Page
  let bob: Person
  let den: string
  let picture: Buffer

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'random'] } })
    proxy = await BadProxy.to(stack.url)
    link = await NetworkLink.to(proxy.url)
    bob = await stack.person('bob')
    const colour = { width: 320, height: 240, channels: 3, background: 'teal' } as const
    picture = await sharp({ create: colour }).png().toBuffer()
    ada = await stack.user('ada', link.url)
    page = ada.page
    await ada.signUp(PASSWORD)
    const made = await bob.postJson('/private_channels/create', { name: 'den', members: ['ada'] })
    den = ((await made.json()) as { channel: string }).channel
    await bob.send(den, 'in the den')
    // The offline files come with the worker, and its page a reload later.
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await page.reload()
    await open('den')
    await ada.row('in the den').waitFor()
    await open('general')
  })
  after(async () => {
    await link?.cut()
    proxy?.close()
    await stack?.close()
  })

  const open = async (name: string, on = page) => {
    const hash = name === 'den' ? den.replace('private:', '#/p/') : `#/c/${name}`
    await on.evaluate(to => {
      location.hash = to
    }, hash)
    await on.locator(`[data-region=composer] textarea[placeholder*="${name}"]`).waitFor()
  }
  const attach = (...names: string[]) =>
    page
      .locator('[data-region=composer] input[type=file]')
      .setInputFiles(names.map(name => ({ name, mimeType: 'image/png', buffer: picture })))
  const pendings = (on = page) => on.locator('[data-pending]')
  const nothingPending = (on = page) =>
    eventually(async () => expect(await pendings(on).count()).to.equal(0), 30_000)
  const textsOf = async (channel: string, beginning: string) =>
    (await bob.messages(channel)).flatMap(row => (row.content?.startsWith(beginning) ? [row.content] : []))
  const shownTexts = (beginning: string, on = page) =>
    on.locator('article', { hasText: new RegExp(`${beginning}\\d`) }).count()
  /** Waits until the cache of this device has the channel. */
  const isKept = (channel: string) =>
    eventually(async () => {
      const known = await page.evaluate(
        id =>
          new Promise<unknown>(resolve => {
            const request = indexedDB.open('bothy cache ada')
            request.onsuccess = () => {
              const found = request.result.transaction('channels').objectStore('channels').get(id)
              found.onsuccess = () => {
                request.result.close()
                resolve(found.result)
              }
            }
          }),
        channel,
      )
      expect(known).to.be.an('object')
    })
  const banner = () => page.locator('.banner')

  it('messages written offline survive a reload, and arrive once, in order, in their channel', async () => {
    await isKept('general')
    await isKept(den)
    await eventually(async () =>
      expect(await page.evaluate(async () => Boolean(await caches.match('/')))).to.equal(true),
    )
    await link.cut()
    await ada.say('away 1')
    await ada.say('away 2')
    await open('den')
    await attach('boat.png')
    await ada.say('away in the den 3')
    await open('general')
    await ada.say('away 4')
    expect(await pendings().count()).to.be.greaterThan(0)

    await page.reload()
    await ada.row('Welcome to bothy, ada!').waitFor()
    expect(await shownTexts('away ')).to.equal(3)
    await ada.row('Goes out when the connection is back').first().waitFor()
    // Written after the reload, still offline.
    await ada.say('away 5')
    expect(await textsOf('general', 'away')).to.deep.equal([])

    await link.mend()
    await nothingPending()
    expect(await textsOf('general', 'away')).to.deep.equal(['away 1', 'away 2', 'away 4', 'away 5'])
    expect(await textsOf(den, 'away')).to.deep.equal(['away in the den 3'])
    await eventually(async () => {
      const images = (await bob.messages(den)).filter(row => row.filename !== null)
      expect(images.length).to.equal(1)
    }, 20_000)
    expect(await shownTexts('away ')).to.equal(4)
    await open('den')
    await nothingPending()
    expect(await page.locator('article .image-attachment-open img').count()).to.equal(1)
  })

  it('two tabs send the messages of both, each once and in the order of writing', async () => {
    await open('general')
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
    await nothingPending()
    await nothingPending(second)
    const expected = [1, 2, 3, 4, 5, 6].map(i => `both ${i}`)
    expect((await textsOf('general', 'both')).toSorted()).to.deep.equal(expected)
    expect(proxy.count(/^POST \/send/) - before).to.equal(6)
    for (const one of [page, second])
      await eventually(async () => expect(await shownTexts('both ', one)).to.equal(6))
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
      await nothingPending(one.page)
      await eventually(async () => expect(await shownTexts('plain ', one.page)).to.equal(4))
    }
    expect((await textsOf('general', 'plain')).toSorted()).to.deep.equal([1, 2, 3, 4].map(i => `plain ${i}`))
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
    await nothingPending(erin.page)
    expect(await textsOf('general', 'kept')).to.deep.equal(['kept nowhere 1', 'kept nowhere 2'])
    expect(erin.complaints).to.deep.equal([])
    await erin.leave()
  })

  it('a lost response does not duplicate a message', async () => {
    proxy.losesAnswersOf = /^\/send/
    await ada.say('lost 1')
    await eventually(() => expect(proxy.count(/^POST \/send/)).to.be.greaterThan(1))
    await eventually(async () => expect(await textsOf('general', 'lost')).to.deep.equal(['lost 1']))
    proxy.mend()
    await ada.say('lost 2')
    await nothingPending()
    expect(await textsOf('general', 'lost')).to.deep.equal(['lost 1', 'lost 2'])
    expect(await shownTexts('lost ')).to.equal(2)
  })

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
    }, 20_000)
    await open('general')
    expect(ada.complaints).to.deep.equal([])
  })

  it('a server killed while it receives a message stores it once in the end', async () => {
    for (const round of [1, 2, 3]) {
      const sent = page.waitForRequest(/\/send\//)
      await ada.composer.fill(`killed ${round}`)
      await ada.composer.press('Enter')
      await sent
      await stack.api[0]!.kill()
      stack.api[0] = await startService('api', stack.backing.env)
      await nothingPending()
    }
    expect(await textsOf('general', 'killed')).to.deep.equal(['killed 1', 'killed 2', 'killed 3'])
    expect(await shownTexts('killed ')).to.equal(3)
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
    await ada.row('after the flood').waitFor({ timeout: 30_000 })
    // Up to where the flood began, through the rows that load there.
    await eventually(async () => {
      await page.evaluate(() =>
        document.querySelector('[data-region=messages] [role=feed]')?.scrollIntoView(),
      )
      await page.locator('article').first().scrollIntoViewIfNeeded()
      expect(await ada.row('after the edit').count()).to.equal(1)
    }, 20_000)
    expect(await ada.row('soon removed').count()).to.equal(0)
    expect(await ada.row('from cleo').count()).to.equal(0)
    expect(await ada.row('to be liked').getByRole('button', { pressed: false }).count()).to.be.greaterThan(0)
  })

  it('a proxy that holds back the stream is detected, and polling replaces the stream until it is fixed', async () => {
    // At the end of the list, where new rows are visible.
    await ada.say('caught up')
    await nothingPending()
    await page.reload()
    await ada.row('caught up').waitFor()
    proxy.holdsStreams = true
    await link.cut()
    await link.mend()
    await eventually(() => expect(proxy.count(/^GET \/typing/)).to.be.greaterThan(0), 40_000)
    await bob.send('general', 'by asking')
    await ada.row('by asking').waitFor()
    await ada.say('and back')
    await nothingPending()
    expect(await banner().count()).to.equal(0)
    await open('den')
    await bob.send(den, 'also elsewhere')
    await ada.row('also elsewhere').waitFor()
    await open('general')

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
    await page.getByText('bothy is open in many tabs').waitFor({ timeout: 20_000 })
    await bob.send('general', 'in the crowd')
    await ada.row('in the crowd').waitFor()
    proxy.mend()
    await banner().waitFor({ state: 'hidden', timeout: 20_000 })
  })

  it('images show their upload progress, and an upload can be cancelled', async () => {
    proxy.stalls = /^\/send/
    await attach('one.png', 'two.png', 'three.png')
    await ada.say('three of them 1')
    const bars = page.getByRole('progressbar')
    await eventually(async () => expect(await bars.count()).to.equal(3))
    const tray = (await axeFindings(page)).filter(finding => /class="(up|rm|pg|send-st)/.test(finding))
    expect(tray).to.deep.equal([])
    await page.getByRole('button', { name: 'Cancel the upload of two.png' }).click()
    await eventually(async () => expect(await bars.count()).to.equal(2))
    const before = (await bob.messages('general')).length
    proxy.mend()
    await nothingPending()
    await eventually(async () => {
      const rows = (await bob.messages('general')).slice(before)
      expect(rows.map(row => row.filename === null)).to.deep.equal([true, false, false])
    })
    expect(await bars.count()).to.equal(0)
  })

  it('a refused message shows the reason, and the next one is sent all the same', async () => {
    proxy.fails = { path: /^\/send/, status: 413 }
    await ada.say('refused 1')
    await page.getByText('Not sent: no.').waitFor()
    proxy.mend()
    await page.locator('nav a.sidebar-row', { hasText: 'den' }).click()
    await page
      .locator('nav a.sidebar-row', { hasText: 'general' })
      .getByRole('img', { name: 'Message not sent' })
      .waitFor()
    await page.locator('nav a.sidebar-row', { hasText: 'general' }).click()
    await ada.say('refused 2')
    await eventually(async () => expect(await textsOf('general', 'refused')).to.deep.equal(['refused 2']))
    await page.reload()
    await ada.row('refused 1').getByRole('button', { name: 'Try again' }).click()
    await nothingPending()
    expect(await textsOf('general', 'refused')).to.deep.equal(['refused 2', 'refused 1'])
  })

  it('a lasting outage is reported with the name of the server and a way to retry at once', async () => {
    await page.clock.install()
    await page.reload()
    await ada.row('refused 2').waitFor()
    await link.cut()
    await page.clock.runFor(3_000)
    expect(await banner().count()).to.equal(0)
    await page.clock.runFor(4_000)
    await page.getByText('Reconnecting. You can keep writing').waitFor()
    await page.clock.runFor(30_000)
    await page.getByText(`No connection to ${new URL(link.url).host}.`).waitFor()
    await link.mend()
    await page.getByRole('button', { name: 'Try now' }).click()
    await banner().waitFor({ state: 'hidden' })
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
    await page.getByRole('dialog', { name: 'You were signed out' }).waitFor({ timeout: 20_000 })
    await eventually(async () => {
      const names = await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))
      expect(names).to.not.include('bothy cache ada')
    })
    expect(await textsOf('general', 'after signing')).to.deep.equal([])
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('Username').fill('ada')
    await page.locator('input[name=password]').fill(PASSWORD)
    await page.locator('form .button-primary').click()
    await ada.composer.waitFor()
    expect(await ada.composer.inputValue()).to.equal('a draft')
    await eventually(
      async () => expect(await textsOf('general', 'after signing')).to.deep.equal(['after signing in 1']),
      15_000,
    )
    await nothingPending()
    expect(ada.complaints).to.deep.equal([])
  })
})
