/**
 * Measures the client in Chromium, with the CPU slowed down four times; SLOWDOWN=1 measures this machine as it is.
 *
 *   node infra/bench/client.ts [part of a measurement's name]      # SCROLLED=2000 for a shorter walk
 *
 * A stack with new stores: channels of 100,000 and 12,000 messages, and fifty of 300. Each measurement uses a new page.
 */
import type { CDPSession, Page } from 'playwright-core'
import { startFullStack } from '#shared/test-kit/full-stack.ts'
import { type History, seedHistories } from '#shared/test-kit/long-history.ts'
import { PASSWORD } from '#shared/test-kit/person.ts'
import { closeRunBacking } from '#shared/test-kit/stores.ts'
import { buildClient } from '../run/build-client.ts'
import { firstLoad, jumps, SLOWDOWN, typing } from './first-load.ts'
import { type Scrolled, scrollByScript, stillPage, turnWheel } from './scrolling.ts'

const SCROLLED = Number(process.env['SCROLLED'] ?? 10_000)
const MANY = 50

interface Desk {
  page: Page
  chromium: CDPSession
  url: string
}

/** The command line selects by name. */
const measurements: [name: string, measure: (desk: Desk) => Promise<void>][] = [
  ['scroll up through 10,000 messages by wheel', desk => wheel(desk, -1)],
  ['scroll down through them again by wheel', desk => wheel(desk, 1)],
  ['scroll up through 10,000 messages in one violent flick', desk => flick(desk, -1)],
  ['scroll down through them again in one violent flick', desk => flick(desk, 1)],
  ['wheel step of 400 px', wheelSteps],
  ['switch to a channel that was open before', switchWarm],
  ['memory after 50 and 100 switches', memory],
  ['open 100,000 messages, 5,000 of them unread', desk => openUnread(desk, 'behind')],
  ['open 100,000 messages, 50,000 of them unread', desk => openUnread(desk, 'far-behind')],
  ['first load, at 20 Mbit/s and 20 ms', ({ page }) => firstLoad(page, small[0]!)],
  ['key press to paint in the composer', typed],
  ['Jump opens', jumped],
]

const small = Array.from({ length: MANY }, (_, i) => `room-${i + 1}`)
const histories: History[] = [
  { channel: 'long', count: SCROLLED + 2_000, read: new Map([['ada', SCROLLED + 2_000]]) },
  { channel: 'behind', count: 100_000, read: new Map([['ada', 95_000]]) },
  { channel: 'far-behind', count: 100_000, read: new Map([['ada', 50_000]]) },
  ...small.map(channel => ({ channel, count: 300, read: new Map([['ada', 300]]) })),
]

const chosen = process.argv[2] ?? ''
await buildClient(console.log)
const stack = await startFullStack({
  settings: { channels: ['general', ...histories.map(one => one.channel)] },
  chromium: ['--enable-precise-memory-info'],
})
const ada = await stack.user('ada')
await ada.signUp(PASSWORD)
await seedHistories(stack.backing.env.DATABASE_URL, histories)

const page = ada.page
const chromium = await page.context().newCDPSession(page)
for (const [name, measure] of measurements) {
  if (!name.includes(chosen)) continue
  console.log(`\n${name}`)
  // A page behind another one draws no frames.
  await page.bringToFront()
  await measure({ page, chromium, url: stack.url })
  await slow(chromium, 1)
}

await stack.close()
await closeRunBacking()

async function wheel({ page, chromium }: Desk, direction: 1 | -1) {
  await goToStart(page, direction)
  await slow(chromium, SLOWDOWN)
  const { shown, painted, ...rest } = await turnWheel(page, chromium, direction, SCROLLED)
  say('frames as they were on the screen', shown, 'ms')
  say("frames of the page's thread", painted, 'ms')
  sayRows(rest)
  if (direction === 1) return
  const still = await stillPage(page, SCROLLED)
  const session = await still.context().newCDPSession(still)
  await slow(session, SLOWDOWN)
  const reference = await turnWheel(still, session, 1, SCROLLED)
  say('frames on the screen of a page of text without a script', reference.shown, 'ms')
  await still.close()
}

