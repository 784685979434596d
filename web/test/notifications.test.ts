import { expect } from 'chai'
import type { Page } from 'playwright-core'
import type { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, startFullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD } from '#shared/test-kit/person.ts'

/** Visible and audible effects recorded in the page. */
interface Played {
  asked: number
  notes: number
  popups: { title: string; calls: boolean }[]
  place: 'front' | 'back'
  isCrashing: boolean
  /** Duration of showing a notification, and whether notifications were queried during it. */
  showsFor: number
  isShowing: boolean
  askedTooEarly: boolean
}

/** Notifications: ada has two tabs, bob writes to her. Visibility is simulated: these browsers have no windows. */
describe('the notification of new messages for ada', function () {
  this.timeout(120_000)
  this.bail(true)
  let stack: FullStack
  let ada: BrowserUser
  let bob: BrowserUser
  let one: Page
  let two: Page

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'quiet', 'random'] } })
    ada = await seatFor('ada')
    bob = await seatFor('bob')
    one = ada.page
  })
  after(() => stack?.close())

  async function seatFor(name: string) {
    const user = await stack.user(name)
    await user.page.context().addInitScript(play)
    await user.signUp(PASSWORD)
    return user
  }
  async function anotherTab(of: BrowserUser, hash: string) {
    const page = await of.page.context().newPage()
    page.on('pageerror', err => of.complaints.push(String(err)))
    await page.goto(`/${hash}`)
    await page.locator('[data-region=composer] textarea').waitFor()
    return page
  }
  const write = async (channel: string, text: string) => {
    const response = await bob.page.request.post(`/send/${channel}`, { form: { text } })
    expect(response.status()).to.equal(200)
    return Number(response.headers()['x-message-id'])
  }
  const readIn = async (page: Page, channel: string) =>
    expect((await page.request.post(`/mark_read/${channel}`)).ok()).to.equal(true)
  const read = (channel: string) => readIn(two ?? one, channel)
  const played = (page: Page) => page.evaluate(() => (globalThis as unknown as { played: Played }).played)
  const titleIs = (page: Page, wanted: string) =>
    eventually(async () => expect(await page.title()).to.equal(wanted))
  const icon = (page: Page) => page.locator('link[rel=icon]').getAttribute('href')
  const isIn = async (page: Page, place: Played['place']) => page.evaluate(putIn, place)
  const prefer = (choices: object) =>
    two.evaluate(text => {
      const key = 'bothy preferences ada'
      localStorage.setItem(key, text)
      dispatchEvent(new StorageEvent('storage', { key }))
    }, JSON.stringify(choices))

  const shown = (page = two) => page.evaluate(notificationsNow)
  const nothing = (page = two) => eventually(async () => expect(await shown(page)).to.deep.equal([]))
  const only = (title: string, body: string, page = two) =>
    eventually(async () =>
      expect((await shown(page)).map(each => [each.title, each.body])).to.deep.equal([[title, body]]),
    )
  /** Effects in both tabs since the last call. */
  const both = async () => {
    const all = await Promise.all([one, two].map(takePlayed))
    return { popups: all.flatMap(each => each.popups), notes: all.reduce((sum, each) => sum + each.notes, 0) }
  }

  it('is offered once, after a mention, and asked for only from a button', async () => {
    await one.goto('/#/c/random')
    await one.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    const offer = one.getByText('Get told about mentions on this computer?')
    // Mentions of the first list are not new.
    await eventually(async () => {
      await write('general', '@ada are you there?')
      await offer.waitFor({ timeout: 1_000 })
    }, 20_000)
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
    await write('general', '@ada and now?')
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
    await write('dm:ada:bob', 'the *north* bank')
    await only('bob', 'the north bank')
    await write('dm:ada:bob', 'is up')
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
    await nothing()
    await titleIs(one, '#random · bothy')
  })

  it('says where, and opens the place in the tab when it is pressed', async () => {
    const id = await write('general', '@everyone lunch')
    await only('bob in #general', '@everyone lunch')
    const [worker] = two.context().serviceWorkers()
    await worker!.evaluate(press)
    await eventually(() =>
      expect([one.url(), two.url()].filter(url => url.endsWith(`#/c/general/m/${id}`))).to.have.length(1),
    )
    expect(two.context().pages()).to.have.length(2)
    await nothing()
    await Promise.all([one, two].map(page => page.goto('/#/c/random')))
    await read('general')
    for (const page of [one, two]) await titleIs(page, '#random · bothy')
  })

  it('counts a message once although two lists contain it', async () => {
    await both()
    await write('dm:ada:bob', '@ada psst')
    await only('bob', '@ada psst')
    await write('general', '@ada hey')
    await eventually(async () => expect(await shown()).to.have.length(2))
    expect((await both()).popups.map(popup => popup.title)).to.deep.equal(['bob', 'bob in #general'])
    await read('general')
    await read('dm:ada:bob')
    await nothing()
  })

  it('covers messages without mentions only in chosen channels', async () => {
    await prefer({ everyMessageIn: ['quiet'] })
    await write('general', 'nothing for anybody')
    await write('quiet', 'all calm')
    await only('bob in #quiet', 'all calm')
    await read('quiet')
    await read('general')
    await nothing()
    await prefer({ desktopText: false })
    await write('dm:ada:bob', 'secret')
    await only('bob', 'New message')
    await read('dm:ada:bob')
    await nothing()
    await prefer({})
  })

  it('is nothing for the visible channel, and a chime for a mention elsewhere', async () => {
    await one.goto('/#/c/general')
    await isIn(one, 'front')
    await both()
    await write('general', '@ada see?')
    await one.locator('article', { hasText: '@ada see?' }).waitFor()
    await write('quiet', '@ada and here?')
    await titleIs(one, '(1) #general · bothy')
    await titleIs(two, '(1) #random · bothy')
    await eventually(async () => expect((await played(one)).notes + (await played(two)).notes).to.equal(2))
    // Notifications of these messages would precede the next one.
    await isIn(one, 'back')
    await write('dm:ada:bob', 'ping')
    await only('bob', 'ping')
    expect((await both()).popups).to.deep.equal([{ title: 'bob', calls: true }])
    for (const channel of ['general', 'quiet', 'dm:ada:bob']) await read(channel)
    await nothing()
  })

  it('is only a number while she is muted, and more again after the mute has ended', async () => {
    await prefer({ mutedUntil: 'forever' })
    await both()
    await write('dm:ada:bob', 'quiet please')
    await titleIs(two, '(1) #random · bothy')
    await write('general', '@ada quiet, too')
    await titleIs(two, '(2) #random · bothy')
    expect(await both()).to.deep.equal({ popups: [], notes: 0 })
    await read('general')
    await prefer({ mutedUntil: Date.now() + 1_000 })
    await eventually(async () => {
      await write('dm:ada:bob', 'again')
      expect(await shown()).to.have.length(1)
    }, 20_000)
    await read('dm:ada:bob')
    await nothing()
    await prefer({})
  })

  it('is an incoming call in a hidden tab, until it ends', async () => {
    const call = await bob.page.request.post('/calls/initiate', { data: { channel: 'dm:ada:bob' } })
    expect(call.status()).to.equal(200)
    const { call_id } = await call.json()
    await only('bob is calling', '')
    await bob.page.request.post(`/calls/${call_id}/end`)
    await nothing()
  })

  it('is shown completely before another notification is closed', async () => {
    await write('dm:ada:bob', 'may I call?')
    await only('bob', 'may I call?')
    await both()
    await one.evaluate(showSlowly)
    const call = await bob.page.request.post('/calls/initiate', { data: { channel: 'dm:ada:bob' } })
    await eventually(async () => expect((await played(one)).isShowing).to.equal(true))
    await read('dm:ada:bob')
    await only('bob is calling', '')
    expect((await played(one)).askedTooEarly).to.equal(false)
    await bob.page.request.post(`/calls/${(await call.json()).call_id}/end`)
    await nothing()
  })

  it('comes from the other tab when the first one crashes', async () => {
    await crash(one)
    await eventually(async () => {
      await write('dm:ada:bob', 'still there?')
      expect(await shown()).to.have.length(1)
    }, 20_000)
    await read('dm:ada:bob')
    await nothing()
  })

  describe('the presence that others see', () => {
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
      expect(
        await one.locator('.menu .presence-dot').evaluateAll(dots => dots.map(dot => dot.className)),
      ).to.deep.equal(['presence-dot', 'presence-dot', 'presence-dot is-idle', 'presence-dot is-off'])
      await one.getByRole('menuitemradio', { name: 'Idle' }).click()
      await isSeen('idle')
      for (const page of [one, two]) await page.locator('.sidebar-me-text', { hasText: 'Idle' }).waitFor()
      await two.locator('.sidebar-me-person').click()
      await two.getByRole('menuitemradio', { name: 'Idle', checked: true }).waitFor()
      await two.getByRole('menuitemradio', { name: 'Automatic' }).click()
      await isSeen('active')
    })
  })

  describe('the live region', () => {
    const polite = () => one.locator('.visually-hidden[aria-live=polite]')

    it('announces new messages of the open channel, or their number when there are too many', async () => {
      await write('general', 'a _first_ one')
      await polite().getByText('bob: a first one').waitFor()
      for (const text of ['2', '3', '4', '5', '6']) await write('general', text)
      await polite()
        .getByText(/^\d new messages$/)
        .waitFor()
    })

    it('announces mentions only, if chosen', async () => {
      await prefer({ announcements: 'mentions' })
      await write('general', 'nobody in particular')
      await write('general', '@ada in particular')
      await polite().getByText('bob: @ada in particular').waitFor()
      expect(await polite().getByText('nobody in particular').count()).to.equal(0)
    })
  })

  it('comes from a single tab also in a browser without locks', async () => {
    const dora = await stack.user('dora')
    const context = dora.page.context()
    await context.grantPermissions(['notifications'])
    await context.addInitScript(play)
    await context.addInitScript(() =>
      Object.defineProperty(Navigator.prototype, 'locks', { value: undefined }),
    )
    await dora.signUp(PASSWORD)
    const other = await anotherTab(dora, '#/c/general')
    for (const page of [dora.page, other]) await isIn(page, 'back')
    await eventually(async () => {
      await write('dm:bob:dora', 'anyone?')
      expect(await shown(other)).to.have.length(1)
    }, 20_000)
    await readIn(other, 'dm:bob:dora')
    await nothing(other)
    await Promise.all([dora.page, other].map(takePlayed))
    for (const [channel, title] of [
      ['dm:bob:dora', 'bob'],
      ['general', 'bob in #general'],
    ] as const) {
      await write(channel, '@dora')
      await eventually(async () => expect((await shown(other)).map(each => each.title)).to.include(title))
    }
    const played = await Promise.all([dora.page, other].map(takePlayed))
    expect(played.map(each => each.popups.length)).to.deep.equal([2, 0])
    for (const channel of ['general', 'dm:bob:dora']) await readIn(other, channel)
    await nothing(other)
    await crash(dora.page)
    await eventually(async () => {
      await write('dm:bob:dora', 'still there?')
      expect(await shown(other)).to.have.length(1)
    }, 20_000)
    expect(dora.complaints).to.deep.equal([])
  })

  describe('and in all of that', () => {
    it('no page complained', () => {
      expect([...ada.complaints, ...bob.complaints]).to.deep.equal([])
    })
  })
})

