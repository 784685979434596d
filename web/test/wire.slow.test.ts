import { expect } from 'chai'
import type { Locator } from 'playwright-core'
import sharp, { type SharpOptions } from 'sharp'
import { BadProxy } from '#shared/test-kit/bad-proxy.ts'
import type { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, startFullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD, type Person } from '#shared/test-kit/person.ts'
import { startService } from '#shared/test-kit/processes.ts'

interface Frame {
  stream: string
  event: string
  data: string
}

describe('the state that a client receives', function () {
  this.timeout(240_000)
  this.bail(true)
  let stack: FullStack
  let proxy: BadProxy
  let ada: BrowserUser
  let bob: Person
  let cleo: Person
  /** Frames of all streams, as received by Chromium, and the addresses of these streams. */
  const frames: Frame[] = []
  const streams: URL[] = []

  before(async () => {
    stack = await startFullStack({ gateways: 1, settings: { channels: ['general', 'design'] } })
    proxy = await BadProxy.to(stack.url)
    bob = await stack.person('bob')
    cleo = await stack.person('cleo')
    ada = await stack.user('ada', proxy.url)
    const chromium = await ada.page.context().newCDPSession(ada.page)
    await chromium.send('Network.enable')
    chromium.on('Network.eventSourceMessageReceived', ({ requestId, eventName, data }) =>
      frames.push({ stream: requestId, event: eventName, data }),
    )
    chromium.on('Network.requestWillBeSent', ({ request }) => {
      const url = new URL(request.url)
      if (url.pathname === '/events') streams.push(url)
    })
    await ada.signUp(PASSWORD)
    await openGeneral()
    await bob.send('dm:ada:bob', 'a beginning')
    await bob.postJson('/presence', { state: 'active' })
  })
  after(async () => {
    proxy?.close()
    await stack?.close()
  })

  const shown = (locator: Locator) => locator.first().waitFor({ state: 'visible' })
  const gone = (locator: Locator) => locator.first().waitFor({ state: 'hidden' })
  const inSidebar = (name: string) => ada.page.locator('nav .sidebar-row', { hasText: name })
  const dotOfBob = (state: string) => inSidebar('bob').getByRole('img', { name: state })
  const count = (name: string, number: string) =>
    inSidebar(name).locator('.unread-count, .unread-badge').filter({ hasText: number })
  const mark = (text: string) => ada.row(text).locator('.seen')

  async function open(hash: string, placeholder: string) {
    await ada.page.evaluate(to => {
      location.hash = to
    }, hash)
    await ada.page.locator(`[data-region=composer] textarea[placeholder*="${placeholder}"]`).waitFor()
  }
  const openGeneral = () => open('#/c/general', 'general')
  const openDesign = () => open('#/c/design', 'design')
  /** The address of the last opened stream, and its first frame of an event. */
  const lastStream = () => streams.at(-1)!
  const known = () => lastStream().searchParams.get('known') ?? ''
  const framesOf = (event: string) => frames.filter(frame => frame.event === event)

  /** Changes the content of each of the four delta kinds, and waits for it on the screen. */
  async function followsChanges(step: string) {
    await bob.postJson('/presence', { state: 'idle' })
    await shown(dotOfBob('Idle'))
    await bob.postJson('/presence', { state: 'active' })
    await shown(dotOfBob('Active'))
    await bob.send('dm:ada:bob', `direct ${step}`)
    await bob.send('dm:ada:cleo:bob', `the three of us ${step}`)
    await shown(count('bob', '1'))
    await ada.say(`read this ${step}`)
    await ada.row(`read this ${step}`).locator('xpath=self::*[not(@data-pending)]').waitFor()
    const open = new URL(ada.page.url()).hash.replace('#/c/', '')
    await bob.markRead(open)
    await shown(mark(`read this ${step}`))
    const other = open === 'general' ? 'design' : 'general'
    await cleo.send(other, `elsewhere ${step}`)
    await shown(count(other, '1'))
    await ada.page.evaluate(
      async channels => {
        const token = document.querySelector<HTMLMetaElement>('meta[name=csrf-token]')?.content ?? ''
        for (const channel of channels)
          await fetch(`/mark_read/${channel}`, { method: 'POST', headers: { 'X-CSRF-Token': token } })
      },
      [other, 'dm:ada:bob', 'dm:ada:bob:cleo'],
    )
    await gone(count(other, '1'))
    await gone(inSidebar('bob').locator('.unread-badge'))
  }

  it('comes as deltas, each of which is shown', async () => {
    await shown(dotOfBob('Active'))
    expect(lastStream().searchParams.get('with')).to.equal(
      'presence,seen,counts,lists,sidebar,inbox,running_calls,workspace,me,channel_info,people,extra',
    )
    await followsChanges('at first')
  })

  it('continues from the held state when another channel is opened', async () => {
    await openDesign()
    await eventually(() => expect(lastStream().searchParams.get('channel')).to.equal('design'))
    for (const event of ['presence', 'counts', 'lists'])
      expect(known()).to.match(new RegExp(`${event}:[0-9a-f]{16}`))
    expect(known()).to.not.include('seen:')
    const before = frames.length
    await followsChanges('in design')
    await openGeneral()
    await followsChanges('back in general')
    const told = frames.slice(before).filter(({ event }) => ['presence', 'counts', 'lists'].includes(event))
    expect(told.filter(({ data }) => 'full' in JSON.parse(data))).to.deep.equal([])
    expect(framesOf('online_users').concat(framesOf('dms'), framesOf('channel_unreads'))).to.deep.equal([])
  })

  it('keeps what came while the newest rows of a channel were requested again', async () => {
    await openDesign()
    const newest = /\/messages\/general\?limit=/
    let isRead = false
    let release = () => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    await ada.page.route(newest, async route => {
      const response = await route.fetch()
      isRead = true
      await released
      await route.fulfill({ response })
    })
    await openGeneral()
    await eventually(() => expect(isRead).to.equal(true))
    await bob.send('general', 'in between')
    await shown(ada.row('in between'))
    const received = ada.page.waitForResponse(newest)
    release()
    await received
    await bob.send('general', 'and then')
    await shown(ada.row('and then'))
    expect(await ada.row('in between').count()).to.equal(1)
    await ada.page.unrouteAll({ behavior: 'wait' })
  })

  it('leaves out a sidebar and an inbox that the tab already shows', async () => {
    for (const event of ['sidebar', 'inbox']) {
      expect(known()).to.match(new RegExp(`${event}:[0-9a-f]{16}`))
      const texts = framesOf(event).map(({ data }) => data)
      expect(texts.filter((text, i) => text === texts[i - 1])).to.deep.equal([])
    }
  })

  it('includes a sidebar that came while a change was under way, which then failed', async () => {
    let refuse = () => {}
    const refused = new Promise<void>(resolve => {
      refuse = resolve
    })
    await ada.page.route('**/sections', async route => {
      if (!route.request().postData()?.includes('Refused')) return route.continue()
      await refused
      await route.abort()
    })
    await ada.page.route('**/sidebar', route => route.abort())
    await ada.page.getByRole('button', { name: 'Browse or create channels' }).click()
    await ada.page.getByRole('menuitem', { name: 'New section' }).click()
    await ada.page.getByLabel('New section').last().fill('Refused')
    await ada.page.keyboard.press('Enter')
    await ada.page.evaluate(async () => {
      const token = document.querySelector<HTMLMetaElement>('meta[name=csrf-token]')?.content ?? ''
      const headers = { 'X-CSRF-Token': token, 'Content-Type': 'application/json' }
      await fetch('/sections', { method: 'POST', headers, body: JSON.stringify({ name: 'Lab' }) })
    })
    await eventually(() => expect(framesOf('sidebar').at(-1)!.data).to.include('Lab'))
    const asked = ada.page.waitForRequest('**/sidebar')
    refuse()
    await asked
    await ada.page.unroute('**/sections')
    await ada.page.unroute('**/sidebar')
    await openDesign()
    await shown(ada.page.locator('.sidebar-section-head', { hasText: 'Lab' }))
    await openGeneral()
  })

  it('continues on another gateway when its own is killed', async () => {
    const [first] = stack.events
    stack.events.push(await startService('events', stack.backing.env))
    const before = streams.length
    await first!.kill()
    stack.events.splice(stack.events.indexOf(first!), 1)
    await bob.postJson('/presence', { state: 'idle' })
    await bob.send('dm:ada:bob', 'while nobody listened')
    await eventually(() => expect(streams.length).to.be.above(before), 60_000)
    await shown(dotOfBob('Idle'))
    await shown(count('bob', '1'))
    await followsChanges('by another gateway')
  })

  it('is sent whole again after a delta that does not match', async () => {
    const before = streams.length
    // Simulates a tab whose state differs from its `known`.
    await ada.page.evaluate(() => {
      const told = EventSource.prototype.addEventListener
      EventSource.prototype.addEventListener = function (this: EventSource, name: string, listener: never) {
        const spoiled = ({ data, lastEventId }: MessageEvent<string>) => {
          const changed = JSON.parse(data)
          if (changed.set) changed.set['nobody-here'] = 'active'
          ;(listener as (event: object) => void)({ data: JSON.stringify(changed), lastEventId })
        }
        told.call(this, name, name === 'presence' ? (spoiled as never) : listener)
      } as never
    })
    await openDesign()
    await bob.postJson('/presence', { state: 'idle' })
    await eventually(() => expect(streams.length).to.be.at.least(before + 2), 60_000)
    expect(known()).to.not.include('presence:')
    expect(known()).to.include('lists:')
    await shown(dotOfBob('Idle'))
    await bob.postJson('/presence', { state: 'active' })
    await ada.page.reload()
    await shown(dotOfBob('Active'))
  })

  it('includes the reason of a refused picture when the connection breaks behind it, without a retry', async () => {
    const body = 'file too large (max 16 MB)'
    proxy.refusesMidway = { path: /^\/send\//, status: 413, body }
    const noise = {
      create: { width: 600, height: 600, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 60 } },
    }
    const buffer = await sharp(noise as SharpOptions)
      .png()
      .toBuffer()
    const before = proxy.count(/^POST \/send\//)
    await ada.page
      .locator('[data-region=composer] input[type=file]')
      .setInputFiles([{ name: 'noise.png', mimeType: 'image/png', buffer }])
    await ada.composer.press('Enter')
    await shown(ada.page.getByText('Not sent: noise.png is too large. The limit here is 16 MB.'))
    expect(proxy.count(/^POST \/send\//)).to.equal(before + 1)
    proxy.mend()
  })

  it('makes no page complain', () => {
    expect(ada.complaints).to.deep.equal([])
  })
})