async function flick({ page, chromium }: Desk, direction: 1 | -1) {
  await goToStart(page, direction)
  await slow(chromium, SLOWDOWN)
  const before = await threadTime(chromium)
  const { painted, ...rest } = await scrollByScript(page, direction, SCROLLED)
  const after = await threadTime(chromium)
  say('frames', painted, 'ms')
  sayRows(rest)
  const parts = ['TaskDuration', 'ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration'].map(
    name =>
      `${name} ${((((after.get(name) ?? 0) - (before.get(name) ?? 0)) / painted.length) * 1_000).toFixed(2)}`,
  )
  console.log(`  the page's thread, ms a frame: ${parts.join(', ')}`)
}

/** A step with the pointer on a row, and the pause in which its toolbar appears and rows are mounted ahead. */
async function wheelSteps({ page, chromium }: Desk) {
  await openFresh(page, 'long')
  await slow(chromium, SLOWDOWN)
  await page.locator('#messages').hover()
  await page.waitForTimeout(3_000)
  const names = ['TaskDuration', 'ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration']
  const steps: Map<string, number>[] = []
  for (let i = 0; i < 60; i++) {
    const before = await threadTime(chromium)
    await page.mouse.wheel(0, -400)
    await page.waitForTimeout(300)
    const after = await threadTime(chromium)
    steps.push(new Map(names.map(name => [name, (after.get(name)! - before.get(name)!) * 1_000])))
  }
  for (const name of names)
    say(
      name,
      steps.map(step => step.get(name)!),
      'ms',
    )
}

/** Goes to the newest message, or for a walk down as far above it as the walk is long. */
async function goToStart(page: Page, direction: 1 | -1) {
  if (direction === 1 && page.url().endsWith('#/c/long')) return
  await openFresh(page, 'long')
  if (direction === 1) await scrollByScript(page, -1, SCROLLED, 20_000)
}

function sayRows({ messages, gaps, mostRows }: Omit<Scrolled, 'shown' | 'painted'>) {
  console.log(
    `  ${messages} messages; ${gaps} times no row where one was due; at most ${mostRows} rows in the page`,
  )
}

/** Main thread times of the page, s, independent of other load. */
async function threadTime(chromium: CDPSession): Promise<Map<string, number>> {
  const { metrics } = await chromium.send('Performance.getMetrics')
  return new Map(metrics.map(({ name, value }) => [name, value]))
}

async function switchWarm({ page, chromium }: Desk) {
  const [one, other] = small as [string, string]
  await openFresh(page, one)
  await openIn(page, other)
  await slow(chromium, SLOWDOWN)
  const times: number[] = []
  const busy: number[] = []
  for (let i = 0; i < 20; i++) {
    // A person looks at the channel before the next switch, so that deferred rendering is done by then.
    await page.evaluate('new Promise(done => setTimeout(() => requestIdleCallback(done), 500))')
    const before = await threadTime(chromium)
    times.push(await openIn(page, i % 2 ? other : one))
    const after = await threadTime(chromium)
    busy.push((after.get('TaskDuration')! - before.get('TaskDuration')!) * 1_000)
  }
  say('switches', times, 'ms')
  say("the page's thread until then", busy, 'ms')
  say('the same rows as ready HTML in a page without a script', await replacedRows(page), 'ms')
}

