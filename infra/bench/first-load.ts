/**
 * Measurements of client.ts: first load, typing and Jump (ui.md 10). By the page's clock, with slowed CPU and network.
 */
import { gzipSync } from 'node:zlib'
import type { CDPSession, Page, Response } from 'playwright-core'
import { eventually } from '#shared/test-kit/eventually.ts'

/** Factor by which Chromium slows down the page's thread. */
export const SLOWDOWN = Number(process.env['SLOWDOWN'] ?? 4)
const LOADS = 5
/** 20 Mbit/s, 20 ms. */
const NETWORK = { offline: false, latency: 20, downloadThroughput: 20e6 / 8, uploadThroughput: 20e6 / 8 }

/** Notes when messages are painted and the composer takes letters. */
const WATCH = `{
  const look = () => {
    const box = document.querySelector('[data-region=composer] textarea')
    if (!box || box.disabled || !document.querySelector('#messages article[data-message-id]')) return requestAnimationFrame(look)
    requestAnimationFrame(() => { globalThis.usableAt = performance.now() })
  }
  requestAnimationFrame(look)
}`

/** A cold load and then warm ones, in a new browser profile with the session of `page`. */
async function load(page: Page, channel: string) {
  const context = await page
    .context()
    .browser()!
    .newContext({
      storageState: await page.context().storageState(),
      viewport: { width: 1280, height: 800 },
    })
  const fresh = await context.newPage()
  const chromium = await context.newCDPSession(fresh)
  await chromium.send('Performance.enable', { timeDomain: 'threadTicks' })
  await chromium.send('Network.enable')
  await chromium.send('Network.emulateNetworkConditions', NETWORK)
  await chromium.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  await fresh.addInitScript(WATCH)
  const responses: Response[] = []
  fresh.on('response', response => responses.push(response))
  const at = new URL(page.url()).origin
  await fresh.goto(`${at}/#/c/${channel}`)
  const cold = await usableAt(fresh)
  const work = await threadTime(chromium)
  const before = new Set(
    await fresh.evaluate<string[]>(
      `performance.getEntriesByType('resource').filter(entry => entry.startTime < usableAt).map(entry => entry.name)`,
    ),
  )
  // Each file once: the service worker fetches some of them as well.
  const files = [...before].flatMap(url => responses.find(response => response.url() === url) ?? [])
  const kind = (wanted: string) => files.filter(file => file.request().resourceType() === wanted)
  const named = new Set(await fresh.evaluate<string[]>('[...document.scripts].map(script => script.src)'))
  const [needed, scripts, styles] = await Promise.all([
    sizeOf(kind('script').filter(file => named.has(file.url()))),
    sizeOf(kind('script')),
    sizeOf(kind('stylesheet')),
  ])
  // Waits for the files that are fetched when idle, and for the service worker.
  await fresh.evaluate(
    `navigator.serviceWorker?.ready.then(() => new Promise(done => requestIdleCallback(done)))`,
  )
  await fresh.reload()
  const warm = await usableAt(fresh)
  await context.close()
  return { cold, work, warm, needed, scripts, styles }
}

/** Work of the page's main thread, ms, independent of other load. */
async function threadTime(chromium: CDPSession): Promise<number> {
  const { metrics } = await chromium.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000
}

async function usableAt(page: Page): Promise<number> {
  await until(page, 'globalThis.usableAt > 0')
  return page.evaluate<number>('usableAt')
}

/** Replaces Playwright's waitForFunction with a string, which the page's Content-Security-Policy forbids. */
export const until = (page: Page, condition: string) =>
  eventually(async () => {
    if (!(await page.evaluate(condition))) throw new Error(`Not yet: ${condition}`)
  }, 30_000)

async function sizeOf(files: Response[]) {
  const bodies = await Promise.all(files.map(file => file.body()))
  const sent = await Promise.all(files.map(file => file.request().sizes()))
  return {
    count: files.length,
    gzip: bodies.reduce((sum, body) => sum + gzipSync(body).length, 0),
    sent: sent.reduce((sum, one) => sum + one.responseBodySize, 0),
  }
}

export async function firstLoad(page: Page, channel: string) {
  const loads = []
  for (let i = 0; i < LOADS; i++) loads.push(await load(page, channel))
  const kb = ({ count, gzip, sent }: { count: number; gzip: number; sent: number }) =>
    `${(gzip / 1024).toFixed(1)} KB gzip (${(sent / 1024).toFixed(1)} KB as sent, ${count} files)`
  const [{ needed, scripts, styles }] = loads as [Awaited<ReturnType<typeof load>>]
  console.log(`  JavaScript that the page names: ${kb(needed)}`)
  console.log(`  all that was asked for until it was usable: ${kb(scripts)}; CSS ${kb(styles)}`)
  for (const kind of ['cold', 'warm', 'work'] as const) {
    const sorted = loads.map(one => one[kind]).sort((a, b) => a - b)
    console.log(
      `  ${kind === 'work' ? 'work of the thread until then, cold' : `usable, ${kind}`}: median ${sorted[LOADS >> 1]!.toFixed(0)} ms (${sorted[0]!.toFixed(0)} to ${sorted.at(-1)!.toFixed(0)})`,
    )
  }
}

/** Times from a key press to the end of the next frame, ms. */
export async function typing(page: Page, chromium: CDPSession, letters: number): Promise<number[]> {
  await page.evaluate(`{
    globalThis.keyTimes = []
    const { port1, port2 } = new MessageChannel()
    const asked = []
    port1.onmessage = () => keyTimes.push(performance.now() - asked.shift())
    document.addEventListener('keydown', event => requestAnimationFrame(() => { asked.push(event.timeStamp); port2.postMessage(0) }), true)
  }`)
  const box = page.locator('[data-region=composer] textarea')
  await box.focus()
  await chromium.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  for (let i = 0; i < letters; i++)
    await box.press('meet at the weir '[i % 17] === ' ' ? 'Space' : 'meetattheweir'[i % 13]!)
  await until(page, `keyTimes.length >= ${letters}`)
  await chromium.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await box.fill('')
  return page.evaluate<number[]>('keyTimes')
}

/** Times from Control+K to the end of the frame that shows its field, ms. */
export async function jumps(page: Page, chromium: CDPSession, times: number): Promise<number[]> {
  await page.evaluate(`{
    globalThis.jumpTimes = []
    const { port1, port2 } = new MessageChannel()
    let began = 0
    port1.onmessage = () => jumpTimes.push(performance.now() - began)
    const look = () => document.querySelector('[role=dialog] [role=combobox], dialog [role=combobox]') ? port2.postMessage(0) : requestAnimationFrame(look)
    document.addEventListener('keydown', event => {
      if (event.key !== 'k' || !event.ctrlKey) return
      began = event.timeStamp
      requestAnimationFrame(look)
    }, true)
  }`)
  await chromium.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  for (let i = 1; i <= times; i++) {
    await page.keyboard.press('Control+k')
    await until(page, `jumpTimes.length >= ${i}`)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await chromium.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  return page.evaluate<number[]>('jumpTimes')
}