/** Runs in the page before its scripts: records visible and audible effects. */
function play() {
  const played: Played = {
    asked: 0,
    notes: 0,
    popups: [],
    place: 'front',
    isCrashing: false,
    showsFor: 0,
    isShowing: false,
    askedTooEarly: false,
  }
  const scope = globalThis as unknown as Record<string, unknown>
  scope['played'] = played
  Object.defineProperties(document, {
    hidden: { get: () => played.place === 'back' },
    visibilityState: { get: () => (played.place === 'back' ? 'hidden' : 'visible') },
    hasFocus: { value: () => played.place === 'front' },
  })
  addEventListener('pagehide', event => played.isCrashing && event.stopImmediatePropagation())
  Notification.requestPermission = async () => {
    played.asked++
    return Notification.permission
  }
  // Chromium loses a notification that is queried while it is being shown, and the test queries all the time.
  const { locks } = navigator
  const inTurn = <T>(job: () => Promise<T>) => locks.request('played', job) as Promise<T>
  const { showNotification, getNotifications } = ServiceWorkerRegistration.prototype
  scope['notificationsNow'] = async () => {
    const worker = await navigator.serviceWorker.ready
    const all = await inTurn(() => getNotifications.call(worker))
    return all.map(({ title, body, tag }) => ({ title, body, tag }))
  }
  ServiceWorkerRegistration.prototype.showNotification = function (title, options) {
    played.popups.push({ title, calls: (options as { renotify: boolean }).renotify })
    played.isShowing = true
    return inTurn(async () => {
      await new Promise(resolve => setTimeout(resolve, played.showsFor))
      await showNotification.call(this, title, options)
      played.isShowing = false
    })
  }
  ServiceWorkerRegistration.prototype.getNotifications = function (filter) {
    if (played.isShowing) played.askedTooEarly = true
    return inTurn(() => getNotifications.call(this, filter))
  }
  const { start } = OscillatorNode.prototype
  OscillatorNode.prototype.start = function (when) {
    played.notes++
    return start.call(this, when)
  }
}