/** Times the replacement of the visible rows, as HTML, by those of another channel: the browser's share of a switch. */
async function replacedRows(page: Page): Promise<number[]> {
  const html = await page.content()
  const bare = await page.context().browser()!.newPage()
  await bare.goto(new URL('/healthz', page.url()).href)
  await bare.setContent(html.replaceAll(/<script[\s\S]*?<\/script>/g, ''), { waitUntil: 'load' })
  const session = await bare.context().newCDPSession(bare)
  await slow(session, SLOWDOWN)
  const times: number[] = []
  for (let i = 0; i < 20; i++)
    times.push(
      await bare.evaluate<number>(`new Promise(done => {
        const list = document.querySelector('#messages')
        const other = list.innerHTML.replaceAll(/message (\\d+)/g, 'another text $1 ${i}')
        setTimeout(() => {
          const began = performance.now()
          list.innerHTML = other
          requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began)))
        }, 300)
      })`),
    )
  await bare.close()
  return times
}

async function memory({ page, chromium }: Desk) {
  await slow(chromium, 1)
  await openFresh(page, small[0]!)
  const figures: string[] = []
  for (const round of [1, 2, 3]) {
    if (round > 1) for (const channel of [...small.slice(1), small[0]!]) await openIn(page, channel)
    await chromium.send('HeapProfiler.collectGarbage')
    const { metrics } = await chromium.send('Performance.getMetrics')
    const of = (name: string) => metrics.find(metric => metric.name === name)?.value ?? 0
    figures.push(
      `${(round - 1) * MANY} switches: ${(of('JSHeapUsedSize') / 2 ** 20).toFixed(1)} MB, ${of('Nodes')} nodes`,
    )
  }
  for (const figure of figures) console.log(`  ${figure}`)
}

async function openUnread({ page, chromium }: Desk, channel: string) {
  await openFresh(page, 'long')
  await slow(chromium, SLOWDOWN)
  const took = await openIn(page, channel)
  const [below, text] = await page.evaluate<[number, string]>(`(() => {
    const line = document.querySelector('#messages .new-messages-line'), list = document.querySelector('#messages')
    if (!line) return [NaN, '']
    return [line.getBoundingClientRect().top - list.getBoundingClientRect().top, line.nextElementSibling?.textContent ?? '']
  })()`)
  console.log(
    `  ${took.toFixed(0)} ms; the New line is ${below} px below the top, before “${/#\d+/.exec(text)?.[0]}”`,
  )
}

async function typed({ page, chromium }: Desk) {
  await openFresh(page, small[0]!)
  say('letters', await typing(page, chromium, 100), 'ms')
  const blank = await page.context().browser()!.newPage()
  await blank.setContent('<div data-region="composer"><textarea></textarea></div>')
  const session = await blank.context().newCDPSession(blank)
  say('in an empty page with a textarea', await typing(blank, session, 100), 'ms')
  await blank.close()
}

async function jumped({ page, chromium }: Desk) {
  await openFresh(page, small[0]!)
  say('presses', await jumps(page, chromium, 20), 'ms')
}

async function openFresh(page: Page, channel: string) {
  await page.goto(`/#/c/${channel}`)
  await page.reload()
  await page.locator(`#messages article`).first().waitFor()
}

/** From the click to the frame after the one that shows the messages, ms. */
function openIn(page: Page, channel: string): Promise<number> {
  return page.evaluate<number>(`new Promise(done => {
    const began = performance.now()
    const title = ${JSON.stringify(channel)}
    const before = document.querySelector('#messages')
    location.hash = '#/c/' + title
    const look = () => {
      const list = document.querySelector('#messages')
      const shown = list && list !== before && list.querySelector('article[data-message-id]')
      if (!shown) return requestAnimationFrame(look)
      requestAnimationFrame(() => done(performance.now() - began))
    }
    look()
  })`)
}

async function slow(session: CDPSession, rate: number) {
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await session.send('Emulation.setCPUThrottlingRate', { rate })
}

function say(what: string, values: number[], unit: string) {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(1)
  console.log(
    `  ${what}: median ${at(0.5)}, 95th percentile ${at(0.95)}, 99th ${at(0.99)}, longest ${at(1)} ${unit}`,
  )
}
