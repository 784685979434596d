import { expect } from 'chai'
import pg from 'pg'
import type { Page } from 'playwright-core'
import { axeFindings } from '#shared/test-kit/axe.ts'
import { FAKE_DEVICES } from '#shared/test-kit/browser.ts'
import { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, startFullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD } from '#shared/test-kit/person.ts'
import { startService } from '#shared/test-kit/processes.ts'

interface Wire {
  state: string
  /** Bytes received of voice, camera and screen. */
  bytes: number[]
  /** Changes with each ICE restart. */
  ufrag: string | undefined
}

/** Real media between real browsers, a profile for each person. */
describe('calls and screen shares in browsers', function () {
  this.timeout(120_000)
  this.bail(true)
  let stack: FullStack
  let db: pg.Pool
  let ada: BrowserUser
  let bob: BrowserUser
  let cleo: BrowserUser
  let dora: BrowserUser

  before(async () => {
    stack = await startFullStack({ chromium: FAKE_DEVICES })
    db = new pg.Pool({ connectionString: stack.backing.env.DATABASE_URL, max: 1 })
    ;[ada, bob, cleo] = (await Promise.all(['ada', 'bob', 'cleo'].map(seatFor))) as [
      BrowserUser,
      BrowserUser,
      BrowserUser,
    ]
  })
  after(async () => {
    await db?.end()
    await stack?.close()
  })

  async function seatFor(name: string) {
    const user = await stack.user(name)
    await user.page.addInitScript(rememberConnections)
    await user.signUp(PASSWORD)
    return user
  }
  const go = (user: BrowserUser, ...people: string[]) =>
    user.page.goto(people.length > 0 ? `/#/d/${people.join(',')}` : '/#/c/general')
  const button = (user: BrowserUser, name: string) => user.page.getByRole('button', { name, exact: true })
  const stage = (user: BrowserUser) => user.page.locator('.stage')
  const inStage = (user: BrowserUser, name: string) => stage(user).getByRole('button', { name, exact: true })
  const tile = (user: BrowserUser, name: string) => user.page.locator(`.stage [data-person="${name}"]`)
  const card = (user: BrowserUser) => user.page.getByRole('alertdialog')
  const hidden = (user: BrowserUser) => stage(user).waitFor({ state: 'detached' })
  const tones = (page: Page) => page.evaluate(() => (globalThis as unknown as { tones: number }).tones)
  const looksGood = async ({ page }: BrowserUser) => expect(await axeFindings(page)).to.deep.equal([])
  const wires = (user: BrowserUser) => user.page.evaluate(readWires) as Promise<Wire[]>

  /** Waits for a connection to each of the others, with growing counts of received bytes (voice, camera or screen). */
  async function flows(user: BrowserUser, others: number, line: 0 | 1 | 2 = 0) {
    const before = await eventually(async () => {
      const up = (await wires(user)).filter(({ state }) => state === 'connected')
      expect(up, `connections of ${user.name}`).to.have.length(others)
      return up.map(({ bytes }) => bytes[line] ?? 0)
    }, 30_000)
    await eventually(async () => {
      const now = (await wires(user)).filter(({ state }) => state === 'connected')
      expect(now).to.have.length(others)
      for (const [at, { bytes }] of now.entries())
        expect(bytes[line] ?? 0, user.name).to.be.above(before[at]! + 500)
    }, 30_000)
  }

  async function call(caller: BrowserUser, callee: BrowserUser) {
    await go(caller, ...[caller.name, callee.name].sort())
    await button(caller, 'Start a voice call').click()
    await card(callee).getByText(`${caller.name} is calling`).waitFor()
  }

  it('ring while the callee is writing, and are answered by keys', async () => {
    await go(ada, 'ada', 'bob')
    await ada.say('may I?')
    await bob.composer.fill('just a mom')
    await call(ada, bob)
    await tile(ada, 'bob').getByText('Ringing…').waitFor()
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

  it('continue unchanged while no api process lives', async () => {
    await stack.api[0]!.kill()
    await Promise.all([flows(ada, 1), flows(bob, 1)])
    await bob.page.keyboard.press('Control+E')
    await tile(ada, 'bob').locator('video').waitFor()
    await flows(ada, 1, 1)
    await bob.page.keyboard.press('Control+E')
    const states: number[] = []
    ada.page.on('response', response => {
      if (response.url().endsWith('/state')) states.push(response.status())
    })
    stack.api.push(await startService('api', stack.backing.env))
    await eventually(() => expect(states).to.include(200), 15_000)
    await Promise.all([flows(ada, 1), flows(bob, 1)])
  })

  it('switch to another path when the network changes, without a gap', async () => {
    const [before] = (await wires(ada)).filter(({ state }) => state === 'connected')
    await ada.page.evaluate(() => globalThis.dispatchEvent(new Event('online')))
    await eventually(async () => {
      const [now] = (await wires(ada)).filter(({ state }) => state === 'connected')
      expect(now?.ufrag).to.be.a('string').and.not.equal(before!.ufrag)
    }, 20_000)
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
  })

  it('show a shared screen on the stage; the latest sharer holds it', async () => {
    await inStage(ada, 'Share your screen').click()
    await bob.page.locator('[data-screen-of="ada"] video').waitFor()
    await flows(bob, 1, 2)
    await inStage(bob, 'Actual size').click()
    await looksGood(bob)
    await inStage(bob, 'Share your screen').click()
    await ada.page.locator('[data-screen-of="bob"] video').waitFor()
    await ada.page.getByText('You are sharing your screen').waitFor({ state: 'detached' })
    await flows(ada, 1, 2)
    await inStage(bob, 'Stop sharing').first().click()
    await ada.page.locator('[data-screen-of]').waitFor({ state: 'detached' })
  })

  it('add a third person, invited from elsewhere, as a mesh', async () => {
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

  it('of three ask before they end for everybody; a single person can leave', async () => {
    await inStage(ada, 'Hang up').click()
    const question = ada.page.getByRole('dialog', { name: 'End the call for everyone?' })
    await question.getByText('3 people are in this call.').waitFor()
    await looksGood(ada)
    await question.getByRole('button', { name: 'Leave' }).click()
    await hidden(ada)
    await tile(bob, 'ada').waitFor({ state: 'detached' })
    await Promise.all([flows(bob, 1), flows(cleo, 1)])
  })

  it('are left by closing the tab', async () => {
    await cleo.page.close({ runBeforeUnload: true })
    await hidden(bob)
    await bob.row('Call, 1 min.').waitFor()
    const { rows } = await db.query(`select state from calls where state in ('ringing', 'active')`)
    expect(rows).to.deep.equal([])
  })

  it('can be declined, and the caller is told', async () => {
    await call(ada, bob)
    await card(bob).getByRole('button', { name: 'Decline' }).click()
    await hidden(ada)
    await ada.page.getByText('bob declined').first().waitFor()
    expect(await card(bob).count()).to.equal(0)
  })

  it('that nobody answers end by themselves', async () => {
    await call(ada, bob)
    await db.query(`update calls set started_ts = started_ts - 31 where state = 'ringing'`)
    await db.query(`update call_participants set invited_ts = invited_ts - 31`)
    await hidden(ada)
    await ada.page.getByText('No answer').first().waitFor()
    await card(bob).waitFor({ state: 'detached' })
    await ada.row('Missed call from ada.').first().waitFor()
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

  it('can be joined later from the conversation by a member who let them ring', async () => {
    dora = await seatFor('dora')
    const here = ['ada', 'bob', 'dora']
    await Promise.all([ada, bob].map(user => go(user, ...here)))
    await ada.say('all of us?')
    await button(ada, 'Start a voice call').click()
    await card(dora).waitFor()
    await card(bob).getByRole('button', { name: 'Answer' }).click()
    await card(dora).waitFor({ state: 'detached' })
    await go(dora, ...here)
    await dora.page.getByText('ada and bob are in a call.').waitFor()
    await dora.row('all of us?').waitFor()
    await looksGood(dora)
    await button(dora, 'Join').click()
    await Promise.all([flows(ada, 2), flows(bob, 2), flows(dora, 2)])
  })

  it('wait for a person whose browser has crashed, and take them in again', async () => {
    await dora.page.goto('chrome://crash').catch(() => {})
    await tile(ada, 'dora').getByText('Lost dora. Trying again…').waitFor({ timeout: 20_000 })
    await Promise.all([flows(ada, 1), flows(bob, 1)])
    const context = dora.page.context()
    dora = new BrowserUser('dora', context, await context.newPage())
    await dora.page.addInitScript(rememberConnections)
    await go(dora, 'ada', 'bob', 'dora')
    await button(dora, 'Join').click()
    await Promise.all([flows(ada, 2), flows(bob, 2), flows(dora, 2)])
    await inStage(ada, 'Hang up').click()
    await ada.page.getByRole('button', { name: 'End for everyone' }).click()
    await Promise.all([ada, bob, dora].map(hidden))
  })

  it('of three are left by a reload, and joined again from the conversation', async () => {
    const here = ['ada', 'bob', 'dora']
    await Promise.all([ada, bob, dora].map(user => go(user, ...here)))
    await button(ada, 'Start a voice call').click()
    // After the first answer the others ring no more (decisions, Ring runs out).
    await card(bob).getByRole('button', { name: 'Answer' }).click()
    await button(dora, 'Join').click()
    await Promise.all([flows(ada, 2), flows(bob, 2), flows(dora, 2)])
    await bob.page.reload()
    for (const user of [ada, dora]) await tile(user, 'bob').waitFor({ state: 'detached' })
    await bob.page.getByText('ada and dora are in a call.').waitFor()
    await button(bob, 'Join').click()
    await Promise.all([flows(ada, 2), flows(bob, 2), flows(dora, 2)])
    expect(await card(dora).count(), 'rings').to.equal(0)
    await inStage(bob, 'Hang up').click()
    await bob.page.getByRole('button', { name: 'End for everyone' }).click()
    await Promise.all([ada, bob, dora].map(hidden))
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
    const { rows } = await db.query(`select state from calls where state in ('ringing', 'active')`)
    expect(rows, 'nobody was rung').to.deep.equal([])
    await ada.page.keyboard.press('Escape')
    await ada.page.evaluate(() => {
      Object.defineProperty(navigator, 'mediaDevices', { value: undefined, configurable: true })
    })
    await button(ada, 'Start a voice call').click()
    await ada.page.getByRole('dialog').getByText('only over https').waitFor()
    await ada.page.keyboard.press('Escape')
    await ada.page.reload()
    await ada.composer.waitFor()
  })

  it('are not needed to share a screen with several viewers', async () => {
    const here = ['ada', 'bob', 'dora']
    await go(bob, ...here)
    await bob.say('look at this')
    await button(bob, 'Share your screen').click()
    await bob.page.getByText('You are sharing.').waitFor()
    await Promise.all([go(ada, ...here), go(dora, ...here)])
    await ada.page.getByText('bob is sharing a screen.').waitFor()
    await looksGood(ada)
    for (const user of [ada, dora]) {
      await button(user, 'Watch').click()
      await user.page.locator('[data-screen-of="bob"] video').waitFor()
    }
    await Promise.all([flows(ada, 1), flows(dora, 1)])
    await looksGood(ada)
    await bob.page.locator('.banner.is-share').getByRole('button', { name: 'Stop' }).click()
    await Promise.all([hidden(ada), hidden(dora)])
    await ada.page.getByText('bob is sharing a screen.').waitFor({ state: 'detached' })
    await dora.leave()
  })

  it('make no page complain', () => {
    expect([...ada.complaints, ...bob.complaints, ...cleo.complaints]).to.deep.equal([])
  })
})

/** Runs in the page: records every connection for its statistics, and counts the tones. */
function rememberConnections() {
  const page = globalThis as unknown as {
    RTCPeerConnection: new (...given: unknown[]) => object
    wires: object[]
    OscillatorNode: { prototype: { start: () => void } }
    tones: number
  }
  page.wires = []
  page.tones = 0
  const start = page.OscillatorNode.prototype.start
  page.OscillatorNode.prototype.start = function () {
    page.tones++
    return start.apply(this)
  }
  const Plain = page.RTCPeerConnection
  page.RTCPeerConnection = class extends Plain {
    constructor(...given: unknown[]) {
      super(...given)
      page.wires.push(this)
    }
  }
}

/** Runs in the page. */
function readWires() {
  interface Stat {
    type: string
    mid?: string
    bytesReceived?: number
  }
  interface Connection {
    connectionState: string
    localDescription: { sdp: string } | null
    getStats(): Promise<Map<string, Stat>>
  }
  const { wires } = globalThis as unknown as { wires: Connection[] }
  return Promise.all(
    wires.map(async wire => {
      const bytes: number[] = []
      for (const { type, mid, bytesReceived } of (await wire.getStats()).values()) {
        if (type === 'inbound-rtp') bytes[Number(mid)] = bytesReceived ?? 0
      }
      const ufrag = /a=ice-ufrag:(\S+)/.exec(wire.localDescription?.sdp ?? '')?.[1]
      return { state: wire.connectionState, bytes, ufrag }
    }),
  )
}
