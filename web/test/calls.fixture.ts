import { expect } from 'chai'
import pg from 'pg'
import type { Page } from 'playwright-core'
import { axeFindings } from '#shared/test-kit/axe.ts'
import { FAKE_DEVICES } from '#shared/test-kit/browser.ts'
import type { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, startFullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD } from '#shared/test-kit/person.ts'

export interface Wire {
  state: string
  /** Bytes received of voice, camera and screen. */
  bytes: number[]
  /** Changes with each ICE restart. */
  ufrag: string | undefined
}

/** A server, and people in real browsers with fake devices. */
export interface Calls<Name extends string> {
  stack: FullStack
  db: pg.Pool
  people: Record<Name, BrowserUser>
  end(): Promise<void>
}

export async function startCalls<Name extends string>(...names: Name[]): Promise<Calls<Name>> {
  const stack = await startFullStack({ chromium: FAKE_DEVICES })
  const db = new pg.Pool({ connectionString: stack.backing.env.DATABASE_URL, max: 1 })
  // Sequential: several first screens at once exceed their time limit on two cores.
  const users: BrowserUser[] = []
  for (const name of names) users.push(await seatFor(stack, name))
  return {
    stack,
    db,
    people: Object.fromEntries(names.map((name, at) => [name, users[at]])) as Record<Name, BrowserUser>,
    async end() {
      await db.end()
      await stack.close()
    },
  }
}

async function seatFor(stack: FullStack, name: string) {
  const user = await stack.user(name)
  await user.page.addInitScript(rememberConnections)
  await user.signUp(PASSWORD)
  return user
}

export const go = (user: BrowserUser, ...people: string[]) =>
  user.page.goto(people.length > 0 ? `/#/d/${people.join(',')}` : '/#/c/general')
export const button = (user: BrowserUser, name: string) =>
  user.page.getByRole('button', { name, exact: true })
export const stage = (user: BrowserUser) => user.page.locator('.stage')
export const inStage = (user: BrowserUser, name: string) =>
  stage(user).getByRole('button', { name, exact: true })
export const tile = (user: BrowserUser, name: string) => user.page.locator(`.stage [data-person="${name}"]`)
/** The card of an incoming call. */
export const card = (user: BrowserUser) => user.page.getByRole('alertdialog')
export const hidden = (user: BrowserUser) => stage(user).waitFor({ state: 'detached' })
/** The number of tones that this page has played. */
export const tones = (page: Page) => page.evaluate(() => (globalThis as unknown as { tones: number }).tones)
export const looksGood = async ({ page }: BrowserUser) => expect(await axeFindings(page)).to.deep.equal([])
export const wires = (user: BrowserUser) => user.page.evaluate(readWires) as Promise<Wire[]>

/** Waits for a connection to each of the others, with growing counts of received bytes (voice, camera or screen). */
export async function flows(user: BrowserUser, others: number, line: 0 | 1 | 2 = 0, patience = 120_000) {
  const before = await eventually(async () => {
    const up = (await wires(user)).filter(({ state }) => state === 'connected')
    expect(up, `connections of ${user.name}`).to.have.length(others)
    return up.map(({ bytes }) => bytes[line] ?? 0)
  }, patience)
  await eventually(async () => {
    const now = (await wires(user)).filter(({ state }) => state === 'connected')
    expect(now).to.have.length(others)
    for (const [at, { bytes }] of now.entries())
      expect(bytes[line] ?? 0, user.name).to.be.above(before[at]! + 500)
  }, patience)
}

export async function call(caller: BrowserUser, callee: BrowserUser, kind: 'voice' | 'video' = 'voice') {
  await go(caller, ...[caller.name, callee.name].sort())
  await button(caller, `Start a ${kind} call`).click()
  await card(callee).getByText(`${caller.name} is calling`).waitFor()
}

/** Runs in the page: records every connection for its statistics, and counts the tones. */
export function rememberConnections() {
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
