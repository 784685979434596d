import { expect } from 'chai'
import type { Locator } from 'playwright-core'
import type { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { startService } from '#shared/test-kit/processes.ts'
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
  stage,
  startCalls,
  tile,
  wires,
} from './calls.fixture.ts'

/** Real media between real browsers, a profile for each person. */
describe('calls between two people in browsers', function () {
  this.timeout(480_000)
  this.bail(true)
  let calls: Calls<'ada' | 'bob'>
  let ada: BrowserUser
  let bob: BrowserUser

  before(async () => {
    calls = await startCalls('ada', 'bob')
    ;({ ada, bob } = calls.people)
  })
  after(() => calls?.end())

  it('ring while the callee is writing, and are answered by keys', async () => {
    await go(ada, 'ada', 'bob')
    await ada.say('may I?')
    await bob.composer.fill('just a mom')
    await call(ada, bob)
    await tile(ada, 'bob').getByText('Ringing…').waitFor()
    await card(bob).getByText('Voice call').waitFor()
    expect(await bob.composer.evaluate(box => box === box.ownerDocument.activeElement)).to.equal(true)
    await looksGood(bob)
    await looksGood(ada)
    await bob.page.keyboard.press('Alt+Enter')
    await stage(bob).waitFor()
    await card(bob).waitFor({ state: 'detached' })
    await Promise.all([flows(ada, 1), flows(bob, 1)])
    expect(await bob.page.title()).to.contain('Call')
  })

  it('carry video once a camera is on, and show who is muted', async () => {
    await tile(bob, 'ada').locator('video').waitFor({ state: 'detached' })
    await ada.page.keyboard.press('Control+E')
    await tile(bob, 'ada').locator('video').waitFor()
    await flows(bob, 1, 1)
    await ada.page.keyboard.press('Control+D')
    await tile(bob, 'ada').getByText('muted').waitFor()
    await looksGood(bob)
    // Without the pointer: one Tab stop, arrows inside.
    await inStage(ada, 'Turn microphone on').focus()
    await ada.page.keyboard.press('Enter')
    await ada.page.keyboard.press('ArrowRight')
    await ada.page.keyboard.press('ArrowRight')
    await ada.page.keyboard.press('Enter')
    await tile(bob, 'ada').locator('video').waitFor({ state: 'detached' })
    expect(await stage(ada).locator('[role=toolbar] [tabindex="0"]').count()).to.equal(1)
  })

  it('show the whole picture of the other one, and the viewer small in the corner', async () => {
    const boxes = async () => {
      const [other, own] = await Promise.all(
        [tile(ada, 'bob'), tile(ada, 'ada')].map(one => one.boundingBox()),
      )
      return { other: other!, own: own! }
    }
    const before = await boxes()
    expect(before.own.width).to.be.below(before.other.width / 3)
    await bob.page.keyboard.press('Control+E')
    const video = tile(ada, 'bob').locator('video')
    await video.waitFor()
    await eventually(async () => expect(await shownPart(video)).to.be.closeTo(1, 0.01))
    expect((await boxes()).other, 'the tile stays where it was').to.deep.equal(before.other)
    await ada.page.getByRole('button', { name: 'Hide conversation' }).click()
    await eventually(async () => expect((await boxes()).other.width).to.be.above(before.other.width + 200))
    expect(await shownPart(video)).to.be.closeTo(1, 0.01)
    await inStage(ada, 'Show conversation').click()
    await ada.page.setViewportSize({ width: 390, height: 844 })
    await eventually(async () => expect((await boxes()).other.width).to.be.below(390))
    expect(await shownPart(video)).to.be.closeTo(1, 0.01)
    await looksGood(ada)
    await ada.page.setViewportSize({ width: 1280, height: 800 })
    await bob.page.keyboard.press('Control+E')
    await video.waitFor({ state: 'detached' })
  })

  /** Starved browsers lose a connection by themselves, and need the api to mend it: then the kill is repeated. */
  async function killApiInCall(attempts = 3): Promise<void> {
    await Promise.all([flows(ada, 1), flows(bob, 1)])
    await calls.stack.api.pop()!.kill()
    try {
      await Promise.all([flows(ada, 1, 0, 20_000), flows(bob, 1, 0, 20_000)])
    } catch (error) {
      if (attempts === 1) throw error
      calls.stack.api.push(await startService('api', calls.stack.backing.env))
      await killApiInCall(attempts - 1)
    }
  }

  it('continue unchanged while no api process lives', async () => {
    await killApiInCall()
    await bob.page.keyboard.press('Control+E')
    await tile(ada, 'bob').locator('video').waitFor()
    await flows(ada, 1, 1)
    await bob.page.keyboard.press('Control+E')
    const states: number[] = []
    ada.page.on('response', response => {
      if (response.url().endsWith('/state')) states.push(response.status())
    })
    calls.stack.api.push(await startService('api', calls.stack.backing.env))
    await eventually(() => expect(states).to.include(200), 60_000)
    await Promise.all([flows(ada, 1), flows(bob, 1)])
  })

  it('switch to another path when the network changes, without a gap', async () => {
    const [before] = (await wires(ada)).filter(({ state }) => state === 'connected')
    await ada.page.evaluate(() => globalThis.dispatchEvent(new Event('online')))
    await eventually(async () => {
      const [now] = (await wires(ada)).filter(({ state }) => state === 'connected')
      expect(now?.ufrag).to.be.a('string').and.not.equal(before!.ufrag)
    }, 60_000)
    await Promise.all([flows(ada, 1), flows(bob, 1)])
  })

  it('continue in a corner while another channel is open, and in the sidebar', async () => {
    await go(bob)
    const corner = bob.page.getByRole('region', { name: 'Call' }).last()
    await corner.getByRole('button', { name: 'Back to the call' }).waitFor()
    expect(await stage(bob).count()).to.equal(0)
    await flows(bob, 1)
    await looksGood(bob)
    await bob.page.locator('.call-bar').getByRole('button', { name: 'Back to the call' }).click()
    await stage(bob).waitFor()
    await bob.say('still here')
    await ada.row('still here').waitFor()
    await inStage(bob, 'Hang up').click()
    await Promise.all([ada, bob].map(hidden))
    await bob.page
      .getByText(/^Call, \d+ min/)
      .first()
      .waitFor()
  })

  it('leave no badge, bold row or number in the title for those who were in them', async () => {
    await go(ada)
    for (const { page } of [ada, bob]) await page.request.post('/mark_read/dm:ada:bob')
    await call(bob, ada)
    await card(ada).getByRole('button', { name: 'Answer' }).click()
    await flows(ada, 1)
    await inStage(bob, 'Hang up').click()
    await Promise.all([ada, bob].map(hidden))
    await Promise.all([go(ada), go(bob)])
    for (const { page, name } of [ada, bob]) {
      const row = page.locator('[data-channel="dm:ada:bob"]')
      // A later message of another channel: the line of the call has arrived before it.
      await page.locator('[data-region=composer] textarea').fill(`${name} is back`)
      await page.keyboard.press('Enter')
      await page.locator('article:not([data-pending])', { hasText: `${name} is back` }).waitFor()
      await row.waitFor()
      expect(await row.getAttribute('class')).to.not.include('is-unread')
      expect(await row.locator('.unread-badge, .unread-count').count()).to.equal(0)
      expect(await page.title()).to.not.match(/^\(/)
    }
  })

  it('cover a phone as a layer: Back keeps the call in a corner', async () => {
    await go(bob)
    await call(ada, bob)
    await card(bob).getByRole('button', { name: 'Answer' }).click()
    await flows(ada, 1)
    await ada.page.setViewportSize({ width: 390, height: 844 })
    await looksGood(ada)
    await ada.page.goBack()
    await hidden(ada)
    await ada.page.getByRole('button', { name: 'Back to the call' }).first().waitFor()
    expect(new URL(ada.page.url()).hash).to.equal('#/d/ada,bob')
    await flows(bob, 1)
    await ada.page.getByRole('button', { name: 'Back to the call' }).first().click()
    await stage(ada).waitFor()
    await ada.page.setViewportSize({ width: 1280, height: 800 })
    await inStage(ada, 'Hang up').click()
    await Promise.all([ada, bob].map(hidden))
  })

  it('do not ring in a muted conversation, which shows that they go on', async () => {
    const mute = (muted_for_minutes: number) =>
      bob.page.request.patch('/channel_prefs/dm:ada:bob', { data: { muted_for_minutes } })
    await go(bob)
    await mute(-1)
    await bob.page.locator('[data-channel="dm:ada:bob"].is-muted').waitFor()
    await go(ada, 'ada', 'bob')
    await button(ada, 'Start a voice call').click()
    await bob.page.locator('[data-channel="dm:ada:bob"] [aria-label^="Call running"]').waitFor()
    expect(await card(bob).count()).to.equal(0)
    await go(bob, 'ada', 'bob')
    await bob.page.getByRole('button', { name: 'Join' }).click()
    await flows(ada, 1)
    await inStage(ada, 'Hang up').click()
    await Promise.all([ada, bob].map(hidden))
    await mute(0)
    await bob.page.locator('[data-channel="dm:ada:bob"]:not(.is-muted)').waitFor()
  })

  it('report in plain words that the browser gives no microphone', async () => {
    await ada.page.evaluate(() => {
      const refuse = async () => {
        throw new DOMException('refused', 'NotAllowedError')
      }
      const { mediaDevices } = navigator as unknown as { mediaDevices: { getUserMedia: unknown } }
      mediaDevices.getUserMedia = refuse
    })
    await button(ada, 'Start a voice call').click()
    const dialog = ada.page.getByRole('dialog', { name: 'No microphone' })
    await dialog.getByText('The browser is blocking the microphone.').waitFor()
    await looksGood(ada)
    const { rows } = await calls.db.query(`select state from calls where state in ('ringing', 'active')`)
    expect(rows, 'nobody was rung').to.deep.equal([])
    await ada.page.keyboard.press('Escape')
    await ada.page.evaluate(() => {
      Object.defineProperty(navigator, 'mediaDevices', { value: undefined, configurable: true })
    })
    await button(ada, 'Start a voice call').click()
    const insecure = ada.page.getByRole('dialog')
    await insecure.getByText('only over https').waitFor()
    expect(await insecure.getByRole('link', { name: 'What you can do' }).getAttribute('href')).to.equal(
      '/trust',
    )
    await ada.page.keyboard.press('Escape')
    await ada.page.reload()
    await ada.composer.waitFor()
  })

  it('make no page complain', () => {
    expect([...ada.complaints, ...bob.complaints]).to.deep.equal([])
  })
})

/** The part of a video's picture that its box shows, from 0 to 1. */
const shownPart = (video: Locator) =>
  video.evaluate(element => {
    const { videoWidth, videoHeight, clientWidth, clientHeight } = element as unknown as Record<
      string,
      number
    >
    const [byWidth, byHeight] = [clientWidth! / videoWidth!, clientHeight! / videoHeight!]
    const { objectFit } = getComputedStyle(element as never) as { objectFit: string }
    const scale = objectFit === 'cover' ? Math.max(byWidth, byHeight) : Math.min(byWidth, byHeight)
    return (
      (Math.min(clientWidth!, videoWidth! * scale) * Math.min(clientHeight!, videoHeight! * scale)) /
      (videoWidth! * scale * videoHeight! * scale)
    )
  })