function putIn(place: Played['place']) {
  ;(globalThis as unknown as { played: Played }).played.place = place
  document.dispatchEvent(new Event('visibilitychange'))
  dispatchEvent(new Event(place === 'front' ? 'focus' : 'blur'))
}

function takePlayed(page: Page): Promise<Played> {
  return page.evaluate(() => {
    const { played } = globalThis as unknown as { played: Played }
    const taken = { ...played }
    played.popups = []
    played.notes = 0
    return taken
  })
}

/** Counts the tabs that report presence or wait for the lock. */
async function tabsThatNotify() {
  const { held = [], pending = [] } = await navigator.locks.query()
  return [...held, ...pending].filter(({ name }) => name === 'bothy notify ada').length
}

/** Long enough for the read markers of another tab to arrive meanwhile. */
function showSlowly() {
  ;(globalThis as unknown as { played: Played }).played.showsFor = 1_500
}

type Shown = Pick<Notification, 'title' | 'body' | 'tag'>
const notificationsNow = () =>
  (globalThis as unknown as { notificationsNow: () => Promise<Shown[]> }).notificationsNow()

/** Runs in the service worker: presses the only notification, as the system would. */
async function press() {
  const scope = globalThis as unknown as ServiceWorkerGlobalScopeLike
  const [notification] = await scope.registration.getNotifications()
  scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }))
}
interface ServiceWorkerGlobalScopeLike extends EventTarget {
  registration: ServiceWorkerRegistration
  NotificationEvent: new (name: string, init: object) => Event
}

/** Stops the tab at once, without the events of a closing page. */
async function crash(page: Page) {
  await page.evaluate(() => {
    ;(globalThis as unknown as { played: Played }).played.isCrashing = true
  })
  await page.close()
}
