/** Measurements of client.ts: scrolling (ui.md 10), by frames on the screen and by work of the page's main thread. */
import type { CDPSession, Page } from 'playwright-core'
import type { Milliseconds } from '#shared/domain/units.ts'

/** Pixels per second: a fast wheel, about sixty messages. */
const WHEEL = 4_000
/** Pixels per wheel gesture. */
const TURN = 8_000
/** Pixels per frame: a violent flick, three rows per frame. */
const STEP = 150

export interface Scrolled {
  messages: number
  /**
   * Times between two frames on the screen, and between two frames of the main thread, which falls behind when busy.
   */
  shown: Milliseconds[]
  painted: Milliseconds[]
  /** Frames in which the list had no row at its top or bottom edge. */
  gaps: number
  mostRows: number
}

/** Scrolls by wheel. The compositor moves painted rows by itself; the page must add rows in time. */
export async function turnWheel(
  page: Page,
  chromium: CDPSession,
  direction: 1 | -1,
  messages: number,
): Promise<Scrolled> {
  const box = (await page.locator('#messages').boundingBox())!
  const drawn: { pid: number; at: Milliseconds }[] = []
  const take = ({ value }: { value: object[] }) => {
    for (const event of value as { name: string; pid: number; ts: number }[])
      if (event.name === 'DrawFrame') drawn.push({ pid: event.pid, at: event.ts / 1000 })
  }
  chromium.on('Tracing.dataCollected', take)
  await chromium.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['disabled-by-default-devtools.timeline.frame'] },
  })
  await page.evaluate(WATCH)
  let passed = 0
  for (let before = -1; passed < messages && passed !== before; ) {
    before = passed
    await chromium.send('Input.synthesizeScrollGesture', {
      x: box.x + box.width / 2,
      y: box.y + box.height / 2,
      yDistance: -direction * TURN,
      speed: WHEEL,
      gestureSourceType: 'mouse',
      preventFling: true,
    })
    passed = await page.evaluate<number>('watched.passed()')
  }
  const watched = await page.evaluate<Omit<Scrolled, 'shown'>>('watched.end()')
  const ended = new Promise(resolve => chromium.once('Tracing.tracingComplete', resolve))
  await chromium.send('Tracing.end')
  await ended
  chromium.off('Tracing.dataCollected', take)
  return { ...watched, shown: between(ofTheBusiest(drawn)) }
}

/** Opens a page that has a scroller of the same size with as many lines of text, for comparison. */
export async function stillPage(page: Page, messages: number): Promise<Page> {
  const { width, height } = (await page.locator('#messages').boundingBox())!
  const still = await page.context().browser()!.newPage()
  const lines = Array.from(
    { length: messages + 200 },
    (_, i) =>
      `<article data-message-id="${i}" style="height: 66px">${'a line of ordinary text '.repeat(8)}</article>`,
  )
  await still.setContent(
    `<div id="messages" style="width: ${width}px; height: ${height}px; overflow-y: scroll">${lines.join('')}</div>`,
  )
  return still
}

/** The frames of the page with the most of them: the browser sometimes draws other pages too. */
function ofTheBusiest(drawn: { pid: number; at: Milliseconds }[]): Milliseconds[] {
  const pages = Object.values(Object.groupBy(drawn, one => one.pid)).map(one => one!.map(({ at }) => at))
  return pages.toSorted((a, b) => b.length - a.length)[0]!.toSorted((a, b) => a - b)
}

const between = (times: number[]) => times.slice(1).map((time, at) => time - times[at]!)

/** Scrolls by script in each frame, which leaves all work to the main thread. */
export async function scrollByScript(
  page: Page,
  direction: 1 | -1,
  messages: number,
  step = STEP,
): Promise<Omit<Scrolled, 'shown'>> {
  await page.evaluate(WATCH)
  return await page.evaluate(`new Promise(done => {
    const list = document.querySelector('#messages')
    let stalls = 0
    const tick = () => {
      const at = list.scrollTop
      list.scrollTop += ${direction * step}
      stalls = list.scrollTop === at ? stalls + 1 : 0
      if (watched.passed() >= ${messages} || stalls > 300) done(watched.end())
      else requestAnimationFrame(tick)
    }
    requestAnimationFrame(tick)
  })`)
}

/** Records each frame of the main thread, and in some of them the visible rows. */
const WATCH = `(() => {
  const list = document.querySelector('#messages')
  const { top, bottom, left, width } = list.getBoundingClientRect()
  const rowAt = y => document.elementFromPoint(left + width / 2, y)?.closest('article')
  const isGap = y => document.elementFromPoint(left + width / 2, y)?.matches('.message-column > [aria-hidden]:not([class])')
  const here = () => Number((rowAt(top + 100) ?? rowAt(top + 140))?.dataset.messageId)
  const painted = []
  let last = performance.now(), frame = 0, gaps = 0, mostRows = 0, start, messages = 0
  const tick = now => {
    painted.push(now - last)
    last = now
    if (frame++ % 10 === 0) {
      start ??= here() || undefined
      messages = Math.abs((here() || start) - start) || messages
      mostRows = Math.max(mostRows, list.querySelectorAll('article').length)
      if (isGap(top + 4) || isGap(bottom - 4)) gaps++
    }
    next = requestAnimationFrame(tick)
  }
  let next = requestAnimationFrame(tick)
  globalThis.watched = {
    passed: () => messages,
    end() {
      cancelAnimationFrame(next)
      return { messages, painted: painted.slice(1), gaps, mostRows }
    },
  }
})()`
