import { expect } from 'chai'
import type { Page } from 'playwright-core'
import type { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, startFullStack } from '#shared/test-kit/full-stack.ts'
import {
  anotherTab,
  crash,
  isIn,
  nothing,
  played,
  press,
  readIn,
  recordedUser,
  shown,
  showSlowly,
  takePlayed,
  write,
} from './notifications.fixture.ts'

/** ada has two tabs, bob writes to her. */
describe('the notification of new messages for ada', function () {
  this.timeout(240_000)
  this.bail(true)
  let stack: FullStack
  let ada: BrowserUser
  let bob: BrowserUser
  let one: Page
  let two: Page

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'quiet', 'random'] } })
    ada = await recordedUser(stack, 'ada')
    bob = await recordedUser(stack, 'bob')
    one = ada.page
  })
  after(() => stack?.close())

  const read = (channel: string) => readIn(two ?? one, channel)
  const titleIs = (page: Page, wanted: string) =>
    eventually(async () => expect(await page.title()).to.equal(wanted))
  const icon = (page: Page) => page.locator('link[rel=icon]').getAttribute('href')
  const prefer = (choices: object) =>
    two.evaluate(text => {
      const key = 'bothy preferences ada'
      localStorage.setItem(key, text)
      dispatchEvent(new StorageEvent('storage', { key }))
    }, JSON.stringify(choices))
  const only = (title: string, body: string) =>
    eventually(async () =>
      expect((await shown(two)).map(each => [each.title, each.body])).to.deep.equal([[title, body]]),
    )
  /** Effects in both tabs since the last call. */
  const both = async () => {
    const all = await Promise.all([one, two].map(takePlayed))
    return { popups: all.flatMap(each => each.popups), notes: all.reduce((sum, each) => sum + each.notes, 0) }
  }

  it('is offered once, after a mention, and asked for only from a button', async () => {
    await one.goto('/#/c/random')
    await one.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    const offer = one.getByText('Show notifications for mentions on this computer?')
    // Mentions of the first list are not new.
    await eventually(async () => {
      await write(bob, 'general', '@ada are you there?')
      await offer.waitFor({ timeout: 1_000 })
    }, 60_000)
    expect((await played(one)).asked).to.equal(0)
    await one.context().grantPermissions(['notifications'])
    await one.getByRole('button', { name: 'Turn on', exact: true }).click()
    await one.getByText('Notifications are on.').waitFor()
    expect((await played(one)).asked).to.equal(1)
  })

  it('is a number in the title and an amber dot in the icon, until it is read', async () => {
    await read('general')
    await titleIs(one, '#random · bothy')
    const plain = await icon(one)
    await write(bob, 'general', '@ada and now?')
    await titleIs(one, '(1) #random · bothy')
    const dotted = await icon(one)
    expect(dotted).not.to.equal(plain)
    expect(await (await one.request.get(dotted!)).text()).to.contain('<circle')
    await read('general')
    await titleIs(one, '#random · bothy')
    expect(await icon(one)).to.equal(plain)
  })

  it('is one notification from two tabs in the background, with one chime', async () => {
    two = await anotherTab(ada, '#/c/random')
    await two.mouse.click(400, 400)
    await isIn(one, 'back')
    await isIn(two, 'back')
    await both()
    await write(bob, 'dm:ada:bob', 'the *north* bank')
    await only('bob', 'the north bank')
    await write(bob, 'dm:ada:bob', 'is up')
    await only('2 messages from bob', 'is up')
    // Both tabs have received both messages by now.
    await titleIs(one, '(2) #random · bothy')
    await titleIs(two, '(2) #random · bothy')
    const { popups, notes } = await both()
    expect(popups).to.deep.equal([
      { title: 'bob', calls: true },
      { title: '2 messages from bob', calls: false },
    ])
    expect(notes).to.equal(2)
  })

  it('goes away when it is read elsewhere', async () => {
    await read('dm:ada:bob')
    await nothing(two)
    await titleIs(one, '#random · bothy')
  })

  it('leaves out messages that were sent quietly, which count as unread', async () => {
    await both()
    const quietly = async (channel: string, text: string) =>
      expect((await bob.page.request.post(`/send/${channel}`, { form: { text, quiet: '1' } })).ok()).to.equal(
        true,
      )
    await quietly('dm:ada:bob', 'when you are up')
    await quietly('general', '@ada no hurry')
    await titleIs(one, '(2) #random · bothy')
    // Notifications of the quiet ones would precede these.
    await write(bob, 'general', '@ada now')
    await only('bob in #general', '@ada now')
    expect((await both()).popups).to.deep.equal([{ title: 'bob in #general', calls: true }])
    await read('general')
    await read('dm:ada:bob')
    await nothing(two)
    await titleIs(one, '#random · bothy')
  })

  it('says where, and opens the place in the tab when it is pressed', async () => {
    const id = await write(bob, 'general', '@everyone lunch')
    await only('bob in #general', '@everyone lunch')
    const [worker] = two.context().serviceWorkers()
    await worker!.evaluate(press)
    await eventually(() =>
      expect([one.url(), two.url()].filter(url => url.endsWith(`#/c/general/m/${id}`))).to.have.length(1),
    )
    expect(two.context().pages()).to.have.length(2)
    await nothing(two)
    await Promise.all([one, two].map(page => page.goto('/#/c/random')))
    await read('general')
    for (const page of [one, two]) await titleIs(page, '#random · bothy')
  })

  it('counts a message once although two lists contain it', async () => {
    await both()
    await write(bob, 'dm:ada:bob', '@ada psst')
    await only('bob', '@ada psst')
    await write(bob, 'general', '@ada hey')
    await eventually(async () => expect(await shown(two)).to.have.length(2))
    expect((await both()).popups.map(popup => popup.title)).to.deep.equal(['bob', 'bob in #general'])
    await read('general')
    await read('dm:ada:bob')
    await nothing(two)
  })

  it('covers messages without mentions only in chosen channels', async () => {
    await prefer({ everyMessageIn: ['quiet'] })
    await write(bob, 'general', 'nothing for anybody')
    await write(bob, 'quiet', 'all calm')
    await only('bob in #quiet', 'all calm')
    await read('quiet')
    await read('general')
    await nothing(two)
    await prefer({ desktopText: false })
    await write(bob, 'dm:ada:bob', 'secret')
    await only('bob', 'New message')
    await read('dm:ada:bob')
    await nothing(two)
    await prefer({})
  })

  it('is nothing for the visible channel, and a chime for a mention elsewhere', async () => {
    await one.goto('/#/c/general')
    await isIn(one, 'front')
    await both()
    await write(bob, 'general', '@ada see?')
    await one.locator('article', { hasText: '@ada see?' }).waitFor()
    await write(bob, 'quiet', '@ada and here?')
    await titleIs(one, '(1) #general · bothy')
    await titleIs(two, '(1) #random · bothy')
    await eventually(async () => expect((await played(one)).notes + (await played(two)).notes).to.equal(2))
    // Notifications of these messages would precede the next one.
    await isIn(one, 'back')
    await write(bob, 'dm:ada:bob', 'ping')
    await only('bob', 'ping')
    expect((await both()).popups).to.deep.equal([{ title: 'bob', calls: true }])
    for (const channel of ['general', 'quiet', 'dm:ada:bob']) await read(channel)
    await nothing(two)
  })

  it('is a chime for the open channel while a page covers it', async () => {
    await one.goto('/#/c/general')
    await isIn(one, 'front')
    await one.evaluate(() => {
      location.hash = '#/threads'
    })
    await one.locator('.threads-page').waitFor()
    await both()
    await write(bob, 'general', '@ada behind the page')
    await eventually(async () => expect((await played(one)).notes + (await played(two)).notes).to.equal(2))
    await read('general')
    await isIn(one, 'back')
    await both()
    await nothing(two)
  })

  it('is only a number while she is muted, and more again after the mute has ended', async () => {
    await prefer({ mutedUntil: 'forever' })
    await both()
    await write(bob, 'dm:ada:bob', 'quiet please')
    await titleIs(two, '(1) #random · bothy')
    await write(bob, 'general', '@ada quiet, too')
    await titleIs(two, '(2) #random · bothy')
    expect(await both()).to.deep.equal({ popups: [], notes: 0 })
    await read('general')
    await prefer({ mutedUntil: Date.now() + 1_000 })
    await eventually(async () => {
      await write(bob, 'dm:ada:bob', 'again')
      expect(await shown(two)).to.have.length(1)
    }, 60_000)
    await read('dm:ada:bob')
    await nothing(two)
    await prefer({})
  })

  it('is neither a pop-up nor a sound for a muted channel: a message, a mention or a call', async () => {
    const mute = (channel: string, muted_for_minutes: number) =>
      two.request.patch(`/channel_prefs/${channel}`, { data: { muted_for_minutes } })
    await prefer({ everyMessageIn: ['quiet'] })
    for (const channel of ['quiet', 'dm:ada:bob']) expect((await mute(channel, -1)).status()).to.equal(204)
    for (const tab of [one, two])
      for (const channel of ['quiet', 'dm:ada:bob'])
        await tab.locator(`[data-channel="${channel}"].is-muted`).waitFor({ state: 'attached' })
    await both()
    await write(bob, 'quiet', 'all calm')
    await write(bob, 'quiet', '@ada calm?')
    await write(bob, 'dm:ada:bob', 'psst')
    const call = await bob.page.request.post('/calls/initiate', { data: { channel: 'dm:ada:bob' } })
    const { call_id } = await call.json()
    await two.locator('[data-channel="dm:ada:bob"] [aria-label^="Call running"]').waitFor()
    // A notification of any of these would precede this one.
    await write(bob, 'general', '@ada loud')
    await only('bob in #general', '@ada loud')
    expect(await both()).to.deep.equal({ popups: [{ title: 'bob in #general', calls: true }], notes: 2 })
    expect(await two.getByRole('alertdialog').count()).to.equal(0)
    await bob.page.request.post(`/calls/${call_id}/end`)
    for (const channel of ['quiet', 'dm:ada:bob']) await mute(channel, 0)
    for (const channel of ['quiet', 'dm:ada:bob', 'general']) await read(channel)
    await two.locator('[data-channel=quiet]:not(.is-muted)').waitFor()
    await nothing(two)
    await prefer({})
  })

  it('is an incoming call in a hidden tab, until it ends', async () => {
    const call = await bob.page.request.post('/calls/initiate', { data: { channel: 'dm:ada:bob' } })
    expect(call.status()).to.equal(200)
    const { call_id } = await call.json()
    await only('bob is calling', '')
    await bob.page.request.post(`/calls/${call_id}/end`)
    await nothing(two)
  })

  it('is shown completely before another notification is closed', async () => {
    await write(bob, 'dm:ada:bob', 'may I call?')
    await only('bob', 'may I call?')
    await both()
    await one.evaluate(showSlowly)
    const call = await bob.page.request.post('/calls/initiate', { data: { channel: 'dm:ada:bob' } })
    await eventually(async () => expect((await played(one)).isShowing).to.equal(true))
    await read('dm:ada:bob')
    await only('bob is calling', '')
    expect((await played(one)).askedTooEarly).to.equal(false)
    await bob.page.request.post(`/calls/${(await call.json()).call_id}/end`)
    await nothing(two)
  })

  it('comes from the other tab when the first one crashes', async () => {
    await crash(one)
    await eventually(async () => {
      await write(bob, 'dm:ada:bob', 'still there?')
      expect(await shown(two)).to.have.length(1)
    }, 60_000)
    await read('dm:ada:bob')
    await nothing(two)
  })

  it('comes from a single tab also in a browser without locks', async () => {
    const dora = await recordedUser(stack, 'dora', () => {
      Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })
    })
    await dora.page.context().grantPermissions(['notifications'])
    const other = await anotherTab(dora, '#/c/general')
    for (const page of [dora.page, other]) await isIn(page, 'back')
    await eventually(async () => {
      await write(bob, 'dm:bob:dora', 'anyone?')
      expect(await shown(other)).to.have.length(1)
    }, 60_000)
    await readIn(other, 'dm:bob:dora')
    await nothing(other)
    await Promise.all([dora.page, other].map(takePlayed))
    for (const [channel, title] of [
      ['dm:bob:dora', 'bob'],
      ['general', 'bob in #general'],
    ] as const) {
      await write(bob, channel, '@dora')
      await eventually(async () => expect((await shown(other)).map(each => each.title)).to.include(title))
    }
    const played = await Promise.all([dora.page, other].map(takePlayed))
    expect(played.map(each => each.popups.length)).to.deep.equal([2, 0])
    for (const channel of ['general', 'dm:bob:dora']) await readIn(other, channel)
    await nothing(other)
    await crash(dora.page)
    await eventually(async () => {
      await write(bob, 'dm:bob:dora', 'still there?')
      expect(await shown(other)).to.have.length(1)
    }, 60_000)
    expect(dora.complaints).to.deep.equal([])
  })

  it('is shown without an error in any page', () => {
    expect([...ada.complaints, ...bob.complaints]).to.deep.equal([])
  })
})
